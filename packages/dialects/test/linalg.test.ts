import { printMap } from '@sconv/affine';
import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { edit, f32, i32, memrefType, tensorType, walk } from '@sconv/ir';
import type { Operation, Type, Value } from '@sconv/ir';
import {
  buildNamedBody,
  conv2dNchwFchw,
  convolutions,
  generic,
  index,
  isConvolution,
  isStructured,
  linalgDialect,
  matmul,
  memoizedMaps,
  namedOpBody,
  structured,
} from '../src/linalg.ts';
import type { ScalarOperation } from '../src/linalg-body.ts';
import { buildPayload } from '../src/build-payload.ts';
import { errorsOf, findOperation, inFunction, parse, reprint, registry } from './support.ts';

const values =
  '%arg0: tensor<1x2x8x9xf32>, %arg1: tensor<3x2x3x3xf32>, %arg2: tensor<1x3x3x3xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<8x5xf32>, %arg5: tensor<4x5xf32>, %arg6: f32, %arg7: memref<4x8xf32>, %arg8: tensor<8x4xf32>, %arg9: tensor<4xf32>';

const convolution = `linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x2x8x9xf32>, tensor<3x2x3x3xf32>) outs(%arg2 : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>`;

describe('text', () => {
  it.each([
    `%0 = ${convolution}`,
    '%0 = linalg.conv_2d_nchw_fchw ins(%arg0, %arg1 : tensor<1x2x8x9xf32>, tensor<3x2x3x3xf32>) outs(%arg0 : tensor<1x2x8x9xf32>) -> tensor<1x2x8x9xf32>'.replace(
      /outs.*/,
      'outs(%arg2 : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>',
    ),
    '%0 = linalg.matmul ins(%arg3, %arg4 : tensor<4x8xf32>, tensor<8x5xf32>) outs(%arg5 : tensor<4x5xf32>) -> tensor<4x5xf32>',
    '%0 = linalg.fill ins(%arg6 : f32) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>',
    'linalg.fill ins(%arg6 : f32) outs(%arg7 : memref<4x8xf32>)',
    '%0 = linalg.copy ins(%arg3 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>',
    '%0 = linalg.add ins(%arg3, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>',
    '%mapped = linalg.map { arith.addf } ins(%arg3, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>)',
    '%reduced = linalg.reduce { arith.addf } ins(%arg3 : tensor<4x8xf32>) outs(%arg9 : tensor<4xf32>) dimensions = [1] ',
    '%transposed = linalg.transpose ins(%arg3 : tensor<4x8xf32>) outs(%arg8 : tensor<8x4xf32>) permutation = [1, 0] ',
    '%broadcasted = linalg.broadcast ins(%arg9 : tensor<4xf32>) outs(%arg3 : tensor<4x8xf32>) dimensions = [1] ',
    '%0 = linalg.softmax dimension(1) ins(%arg3 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>',
  ])('%s', (line) => {
    const text = inFunction(values, line);
    expect(reprint(text)).toBe(text);
  });

  it('of generic', () => {
    const text = `#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<4xf32>) attrs =  {tag} {
    ^bb0(%in: f32, %out: f32):
      %1 = linalg.index 1 : index
      %2 = arith.addf %in, %out : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
`;
    expect(reprint(text)).toBe(text);
  });

  it('shows the body of a named op in the generic form', () => {
    expect(reprint(inFunction(values, `%0 = ${convolution}`), true)).toMatchInlineSnapshot(`
      "#map = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 3 + d6)>
      #map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
      #map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
      "builtin.module"() ({
        "func.func"() <{function_type = (tensor<1x2x8x9xf32>, tensor<3x2x3x3xf32>, tensor<1x3x3x3xf32>, tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>, f32, memref<4x8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> (), sym_name = "f"}> ({
        ^bb0(%arg0: tensor<1x2x8x9xf32>, %arg1: tensor<3x2x3x3xf32>, %arg2: tensor<1x3x3x3xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<8x5xf32>, %arg5: tensor<4x5xf32>, %arg6: f32, %arg7: memref<4x8xf32>, %arg8: tensor<8x4xf32>, %arg9: tensor<4xf32>):
          %0 = "linalg.conv_2d_nchw_fchw"(%arg0, %arg1, %arg2) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<[2, 3]> : tensor<2xi64>}> ({
          ^bb0(%arg10: f32, %arg11: f32, %arg12: f32):
            %1 = "arith.mulf"(%arg10, %arg11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
            %2 = "arith.addf"(%arg12, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
            "linalg.yield"(%2) : (f32) -> ()
          }) {linalg.memoized_indexing_maps = [#map, #map1, #map2]} : (tensor<1x2x8x9xf32>, tensor<3x2x3x3xf32>, tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
          "func.return"() : () -> ()
        }) : () -> ()
      }) : () -> ()
      "
    `);
  });
});

