// @ts-check
/** Set-up of a test file: reports which probes it reached. Without probes in the sources it reports none. */
import { afterEach } from 'vitest';

/** @type {Set<number>} */
const reached = new Set();
Object.assign(globalThis, { __reached: reached });

afterEach(({ task }) => {
  Object.assign(task.file.meta, { reached: [...reached] });
});
