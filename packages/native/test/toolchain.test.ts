import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { findToolchain } from '../src/index.ts';

const tools = ['mlir-opt', 'mlir-translate', 'clang'];

/** A folder with tools that log when they are asked for their version. */
const toolFolder = (): { readonly folder: string; readonly asked: () => number } => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-toolchain-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const log = join(folder, 'log');
  writeFileSync(log, '');
  for (const tool of tools) {
    writeFileSync(join(folder, tool), `#!/bin/sh\necho >> ${log}\necho "LLVM version 19.1.0"\n`, {
      mode: 0o755,
    });
  }
  return { folder, asked: () => readFileSync(log, 'utf8').length };
};

beforeEach(() => () => vi.unstubAllEnvs());

it('asks each tool for its version once, also for several callers', async () => {
  const { folder, asked } = toolFolder();
  vi.stubEnv('SCONV_LLVM', folder);
  const paths = Object.fromEntries(tools.map((tool) => [tool, join(folder, tool)]));
  const version = 'version 19.1.0, version 19.1.0, version 19.1.0';
  const found = await Promise.all([findToolchain(), findToolchain()]);
  expect([...found, await findToolchain()]).toEqual(Array(3).fill({ paths, version }));
  expect(asked()).toBe(3);
});

it('searches again in other folders, and where a tool is missing', async () => {
  const [first, second] = [toolFolder(), toolFolder()];
  vi.stubEnv('SCONV_LLVM', first.folder);
  await findToolchain();
  vi.stubEnv('SCONV_LLVM', second.folder);
  await findToolchain();
  expect([first.asked(), second.asked()]).toEqual([3, 3]);
  const clang = join(second.folder, 'clang');
  const script = readFileSync(clang);
  rmSync(clang);
  expect(await findToolchain()).toEqual(['clang']);
  writeFileSync(clang, script, { mode: 0o755 });
  expect(await findToolchain()).toHaveProperty('paths');
  expect([first.asked(), second.asked()]).toEqual([3, 3 + 2 + 3]);
});
