/**
 * For testing backends: the laws of `Backend` and `Artifact`, one test each.
 *
 *     it.each(backendLaws)('$name', ({ check }) => check({ backend, target, registry }));
 */
import { unwrap } from '@sconv/diagnostics';
import type { Registry } from '@sconv/ir';
import { parseModule } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import type { Artifact, BoundFunction } from './artifact.ts';
import type { Backend, Emitted } from './backend.ts';
import type { RunValue } from './signature.ts';

/** Available in every engine and in Node, but in no type library that both share. */
declare const structuredClone: <T>(value: T) => T;

/** The backend under test. */
export interface BackendSubject {
  readonly backend: Backend;
  /** A target that it serves and this machine can run. */
  readonly target: Target;
  /** Must know func, arith, memref and linalg, with the backend's lowerings attached. */
  readonly registry: Registry;
}

export interface BackendLaw {
  readonly name: string;
  /** Rejects if the law is violated, with an explanation. */
  readonly check: (subject: BackendSubject) => Promise<void>;
}

/**
 * `mix(x, y, o)` adds x + 10 y to o and returns that, `same(x)` returns x, `fresh(x)` a buffer with the elements of x,
 * `add(a, b)` the sum of two numbers, and `count(a, b, c)` that of integers.
 */
export const lawPayload = `#id = affine_map<(d0) -> (d0)>
func.func @mix(%x: memref<4xf32>, %y: memref<4xf32>, %o: memref<4xf32>) -> memref<4xf32> {
  %ten = arith.constant 10.0 : f32
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %b, %ten : f32
      %1 = arith.addf %0, %a : f32
      %2 = arith.addf %1, %c : f32
      linalg.yield %2 : f32
  }
  return %o : memref<4xf32>
}
func.func @same(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
func.func @fresh(%x: memref<4xf32>) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  linalg.copy ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
  return %t : memref<4xf32>
}
func.func @add(%a: f32, %b: f32) -> f32 {
  %0 = arith.addf %a, %b : f32
  return %0 : f32
}
func.func @count(%a: index, %b: i32, %c: i64) -> i64 {
  %0 = arith.index_cast %a : index to i64
  %1 = arith.extsi %b : i32 to i64
  %2 = arith.addi %0, %1 : i64
  %3 = arith.addi %2, %c : i64
  return %3 : i64
}`;

const emit = ({ backend, target, registry }: BackendSubject): Emitted =>
  unwrap(backend.emit(unwrap(parseModule(lawPayload, { registry })), { target, registry }));

const load = async (subject: BackendSubject): Promise<Artifact> =>
  unwrap(await subject.backend.load(emit(subject)));

type Values = readonly RunValue[];

/** Numbers, elements and lists of them, as text. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`;
    return ArrayBuffer.isView(each) ? [...(each as Float32Array)] : each;
  });

const expectEqual = (what: string, actual: unknown, expected: unknown): void => {
  if (shown(actual) !== shown(expected)) {
    throw new Error(`${what}: ${shown(actual)}, not ${shown(expected)}`);
  }
};

const expectSame = (what: string, actual: unknown, expected: unknown): void => {
  if (actual !== expected) throw new Error(`${what}: not the very array`);
};

/** Expects `action` to throw an error with this name and a matching message. */
const expectThrow = async (
  what: string,
  action: () => unknown,
  name: string,
  message: RegExp,
): Promise<void> => {
  let thrown: unknown;
  try {
    await action();
  } catch (problem) {
    thrown = problem;
  }
  if (!(thrown instanceof Error) || thrown.name !== name || !message.test(thrown.message)) {
    throw new Error(`${what}: ${String(thrown)}, not a ${name} with ${String(message)}`);
  }
};

const four = (...elements: readonly number[]): Float32Array => {
  const array = new Float32Array(4);
  array.set(elements);
  return array;
};

/** Calls a function, asynchronously where there is no other way. */
const run = async (artifact: Artifact, name: string, ...values: Values): Promise<Values> =>
  artifact.onlyAsync === true ? artifact.runAsync(name, ...values) : artifact.run(name, ...values);

/** The same for what is bound of an artifact. */
const runBound = async ({ onlyAsync }: Artifact, bound: BoundFunction, ...values: Values): Promise<Values> =>
  onlyAsync === true ? bound.runAsync(...values) : bound.run(...values);

/** Checks `mix` on the caller's arrays. */
const expectMix = async (what: string, artifact: Artifact): Promise<void> => {
  const output = four(100, 100, 100, 100);
  await run(artifact, 'mix', four(1, 2, 3, 4), four(5, 6, 7, 8), output);
  expectEqual(what, output, [151, 162, 173, 184]);
};

