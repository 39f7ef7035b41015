import type { Artifact, LoadOptions, WorkerLike } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { unwrap } from '@sconv/diagnostics';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WasmModule } from '../src/index.ts';
import { loadModule, loadModuleSync } from '../src/load.ts';
import { emitted } from './emit.ts';
import { workerOf, workers } from './threads.ts';

/**
 * `@scale(x, o, n)` writes weights[i] * x[i][j] + n to o, through a buffer per row, in parallel; `@divide(a, b, o)`
 * divides in parallel; `@count(o)` increments a variable of the module and writes it to o in parallel; `@pack(x, o)`
 * writes each column of x to o twice, in parallel, through a packed copy; `@swap` returns its arguments in the other
 * order.
 */
const text = `
memref.global "private" constant @weights : memref<8xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>
memref.global "private" @counter : memref<1xi32> = dense<[40]>
func.func @scale(%x: memref<8x4xf32>, %o: memref<8x4xf32>, %n: f32) -> memref<8x4xf32> {
  %w = memref.get_global @weights : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i) in (8) {
    %t = memref.alloc() : memref<4xf32>
    %f = memref.load %w[%i] : memref<8xf32>
    scf.for %j = %c0 to %c4 step %c1 {
      %v = memref.load %x[%i, %j] : memref<8x4xf32>
      %m = arith.mulf %v, %f : f32
      memref.store %m, %t[%j] : memref<4xf32>
    }
    scf.for %j = %c0 to %c4 step %c1 {
      %v = memref.load %t[%j] : memref<4xf32>
      %a = arith.addf %v, %n : f32
      memref.store %a, %o[%i, %j] : memref<8x4xf32>
    }
  }
  return %o : memref<8x4xf32>
}
func.func @divide(%a: i32, %b: memref<4xi32>, %o: memref<4xi32>) {
  scf.forall (%i) in (4) {
    %d = memref.load %b[%i] : memref<4xi32>
    %q = arith.divsi %a, %d : i32
    memref.store %q, %o[%i] : memref<4xi32>
  }
  return
}
func.func @pack(%x: memref<8x4xf32>, %o: memref<4x2x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %j = %c0 to %c4 step %c1 {
    scf.forall (%i) in (2) {
      %p = memref.alloc() : memref<8xf32>
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%p : memref<8xf32>) {
      ^bb0(%b: f32):
        %k = linalg.index 0 : index
        %v = memref.load %x[%k, %j] : memref<8x4xf32>
        linalg.yield %v : f32
      }
      %r = memref.subview %o[%j, %i, 0] [1, 1, 8] [1, 1, 1] : memref<4x2x8xf32> to memref<8xf32, strided<[1], offset: ?>>
      memref.copy %p, %r : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
    }
  }
  return
}
func.func @swap(%a: i64, %b: f64, %c: f32, %d: i32) -> (i32, f32, f64, i64) {
  return %d, %c, %b, %a : i32, f32, f64, i64
}
func.func @count(%o: memref<8xi32>) -> i64 {
  %c = memref.get_global @counter : memref<1xi32>
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %old = memref.load %c[%c0] : memref<1xi32>
  %new = arith.addi %old, %one : i32
  memref.store %new, %c[%c0] : memref<1xi32>
  scf.forall (%i) in (8) {
    %g = memref.get_global @counter : memref<1xi32>
    %v = memref.load %g[%c0] : memref<1xi32>
    memref.store %v, %o[%i] : memref<8xi32>
  }
  %wide = arith.extsi %new : i32 to i64
  return %wide : i64
}`;
const module = emitted(text);

type Load = (options: LoadOptions) => Promise<Diagnosed<Artifact>>;
const loads: readonly (readonly [string, Load])[] = [
  ['load', (options) => loadModule(module, options)],
  ['loadSync', (options) => Promise.resolve(loadModuleSync(module, options))],
  ['load where a page cannot wait on memory', (options) => withoutWaiting(() => loadModule(module, options))],
];

const withoutWaiting = async <T>(action: () => Promise<T>): Promise<T> => {
  const engine = Atomics as { waitAsync?: unknown };
  const { waitAsync } = engine;
  engine.waitAsync = undefined;
  try {
    return await action();
  } finally {
    engine.waitAsync = waitAsync;
  }
};

