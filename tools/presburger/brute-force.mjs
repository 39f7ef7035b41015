// @ts-check
/**
 * Random sets in small boxes, and what @sconv/presburger says of them beside the points that are counted one by one:
 *
 *   node tools/presburger/brute-force.mjs [--cases 1000] [--seconds 600] [--seed N]
 *
 * Of each case two sets are drawn: of one to three dimensions, between -4 and 4, of unions of comparisons, remainders
 * and quotients. All operations on them, on their projections and images are compared in each point of the box. Lists
 * the disagreements, and the cases with a question that would take too long, which end there; exits with 1 for a
 * disagreement. Needs the packages built.
 */
import {
  card,
  coalesce,
  complement,
  gist,
  image,
  inverse,
  intersect,
  isDisjoint,
  isEmpty,
  isEqual,
  isPresburgerError,
  isSubset,
  lexmaxPoint,
  lexminPoint,
  parseRelation,
  parseSet,
  points,
  preimage,
  print,
  project,
  removeRedundant,
  sample,
  subtract,
  union,
  withDivisions,
} from '@sconv/presburger';
import { commandLine, numberOf } from '../command-line.mjs';
import { randomFrom } from './random-sets.mjs';

/** @typedef {import('@sconv/presburger').PresburgerSet} PresburgerSet */
/** @typedef {readonly number[]} Point */
/** @typedef {(point: Point) => boolean} Predicate */

const { values: options } = commandLine('[--cases 1000] [--seconds 600] [--seed N]', {
  cases: { type: 'string', default: '1000' },
  seconds: { type: 'string', default: '600' },
  seed: { type: 'string', default: String(1 + (Date.now() % 2 ** 31)) },
});
const cases = numberOf('cases', options.cases);
const seconds = numberOf('seconds', options.seconds);
const seed = numberOf('seed', options.seed);
const { below } = randomFrom(seed);
const names = ['i', 'j', 'k'];
const radius = 4;

/** @type {(dims: number) => readonly Point[]} */
const boxOf = (dims) =>
  dims === 0
    ? [[]]
    : boxOf(dims - 1).flatMap((point) =>
        Array.from({ length: 2 * radius + 1 }, (_, i) => [...point, i - radius]),
      );

/** A sum with its text. @param {number} dims */
const sumOf = (dims) => {
  const factors = Array.from({ length: dims }, () => below(9) - 4);
  const constant = below(13) - 6;
  return {
    text: `${factors.map((factor, i) => `${factor}${names[i]}`).join(' + ')} + ${constant}`,
    value: (/** @type {Point} */ point) =>
      factors.reduce((all, factor, i) => all + factor * point[i], constant),
  };
};

/** A comparison. @param {number} dims @returns {{ text: string, holds: Predicate }} */
const comparisonOf = (dims) => {
  const [left, right, divisor] = [sumOf(dims), sumOf(dims), 2 + below(5)];
  const modulo = (/** @type {number} */ value) => value - divisor * Math.floor(value / divisor);
  switch (below(5)) {
    case 0:
      return { text: `${left.text} = ${right.text}`, holds: (at) => left.value(at) === right.value(at) };
    case 1: {
      const rest = below(divisor);
      const text = `(${left.text}) mod ${divisor} <= ${rest}`;
      return { text, holds: (at) => modulo(left.value(at)) <= rest };
    }
    case 2: {
      const text = `floor((${left.text}) / ${divisor}) >= ${right.text}`;
      return { text, holds: (at) => Math.floor(left.value(at) / divisor) >= right.value(at) };
    }
    default:
      return { text: `${left.text} >= 0`, holds: (at) => left.value(at) >= 0 };
  }
};

/** A set and the points that it has. @param {number} dims */
const setOf = (dims) => {
  const parts = Array.from({ length: 1 + below(2) }, () =>
    Array.from({ length: 1 + below(3) }, () => comparisonOf(dims)),
  );
  const tuple = names.slice(0, dims).join(', ');
  const within = `-${radius} <= ${tuple} <= ${radius}`;
  const formula = parts.map((all) => `(${all.map(({ text }) => text).join(' and ')})`).join(' or ');
  const text = `{ [${tuple}] : ${within} and (${formula}) }`;
  const holds = (/** @type {Point} */ at) => parts.some((all) => all.every((each) => each.holds(at)));
  return { text, set: parseSet(text), points: boxOf(dims).filter(holds) };
};

/** Whether a set without unknowns has a point, by its rows. @param {PresburgerSet} set @param {Point} point */
const has = ({ pieces }, point) =>
  pieces.some(({ locals, equalities, inequalities }) => {
    const values = [...point];
    const valueOf = (/** @type {import('@sconv/presburger').Row} */ row) =>
      values.reduce((all, value, i) => all + value * Number(row[i]), Number(row.at(-1)));
    for (const local of locals) {
      if (local === null) throw new Error('a set with unknowns');
      values.push(Math.floor(valueOf(local.dividend) / Number(local.divisor)));
    }
    return equalities.every((row) => valueOf(row) === 0) && inequalities.every((row) => valueOf(row) >= 0);
  });

