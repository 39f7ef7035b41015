// @ts-check
/** The command: which mutants of a package's sources its own tests detect. See the README. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { killMutants } from './kill.mjs';
import { apply, entryOf, locate, parses } from './list.mjs';
import { guardsOf, mutantsOf, parseSource } from './mutants.mjs';
import { sample } from './sample.mjs';

/** @typedef {import('./kill.mjs').Placed} Placed */
/** @typedef {import('./list.mjs').Entry} Entry */

const usage = `usage: npm run mutate -- [--package NAME]… [--sample N] [--seed N] [--file NAME.ts] [--line N]
                        [--guards | --mutants LIST.json] [--json]

  --package NAME   a folder of packages/; may be repeated; without it all packages
  --sample N       how many mutants of each package (20); with --guards all
  --seed N         repeats a sample
  --file, --line   only mutants of this file, of this line
  --verbose        also the mutants that were killed, and by which test
  --guards         failure guards, each forced never to fire
  --mutants LIST   the mutants of a list: [{ "file", "find", "replace" }]
  --json           one JSON document on stdout`;

const root = fileURLToPath(new URL('../../', import.meta.url));
const options = readOptions();
const equivalents = readList(fileURLToPath(new URL('lists/equivalent.json', import.meta.url)));
const given = options.mutants === undefined ? undefined : readList(path.resolve(options.mutants));

