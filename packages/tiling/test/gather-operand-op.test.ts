import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityMap } from '@sconv/affine';
import { arbitraryMap } from '@sconv/affine/arbitraries';
import { genericPayload, operandOver } from '@sconv/interpreter/testing';
import { replacementsOf } from '@sconv/transform/testing';
import { tileUsingForExamples } from './examples.ts';
import { gatherOperandOp } from '../src/index.ts';
import {
  apply,
  bodyWithIndices,
  bodyWithProduct,
  matchOps,
  matrix,
  printed,
  tile,
  vector,
} from './payloads.ts';

const gather = (operand: number, op = 'linalg.generic') =>
  `${matchOps(op)}\n%g = transform.structured.gather_operand %op {operand = ${operand} : i64} : (!transform.any_op) -> !transform.any_op`;

const rows = tileUsingForExamples[0]!.payload;

const onBuffers = `func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}`;

/** Reads of the input in another order than the loops, and reversed. */
const changed = { map: 'd1, -d0 + 3', type: 'tensor<6x4xf32>' };

describe('transform.structured.gather_operand', () => {
  it('reads the operand in the body', () => {
    const { text } = apply(rows, gather(0));
    expect(text).toMatchInlineSnapshot(`
      "module {
        func.func @windows(%arg0: tensor<2x56xf32>, %arg1: tensor<2x12xf32>) -> tensor<2x12xf32> {
          %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%arg1 : tensor<2x12xf32>) {
          ^bb0(%out: f32):
            %1 = linalg.index 0 : index
            %2 = linalg.index 1 : index
            %3 = affine.apply affine_map<(d0) -> ((d0 floordiv 4) * 8 + d0 mod 4)>(%2)
            %extracted = tensor.extract %arg0[%1, %3] : tensor<2x56xf32>
            linalg.yield %extracted : f32
          } -> tensor<2x12xf32>
          return %0 : tensor<2x12xf32>
        }
      }
      "
    `);
  });

  it('lets tiling leave the operand unsliced, wherever a tile starts', () => {
    const { text, diagnostics } = apply(rows, `${gather(0)}\n${tile([0, 3], [], '%g')}`);
    expect(diagnostics).toBe('');
    expect(text).not.toContain('extract_slice %arg0');
    expect(text).toContain('affine_map<(d0, d1) -> (((d0 + d1) floordiv 4) * 8 + (d0 + d1) mod 4)>');
  });

  it('keeps what is computed, in tiles of every size', () => {
    const maps = arbitraryMap({ numDims: 2, numSymbols: 0, maxDepth: 3, maxConstant: 5 });
    const sizes = fc.tuple(fc.constantFrom(0, 1, 2, 4), fc.constantFrom(0, 1, 2, 3, 6));
    fc.assert(
      fc.property(maps, sizes, (map, tileSizes) => {
        const payload = genericPayload({
          iterators: ['parallel', 'parallel'],
          inputs: [operandOver(map, [4, 6])],
          outputs: [operandOver(identityMap(2), [4, 6])],
        });
        expect(apply(payload, `${gather(0)}\n${tile(tileSizes, [], '%g')}`).status).toBe('success');
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['the first of several inputs', 0, { inputs: [changed, { map: 'd0, d1', type: 'tensor<4x6xf32>' }] }],
    ['the last of several inputs', 1, { inputs: [{ map: 'd0, d1', type: 'tensor<4x6xf32>' }, changed] }],
    ['an input beside a scalar', 1, { inputs: [{ map: '', type: 'f32' }, changed] }],
    ['an input of rank 0', 0, { inputs: [{ map: '', type: 'tensor<f32>' }] }],
    ['a constant index', 0, { inputs: [{ map: 'd0, 2', type: 'tensor<4x3xf32>' }] }],
    ['beside indices of the body', 0, { inputs: [changed], body: bodyWithIndices }],
    ['beside a product of indices', 0, { inputs: [changed], body: bodyWithProduct }],
    [
      'several results',
      0,
      { inputs: [changed], outputs: [0, 1].map(() => ({ map: 'd0, d1', type: 'tensor<4x6xf32>' })) },
    ],
    ['an input that the body does not use', 0, { inputs: [changed], body: 'linalg.yield %y0 : f32' }],
    [
      'an input that a nested region uses',
      0,
      {
        inputs: [changed],
        body: `%zero = arith.constant 0.0 : f32
%c = arith.cmpf olt, %y0, %zero : f32
%s = scf.if %c -> (f32) {
  scf.yield %x0 : f32
} else {
  scf.yield %y0 : f32
}
linalg.yield %s : f32`,
      },
    ],
  ] as const)('keeps what is computed: %s', (_, operand, changes) => {
    const { text, diagnostics } = apply(matrix(changes), gather(operand));
    expect(diagnostics).toBe('');
    expect(text.match(/tensor\.extract /g)).toHaveLength(1);
  });

  it('reads a tensor of dynamic size', () => {
    expect(apply(vector('d0', 'tensor<?xf32>'), gather(0))).toMatchObject({
      status: 'success',
      diagnostics: '',
    });
  });

  it('creates the indices that the map uses, and no others', () => {
    const indices = (map: string, type: string) =>
      [...apply(matrix({ inputs: [{ map, type }] }), gather(0)).text.matchAll(/linalg\.index (\d)/g)].map(
        ([, d]) => d,
      );
    expect(indices('d1', 'tensor<6xf32>')).toEqual(['1']);
    expect(indices('d0 + d1, d0', 'tensor<9x4xf32>')).toEqual(['0', '1']);
    expect(indices('2', 'tensor<3xf32>')).toEqual([]);
  });

  it('keeps what somebody noted on the op', () => {
    expect(apply(matrix({ attributes: '{tag = "keep"}' }), gather(0)).text).toContain(
      'attrs =  {tag = "keep"}',
    );
  });

  it('says that the op that gathers stands for the op', () => {
    const gathering = replacementsOf(matrix(), 'linalg.generic', (rewriter, operation) =>
      gatherOperandOp(rewriter, operation, 0),
    );
    expect(gathering.map(({ name, operands }) => [name, operands.length])).toEqual([['linalg.generic', 1]]);
  });

  it('gives handles to the ops that gather, and nothing else', () => {
    const script = `${gather(0)}\n%again = transform.structured.gather_operand %g {operand = 0 : i64} : (!transform.any_op) -> !transform.any_op`;
    const two = matrix({ inputs: [changed, changed] });
    const { text, diagnostics } = apply(`${two}${two.replace('@f', '@g')}`, script);
    expect(diagnostics).toBe('');
    expect(text.match(/tensor\.extract /g)).toHaveLength(4);
  });

  it.each([
    ['no-operand', gather(1), rows, 'the op has no tensor input 1'],
    ['no-operand', gather(-1), rows, 'the op has no tensor input -1'],
    ['no-operand', gather(0), vector('', 'f32'), 'the op has no tensor input 0'],
    ['no-operand', gather(0), onBuffers, 'the op has no tensor input 0'],
    ['not-generic', gather(0, 'func.func'), rows, "expected a linalg.generic, got 'func.func'"],
    [
      'loop-range',
      gather(0),
      genericPayload({
        iterators: ['reduction'],
        inputs: [{ map: 'd0', type: 'tensor<8xf32>' }],
        outputs: [{ map: '', type: 'tensor<f32>' }],
      }),
      'known only from input 0',
    ],
    [
      'loop-range',
      gather(1),
      matrix({
        inputs: [
          { map: 'd0 + d1', type: 'tensor<9xf32>' },
          { map: 'd0, d1', type: 'tensor<4x6xf32>' },
        ],
        iterators: ['parallel', 'reduction'],
        outputs: [{ map: 'd0', type: 'tensor<4xf32>' }],
      }),
      'known only from input 1',
    ],
  ])('refuses %s: %#', (code, script, payload, message) => {
    const { status, diagnostics } = apply(payload, script);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`[gather/${code}]`);
    expect(diagnostics).toContain(message);
  });

  it.each(['{operand = 0 : i64}', '{operand = 3 : i64, tag}'])(
    'is printed as it is read: %s',
    (attributes) => {
      const line = `%0 = transform.structured.gather_operand %root ${attributes} : (!transform.any_op) -> !transform.op<"linalg.generic">`;
      expect(printed(line)).toEqual([line]);
    },
  );
});
