/** Whether what was made of files is still what would be made of them. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The time when a file, or anything in a folder, was changed last: also when a file was removed from it.
 *
 * @returns {number}
 */
const lastChange = (/** @type {string} */ path) => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return Infinity;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path).reduce(
    (last, name) => Math.max(last, lastChange(join(path, name))),
    stats.mtimeMs,
  );
};

/** Whether all outputs are there, and newer than all inputs, which are files and folders. */
export const areNewer = (
  /** @type {readonly string[]} */ outputs,
  /** @type {readonly string[]} */ inputs,
) => {
  const last = Math.max(...inputs.map(lastChange));
  return outputs.every((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity) > last);
};