/** The laws of `Backend` and `Artifact`, as their documentation states them. */
export const backendLaws: readonly BackendLaw[] = [
  {
    name: 'what is emitted depends on the module and the options alone, and names its backend',
    check: (subject) =>
      Promise.resolve().then(() => {
        expectEqual('emitted again', emit(subject), emit(subject));
        expectEqual('backend', emit(subject).backend, subject.backend.name);
        const names = emit(subject).functions.map(({ name }) => name);
        expectEqual('functions', names, ['mix', 'same', 'fresh', 'add', 'count']);
      }),
  },
  {
    name: 'what is emitted is data, which a copy of loads as well',
    check: async (subject) => {
      const { backend } = subject;
      await expectMix('loaded from a copy', unwrap(await backend.load(structuredClone(emit(subject)))));
    },
  },
  {
    name: 'loading at once gives the same, where it is possible',
    check: async (subject) => {
      const emitted = emit(subject);
      const now = subject.backend.loadSync?.(emitted);
      if (now !== undefined) await expectMix('loaded at once', unwrap(now));
      await expectMix('loaded', unwrap(await subject.backend.load(emitted)));
    },
  },
  {
    name: 'code of another backend is refused',
    check: async (subject) => {
      const foreign = { ...emit(subject), backend: 'another' };
      await expectThrow('load', () => subject.backend.load(foreign), 'TypeError', /'another'/);
      if (subject.backend.loadSync !== undefined) {
        await expectThrow('loadSync', () => subject.backend.loadSync?.(foreign), 'TypeError', /'another'/);
      }
    },
  },
  {
    name: 'a load that is aborted fails',
    check: async (subject) => {
      const { backend } = subject;
      const result = await backend.load(emit(subject), { signal: { aborted: true } });
      expectEqual('status', result.status, 'definite');
    },
  },
  {
    name: 'numbers are passed and returned',
    check: async (subject) => {
      const artifact = await load(subject);
      expectEqual('add', await run(artifact, 'add', 2, 0.5), [2.5]);
      expectEqual('add, bound', await runBound(artifact, artifact.bind('add', { 0: 4 }), 0.25), [4.25]);
    },
  },
  {
    name: 'integers are passed as numbers or bigints, and none that does not fit',
    check: async (subject) => {
      const artifact = await load(subject);
      expectEqual('count of numbers', await run(artifact, 'count', 5, -6, 7), [6n]);
      expectEqual('count of bigints', await run(artifact, 'count', 5n, -6n, 7n), [6n]);
      expectEqual('count, promised', await artifact.runAsync('count', 5n, -6n, 7), [6n]);
      expectEqual('count, bound', await runBound(artifact, artifact.bind('count', { 0: 5n, 2: 7 }), -6n), [
        6n,
      ]);
      expectEqual('count of the least', await run(artifact, 'count', 0, -(2 ** 31), 0), [-(2n ** 31n)]);
      expectEqual('count of the greatest', await run(artifact, 'count', 0, 0, 2n ** 63n - 1n), [
        2n ** 63n - 1n,
      ]);
      const refused = (position: number, value: number | bigint): Promise<void> => {
        const values = [0, 0, 0].map((zero, i) => (i === position ? value : zero));
        const message = RegExp(`argument ${position} of 'count' is an integer from`);
        return expectThrow('a value', () => run(artifact, 'count', ...values), 'RangeError', message);
      };
      for (const position of [0, 1, 2]) {
        for (const value of [0.5, NaN, Infinity, 2 ** 64, -(2n ** 64n)]) await refused(position, value);
      }
      for (const value of [2 ** 31, 2 ** 32 + 1, -(2n ** 31n) - 1n]) await refused(1, value);
      const wide = { 1: 2 ** 31 };
      await expectThrow('bind', () => artifact.bind('count', wide), 'RangeError', /argument 1 of 'count'/);
      await expectThrow(
        'a value',
        () => run(artifact, 'count', 0, '1' as never, 0),
        'TypeError',
        /argument 1/,
      );
    },
  },
  {
    name: 'arrays that are allocated are zeros, used in place, and returned',
    check: async (subject) => {
      const artifact = await load(subject);
      const allocated = (): Float32Array => artifact.allocate('f32', 4);
      const [x, y, o] = [allocated(), allocated(), allocated()];
      expectEqual('new arrays', [x, y, o], [four(), four(), four()]);
      x.set([1, 2, 3, 4]);
      y.set([5, 6, 7, 8]);
      for (const times of [1, 2]) {
        const [result] = await run(artifact, 'mix', x, y, o);
        expectSame('result', result, o);
        expectEqual('output', o, [51 * times, 62 * times, 73 * times, 84 * times]);
      }
      expectEqual('inputs', [x, y], [four(1, 2, 3, 4), four(5, 6, 7, 8)]);
    },
  },
  {
    name: "arrays of the caller are taken, and written, and stay the caller's",
    check: async (subject) => {
      const artifact = await load(subject);
      const [x, o] = [four(1, 2, 3, 4), four(1, 1, 1, 1)];
      const mixed = artifact.allocate('f32', 4);
      mixed.fill(1);
      const [result] = await run(artifact, 'mix', x, mixed, o);
      expectSame('result', result, o);
      expectEqual('output', o, [12, 13, 14, 15]);
      await run(artifact, 'mix', o, o, mixed);
      expectEqual('second output', mixed, [133, 144, 155, 166]);
      expectEqual('first output', o, [12, 13, 14, 15]);
    },
  },
  {
    name: 'arrays that are only read may share memory; one that is written may not',
    check: async (subject) => {
      const artifact = await load(subject);
      const six = new Float32Array([1, 2, 3, 4, 5, 6]);
      const ownSix = artifact.allocate('f32', six.length);
      ownSix.set(six);
      for (const all of [six, ownSix]) {
        const output = four();
        await run(artifact, 'mix', all.subarray(0, 4), all.subarray(2), output);
        expectEqual('inputs that overlap', output, [31, 42, 53, 64]);
        const pairs = [
          [all.subarray(0, 4), four(), all.subarray(0, 4)],
          [four(), all.subarray(0, 4), all.subarray(2)],
        ] as const;
        for (const values of pairs) {
          await expectThrow('output', () => run(artifact, 'mix', ...values), 'RangeError', /share memory/);
        }
      }
    },
  },
  {
    name: 'promised calls give what others give, one after the other',
    check: async (subject) => {
      const artifact = await load(subject);
      const output = four();
      const bound = artifact.bind('mix', { 0: four(1, 2, 3, 4), 1: four(5, 6, 7, 8) });
      const calls = [bound.runAsync(output), artifact.runAsync('mix', four(), four(1), output)];
      await expectThrow('call', () => artifact.call('add', 1, 2), 'Error', /not settled/);
      await expectThrow('bound call', () => bound.call(four()), 'Error', /not settled/);
      for (const call of calls) expectSame('result', (await call)[0], output);
      expectEqual('output', output, [61, 62, 73, 84]);
      expectEqual('add', (await artifact.callAsync('add', 2, 0.5)).status, 'success');
      await expectThrow('other', () => artifact.callAsync('other'), 'RangeError', /no function 'other'/);
      await expectThrow('a value', () => bound.callAsync(), 'TypeError', /takes 1 argument besides/);
      const last = artifact.runAsync('add', 1, 2);
      artifact.dispose();
      await expectThrow('after dispose', () => last, 'Error', /disposed/);
    },
  },
  {
    name: 'where calls are only asynchronous, others fail and say what to call',
    check: async (subject) => {
      const artifact = await load(subject);
      if (artifact.onlyAsync !== true) return;
      const bound = artifact.bind('add', { 0: 4 });
      for (const { diagnostics } of [artifact.call('add', 1, 2), bound.call(2)]) {
        const codes = diagnostics.map(({ code }) => code);
        expectEqual('what is called at once', codes, ['backend/only-async']);
      }
      await expectThrow('run', () => artifact.run('add', 1, 2), 'DiagnosticError', /callAsync or runAsync/);
      await expectThrow('bound run', () => bound.run(2), 'DiagnosticError', /callAsync or runAsync/);
    },
  },
  {
    name: 'values that do not fit are refused',
    check: async (subject) => {
      const artifact = await load(subject);
      const refused = (name: string, message: RegExp, ...values: Parameters<Artifact['run']>) =>
        expectThrow('a value', () => run(artifact, ...values), name, message);
      await refused('TypeError', /takes 3 arguments, not 1/, 'mix', four());
      await refused('RangeError', /5 elements, not 4/, 'mix', four(), four(), new Float32Array(5));
      await refused(
        'TypeError',
        /Int32Array, not Float32Array/,
        'mix',
        four(),
        new Int32Array(four()),
        four(),
      );
      await refused('TypeError', /is not an array/, 'mix', four(), 1, four());
      await refused('TypeError', /is not a number/, 'add', 1, 1n);
      await refused('RangeError', /no function 'other'/, 'other');
      await expectThrow('bind', () => artifact.bind('other', {}), 'RangeError', /no function 'other'/);
    },
  },
  {
    name: 'what is bound is as if it were passed, and kept',
    check: async (subject) => {
      const artifact = await load(subject);
      const weights = four(5, 6, 7, 8);
      const bound = artifact.bind('mix', { 1: weights });
      const other = artifact.bind('mix', { 0: four(1, 1, 1, 1), 1: four(1, 0, 0, 0) });
      weights.fill(0);
      const [output, otherOutput] = [four(), four()];
      const [result] = await runBound(artifact, bound, four(1, 2, 3, 4), output);
      expectSame('result', result, output);
      expectEqual('output', output, [51, 62, 73, 84]);
      await runBound(artifact, other, otherOutput);
      expectEqual('output of another', otherOutput, [11, 1, 1, 1]);
      await runBound(artifact, bound, four(1, 2, 3, 4), output);
      expectEqual('output of the second run', output, [102, 124, 146, 168]);
      expectEqual('parameters that are left', bound.signature.parameters.length, 2);
      await expectThrow(
        'call',
        () => runBound(artifact, bound, four()),
        'TypeError',
        /takes 2 arguments besides/,
      );
      await expectMix('the function itself', artifact);
    },
  },
  {
    name: 'a constant cannot be changed through a result',
    check: async (subject) => {
      const artifact = await load(subject);
      const bound = artifact.bind('same', { 0: four(1, 2, 3, 4) });
      const [first] = await runBound(artifact, bound);
      (first as Float32Array).fill(0);
      expectEqual('second result', await runBound(artifact, bound), [four(1, 2, 3, 4)]);
    },
  },
  {
    name: 'what cannot stay is not bound',
    check: async (subject) => {
      const artifact = await load(subject);
      const refused = (position: number, value: Float32Array, name: string, message: RegExp) =>
        expectThrow('bind', () => artifact.bind('mix', { [position]: value }), name, message);
      await refused(2, four(), 'RangeError', /may be written/);
      await refused(3, four(), 'RangeError', /has no argument 3; it takes 3/);
      await refused(0, new Float32Array(3), 'RangeError', /3 elements, not 4/);
    },
  },
  {
    name: 'artifacts of the same code share no memory',
    check: async (subject) => {
      const emitted = emit(subject);
      const { backend } = subject;
      const [a, b] = [unwrap(await backend.load(emitted)), unwrap(await backend.load(emitted))];
      const [ofA, ofB] = [a.allocate('f32', 4), b.allocate('f32', 4)];
      ofA.fill(1);
      expectEqual('array of the other', ofB, four());
      const [kept] = await run(a, 'fresh', four(1, 2, 3, 4));
      await run(b, 'fresh', four());
      expectEqual('result of the first', kept, [1, 2, 3, 4]);
      const output = four();
      await run(b, 'mix', ofA, ofB, output);
      expectEqual('output', output, [1, 1, 1, 1]);
      a.dispose();
      await expectMix('the second, without the first', b);
    },
  },
  {
    name: 'disposing twice is disposing once, and other use afterwards throws',
    check: async (subject) => {
      const artifact = await load(subject);
      const bound = artifact.bind('same', { 0: four() });
      artifact.dispose();
      artifact.dispose();
      const uses: Readonly<Record<string, () => unknown>> = {
        allocate: () => artifact.allocate('f32', 4),
        bind: () => artifact.bind('same', { 0: four() }),
        call: () => artifact.call('same', four()),
        run: () => run(artifact, 'same', four()),
        'a promised call': () => artifact.callAsync('same', four()),
        'a promised call of what is bound': () => bound.callAsync(),
        'a call of what is bound': () => bound.call(),
        'a run of what is bound': () => runBound(artifact, bound),
      };
      for (const [what, use] of Object.entries(uses)) await expectThrow(what, use, 'Error', /disposed/);
      bound.dispose();
      expectEqual('functions', artifact.functions.length, 5);
    },
  },
  {
    name: 'constants that are disposed of make room',
    check: async (subject) => {
      const artifact = await load(subject);
      const other = artifact.bind('same', { 0: four(1, 2, 3, 4) });
      for (let i = 0; i < 1000; i++) {
        const bound = artifact.bind('same', { 0: four(i) });
        expectEqual('result', await runBound(artifact, bound), [four(i)]);
        bound.dispose();
        bound.dispose();
        await expectThrow('call', () => bound.call(), 'Error', /disposed/);
      }
      expectEqual('what is still bound', await runBound(artifact, other), [four(1, 2, 3, 4)]);
      expectEqual('a new array', artifact.allocate('f32', 4), four());
    },
  },
];
