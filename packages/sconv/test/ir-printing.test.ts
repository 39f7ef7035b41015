import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDumpFolder } from '../src/opt/ir-printing.ts';
import { temporaryFolder } from './support/capture.ts';

const dump = (number: number) => ({ number, name: 'pass', text: `module { ${number} }` });

it('dumps are files of a folder that is made for them', () => {
  const path = join(temporaryFolder(), 'a', 'b');
  const folder = createDumpFolder(path);
  folder.write(dump(0));
  folder.write(dump(1));
  expect(folder.written().status).toBe('success');
  expect(readFileSync(join(path, 'builtin_module_no-symbol-name', '1_pass.mlir'), 'utf8')).toBe(
    'module { 1 }',
  );
});

it('after a dump that could not be written, no more are', () => {
  const path = join(temporaryFolder(), 'a');
  writeFileSync(path, 'a file');
  const folder = createDumpFolder(path);
  folder.write(dump(0));
  rmSync(path);
  mkdirSync(path);
  folder.write(dump(1));
  expect(folder.written()).toMatchObject({
    status: 'definite',
    diagnostics: [{ code: 'sconv/cannot-write' }],
  });
  expect(() => readFileSync(join(path, 'builtin_module_no-symbol-name', '1_pass.mlir'))).toThrow('ENOENT');
});
