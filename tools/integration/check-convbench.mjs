// @ts-check
/**
 * Runs rows of ConvBench through the plans that `compileConvolution` makes by default, with filters as arguments and bound,
 * on an output that is overwritten (`--accumulate`: added to), and checks it all.
 *
 *     node tools/integration/check-convbench.mjs FILE.csv… [--most MFLOP] [--every N] [--accumulate] [--relaxed]
 *
 * All values are small integers, so that sums are exact. For random weights r, `Σ_f r[f]·output[f]` has to be the
 * convolution with the one filter `Σ_f r[f]·filters[f]`, which takes a small part of the time: a wrong output is missed only
 * if errors of several filters cancel at one pixel.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compileConvolution } from 'sconv';
import { parseCsv, shapeFromConvbench } from '@sconv/csa';
import { wasm, wasmRelaxed } from '@sconv/targets';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '200' },
    every: { type: 'string', default: '1' },
    accumulate: { type: 'boolean', default: false },
    relaxed: { type: 'boolean', default: false },
  },
});
const mostFlop = Number(values.most) * 1e6;

/** Integers from -range to range, the same in every run. */
const integers = (length, range, seed) => {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state % (2 * range + 1)) - range;
  });
};

/** The convolution with the filters joined by weights, in doubles. */
const joined = (shape, input, filters, weights) => {
  const { batch, inputChannels, inputHeight, inputWidth, filterHeight, filterWidth } = shape;
  const { outputHeight, outputWidth, strides, dilations } = shape;
  const size = inputChannels * filterHeight * filterWidth;
  const filter = new Float64Array(size);
  weights.forEach((weight, f) => {
    for (let i = 0; i < size; i += 1) filter[i] += weight * filters[f * size + i];
  });
  const output = new Float64Array(batch * outputHeight * outputWidth);
  for (let n = 0; n < batch; n += 1) {
    for (let i = 0; i < size; i += 1) {
      const weight = filter[i];
      const [x, row] = [i % filterWidth, Math.floor(i / filterWidth)];
      const [y, c] = [row % filterHeight, Math.floor(row / filterHeight)];
      const plane = (n * inputChannels + c) * inputHeight;
      for (let oy = 0; oy < outputHeight; oy += 1) {
        let from = (plane + oy * strides.h + y * dilations.h) * inputWidth + x * dilations.w;
        const to = (n * outputHeight + oy) * outputWidth;
        for (let ox = 0; ox < outputWidth; ox += 1, from += strides.w)
          output[to + ox] += weight * input[from];
      }
    }
  }
  return output;
};

/** How many pixels of a result are wrong. */
const wrongPixels = ({ batch, filters, outputHeight, outputWidth }, result, weights, expected) => {
  const pixels = outputHeight * outputWidth;
  let wrong = 0;
  for (let n = 0; n < batch; n += 1) {
    const sums = new Float64Array(pixels);
    for (let f = 0; f < filters; f += 1) {
      const from = (n * filters + f) * pixels;
      for (let p = 0; p < pixels; p += 1) sums[p] += weights[f] * result[from + p];
    }
    for (let p = 0; p < pixels; p += 1) if (sums[p] !== expected[n * pixels + p]) wrong += 1;
  }
  return wrong;
};

const totals = { rows: 0, large: 0, failed: 0 };
const start = performance.now();
for (const path of positionals) {
  const rows = parseCsv(readFileSync(path, 'utf8'));
  for (const [i, row] of rows.entries()) {
    if (i % Number(values.every) !== 0) continue;
    const shape = shapeFromConvbench(row);
    const { batch, inputChannels, filters, filterHeight, filterWidth, outputHeight, outputWidth, groups } =
      shape;
    const steps = (inputChannels / groups) * filterHeight * filterWidth;
    if (2 * batch * filters * outputHeight * outputWidth * steps > mostFlop) {
      totals.large += 1;
      continue;
    }
    if (groups !== 1) continue;
    totals.rows += 1;
    // Zeros around the input are the caller's business here.
    const { top, bottom, left, right } = shape.padding;
    const padded = {
      ...shape,
      inputHeight: shape.inputHeight + top + bottom,
      inputWidth: shape.inputWidth + left + right,
    };
    const input = integers(batch * inputChannels * padded.inputHeight * padded.inputWidth, 4, i + 1);
    const weightsOf = integers(filters * steps, 2, i + 7);
    const random = Float64Array.from(integers(filters, 500, i + 13));
    const convolution = compileConvolution({
      input: [batch, inputChannels, padded.inputHeight, padded.inputWidth],
      filters: [filters, inputChannels, filterHeight, filterWidth],
      strides: [shape.strides.h, shape.strides.w],
      dilations: [shape.dilations.h, shape.dilations.w],
      // Each sum is read again where the channels are divided, and begins with nothing read before.
      accumulate: values.accumulate,
      target: values.relaxed ? wasmRelaxed : wasm,
    });
    const expected = joined(padded, input, weightsOf, random);
    const bound = convolution.bind(weightsOf);
    const results = [convolution.run(input, weightsOf), bound.run(input), bound.run(input)];
    const wrong = results.map((result) => wrongPixels(padded, result, random, expected));
    convolution.dispose();
    if (wrong.some((count) => count > 0)) {
      totals.failed += 1;
      console.error(`${path}:${i + 2}: ${wrong.join(', ')} pixels are wrong (argument, bound, bound again)`);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${path}: ${i + 1} of ${rows.length}`);
  }
}
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(
  `${totals.rows} rows in ${seconds} s: ${totals.failed === 0 ? 'all outputs are right' : `${totals.failed} fail`}; ` +
    `${totals.large} rows are larger than ${values.most} MFLOP`,
);
process.exitCode = totals.failed === 0 ? 0 : 1;
