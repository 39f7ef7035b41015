// @ts-check
/**
 * Runs rows of ConvBench through the plans that `compileConvolution` makes by default, with filters as arguments and bound,
 * on an output that is overwritten (`--accumulate`: added to), and checks it all, groups and padding included.
 *
 *     node tools/integration/check-convbench.mjs FILE.csv… [--most MFLOP] [--every N] [--accumulate] [--target NAME] [--groups]
 *
 * With `--groups` only the grouped ones; the target is wasm, where no other one is named.
 *
 * All values are small integers, so that sums are exact. For random weights r, `Σ_f r[f]·output[f]` has to be the
 * convolution with the one filter `Σ_f r[f]·filters[f]`, which takes a small part of the time: a wrong output is missed only
 * if errors of several filters cancel at one pixel.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { multiplyAdds, parseCsv, printShape, shapeFromConvbench } from '@sconv/csa';
import { checkByProbe, convolutionSizes, integerData } from '@sconv/interpreter';
import { target as targetNamed } from '@sconv/targets';
import { compileConvolution, specOfShape } from 'sconv';
import { nodeBackends } from 'sconv/node';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '200' },
    every: { type: 'string', default: '1' },
    accumulate: { type: 'boolean', default: false },
    groups: { type: 'boolean', default: false },
    target: { type: 'string', default: 'wasm' },
  },
});
const mostFlop = Number(values.most) * 1e6;
const target = targetNamed(values.target);

const totals = { rows: 0, grouped: 0, large: 0, failed: 0 };
const start = performance.now();
for (const path of positionals) {
  const rows = parseCsv(readFileSync(path, 'utf8'));
  for (const [i, row] of rows.entries()) {
    if (i % Number(values.every) !== 0) continue;
    const shape = shapeFromConvbench(row);
    if (values.groups && shape.groups === 1) continue;
    if (2 * multiplyAdds(shape) > mostFlop) {
      totals.large += 1;
      continue;
    }
    totals.rows += 1;
    if (shape.groups > 1) totals.grouped += 1;
    const sizes = convolutionSizes(shape);
    const [input, filters] = [integerData(sizes.input, i + 1), integerData(sizes.filters, i + 7, 2)];
    const initial = new Float32Array(sizes.output);
    try {
      const convolution = compileConvolution({
        ...specOfShape(shape),
        // Each sum is read again where the channels are divided, and begins with nothing read before.
        accumulate: values.accumulate,
        target,
        backends: nodeBackends,
      });
      const bound = convolution.bind(filters);
      const results = [convolution.run(input, filters), bound.run(input), bound.run(input)];
      const wrong = results.map(
        (result) => checkByProbe(shape, { input, filters, initial, result }, { seed: i + 13 }).mismatches,
      );
      convolution.dispose();
      if (wrong.some((count) => count > 0))
        throw new Error(`${wrong.join(', ')} windows are wrong (argument, bound, bound again)`);
    } catch (problem) {
      totals.failed += 1;
      console.error(`${path}:${i + 2}: ${printShape(shape)}: ${problem.message}`);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${path}: ${i + 1} of ${rows.length}`);
  }
}
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(
  `${totals.rows} rows (${totals.grouped} grouped) in ${seconds} s: ${totals.failed === 0 ? 'all outputs are right' : `${totals.failed} fail`}; ` +
    `${totals.large} rows are larger than ${values.most} MFLOP`,
);
process.exitCode = totals.failed === 0 ? 0 : 1;
