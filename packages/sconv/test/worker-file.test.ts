import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { installedManifests, workerFile } from '../src/worker-file.ts';

/** A folder of somebody else, in which nothing is installed. */
const folder = mkdtempSync(join(tmpdir(), 'sconv-node-'));
writeFileSync(join(folder, 'package.json'), '{"name":"other"}');
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const foreign = pathToFileURL(join(folder, 'package.json'));

it('is that of the installed package for a bundled program', () => {
  const manifests = installedManifests(join(folder, 'program.js'), import.meta.filename);
  // A bundler that copies the manifest does not copy the worker.
  const copied = pathToFileURL(join(folder, 'copied.json'));
  writeFileSync(copied, '{"name":"sconv"}');
  const file = workerFile([foreign, copied, ...manifests]);
  expect(file.pathname).toMatch(/\/sconv\/bin\/worker\.js$/);
  expect(existsSync(file)).toBe(true);
});

it('is missed by name where the package is not installed', () => {
  const manifests = [foreign, ...installedManifests(join(folder, 'program.js'))];
  expect(() => workerFile(manifests)).toThrow(
    expect.objectContaining({ diagnostics: [expect.objectContaining({ code: 'sconv/no-worker-file' })] }),
  );
});
