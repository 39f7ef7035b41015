// @ts-check
/**
 * Random integer sets as conditions of affine.if, through mlir-opt-19's simplification and through @sconv/presburger:
 *
 *   node tools/presburger/mlir-sets.mjs [--sets 500] [--seed N]
 *
 * Where mlir-opt leaves the first branch alone, the set has to have all points, where it leaves the other, none; a set
 * that it prints otherwise has to have the same points. Lists every disagreement, and exits with 1 if there is one.
 * Prints SKIPPED without mlir-opt-19. Needs the packages built.
 */
import { execFileSync } from 'node:child_process';
import { complement, isEmpty, isEqual, isPresburgerError, parseSet } from '@sconv/presburger';
import { commandLine, numberOf } from '../command-line.mjs';
import { findMlirOpt } from '../conformance/mlir-opt.mjs';
import { randomFrom } from './random-sets.mjs';

const { values: options } = commandLine('[--sets 500] [--seed N]', {
  sets: { type: 'string', default: '500' },
  seed: { type: 'string', default: String(1 + (Date.now() % 2 ** 31)) },
});
const [count, seed] = [numberOf('sets', options.sets), numberOf('seed', options.seed)];

const mlirOpt = findMlirOpt();
if (mlirOpt === undefined) {
  console.log('SKIPPED: mlir-opt-19 is not installed');
  process.exit(0);
}

const { below, chance } = randomFrom(seed);
/** The arguments of each function: dims of the set, then symbols. */
const names = ['arg0', 'arg1', 'arg2', 'arg3'];

/** @typedef {{ readonly dims: number, readonly constraints: readonly string[] }} Condition */

const sum = () => {
  const terms = names.flatMap((name) => (chance(0.5) ? [`${name} * ${below(13) - 6}`] : []));
  return [...terms, String(below(41) - 20)].join(' + ');
};

/** @returns {string} */
const form = () => {
  const divisor = 2 + below(7);
  switch (below(5)) {
    case 0:
      return `(${sum()}) mod ${divisor} + ${sum()}`;
    case 1:
      return `(${sum()}) floordiv ${divisor} * ${below(9) - 4} + ${sum()}`;
    case 2:
      return `((${sum()}) ceildiv ${divisor}) + ${sum()}`;
    default:
      return sum();
  }
};

/** Constraints some of which follow from others, contradict them, or always hold. @returns {readonly string[]} */
const constraintsOf = () =>
  Array.from({ length: 1 + below(3) }, () => {
    const [left, factor] = [form(), 1 + below(3)];
    switch (below(6)) {
      case 0:
        return [`${left} == 0`];
      case 1:
        return [`${left} >= 0`, `(${left}) * ${factor} + ${below(9) - 4} >= 0`];
      case 2:
        return [`${left} >= 0`, `(${left}) * -${factor} + ${below(17) - 8} >= 0`];
      case 3:
        return [`(${left}) mod ${factor + 1} + ${below(4) - 1} >= 0`];
      default:
        return [`${left} >= 0`];
    }
  }).flat();

/** @type {readonly Condition[]} */
const conditions = Array.from({ length: count }, () => ({
  dims: below(names.length + 1),
  constraints: constraintsOf(),
}));

const commas = (/** @type {readonly string[]} */ list, prefix = '') =>
  list.map((name) => prefix + name).join(', ');

/** The set over all arguments as dims, so that sets of other operands can be compared with it. */
const setOf = (/** @type {string} */ constraints) =>
  parseSet(`affine_set<(${commas(names)}) : (${constraints})>`);

/** @type {(condition: Condition, i: number) => string} */
const functionOf = ({ dims, constraints }, i) => {
  const [first, others] = [names.slice(0, dims), names.slice(dims)];
  const set = `affine_set<(${commas(first)})[${commas(others)}] : (${commas(constraints)})>`;
  const operands = `(${commas(first, '%')})[${commas(others, '%')}]`;
  return `func.func @f${i}(${names.map((name) => `%${name}: index`).join(', ')}) {
    affine.if ${set}${operands} { "test.holds"() : () -> () } else { "test.fails"() : () -> () }
    return
  }`;
};

