import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptTester } from '@sconv/transform/testing';
import { affineMap, evaluate } from '@sconv/affine';
import { operandWindow, splitOp } from '../src/index.ts';

const apply = scriptTester([splitOp]);

const copy = (
  body = 'linalg.yield %x : f32',
) => `func.func @copy(%in: tensor<2x6xf32>, %out: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<2x6xf32>) outs(%out : tensor<2x6xf32>) {
  ^bb0(%x: f32, %old: f32):
    ${body}
  } -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}`;

/** Four elements of a vector, read through a map. */
const vector = (
  map: string,
  type: string,
) => `func.func @read(%in: ${type}, %out: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (${map})>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%in : ${type}) outs(%out : tensor<4xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`;

const splitAt = (at: number, dimension = 1, op = 'linalg.generic') =>
  `%op = transform.structured.match ops{["${op}"]} in %root : (!transform.any_op) -> !transform.any_op
%low, %high = transform.structured.split %op after ${at} {dimension = ${dimension}} : !transform.any_op`;

describe('transform.structured.split', () => {
  it('slices what each part touches and puts the results back', () => {
    expect(apply(copy(), splitAt(4)).text).toMatchInlineSnapshot(`
      "module {
        func.func @copy(%arg0: tensor<2x6xf32>, %arg1: tensor<2x6xf32>) -> tensor<2x6xf32> {
          %extracted_slice = tensor.extract_slice %arg0[0, 0] [2, 4] [1, 1] : tensor<2x6xf32> to tensor<2x4xf32>
          %extracted_slice_0 = tensor.extract_slice %arg1[0, 0] [2, 4] [1, 1] : tensor<2x6xf32> to tensor<2x4xf32>
          %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<2x4xf32>) outs(%extracted_slice_0 : tensor<2x4xf32>) {
          ^bb0(%in: f32, %out: f32):
            linalg.yield %in : f32
          } -> tensor<2x4xf32>
          %inserted_slice = tensor.insert_slice %0 into %arg1[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x6xf32>
          %extracted_slice_1 = tensor.extract_slice %arg0[0, 4] [2, 2] [1, 1] : tensor<2x6xf32> to tensor<2x2xf32>
          %extracted_slice_2 = tensor.extract_slice %inserted_slice[0, 4] [2, 2] [1, 1] : tensor<2x6xf32> to tensor<2x2xf32>
          %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_1 : tensor<2x2xf32>) outs(%extracted_slice_2 : tensor<2x2xf32>) {
          ^bb0(%in: f32, %out: f32):
            linalg.yield %in : f32
          } -> tensor<2x2xf32>
          %inserted_slice_3 = tensor.insert_slice %1 into %inserted_slice[0, 4] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x6xf32>
          return %inserted_slice_3 : tensor<2x6xf32>
        }
      }
      "
    `);
  });

  it('rebases a floordiv/mod map at a cut off a row start, and slices exactly', () => {
    const rows = copy()
      .replace(
        'affine_map<(d0, d1) -> (d0, d1)>,',
        'affine_map<(d0, d1) -> (d0, (d1 floordiv 3) * 8 + d1 mod 3)>,',
      )
      .replace('%in: tensor<2x6xf32>', '%in: tensor<2x11xf32>')
      .replace('ins(%in : tensor<2x6xf32>)', 'ins(%in : tensor<2x11xf32>)');
    const { text } = apply(rows, splitAt(4));
    expect(text).toContain('tensor.extract_slice %arg0[0, 0] [2, 9] [1, 1]');
    expect(text).toContain('tensor.extract_slice %arg0[0, 9] [2, 2] [1, 1]');
    expect(text).toContain('(d0, ((d1 + 4) floordiv 3) * 8 + (d1 + 4) mod 3 - 9)');
  });

  it('keeps what somebody noted on the op in both parts', () => {
    const tagged = copy().replace('outs(%out : tensor<2x6xf32>)', '$& attrs = {tag = "keep"}');
    expect(apply(tagged, splitAt(4)).text.match(/tag = "keep"/g)).toHaveLength(2);
  });

  it.each([
    ['dimension-overflow', copy(), splitAt(1, 2), 'dimension 2 does not exist in an op of 2 loops'],
    ['point-outside', copy(), splitAt(6), 'split point 6 is not inside dimension 1 of extent 6'],
    ['point-outside', copy(), splitAt(0), 'split point 0 is not inside'],
    ['not-generic', copy(), splitAt(1, 0, 'func.func'), "expected a linalg.generic, got 'func.func'"],
    ['index', copy('%i = linalg.index 1 : index linalg.yield %x : f32'), splitAt(2), 'linalg.index 1'],
    ['dynamic', copy().replaceAll('tensor<2x6xf32>', 'tensor<2x?xf32>'), splitAt(2), 'static tensor type'],
    ['dynamic', vector('d0 * 2', 'tensor<?xf32>'), splitAt(2, 0), 'static tensor type'],
    ['arithmetic', vector('(d0 * 4503599627370496) mod 3', 'tensor<3xf32>'), splitAt(2, 0), '(2^53)'],
    [
      'out-of-bounds',
      vector('d0 mod 3 * 3', 'tensor<4xf32>'),
      splitAt(2, 0),
      'operand 0 is indexed outside of',
    ],
  ])('refuses %s', (code, payload, script, message) => {
    const { status, diagnostics } = apply(payload, script);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`[split/${code}]`);
    expect(diagnostics).toContain(message);
    expect(diagnostics).toContain('payload.mlir');
  });
});

describe('operandWindow', () => {
  it('takes exactly what is touched, and indexes the part where the map indexed the whole', () => {
    const maps = [
      affineMap('(d0, d1) -> (d0, (d1 floordiv 7) * 20 + (d1 mod 7) * 2)'),
      affineMap('(d0, d1) -> (d1 * 3 + d0)'),
      affineMap('(d0, d1) -> (d1, d0)'),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...maps),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 30 }),
        (map, start, size) => {
          const shape = map.results.map(() => 1000);
          const window = operandWindow(map, shape, [4, 100], 1, start, size)!;
          const touched = map.results.map(() => new Set<number>());
          for (let i = 0; i < 4; i += 1) {
            for (let j = 0; j < size; j += 1) {
              const whole = evaluate(map, [i, start + j]);
              const part = evaluate(window.map, [i, j]);
              whole.forEach((value, k) => {
                expect(window.offsets[k]! + part[k]!).toBe(value);
                expect(part[k]).toBeLessThan(window.sizes[k]!);
                touched[k]!.add(part[k]!);
              });
            }
          }
          // Along the split dimension nothing is sliced that is not needed.
          map.results.forEach((_, k) => {
            if (window.sizes[k] === shape[k]) return;
            expect(touched[k]!.has(0) && touched[k]!.has(window.sizes[k]! - 1)).toBe(true);
          });
        },
      ),
    );
  });
});
