/** A planner of one's own (`planner.mjs`): node examples/own-planner/main.mjs */
import { writeFileSync } from 'node:fs';
import { drawTree, hierarchy, slice, trafficOfPlan } from '@sconv/csa';
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
import planner from './planner.mjs';

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
