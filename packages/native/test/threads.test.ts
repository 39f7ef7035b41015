import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Artifact, BoundFunction, RunValue } from '@sconv/backend';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import { avx2, neon } from '@sconv/targets';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NativeModule } from '../src/index.ts';
import { findToolchain, nativeBackend } from '../src/index.ts';

const registry = createRegistry(payloadDialects);
const cache = mkdtempSync(join(tmpdir(), 'sconv-threads-'));
afterAll(() => {
  rmSync(cache, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
  return () => vi.unstubAllEnvs();
});

const target: Target = process.arch === 'arm64' ? neon : avx2;
const hasLlvm =
  process.platform === 'linux' &&
  ['x64', 'arm64'].includes(process.arch) &&
  'paths' in (await findToolchain());

const emit = (text: string): NativeModule =>
  unwrap(nativeBackend.emit(unwrap(parseModule(text, { registry })), { target, registry }));

const load = async (text: string, threads = 3): Promise<Artifact> => {
  const loaded = await nativeBackend.load(emit(text), { threads });
  expect(loaded.diagnostics).toEqual([]);
  return unwrap(loaded);
};

/** `%y` gets, for each iteration, a number derived from the loop's captures and variables. */
const numbers = `func.func @f(%x: memref<4x6xf32>, %y: memref<2x8x6xf32>, %a: f32, %b: f64, %n: i64, %k: i8, %c: i1) {
  %half = arith.constant 0.5 : f32
  %two = arith.constant 2 : index
  %part = memref.subview %y[1, 0, 0] [1, 8, 6] [1, 1, 1] : memref<2x8x6xf32> to memref<8x6xf32, strided<[6, 1], offset: 48>>
  scf.forall (%i, %j) = (1, 0) to (8, 6) step (2, 1) {
    %row = arith.divui %i, %two : index
    %e = memref.load %x[%row, %j] : memref<4x6xf32>
    %0 = arith.mulf %e, %half : f32
    %1 = arith.addf %0, %a : f32
    %2 = arith.truncf %b : f64 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.sitofp %n : i64 to f32
    %5 = arith.addf %3, %4 : f32
    %6 = arith.sitofp %k : i8 to f32
    %7 = arith.select %c, %6, %half : f32
    %8 = arith.addf %5, %7 : f32
    memref.store %8, %part[%i, %j] : memref<8x6xf32, strided<[6, 1], offset: 48>>
  }
  return
}`;

describe('the code for threads', () => {
  it('has the body of a loop as a function, and what makes its variables of a number', () => {
    const { threaded, mlir } = emit(`func.func @f(%x: memref<9xf32>, %a: f32) {
      scf.forall (%i) = (1) to (9) step (4) {
        memref.store %a, %x[%i] : memref<9xf32>
      }
      return
    }`);
    expect(mlir).toContain('scf.forall');
    expect(threaded?.iterations).toBe(2);
    expect(threaded?.mlir).toMatchInlineSnapshot(`
      "#map = affine_map<(d0) -> (d0 * 4 + 1)>
      module {
        func.func @sconv$part.0(%arg0: f32, %arg1: memref<9xf32>, %arg2: index) attributes {llvm.emit_c_interface} {
          %0 = affine.apply #map(%arg2)
          memref.store %arg0, %arg1[%0] : memref<9xf32>
          return
        }
        func.func private @sconv$share.0(f32, memref<9xf32>) attributes {llvm.emit_c_interface}
        func.func @sconv.f(%arg0: memref<9xf32>, %arg1: f32) attributes {llvm.emit_c_interface} {
          call @sconv$share.0(%arg1, %arg0) : (f32, memref<9xf32>) -> ()
          return
        }
      }
      "
    `);
  });

  it.each([
    ['one iteration', 'scf.forall (%i) in (1) { memref.store %a, %x[%i] : memref<9xf32> }'],
    ['as many as an argument says', 'scf.forall (%i) in (%n) { memref.store %a, %x[%i] : memref<9xf32> }'],
    [
      'vectors from outside',
      `%v = vector.splat %a : vector<2xf32>
      scf.forall (%i) in (4) { vector.store %v, %x[%i] : memref<9xf32>, vector<2xf32> }`,
    ],
  ])('is not made for loops with %s', (_, loop) => {
    const { threaded } = emit(`func.func @f(%x: memref<9xf32>, %a: f32, %n: index) { ${loop}\n return }`);
    expect(threaded).toBe(undefined);
  });
});

describe.skipIf(!hasLlvm)('a loop on threads', () => {
  it.each([2, 3, 100])('takes values of all kinds and computes what it does on one: %d', async (threads) => {
    const artifact = await load(numbers, threads);
    const values = (): readonly RunValue[] => [
      Float32Array.from({ length: 24 }, (_, i) => i),
      new Float32Array(96),
      0.25,
      3,
      100n,
      -7,
      1,
    ];
    const [alone, shared] = [values(), values()];
    artifact.run('f', ...alone);
    for (let i = 0; i < 20; i++) await artifact.runAsync('f', ...shared);
    expect(shared).toEqual(alone);
    expect((shared[1] as Float32Array).slice(48 + 3 * 6, 48 + 4 * 6)).toEqual(
      Float32Array.from({ length: 6 }, (_, j) => (6 + j) / 2 + 0.25 + 3 + 100 - 7),
    );
    artifact.dispose();
  });

  it('gives results, in each function, also of one that another calls', async () => {
    const artifact = await load(`func.func @inner(%x: memref<6xf32>, %y: memref<6xf32>) {
        scf.forall (%i) in (6) {
          %e = memref.load %x[%i] : memref<6xf32>
          %d = arith.addf %e, %e : f32
          memref.store %d, %y[%i] : memref<6xf32>
        }
        return
      }
      func.func @outer(%x: memref<6xf32>) -> (memref<6xf32>, i64) {
        %t = memref.alloc() : memref<6xf32>
        %u = memref.alloc() : memref<2x6xf32>
        scf.forall (%i) in (2) {
          %v = memref.subview %u[%i, 0] [1, 6] [1, 1] : memref<2x6xf32> to memref<6xf32, strided<[1], offset: ?>>
          scf.forall (%j) in (6) {
            %e = memref.load %x[%j] : memref<6xf32>
            memref.store %e, %v[%j] : memref<6xf32, strided<[1], offset: ?>>
          }
        }
        %w = memref.subview %u[1, 0] [1, 6] [1, 1] : memref<2x6xf32> to memref<6xf32, strided<[1], offset: 6>>
        %c = memref.alloc() : memref<6xf32>
        memref.copy %w, %c : memref<6xf32, strided<[1], offset: 6>> to memref<6xf32>
        func.call @inner(%c, %t) : (memref<6xf32>, memref<6xf32>) -> ()
        %n = arith.constant 5 : i64
        return %t, %n : memref<6xf32>, i64
      }`);
    const x = new Float32Array([1, 2, 3, 4, 5, 6]);
    expect(await artifact.runAsync('outer', x)).toEqual([new Float32Array([2, 4, 6, 8, 10, 12]), 5n]);
    const y = new Float32Array(6);
    await artifact.runAsync('inner', x, y);
    expect(y).toEqual(new Float32Array([2, 4, 6, 8, 10, 12]));
    artifact.dispose();
  });

  /** Each iteration sleeps, and stores the thread that it ran on. */
  const waiting = `func.func private @usleep(i32) -> i32
    func.func private @pthread_self() -> i64
    func.func @f(%x: memref<6xi64>) {
      scf.forall (%i) in (6) {
        %time = arith.constant 30000 : i32
        %0 = func.call @usleep(%time) : (i32) -> i32
        %1 = func.call @pthread_self() : () -> i64
        memref.store %1, %x[%i] : memref<6xi64>
      }
      return
    }`;
  const distinct = (values: BigInt64Array): number => new Set(values).size;

  it('takes that many, and lets the caller go on', async () => {
    const artifact = await load(waiting);
    const [alone, shared] = [new BigInt64Array(6), new BigInt64Array(6)];
    artifact.run('f', alone);
    expect(distinct(alone)).toBe(1);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    await artifact.runAsync('f', shared);
    clearInterval(timer);
    expect(distinct(shared)).toBe(3);
    expect(shared).not.toContain(alone[0]);
    expect(ticks).toBeGreaterThan(2);
    artifact.dispose();
  });

  it('takes threads of its own where there are several artifacts', async () => {
    const artifacts = await Promise.all([load(waiting), load(waiting)]);
    const arrays = artifacts.map(() => new BigInt64Array(6));
    await Promise.all(artifacts.map((artifact, i) => artifact.runAsync('f', arrays[i]!)));
    expect(new Set(arrays.flatMap((each) => [...each])).size).toBe(6);
    const [first, second] = artifacts;
    first.dispose();
    await second.runAsync('f', arrays[0]!);
    expect(distinct(arrays[0]!)).toBe(3);
    second.dispose();
  });

  /** The threads of this process. */
  const tasks = (): ReadonlySet<string> => new Set(readdirSync('/proc/self/task'));
  /** Those that have begun since; threads of other tests begin and end meanwhile. */
  const begunSince = (before: ReadonlySet<string>): readonly string[] =>
    [...tasks()].filter((task) => !before.has(task));
  const endedOf = (begun: readonly string[]): number => {
    const left = tasks();
    return begun.filter((task) => !left.has(task)).length;
  };

  it('has threads that end with it, also while it is called', async () => {
    // The process's threads, for promised calls, start with the first call and stay.
    const first = await load(waiting);
    await first.runAsync('f', new BigInt64Array(6));
    first.dispose();
    const before = tasks();
    const artifact = await load(waiting, 5);
    const begun = begunSince(before);
    expect(begun.length).toBeGreaterThanOrEqual(4);
    const call = artifact.runAsync('f', new BigInt64Array(6));
    await wait(20);
    artifact.dispose();
    await expect(call).rejects.toThrow(/disposed/);
    expect(endedOf(begun)).toBeGreaterThanOrEqual(4);
  });

  it('has threads that end when nobody refers to it, not to a function that is bound', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const before = tasks();
    const droppedBut = async (): Promise<BoundFunction> => {
      await load(waiting, 5);
      return (await load(waiting, 4)).bind('f', {});
    };
    const bound: BoundFunction[] = [await droppedBut()];
    const begun = begunSince(before);
    expect(begun.length).toBeGreaterThanOrEqual(4 + 3);
    const collected = async (ended: number): Promise<void> =>
      vi.waitFor(() => {
        collect();
        expect(endedOf(begun)).toBeGreaterThanOrEqual(ended);
      });
    await collected(4);
    await bound.pop()!.runAsync(new BigInt64Array(6));
    await collected(4 + 3);
  });

  it('leaves no thread and no library behind if it cannot be loaded', async () => {
    const maps = (): number => readFileSync('/proc/self/maps', 'utf8').split(cache).length;
    const [before, mapped] = [tasks(), maps()];
    const emitted = emit(waiting);
    const functions = [...emitted.functions, { ...emitted.functions[0]!, name: 'missing' }];
    const { diagnostics } = await nativeBackend.load({ ...emitted, functions }, { threads: 5 });
    expect(diagnostics).toMatchObject([{ code: 'native/load', message: /sconv_missing/ }]);
    expect(begunSince(before).length).toBeLessThan(4);
    expect(maps()).toBe(mapped);
  });

  it('holds no memory from one of 1,000 calls to the next', async () => {
    const artifact = await load(`func.func @f(%x: memref<8x65536xf32>) {
      scf.forall (%i) in (8) {
        %c = arith.constant 1.0 : f32
        %t = memref.alloc() : memref<65536xf32>
        linalg.fill ins(%c : f32) outs(%t : memref<65536xf32>)
        %v = memref.subview %x[%i, 0] [1, 65536] [1, 1] : memref<8x65536xf32> to memref<65536xf32, strided<[1], offset: ?>>
        memref.copy %t, %v : memref<65536xf32> to memref<65536xf32, strided<[1], offset: ?>>
      }
      return
    }`);
    const x = new Float32Array(8 * 65536);
    const calls = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await artifact.runAsync('f', x);
    };
    await calls(50);
    const before = process.memoryUsage().rss;
    await calls(1000);
    expect(process.memoryUsage().rss - before).toBeLessThan(32e6);
    expect(x.every((value) => value === 1)).toBe(true);
    artifact.dispose();
  });

  it('is one where there is none to share, which a warning says', async () => {
    const result = await nativeBackend.load(emit('func.func @f() { return }'), { threads: 2 });
    expect(result.diagnostics).toMatchObject([
      {
        code: 'native/fewer-threads',
        message: 'calls take one thread, not 2: the code has no scf.forall to share',
      },
    ]);
    await unwrap(result).runAsync('f');
  });
});
