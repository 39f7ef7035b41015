import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { emitModule } from '../src/index.ts';
import { failureOf, moduleOf } from './emit.ts';

describe('emission fails at the operation', () => {
  it.each([
    ['a tensor', `func.func @f(%a: tensor<4xf32>) { return }`, 'wasm/unsupported', 1],
    ['an element type', `func.func @f(%a: memref<4xf16>) { return }`, 'wasm/unsupported', 1],
    ['a dynamic argument', `func.func @f(%a: memref<?xf32>) { return }`, 'wasm/dynamic-shape', 1],
    [
      'a dynamic allocation',
      `func.func @f(%n: index) {
        %a = memref.alloc(%n) : memref<?xf32>
        return
      }`,
      'wasm/dynamic-shape',
      2,
    ],
    [
      'more memory than an address reaches',
      `func.func @f() {
        %a = memref.alloc() : memref<65536x65536xf32>
        return
      }`,
      'wasm/memory-limit',
      1,
    ],
    [
      'arguments of more than 4 GiB',
      `func.func @f(%a: memref<2048x1024x1024xf32>) { return }`,
      'wasm/memory-limit',
      1,
    ],
    [
      'an operation without lowering',
      `func.func @f(%a: f32) -> i32 {
        %b = arith.bitcast %a : f32 to i32
        return %b : i32
      }`,
      'wasm/unsupported',
      2,
    ],
    [
      'an allocation that leaves its loop',
      `func.func @f(%m: memref<2xf32>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c9 = arith.constant 9 : index
        %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%x = %m) -> (memref<2xf32>) {
          %a = memref.alloc() : memref<2xf32>
          scf.yield %a : memref<2xf32>
        }
        return
      }`,
      'wasm/escaping-allocation',
      5,
    ],
    [
      'a bound beyond 32 bits',
      `func.func @f() {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %n = arith.constant 2147483648 : index
        scf.for %i = %c0 to %n step %c1 {
        }
        return
      }`,
      'wasm/index-overflow',
      5,
    ],
    [
      'a division by zero in a map',
      `func.func @f(%n: index) -> index {
        %r = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%n)[%n]
        %c0 = arith.constant 0 : index
        %s = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%n)[%c0]
        return %s : index
      }`,
      'wasm/index-arithmetic',
      4,
    ],
  ])('%s', (_, text, code, line) => {
    const failure = failureOf(text);
    expect(failure.code).toBe(code);
    expect(failure.location).toMatchObject({ kind: 'file', file: 'test.mlir', line });
  });

  it('when regions are nested too deeply', () => {
    const depth = 220;
    const text = `func.func @f(%c: i1) { ${'scf.if %c {\n'.repeat(depth)} ${'}\n'.repeat(depth)} return }`;
    expect(failureOf(text).code).toBe('wasm/too-deep');
  });

  it('when a function is too large for an engine', () => {
    const adds = Array.from({ length: 50_001 }, (_, i) => `%x${i + 1} = arith.addf %x${i}, %x${i} : f32`);
    expect(failureOf(`func.func @f(%x0: f32) { ${adds.join('\n')} return }`).code).toBe(
      'wasm/function-too-large',
    );
  });
});

describe('a microkernel', () => {
  const microkernel = (
    body: string,
    panel = 'memref<1x9x4xf32>',
  ): string => `func.func @f(%a: ${panel}, %b: memref<9x4xf32>, %c: memref<1x4x4xf32>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : ${panel}, memref<9x4xf32>) outs(%c : memref<1x4x4xf32>) attrs = {microkernel} {
      ^bb0(%x: f32, %y: f32, %z: f32):
        ${body}
        linalg.yield %s : f32
    }
    return
  }`;

  it('is silent where it is one', () => {
    const text = microkernel('%p = arith.mulf %y, %x : f32 %s = arith.addf %z, %p : f32');
    expect(emitModule(moduleOf(text)).diagnostics).toEqual([]);
  });

  it.each([
    [
      '%p = arith.mulf %x, %y : f32 %s = arith.subf %p, %z : f32',
      undefined,
      'no multiplication and addition',
    ],
    [
      '%p = arith.mulf %x, %y : f32 %s = arith.addf %p, %z : f32',
      'memref<1x9x4xf32, strided<[72, 8, 2]>>',
      'side by side',
    ],
  ])('warns where it has to be scalar: %s', (body, panel, reason) => {
    const result = emitModule(moduleOf(microkernel(body, panel)));
    expect(result.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ['wasm/scalar-microkernel', 'warning'],
    ]);
    expect(result.diagnostics[0]?.message).toContain(reason);
    expect(WebAssembly.validate(unwrap(result).bytes)).toBe(true);
  });
});
