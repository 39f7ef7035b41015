import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder in `parent` with fake LLVM tools of a release that run `action` on their last argument, `$last`. */
export const fakeTools = (parent: string, action: string, release = 19): string => {
  const folder = mkdtempSync(join(parent, 'tools-'));
  const script = `#!/bin/sh
if [ "$1" = --version ]; then echo "LLVM version ${release}.1.0"; exit 0; fi
for last; do :; done
${action}
`;
  for (const tool of ['mlir-opt', 'mlir-translate', 'clang']) {
    writeFileSync(join(folder, tool), script, { mode: 0o755 });
  }
  return folder;
};

/** A folder in `parent` with a program with this name that runs `action`. */
export const fakeProgram = (parent: string, name: string, action: string): string => {
  const folder = mkdtempSync(join(parent, 'programs-'));
  writeFileSync(join(folder, name), `#!/bin/sh\n${action}\n`, { mode: 0o755 });
  return folder;
};
