/**
 * The cost of a trace: 60 convolutions in one function, scheduled with and without one.
 *
 *     node --expose-gc tools/bench/trace.mjs [sconv|expanded|long] [--json]
 *
 * `sconv`: an op per convolution, whose expansion is replayed. `expanded`: the same as a schedule of small ops, each a
 * step whose module the trace keeps. `long`: 200 such steps per convolution.
 *
 * Least CPU time of interleaved rounds, and the heap that the result retains after a collection. Needs the packages
 * built, and nothing installed here.
 */
import {
  defaultRegistry,
  gatherOperand,
  generalize,
  linearize,
  swapInductionVars,
  targetSchedule,
  tileUsingFor,
  unwrap,
  wasm,
} from 'sconv';
import { parseModule } from '@sconv/ir';
import { schedule, splitHandle, traceNodes } from '@sconv/transform';
import { commandLine, refuse } from '../command-line.mjs';

const forms = ['sconv', 'expanded', 'long'];
const { values, positionals } = commandLine(
  `[${forms.join('|')}]… [--json]`,
  { json: { type: 'boolean', default: false } },
  3,
);
const unknown = positionals.find((form) => !forms.includes(form));
if (unknown !== undefined) refuse(`there is no form '${unknown}'`);

const count = 60;
const input = 'tensor<1x7x15x17xf32>';
const filters = 'tensor<45x7x3x3xf32>';
const output = 'tensor<1x45x13x15xf32>';
const names = Array.from({ length: count }, (_, i) => `%out${i}`);
const payload = unwrap(
  parseModule(
    `func.func @f(%in: ${input}, %filters: ${filters}, ${names.map((name) => `${name}: ${output}`).join(', ')}) {
${names
  .map(
    (
      name,
      i,
    ) => `  %${i} = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%in, %filters : ${input}, ${filters}) outs(${name} : ${output}) -> ${output}`,
  )
  .join('\n')}
  return
}`,
    { registry: defaultRegistry },
  ),
);

const heap = () => {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

/** Milliseconds of CPU time, including the collector's: the machine is shared. */
const processorTime = (work) => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

/** Megabytes that the result of a run retains. */
const held = (run) => {
  const before = heap();
  const result = run();
  const megabytes = heap() - before;
  // Used after the measurement, to keep it alive until then.
  if (result.module.nextId === 0) throw new Error('unreachable');
  return megabytes;
};

if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
/** Tiles each convolution, and swaps its loops until it has had this many steps. */
const long = (steps) =>
  schedule(($) => {
    const all = $.match('linalg.conv_2d_nchw_fchw');
    for (const target of splitHandle({ handle: all }, {}, { resultCount: count }).results) {
      const { linearized } = linearize({ target: generalize({ target }).transformed });
      const { gathering } = gatherOperand({ target: linearized }, { operand: 0 });
      const [outer] = tileUsingFor({ target: gathering }, { staticSizes: [0, 9, 13], exact: true }).loops;
      for (let i = 4; i < steps; i += 1) swapInductionVars({ outer });
    }
    return undefined;
  });

const figures = {};
const schedules = {
  sconv: unwrap(targetSchedule(payload, wasm, { edges: 'small' }, 'sconv')),
  expanded: unwrap(targetSchedule(payload, wasm, { edges: 'small' }, 'expanded')),
  long: long(200),
};
const asked = Object.keys(schedules).filter((form) => positionals.includes(form));
for (const form of asked.length > 0 ? asked : Object.keys(schedules)) {
  const each = schedules[form];
  const run = (trace) => () =>
    unwrap(each.run(payload, { registry: defaultRegistry, ...(trace ? { trace: true } : {}) }));
  const { trace } = run(true)();
  const nodes = [...traceNodes(trace)].filter(({ kind }) => kind === 'step');
  const times = { without: [], traced: [] };
  for (let round = 0; round < 5; round += 1) {
    for (const [name, list] of Object.entries(times)) list.push(processorTime(run(name === 'traced')));
  }
  const [without, traced] = [Math.min(...times.without), Math.min(...times.traced)];
  figures[form] = {
    steps: nodes.length,
    stepsOfTheSchedule: nodes.filter(({ expandedFrom }) => expandedFrom === undefined).length,
    millisecondsWithout: without,
    millisecondsTraced: traced,
    ratio: traced / without,
    megabytesWithout: held(run(false)),
    megabytesTraced: held(run(true)),
  };
}
if (values.json) console.log(JSON.stringify(figures));
else {
  for (const [form, each] of Object.entries(figures)) {
    console.log(
      `${form.padEnd(8)} ${each.steps} steps, ${each.stepsOfTheSchedule} of the schedule: ` +
        `${each.millisecondsTraced.toFixed(0)} ms traced, ${each.millisecondsWithout.toFixed(0)} ms without (${each.ratio.toFixed(2)}), ` +
        `${each.megabytesTraced.toFixed(0)} MB held, ${each.megabytesWithout.toFixed(0)} MB without`,
    );
  }
}
