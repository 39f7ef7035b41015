/** Set-up of every test file: attaches the codes created during its run to its results. */
import { afterEach } from 'vitest';

declare module '@vitest/runner' {
  interface TaskMeta {
    failureCodes?: readonly string[];
  }
}

const codes = new Set<string>();

Object.assign(globalThis, {
  recordFailureCode: (code: unknown) => {
    if (typeof code === 'string') codes.add(code);
    return code;
  },
});

afterEach(({ task }) => {
  task.file.meta.failureCodes = [...codes];
});
