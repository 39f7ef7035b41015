import { unwrap } from '@sconv/diagnostics';
import { createRegistry, parseModule, printModule, verify } from '@sconv/ir';
import { payloadDialects } from '@sconv/dialects';
import { firstDifference } from '@sconv/interpreter/testing';
import { describe, expect, it } from 'vitest';
import { outlineEqual } from '../src/index.ts';

const registry = createRegistry(payloadDialects);
const [t, w] = ['tensor<4x4xf32>', 'tensor<4x4xf32>'];

/** A sum of products of `from` and a matrix, which begins with zero. */
const product = (name: string, from: string, weights: string, attributes = ''): string =>
  `%e${name} = tensor.empty() : ${t}
%z${name} = linalg.fill ins(%zero : f32) outs(%e${name} : ${t}) -> ${t}
%${name} = linalg.matmul ${attributes} ins(${from}, ${weights} : ${t}, ${w}) outs(%z${name} : ${t}) -> ${t}\n`;
const relu = (name: string, from: string, op = 'maximumf', out = `%o${name}`): string =>
  `%o${name} = tensor.empty() : ${t}
%${name} = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
  ins(${from}, %bias : ${t}, tensor<4xf32>) outs(${out} : ${t}) {
  ^bb0(%p: f32, %q: f32, %old: f32):
    %s = arith.addf %p, %q : f32
    %y = arith.${op} %s, %zero : f32
    linalg.yield %y : f32
} -> ${t}\n`;
const net = (body: string, result: string, type = t): string => `#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @net(%x: ${t}, %v: ${w}, %w: ${w}, %bias: tensor<4xf32>, %c: i1, %big: tensor<8x4xf32>) -> ${type} {
  %zero = arith.constant 0.0 : f32
  ${body}
  return ${result} : ${type}
}`;

const outlined = (text: string) => {
  const module = unwrap(parseModule(text, { registry }));
  const { module: after, originals } = outlineEqual(module, registry);
  expect(verify(after, registry)).toEqual([]);
  return { module, after, originals, text: printModule(after, { registry }) };
};
/** How many functions are made, and calls of them. */
const counts = (text: string): readonly number[] => {
  const { text: after } = outlined(text);
  return [after.split('func.func private').length - 1, after.split(' call @').length - 1];
};

const two = (first = '', second = ''): string =>
  product('a', '%x', '%v', first) + product('b', '%a', '%w', second);
const followed = product('a', '%x', '%v') + relu('ra', '%a') + product('b', '%ra', '%w') + relu('rb', '%b');
/** `product` with its first operand transposed, as another op. */
const transposed = `%b = linalg.matmul_transpose_a ins(%a, %w : ${t}, ${w}) outs(%x : ${t}) -> ${t}\n`;

