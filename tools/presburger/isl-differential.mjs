// @ts-check
/**
 * Random sets and relations through @sconv/presburger and through isl:
 *
 *   node tools/presburger/isl-differential.mjs [--class A] [--cases 1000] [--undecided] [--seed N]
 *
 * Of each case two sets are compared in emptiness, equality, subset, lexicographic minimum, difference and number of
 * points; what isl prints is read here, and what is printed here is read by isl. Lists every disagreement with its
 * case, and how often either side did not decide, with `--undecided` what was not decided here, and for how long
 * each took in the median: the question alone, and with the reading of the sets; after a SIGTERM or SIGINT, for the
 * cases that were asked until then. Exits with 1 for a disagreement. Prints SKIPPED without isl
 * (`tools/setup-isl.sh`). Needs the packages built.
 */
import { setImmediate } from 'node:timers/promises';
import {
  card,
  isEmpty,
  isEqual,
  isPresburgerError,
  isSubset,
  lexmin,
  parseUnion,
  print,
  subtract,
} from '@sconv/presburger';
import { choiceOf, commandLine, numberOf } from '../command-line.mjs';
import { findIsl } from './isl.mjs';
import { classes, randomCase, randomFrom } from './random-sets.mjs';

/** @typedef {import('@sconv/presburger').PresburgerUnion} Union */

const names = /** @type {const} */ (['A', 'B', 'C']);
const { values: options } = commandLine(
  '[--class A] [--cases 1000] [--undecided] [--seed N]\nclasses: ' +
    names.map((name) => `${name}: ${JSON.stringify(classes[name])}`).join(', '),
  {
    class: { type: 'string', default: 'A' },
    cases: { type: 'string', default: '1000' },
    undecided: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(1 + (Date.now() % 2 ** 31)) },
  },
);
const bounds = classes[choiceOf('class', options.class, names)];
const [cases, seed] = [numberOf('cases', options.cases), numberOf('seed', options.seed)];

const askIsl = findIsl();
if (askIsl === undefined) {
  console.log('SKIPPED: isl is not installed');
  process.exit(0);
}

const word = (/** @type {boolean} */ answer) => (answer ? 'yes' : 'no');

/**
 * What is asked of both, by isl's name. A set is answered as its text.
 *
 * @type {Record<string, (a: Union, b: Union) => string>}
 */
const questions = {
  empty: (a) => word(isEmpty(a)),
  equal: (a, b) => word(isEqual(a, b)),
  subset: (a, b) => word(isSubset(a, b)),
  lexmin: (a) => print(lexmin(a)),
  subtract: (a, b) => print(subtract(a, b)),
  count: (a) => String(card(a)),
};
const setValued = new Set(['lexmin', 'subtract']);

/** Nanoseconds of a call, and its result or the code of its error. */
const timed = (/** @type {() => string} */ compute) => {
  const start = process.hrtime.bigint();
  let result;
  try {
    result = compute();
  } catch (error) {
    if (!isPresburgerError(error)) throw error;
    result = error.code;
  }
  return { result, time: Number(process.hrtime.bigint() - start) };
};

/** The fastest of three runs on sets that are read anew. */
const ask = (/** @type {string} */ question, /** @type {readonly string[]} */ sets) => {
  let [time, reading, result] = [Infinity, Infinity, ''];
  for (let run = 0; run < 3; run++) {
    const start = process.hrtime.bigint();
    const [a, b = a] = sets.map(parseUnion);
    reading = Math.min(reading, Number(process.hrtime.bigint() - start));
    const answer = timed(() => questions[question]?.(a, b) ?? '');
    time = Math.min(time, answer.time);
    result = answer.result;
    if (answer.time > 100e6) break;
  }
  return { text: result, time, reading };
};

const median = (/** @type {number[]} */ values) =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/**
 * @type {Map<string, { asked: number, ours: number[], isls: number[], ourReading: number[], islReading: number[],
 * undecided: number, islUndecided: number, wrong: number }>}
 */
const tallies = new Map();
const tallyOf = (/** @type {string} */ question) => {
  const tally = tallies.get(question) ?? {
    ...{ asked: 0, undecided: 0, islUndecided: 0, wrong: 0 },
    ...{ ours: [], isls: [], ourReading: [], islReading: [] },
  };
  tallies.set(question, tally);
  return tally;
};

const disagree = (/** @type {string} */ question, /** @type {readonly string[]} */ lines) => {
  tallyOf(question).wrong += 1;
  console.log([`DISAGREES: ${question}`, ...lines].join('\n  '));
};

