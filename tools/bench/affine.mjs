/**
 * Median times of the affine algebra:
 *
 *   node tools/bench/affine.mjs [--json]
 *
 * 1. evaluating a compiled map, against a handwritten function (at most 1.5 times as long);
 * 2. building an expression, against building it from naive objects without simplification;
 * 3. composing and simplifying the maps that one convolution needs on its way through SConv, ST's example (at most 100
 * µs in all).
 *
 * Exits with 1 if a limit is exceeded. Needs the packages built (`npm run prepare`).
 */
import {
  affineMap,
  compileMap,
  compose,
  dim,
  makeMap,
  shiftDims,
  simplify,
  substitute,
  sub,
} from '@sconv/affine';
import {
  absoluteInputMap,
  absoluteMultipackedInputMap,
  filterMultipackingMap,
  relativeInputMap,
  tileOffset,
} from '@sconv/packing-equations';
import { median } from '../../packages/sconv/dist/bench/statistics.js';
import { commandLine } from '../command-line.mjs';

const { values: asked } = commandLine('[--json]', { json: { type: 'boolean', default: false } });

/** The median time of one call in nanoseconds, over `rounds` rounds of `calls` calls. */
function nanoseconds(run, calls, rounds = 41) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let call = 0; call < calls; call++) run(call);
    times.push(((performance.now() - start) / calls) * 1e6);
  }
  return median(times);
}

let sink = 0;

function evaluation() {
  const map = affineMap(
    '(d0, d1, d2, d3, d4, d5) -> (d0, d3, ((d2 floordiv 75) * 2 + d4) * 152 + (d2 mod 75) * 2 + d5)',
  );
  const compiled = compileMap(map);
  const byHand = (dims, _, out) => {
    const window = dims[2];
    const row = Math.floor(window / 75);
    out[0] = dims[0];
    out[1] = dims[3];
    out[2] = (row * 2 + dims[4]) * 152 + (window - row * 75) * 2 + dims[5];
    return out;
  };
  const point = [0, 0, 0, 0, 0, 0];
  const out = [0, 0, 0];
  const measure = (evaluate) =>
    nanoseconds((call) => {
      point[2] = call % 5625;
      point[4] = call % 3;
      sink += evaluate(point, undefined, out)[2];
    }, 50_000);
  measure(byHand);
  measure(compiled);
  return { compiled: measure(compiled), byHand: measure(byHand) };
}

function building() {
  const naive = {
    node: (kind, lhs, rhs) => ({ kind, lhs, rhs }),
    leaf: (kind, value) => ({ kind, value }),
  };
  const naively = () => {
    const d = (position) => naive.leaf('dim', position);
    const c = (value) => naive.leaf('constant', value);
    const row = naive.node('add', naive.node('mul', naive.node('floordiv', d(2), c(75)), c(2)), d(4));
    const column = naive.node('mul', naive.node('mod', d(2), c(75)), c(2));
    return naive.node('add', naive.node('add', naive.node('mul', row, c(152)), column), d(5));
  };
  const ours = () => {
    const row = dim(2).floorDiv(75).mul(2).add(dim(4));
    return row.mul(152).add(dim(2).mod(75).mul(2)).add(dim(5));
  };
  const measure = (build) =>
    nanoseconds(() => {
      sink += build().kind.length;
    }, 5000);
  measure(naively);
  measure(ours);
  return { ours: measure(ours), naive: measure(naively) };
}

/** Every map that ST's example (1x32x152x152, 256 filters of 3x3, strides of 2) needs from op to packed tile. */
function pipeline() {
  const geometry = {
    inputWidth: 152,
    outputWidth: 75,
    filterHeight: 3,
    filterWidth: 3,
    strideH: 2,
    strideW: 2,
    dilationH: 1,
    dilationW: 1,
  };
  const linearised = affineMap(
    '(d0, d1, d2, d3, d4, d5) -> (d0, d3, ((d2 floordiv 75) * 2 + d4) * 152 + (d2 mod 75) * 2 + d5)',
  );
  const output = affineMap('(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)');
  const interchange = affineMap('(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3, d4, d5)');
  const kernel = {
    dims: [
      [0, 1],
      [0, 256],
      [0, 5568],
      [0, 32],
      [0, 3],
      [0, 3],
    ],
  };
  const remainder = {
    dims: [
      [0, 1],
      [0, 256],
      [0, 57],
      [0, 32],
      [0, 3],
      [0, 3],
    ],
  };
  const packedTile = {
    dims: [
      [0, 32],
      [0, 3],
      [0, 3],
      [0, 16],
    ],
    symbols: [[0, 5568]],
  };
  const offset = makeMap(1, 0, [tileOffset(geometry, dim(0))]);
  const begin = tileOffset(geometry, 5568);
  const relative = relativeInputMap(geometry);
  const absolute = absoluteInputMap(geometry);
  const multipacked = absoluteMultipackedInputMap(geometry, 16);
  const filters = filterMultipackingMap(8);
  return () => {
    // The linearised convolution and its interchange.
    const maps = [
      simplify(linearised, kernel),
      compose(linearised, interchange),
      compose(output, interchange),
    ];
    // The split at window 5568, re-based.
    const shifted = substitute(linearised, { dims: [undefined, undefined, dim(2).add(5568)] });
    const [image, channel, element] = shifted.results;
    maps.push(simplify(makeMap(6, 0, [image, channel, sub(element, begin)]), remainder));
    // Both levels of tiling: the induction variables are added to the window.
    const tiled = shiftDims(linearised, 2);
    maps.push(
      simplify(
        substitute(tiled, {
          dims: [undefined, undefined, undefined, undefined, dim(4).add(dim(0)).add(dim(1))],
        }),
      ),
    );
    maps.push(simplify(offset));
    // Packing.
    maps.push(simplify(relative), simplify(absolute, packedTile));
    maps.push(simplify(multipacked), simplify(filters));
    return maps;
  };
}

const { compiled, byHand } = evaluation();
const { ours, naive } = building();
const run = pipeline();
const measurePipeline = () =>
  nanoseconds(() => {
    sink += run().length;
  }, 100);
measurePipeline();
const total = measurePipeline() / 1000;
const ratio = compiled / byHand;
const results = {
  evaluation: { compiledNs: compiled, byHandNs: byHand, ratio, limit: 1.5 },
  building: { oursNs: ours, naiveNs: naive, ratio: ours / naive },
  pipeline: { maps: run().length, totalUs: total, limit: 100 },
};
if (asked.json) {
  console.log(JSON.stringify(results));
} else {
  const number = (value) => value.toFixed(2);
  console.log(
    `evaluation: ${number(compiled)} ns compiled, ${number(byHand)} ns by hand: ${number(ratio)}x (limit 1.5x)`,
  );
  console.log(`building: ${number(ours)} ns, ${number(naive)} ns of naive objects: ${number(ours / naive)}x`);
  console.log(
    `pipeline: ${results.pipeline.maps} maps composed and simplified in ${number(total)} µs (limit 100 µs)`,
  );
}
if (sink === 0) console.error('nothing was measured');
process.exitCode = ratio > 1.5 || total > 100 ? 1 : 0;
