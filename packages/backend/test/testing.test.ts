import { payloadDialects } from '@sconv/dialects';
import { createRegistry } from '@sconv/ir';
import { wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import type { ArtifactCore, Backend, RunValue } from '../src/index.ts';
import { createArtifact } from '../src/index.ts';
import { backendLaws } from '../src/testing.ts';
import {
  binding,
  calling,
  copied,
  emitting,
  filled,
  forgetting,
  goneTogether,
  isArray,
  keeping,
  knowingItsOwn,
  loading,
  mapped,
  mixing,
  once,
  passing,
  withCore,
  wrong,
  zeros,
} from './changed-backends.ts';
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

/** The violations that laws whose names start with `words` report for a backend. */
const complaintsOf = async (backend: Backend, words: string): Promise<readonly string[]> => {
  const said: string[] = [];
  for (const { name, check } of backendLaws) {
    if (!name.startsWith(words)) continue;
    await check(subject(backend)).catch((problem: unknown) => said.push(String(problem)));
  }
  return said;
};

/** Fractions and what is no number are 0. */
const integerOf = (value: RunValue): bigint =>
  typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value)) || 0);

const shared = coreOf();
const oneArray = zeros();

/** The artifact that allocated each array. */
const owners = new WeakMap<RunValue & object, ArtifactCore>();

/** A mutation, and the messages of the laws that it violates, by prefix of the law's name. */
type Broken = readonly [does: string, backend: Backend, complaints: Readonly<Record<string, string>>];

