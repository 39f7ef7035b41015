/** Schemes of spaces compute their contractions, wherever combinations stand and operands are packed. */
import { expect, it } from 'vitest';
import { contractionOf, parseShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { integerData, randomIntegers } from '@sconv/interpreter';
import { parseScheme, printScheme, schemePlanner } from '@sconv/schemes';
import { schemeSpace } from '@sconv/spaces';
import { compileModuleSync } from 'sconv';
import { parse } from './support/stages.ts';

const [size, channels, filters, taps] = [7, 3, 8, 2];
const side = size + taps - 1;
const input = `tensor<1x${side}x${side}x${channels}xf32>`;
const weights = `tensor<${taps}x${taps}x${channels}x${filters}xf32>`;
const output = `tensor<1x${size}x${size}x${filters}xf32>`;
const payload = `func.func @conv(%input: ${input}, %filters: ${weights}, %output: ${output}) -> ${output} {
  %result = linalg.conv_2d_nhwc_hwcf ins(%input, %filters : ${input}, ${weights})
    outs(%output : ${output}) -> ${output}
  return %result : ${output}
}`;

const data = [
  integerData(side * side * channels, 1),
  integerData(taps * taps * channels * filters, 2),
] as const;

const expected = new Float32Array(size * size * filters).map((_, at) => {
  const [row, column, filter] = [
    Math.floor(at / filters / size),
    Math.floor(at / filters) % size,
    at % filters,
  ];
  let sum = 0;
  for (let r = 0; r < taps; r += 1)
    for (let s = 0; s < taps; s += 1)
      for (let c = 0; c < channels; c += 1)
        sum +=
          data[0][((row + r) * side + column + s) * channels + c]! *
          data[1][((r * taps + s) * channels + c) * filters + filter]!;
  return sum;
});

const contraction = contractionOf(
  parseShape(`1x${channels}x${side}x${side},${filters}x${channels}x${taps}x${taps}`),
  {
    input: 'nhwgc',
    filters: 'ghwcf',
    output: 'nhwgf',
  },
);

const space = schemeSpace(contraction, {
  lanes: 4,
  source: 'a test',
  classes: [{ unroll: { channels: 1, tapRows: 1, tapColumns: 1 }, vectors: 1, heights: [1, 2, 3] }],
});

const next = randomIntegers(34);
const drawn = space.sample(() => next() / 2 ** 32, 8).map((scheme) => printScheme(scheme));

it.each([
  // A part that runs once, and packs what the loop around its combination does not move.
  '[T(w,7), T(k,2), lambda(h; b; [(2,2),(1,3)]), P(input), T(c,3), T(r,2), T(s,2), U(h,b), V(k,4)]',
  ...drawn,
])('%s', (text) => {
  const scheme = unwrap(parseScheme(text));
  const compiled = unwrap(
    compileModuleSync(parse(payload, 'payload.mlir'), { planner: schemePlanner(scheme) }),
  );
  const result = new Float32Array(expected.length);
  compiled.run('conv', ...data, result);
  expect(result).toEqual(expected);
});