const open: Artifact[] = [];
afterEach(() => {
  for (const artifact of open.splice(0)) artifact.dispose();
});
const threaded = async (load: Load, threads = 2, make: () => WorkerLike = workers): Promise<Artifact> => {
  const result = await load({ threads, workers: make });
  expect(result.diagnostics).toEqual([]);
  const artifact = unwrap(result);
  open.push(artifact);
  return artifact;
};

const x = Float32Array.from({ length: 32 }, (_, i) => i);
const scaled = x.map((value, i) => value * (Math.floor(i / 4) + 1) + 0.5);

describe.each(loads)('threads of %s', (_, load) => {
  it.each([2, 3, 5])('%d of them give what one gives', async (threads) => {
    const artifact = await threaded(load, threads);
    for (let times = 0; times < 20; times++) {
      const o = new Float32Array(32);
      const [result] = await artifact.runAsync('scale', x, o, 0.5);
      expect(result).toBe(o);
      expect(o).toEqual(scaled);
    }
    const o = new Float32Array(32);
    artifact.run('scale', x, o, 0.5);
    expect(o).toEqual(scaled);
  });

  it('share the variables of the module with each other and the caller', async () => {
    const artifact = await threaded(load, 3);
    const o = new Int32Array(8);
    expect(artifact.run('count', o)).toEqual([41n]);
    expect(await artifact.runAsync('count', o)).toEqual([42n]);
    expect(o).toEqual(new Int32Array(8).fill(42));
    expect(artifact.run('count', o)).toEqual([43n]);
  });

  it('use arrays of the artifact where they are, and constants that are bound', async () => {
    const artifact = await threaded(load);
    const [own, o] = [artifact.allocate('f32', 32), artifact.allocate('f32', 32)];
    own.set(x);
    const [result] = await artifact.runAsync('scale', own, o, 0.5);
    expect(result).toBe(o);
    expect([...o]).toEqual([...scaled]);
    const bound = artifact.bind('scale', { 0: x, 2: 1.5 });
    const output = new Float32Array(32);
    expect(await bound.runAsync(output)).toEqual([output]);
    expect(output).toEqual(scaled.map((value) => value + 1));
  });

  it('pass and return numbers of all types', async () => {
    const artifact = await threaded(load);
    for (const values of [
      [-(2n ** 63n), -0, Infinity, -(2 ** 31)],
      [2n ** 63n - 1n, 0.1, -0, 2 ** 31 - 1],
    ]) {
      expect(await artifact.runAsync('swap', ...values)).toEqual(values.toReversed());
    }
    expect(await artifact.runAsync('swap', 1n, NaN, NaN, 0)).toEqual([0, NaN, NaN, 1n]);
  });

  it('keep what is packed of constants', async () => {
    const artifact = await threaded(load, 3);
    const bound = [1, 2].map((by) => artifact.bind('pack', { 0: x.map((value) => by * value) }));
    const byColumns = Float32Array.from({ length: 64 }, (_, i) => x[4 * (i % 8) + Math.floor(i / 16)]!);
    for (let times = 0; times < 4; times += 1) {
      for (const [i, each] of bound.entries()) {
        const output = new Float32Array(64);
        // Also on the caller's thread.
        if (times === 2) each.run(output);
        else await each.runAsync(output);
        expect(output).toEqual(byColumns.map((value) => (i + 1) * value));
        // Reuses the memory of the former binding.
        artifact.bind('pack', { 0: x.map(() => -1) }).dispose();
      }
    }
  });

  it.each([0, 1, 2, 3])('fail as one does where iteration %d does, and go on', async (at) => {
    const artifact = await threaded(load);
    const divisors = new Int32Array(4).fill(2);
    divisors[at] = 0;
    const o = new Int32Array(4);
    const failed = await artifact.callAsync('divide', 7, divisors, o);
    expect(failed).toEqual(artifact.call('divide', 7, divisors, o));
    expect(failed).toMatchObject({ status: 'definite', diagnostics: [{ code: 'wasm/division-by-zero' }] });
    expect(o).toEqual(new Int32Array(4));
    divisors[at] = 1;
    expect((await artifact.callAsync('divide', 7, divisors, o)).status).toBe('success');
    expect(o[at]).toBe(7);
  });
});

