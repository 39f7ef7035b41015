// @ts-check
/** Runs a package's own tests against mutants of its sources. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apply } from './list.mjs';
import { parseSource } from './mutants.mjs';
import { probePoint } from './probe-point.mjs';
import { openSession } from './session.mjs';

/** @typedef {import('./mutants.mjs').Mutant} Mutant */

/**
 * A mutant and its source.
 * @typedef {object} Placed
 * @property {Mutant} mutant
 * @property {string} file from the root of the repository
 * @property {string} text of the file
 */

/**
 * @typedef {object} Outcome
 * @property {'killed' | 'timeout' | 'alive'} status
 * @property {string | undefined} by the test that failed
 * @property {boolean} reached whether any test reaches the code
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Timeout in milliseconds of starting and running the unchanged tests. */
const patience = 8 * 60_000;

/**
 * Runs a package's own tests against mutants, one by one, each with the test files that reach it.
 * @param {string} packageName
 * @param {readonly Placed[]} mutants
 * @param {(index: number, outcome: Outcome) => void} report called as each is known
 */
export async function killMutants(packageName, mutants, report) {
  const session = openSession(packageName);
  try {
    // 1. The unchanged code, with a probe before each mutant.
    const probed = await session.run({ sources: withProbes(mutants), testFiles: [] }, patience);
    if (probed === 'timeout') throw new Error(`the tests of ${packageName} take too long`);
    if (probed.failure !== undefined)
      throw new Error(`the tests of ${packageName} fail as they stand: ${probed.failure}`);

    // 2. Each mutant with the files that reached its probe: the file of the same name first, then the fast ones.
    for (const [index, { mutant, file, text }] of mutants.entries()) {
      const namesake = `${path.basename(file, '.ts')}.test.ts`;
      const suites = probed.files
        .filter(({ reached }) => reached.includes(index))
        .sort((a, b) => rank(a) - rank(b));
      /** @type {(suite: import('./runner.mjs').TestFileResult) => number} */
      function rank(suite) {
        return path.basename(suite.path) === namesake ? -1 : suite.milliseconds;
      }
      if (suites.length === 0) {
        report(index, { status: 'alive', by: undefined, reached: false });
        continue;
      }
      const usual = suites.reduce((sum, suite) => sum + suite.milliseconds, 0);
      const reply = await session.run(
        {
          sources: [{ file: path.join(root, file), text: apply(text, mutant) }],
          testFiles: suites.map((suite) => suite.path),
        },
        // Other work on the machine makes runs several times slower.
        20_000 + 4 * usual,
      );
      if (reply === 'timeout') report(index, { status: 'timeout', by: undefined, reached: true });
      else
        report(index, {
          status: reply.failure === undefined ? 'alive' : 'killed',
          by: reply.failure,
          reached: true,
        });
    }
  } finally {
    await session.close();
  }
}

/**
 * The sources of the mutants, unchanged except for a probe before each.
 * @param {readonly Placed[]} mutants
 */
function withProbes(mutants) {
  const texts = new Map(mutants.map(({ file, text }) => [file, text]));
  return [...texts].map(([file, text]) => {
    const source = parseSource(file, text);
    const insertions = mutants.flatMap((placed, index) => {
      if (placed.file !== file) return [];
      const { at, close } = probePoint(source, placed.mutant.start, placed.mutant.end);
      const probe = `globalThis.__reached?.add(${index})`;
      if (close === undefined) return [{ at, text: `${probe};` }];
      return [
        { at, text: `(${probe}, ` },
        { at: close, text: ')' },
      ];
    });
    // From last to first, so that offsets of earlier ones remain valid.
    insertions.sort((a, b) => b.at - a.at);
    const probed = insertions.reduce((so, { at, text: by }) => so.slice(0, at) + by + so.slice(at), text);
    return { file: path.join(root, file), text: probed };
  });
}
