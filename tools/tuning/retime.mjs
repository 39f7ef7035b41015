/**
 * Times the winners of a tuner's records again, with new data and without the tuner: each convolution is compiled with
 * the recorded plan and without, both are called in turns on fresh tensors with flushed caches, and their outputs have
 * to be equal. Prints the claimed and the new time over that of the untuned plan, and which share of the claimed gain
 * is there; exits with 1 if that is less than 0.97 for one.
 *
 *     node tools/tuning/retime.mjs RECORDS [--target wasm|host|NAME] [--turns 40]
 *
 * Needs the packages built. Takes NCHW convolutions whose filters are arguments.
 */
import { readFileSync } from 'node:fs';
import { unwrap } from '@sconv/diagnostics';
import { target as targetNamed } from '@sconv/targets';
import { compileModule, convolutionPayload } from 'sconv';
import { detectHost, nodeBackends } from 'sconv/node';
import { commandLine, numberOf, refuse } from '../command-line.mjs';

const least = 0.97;

const { values: options, positionals } = commandLine(
  'RECORDS [--target wasm] [--turns 40]',
  { target: { type: 'string', default: 'wasm' }, turns: { type: 'string', default: '40' } },
  1,
);
const [path] = positionals;
if (path === undefined) refuse('which records?');
const turns = numberOf('turns', options.turns);
const target = options.target === 'host' ? detectHost().target : targetNamed(options.target);

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const figure = ({ measurements }, name) => measurements.find((each) => each.name === name)?.value;

/** The last comparison's winner of each workload, by its text, from the lines of the file themselves. */
const winners = new Map();
for (const line of readFileSync(path, 'utf8').split('\n')) {
  let record;
  try {
    record = JSON.parse(line);
  } catch {
    continue;
  }
  const isWinner =
    record.stage === 'final' &&
    record.invalidity === 'correct' &&
    record.configuration.plan !== null &&
    figure(record, 'ratio') < 0.99 &&
    figure(record, 'won') >= 0.8;
  const known = winners.get(record.workload);
  if (isWinner && !(figure(known ?? record, 'ratio') < figure(record, 'ratio')))
    winners.set(record.workload, record);
}

/** The convolution that a workload's text describes; undefined for other contractions. */
const specOf = (text) => {
  const [elementType, , input, filters] = text.split(' | ');
  const sizes = [input, filters].map((operand) => /\[([\dx]+)\]/.exec(operand)?.[1].split('x').map(Number));
  const factors = [...input.matchAll(/d\d+(?: \* (\d+))? \+ d\d+(?: \* (\d+))?/g)];
  const isNchw = / -> \(d0, d5, d3.*\+ d6.*, d4.*\+ d7.*\)$/.test(input) && factors.length === 2;
  return isNchw && sizes.every((each) => each?.length === 4)
    ? {
        input: sizes[0],
        filters: sizes[1],
        elementType,
        strides: factors.map(([, stride = 1]) => Number(stride)),
        dilations: factors.map(([, , dilation = 1]) => Number(dilation)),
        accumulate: false,
      }
    : undefined;
};

const elements = (sizes) => sizes.reduce((product, each) => product * each, 1);

/** Twice the largest cache that is common, read and written before each call. */
const flushed = new Uint8Array(2 * 64 * 2 ** 20);
const flush = () => {
  for (let i = 0; i < flushed.length; i += 64) flushed[i] += 1;
};

/** A convolution's code with arrays of its own; `call` gives the seconds of a call on the arrays of a turn. */
const side = async (spec, plan) => {
  const tuned = { kind: 'tuned-plans', target: target.name, planOf: () => ({ ...unused, value: plan }) };
  const compiled = unwrap(
    await compileModule(convolutionPayload(spec), {
      target,
      backends: nodeBackends,
      heapBytes: 2 ** 29,
      ...(plan === undefined ? {} : { tuned }),
    }),
  );
  if (plan !== undefined && JSON.stringify(compiled.plans[0]?.plan.tree) !== JSON.stringify(plan))
    throw new Error('the recorded plan is not the one that was compiled');
  const [{ name, parameters }] = compiled.emitted.functions;
  const sets = Array.from({ length: copies }, () =>
    parameters.map(({ element, shape }) => compiled.allocate(element, elements(shape))),
  );
  let result;
  return {
    call: (turn) => {
      const values = sets[turn % copies];
      values.forEach((array, i) => {
        if (i < 2) for (let j = 0; j < array.length; j += 1) array[j] = dataOf(i, turn, j);
      });
      flush();
      const start = performance.now();
      const results = compiled.run(name, ...values);
      const seconds = (performance.now() - start) / 1000;
      result = results[0] ?? values.at(-1);
      return seconds;
    },
    output: () => result,
    dispose: () => compiled.dispose(),
  };
};

const copies = 4;
const unused = { status: 'success', diagnostics: [] };

/** Small integers, so that sums are exact; others in every turn. */
const dataOf = (operand, turn, i) => ((i * 7919 + turn * 104_729 + operand * 31) % 17) - 8;

let failures = 0;
for (const [workload, record] of winners) {
  const spec = specOf(workload);
  if (spec === undefined) {
    console.log(`left out: ${workload.slice(0, 90)}`);
    continue;
  }
  const sides = [await side(spec, undefined), await side(spec, record.configuration.plan)];
  for (let turn = 0; turn < 10; turn += 1) for (const { call } of sides) call(turn);
  const ratios = [];
  let wrong = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const seconds = [0, 0];
    for (const i of turn % 2 === 0 ? [0, 1] : [1, 0]) seconds[i] = sides[i].call(turn);
    ratios.push(seconds[1] / seconds[0]);
    const [untuned, tuned] = sides.map(({ output }) => output());
    wrong += untuned.filter((each, i) => each !== tuned[i]).length;
  }
  for (const { dispose } of sides) dispose();
  const [claimed, again] = [figure(record, 'ratio'), middle(ratios)];
  const share = claimed / again;
  if (wrong > 0 || share < least) failures += 1;
  console.log(
    `${spec.input.join('x')},${spec.filters.join('x')}: claimed ${claimed.toFixed(3)} of untuned, ` +
      `again ${again.toFixed(3)}: ${share.toFixed(3)} of the gain${wrong > 0 ? `, ${wrong} elements differ` : ''}`,
  );
}
console.log(`${winners.size} winners, ${failures} below ${least}`);
process.exitCode = failures === 0 ? 0 : 1;
