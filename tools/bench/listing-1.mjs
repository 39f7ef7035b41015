/**
 * Listing 1 of the SConvTransform paper (1x32x152x152 with 256x32x3x3, stride 2) on WebAssembly: ours against
 * onnxruntime-web, one thread, SIMD. Filters are arguments on both sides, so their packing is timed.
 *
 *     node tools/bench/listing-1.mjs [--json]
 *
 * Ours is what `sconv run` makes: planned for the wasm target, scheduled, bufferized, compiled. Needs `npm ci` here, and
 * the packages built.
 */
import { compileConvolution } from 'sconv';
import { alternate, median } from './measure.mjs';
import { onnxruntimeWeb } from './peers.mjs';

const shape = {
  input: [1, 32, 152, 152],
  filter: [256, 32, 3, 3],
  output: [1, 256, 75, 75],
  strides: [2, 2],
  dilations: [1, 1],
};
const size = (dimensions) => dimensions.reduce((product, n) => product * n, 1);
const flop = 2 * size(shape.output) * size(shape.filter.slice(1));
const json = process.argv.includes('--json');

const { artifact } = compileConvolution({
  input: shape.input,
  filters: shape.filter,
  strides: shape.strides,
});
const [{ name, parameters }] = artifact.functions;
const [input, filter, output] = parameters.map(({ element, length }) => artifact.allocate(element, length));

// Small integers, whose sums are exact: both sides must agree to the last bit.
const pseudoRandom = (_, i) => (((i * 2654435761) >>> 13) % 9) - 4;
input.set(Float32Array.from({ length: input.length }, pseudoRandom));
filter.set(Float32Array.from({ length: filter.length }, pseudoRandom));

const peer = await onnxruntimeWeb(shape, input.slice(), filter.slice());
const expected = await peer();
output.fill(0);
artifact.run(name, input, filter, output);
const mismatches = expected.reduce((count, value, i) => count + (value === output[i] ? 0 : 1), 0);

const times = await alternate({
  sconv: () => artifact.run(name, input, filter, output),
  onnxruntimeWeb: peer,
});
const seconds = Object.fromEntries(Object.entries(times).map(([key, list]) => [key, median(list) / 1000]));
const ratio = seconds.onnxruntimeWeb / seconds.sconv;

if (json) console.log(JSON.stringify({ ratio, mismatches, seconds, times }));
else {
  for (const [key, time] of Object.entries(seconds)) {
    const [low, high] = [Math.min(...times[key]), Math.max(...times[key])].map((ms) => ms.toFixed(1));
    const speed = (flop / time / 1e9).toFixed(1);
    console.log(`${key.padEnd(15)} ${(time * 1000).toFixed(1)} ms (${low} to ${high}), ${speed} GFLOP/s`);
  }
  console.log(`mismatches      ${mismatches}`);
  console.log(`ratio           ${ratio.toFixed(2)} (speed of sconv / speed of onnxruntime-web)`);
}
process.exitCode = mismatches === 0 ? 0 : 1;
