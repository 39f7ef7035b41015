/** A `linalg.generic` over three loops of 3, 4 and 5 iterations, whose first operand has an arbitrary map. */
import fc from 'fast-check';

/** All iterations, in order. */
export const points = Array.from({ length: 60 }, (_, n) => [
  Math.floor(n / 20),
  Math.floor(n / 5) % 4,
  n % 5,
]);

/** `@f`: a body over an element of `%a` by the map, one of `%b`, and the running sum in `%c`; it defines `%r`. */
export const generic = (map: string, inputSize: number, body: string): string => `
  func.func @f(%a: tensor<${inputSize}xf32>, %b: tensor<3x4x5xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = linalg.generic {
      indexing_maps = [affine_map<${map}>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]
    } ins(%a, %b : tensor<${inputSize}xf32>, tensor<3x4x5xf32>) outs(%c : tensor<3x4xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      ${body}
      linalg.yield %r : f32
    } -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }`;

/** An accumulated product, which the interpreter recognizes (`multiply-add.ts`). */
export const shortBody = '%p = arith.mulf %x, %y : f32\n%r = arith.addf %s, %p : f32';
/** The same value by operations that it does not recognize. */
export const longBody =
  '%p = arith.mulf %x, %y : f32\n%z = arith.negf %p : f32\n%r = arith.subf %s, %z : f32';

const factor = fc.integer({ min: 0, max: 3 });
const term = fc.oneof(
  fc
    .tuple(fc.constantFrom('i', 'j', 'k', '(i + j)', '(j * 2 + k)', '(i * 4 + j)'), factor)
    .map(([v, f]) => `${v} * ${f}`),
  fc
    .tuple(
      fc.constantFrom('i', 'j', 'k', '(i + k)', '(j * 2 + k)', '(i * 4 + j + 1)'),
      fc.constantFrom('floordiv', 'mod', 'ceildiv'),
      fc.integer({ min: 1, max: 5 }),
      factor,
    )
    .map(([v, op, d, f]) => `(${v} ${op} ${d}) * ${f}`),
);
/** Sums of multiples, quotients and remainders of the three loop variables, never negative. */
export const expression = fc
  .array(term, { minLength: 1, maxLength: 3 })
  .map((terms) => [...terms, '1'].join(' + '));
