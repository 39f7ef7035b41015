/**
 * Lines that make `%e` another name of `%m`, a `memref<8xf32>`, or maybe one: `%q` is another buffer, `%c` an `i1`, `%c0` to
 * `%c4` are indices.
 */
const type = 'memref<8xf32>';

export const aliases: readonly (readonly [name: string, line: string])[] = [
  ['a view', `%e = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : ${type} to ${type}`],
  [
    'a reshaped view',
    `%e0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : ${type} into memref<2x4xf32>
  %e = memref.collapse_shape %e0 [[0, 1]] : memref<2x4xf32> into ${type}`,
  ],
  ['a choice', `%e = arith.select %c, %m, %q : ${type}`],
  ['a branch', `%e = scf.if %c -> ${type} { scf.yield %m : ${type} } else { scf.yield %q : ${type} }`],
  [
    'a loop',
    `%e = scf.for %z = %c0 to %c4 step %c1 iter_args(%g = %q) -> ${type} { scf.yield %m : ${type} }`,
  ],
  ['an argument', `%e = memref.cast %q : ${type} to ${type}`],
];
