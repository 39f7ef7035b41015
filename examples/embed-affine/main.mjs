/**
 * Takes a packing equation into another compiler's IR: node examples/embed-affine/main.mjs
 */
import { evaluate, simplify, subMap } from '@sconv/affine';
import { absoluteInputMap } from '@sconv/packing-equations';
import { lower, run } from './ir.mjs';

// The packing equation of ST's example: which input element does filter element (d1, d2) meet in window d3 + s0?
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
const bounds = { d1: [0, 3], d2: [0, 3], d3: [0, 16], s0: [0, 5568] };
const map = simplify(subMap(absoluteInputMap(geometry), [1]), bounds);
const [element] = map.results;
const lowered = lower(element, bounds);

console.log(`; ${map}`);
for (const { name, op, args } of lowered.code) console.log(`${name} = ${op} ${args.join(', ')}`);
for (const point of [
  [0, 0, 0, 0],
  [0, 2, 1, 15],
]) {
  const [, d1, d2, d3] = point;
  const actual = run(lowered, { '%d1': d1, '%d2': d2, '%d3': d3, '%s0': 64 });
  const expected = evaluate(element, point, [64]);
  if (actual !== expected) throw new Error(`${actual} instead of ${expected}`);
  console.log(`at (${point.join(', ')})[64]: ${actual}`);
}