describe('a worker that ends', () => {
  const ending = { status: 'definite', diagnostics: [{ code: 'wasm/worker' }] };

  it('fails the call, and all later ones', async () => {
    const made: WorkerLike[] = [];
    const artifact = await threaded(loads[0]![1], 2, () => {
      made.push(workers());
      return made.at(-1)!;
    });
    const o = new Float32Array(32);
    made[0]!.terminate();
    expect(await artifact.callAsync('scale', x, o, 0.5)).toMatchObject(ending);
    expect(await artifact.callAsync('scale', x, o, 0.5)).toMatchObject(ending);
    expect(artifact.call('scale', x, o, 0.5)).toMatchObject(ending);
    expect(o).toEqual(new Float32Array(32));
  });

  it('and only helps, fails calls from when its end is known, and none before', async () => {
    const made: WorkerLike[] = [];
    const artifact = await threaded(loads[0]![1], 2, () => {
      made.push(workers());
      return made.at(-1)!;
    });
    made[1]!.terminate();
    await vi.waitFor(async () => {
      const o = new Float32Array(32);
      const called = await artifact.callAsync('scale', x, o, 0.5);
      if (called.status === 'success') expect(o).toEqual(scaled);
      expect(called).toMatchObject(ending);
    });
    expect(await artifact.callAsync('scale', x, new Float32Array(32), 0.5)).toMatchObject(ending);
  });

  it.each<[string, () => WorkerLike, RegExp]>([
    ['at once', () => workerOf('process.exit(3)'), /exit code 3/],
    ['by an error', () => workerOf('throw new Error("no such file")'), /no such file/],
    [
      'before it begins',
      () => {
        throw new Error('no more threads');
      },
      /no more threads/,
    ],
  ])('%s fails the load, or the first call', async (_, make, message) => {
    const failure = { ...ending, diagnostics: [{ message: expect.stringMatching(message) as string }] };
    expect(await loadModule(module, { threads: 2, workers: make })).toMatchObject(failure);
    const artifact = unwrap(loadModuleSync(module, { threads: 2, workers: make }));
    expect(await artifact.callAsync('scale', x, new Float32Array(32), 0)).toMatchObject(failure);
  });
});

describe('a worker that does not start', () => {
  /** A worker that never answers, or that tells only that it has failed. */
  const silent = (isFailing: boolean): (() => WorkerLike) => {
    const addEventListener: WorkerLike['addEventListener'] = (type, listener) => {
      if (isFailing && type === 'error') queueMicrotask(() => listener({}));
    };
    return () => ({ postMessage: () => undefined, addEventListener, terminate: () => undefined });
  };
  const failure = (message: RegExp): object => ({
    diagnostics: [{ code: 'wasm/worker', message: expect.stringMatching(message) as string }],
  });

  it('fails the load after seven seconds if it says nothing', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const loading = loadModule(module, { threads: 2, workers: silent(false) });
    const { setImmediate } = await vi.importActual<typeof import('node:timers')>('node:timers');
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(7_000);
    expect(await loading).toMatchObject(failure(/not started within 7 s: does its script call serveWorker/));
  });

  it('fails it with the address of what is missing, perhaps the script', async () => {
    const workers = silent(true);
    expect(await loadModule(module, { threads: 2, workers })).toMatchObject(
      failure(/its script cannot be loaded/),
    );
    const requests = vi
      .spyOn(performance, 'getEntriesByType')
      .mockReturnValue([{ name: 'http://page/none.js', responseStatus: 404 }] as never);
    onTestFinished(() => {
      requests.mockRestore();
    });
    expect(await loadModule(module, { threads: 2, workers })).toMatchObject(
      failure(/its script cannot be loaded \(perhaps http:\/\/page\/none\.js\): is/),
    );
  });
});