const keyOf = (/** @type {readonly unknown[]} */ point) => point.join(',');
let asked = 0;
/** The sets of the case. @type {readonly string[]} */
let drawn = [];
let wrong = 0;

/** @param {string} what @param {unknown} given @param {unknown} expected @param {readonly string[]} texts */
const compare = (what, given, expected, texts) => {
  asked += 1;
  if (given === expected) return;
  wrong += 1;
  console.log(`${what} of ${texts.join(' and ')}: ${String(given)}, not ${String(expected)}`);
};

const one = () => {
  const dims = 1 + below(3);
  const [a, b] = [setOf(dims), setOf(dims)];
  const texts = [a.text, b.text];
  drawn = texts;
  const box = boxOf(dims);
  const [inA, inB] = [new Set(a.points.map(keyOf)), new Set(b.points.map(keyOf))];
  /** @type {(what: string, set: PresburgerSet, holds: Predicate, at?: readonly Point[]) => void} */
  const sameSet = (what, set, holds, at = box) => {
    const exact = withDivisions(set);
    const differing = at.find((point) => has(exact, point) !== holds(point));
    compare(what, differing && `wrong at ${keyOf(differing)}`, undefined, texts);
  };
  const [isInA, isInB] = [inA, inB].map((all) => (/** @type {Point} */ at) => all.has(keyOf(at)));
  if (isInA === undefined || isInB === undefined) throw new Error('two sets');
  const both = a.points.filter(isInB).length;
  const inEither = (/** @type {Point} */ at) => isInA(at) || isInB(at);
  compare('isEmpty', isEmpty(a.set), inA.size === 0, texts);
  const some = sample(a.set)?.dims;
  compare('sample', some === undefined ? inA.size === 0 : inA.has(keyOf(some)), true, texts);
  compare('card', Number(card(a.set)), inA.size, texts);
  compare('isSubset', isSubset(a.set, b.set), both === inA.size, texts);
  compare('isEqual', isEqual(a.set, b.set), both === inA.size && both === inB.size, texts);
  compare('isDisjoint', isDisjoint(a.set, b.set), both === 0, texts);
  sameSet('parseSet', a.set, isInA);
  sameSet('print', parseSet(print(a.set)), isInA);
  sameSet('union', union(a.set, b.set), inEither);
  sameSet('intersect', intersect(a.set, b.set), (at) => isInA(at) && isInB(at));
  sameSet('subtract', subtract(a.set, b.set), (at) => isInA(at) && !isInB(at));
  sameSet('complement', complement(a.set), (at) => !isInA(at));
  sameSet('removeRedundant', removeRedundant(a.set), isInA);
  sameSet('coalesce', coalesce(union(a.set, b.set)), inEither);
  sameSet('gist', intersect(gist(a.set, b.set), b.set), (at) => isInA(at) && isInB(at));
  compare('lexminPoint', keyOf(lexminPoint(a.set) ?? []), keyOf(a.points[0] ?? []), texts);
  compare('lexmaxPoint', keyOf(lexmaxPoint(a.set) ?? []), keyOf(a.points.at(-1) ?? []), texts);
  if (inA.size <= 40) compare('points', points(a.set).map(keyOf).join(' '), [...inA].join(' '), texts);
  const left = new Set(a.points.map((point) => keyOf(point.slice(1))));
  sameSet('project', project(a.set, [0]), (at) => left.has(keyOf(at)), boxOf(dims - 1));
  // Small values, so that the image is in a box that can be looked through.
  const sum = sumOf(dims);
  const divisor = 9;
  const map = parseRelation(
    `{ [${names.slice(0, dims).join(', ')}] -> [floor((${sum.text}) / ${divisor})] }`,
  );
  const valueOf = (/** @type {Point} */ point) => Math.floor(sum.value(point) / divisor);
  const values = new Set(a.points.map(valueOf));
  const line = Array.from({ length: 41 }, (_, i) => [i - 20]);
  sameSet('image', image(a.set, map), ([at = 0]) => values.has(at), line);
  const reached = preimage(image(a.set, map), map);
  sameSet('preimage', intersect(reached, b.set), (at) => isInB(at) && values.has(valueOf(at)));
  sameSet('inverse', image(a.set, inverse(inverse(map))), ([at = 0]) => values.has(at), line);
};

const end = Date.now() + 1000 * seconds;
let done = 0;
let undecided = 0;
while (done < cases && Date.now() < end) {
  done += 1;
  try {
    one();
  } catch (error) {
    if (!isPresburgerError(error) || error.code !== 'presburger/undecided') throw error;
    undecided += 1;
    console.log(`${error.message}: ${drawn.join(' and ')}`);
  }
}
console.log(
  `${done} of ${cases} cases, ${asked} answers, ${wrong} wrong, ${undecided} cases with a question without an answer ` +
    `(seed ${seed})`,
);
if (wrong > 0) process.exitCode = 1;
