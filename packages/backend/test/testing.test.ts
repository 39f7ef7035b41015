import { mapSuccess, success, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry } from '@sconv/ir';
import { wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { createArtifact } from '../src/index.ts';
import type { Artifact, ArtifactCore, Backend } from '../src/index.ts';
import { backendLaws } from '../src/testing.ts';
import { coreOf, scriptBackend } from './script-backend.ts';

const registry = createRegistry(payloadDialects);

const subject = (backend: Backend) => ({ backend, target: wasm, registry });

describe('a backend that keeps the laws', () => {
  it.each(backendLaws)('passes: $name', ({ check }) => check(subject(scriptBackend)));

  it('need not load at once', async () => {
    const { name, serves, emit, load } = scriptBackend;
    for (const { check } of backendLaws) await check(subject({ name, serves, emit, load }));
  });
});

/** The laws that a backend breaks, by the words that begin their names. */
const broken = async (backend: Backend): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const { name, check } of backendLaws) {
    await check(subject(backend)).catch(() => found.push(name));
  }
  return found;
};

/** The backend, with what becomes of the artifacts that it loads. */
const loading = (change: (artifact: Artifact) => Artifact): Backend => {
  const loadSync: NonNullable<Backend['loadSync']> = (emitted, options) =>
    mapSuccess(scriptBackend.loadSync(emitted, options), change);
  return {
    ...scriptBackend,
    loadSync,
    load: (emitted, options) => Promise.resolve().then(() => loadSync(emitted, options)),
  };
};

const withCore = (change: (core: ArtifactCore) => Partial<ArtifactCore>): Backend =>
  loading(() => {
    const core = coreOf();
    return createArtifact({ ...core, ...change(core) });
  });

const shared = coreOf();

describe('a backend that breaks a law', () => {
  it.each<[string, Backend, string]>([
    [
      'emits what is different each time',
      {
        ...scriptBackend,
        emit: (module, options) => {
          const emitted = unwrap(scriptBackend.emit(module, options));
          return success({ ...emitted, id: Math.random() });
        },
      },
      'what is emitted depends',
    ],
    ['emits for another', { ...scriptBackend, name: 'other' }, 'what is emitted depends'],
    [
      'emits what is no data',
      {
        ...scriptBackend,
        emit: (module, options) => success({ ...unwrap(scriptBackend.emit(module, options)), f: () => 0 }),
      },
      'what is emitted is data',
    ],
    [
      'takes any code',
      {
        ...scriptBackend,
        load: (emitted, options) => scriptBackend.load({ ...emitted, backend: 'script' }, options),
      },
      'code of another backend',
    ],
    [
      'takes any code at once',
      {
        ...scriptBackend,
        loadSync: (emitted, options) => scriptBackend.loadSync({ ...emitted, backend: 'script' }, options),
      },
      'code of another backend',
    ],
    [
      'does not ask the signal',
      { ...scriptBackend, load: (emitted) => scriptBackend.load(emitted) },
      'a load that',
    ],
    [
      'computes something else',
      withCore((core) => ({ call: (name, values) => core.call(name, [...values].reverse()) })),
      'loading at once',
    ],
    [
      'returns no numbers',
      withCore((core) => ({
        call: (name, values) => (name === 'add' ? success([0]) : core.call(name, values)),
      })),
      'numbers are',
    ],
    [
      'gives arrays that are not empty',
      withCore((core) => ({
        allocate: (element, length) => {
          const array = core.allocate(element, length);
          (array as Float32Array).fill(1);
          return array;
        },
      })),
      'arrays that are allocated',
    ],
    [
      'returns copies',
      withCore((core) => ({
        call: (name, values) => {
          const [result] = unwrap(core.call(name, values));
          return success([typeof result === 'object' ? result.slice() : result!]);
        },
      })),
      'arrays of the caller',
    ],
    [
      'lets outputs share memory',
      withCore((core) => ({
        call: (name, values) =>
          core.call(
            name,
            values.map((value) => (typeof value === 'object' ? value.slice() : value)),
          ),
      })),
      'arrays that are only read',
    ],
    [
      'keeps the arrays of the caller',
      loading((artifact) => ({
        ...artifact,
        bind: (name, constants) => {
          const bound = artifact.bind(name, constants);
          return {
            ...bound,
            run: (...values) =>
              values.length === 2
                ? artifact.run(name, values[0]!, constants[1]!, values[1]!)
                : bound.run(...values),
          };
        },
      })),
      'what is bound',
    ],
    [
      'has one memory for all',
      withCore(() => ({ call: (name, values) => shared.call(name, values) })),
      'artifacts of the same code',
    ],
    ['works on', loading((artifact) => ({ ...artifact, dispose: () => undefined })), 'disposing twice'],
    ['takes nothing back', withCore(() => ({ release: () => undefined })), 'constants that are'],
  ])('fails: %s', async (_, backend, law) => {
    expect(await broken(backend)).toContainEqual(expect.stringMatching(`^${law}`));
  });
});
