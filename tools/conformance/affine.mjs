/**
 * Scores the algebra on upstream's affine tests:
 *
 *   node tools/conformance/affine.mjs --corpus DIR [--tests DIR]
 *
 * DIR of `--corpus` holds chunks of upstream tests (`dev/<id>/input.mlir` with `expected.generic.mlir`, what mlir-opt
 * prints; `dev-reject/<id>/input.mlir` with `expected.stderr`), `--tests` the stand-alone tests with their RUN and
 * CHECK lines. Of the files named below, four things are scored:
 *
 *   print     every map and set of the input parses, and prints as mlir-opt prints it;
 *   refuse    a bad map or set is refused at the same line, with the same message;
 *   simplify  every map simplifies to the text that mlir-opt gives, or is listed as different: then ours is
 *             equivalent to the input, and at least as small or mlir-opt's is not (needs mlir-opt-19, else skipped);
 *   apply     every affine.apply of function arguments and of other applies becomes a map or a constant that the
 *             test's CHECK lines name.
 *
 * Exits with 1 if anything fails that is not in `knownWrong`. Needs the packages built.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  compressUnusedDims,
  compressUnusedSymbols,
  constant,
  equivalent,
  isAffineError,
  isIdentity,
  makeMap,
  parseMapPrefix,
  parseSetPrefix,
  printMap,
  printSet,
  simplify,
  substitute,
  symbol,
  usedSymbols,
} from '@sconv/affine';
import { commandLine, refuse } from '../command-line.mjs';
import { findMlirOpt, judge, simplifyWithMlir } from './mlir-opt.mjs';

/** Upstream's tests of the algebra: tier A, stage 2, and the maps and sets of stage 1. */
const files = [
  'IR.affine-map',
  'IR.affine-set',
  'IR.invalid-affinemap',
  'Dialect.Affine.simplify-structures',
  'Dialect.Affine.affine-expand-index-ops',
  'Dialect.Affine.decompose-affine-ops',
  'Dialect.Affine.canonicalize',
];

/**
 * Wrong results in upstream's tests, identified by their value: the check finds a point at which the original map and
 * the expectation differ.
 */
const knownWrong = [
  // Sums of quotients by a symbol are divided term by term: at s0 = 3 the quotient is 46, not 47.
  { apply: '()[s0] -> ((((s0 * 2) ceildiv 4) * 5 + s0 * 42) ceildiv s0)', expected: '() -> (47)' },
];

const { values: options } = commandLine('--corpus DIR [--tests DIR]', {
  corpus: { type: 'string' },
  tests: { type: 'string' },
});
if (options.corpus === undefined) refuse('--corpus DIR is missing');

const score = { print: new Map(), refuse: new Map(), simplify: new Map(), apply: new Map() };
const failures = [];
const excused = [];
const differences = [];

function record(kind, file, passed, message) {
  const tally = score[kind].get(file) ?? { passed: 0, total: 0 };
  tally.total += 1;
  if (passed) tally.passed += 1;
  else failures.push(`${kind} ${file}: ${message()}`);
  score[kind].set(file, tally);
}

/**
 * Every parseable `affine_map<…>` and `affine_set<…>` of a text, as `{ text, print, map | set }`, ignoring comments.
 */
function attributesOf(text) {
  const found = [];
  const code = text.replaceAll(/\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length));
  for (const match of code.matchAll(/affine_(map|set)</g)) {
    const start = match.index + match[0].length;
    try {
      if (match[1] === 'map') {
        const { map, end } = parseMapPrefix(code, start);
        found.push({
          text: code.slice(start, end),
          printed: printMap(map),
          map,
          start: match.index,
          end: end + 1,
        });
      } else {
        const { set, end } = parseSetPrefix(code, start);
        found.push({
          text: code.slice(start, end),
          printed: printSet(set),
          set,
          start: match.index,
          end: end + 1,
        });
      }
    } catch (error) {
      if (!isAffineError(error)) throw error;
      found.push({ text: code.slice(start, start + 80), error, start: match.index, end: start });
    }
  }
  return found;
}

const chunksOf = (folder) =>
  readdirSync(folder)
    .filter((id) => files.some((file) => id.startsWith(`${file}.`)))
    .sort()
    .map((id) => ({ id, file: id.replace(/\.\d+$/, ''), folder: join(folder, id) }));

