// @ts-check
/**
 * A child process that holds one package's test files ready: vitest is started once, its transformed modules stay, and
 * each request runs some test files against sources with some texts exchanged. The parent kills it when a mutant hangs.
 */
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadConfigFromFile } from 'vite';
import { createVitest } from 'vitest/node';

/**
 * Text to put in place of a source's text between two offsets.
 * @typedef {object} SourceEdit
 * @property {string} file absolute path
 * @property {number} start
 * @property {number} end
 * @property {string} text
 */

/**
 * @typedef {object} Request
 * @property {readonly SourceEdit[]} edits not overlapping
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

/** @type {Map<string, SourceEdit[]>} */
let edits = new Map();
/** @type {string[]} */
let failures = [];
/** @type {TestFileResult[]} */
let files = [];

/** Keeps the order in which the files were asked for. */
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
    setupFiles: [fileURLToPath(new URL('reached.mjs', import.meta.url))],
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
        transform(code, id) {
          const changes = edits.get(id.replace(/\?.*$/, ''));
          if (changes === undefined) return undefined;
          const last = [...changes].sort((a, b) => b.start - a.start || b.end - a.end);
          return {
            code: last.reduce(
              (text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end),
              code,
            ),
            map: null,
          };
        },
      },
    ],
  },
);
await vitest.standalone();
const specifications = await vitest.globTestSpecifications();

/** @type {(request: Request) => Promise<Reply>} */
async function run(request) {
  const before = edits;
  edits = new Map();
  for (const edit of request.edits) edits.set(edit.file, [...(edits.get(edit.file) ?? []), edit]);
  for (const file of new Set([...before.keys(), ...edits.keys()])) vitest.invalidateFile(file);
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
