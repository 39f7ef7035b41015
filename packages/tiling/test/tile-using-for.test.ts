import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptTester } from '@sconv/transform/testing';
import { gatherOperandOp, swapInductionVarsOp, tileUsingForOp } from '../src/index.ts';
import { tileUsingForExamples } from '../src/examples.ts';

const apply = scriptTester([gatherOperandOp, tileUsingForOp, swapInductionVarsOp]);

const elementwise = `func.func @copy(%in: tensor<4x6xf32>, %out: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<4x6xf32>) outs(%out : tensor<4x6xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}`;

/** Elements of a vector, read through a map. */
const vector = (
  map: string,
  type: string,
  extent = 4,
) => `func.func @read(%in: ${type}, %out: tensor<${extent}xf32>) -> tensor<${extent}xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (${map})>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%in : ${type}) outs(%out : tensor<${extent}xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  } -> tensor<${extent}xf32>
  return %0 : tensor<${extent}xf32>
}`;

/** Both corners of the domain read element 0, others elements that do not exist. */
const skewed = elementwise
  .replace('(d0, d1) -> (d0, d1)>,', '(d0, d1) -> (d0 * 5 - d1 * 3)>,')
  .replace('%in: tensor<4x6xf32>', '%in: tensor<8xf32>')
  .replace('ins(%in : tensor<4x6xf32>)', 'ins(%in : tensor<8xf32>)');

const rows = tileUsingForExamples[0]!.payload;

const matchGeneric =
  '%op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op';
const types = (loops: number) =>
  `(!transform.any_op) -> (${Array(loops + 1)
    .fill('!transform.any_op')
    .join(', ')})`;
const tile = (sizes: readonly number[], interchange: readonly number[] = []) => {
  const loops = sizes.filter((size) => size > 0).length;
  const order = interchange.length > 0 ? ` interchange = [${interchange.join(', ')}]` : '';
  return `${matchGeneric}\n%t, %l:${loops} = transform.structured.tile_using_for %op tile_sizes [${sizes.join(', ')}]${order} : ${types(loops)}`;
};