function scorePrint({ id, file, folder }) {
  const expected = new Set(
    attributesOf(readFileSync(join(folder, 'expected.generic.mlir'), 'utf8')).flatMap(({ text, printed }) => {
      record('print', file, text === printed, () => `${id}: ${text} prints as ${printed}`);
      return [text];
    }),
  );
  const attributes = attributesOf(readFileSync(join(folder, 'input.mlir'), 'utf8'));
  for (const { text, printed, map, error } of attributes) {
    // mlir-opt omits identity layouts of memrefs.
    const passed =
      error === undefined && (expected.has(printed) || (map !== undefined && isIdentityLayout(map)));
    record(
      'print',
      file,
      passed,
      () => `${id}: ${text}: ${error?.message ?? `${printed} is not what mlir-opt prints`}`,
    );
  }
  return attributes;
}

function isIdentityLayout({ numDims, results }) {
  return isIdentity(makeMap(numDims, 0, results));
}

function scoreRefusal({ id, file, folder }) {
  const input = readFileSync(join(folder, 'input.mlir'), 'utf8');
  const stderr = readFileSync(join(folder, 'expected.stderr'), 'utf8');
  const [, line, message] = /:(\d+):\d+: error: (.*)/.exec(stderr) ?? [];
  const bad = attributesOf(input).find(({ error }) => error !== undefined);
  // A mistake after the map, such as a missing '>', is not the algebra's.
  if (bad === undefined && /'>'/.test(message ?? '')) return;
  const found = bad && { line: lineOf(input, bad.error.offset ?? 0), message: bad.error.message };
  record('refuse', file, found?.line === Number(line) && found.message.startsWith(message), () => {
    const ours = found ? `${found.line}: ${found.message}` : 'accepted';
    return `${id}: ${ours}, but mlir-opt says ${line}: ${message}`;
  });
}

/** The line of an offset, from 1. */
function lineOf(text, offset) {
  return text.slice(0, offset).split('\n').length;
}

