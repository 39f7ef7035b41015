import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Backend } from '@sconv/backend';
import { unwrap } from '@sconv/diagnostics';
import { avx2, neon } from '@sconv/targets';
import { wasmBackend } from '@sconv/wasm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compileModel, saveModel } from '../../src/model.ts';
import type { LoadModelOptions, LoadProgress } from '../../src/load.ts';
import { nodeLoaders } from '../../src/load-node.ts';
import { loadModel } from '../../src/load.ts';
import { nodeBackends } from '../../src/node.ts';
import { printManifest, readManifest } from '../../src/program/manifest.ts';
import { writeProgram } from '../../src/program/write-program.ts';
import { temporaryFolder } from '../support/capture.ts';
import { smallImage, smallModel, smallSizes } from '../support/small-model.ts';
import { workers } from '../support/workers.ts';

const model = unwrap(await compileModel(smallModel(), { inputs: smallSizes, threads: 2, workers }));
const saved = unwrap(await saveModel(model, { threads: 2 }));
const image = smallImage();
const expected = await model.run({ image });
model.dispose();

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (manifest: string): Uint8Array => new TextEncoder().encode(manifest);
const manifest = text(saved['program.json']!);
const program = unwrap(readManifest(manifest, 'program.json'));
const { code, weights } = program;
const totalBytes = code.bytes + weights.bytes;

/** The files in a folder. */
const folderWith = (files = saved): string => {
  const folder = join(temporaryFolder(), 'net');
  unwrap(writeProgram(folder, files));
  return folder;
};

