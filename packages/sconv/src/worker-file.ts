/** Where the file of Node's workers is, also for a bundled program, which has other files around it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DiagnosticError, error } from '@sconv/diagnostics';

/**
 * Where the package's manifest is if it is installed for these files. Bundlers take `require.resolve` for their own.
 */
export const installedManifests = (...files: readonly string[]): readonly URL[] =>
  files.flatMap((file) =>
    foldersAround(resolve(file)).map((folder) =>
      pathToFileURL(join(folder, 'node_modules/sconv/package.json')),
    ),
  );

/** The folders that a path is in, the innermost first. */
const foldersAround = (path: string): readonly string[] => {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAround(folder)];
};

/** Whether a manifest is that of this package. */
const isOwn = (manifest: URL): boolean => {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: string }).name === 'sconv';
  } catch {
    return false;
  }
};

/** The worker's file of the first of these manifests that is this package's, and not a bundler's copy. */
export const workerFile = (manifests: readonly URL[]): URL => {
  const file = manifests
    .filter(isOwn)
    .map((manifest) => new URL('bin/worker.js', manifest))
    .find((each) => existsSync(each));
  if (file !== undefined) return file;
  const message =
    'this program is bundled, and sconv is not installed next to it: install it, or pass as workers' +
    ' () => asWorker(new Worker(file)), with a file of yours that calls serveWorker(parentPort) of @sconv/wasm/worker';
  throw new DiagnosticError([
    error('sconv/no-worker-file', message, { kind: 'name', name: 'nodeWorkers', child: { kind: 'unknown' } }),
  ]);
};