describe('transform.structured.tile_using_for', () => {
  it('makes a loop for each size that is not 0, with slices in and out', () => {
    expect(apply(elementwise, tile([2, 0])).text).toMatchInlineSnapshot(`
      "module {
        func.func @copy(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) -> tensor<4x6xf32> {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : index
          %c2 = arith.constant 2 : index
          %0 = scf.for %arg2 = %c0 to %c4 step %c2 iter_args(%arg3 = %arg1) -> (tensor<4x6xf32>) {
            %extracted_slice = tensor.extract_slice %arg0[%arg2, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
            %extracted_slice_0 = tensor.extract_slice %arg3[%arg2, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
            %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<2x6xf32>) outs(%extracted_slice_0 : tensor<2x6xf32>) {
            ^bb0(%in: f32, %out: f32):
              linalg.yield %in : f32
            } -> tensor<2x6xf32>
            %inserted_slice = tensor.insert_slice %1 into %arg3[%arg2, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<4x6xf32>
            scf.yield %inserted_slice : tensor<4x6xf32>
          }
          return %0 : tensor<4x6xf32>
        }
      }
      "
    `);
  });

  it.each([
    ['sizes', elementwise, tile([1, 1, 1]), 'expected up to 2 tile sizes'],
    ['interchange', elementwise, tile([1, 1], [0, 0]), '[0, 0] does not permute the 2 loops'],
    ['interchange', elementwise, tile([1, 1], [0, 1, 0]), '[0, 1, 0] does not permute the 2 loops'],
    ['remainder', elementwise, tile([3]), 'tile size 3 does not divide dimension 0 of extent 4'],
    ['unsound-slice', rows, tile([0, 3]), "'(d1 floordiv 4) * 8 + d1 mod 4' at 0"],
    ['remainder', vector('d0', 'tensor<0xf32>', 0), tile([2]), 'tile size 2 exceeds dimension 0 of extent 0'],
    ['dynamic', elementwise.replaceAll('4x6', '?x6'), tile([0, 2]), 'static tensor type'],
    ['dynamic', vector('d0 * 2', 'tensor<?xf32>'), tile([2]), 'static tensor type'],
    ['out-of-bounds', skewed, tile([2]), 'dimension 0 of operand 0, a tensor<8xf32>'],
  ])('refuses %s', (code, payload, script, message) => {
    const { diagnostics } = apply(payload, script);
    expect(diagnostics).toContain(`[tile/${code}]`);
    expect(diagnostics).toContain(message);
  });

  it.each([
    ['d0 + 1', ['(d0) -> (d0 + 1)'], '(d0) -> (d0)'],
    ['-d0 + 3', ['(d0) -> (-d0 + 2)'], '(d0) -> (-d0 + 1)'],
    ['d0 * 2 + 1', ['(d0) -> (d0 * 2 + 1)'], '(d0) -> (d0 * 2)'],
  ])('slices what %s reads, its constant counted once', (map, offsets, inTile) => {
    const { text, diagnostics } = apply(vector(map, 'tensor<8xf32>'), tile([2]));
    expect(diagnostics).toBe('');
    const applied = [...text.matchAll(/affine.apply affine_map<(.*?)>\(/g)].map(([, found]) => found);
    expect(applied).toEqual(offsets);
    expect(text).toContain(`indexing_maps = [affine_map<${inTile}>`);
  });

  it('refuses what is not generic', () => {
    const script = tile([1]).replace('linalg.generic', 'func.func');
    expect(apply(elementwise, script).diagnostics).toContain('[tile/not-generic]');
  });

  const elementwise3 = elementwise.replaceAll('4x6', '2x4x6').replaceAll('(d0, d1)', '(d0, d1, d2)');
  const tile3 = (sizes: readonly number[], interchange: readonly number[]) =>
    apply(elementwise3.replace('["parallel",', '["parallel", "parallel",'), tile(sizes, interchange));

  it.each([
    [
      [0, 2],
      [1, 0],
    ],
    [
      [0, 4, 2],
      [1, 2, 0],
    ],
    [[1], [2, 1, 0]],
  ])(
    'warns that sizes %j under interchange %j have the order that they would have without',
    (sizes, order) => {
      const { status, diagnostics } = tile3(sizes, order);
      expect(status).toBe('success');
      expect(diagnostics).toContain(
        `warning: interchange [${order.join(', ')}] leaves the tiled dimensions in their order`,
      );
    },
  );

  it.each([
    [
      [0, 4, 2],
      [0, 2, 1],
    ],
    [
      [1, 2],
      [1, 0],
    ],
    [[1, 0, 2], [2]],
    [
      [1, 2],
      [0, 1, 2],
    ],
  ])('is content with sizes %j under interchange %j', (sizes, order) => {
    expect(tile3(sizes, order).diagnostics.includes('warning')).toBe(false);
  });

  it('keeps what somebody noted on the op', () => {
    const tagged = elementwise.replace('outs(%out : tensor<4x6xf32>)', '$& attrs = {tag = "keep"}');
    expect(apply(tagged, tile([2])).text).toContain('attrs =  {tag = "keep"}');
  });
});

describe('transform.structured.gather_operand', () => {
  const gather = (operand: number, op = 'linalg.generic') =>
    `${matchGeneric.replace('linalg.generic', op)}\n%g = transform.structured.gather_operand %op {operand = ${operand}} : (!transform.any_op) -> !transform.any_op`;

  it('reads the operand in the body, so that tiling does not slice it', () => {
    const { text } = apply(
      rows,
      `${gather(0)}\n%t, %l:1 = transform.structured.tile_using_for %g tile_sizes [0, 3] : ${types(1)}`,
    );
    expect(text).not.toContain('extract_slice %arg0');
    // The induction variable is part of the map: the tile is right wherever it starts.
    expect(text).toContain('affine_map<(d0, d1) -> (((d0 + d1) floordiv 4) * 8 + (d0 + d1) mod 4)>');
  });

  it('keeps what somebody noted on the op', () => {
    const tagged = rows.replace('outs(%out : tensor<2x12xf32>)', '$& attrs = {tag = "keep"}');
    expect(apply(tagged, gather(0)).text).toContain('attrs =  {tag = "keep"}');
  });

  it.each([
    ['no-operand', gather(1), rows],
    ['not-generic', gather(0, 'func.func'), rows],
    [
      'loop-range',
      gather(0),
      vector('d0', 'tensor<4xf32>').replace('affine_map<(d0) -> (d0)>],', 'affine_map<(d0) -> (0)>],'),
    ],
  ])('refuses %s', (code, script, payload) => {
    expect(apply(payload, script).diagnostics).toContain(`[gather/${code}]`);
  });
});

describe('transform.loop.swap_induction_vars', () => {
  const swap = 'transform.loop.swap_induction_vars %l#0 : !transform.any_op';

  it('gives the loops that an interchange gives', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 4), fc.constantFrom(1, 2, 3, 6), (a, b) => {
        const swapped = apply(elementwise, `${tile([a, b])}\n${swap}`);
        const interchanged = apply(elementwise, tile([a, b], [1, 0]));
        expect(loopsOf(swapped.text)).toEqual(loopsOf(interchanged.text));
        expect(swapped.diagnostics).toBe('');
      }),
    );
  });

  it.each([
    ['not-a-loop', `${matchGeneric}\ntransform.loop.swap_induction_vars %op : !transform.any_op`],
    [
      'not-perfect',
      `${tile([2])}\ntransform.loop.swap_induction_vars %l : !transform.any_op`.replace('%l:1', '%l'),
    ],
  ])('refuses %s', (code, script) => {
    expect(apply(elementwise, script).diagnostics).toContain(`[swap/${code}]`);
  });

  it('refuses bounds that depend on the outer loop', () => {
    const triangle = `func.func @triangle(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
    }
  }
  return
}`;
    const script = `%loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
%outer, %inner = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
transform.loop.swap_induction_vars %outer : !transform.any_op`;
    expect(apply(triangle, script).diagnostics).toContain('[swap/dependent-bounds]');
  });
});

/** Bounds by depth, and the body, without the names of constants. */
const loopsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/%c(\d+)(_\d+)?/g, '%c$1')
    .split('\n')
    .filter((line) => !line.includes('arith.constant'));
