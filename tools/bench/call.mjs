/**
 * The overhead of a call: 1x48x4x4 with 80x48x1x1 on arrays in the artifact's memory, against the exported function
 * called with addresses, against its microkernel alone, once per tile of the plan, and against arrays that are copied.
 *
 *     node tools/bench/call.mjs [--json]
 *
 * Microseconds per call, least and median of interleaved samples. Needs the packages built, and nothing installed here.
 */
import { compileConvolution } from 'sconv';
import { emitMicrokernel } from '@sconv/wasm';
import { inTurns } from '../../packages/sconv/dist/bench/in-turns.js';
import { median } from '../../packages/sconv/dist/bench/statistics.js';
import { commandLine } from '../command-line.mjs';

const { values } = commandLine('[--json]', { json: { type: 'boolean', default: false } });

const { artifact, plan } = compileConvolution({ input: [1, 48, 4, 4], filters: [80, 48, 1, 1] });
const [{ name, parameters }] = artifact.functions;
const arrays = parameters.map(({ element, length }) => artifact.allocate(element, length));
const [input, filters] = arrays;
input.fill(1);
filters.fill(2);
const bound = artifact.bind(name, { 1: filters });
const copies = arrays.map((array) => array.slice());

// The code alone, in its own memory.
const { bytes, scratchBytes } = artifact.emitted;
const pages =
  Math.ceil((scratchBytes + arrays.reduce((sum, array) => sum + array.byteLength, 0)) / 65_536) + 1;
const memory = new WebAssembly.Memory({ initial: pages });
const code = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory, scratch: 0 } }).exports[
  name
];
let next = Math.ceil(scratchBytes / 64) * 64;
const addresses = arrays.map(({ byteLength }) => {
  const address = next;
  next += Math.ceil(byteLength / 64) * 64;
  return address;
});
const { windows, filters: rows } = plan.microkernel;
const tiles = Math.ceil(16 / windows) * Math.ceil(80 / rows);
const kernel = new WebAssembly.Instance(new WebAssembly.Module(emitMicrokernel({ windows, filters: rows })), {
  env: { memory },
}).exports.microkernel;

const sides = {
  'run, in place': () => artifact.run(name, ...arrays),
  'run, filters bound': () => bound.run(arrays[0], arrays[2]),
  'run, copied': () => artifact.run(name, ...copies),
  'code alone': () => code(...addresses),
  'microkernels alone': () => {
    for (let tile = 0; tile < tiles; tile++) kernel(0, 4096, 8192, 48, 64);
  },
};
const timings = await inTurns(
  Object.values(sides).map((call) => ({ call })),
  { samples: 500, sampleSeconds: 0.001 },
);
const figures = Object.fromEntries(
  Object.keys(sides).map((key, i) => {
    const micros = timings[i].seconds.map((seconds) => 1e6 * seconds);
    return [key, { least: Math.min(...micros), median: median(micros) }];
  }),
);
if (values.json) console.log(JSON.stringify(figures));
else {
  for (const [key, { least, median: middle }] of Object.entries(figures)) {
    console.log(`${key.padEnd(19)} ${least.toFixed(2)} µs, median ${middle.toFixed(2)}`);
  }
}
