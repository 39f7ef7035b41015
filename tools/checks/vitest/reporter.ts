/** Writes the codes that the tests of each folder provoked, sorted, as a JSON array: `<its name>.json` in a folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';

export const failureCodesReporter = (folder: string): Reporter => ({
  onTestRunEnd: (modules) => {
    const byOwner = new Map<string, Set<string>>();
    for (const module of modules) {
      const [, owner = module.project.name] =
        /\/(?:packages|tools)\/([^/]+)\/test\//.exec(module.moduleId) ?? [];
      const codes = byOwner.get(owner) ?? new Set();
      for (const code of module.meta().failureCodes ?? []) codes.add(code);
      byOwner.set(owner, codes);
    }
    mkdirSync(folder, { recursive: true });
    for (const [owner, codes] of byOwner)
      writeFileSync(join(folder, `${owner}.json`), `${JSON.stringify([...codes].sort(), undefined, 2)}\n`);
  },
});
