/** What would be published: manifests, entry points and types of each tarball. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, inject, it } from 'vitest';
import { output, run, tool } from '../support/command.ts';
import type { Manifest } from '../support/packages.ts';
import { readPackages, root } from '../support/packages.ts';

const tarballs = inject('tarballs');

describe.concurrent.each(readPackages())('$name', ({ name, folder, manifest }) => {
  const tarball = tarballs[name] ?? '';

  it('is content with publint', async ({ expect }) => {
    const { code, stdout } = await run(root, tool('publint'), tarball, '--strict');
    expect({ code, stdout }).toEqual({ code: 0, stdout });
    expect(stdout).toContain('All good!');
  });
  it('has types that resolve to the modules that run', async ({ expect }) => {
    const { code, stdout } = await run(root, tool('attw'), tarball, '--profile', 'esm-only', '--no-emoji');
    expect({ code, stdout }).toEqual({ code: 0, stdout });
  });
  it('holds sources, their types and the joined modules, nothing else', async ({ expect }) => {
    const listed = await output(root, 'tar', '-tzf', tarball);
    const files = listed.trim().split('\n');
    expect(
      files.filter(
        (file) =>
          !/^package\/((src|dist|bundle|bin)\/|convbench\/[a-z]+\.txt$|[a-z]+\.irdl\.mlir$|package\.json$|README\.md$|LICENSE$)/.test(
            file,
          ),
      ),
    ).toEqual([]);
    const below = (pattern: RegExp): readonly string[] =>
      files.flatMap((file) => pattern.exec(file)?.[1] ?? []).sort();
    const modules = below(/^package\/src\/(.*)\.ts$/);
    expect(below(/^package\/dist\/(.*)\.d\.ts$/)).toEqual(modules);
    expect(below(/^package\/dist\/(.*\.js)$/)).toEqual([]);
    // The modules of the entry points, and what several of them share.
    const targets = Object.values(manifest.exports).flatMap((target) =>
      Object.values(target as Record<string, string>).filter((path) => path.includes('/bundle/')),
    );
    const entries = targets.map((path) => path.slice('./bundle/'.length)).sort();
    const shared = /^(data\/)?shared\.js$|^immer\.js$/;
    expect(below(/^package\/bundle\/(.*\.js)$/).filter((file) => !shared.test(file))).toEqual(entries);
  });
  it('says where it comes from, and on what terms it may be used', async ({ expect }) => {
    const read = (file: string): Promise<string> => output(root, 'tar', '-xzOf', tarball, `package/${file}`);
    expect(await read('LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    const { keywords, homepage, bugs, repository } = JSON.parse(await read('package.json')) as Manifest;
    expect(keywords?.length).toBeGreaterThan(2);
    const directory = relative(root, folder);
    const url = 'https://github.com/sconv/sconv';
    expect({ homepage, bugs, repository }).toEqual({
      homepage: `${url}/tree/main/${directory}#readme`,
      bugs: { url: `${url}/issues` },
      repository: { type: 'git', url: `git+${url}.git`, directory },
    });
  });
});
