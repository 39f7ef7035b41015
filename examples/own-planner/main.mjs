/**
 * A planner of one's own: node examples/own-planner/main.mjs
 *
 * It divides the windows of a convolution into tiles of two widths that fit exactly, so that no microkernel computes a
 * part of a tile (TTile's combinations, TT §5.3): 121 = 9 · 8 + 7 · 7.
 */
import { writeFileSync } from 'node:fs';
import { drawTree, hierarchy, slice, trafficOfPlan } from '@sconv/csa';
import { error, silenceable, success, unknownLocation } from '@sconv/diagnostics';
import { planProblems, printPlan } from '@sconv/plans';
import {
  compileModuleSync,
  convolutionPayload,
  integerData,
  parseShape,
  referenceConvolution,
  unwrap,
  wasm,
} from 'sconv';

/** `[how many, width]`, once or twice: as few widths up to `widest` as add up to `extent`, the narrow ones widest. */
const combination = (extent, widest) => {
  const tiles = Math.ceil(extent / widest);
  const found = [];
  for (let wide = Math.min(widest, extent); wide * tiles >= extent; wide -= 1)
    for (let others = 0; others < tiles; others += 1) {
      const narrow = others === 0 ? wide : (extent - (tiles - others) * wide) / others;
      if (!Number.isInteger(narrow) || narrow < 1 || narrow > wide) continue;
      if ((tiles - others) * wide + others * narrow === extent) found.push({ wide, narrow, others });
    }
  const [{ wide, narrow, others }] = found.sort((x, y) => y.narrow - x.narrow);
  return others === 0
    ? [[tiles, wide]]
    : [
        [tiles - others, wide],
        [others, narrow],
      ];
};

/** Tiles of windows, each packed once and met by all filters; filters are packed per block of channels. */
const planner = (problem, { microkernel }) => {
  const extent = (name) => problem.dimensions.find((each) => each.name === name)?.extent;
  const sizes = ['batch', 'group', 'channels', 'rows', 'columns', 'filters'].map(extent);
  if (sizes.includes(undefined))
    return silenceable(error('own/not-a-convolution', 'expected a convolution', unknownLocation));
  const [batch, group, channels, rows, columns, filters] = sizes;
  const loop = (dimension, count, step, body) => ({ kind: 'loop', dimension, count, step, body });
  const pack = (operand, tiles, body) => ({ kind: 'pack', operand, tiles, body });
  const runs = (dimension, ofSize, make) => {
    const parts = combination(ofSize, microkernel[dimension]).map(([count, width]) => ({
      size: count * width,
      body: make(count, width),
    }));
    return parts.length === 1 ? parts[0].body : { kind: 'split', dimension, parts };
  };
  const nest = (count, windows) =>
    runs('filters', filters, (tiles, width) =>
      loop(
        'filters',
        1,
        tiles * width,
        pack(
          'filters',
          tiles,
          loop(
            'windows',
            count,
            windows,
            pack(
              'input',
              1,
              loop('filters', tiles, width, {
                kind: 'kernel',
                lanes: 'windows',
                extents: { batch: 1, group: 1, channels, windows, filters: width },
              }),
            ),
          ),
        ),
      ),
    );
  const images = loop('batch', batch, 1, runs('windows', rows * columns, nest));
  const tree = group === 1 ? images : loop('group', group, 1, images);
  return success({ tree });
};

// 1. Run: the result is that of a plain convolution.
const shape = parseShape('1x16x13x13,20x16x3x3');
const payload = convolutionPayload({ input: [1, 16, 13, 13], filters: [20, 16, 3, 3] });
const compiled = unwrap(compileModuleSync(payload, { planner }));
const { tree } = compiled.plans[0].plan;
const [input, filters] = [integerData(16 * 13 * 13, 1), integerData(20 * 16 * 9, 2)];
const output = new Float32Array(20 * 11 * 11);
compiled.run(compiled.functions[0].name, input, filters, output);
const expected = referenceConvolution(shape, input, filters, new Float32Array(output.length));
console.log(`exact: ${output.every((value, i) => value === expected[i])}`);

// 2. Checked, priced, explained and drawn, as any plan.
const sliced = slice(shape, wasm.microkernel);
const { accesses } = trafficOfPlan(sliced, tree, hierarchy(wasm.machine, { l1: 0.9, l2: 0.9, l3: 0.9 }));
console.log(
  `problems: ${planProblems(tree).length}, beyond L1: ${Math.round(accesses.l2 + accesses.memory)} lines`,
);
console.log(printPlan(tree).trimEnd());
if (process.argv[2] !== undefined) writeFileSync(process.argv[2], drawTree(tree));
