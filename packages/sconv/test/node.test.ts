import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nodeWorkers } from '../src/node.ts';
import { packageFile } from '../src/package-file.ts';

vi.mock('../src/package-file.ts', { spy: true });

describe('nodeWorkers of a bundled program', () => {
  it('come from the installed package, or are missing by name', async () => {
    // What a bundle gets: a folder of somebody else.
    const folder = mkdtempSync(join(tmpdir(), 'sconv-node-'));
    const [program] = process.argv.splice(1, 1, join(folder, 'program.js')) as [string];
    vi.mocked(packageFile).mockReturnValue(new URL(`file://${folder}/package.json`));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
      process.argv[1] = program;
    });
    const worker = nodeWorkers();
    worker.terminate();
    // Vitest's threads cannot change their working folder.
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
    onTestFinished(() => {
      cwd.mockRestore();
    });
    expect(nodeWorkers).toThrow(
      expect.objectContaining({ diagnostics: [expect.objectContaining({ code: 'sconv/no-worker-file' })] }),
    );
  });
});
