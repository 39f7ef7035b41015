/** Writes the codes that a project's tests provoked, sorted, as a JSON array. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Reporter } from 'vitest/node';

export const failureCodesReporter = (path: string): Reporter => ({
  onTestRunEnd: (modules) => {
    const codes = new Set(modules.flatMap((module) => module.meta().failureCodes ?? []));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify([...codes].sort(), undefined, 2)}\n`);
  },
});