const reports = [];
for (const name of options.packages) {
  try {
    const report = await mutate(name);
    if (report !== undefined) reports.push(report);
  } catch (error) {
    // Continue with the other packages.
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
if (options.json) console.log(JSON.stringify({ version: 1, seed: options.seed, packages: reports }, null, 2));
else if (reports.length > 1) {
  const counted = reports.reduce((sum, report) => sum + report.counted, 0);
  say(`all: killed ${counted - reports.reduce((sum, { alive }) => sum + alive.length, 0)} of ${counted}`);
}

/** @param {string} name of a package */
async function mutate(name) {
  const sources = sourcesOf(name);
  const { candidates, chosen, lost } = choose(name, sources);
  if (chosen.length + lost.length === 0) return undefined;
  say(
    given === undefined
      ? `${name}: ${chosen.length} of ${candidates} mutants, seed ${options.seed}`
      : `${name}: ${chosen.length} given mutants`,
  );
  const { mutants: known, lost: outdated } = locateAll(name, equivalents, sources);
  for (const { file, find, why } of [...lost, ...outdated])
    say(`  lost    ${file}: ${why}: ${oneLine(find)}`);
  const same = new Set(known.map(({ text, mutant }) => apply(text, mutant)));
  const equivalent = chosen.filter(({ text, mutant }) => same.has(apply(text, mutant)));
  const tried = chosen.filter((placed) => !equivalent.includes(placed));
  /** @type {ReturnType<typeof describe>[]} */
  const alive = [];
  let timeouts = 0;
  if (tried.length > 0) {
    await killMutants(name, tried, (index, { status, reached, by }) => {
      const placed = /** @type {Placed} */ (tried[index]);
      if (status === 'timeout') timeouts++;
      if (status === 'alive') alive.push(describe(placed, reached));
      if (status === 'alive' || options.verbose)
        say(
          `  ${status.padEnd(7)} ${sentence(describe(placed, reached))}${by === undefined ? '' : ` (${by})`}`,
        );
    });
  }
  const counted = tried.length;
  const named = equivalent.map((placed) => describe(placed, true)).map(({ file, line }) => `${file}:${line}`);
  say(
    `${name}: killed ${counted - alive.length} of ${counted}` +
      (named.length === 0 ? '' : ` (equivalent: ${named.join(', ')})`),
  );
  return { package: name, candidates, counted, timeouts, alive, equivalent: named, lost };
}

/**
 * The mutants to try.
 * @param {string} name of the package
 * @param {readonly { file: string, text: string }[]} sources
 */
function choose(name, sources) {
  if (given !== undefined) {
    const { mutants, lost } = locateAll(name, given, sources);
    return { candidates: mutants.length, chosen: mutants.filter(isWanted), lost };
  }
  const placed = sources
    .flatMap(({ file, text }) =>
      (options.guards ? guardsOf : mutantsOf)(parseSource(file, text)).map((mutant) => ({
        file,
        text,
        mutant,
      })),
    )
    .filter(isWanted);
  return {
    candidates: placed.length,
    chosen: sample(placed, options.sample, options.seed, ({ text, mutant }) => parses(apply(text, mutant))),
    lost: [],
  };
}

/**
 * The mutants of a package in a list, and the entries that no longer match.
 * @param {string} name
 * @param {readonly Entry[]} entries
 * @param {readonly { file: string, text: string }[]} sources
 */
function locateAll(name, entries, sources) {
  /** @type {Placed[]} */
  const mutants = [];
  /** @type {(Entry & { why: string })[]} */
  const lost = [];
  for (const entry of entries) {
    if (!entry.file.startsWith(`packages/${name}/`)) continue;
    const source = sources.find(({ file }) => file === entry.file);
    const mutant = source === undefined ? 'the file does not exist' : locate(source.text, entry);
    if (source === undefined || typeof mutant === 'string') lost.push({ ...entry, why: String(mutant) });
    else mutants.push({ ...source, mutant });
  }
  return { mutants, lost };
}

/** @param {Placed} placed */
function isWanted({ file, text, mutant }) {
  return (
    (options.file === undefined || file === options.file || path.basename(file) === options.file) &&
    (options.line === undefined || position(text, mutant.start).line === options.line)
  );
}

/** Whether a tool made a source: its text is nobody's to test. @param {string} text */
function isMade(text) {
  return text.slice(0, 500).includes('not to be edited');
}

/** The sources of a package that people write. @param {string} name */
function sourcesOf(name) {
  const folder = `packages/${name}/src`;
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => ({
      file: `${folder}/${file.replaceAll('\\', '/')}`,
      text: readFileSync(path.join(root, folder, file), 'utf8'),
    }))
    .filter(({ text }) => !isMade(text));
}

/**
 * @param {Placed} placed
 * @param {boolean} reached
 */
function describe({ file, text, mutant }, reached) {
  const { line, column } = position(text, mutant.start);
  return {
    line,
    column,
    operator: mutant.operator,
    original: text.slice(mutant.start, mutant.end),
    replacement: mutant.replacement,
    reached,
    ...entryOf(file, text, mutant),
  };
}

/** @param {ReturnType<typeof describe>} mutant */
function sentence({ file, line, column, original, replacement, reached }) {
  const missed = reached ? '' : ' (no test comes here)';
  return `${file}:${line}:${column}  ${oneLine(original)} → ${oneLine(replacement) || 'nothing'}${missed}`;
}

/** @param {string} text */
function oneLine(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 70 ? `${line.slice(0, 67)}…` : line;
}

/**
 * Line and column of an offset, from 1.
 * @param {string} text
 * @param {number} offset
 */
function position(text, offset) {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** Prints for people. @param {string} line */
function say(line) {
  if (!options.json) console.log(line);
}

/** @param {string} file @returns {readonly Entry[]} */
function readList(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        package: { type: 'string', multiple: true },
        sample: { type: 'string' },
        seed: { type: 'string' },
        file: { type: 'string' },
        line: { type: 'string' },
        guards: { type: 'boolean', default: false },
        mutants: { type: 'string' },
        verbose: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const all = readdirSync(path.join(root, 'packages')).sort();
    const unknown = values.package?.find((name) => !all.includes(name));
    if (unknown !== undefined) throw new Error(`no package ${unknown}; there are ${all.join(', ')}`);
    return {
      ...values,
      packages: values.package ?? all,
      sample: number('--sample', values.sample) ?? (values.guards ? Infinity : 20),
      seed: number('--seed', values.seed) ?? Math.floor(Math.random() * 1_000_000),
      line: number('--line', values.line),
    };
  } catch (error) {
    const [message] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    console.error(`tools/mutation/mutate.mjs: ${message}; see --help`);
    process.exit(2);
  }
}

/** @param {string} option @param {string | undefined} text */
function number(option, text) {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`${option} takes a number, not '${text}'`);
  return Number(text);
}
