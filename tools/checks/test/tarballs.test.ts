/** What would be published: manifests, entry points and types of each tarball. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Problem } from '@arethetypeswrong/core';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { describe, inject, it } from 'vitest';
import { output } from '../support/command.ts';
import type { Manifest } from '../support/packages.ts';
import { readPackages, root } from '../support/packages.ts';

const tarballs = inject('tarballs');

/** The tools that examine tarballs take a second for each; a sixth of them in `npm test`: see CONTRIBUTING.md. */
const isThorough = process.env['THOROUGH'] !== undefined;
const packages = readPackages().map((each, i) => ({ ...each, isExamined: isThorough || i % 6 === 1 }));

/** How CommonJS and TypeScript's oldest resolution find modules, which packages of modules alone leave out. */
const otherResolutions = ['node10', 'node16-cjs'];

describe.concurrent.each(packages)('$name', ({ name, folder, manifest, isExamined }) => {
  const tarball = tarballs[name] ?? '';

  it.runIf(isExamined)('is content with publint', async ({ expect }) => {
    const { buffer } = new Uint8Array(readFileSync(tarball));
    const { messages } = await publint({ pack: { tarball: buffer }, strict: true });
    expect(messages).toEqual([]);
  });
  it.runIf(isExamined)('has types that resolve to the modules that run', async ({ expect }) => {
    const packed = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
    const result = await checkPackage(packed);
    expect(result.types).toMatchObject({ kind: 'included' });
    const problems = result.types === false ? [] : result.problems;
    const ofOthers = (each: Problem): boolean =>
      'resolutionKind' in each && otherResolutions.includes(each.resolutionKind);
    expect(problems.filter((each) => !ofOthers(each))).toEqual([]);
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
    const shared = /^(data\/)?shared\.js$|-parts\.js$|^immer\.js$/;
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