const passes = 'builtin.module(func.func(affine-simplify-structures),canonicalize)';
const flags = ['--allow-unregistered-dialect', '--mlir-print-local-scope', `--pass-pipeline=${passes}`];

/**
 * What mlir-opt makes of each function; undefined where it crashes or takes too long, which is found by bisection.
 *
 * @type {(some: readonly Condition[]) => readonly (string | undefined)[]}
 */
const simplified = (some) => {
  if (some.length > 100) return [...simplified(some.slice(0, 100)), ...simplified(some.slice(100))];
  try {
    const output = execFileSync(mlirOpt, flags, {
      input: some.map(functionOf).join('\n'),
      encoding: 'utf8',
      timeout: 20_000,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const functions = output.split('func.func ').slice(1);
    if (functions.length !== some.length) throw new Error(`${functions.length} of ${some.length} functions`);
    return functions;
  } catch {
    if (some.length === 1) return [undefined];
    const half = some.length >> 1;
    return [...simplified(some.slice(0, half)), ...simplified(some.slice(half))];
  }
};

/** The constraints of an affine.if over the function's arguments, which are its operands. @param {string} text */
const constraintsIn = (text) => {
  const match =
    /affine\.if affine_set<\(([^)]*)\)(?:\[([^\]]*)\])? : \((.*)\)>\(([^)]*)\)(?:\[([^\]]*)\])?/.exec(text);
  if (match === null) return undefined;
  const [, dims = '', symbols = '', constraints = '', ofDims = '', ofSymbols = ''] = match;
  const list = (/** @type {string} */ words) => words.split(', ').filter((word) => word !== '');
  const own = [...list(dims), ...list(symbols)];
  const operands = [...list(ofDims), ...list(ofSymbols)];
  return constraints.replaceAll(/\b[ds]\d+\b/g, (name) =>
    (operands[own.indexOf(name)] ?? name).replace('%', ''),
  );
};

const tally = { all: 0, none: 0, otherwise: 0, crashed: 0, undecided: 0, 'empty here alone': 0 };
let wrong = 0;
for (const [i, text] of simplified(conditions).entries()) {
  const constraints = conditions[i]?.constraints.join(', ') ?? '';
  if (text === undefined) {
    tally.crashed += 1;
    continue;
  }
  const set = setOf(constraints);
  const theirs = constraintsIn(text);
  const [holds, fails] = [text.includes('test.holds'), text.includes('test.fails')];
  try {
    const agrees =
      theirs !== undefined
        ? isEqual(set, setOf(theirs))
        : holds && !fails
          ? isEmpty(complement(set))
          : fails && !holds && isEmpty(set);
    if (theirs !== undefined) {
      tally.otherwise += 1;
      if (isEmpty(set)) tally['empty here alone'] += 1;
    } else tally[holds ? 'all' : 'none'] += 1;
    if (agrees) continue;
    wrong += 1;
    const answer = theirs ?? (holds ? 'all points' : 'no points');
    console.log(`DISAGREES: ${constraints}\n  mlir-opt: ${answer}`);
  } catch (error) {
    if (!isPresburgerError(error) || error.code !== 'presburger/undecided') throw error;
    tally.undecided += 1;
    console.log(`UNDECIDED: ${constraints}`);
  }
}
console.log(
  `${count} sets, ${wrong} disagree; by mlir-opt ${tally.all} hold everywhere, ${tally.none} nowhere, ` +
    `${tally.otherwise} are printed otherwise, ${tally['empty here alone']} of them shown empty here alone; ` +
    `${tally.crashed} end it, ${tally.undecided} undecided here (seed ${seed})`,
);
process.exit(wrong > 0 ? 1 : 0);
