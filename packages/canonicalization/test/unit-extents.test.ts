/** `transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes` and `…_via_slices`. */
import { firstDifference, genericPayload } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

/** Also checks that each payload computes the same afterwards. */
const apply = scriptTester(transforms, { difference: firstDifference, attachments: patternSets });
const any = '!transform.any_op';
const fold = (by: string): string =>
  `%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
transform.apply_patterns to %f { transform.apply_patterns.linalg.fold_unit_extent_dims_via_${by} } : ${any}`;

describe.each(['reshapes', 'slices'])('via %s', (by) => {
  it('keep what any op computes', () => {
    let dropped = 0;
    const dimensions = fc.subarray([0, 1, 2], { minLength: 0 });
    fc.assert(
      fc.property(
        fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(1, 1, 2, 3, 0))),
        fc.array(dimensions, { minLength: 0, maxLength: 2 }),
        fc.array(dimensions, { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        (sizes, inputs, outputs, isDynamic) => {
          const operand = (used: readonly number[], mayBeDynamic: boolean) => ({
            map: used.map((position) => `d${position}`).join(', '),
            type: `tensor<${used.map((position) => `${mayBeDynamic && sizes[position] === 2 ? '?' : sizes[position]}x`).join('')}f32>`,
          });
          const payload = genericPayload({
            iterators: [0, 1, 2].map((position) =>
              outputs.every((used) => used.includes(position)) ? 'parallel' : 'reduction',
            ),
            inputs: [operand([0, 1, 2], isDynamic), ...inputs.map((used) => operand(used, isDynamic))],
            outputs: outputs.map((used) => operand(used, isDynamic)),
          });
          const { text, diagnostics } = apply(payload, fold(by));
          expect(diagnostics).toBe('');
          if (sizes.includes(1)) {
            dropped += 1;
            expect(text).not.toMatch(/iterator_types = \["\w+", "\w+", "\w+"\]/);
          }
        },
      ),
      { seed: 1, numRuns: 60 },
    );
    expect(dropped).toBeGreaterThan(20);
  });

  it.each([
    ['a buffer with strides', 'memref<1x4xf32, strided<[9, 2]>>'],
    ['a tensor with an encoding', 'tensor<1x4xf32, 7 : i32>'],
  ])('leave %s, but not the iterations', (_, type) => {
    const result = type.startsWith('tensor') ? type : undefined;
    const payload = `func.func @f(%a: ${type}, %b: ${type}) ${result === undefined ? '' : `-> ${result}`} {
  ${result === undefined ? '' : '%0 ='} linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : ${type}) outs(%b : ${type}) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.addf %x, %y : f32
    linalg.yield %1 : f32
  } ${result === undefined ? '' : `-> ${result}`}
  return ${result === undefined ? '' : `%0 : ${result}`}
}`;
    const { text } = scriptTester(transforms, { attachments: patternSets })(payload, fold(by));
    expect(text).toContain('affine_map<(d0) -> (0, d0)>');
    expect(text).toContain(`ins(%arg0 : ${type})`);
  });
});