describe('a backend that breaks a law', () => {
  it.each<Broken>([
    [
      'emits what is different each time',
      emitting((emitted) => Object.assign({ id: Math.random() }, emitted)),
      { 'what is emitted depends': 'emitted again: ' },
    ],
    [
      'emits for another',
      { ...scriptBackend, name: 'other' },
      { 'what is emitted depends': 'backend: "script", not "other"' },
    ],
    [
      'leaves a function out',
      emitting((emitted) => ({ ...emitted, functions: emitted.functions.slice(1) })),
      { 'what is emitted depends': 'functions: ["same"' },
    ],
    [
      'emits what is no data',
      emitting((emitted) => Object.assign({ f: () => 0 }, emitted)),
      { 'what is emitted is data': '() => 0 could not be cloned' },
    ],
    [
      'makes something else of a copy',
      knowingItsOwn(),
      { 'what is emitted is data': 'loaded from a copy: ' },
    ],
    [
      'computes something else when it loads at once',
      { ...wrong, load: (emitted) => scriptBackend.load(emitted) },
      { 'loading at once': 'loaded at once: ' },
    ],
    [
      'computes something else when it does not',
      { ...wrong, loadSync: (emitted) => scriptBackend.loadSync(emitted) },
      { 'loading at once': 'loaded: ' },
    ],
    [
      'takes any code',
      {
        ...scriptBackend,
        load: (emitted, options) => scriptBackend.load({ ...emitted, backend: 'script' }, options),
      },
      { 'code of another': "load: undefined, not a TypeError with /'another'/" },
    ],
    [
      'takes any code at once',
      {
        ...scriptBackend,
        loadSync: (emitted, options) => scriptBackend.loadSync({ ...emitted, backend: 'script' }, options),
      },
      { 'code of another': "loadSync: undefined, not a TypeError with /'another'/" },
    ],
    [
      'refuses code by another error',
      { ...scriptBackend, load: () => Promise.reject(new Error("'another'")) },
      { 'code of another': "load: Error: 'another', not a TypeError" },
    ],
    [
      'refuses code without its name',
      { ...scriptBackend, load: () => Promise.reject(new TypeError('no')) },
      { 'code of another': 'load: TypeError: no, not a TypeError' },
    ],
    [
      'does not ask the signal',
      { ...scriptBackend, load: (emitted) => scriptBackend.load(emitted) },
      { 'a load that is aborted': 'status: "success", not "definite"' },
    ],

    [
      'returns no numbers',
      calling((name, values, run) => (name === 'add' ? [0] : run(values))),
      { 'numbers are passed': 'add: [0], not [2.5]' },
    ],
    [
      'binds no numbers',
      binding((bind) => ({ run: (...values) => bind({ 0: 0 }).run(...values) })),
      { 'numbers are passed': 'add, bound: [0.25], not [4.25]' },
    ],
    [
      'takes integers of its own kind only',
      loading((artifact) => ({
        run: (name, ...values) => {
          if (name === 'count' && typeof values[0] !== 'bigint') throw new TypeError('not a bigint');
          return artifact.run(name, ...values);
        },
      })),
      { 'integers are passed': 'not a bigint' },
    ],
    [
      'wraps integers',
      loading((artifact) => ({
        run: (name, ...values) =>
          artifact.run(
            name,
            ...(name === 'count' ? values.map((v) => BigInt.asIntN(32, integerOf(v))) : values),
          ),
      })),
      { 'integers are passed': 'count of the greatest: ["-1n"], not ["9223372036854775807n"]' },
    ],
    [
      'rounds the first of several numbers',
      loading((artifact) => ({
        run: (name, ...values) => {
          const [a, ...others] = values;
          return artifact.run(
            name,
            ...(name === 'count' ? [BigInt.asIntN(64, integerOf(a!)), ...others] : values),
          );
        },
      })),
      { 'integers are passed': 'a value: undefined, not a RangeError with /argument 0' },
    ],
    [
      'wraps only what is too large',
      loading((artifact) => ({
        run: (name, ...values) => {
          const [a, b, c] = values as [number, number, number];
          return artifact.run(name, ...(name === 'count' && b > 2 ** 30 ? [a, b | 0, c] : values));
        },
      })),
      { 'integers are passed': 'a value: undefined, not a RangeError with /argument 1' },
    ],
    [
      'gives arrays that are not empty',
      withCore((core) => ({ allocate: (element, length) => filled(core.allocate(element, length), 1) })),
      { 'arrays that are allocated': 'new arrays: ' },
    ],
    [
      'returns copies',
      calling((_, values, run) => run(values).map(copied)),
      {
        'arrays that are allocated': 'result: not the very array',
        'arrays of the caller': 'result: ',
        'what is bound': 'result: ',
      },
    ],
    [
      'does not write',
      mixing((mix) => (x, y, o) => {
        mix(x, y, o.slice());
        return o;
      }),
      {
        'arrays that are allocated': 'output: [0,0,0,0], not [51,62,73,84]',
        'arrays of the caller': 'output: ',
        'arrays that are only read': 'inputs that overlap: ',
      },
    ],
    [
      'writes into its inputs what comes to the same',
      mixing((mix) => (x, y, o) => {
        x.forEach((value, i) => (x[i] = value - 10));
        y.forEach((value, i) => (y[i] = value + 1));
        return mix(x, y, o);
      }),
      { 'arrays that are allocated': 'inputs: [[-19,-18,-17,-16],[7,8,9,10]]' },
    ],
    [
      'takes no inputs that share memory',
      mixing((mix) => (x, y, o) => (x.buffer === y.buffer ? o : mix(x, y, o))),
      { 'arrays of the caller': 'second output: ', 'arrays that are only read': 'inputs that overlap: ' },
    ],
    [
      'clears what is passed twice',
      mixing((mix) => (x, y, o) => {
        mix(x, y, o);
        if (x === y) x.fill(0);
        return o;
      }),
      { 'arrays of the caller': 'first output: ' },
    ],
    [
      'lets outputs share memory',
      mixing((mix) => (x, y, o) => {
        o.set(mix(x.slice(), y.slice(), o.slice()));
        return o;
      }),
      { 'arrays that are only read': 'output: undefined, not a RangeError with /share memory/' },
    ],

    [
      'takes too few arguments',
      passing((values) => (values.length < 2 ? [zeros(), zeros(), zeros()] : values)),
      { 'values that do not fit': 'a value: undefined, not a TypeError with /takes 3' },
    ],
    [
      'takes arrays that are too long',
      passing((values) => values.map((value) => (isArray(value) ? value.subarray(0, 4) : value))),
      { 'values that do not fit': 'a value: undefined, not a RangeError with /5 elements' },
    ],
    [
      'takes arrays of another type',
      passing((values) => values.map((value) => (value instanceof Int32Array ? zeros() : value))),
      { 'values that do not fit': 'a value: undefined, not a TypeError with /Int32Array' },
    ],
    [
      'takes numbers for arrays',
      passing((values, name) =>
        name === 'mix' ? values.map((value) => (value === 1 ? zeros() : value)) : values,
      ),
      { 'values that do not fit': 'a value: undefined, not a TypeError with /is not an array' },
    ],
    [
      'takes bigints for numbers',
      passing((values) => values.map((value) => (typeof value === 'bigint' ? Number(value) : value))),
      { 'values that do not fit': 'a value: undefined, not a TypeError with /is not a number' },
    ],
    [
      'has functions of any name',
      loading((artifact) => ({
        run: (name, ...values) => (name === 'other' ? [] : artifact.run(name, ...values)),
      })),
      { 'values that do not fit': 'a value: undefined, not a RangeError with /no function' },
    ],
    [
      'binds functions of any name',
      loading((artifact) => ({
        bind: (name, constants) => artifact.bind(name === 'other' ? 'mix' : name, constants),
      })),
      { 'values that do not fit': 'bind: undefined, not a RangeError with /no function' },
    ],

    [
      'keeps the arrays of the caller',
      binding((bind, constants) => ({ run: (...values) => bind(constants).run(...values) })),
      { 'what is bound': 'output: ' },
    ],
    [
      'binds no second constant',
      loading((artifact) => ({
        bind: (name, constants) =>
          artifact.bind(name, 0 in constants && 1 in constants ? { ...constants, 1: zeros() } : constants),
      })),
      { 'what is bound': 'output of another: ' },
    ],
    [
      'forgets constants after a run',
      binding((bind, constants) => forgetting(bind(constants), bind(mapped(constants, zeros)))),
      { 'what is bound': 'output of the second run: ' },
    ],
    [
      'says that nothing is bound',
      binding((_, _constants, name) => ({ signature: shared.functions.find((each) => each.name === name)! })),
      { 'what is bound': 'parameters that are left: 3, not 2' },
    ],
    [
      'lets arguments be left out',
      binding((bind, constants) => {
        const bound = bind(constants);
        const count = bound.signature.parameters.length;
        return { run: (...values) => (values.length < count ? [] : bound.run(...values)) };
      }),
      { 'what is bound': 'call: undefined, not a TypeError with /takes 2' },
    ],
    [
      'binds constants for all',
      loading((artifact) => {
        let last: Readonly<Record<number, RunValue>> = {};
        return {
          bind: (name, constants) => artifact.bind(name, (last = mapped(constants, copied))),
          run: (name, ...values) => artifact.run(name, ...values.map((value, i) => last[i] ?? value)),
        };
      }),
      { 'what is bound': 'the function itself: ' },
    ],
    [
      'returns its constants',
      binding((_, constants) => {
        const own = mapped(constants, copied);
        return { run: () => [own[0]!] };
      }),
      { 'a constant cannot': 'second result: [[0,0,0,0]]' },
    ],
    [
      'binds what is written',
      loading((artifact) => ({
        bind: (name, constants) => artifact.bind(name, 2 in constants ? {} : constants),
      })),
      { 'what cannot stay': 'bind: undefined, not a RangeError with /may be written/' },
    ],
    [
      'binds arguments that it has not',
      loading((artifact) => ({
        bind: (name, constants) => artifact.bind(name, 3 in constants ? {} : constants),
      })),
      { 'what cannot stay': 'bind: undefined, not a RangeError with /has no argument 3' },
    ],
    [
      'binds arrays of another length',
      loading((artifact) => ({
        bind: (name, constants) =>
          artifact.bind(
            name,
            mapped(constants, (value) =>
              isArray(value) ? Float32Array.of(...value, 0).subarray(0, 4) : value,
            ),
          ),
      })),
      { 'what cannot stay': 'bind: undefined, not a RangeError with /3 elements' },
    ],

    [
      'calls at once what it says it cannot',
      loading(() => ({ onlyAsync: true })),
      { 'where calls are only': 'what is called at once: [], not ["backend/only-async"]' },
    ],
    [
      'gives all artifacts the same arrays',
      withCore(() => ({ allocate: () => oneArray as never })),
      { 'artifacts of the same code': 'array of the other: ' },
    ],
    [
      'has one memory for all',
      withCore(() => ({ call: (name, values) => shared.call(name, values) })),
      { 'artifacts of the same code': 'result of the first: ' },
    ],
    [
      'is gone with another',
      goneTogether(),
      { 'artifacts of the same code': 'the artifact was disposed of' },
    ],
    [
      'takes no arrays of another artifact',
      withCore((core) => ({
        allocate: (element, length) => {
          const array = core.allocate(element, length);
          owners.set(array, core);
          return array;
        },
        call: (name, values) =>
          core.call(
            name,
            values.map((value) => (isArray(value) && (owners.get(value) ?? core) !== core ? zeros() : value)),
          ),
      })),
      { 'artifacts of the same code': 'output: [0,0,0,0], not [1,1,1,1]' },
    ],

    [
      'allocates on',
      keeping('allocate'),
      { 'disposing twice': 'allocate: undefined, not a Error with /disposed/' },
    ],
    ['binds on', keeping('bind'), { 'disposing twice': 'bind: undefined' }],
    ['calls on', keeping('call'), { 'disposing twice': 'call: undefined' }],
    ['runs on', keeping('run'), { 'disposing twice': 'run: undefined' }],
    [
      'calls on what is bound',
      binding((_, constants, name) => {
        const bound = createArtifact(coreOf()).bind(name, constants);
        return { call: (...values) => bound.call(...values) };
      }),
      {
        'disposing twice': 'a call of what is bound: undefined',
        'constants that are disposed': 'call: undefined',
      },
    ],
    [
      'runs on what is bound',
      binding((_, constants, name) => {
        const bound = createArtifact(coreOf()).bind(name, constants);
        return { run: (...values) => bound.run(...values) };
      }),
      { 'disposing twice': 'a run of what is bound: undefined' },
    ],
    [
      'forgets its functions',
      loading((artifact) => {
        const functions = [...artifact.functions];
        return {
          functions,
          dispose: () => {
            functions.length = 0;
            artifact.dispose();
          },
        };
      }),
      { 'disposing twice': 'functions: 0, not 5' },
    ],
    [
      'cannot be disposed of twice',
      loading((artifact) => ({ dispose: once(() => artifact.dispose()) })),
      { 'disposing twice': 'a second time' },
    ],
    [
      'keeps constants',
      binding(() => ({
        dispose: () => {
          throw new Error('not possible');
        },
      })),
      { 'disposing twice': 'not possible' },
    ],
    [
      'cannot dispose of constants twice',
      binding((bind, constants) => {
        const bound = bind(constants);
        return { dispose: once(() => bound.dispose()) };
      }),
      { 'constants that are disposed': 'a second time' },
    ],
    [
      'takes nothing back',
      withCore(() => ({ release: () => undefined })),
      { 'constants that are disposed': 'no room' },
    ],
    [
      'binds nothing',
      binding(() => ({ run: () => [zeros()] })),
      { 'constants that are disposed': 'result: ' },
    ],
    [
      'gives up all constants at once',
      withCore((core) => {
        const all: Float32Array[] = [];
        return {
          allocate: (element, length) => {
            const array = core.allocate(element, length);
            all.push(array as Float32Array);
            return array;
          },
          release: (elements) => {
            core.release(elements);
            all.splice(0).forEach((each) => each.fill(0));
          },
        };
      }),
      { 'constants that are disposed': 'what is still bound: ' },
    ],
    [
      'gives used arrays',
      withCore((core) => {
        const free: unknown[] = [];
        return {
          allocate: (element, length) => (free.pop() ?? core.allocate(element, length)) as never,
          release: (elements) => void free.push(elements),
        };
      }),
      { 'constants that are disposed': 'a new array: [999,0,0,0]' },
    ],
  ])('%s', async (_, backend, complaints) => {
    for (const [law, complaint] of Object.entries(complaints))
      expect(await complaintsOf(backend, law)).toEqual([expect.stringContaining(`Error: ${complaint}`)]);
  });
});
