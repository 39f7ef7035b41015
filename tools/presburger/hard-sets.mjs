// @ts-check
/**
 * Random sets that take long: many dimensions, divisions and disjuncts, integers of hundreds of digits, nested
 * quantifiers, products and complements of unions, in all operations:
 *
 *   node tools/presburger/hard-sets.mjs [--cases 1000] [--seed N] [--seconds 10] [--slowest 5]
 *
 * An operation has to end, with an answer or `presburger/undecided`, within these seconds of processor time. Prints the
 * slowest ones, how often nothing is decided, and the most memory that the process had. Exits with 1 if one takes
 * longer, fails otherwise, or 500 MB are exceeded. Needs the packages built.
 */
import {
  card,
  coalesce,
  complement,
  intersect,
  isEmpty,
  isEqual,
  isPresburgerError,
  isSubset,
  lexmax,
  lexmin,
  pairs,
  parseUnion,
  print,
  project,
  removeRedundant,
  subtract,
  withDivisions,
} from '@sconv/presburger';
import { commandLine, numberOf } from '../command-line.mjs';
import { classes, randomCase, randomFrom } from './random-sets.mjs';

/** @typedef {import('@sconv/presburger').PresburgerUnion} Union */

const { values: options } = commandLine('[--cases 1000] [--seed N] [--seconds 10] [--slowest 5]', {
  cases: { type: 'string', default: '1000' },
  seed: { type: 'string', default: String(1 + (Date.now() % 2 ** 31)) },
  seconds: { type: 'string', default: '10' },
  slowest: { type: 'string', default: '5' },
});
const seed = numberOf('seed', options.seed);
const random = randomFrom(seed);
const { below, chance, magnitude } = random;

/** @typedef {() => number | string} Coefficient */

/** @type {(most: number) => Coefficient} */
const upTo = (most) => () => (chance(0.5) ? 1 : -1) * magnitude(most);
/** @type {(most: number) => Coefficient} */
const ofDigits = (most) => () =>
  (chance(0.5) ? '-' : '') + (1 + below(9)) + Array.from({ length: below(most) }, () => below(10)).join('');

const names = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => `x${i}`);

/** @type {(variables: readonly string[], coefficient: Coefficient) => string} */
const sum = (variables, coefficient) =>
  [
    ...variables.filter(() => chance(0.6)).map((name) => `${coefficient()}*${name}`),
    String(coefficient()),
  ].join(' + ');

/**
 * @param {readonly string[]} variables
 * @param {number} constraints
 * @param {number} divisions
 * @param {Coefficient} coefficient
 */
const conjunction = (variables, constraints, divisions, coefficient) => {
  const quotients = Array.from({ length: divisions }, (_, i) => `e${i}`);
  const definitions = quotients.map((name, i) => {
    const dividend = sum([...variables, ...quotients.slice(0, i)], coefficient);
    return `${name} = floor((${dividend})/${2 + magnitude(1e6)})`;
  });
  const all = [...variables, ...quotients];
  const rows = Array.from(
    { length: constraints },
    () => `${sum(all, coefficient)} ${chance(0.2) ? '=' : '>='} 0`,
  );
  const body = [...definitions, ...rows].join(' and ');
  return divisions === 0 ? `(${body})` : `(exists (${quotients.join(', ')} : ${body}))`;
};