describe('equal reductions', () => {
  it('become calls of a private function, with what is fused with them', () => {
    const { text, module, after } = outlined(net(followed, '%rb'));
    expect(text).toMatchInlineSnapshot(`
      "#map = affine_map<(d0, d1) -> (d0, d1)>
      #map1 = affine_map<(d0, d1) -> (d1)>
      module {
        func.func @net(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<4xf32>, %arg4: i1, %arg5: tensor<8x4xf32>) -> tensor<4x4xf32> {
          %0 = tensor.empty() : tensor<4x4xf32>
          %1 = call @matmul(%arg0, %arg1, %0, %arg3) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
          %2 = tensor.empty() : tensor<4x4xf32>
          %3 = call @matmul(%1, %arg2, %2, %arg3) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
          return %3 : tensor<4x4xf32>
        }
        func.func private @matmul(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<4xf32>) -> tensor<4x4xf32> {
          %cst = arith.constant 0.000000e+00 : f32
          %0 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
          %1 = linalg.matmul ins(%arg0, %arg1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
          %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %arg3 : tensor<4x4xf32>, tensor<4xf32>) outs(%1 : tensor<4x4xf32>) {
          ^bb0(%in: f32, %in_0: f32, %out: f32):
            %3 = arith.addf %in, %in_0 : f32
            %4 = arith.maximumf %3, %cst : f32
            linalg.yield %4 : f32
          } -> tensor<4x4xf32>
          return %2 : tensor<4x4xf32>
        }
      }
      "
    `);
    expect(firstDifference(module, after)).toBeUndefined();
  });

  it('are known by the op that stands for them', () => {
    const { originals, module, after } = outlined(net(two(), '%b'));
    const idsOf = (of: typeof module) =>
      of.root.regions[0]!.blocks[0]!.operations.flatMap(({ regions }) =>
        regions[0]!.blocks[0]!.operations.filter(({ name }) => name === 'linalg.matmul').map(({ id }) => id),
      );
    expect([...originals]).toEqual([[idsOf(after)[0], idsOf(module)]]);
  });

  it.each([
    ['two of them', net(two(), '%b'), [1, 2]],
    ['one', net(product('a', '%x', '%v'), '%a'), [0, 0]],
    ['two, one with an attribute', net(two('', '{tag}'), '%b'), [0, 0]],
    [
      'two and two with an attribute',
      net(two() + two('{tag}', '{tag}').replaceAll(/%(e|z|)([ab])\b/gu, '%$1$2$2'), '%bb'),
      [2, 4],
    ],
    [
      'two, and two others of what these make',
      net(two() + product('p', '%b', '%v', '{tag}') + product('q', '%p', '%w', '{tag}'), '%q'),
      [2, 4],
    ],
    [
      'one with an elementwise op, one without',
      net(product('a', '%x', '%v') + relu('r', '%a') + product('b', '%r', '%w'), '%b'),
      [0, 0],
    ],
    [
      'two with other elementwise ops',
      net(followed.replace(/maximumf(?![\s\S]*maximumf)/u, 'minimumf'), '%rb'),
      [0, 0],
    ],
    ['one that begins with zero, one with a tensor', net(two().replace('outs(%zb', 'outs(%x'), '%b'), [0, 0]],
    [
      'two that begin with a tensor',
      net(two().replace('outs(%za', 'outs(%w').replace('outs(%zb', 'outs(%x'), '%b'),
      [1, 2],
    ],
    ['two of one operand', net(product('a', '%x', '%x') + product('b', '%a', '%a'), '%b'), [1, 2]],
    [
      'one of one operand, one of two',
      net(product('a', '%x', '%x') + product('b', '%a', '%w'), '%b'),
      [0, 0],
    ],
    ['two with one fill', net(two().replace('outs(%zb', 'outs(%za'), '%b'), [1, 2]],
    [
      'two whose sums are added',
      net(`${two()}%s = linalg.add ins(%a, %b : ${t}, ${t}) outs(%za : ${t}) -> ${t}\n`, '%s'),
      [0, 0],
    ],
    [
      'two, one of a slice',
      net(
        `%s = tensor.extract_slice %big[4, 0] [4, 4] [1, 1] : tensor<8x4xf32> to ${t}\n${two()}`.replace(
          'ins(%a',
          'ins(%s',
        ),
        '%b',
      ),
      [0, 0],
    ],
    [
      'two, one of a buffer',
      net(
        `%m = memref.alloc() : memref<4x4xf32>
linalg.fill ins(%zero : f32) outs(%m : memref<4x4xf32>)
%s = bufferization.to_tensor %m restrict : memref<4x4xf32>\n${two()}`.replace('ins(%a', 'ins(%s'),
        '%b',
      ),
      [0, 0],
    ],
    [
      'two, one of which is inserted',
      net(
        `${two()}%i = tensor.insert_slice %b into %big[0, 0] [4, 4] [1, 1] : ${t} into tensor<8x4xf32>\n`,
        '%i',
        'tensor<8x4xf32>',
      ),
      [0, 0],
    ],
    [
      'two, one in a branch',
      net(
        `${product('a', '%x', '%v')}%r = scf.if %c -> ${t} {\n${product('b', '%a', '%w')}scf.yield %b : ${t}\n} else {\nscf.yield %a : ${t}\n}\n`,
        '%r',
      ),
      [0, 0],
    ],
    ['two, one in another layout', net(`${product('a', '%x', '%v')}${transposed}`, '%b'), [0, 0]],
    [
      'two in two functions',
      `${net(product('a', '%x', '%v'), '%a')}\n${net(product('a', '%w', '%x'), '%a')
        .replace(/^#.*\n#.*\n/u, '')
        .replace('@net', '@matmul')}`,
      [1, 2],
    ],
    [
      'two of dynamic sizes',
      net(two(), '%b')
        .replaceAll('4x4x', '?x?x')
        .replaceAll('tensor.empty()', 'tensor.empty(%n, %n)')
        .replace('%c: i1', '%n: index'),
      [1, 2],
    ],
  ])('of %s', (_, text, expected) => {
    expect(counts(text)).toEqual(expected);
    const { module, after } = outlined(text);
    if (!text.includes('?x?')) expect(firstDifference(module, after)).toBeUndefined();
  });

  it.each([
    ['come along', '', [0, 1]],
    [
      'stay where others read them',
      `%s = linalg.add ins(%pa, %pb : ${t}, ${t}) outs(%x : ${t}) -> ${t}\n`,
      [2, 0],
    ],
  ])('whose operands are padded: the pads %s', (_, more, pads) => {
    const padded = (name: string, from: string): string =>
      `%${name} = tensor.pad ${from} low[1, 0] high[0, 0] {
^bb0(%i: index, %j: index):
  tensor.yield %zero : f32
} : tensor<3x4xf32> to ${t}\n`;
    const text = net(
      padded('pa', '%y') + product('a', '%pa', '%v') + padded('pb', '%u') + product('b', '%pb', '%a') + more,
      more === '' ? '%b' : '%s',
    ).replace('%c: i1', '%c: i1, %y: tensor<3x4xf32>, %u: tensor<3x4xf32>');
    const { module, after, text: printed } = outlined(text);
    const [caller, callee] = printed.split('func.func private');
    expect(caller!.split(' call @')).toHaveLength(3);
    expect([caller, callee].map((each) => each!.split('tensor.pad').length - 1)).toEqual(pads);
    expect(firstDifference(module, after)).toBeUndefined();
  });
});