const undecided = (/** @type {string} */ question, /** @type {readonly string[]} */ sets) => {
  tallyOf(question).undecided += 1;
  if (options.undecided) console.log([`UNDECIDED: ${question}`, ...sets].join('\n  '));
};

let isStopped = false;
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => {
    isStopped = true;
  });

const random = randomFrom(seed);
const slowest = { time: 0, question: '' };
for (let done = 0; done < cases && !isStopped; done += 20) {
  const batch = Array.from({ length: Math.min(20, cases - done) }, () => randomCase(random, bounds)).flatMap(
    ({ a, b, counted }) => [
      ['empty', a],
      ['equal', a, b],
      ['subset', b, a],
      ['lexmin', a],
      ['subtract', a, b],
      ['count', counted],
      ['print', a],
    ],
  );
  const answers = askIsl(batch);
  /** Sets that have to be equal: what it is about, the question, and the two texts. */
  /** @type {{ question: string, about: readonly string[], pair: [string, string] }[]} */
  const pairs = [];
  for (const [i, [question = '', ...sets]] of batch.entries()) {
    // Signals arrive between questions.
    await setImmediate();
    if (isStopped) break;
    const isl = answers[i];
    if (isl === undefined || isl.text === 'error') {
      disagree(question, ['isl does not read the set', ...sets]);
      continue;
    }
    const tally = tallyOf(question);
    tally.asked += 1;
    if (question === 'print') {
      const [set = ''] = sets;
      const reread = timed(() => word(isEqual(parseUnion(set), parseUnion(isl.text))));
      if (reread.result === 'presburger/undecided') undecided(question, [set, isl.text]);
      else if (reread.result !== 'yes') disagree(question, [set, `read from isl: ${isl.text}`]);
      pairs.push({ question, about: [set], pair: [set, print(parseUnion(set))] });
      continue;
    }
    const ours = ask(question, sets);
    if (ours.time > slowest.time)
      Object.assign(slowest, { time: ours.time, question: `${question} of ${sets.join(', ')}` });
    const islDecides = isl.text !== 'undecided';
    if (!islDecides) tally.islUndecided += 1;
    if (ours.text === 'presburger/undecided') undecided(question, sets);
    // isl fails where there is no minimum.
    else if (!islDecides && ours.text === 'presburger/unbounded') continue;
    else if (islDecides) {
      tally.ours.push(ours.time);
      tally.isls.push(isl.time);
      tally.ourReading.push(ours.time + ours.reading);
      tally.islReading.push(isl.time + isl.reading);
      if (ours.text.startsWith('presburger/')) disagree(question, [...sets, ours.text, `isl: ${isl.text}`]);
      else if (setValued.has(question)) pairs.push({ question, about: sets, pair: [ours.text, isl.text] });
      else if (ours.text !== isl.text)
        disagree(question, [...sets, `ours: ${ours.text}`, `isl: ${isl.text}`]);
    }
  }
  askIsl(pairs.map(({ pair }) => ['equal', ...pair])).forEach(({ text }, i) => {
    const { question, about, pair } = pairs[i] ?? { question: '', about: [], pair: ['', ''] };
    if (text === 'undecided') tallyOf(question).islUndecided += 1;
    else if (text !== 'yes') disagree(question, [...about, `ours: ${pair[0]}`, `isl: ${pair[1]} (${text})`]);
  });
}

const micro = (/** @type {number} */ time) => `${(time / 1000).toFixed(1)} µs`;
console.log(
  `class ${options.class}, seed ${seed}: ${cases} cases${isStopped ? ', stopped before the last' : ''}`,
);
let wrong = 0;
for (const [question, tally] of tallies) {
  const [ours, isls] = [median(tally.ours), median(tally.isls)];
  const [ourAll, islAll] = [median(tally.ourReading), median(tally.islReading)];
  const times = Number.isNaN(ours)
    ? ''
    : `, median ${micro(ours)} to ${micro(isls)}, ${(ours / isls).toFixed(2)} times isl's` +
      `; with reading ${micro(ourAll)} to ${micro(islAll)}, ${(ourAll / islAll).toFixed(2)} times`;
  const { asked, undecided, islUndecided } = tally;
  console.log(
    `${question}: ${asked} asked, ${tally.wrong} disagree, ${undecided} undecided, ${islUndecided} by isl${times}`,
  );
  wrong += tally.wrong;
}
console.log(`the longest question took ${(slowest.time / 1e9).toFixed(2)} s: ${slowest.question}`);
process.exit(wrong > 0 ? 1 : 0);