/** @type {Record<string, () => string>} */
const kinds = {
  dimensions: () => {
    const dims = names(10 + below(30));
    return `{ [${dims}] : ${conjunction(dims, 5 + below(40), 0, upTo(10 ** (1 + below(9))))} }`;
  },
  divisions: () => {
    const dims = names(2 + below(6));
    return `{ [${dims}] : ${conjunction(dims, 2 + below(8), 3 + below(12), upTo(100))} }`;
  },
  digits: () => {
    const dims = names(2 + below(5));
    return `{ [${dims}] : ${conjunction(dims, 2 + below(6), below(2), ofDigits(20 + below(1500)))} }`;
  },
  disjuncts: () => {
    const dims = names(1 + below(5));
    const parts = Array.from({ length: 5 + below(60) }, () =>
      conjunction(dims, 1 + below(4), below(2), upTo(100)),
    );
    return `{ [${dims}] : ${parts.join(' or ')} }`;
  },
  unknowns: () => {
    const dims = names(2 + below(3));
    const unknowns = ['a', 'b', 'c', 'd', 'f', 'g'].slice(0, 1 + below(6));
    const body = conjunction([...dims, ...unknowns], 3 + below(8), below(3), upTo(1000));
    return `${chance(0.4) ? '[n, m] -> ' : ''}{ [${dims}] : exists (${unknowns} : ${body}) }`;
  },
  symbols: () => {
    const dims = names(2 + below(4));
    const symbols = ['n', 'm', 'k'];
    return `[${symbols}] -> { [${dims}] : ${conjunction([...dims, ...symbols], 3 + below(6), below(4), upTo(200))} }`;
  },
  boxes: () => {
    const dims = names(3 + below(4));
    const side = 10 ** (1 + below(7));
    const box = dims.map((name) => `0 <= ${name} < ${side}`).join(' and ');
    return `{ [${dims}] : ${box} and ${conjunction(dims, 1 + below(4), below(3), upTo(1000))} }`;
  },
  A: () => randomCase(random, classes.A).a,
  B: () => randomCase(random, classes.B).a,
  C: () => randomCase(random, classes.C).a,
};

/** @type {Record<string, (a: Union, b: Union) => unknown>} */
const operations = {
  isEmpty,
  isEqual,
  isSubset,
  lexmin: (a) => print(lexmin(a)),
  lexmax: (a) => print(lexmax(a)),
  card,
  complement: (a) => print(complement(a)),
  subtract,
  coalesce,
  removeRedundant,
  withDivisions,
  'complement twice': (a) => complement(complement(a)),
  'card of a product of unions': (a, b) => card(intersect(complement(a), complement(b))),
  'complement of a projection': (a) =>
    isEmpty(
      complement(
        project(
          a.kind === 'relation'
            ? pairs(/** @type {import('@sconv/presburger').Relation} */ (a))
            : /** @type {import('@sconv/presburger').PresburgerSet} */ (a),
          [0],
        ),
      ),
    ),
};

const of = (/** @type {readonly string[]} */ list) => list[below(list.length)] ?? '';

/** @type {{ readonly what: string, readonly milliseconds: number, readonly isWrong: boolean }[]} */
const results = [];
let undecided = 0;
for (let i = 0; i < numberOf('cases', options.cases); i++) {
  const kind = of(Object.keys(kinds));
  const a = kinds[kind]?.() ?? '';
  const b = chance(0.5) ? (kinds[kind]?.() ?? '') : a;
  const operation = of(Object.keys(operations));
  const begin = process.cpuUsage();
  let answer = 'decided';
  try {
    operations[operation]?.(parseUnion(a), parseUnion(b));
  } catch (error) {
    answer = isPresburgerError(error) ? error.code : String(error);
  }
  const { user, system } = process.cpuUsage(begin);
  const milliseconds = (user + system) / 1000;
  if (answer === 'presburger/undecided') undecided += 1;
  const isAnswer = /^(?:decided|presburger\/(?:undecided|unbounded|symbolic|arity-mismatch))$/.test(answer);
  const isWrong = !isAnswer || milliseconds > 1000 * numberOf('seconds', options.seconds);
  const what = `case ${i}, ${operation} of ${kind}: ${answer} in ${milliseconds.toFixed(0)} ms`;
  results.push({ what: isWrong ? `${what}\n  ${a}\n  ${b}` : what, milliseconds, isWrong });
}

const megabytes = process.resourceUsage().maxRSS / 1000;
const wrong = results.filter(({ isWrong }) => isWrong);
for (const { what } of wrong) console.log(`WRONG: ${what}`);
console.log(
  `seed ${seed}: ${results.length} cases, ${undecided} undecided, ${wrong.length} wrong, ` +
    `at most ${megabytes.toFixed(0)} MB`,
);
results.sort((left, right) => right.milliseconds - left.milliseconds);
for (const { what } of results.slice(0, numberOf('slowest', options.slowest))) console.log(what);
process.exit(wrong.length > 0 || megabytes > 500 ? 1 : 0);