describe('the short form of a payload', () => {
  const integers = '%a: tensor<4x8xi32>, %s: tensor<4xi32>';
  const floats = '%a: tensor<4x8xf32>, %s: tensor<4xf32>';
  const none = ' {overflowFlags = #arith.overflow<none>}';
  const nsw = ' {overflowFlags = #arith.overflow<nsw>}';

  it.each([
    [integers, 'arith.addi', `arith.addi${none}`],
    [integers, `arith.muli${none}`, `arith.muli${none}`],
    [integers, `arith.addi${nsw}`, `arith.addi${nsw}`],
    [integers, 'arith.maxsi', 'arith.maxsi'],
    [floats, 'arith.addf {fastmath = #arith.fastmath<none>}', 'arith.addf'],
    [
      floats,
      'arith.addf {fastmath = #arith.fastmath<fast>, mine}',
      'arith.addf {fastmath = #arith.fastmath<fast>, mine}',
    ],
  ])('with %s, %s', (values, written, printed) => {
    const type = values.includes('i32') ? 'i32' : 'f32';
    for (const [name, operands] of [
      ['reduce', `ins(%a : tensor<4x8x${type}>) outs(%s : tensor<4x${type}>) dimensions = [1]`],
      ['map', `ins(%s, %s : tensor<4x${type}>, tensor<4x${type}>) outs(%s : tensor<4x${type}>)`],
    ]) {
      const text = reprint(inFunction(values, `%0 = linalg.${name} { ${written} } ${operands}`));
      expect(text).toContain(`linalg.${name} { ${printed} } ins(`);
      expect(reprint(reprint(text, true))).toBe(text);
    }
  });
});

describe('structured view', () => {
  const view = conv2dNchwFchw.view(
    findOperation(inFunction(values, `%0 = ${convolution}`), 'linalg.conv_2d_nchw_fchw'),
  );

  it('of a convolution has the strides in its maps', () => {
    expect(view.iteratorTypes.join()).toBe(
      'parallel,parallel,parallel,parallel,reduction,reduction,reduction',
    );
    expect(view.indexingMaps.map((map) => printMap(map).replace(/.*-> /, ''))).toEqual([
      '(d0, d4, d2 * 2 + d5, d3 * 3 + d6)',
      '(d1, d4, d5, d6)',
      '(d0, d1, d2, d3)',
    ]);
    expect(view.loopRanges).toEqual([1, 3, 3, 3, 2, 3, 3]);
    expect([view.inputs.length, view.outputs.length, view.body?.operations.length]).toEqual([2, 1, 3]);
  });

  it.each([
    [
      'linalg.transpose',
      '%0 = linalg.transpose ins(%arg3 : tensor<4x8xf32>) outs(%arg8 : tensor<8x4xf32>) permutation = [1, 0]',
      ['(d1, d0)', '(d0, d1)'],
      [8, 4],
    ],
    [
      'linalg.broadcast',
      '%0 = linalg.broadcast ins(%arg9 : tensor<4xf32>) outs(%arg3 : tensor<4x8xf32>) dimensions = [1]',
      ['(d0)', '(d0, d1)'],
      [4, 8],
    ],
    [
      'linalg.reduce',
      '%0 = linalg.reduce { arith.addf } ins(%arg3 : tensor<4x8xf32>) outs(%arg9 : tensor<4xf32>) dimensions = [1]',
      ['(d0, d1)', '(d0)'],
      [4, 8],
    ],
    [
      'linalg.fill',
      '%0 = linalg.fill ins(%arg6 : f32) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>',
      ['()', '(d0, d1)'],
      [4, 8],
    ],
    [
      'linalg.map',
      '%0 = linalg.map { math.exp } ins(%arg3 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>)'.replace(
        'math.exp',
        'arith.negf',
      ),
      ['(d0, d1)', '(d0, d1)'],
      [4, 8],
    ],
  ])('of %s', (name, line, maps, ranges) => {
    const operation = findOperation(inFunction(values, line), name);
    expect(isStructured(registry, operation)).toBe(true);
    const { indexingMaps, loopRanges } = structured(registry, operation)!;
    expect(indexingMaps.map((map) => printMap(map).replace(/.*-> /, ''))).toEqual(maps);
    expect(loopRanges).toEqual(ranges);
  });

  it('exists of structured ops only', () => {
    const operation = findOperation(inFunction('', '%0 = arith.constant 0 : index'), 'arith.constant');
    expect(isStructured(registry, operation)).toBe(false);
    expect(structured(registry, operation)).toBeUndefined();
  });

  it('tells convolutions from poolings', () => {
    const operation = findOperation(inFunction(values, `%0 = ${convolution}`), 'linalg.conv_2d_nchw_fchw');
    expect(isConvolution(operation)).toBe(true);
    expect(convolutions.map((op) => op.name)).not.toContain('linalg.pooling_nhwc_sum');
  });
});

