// @ts-check
/**
 * A child process that keeps one package's tests warm: vitest starts once, transformed modules are cached, and each
 * request runs some test files against some changed sources. The parent kills it if a mutant hangs.
 */
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadConfigFromFile } from 'vite';
import { createVitest } from 'vitest/node';

/**
 * A source to serve with another text.
 * @typedef {object} ChangedSource
 * @property {string} file absolute path
 * @property {string} text
 */

/**
 * @typedef {object} Request
 * @property {readonly ChangedSource[]} sources
 * @property {readonly string[]} testFiles absolute paths, in the order in which to run them; empty for all
 */

/**
 * @typedef {object} TestFileResult
 * @property {string} path absolute
 * @property {number} milliseconds
 * @property {readonly number[]} reached the probes that its tests reached
 */

/**
 * @typedef {object} Reply
 * @property {string | undefined} failure the first test or file that failed
 * @property {readonly TestFileResult[]} files those that ended
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const packageDirectory = path.join(root, 'packages', String(process.argv[2]));

/** @type {Map<string, string>} The texts of changed sources by path. */
let changed = new Map();
/** @type {string[]} */
let failures = [];
/** @type {TestFileResult[]} */
let files = [];

/** Keeps the requested order of files. */
class GivenOrder {
  /** @template T @param {T[]} given */
  shard(given) {
    return given;
  }
  /** @template T @param {T[]} given */
  sort(given) {
    return given;
  }
}

const loaded = await loadConfigFromFile(
  { command: 'serve', mode: 'test' },
  path.join(root, 'vitest.config.ts'),
);
if (loaded === null) throw new Error('vitest.config.ts is missing');
const { resolve, ssr } = loaded.config;

const vitest = await createVitest(
  'test',
  {
    root: packageDirectory,
    config: false,
    include: ['test/**/*.test.ts'],
    // Random tests draw the same as in `npm test`, so that a sample is reproducible.
    setupFiles: ['../checks/vitest/seed.ts', '../checks/vitest/compare-bytes.ts', 'reached.mjs'].map((file) =>
      fileURLToPath(new URL(file, import.meta.url)),
    ),
    pool: 'threads',
    maxWorkers: 1,
    watch: false,
    bail: 1,
    update: 'none',
    testTimeout: 60_000,
    sequence: { sequencer: GivenOrder },
    reporters: [
      {
        onTestCaseResult(test) {
          if (test.result().state === 'failed')
            failures.push(`${test.module.relativeModuleId} > ${test.fullName}`);
        },
        onTestModuleEnd(module) {
          for (const { message } of module.errors()) failures.push(`${module.relativeModuleId}: ${message}`);
          const meta = /** @type {{ reached?: number[] }} */ (module.meta());
          const { duration, collectDuration } = module.diagnostic();
          files.push({
            path: module.moduleId,
            milliseconds: Math.round(duration + collectDuration),
            reached: meta.reached ?? [],
          });
        },
      },
    ],
    onConsoleLog: () => false,
  },
  {
    ...(resolve === undefined ? {} : { resolve }),
    ...(ssr === undefined ? {} : { ssr }),
    plugins: [
      {
        name: 'mutation',
        enforce: 'pre',
        transform(_, id) {
          const text = changed.get(id.replace(/\?.*$/, ''));
          return text === undefined ? undefined : { code: text, map: null };
        },
      },
    ],
  },
);
await vitest.standalone();
const specifications = await vitest.globTestSpecifications();

/** @type {(request: Request) => Promise<Reply>} */
async function run(request) {
  const before = changed;
  changed = new Map(request.sources.map(({ file, text }) => [file, text]));
  for (const file of new Set([...before.keys(), ...changed.keys()])) vitest.invalidateFile(file);
  failures = [];
  files = [];
  const wanted =
    request.testFiles.length === 0
      ? specifications
      : request.testFiles.flatMap((file) => specifications.filter(({ moduleId }) => moduleId === file));
  const { unhandledErrors } = await vitest.runTestSpecifications(wanted, false);
  return { failure: failures[0] ?? (unhandledErrors.length > 0 ? 'an unhandled error' : undefined), files };
}

process.on('message', (request) => {
  void run(/** @type {Request} */ (request)).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
