/** Writes the codes that the tests of each project provoked, sorted, as a JSON array: `<project>.json` in a folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';

export const failureCodesReporter = (folder: string): Reporter => ({
  onTestRunEnd: (modules) => {
    const byProject = new Map<string, Set<string>>();
    for (const module of modules) {
      const codes = byProject.get(module.project.name) ?? new Set();
      for (const code of module.meta().failureCodes ?? []) codes.add(code);
      byProject.set(module.project.name, codes);
    }
    mkdirSync(folder, { recursive: true });
    for (const [project, codes] of byProject)
      writeFileSync(join(folder, `${project}.json`), `${JSON.stringify([...codes].sort(), undefined, 2)}\n`);
  },
});