describe('verifier', () => {
  const body = '{\n^bb0(%in: f32, %out: f32):\n  linalg.yield %in : f32\n} -> tensor<4x8xf32>';
  const genericText = (maps: string, iterators: string, rest = body): string =>
    `%0 = linalg.generic {indexing_maps = [${maps}], iterator_types = [${iterators}]} ins(%arg3 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) ${rest}`;
  const identity = 'affine_map<(d0, d1) -> (d0, d1)>';
  const two = '"parallel", "parallel"';

  it.each([
    [
      genericText(identity, two),
      'expected the number of indexing_map (1) to be equal to the number of input/output operands (2)',
    ],
    [
      genericText(`affine_map<(d0) -> (d0, d0)>, ${identity}`, two),
      'expected indexing_map #0 to have 2 dim(s) to match the number of loops',
    ],
    [
      genericText(`affine_map<(d0, d1) -> (d0)>, ${identity}`, two),
      'expected operand rank (2) to match the result rank of indexing_map #0 (1)',
    ],
    [
      genericText(`affine_map<(d0, d1) -> (d1, d0)>, ${identity}`, two),
      "inferred input/output operand #1 has shape's dimension #0 to be 8, but found 4",
    ],
    [
      genericText(`affine_map<(d0, d1) -> (d0 + 1, d1)>, ${identity}`, two),
      "inferred input/output operand #0 has shape's dimension #0 to be greater than or equal to 5, but found 4",
    ],
    [
      genericText(`affine_map<(d0, d1) -> (d0, d0)>, affine_map<(d0, d1) -> (d0, d0)>`, two),
      'expected the shape-to-loops map to be non-null',
    ],
    [
      genericText(
        `${identity}, ${identity}`,
        two,
        body.replace('%in: f32', '%in: i32').replace('%in : f32', '%out : f32'),
      ),
      "expected type of bb argument #0 ('i32') to match element or self type of the corresponding operand ('f32')",
    ],
    [
      genericText(
        `${identity}, ${identity}`,
        two,
        body.replace('linalg.yield %in : f32', 'linalg.yield %in, %out : f32, f32'),
      ),
      'expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)',
    ],
    [
      genericText(`${identity}, ${identity}`, '"parallel", "sideways"'),
      'unexpected iterator_type (sideways)',
    ],
    [
      '%0 = linalg.matmul ins(%arg3, %arg4 : tensor<4x8xf32>, tensor<8x5xf32>) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>',
      "inferred input/output operand #2 has shape's dimension #1 to be 5, but found 8",
    ],
    [
      `%0 = ${convolution.replace('dense<[2, 3]> : tensor<2xi64>', 'dense<1> : tensor<3xi64>')}`,
      'failed to satisfy constraint: 64-bit signless int elements attribute of shape [2]',
    ],
    [
      '%0 = linalg.transpose ins(%arg3 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) permutation = [1, 0]',
      "dim(result, 0) = 4 doesn't match dim(input, permutation[0]) = 8",
    ],
  ])('%s', (line, message) => {
    expect(errorsOf(inFunction(values, line)).join('\n')).toContain(message);
  });

  it('linalg.index stays below the number of loops', () => {
    const inner = body.replace('  linalg.yield', '  %i = linalg.index 2 : index\n  linalg.yield');
    expect(
      errorsOf(inFunction(values, genericText(`${identity}, ${identity}`, two, inner))).join(),
    ).toContain('expected dim (2) to be lower than the number of loops (2) of the enclosing LinalgOp');
  });

  it('linalg.index stays below the number of loops that a named op implies', () => {
    const text = `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.map ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) (%x: f32) {
        %i = linalg.index 1 : index
        linalg.yield %x : f32
      }
      return %0 : tensor<4xf32>
    }`;
    expect(errorsOf(text)).toEqual([
      expect.stringContaining('expected dim (1) to be lower than the number of loops (1)'),
    ]);
    expect(errorsOf(text.replace('index 1', 'index 0'))).toEqual([]);
  });
});