/** The applies of a test that depend only on function arguments, constants and other applies, as maps of symbols. */
function appliesOf(source) {
  const aliases = new Map();
  for (const match of source.matchAll(/^(#[\w$.]+)\s*=\s*affine_map</gm)) {
    aliases.set(match[1], parseMapPrefix(source, match.index + match[0].length).map);
  }
  const applies = [];
  for (const [, header, body] of source.matchAll(/^func\.func (@[^\n]*\{)\n([\s\S]*?)^\}/gm)) {
    const leaves = [...header.matchAll(/(%[\w$.]+): index/g)].map((match) => match[1]);
    const values = new Map(leaves.map((leaf, i) => [leaf, { expr: symbol(i) }]));
    for (const match of body.matchAll(/^ {2}(%[\w$.]+) = arith\.constant (-?\d+) : index/gm)) {
      values.set(match[1], { expr: constant(Number(match[2])) });
    }
    for (const match of body.matchAll(/^ {2}(%[\w$.]+) = affine\.apply\s*(#[\w$.]+|affine_map<)/gm)) {
      let end = match.index + match[0].length;
      let map = aliases.get(match[2]);
      if (map === undefined) ({ map, end } = parseMapPrefix(body, end));
      const operands = /^>?\s*\(([^)]*)\)\s*(?:\[([^\]]*)\])?/.exec(body.slice(end));
      if (map?.results.length !== 1 || operands === null) continue;
      const [dims, symbols] = [operands[1], operands[2] ?? ''].map((list) => list.match(/%[\w$.#]+/g) ?? []);
      const known = [...dims, ...symbols].map((name) => values.get(name)?.expr);
      if (known.includes(undefined)) continue;
      const expr = substitute(map.results[0], {
        dims: known.slice(0, dims.length),
        symbols: known.slice(dims.length),
      });
      values.set(match[1], { expr });
      applies.push({ name: match[1], order: [...symbols, ...dims], leaves, expr });
    }
  }
  return applies;
}

/**
 * What canonicalization leaves of an apply: simplified, without unused symbols, with the operands in any possible
 * order.
 */
function canonicalForms({ expr, leaves, order }) {
  const used = usedSymbols(expr).map((position) => leaves[position]);
  const listed = [...new Set([...order.filter((leaf) => used.includes(leaf)), ...used])];
  const orders = used.length <= 5 ? permutations(used) : [listed, used];
  return orders.map((names) => {
    const symbols = leaves.map((leaf) => (names.includes(leaf) ? symbol(names.indexOf(leaf)) : undefined));
    const renamed = substitute(expr, { symbols });
    const simplified = simplify(makeMap(0, Math.max(names.length, 0), [renamed]));
    return printMap(compressUnusedSymbols(compressUnusedDims(simplified)));
  });
}

function permutations(items) {
  if (items.length <= 1) return [items];
  return items.flatMap((item, i) =>
    permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
  );
}

/** The maps and constants in CHECK lines. */
function expectations(source) {
  const checks = source.match(/\/\/\s*CHECK[^\n]*/g)?.join('\n') ?? '';
  const maps = new Set();
  for (const match of checks.matchAll(/(?:affine_map<)?(\([^<>]*?\)(?:\[[^\]]*\])?) -> \(/g)) {
    try {
      const start = match.index + match[0].indexOf('(');
      maps.add(printMap(parseMapPrefix(checks, start).map));
    } catch {
      // A pattern rather than a map.
    }
  }
  for (const match of checks.matchAll(/arith\.constant (-?\d+)/g)) maps.add(`() -> (${match[1]})`);
  for (const match of checks.matchAll(/-> (\(s\d[^<>]*\))>?/g)) maps.add(`… -> ${match[1]}`);
  return maps;
}

function scoreApplies(file, source, name) {
  if (!/-affine-simplify-structures|-canonicalize/.test(source)) return;
  const expected = expectations(source);
  for (const apply of appliesOf(source)) {
    const forms = canonicalForms(apply);
    const matches = (form) => expected.has(form) || expected.has(`…${form.slice(form.indexOf(' ->'))}`);
    // An apply with a single value is replaced by it; one used only by another apply is composed into that.
    const vanishes =
      /-> \(s0\)$/.test(forms[0] ?? '') ||
      new RegExp(`${apply.name}\\b[^\\n]*\\n[\\s\\S]*affine\\.apply[^\\n]*${apply.name}\\b`).test(source);
    if (vanishes && !forms.some(matches)) continue;
    const wrong = knownWrong.find((known) => isKnownWrong(known, apply, expected));
    if (wrong !== undefined) {
      excused.push(
        `apply ${file}: ${name}: upstream expects ${wrong.expected} of ${wrong.apply}, which is wrong`,
      );
      continue;
    }
    record(
      'apply',
      file,
      forms.some(matches),
      () => `${name}: ${forms[0]} is not among ${[...expected].join(' | ')}`,
    );
  }
}

function isKnownWrong({ apply, expected }, { expr, leaves }, named) {
  if (!named.has(expected)) return false;
  const { map } = parseMapPrefix(apply, 0);
  const mine = compressUnusedSymbols(makeMap(0, leaves.length, [expr]));
  const before = map.numSymbols === mine.numSymbols && equivalent(mine, map).equivalent;
  const domain = { s0: [1, 50] };
  const claimed = makeMap(0, mine.numSymbols, parseMapPrefix(expected, 0).map.results);
  return before && !equivalent(mine, claimed, { domain }).equivalent;
}

const everyMap = [];
for (const chunk of chunksOf(join(options.corpus, 'dev'))) {
  const attributes = scorePrint(chunk);
  for (const { map } of attributes) if (map !== undefined) everyMap.push({ ...chunk, map });
}
for (const chunk of chunksOf(join(options.corpus, 'dev-reject'))) scoreRefusal(chunk);

const mlirOpt = findMlirOpt();
if (mlirOpt === undefined) {
  console.log('SKIPPED simplify: mlir-opt-19 is not installed');
} else {
  const theirs = simplifyWithMlir(
    mlirOpt,
    everyMap.map(({ map }) => printMap(map)),
  );
  everyMap.forEach(({ id, file, map }, i) => {
    const judgement = judge(map, printMap(simplify(map)), theirs[i]);
    if (judgement.same === false && judgement.passed)
      differences.push(`simplify ${file}: ${id}: ${judgement.text}`);
    record('simplify', file, judgement.passed, () => `${id}: ${judgement.text}`);
  });
}

if (options.tests === undefined) {
  console.log('SKIPPED apply: no --tests DIR');
} else {
  for (const file of files) {
    const folder = join(options.tests, ...file.split('.').slice(0, -1));
    for (const name of readdirSync(folder).sort()) {
      if (!name.startsWith(`${file.split('.').at(-1)}.`)) continue;
      scoreApplies(file, readFileSync(join(folder, name), 'utf8'), name);
    }
  }
}

for (const message of failures) console.log(`FAILED ${message}`);
for (const message of differences) console.log(`DIFFERENT ${message}`);
for (const message of excused) console.log(`EXCUSED ${message}`);
for (const [kind, perFile] of Object.entries(score)) {
  for (const [file, { passed, total }] of perFile)
    console.log(`${kind.padEnd(9)}${file.padEnd(42)}${passed} of ${total}`);
}
const all = Object.values(score).flatMap((perFile) => [...perFile.values()]);
const sum = (key) => all.reduce((total, tally) => total + tally[key], 0);
console.log(`total    ${''.padEnd(42)}${sum('passed')} of ${sum('total')}`);
process.exitCode = failures.length > 0 ? 1 : 0;
