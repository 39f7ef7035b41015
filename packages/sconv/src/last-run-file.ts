/** The last run of a schedule as a language server reads it: from the trace beside the schedule. */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { LastRun } from '@sconv/language';
import { readLastRun } from '@sconv/language';

/** Larger traces are not read: an editor waits for the answer. */
const mostBytes = 2 ** 26;

/**
 * Finds the last run of the schedule in a file, `tiles.mlir` say, in `tiles.trace.json` beside it. Undefined where
 * there is none, or where it is of another text than the one given. A trace is read again when its file has changed.
 */
export const lastRunFiles = (): ((uri: string, text: string) => LastRun | undefined) => {
  const known = new Map<string, { readonly state: string; readonly run: LastRun | undefined }>();
  return (uri, text) => {
    if (!/^file:.*\.mlir$/.test(uri)) return undefined;
    try {
      const path = fileURLToPath(uri).replace(/\.mlir$/, '.trace.json');
      const { mtimeMs, size } = statSync(path);
      if (size > mostBytes) return undefined;
      const state = `${mtimeMs} ${size} ${text}`;
      const last = known.get(path);
      if (last?.state === state) return last.run;
      const run = readLastRun(readFileSync(path, 'utf8'), text);
      known.set(path, { state, run });
      return run;
    } catch {
      // There is no trace, or none that may be read.
      return undefined;
    }
  };
};