describe('one thread', () => {
  const alone = async (options: LoadOptions, code: WasmModule = module): Promise<string> => {
    const result = await loadModule(code, options);
    const [warning] = result.diagnostics;
    expect(warning).toMatchObject({ code: 'wasm/single-thread', severity: 'warning' });
    expect(loadModuleSync(code, options).diagnostics).toEqual(result.diagnostics);
    const artifact = unwrap(result);
    if (code === module) {
      const o = new Float32Array(32);
      expect(await artifact.runAsync('scale', x, o, 0.5)).toEqual([o]);
      expect(o).toEqual(scaled);
    }
    return warning!.message;
  };

  it('is all that a page has that is not isolated', async () => {
    vi.stubGlobal('crossOriginIsolated', false);
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    expect(await alone({ threads: 2, workers })).toMatch(/one thread, not 2: .* cross-origin isolated/);
  });

  it('is taken where nobody makes workers', async () => {
    expect(await alone({ threads: 2 })).toMatch(/one thread, not 2: 'workers'/);
  });

  it('is taken by code without parallel loops', async () => {
    const code = emitted('func.func @f() { return }');
    expect(await alone({ threads: 4, workers }, code)).toMatch(/one thread, not 4: no loop .* parallel/);
  });

  it.each([0, -1, 1.5, NaN])('is the least there is, and %d are none', async (threads) => {
    await expect(loadModule(module, { threads })).rejects.toThrow(/'threads' is a number from 1/);
  });
});

describe('a load with threads', () => {
  it('is aborted before and after the workers begin', async () => {
    const asked: number[] = [];
    for (const last of [0, 1, 2, 3]) {
      let left = last;
      const signal = {
        get aborted() {
          return left-- <= 0;
        },
      };
      const made: WorkerLike[] = [];
      const make = (): WorkerLike => {
        made.push(workers());
        return made.at(-1)!;
      };
      const result = await loadModule(module, { threads: 2, workers: make, signal });
      expect(result).toMatchObject({ status: 'definite', diagnostics: [{ code: 'wasm/aborted' }] });
      asked.push(made.length);
    }
    expect(asked).toEqual([0, 0, 0, 2]);
  });

  it('is aborted while it waits for workers that do not answer', async () => {
    const controller = new AbortController();
    const silent = (): WorkerLike => {
      queueMicrotask(() => {
        controller.abort();
      });
      return workerOf('setInterval(() => undefined, 1000)');
    };
    const result = await loadModule(module, { threads: 2, workers: silent, signal: controller.signal });
    expect(result).toMatchObject({ status: 'definite', diagnostics: [{ code: 'wasm/aborted' }] });
  });

  it('is over when it is: a signal that comes later ends no workers', async () => {
    const controller = new AbortController();
    const artifact = await threaded((options) =>
      loadModule(module, { ...options, signal: controller.signal }),
    );
    controller.abort();
    const o = new Float32Array(32);
    expect(await artifact.runAsync('scale', x, o, 0.5)).toEqual([o]);
  });
});

describe('promised calls', () => {
  it('are made in their order, and let no other call in between', async () => {
    const artifact = await threaded(loads[0]![1]);
    const o = new Int32Array(8);
    const calls = [1, 2, 3].map(() => artifact.runAsync('count', o));
    expect(() => artifact.run('count', o)).toThrow(/not settled/);
    expect(() => artifact.bind('count', {}).run(o)).toThrow(/not settled/);
    expect(await Promise.all(calls)).toEqual([[41n], [42n], [43n]]);
    expect(artifact.run('count', o)).toEqual([44n]);
  });

  it('are rejected by what does not fit, and by the end of the artifact', async () => {
    const artifact = await threaded(loads[0]![1]);
    await expect(artifact.callAsync('none')).rejects.toThrow(RangeError);
    await expect(artifact.callAsync('count')).rejects.toThrow(TypeError);
    const shared = new Float32Array(32);
    await expect(artifact.callAsync('scale', shared, shared, 0)).rejects.toThrow(/share memory/);
    const calls = [1, 2].map(() => artifact.runAsync('count', new Int32Array(8)));
    artifact.dispose();
    for (const call of calls) await expect(call).rejects.toThrow(/disposed/);
    await expect(artifact.callAsync('count', new Int32Array(8))).rejects.toThrow(/disposed/);
  });
});
