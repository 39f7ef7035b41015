/**
 * TT's Figure 3: products with J = K = 128 and I from 8 to 49, computed by a combination of two kernels of the target's family,
 * by the largest kernel and a partial one, by the largest on rows padded for free, and by OpenBLAS where
 * `native/build.mjs` has found it. What is timed repeats the product in its own code: calls would take as long.
 *
 *     node tools/bench/figure-3.mjs [--target avx2] [--samples 15] [--svg FILE] [--json]
 *
 * GFLOP/s of processor time, medians of interleaved samples; a table in Markdown. Needs the packages built.
 */
import { writeFileSync } from 'node:fs';
import { box, colours, document, line, polyline, text } from '@sconv/csa/svg';
import { success, unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { kernelFamily, kernelShares, target as targetNamed } from '@sconv/targets';
import { compileModule, defaultRegistry } from 'sconv';
import { nodeBackends } from 'sconv/node';
import { clocks } from '../../packages/sconv/dist/bench/clock.js';
import { inTurns } from '../../packages/sconv/dist/bench/in-turns.js';
import { arithmeticPeak } from '../../packages/sconv/dist/bench/machine-loops.js';
import { nativePeak } from '../../packages/sconv/dist/bench/native-peak.js';
import { median } from '../../packages/sconv/dist/bench/statistics.js';
import { commandLine } from '../command-line.mjs';

const { values } = commandLine('[--target NAME] [--samples N] [--svg FILE] [--json]', {
  target: { type: 'string', default: 'wasm' },
  samples: { type: 'string', default: '15' },
  svg: { type: 'string' },
  json: { type: 'boolean', default: false },
});

const target = targetNamed(values.target);
const isWasm = target.machine.isa === 'wasm32';
const [j, k] = [128, 128];
const rows = Array.from({ length: 42 }, (_, at) => at + 8);

/** The classes without taps whose vectors divide J, with the heights kept, and the shares of all heights. */
const { lanes, grids } = kernelShares(target);
const classes = kernelFamily(target)
  .classes.filter(
    ({ unroll, vectors }) => unroll.tapRows * unroll.tapColumns === 1 && j % (vectors * lanes) === 0,
  )
  .map((each) => ({
    ...each,
    shares: grids.find(({ unroll }) => unroll === each.unroll).shares[each.vectors - 1],
  }));
/** Time of kernels of these heights, in that of a row of the best one. */
const costOf = ({ shares, heights }) => heights.reduce((sum, height) => sum + height / shares[height - 1], 0);

/** All heights of `a * h1 + b * h2` that are `total`. */
const combinations = (total, heights) =>
  heights.flatMap((h1) =>
    heights.flatMap((h2) => {
      if (h2 > h1 || (h2 === h1 && total % h1 !== 0)) return [];
      const found = [];
      for (let b = h2 === h1 ? 0 : 1; b * h2 <= total; b += 1) {
        if ((total - b * h2) % h1 !== 0) continue;
        const a = (total - b * h2) / h1;
        found.push([...Array(a).fill(h1), ...Array(b).fill(h2)]);
        if (h2 === h1) break;
      }
      return found;
    }),
  );

const cheapest = (choices) => choices.reduce((best, each) => (costOf(each) < costOf(best) ? each : best));

/** The cheapest of two kept heights of a class; where none add up, of any two. */
const combination = (total) => {
  const of = (heightsOf) =>
    classes.flatMap((each) => combinations(total, heightsOf(each)).map((heights) => ({ ...each, heights })));
  const kept = of(({ heights }) => heights);
  return cheapest(kept.length > 0 ? kept : of(({ shares }) => shares.map((_, at) => at + 1)));
};

/** The single kernel: the largest among those that are nearly the best. */
const nearlyBest = 0.97;
const best = Math.max(
  ...classes.flatMap(({ shares, heights }) => heights.map((height) => shares[height - 1])),
);
const single = classes
  .flatMap((each) => each.heights.map((height) => ({ ...each, height })))
  .filter(({ shares, height }) => shares[height - 1] >= nearlyBest * best)
  .reduce((largest, each) =>
    each.vectors * each.height > largest.vectors * largest.height ? each : largest,
  );

const partial = (total) => {
  const whole = Array(Math.floor(total / single.height)).fill(single.height);
  const rest = total % single.height;
  return { ...single, heights: rest === 0 ? whole : [...whole, rest] };
};

const padded = (total) => ({
  ...single,
  heights: Array(Math.ceil(total / single.height)).fill(single.height),
});

/** Rows are filters, and columns windows: B is read in vectors, A's elements are broadcast. */
const planOf = ({ unroll, vectors, heights }) => {
  const width = vectors * lanes;
  const runs = [];
  for (const height of heights) {
    if (runs.at(-1)?.height === height) runs.at(-1).count += 1;
    else runs.push({ height, count: 1 });
  }
  const leaf = (filters) => ({
    kind: 'kernel',
    lanes: 'windows',
    extents: { batch: 1, group: 1, channels: k, windows: width, filters },
    unroll: { channels: unroll.channels },
    tiles: [{ firstWindow: 0, windows: width, firstFilter: 0, filters }],
  });
  const run = ({ height, count }) =>
    count === 1
      ? leaf(height)
      : { kind: 'loop', dimension: 'filters', step: height, count, body: leaf(height) };
  const body =
    runs.length === 1
      ? run(runs[0])
      : {
          kind: 'split',
          dimension: 'filters',
          parts: runs.map((each) => ({ size: each.height * each.count, body: run(each) })),
        };
  return { kind: 'loop', dimension: 'windows', step: width, count: j / width, body };
};

const payload = (
  i,
) => `func.func @product${i}(%a: tensor<${i}x${k}xf32>, %b: tensor<${k}x${j}xf32>, %c: tensor<${i}x${j}xf32>,
    %times: index) -> tensor<${i}x${j}xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sums = scf.for %t = %zero to %times step %one iter_args(%before = %c) -> (tensor<${i}x${j}xf32>) {
    %after = linalg.matmul ins(%a, %b : tensor<${i}x${k}xf32>, tensor<${k}x${j}xf32>)
      outs(%before : tensor<${i}x${j}xf32>) -> tensor<${i}x${j}xf32>
    scf.yield %after : tensor<${i}x${j}xf32>
  }
  return %sums : tensor<${i}x${j}xf32>
}`;

/** So many products in a call. */
const timesOf = (i) => Math.ceil(1e6 / (i * j * k));

/** The products of all rows by one scheme, compiled together. */
const compiledSides = async (choose) => {
  const sizeOf = ({ heights }) => heights.reduce((sum, height) => sum + height, 0);
  const choices = new Map(rows.map((i) => [sizeOf(choose(i)), choose(i)]));
  const text = [...choices.keys()].map(payload).join('\n');
  const compiled = unwrap(
    await compileModule(unwrap(parseModule(text, { registry: defaultRegistry })), {
      target,
      backends: nodeBackends,
      planner: ({ dimensions }) => {
        const { extent } = dimensions.find(({ name }) => name === 'filters');
        return success({ tree: planOf(choices.get(extent)) });
      },
    }),
  );
  const arraysOf = new Map(
    [...choices.keys()].map((i) => [
      i,
      [i * k, k * j, i * j].map((length) => compiled.allocate('f32', length)),
    ]),
  );
  return (total) => {
    const i = sizeOf(choose(total));
    const arrays = arraysOf.get(i).map((array) => array.fill(1));
    const times = timesOf(total);
    const call = () => compiled.run(`product${i}`, ...arrays, isWasm ? times : BigInt(times));
    call();
    if (!arrays[2].every((sum) => sum === 1 + times * k)) throw new Error(`wrong sums of ${i} rows`);
    return { call, flop: 2 * total * j * k * times };
  };
};

const openblasSide = async () => {
  const { loadRepeatedProduct } = await import('./native/peers.mjs');
  const repeat = loadRepeatedProduct(target.machine.vector.bits);
  return (i) => {
    const [a, b, c] = [i * k, k * j, i * j].map((length) => new Float32Array(length).fill(1));
    const times = timesOf(i);
    return { call: () => repeat(times, i, j, k, a, b, c), flop: 2 * i * j * k * times };
  };
};

const schemes = { combination, 'partial tile': partial, padded };
const openblas = isWasm ? undefined : await openblasSide().catch(() => undefined);
const names = [...Object.keys(schemes), ...(openblas === undefined ? [] : ['OpenBLAS'])];
const points = [];
const sides = new Map();
for (const [name, choose] of Object.entries(schemes)) sides.set(name, await compiledSides(choose));
if (openblas !== undefined) sides.set('OpenBLAS', openblas);
for (const i of rows) for (const [name, side] of sides) points.push({ i, name, ...side(i) });

const clock = clocks.processor;
const peakNow = isWasm
  ? arithmeticPeak(target.machine.vector.fused, clock, 0.001)
  : await nativePeak(target, clock, 0.001);
const peaks = [];
const places = points.map(() => []);
const timings = await inTurns(
  points.map(({ call }, at) => ({ call, before: () => places[at].push(peaks.push(peakNow()) - 1) })),
  { samples: Number(values.samples), sampleSeconds: 0.001, warmUpSeconds: isWasm ? 0.2 : 0.01, clock },
);
peaks.push(peakNow());
const peak = median(peaks);
// Each sample beside the peak: a shared machine's clock varies.
const gflops = timings.map(({ seconds }, at) =>
  median(
    seconds.map((each, sample) => {
      const place = places[at][sample];
      return ((points[at].flop / each) * peak) / ((peaks[place] + peaks[place + 1]) / 2) / 1e9;
    }),
  ),
);

const speeds = Object.fromEntries(
  names.map((name) => [name, gflops.filter((_, at) => points[at].name === name)]),
);
const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const summary = names.map((name) => {
  const of = speeds[name];
  return { name, mean: mean(of), spread: (Math.max(...of) - Math.min(...of)) / mean(of) };
});

const title = `J = K = 128 on ${target.name}: GFLOP/s by I`;
const draw = () => {
  const [left, top, width, height] = [50, 50, 640, 300];
  const most = Math.max(peak / 1e9, ...gflops);
  const x = (i) => left + ((i - rows[0]) / (rows.at(-1) - rows[0])) * width;
  const y = (speed) => top + height - (speed / most) * height;
  const palette = [colours.output, colours.filter, colours.input, colours.ws];
  let svg = text(left, 20, title, { size: 14, bold: true });
  svg += box(left, top, width, height, { stroke: colours.line });
  svg += line(left, y(peak / 1e9), left + width, y(peak / 1e9), colours.faint);
  for (let speed = 0; speed <= most; speed += most > 120 ? 50 : 10)
    svg += text(left - 6, y(speed) + 4, String(speed), { size: 10, anchor: 'end' });
  for (let i = 8; i <= 49; i += 4)
    svg += text(x(i), top + height + 16, String(i), { size: 10, anchor: 'middle' });
  names.forEach((name, at) => {
    svg += polyline(
      rows.map((i, place) => [x(i), y(speeds[name][place])]),
      palette[at],
    );
    svg += box(left + at * 130, 30, 10, 10, { fill: palette[at] });
    svg += text(left + 14 + at * 130, 39, name, { size: 11 });
  });
  return document(left + width + 20, top + height + 30, svg, title);
};
if (values.svg !== undefined) writeFileSync(values.svg, draw());

const round = (value, digits = 1) => value.toFixed(digits);
if (values.json) {
  const table = rows.map((i, at) => ({
    i,
    ...Object.fromEntries(names.map((name) => [name, speeds[name][at]])),
  }));
  console.log(
    JSON.stringify({ target: target.name, peak: peak / 1e9, single, summary, table }, undefined, 2),
  );
} else {
  console.log(
    `${title}; peak ${round(peak / 1e9)}; the single kernel has ${single.vectors} vectors and ${single.height} rows`,
  );
  console.log(
    `\n| I | combined heights | ${names.join(' | ')} |\n| --- | --- | ${names.map(() => '---').join(' | ')} |`,
  );
  rows.forEach((i, at) => {
    const { vectors, heights } = combination(i);
    const counted = [...new Set(heights)].map((h) => `${heights.filter((each) => each === h).length}·${h}`);
    console.log(
      `| ${i} | ${counted.join(' + ')}, ${vectors} vectors | ${names.map((name) => round(speeds[name][at])).join(' | ')} |`,
    );
  });
  console.log('\n| | mean | of the peak | (max - min) / mean |\n| --- | --- | --- | --- |');
  for (const each of summary)
    console.log(
      `| ${each.name} | ${round(each.mean)} | ${round((each.mean * 1e9) / peak, 2)} | ${round(100 * each.spread)} % |`,
    );
}
