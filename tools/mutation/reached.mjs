// @ts-check
/** Set-up of a test file: reports the probes that it reached, if the sources have any. */
import { afterEach } from 'vitest';

/** @type {Set<number>} */
const reached = new Set();
Object.assign(globalThis, { __reached: reached });

afterEach(({ task }) => {
  Object.assign(task.file.meta, { reached: [...reached] });
});
