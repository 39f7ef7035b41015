import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact } from '@sconv/backend';
import { backendLaws } from '@sconv/backend/testing';
import { halfBits, halfValues } from '@sconv/backend';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import { avx2, avx512, derive, neon, targets, wasm } from '@sconv/targets';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildNative, findToolchain, nativeBackend } from '../src/index.ts';

const registry = createRegistry(payloadDialects);
const cache = mkdtempSync(join(tmpdir(), 'sconv-native-'));
afterAll(() => {
  rmSync(cache, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
  return () => vi.unstubAllEnvs();
});

const target: Target = process.arch === 'arm64' ? neon : avx2;
const isHost = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
const hasLlvm = isHost && 'paths' in (await findToolchain());

const emit = (text: string, given = target) =>
  nativeBackend.emit(unwrap(parseModule(text, { registry })), { target: given, registry });

const load = async (text: string): Promise<Artifact> => unwrap(await nativeBackend.load(unwrap(emit(text))));

describe.skipIf(!hasLlvm)('vectorized code', () => {
  it('may have transfers of several dimensions', async () => {
    const artifact = await load(`func.func @negate(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
      %zero = arith.constant 0 : index
      %pad = arith.constant 0.0 : f32
      %rows = vector.transfer_read %x[%zero, %zero], %pad {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
      %negated = arith.negf %rows : vector<4x8xf32>
      vector.transfer_write %negated, %y[%zero, %zero] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
      return
    }`);
    const x = Float32Array.from({ length: 32 }, (_, i) => i + 1);
    const y = new Float32Array(32);
    artifact.run('negate', x, y);
    expect(y).toEqual(x.map((value) => -value));
    artifact.dispose();
  });
});

describe('what is emitted', () => {
  it('is for machines that have vectors, of x86-64, aarch64 and ppc64le', () => {
    const served = targets.filter((each) => nativeBackend.serves(each)).map(({ name }) => name);
    expect(served).toEqual([
      'avx2',
      'zen4',
      'haswell',
      'alder-lake',
      'avx512',
      'cascade-lake',
      'neon',
      'sme',
      'mma',
      'power10-e1050',
    ]);
  });

  it('is refused for another one', () => {
    expect(emit('func.func @f() { return }', wasm).diagnostics).toMatchObject([{ code: 'native/target' }]);
  });

  it('has the register tiles that the target is fastest with', () => {
    const module = `func.func @f(%a: memref<1x2x16xf32>, %b: memref<2x6xf32>, %c: memref<1x6x16xf32>) {
      "kernel.microkernel"(%a, %b, %c) {operand_segment_sizes = array<i32: 1, 1, 1, 0, 0>} :
        (memref<1x2x16xf32>, memref<2x6xf32>, memref<1x6x16xf32>) -> ()
      return
    }`;
    const loops = (given: Target): number => unwrap(emit(module, given)).mlir.split('scf.for').length - 1;
    const derived = derive(avx2, (draft) => {
      draft.speeds!.stepCycles = draft.speeds!.stepCycles.map((byFilters) => byFilters.slice(0, 2));
    });
    // 16x6 in one pass, and 16x2 in each of three.
    expect([loops(avx2), loops(derived)]).toEqual([1, 3]);
  });

  it('has no constants of terabytes', () => {
    const text =
      'memref.global "private" constant @z : memref<1000000x1000000xf64> = dense<1.0>\nfunc.func @f() { return }';
    expect(emit(text).diagnostics).toMatchObject([
      { code: 'native/constants', message: 'needs 8000000000000 bytes of constants; code reaches 2 GiB' },
    ]);
  });

  it('takes what callers can pass', () => {
    const result = emit('func.func @f(%x: memref<?xf32>) { return }');
    expect(result.diagnostics).toMatchObject([
      { code: 'backend/signature', message: /^'f' takes or returns/ },
    ]);
    expect(emit('func.func @f(%x: tensor<4xf32>) { return }').status).toBe('definite');
    expect(emit('func.func @f(%x: f16) { return }').diagnostics).toMatchObject([
      { code: 'backend/signature' },
    ]);
  });

  it.each(['0x3', '3x0', '0', '2x0x3'])('takes buffers without elements: %s', (shape) => {
    const { functions } = unwrap(
      emit(
        `func.func @f(%x: memref<${shape}xf32>) -> memref<${shape}xf32> { return %x : memref<${shape}xf32> }`,
      ),
    );
    expect(functions[0]!.parameters).toMatchObject([{ length: 0 }]);
  });

  it('leaves private functions to the others', () => {
    const { functions, stubs } = unwrap(
      emit('func.func private @g() { return }\nfunc.func @f.1() { return }'),
    );
    expect(functions.map(({ name }) => name)).toEqual(['f.1']);
    expect(stubs).toContain('void sconv_f_x2e_1(int32_t *places)');
  });

  it('has a symbol of its own for each name', () => {
    const names = ['f.1', 'f_x2e_1', 'f_kept1_bytes', 'streaming_bytes', 'x', 'f_kept1_bytes_'];
    const { header } = unwrap(emit(names.map((name) => `func.func @${name}() { return }`).join('\n')));
    const symbols = [
      'f_x2e_1',
      'f_x5f_x2e_1',
      'f_kept1_x5f_bytes',
      'streaming_x5f_bytes',
      'x',
      'f_kept1_bytes_',
    ];
    for (const each of symbols) expect(header).toContain(`void sconv_${each}(int32_t *places);`);
  });

  it('says which buffers are written', () => {
    const { functions } = unwrap(
      emit(`func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>, %c: i1) -> memref<4xf32> {
        %i = arith.constant 0 : index
        %e = memref.load %x[%i] : memref<4xf32>
        %w = scf.if %c -> (memref<4xf32>) { scf.yield %y : memref<4xf32> } else { scf.yield %y : memref<4xf32> }
        memref.store %e, %w[%i] : memref<4xf32>
        return %z : memref<4xf32>
      }`),
    );
    const written = functions[0]?.parameters.map((each) =>
      each.kind === 'buffer' ? each.written : undefined,
    );
    expect(written).toEqual([false, true, false, undefined]);
  });

  it('says which buffers its calls write', () => {
    const type = 'memref<4xf32>';
    const types = `(${type}, ${type})`;
    const circle = (name: string, of: string): string =>
      `func.func private @${name}(%x: ${type}, %y: ${type}) { call @${of}(%x, %y) : ${types} -> () return }`;
    const { functions } = unwrap(
      emit(`func.func @f(%w: ${type}, %x: ${type}, %y: ${type}, %z: ${type}) {
        call @below(%x, %w) : ${types} -> ()
        call @round(%y, %z) : ${types} -> ()
        return
      }
      func.func private @below(%x: ${type}, %y: ${type}) { call @copy(%y, %x) : ${types} -> () return }
      func.func private @copy(%x: ${type}, %y: ${type}) { memref.copy %x, %y : ${type} to ${type} return }
      ${circle('round', 'about')}
      ${circle('about', 'round')}`),
    );
    const written = functions[0]?.parameters.map((each) => each.kind === 'buffer' && each.written);
    // A circle may do anything.
    expect(written).toEqual([false, true, true, true]);
  });
});

describe.skipIf(!hasLlvm)('the backend', () => {
  it.each(backendLaws)('$name', ({ check }) => check({ backend: nativeBackend, target, registry }));

  it('makes code for AVX-512, where the processor has it', async () => {
    const artifact = await nativeBackend.load(
      unwrap(emit('func.func @f(%x: f32) -> f32 { return %x : f32 }', avx512)),
    );
    if (artifact.status === 'success') expect(artifact.value.run('f', 2)).toEqual([2]);
    else expect(artifact.diagnostics).toMatchObject([{ code: 'native/processor' }]);
  });

  it('passes numbers and buffers of every kind, and gives them back', async () => {
    const types = ['f32', 'f64', 'i1', 'i8', 'i16', 'i32', 'i64', 'index'];
    const functions = types.map(
      (
        type,
      ) => `func.func @${type}(%x: memref<3x${type}>, %a: ${type}) -> (memref<3x${type}>, ${type}, memref<3x${type}>) {
        %i = arith.constant 1 : index
        memref.store %a, %x[%i] : memref<3x${type}>
        %t = memref.alloc() : memref<3x${type}>
        memref.copy %x, %t : memref<3x${type}> to memref<3x${type}>
        %e = memref.load %x[%i] : memref<3x${type}>
        return %t, %e, %x : memref<3x${type}>, ${type}, memref<3x${type}>
      }`,
    );
    const artifact = await load(functions.join('\n'));
    for (const element of ['f32', 'f64', 'i1', 'i8', 'i16', 'i32', 'i64', 'index'] as const) {
      const buffer = artifact.allocate(element, 3);
      const one = buffer instanceof BigInt64Array ? 1n : 1;
      const [copy, number, same] = artifact.run(element, buffer, one);
      expect([...(copy as Iterable<unknown>)].map(Number)).toEqual([0, 1, 0]);
      expect(Math.abs(Number(number))).toBe(1);
      expect(same).toBe(buffer);
    }
    artifact.dispose();
  });

  it.each(['f16', 'bf16'] as const)('extends and rounds %s, whose arrays hold bits', async (type) => {
    const text = `func.func @f(%x: memref<8x${type}>, %w: memref<8xf32>, %y: memref<8x${type}>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%x : memref<8x${type}>) outs(%w, %y : memref<8xf32>, memref<8x${type}>) {
        ^bb0(%e: ${type}, %o: f32, %p: ${type}):
          %wide = arith.extf %e : ${type} to f32
          %short = arith.truncf %o : f32 to ${type}
          %one = arith.constant 1.0 : ${type}
          %back = arith.mulf %short, %one : ${type}
          linalg.yield %wide, %back : f32, ${type}
      }
      return
    }`;
    expect(unwrap(emit(text)).header).toContain(
      'void sconv_f(const uint16_t *arg0, float *arg1, uint16_t *arg2, int32_t *places);',
    );
    const artifact = await load(text);
    // Halfway between two numbers, too large, a subnormal, and what is no number.
    const numbers = [1, -0.1, 1 + 2 ** -8, 1 + 2 ** -11, 1e30, -Infinity, 3 * 2 ** -25, NaN];
    const x = halfBits(type, numbers);
    const [w, y] = [Float32Array.from(numbers), new Uint16Array(8)];
    artifact.run('f', x, w, y);
    expect([...w]).toEqual([...halfValues(type, x)]);
    expect([...halfValues(type, y)]).toEqual([...halfValues(type, x)]);
    artifact.dispose();
  });

  it('packs what is bound once', async () => {
    const artifact = await load(`func.func @f(%w: memref<4x3xf32>, %o: memref<3x4xf32>) {
      %panel = memref.alloc() : memref<3x4xf32>
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%panel : memref<3x4xf32>) {
      ^bb0(%out: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %e = memref.load %w[%j, %i] : memref<4x3xf32>
        linalg.yield %e : f32
      }
      linalg.add ins(%panel, %panel : memref<3x4xf32>, memref<3x4xf32>) outs(%o : memref<3x4xf32>)
      memref.dealloc %panel : memref<3x4xf32>
      return
    }`);
    const weights = Float32Array.from({ length: 12 }, (_, i) => i + 1);
    const doubled = Float32Array.from(
      { length: 12 },
      (_, i) => 2 * weights[(i % 4) * 3 + Math.floor(i / 4)]!,
    );
    const run = (call: (out: Float32Array) => unknown): Float32Array => {
      const out = new Float32Array(12);
      call(out);
      return out;
    };
    const bound = artifact.bind('f', { 0: weights });
    expect(run((out) => bound.run(out))).toEqual(doubled);
    expect(run((out) => bound.run(out))).toEqual(doubled);
    // What is bound must not change: the packing of before is used.
    weights.fill(0);
    expect(run((out) => bound.run(out))).toEqual(doubled);
    expect(run((out) => artifact.run('f', weights, out))).toEqual(new Float32Array(12));
    artifact.dispose();
  });

  it('returns parts of buffers, and constants, by their layout', async () => {
    const artifact = await load(`memref.global "private" constant @k : memref<2xf32> = dense<[5.0, 6.0]>
      func.func @part(%x: memref<2x4xf32>) -> (memref<2x2xf32, strided<[4, 1], offset: 1>>, memref<2xf32>) {
        %t = memref.alloc() : memref<2x4xf32>
        memref.copy %x, %t : memref<2x4xf32> to memref<2x4xf32>
        %v = memref.subview %t[0, 1] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 1>>
        %k = memref.get_global @k : memref<2xf32>
        return %v, %k : memref<2x2xf32, strided<[4, 1], offset: 1>>, memref<2xf32>
      }`);
    const [part, constants] = artifact.run('part', new Float32Array([0, 1, 2, 3, 4, 5, 6, 7]));
    // From the first byte to the end of the last element, gaps included.
    expect([...(part as Float32Array)]).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(constants).toEqual(new Float32Array([5, 6]));
  });

  it('takes functions of vectors, elements at positions known at run time, and atomic updates', async () => {
    const artifact =
      await load(`func.func @functions(%m: memref<4xf32>, %n: memref<f32>, %i: index) -> index {
        %c0 = arith.constant 0 : index
        %zero = arith.constant 0.0 : f32
        %v = vector.transfer_read %m[%c0], %zero {in_bounds = [true]} : memref<4xf32>, vector<4xf32>
        %w = math.tanh %v : vector<4xf32>
        vector.transfer_write %w, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
        %x = vector.transfer_read %n[], %zero : memref<f32>, vector<f32>
        %y = math.erf %x : vector<f32>
        vector.transfer_write %y, %n[] : vector<f32>, memref<f32>
        %0 = math.ctlz %i : index
        return %0 : index
      }
      func.func @elements(%m: memref<2x3xf32>, %i: index, %j: index, %x: f32) -> (f32, f32) {
        %c0 = arith.constant 0 : index
        %v = vector.transfer_read %m[%c0, %c0], %x {in_bounds = [true, true]} : memref<2x3xf32>, vector<2x3xf32>
        %0 = vector.extract %v[%i, %j] : f32 from vector<2x3xf32>
        %w = vector.insert %x, %v[1, %j] : f32 into vector<2x3xf32>
        vector.transfer_write %w, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, memref<2x3xf32>
        %e = vector.splat %0 : vector<f32>
        %p = vector.insert %x, %e[] : f32 into vector<f32>
        %q = vector.extract %p[] : f32 from vector<f32>
        %one = vector.splat %0 : vector<1x1xf32>
        %other = vector.insert %q, %one[0, 0] : f32 into vector<1x1xf32>
        %r = vector.extract %other[0, 0] : f32 from vector<1x1xf32>
        return %0, %r : f32, f32
      }
      func.func @sums(%x: f32, %a: memref<3xi8>, %n: memref<3xf16>) -> (f32, f32, i32, f32) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %v = vector.splat %x : vector<4xf32>
        %0 = vector.reduction <add>, %v : vector<4xf32> into f32
        %k = vector.create_mask %c1 : vector<4xi1>
        %1 = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
        %b = vector.load %a[%c0] : memref<3xi8>, vector<3xi8>
        %s = arith.constant 1 : i32
        %2 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
          iterator_types = ["reduction"], kind = #vector.kind<add>} %b, %b, %s : vector<3xi8>, vector<3xi8> into i32
        %h = vector.load %n[%c0] : memref<3xf16>, vector<3xf16>
        %3 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
          iterator_types = ["reduction"], kind = #vector.kind<add>} %h, %h, %x : vector<3xf16>, vector<3xf16> into f32
        return %0, %1, %2, %3 : f32, f32, i32, f32
      }
      func.func @update(%m: memref<2xi32>, %i: index, %x: i32) -> i32 {
        %0 = memref.atomic_rmw maxs %x, %m[%i] : (i32, memref<2xi32>) -> i32
        return %0 : i32
      }`);
    const [vector, element] = [new Float32Array([0, Infinity, -Infinity, 0]), new Float32Array([Infinity])];
    expect(artifact.run('functions', vector, element, 1n)).toEqual([63n]);
    expect([...vector, ...element]).toEqual([0, 1, -1, 0, 1]);
    const elements = new Float32Array([0, 1, 2, 3, 4, 5]);
    expect(artifact.run('elements', elements, 1n, 2n, 9)).toEqual([5, 9]);
    expect([...elements]).toEqual([0, 1, 2, 3, 4, 9]);
    const halves = halfBits('f16', [300, 300, 1]);
    expect(artifact.run('sums', -0, new Int8Array([-128, 127, 2]), halves)).toEqual([-0, -0, 32518, 180001]);
    const numbers = new Int32Array([3, -10]);
    expect(artifact.run('update', numbers, 1n, -4)).toEqual([-10]);
    expect([...numbers]).toEqual([3, -4]);
    artifact.dispose();
  });

  it('builds a library once, and leaves nothing else', async () => {
    const text = 'func.func @once(%x: f32) -> f32 { return %x : f32 }';
    const folder = join(cache, 'sconv', 'native');
    // Programs for an emulator are there, too, if other tests needed one.
    const others = existsSync(folder) ? readdirSync(folder) : [];
    const [first, second] = await Promise.all([load(text), load(text)]);
    expect([first.run('once', 1), second.run('once', 2)]).toEqual([[1], [2]]);
    const before = readdirSync(folder);
    const added = before.filter((name) => !others.includes(name));
    expect(added.map((name) => name.replace(/^\w+/, '')).sort()).toEqual(['.so', '.so.sha256']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect((await load(text)).run('once', 3)).toEqual([3]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('takes functions with names of the C library', async () => {
    const artifact = await load(`func.func @malloc(%x: i64) -> i64 { return %x : i64 }
      memref.global "private" constant @memcpy : memref<1xf32> = dense<3.0>
      func.func @free(%x: i64) -> (i64, memref<1xf32>) {
        %t = memref.alloc() : memref<1xf32>
        %k = memref.get_global @memcpy : memref<1xf32>
        memref.copy %k, %t : memref<1xf32> to memref<1xf32>
        %y = func.call @malloc(%x) : (i64) -> i64
        return %y, %t : i64, memref<1xf32>
      }`);
    expect(artifact.run('free', 5n)).toEqual([5n, new Float32Array([3])]);
  });

  it('rounds quotients, and keeps the signs of zeros', async () => {
    const divisions = ['floordivsi', 'ceildivsi', 'ceildivui'];
    const artifact = await load(`func.func @quotients(%a: i32, %b: i32) -> (i32, i32, i32) {
        ${divisions.map((name, i) => `%${i} = arith.${name} %a, %b : i32`).join('\n')}
        return %0, %1, %2 : i32, i32, i32
      }
      func.func @ofVectors(%m: memref<2x2xi64>, %b: i64) {
        %i = arith.constant 0 : index
        %z = arith.constant 0 : i64
        %v = vector.transfer_read %m[%i, %i], %z {in_bounds = [true, true]} : memref<2x2xi64>, vector<2x2xi64>
        %w = vector.splat %b : vector<2x2xi64>
        %q = arith.floordivsi %v, %w : vector<2x2xi64>
        vector.transfer_write %q, %m[%i, %i] {in_bounds = [true, true]} : vector<2x2xi64>, memref<2x2xi64>
        return
      }
      func.func @zeros(%a: f32, %b: f32) -> (f32, f32) {
        %0 = arith.maximumf %a, %b : f32
        %1 = arith.minimumf %a, %b : f32
        return %0, %1 : f32, f32
      }`);
    const pairs = [[7, 2], [-7, 2], [7, -2], [-7, -2], [6, 3], [-6, 3], [0, -5], [1, 7], [-1, 7]] as const; // prettier-ignore
    for (const [a, b] of pairs) {
      const unsigned = Math.ceil((a >>> 0) / (b >>> 0)) | 0;
      const results = artifact.run('quotients', a, b).map((each) => Number(each) + 0);
      expect(results).toEqual([Math.floor(a / b) + 0, Math.ceil(a / b) + 0, unsigned]);
    }
    const numbers = new BigInt64Array([-7n, 7n, -8n, 0n]);
    artifact.run('ofVectors', numbers, 4n);
    expect([...numbers]).toEqual([-2n, 1n, -2n, 0n]);
    expect(artifact.run('zeros', -0, 0)).toEqual([0, -0]);
    expect(artifact.run('zeros', 0, -0)).toEqual([0, -0]);
    artifact.dispose();
  });

  it('takes functions of the C library, and says which functions are nowhere', async () => {
    const calling = (name: string): string =>
      `func.func private @${name}(f64) -> f64\nfunc.func @f(%x: f64) -> f64 { %0 = call @${name}(%x) : (f64) -> f64 return %0 : f64 }`;
    const artifact = await load(calling('cosh'));
    expect(artifact.run('f', 0)).toEqual([1]);
    artifact.dispose();
    const module = unwrap(parseModule(calling('nowhere'), { registry, fileName: 'in.mlir' }));
    const emitted = unwrap(nativeBackend.emit(module, { target, registry }));
    for (const { diagnostics } of [await nativeBackend.load(emitted), await buildNative(emitted, 'so')]) {
      expect(diagnostics).toMatchObject([
        {
          code: 'native/undefined',
          message: /^'nowhere' has no body, and no library that is linked has it: give it a body/,
          location: { file: 'in.mlir', line: 1 },
          details: /nowhere/,
        },
      ]);
    }
    // Whoever links the object has it.
    expect((await buildNative(emitted, 'obj')).status).toBe('success');
  });

  it('copies rows of a number that is known at run time only', async () => {
    const artifact = await load(`func.func @f(%x: memref<4x3xi8>, %y: memref<2x3xi8>, %n: index) {
      %v = memref.subview %x[0, 0] [%n, 3] [1, 1] : memref<4x3xi8> to memref<?x3xi8, strided<[3, 1]>>
      memref.copy %v, %y : memref<?x3xi8, strided<[3, 1]>> to memref<2x3xi8>
      return
    }`);
    const [x, y] = [Int8Array.from({ length: 12 }, (_, i) => i), new Int8Array(6)];
    artifact.run('f', x, y, 2n);
    expect([...y]).toEqual([0, 1, 2, 3, 4, 5]);
    artifact.dispose();
  });

  it('copies between layouts', async () => {
    const artifact = await load(`func.func @transpose(%x: memref<2x3xf32>) -> memref<3x2xf32> {
      %t = memref.alloc() : memref<3x2xf32>
      %v = memref.transpose %x (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
      memref.copy %v, %t : memref<3x2xf32, strided<[1, 3]>> to memref<3x2xf32>
      return %t : memref<3x2xf32>
    }`);
    expect(artifact.run('transpose', new Float32Array([0, 1, 2, 3, 4, 5]))).toEqual([
      new Float32Array([0, 3, 1, 4, 2, 5]),
    ]);
  });

  it('takes targets that are derived', async () => {
    const wide = derive(target, (draft) => {
      draft.machine.title = 'another';
    });
    const artifact = unwrap(
      await nativeBackend.load(unwrap(emit('func.func @f(%x: f64) -> f64 { return %x : f64 }', wide))),
    );
    expect(artifact.run('f', 0.1)).toEqual([0.1]);
  });
});