/** Serves files, of which a part may be held back, at an address. */
const serve = async (files: Readonly<Record<string, Uint8Array>>, heldBack = ''): Promise<string> => {
  const server = createServer(({ url = '' }, response) => {
    const name = url.slice('/net/'.length);
    const file = files[name];
    const type = name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
    if (file === undefined) response.writeHead(404, 'gone').end();
    else if (name === heldBack) response.writeHead(200, { 'content-length': file.length }).write('1');
    else response.writeHead(200, { 'content-type': type }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/net`;
};

describe('a saved program', () => {
  it.each([
    ['its files', () => saved],
    [
      'blobs of them',
      () =>
        Object.fromEntries(Object.entries(saved).map(([name, bytes]) => [name, new Blob([bytes.slice()])])),
    ],
    ['the path of its folder', folderWith],
    ['the address of its folder', () => pathToFileURL(folderWith())],
    ['its address', () => serve(saved)],
    ['its address with a slash', async () => new URL(`${await serve(saved)}/`)],
  ])('is loaded from %s, and computes what the model does', async (_, given) => {
    const told: LoadProgress[] = [];
    const loading = loadModel(await given(), { onProgress: (progress) => told.push(progress) });
    const loaded = unwrap(await loading);
    expect(loaded.inputs).toEqual([{ name: 'image', shape: [1, 3, 10, 12], type: { name: 'float' } }]);
    expect(loaded.outputs.map(({ name }) => name)).toEqual(['y']);
    for (let call = 0; call < 2; call += 1) expect(await loaded.run({ image })).toEqual(expected);
    expect(() => loaded.runSync({ picture: image })).toThrow("no input 'picture'");
    loaded.dispose();
    expect(() => loaded.runSync({ image })).toThrow('disposed');
    expect(told.at(-1)).toEqual({ bytes: totalBytes, totalBytes });
    expect(told.map(({ bytes }) => bytes)).toEqual(told.map(({ bytes }) => bytes).sort((a, b) => a - b));
  });

  it('runs on threads', async () => {
    const loaded = unwrap(await loadModel(saved, { threads: 2, workers }));
    expect(await loaded.run({ image })).toEqual(expected);
    loaded.dispose();
  });

  it('has the weights once, packed where they are packed', () => {
    const { constants } = program.description as {
      readonly constants: readonly { readonly bytes: number }[];
    };
    const bytes = constants.reduce((sum, each) => sum + each.bytes, 0);
    expect(weights.bytes).toBeGreaterThanOrEqual(bytes);
    expect(weights.bytes).toBeLessThan(1.1 * bytes + 64 * constants.length);
  });
});

const hasLlvm =
  process.platform === 'linux' &&
  ['x64', 'arm64'].includes(process.arch) &&
  ['mlir-opt-19', 'mlir-translate-19', 'clang-19'].every(
    (tool) => spawnSync(tool, ['--version']).status === 0,
  );

it.runIf(hasLlvm)('natively computes what the model does, too', async () => {
  const target = process.arch === 'arm64' ? neon : avx2;
  const native = unwrap(
    await compileModel(smallModel(), { inputs: smallSizes, target, backends: nodeBackends }),
  );
  const files = unwrap(await saveModel(native));
  for (const given of [files, folderWith(files)]) {
    const loaded = unwrap(await loadModel(given, { loaders: nodeLoaders }));
    expect(loaded.target).toBe(target.name);
    for (let call = 0; call < 2; call += 1)
      expect(await loaded.run({ image })).toEqual(await native.run({ image }));
    loaded.dispose();
  }
});

const changed = (change: (manifest: string) => string) => ({
  ...saved,
  'program.json': bytesOf(change(manifest)),
});
const without = (name: string) => Object.fromEntries(Object.entries(saved).filter(([each]) => each !== name));
const damagedCode = saved[code.name]!.slice();
damagedCode.fill(0xff, 20);

describe('a load fails', () => {
  it.each([
    ['without a manifest', without('program.json'), 'program/unreadable', 'not among the files'],
    ['without code', without(code.name), 'program/unreadable', 'not among the files'],
    ['without weights', without(weights.name), 'program/unreadable', 'not among the files'],
    ['for no manifest', changed(() => '<html>'), 'program/foreign', 'no manifest'],
    ['for a number', changed(() => '7'), 'program/foreign', 'no manifest'],
    ['for null', changed(() => 'null'), 'program/foreign', 'no manifest'],
    ['for a manifest of others', changed(() => '{"name":"net"}'), 'program/foreign', 'no manifest'],
    ['for half a manifest', changed((all) => all.slice(0, 400)), 'program/foreign', 'no manifest'],
    [
      'for a newer one',
      changed((all) => all.replace('"version": 1', '"version": 9')),
      'program/version',
      '9',
    ],
    [
      'for one without a program',
      changed((all) => all.replace('"program"', '"other"')),
      'program/damaged',
      '',
    ],
    [
      'for one that lies about a size',
      changed((all) => all.replace(`"bytes": ${weights.bytes}`, `"bytes": ${weights.bytes + 1}`)),
      'program/damaged',
      'not as it was written',
    ],
    [
      'for one that lies about an input',
      changed((all) => all.replace('"length": 360', '"length": 36')),
      'program/damaged',
      'not as it was written',
    ],
    [
      'for weights that are cut off',
      { ...saved, [weights.name]: saved[weights.name]!.slice(0, -4) },
      'program/size',
      `has ${weights.bytes - 4} bytes, not ${weights.bytes}`,
    ],
    [
      'for more weights',
      { ...saved, [weights.name]: new Uint8Array(weights.bytes + 4) },
      'program/size',
      'has more bytes',
    ],
    [
      'for code that is cut off',
      { ...saved, [code.name]: saved[code.name]!.slice(0, -1) },
      'program/size',
      `has ${code.bytes - 1} bytes`,
    ],
    ['for damaged code', { ...saved, [code.name]: damagedCode }, 'wasm/not-compiled', ''],
    [
      'for weights of another size than the code takes',
      {
        ...saved,
        'program.json': bytesOf(printManifest({ ...program, weights: { ...weights, bytes: 1 } })),
      },
      'program/size',
      'not 1',
    ],
    [
      'for code of another backend',
      { ...saved, 'program.json': bytesOf(printManifest({ ...program, backend: 'native' })) },
      'program/loader',
      'nodeLoaders of sconv/load-node',
    ],
  ])('%s', async (_, files: Readonly<Record<string, Uint8Array>>, failure, message) => {
    const failed = { status: 'definite', diagnostics: [{ code: failure, location: {} }] };
    const folder = temporaryFolder();
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    for (const given of [files, folder, await serve(files)]) {
      const result = await loadModel(given);
      expect(result).toMatchObject(failed);
      if (given === files) expect(result.diagnostics[0]!.message).toContain(message);
    }
  });

  it('where there is no folder', async () => {
    const missing = join(temporaryFolder(), 'none');
    expect(await loadModel(missing)).toMatchObject({
      diagnostics: [
        { code: 'program/unreadable', location: { file: join(missing, 'program.json'), line: 1 } },
      ],
    });
  });

  it.each([['program.json'], [code.name], [weights.name]])(
    'when it is stopped, while %s arrives',
    async (name) => {
      const stop = new AbortController();
      const loading = loadModel(await serve(saved, name), { signal: stop.signal });
      setTimeout(() => {
        stop.abort();
      }, 50);
      expect(await loading).toMatchObject({ diagnostics: [{ code: 'program/aborted' }] });
      expect(await loadModel(saved, { signal: stop.signal })).toMatchObject({
        diagnostics: [{ code: 'program/aborted' }],
      });
    },
  );

  it.each([
    [7, {}, 'a program is given by its folder, address or files, not 7'],
    ['http://', {}, "'http://' is no address"],
    [saved, { threads: 0 }, "'threads' is a number from 1, not 0"],
    [saved, { workers: 1 }, "'workers' is a function that makes a worker, not 1"],
    [saved, { loaders: 1 }, "'loaders' is a list of loaders, not 1"],
    [saved, { onProgress: 1 }, "'onProgress' is a function, not 1"],
    [saved, { signal: 1 }, "'signal' is an AbortSignal, not 1"],
  ])('for what is no program or option: %#', async (given, options, message) => {
    const result = await loadModel(given as string, options as LoadModelOptions);
    expect(result).toMatchObject({ status: 'definite', diagnostics: [{ code: 'program/option' }] });
    expect(result.diagnostics[0]!.message).toContain(message);
  });

  it('where nobody serves', async () => {
    expect(await loadModel('http://127.0.0.1:1/')).toMatchObject({
      diagnostics: [{ code: 'program/unreadable' }],
    });
  });
});

it('is not saved by a backend that saves nothing', async () => {
  const saving = Object.entries(wasmBackend).filter(([name]) => name !== 'save');
  // All but a method that is optional; entries have no types of their own.
  const backend = Object.fromEntries(saving) as unknown as Backend;
  const other = { ...model, compiled: { ...model.compiled, backend } };
  expect(await saveModel(other)).toMatchObject({ diagnostics: [{ code: 'sconv/no-save' }] });
});

it('is written over another one, whose files go', () => {
  const folder = folderWith();
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const other = { ...without(weights.name), 'weights-0000000000000000.bin': new Uint8Array(3) };
  unwrap(writeProgram(folder, other));
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
  expect(() => readFileSync(join(folder, weights.name))).toThrow('ENOENT');
  expect(readFileSync(join(folder, 'weights-0000000000000000.bin'))).toHaveLength(3);
});

it('leaves the program in a folder as it is where it cannot be replaced', async () => {
  const folder = folderWith();
  const before = readdirSync(folder);
  // What is in the way of the manifest.
  const other = {
    ...saved,
    'weights-0000000000000000.bin': new Uint8Array(3),
    [`${code.name}/x`]: new Uint8Array(1),
  };
  expect(writeProgram(folder, other)).toMatchObject({ diagnostics: [{ code: 'sconv/cannot-write' }] });
  expect(readdirSync(folder)).toEqual(before);
  expect((await loadModel(folder)).status).toBe('success');
});