/** The operations of the body of a named op on scalars of these types. */
const bodyOf = (
  structure: (typeof conv2dNchwFchw)['structure'],
  types: readonly Type[],
): readonly string[] => {
  let next = 100;
  const created: string[] = [];
  const create = (operation: ScalarOperation): readonly Value[] => {
    created.push(operation.name);
    return operation.resultTypes.map((type) => ({ id: next++, type }));
  };
  buildNamedBody(
    structure,
    create,
    types.map((type, id) => ({ id, type })),
    {},
  );
  return created;
};

describe('bodies', () => {
  it.each([
    ['floats', [f32, f32, f32], ['arith.mulf', 'arith.addf', 'linalg.yield']],
    ['integers', [i32, i32, i32], ['arith.muli', 'arith.addi', 'linalg.yield']],
    [
      'integers into floats',
      [i32, i32, f32],
      ['arith.sitofp', 'arith.sitofp', 'arith.mulf', 'arith.addf', 'linalg.yield'],
    ],
  ])('multiply-add of %s', (_, types, names) => {
    expect(bodyOf(conv2dNchwFchw.structure, types)).toEqual(names);
  });
});

describe('namedOpBody', () => {
  it('gives a built op the region that the custom form implies', () => {
    const text = inFunction(
      values,
      '%0 = linalg.matmul ins(%arg3, %arg4 : tensor<4x8xf32>, tensor<8x5xf32>) outs(%arg5 : tensor<4x5xf32>) -> tensor<4x5xf32>',
    );
    const module = unwrap(parse(text));
    const original = [...walk(module.root)].find((operation) => matmul.is(operation))!;
    const [lhs, rhs, out] = original.operands;
    const { module: edited } = edit(module, { registry }, (rewriter) => {
      rewriter.setInsertionPointBefore(rewriter.find(original.id));
      rewriter.create(
        matmul.state({
          operands: { inputs: [lhs!, rhs!], outputs: [out!] },
          bodies: [namedOpBody(matmul, original.operands)],
        }),
      );
    });
    const [first, second] = [...walk(edited.root)].filter((operation) => matmul.is(operation));
    const names = (operation: Operation | undefined) =>
      operation?.regions[0]?.blocks[0]?.operations.map((child) => child.name);
    expect(names(first)).toEqual(['arith.mulf', 'arith.addf', 'linalg.yield']);
    expect(names(first)).toEqual(names(second));
  });
});

it('a builder counts the operands of a named op', () => {
  const type = tensorType([4, 4], f32);
  const build = (...outputs: readonly Value[]): unknown =>
    buildPayload(registry, ({ func }) => func('f', [type], (b, x) => b(matmul, { inputs: [x], outputs })));
  expect(() => build()).toThrow("'linalg.matmul' takes 2 inputs and one output, not 1 operands");
});

describe('builders', () => {
  const input: Value = { id: 1, type: tensorType([1, 2, 8, 9], f32) };
  const filter: Value = { id: 2, type: tensorType([3, 2, 3, 3], f32) };
  const output: Value = { id: 3, type: tensorType([1, 3, 3, 3], f32) };

  it('a convolution infers its result and stores its window', () => {
    const state = conv2dNchwFchw.state({
      operands: { inputs: [input, filter], outputs: [output] },
      attributes: { strides: [2, 3], dilations: [1, 1] },
    });
    expect(state.resultTypes).toEqual([output.type]);
    expect(state.attributes['strides']).toMatchObject({ values: [2n, 3n] });
    expect(state.attributes['dilations']).toMatchObject({ values: [1n] });
  });

  it('on buffers there is no result', () => {
    const buffer: Value = { id: 4, type: memrefType([4], f32) };
    const state = generic.state({
      operands: { inputs: [buffer], outputs: [buffer] },
      attributes: { indexingMaps: [], iteratorTypes: ['parallel'] },
    });
    expect(state.resultTypes).toEqual([]);
  });

  it('linalg.index is of type index', () => {
    expect(index.state({ attributes: { dim: 2 } }).resultTypes).toEqual([{ kind: 'index' }]);
  });
});

it('declares no name twice', () => {
  const names = linalgDialect.operations.map((operation) => operation.name);
  expect(new Set(names).size).toBe(names.length);
});

it('keeps the maps of a named op where upstream keeps them', () => {
  const operation = findOperation(inFunction(values, `%0 = ${convolution}`), 'linalg.conv_2d_nchw_fchw');
  expect(operation.attributes[memoizedMaps]).toMatchObject({ kind: 'array' });
  expect(parse(reprint(inFunction(values, `%0 = ${convolution}`), true)).status).toBe('success');
});
