import { backendLaws } from '@sconv/backend/testing';
import { unwrap } from '@sconv/diagnostics';
import { avx2, derive, targets, wasm, wasmRelaxed } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { wasmBackend } from '../src/index.ts';
import { disassemble } from './disassemble.ts';
import { registry, moduleOf } from './emit.ts';

describe('the backend', () => {
  it.each(backendLaws)('$name', ({ check }) => check({ backend: wasmBackend, target: wasm, registry }));

  it('serves WebAssembly', () => {
    const served = targets.filter((target) => wasmBackend.serves(target));
    expect(served).toEqual([wasm, wasmRelaxed]);
    expect(wasmBackend.serves(avx2)).toBe(false);
  });

  it.each([
    [wasm, false],
    [wasmRelaxed, true],
  ])('fuses where the target does (%#)', (target, relaxed) => {
    const module = moduleOf('func.func @f() { return }');
    expect(unwrap(wasmBackend.emit(module, { target, registry })).relaxed).toBe(relaxed);
  });

  it('divides tiles by the speeds of the target', () => {
    const kernel = moduleOf(`func.func @f(%a: memref<1x2x8xf32>, %b: memref<2x4xf32>, %c: memref<1x4x8xf32>) {
      "kernel.microkernel"(%a, %b, %c) {operand_segment_sizes = array<i32: 1, 1, 1, 0, 0>} :
        (memref<1x2x8xf32>, memref<2x4xf32>, memref<1x4x8xf32>) -> ()
      return
    }`);
    /** The tiles of 8 x 4 that it takes as registers for `filters` filters. */
    const codeFor = (filters: number): string => {
      const derived = derive(wasm, (draft) => {
        draft.speeds!.stepCycles = draft.speeds!.stepCycles.map((byFilters) => byFilters.slice(0, filters));
      });
      return disassemble(unwrap(wasmBackend.emit(kernel, { target: derived, registry })).bytes);
    };
    const calls = (code: string): number => code.split('call f').length - 1;
    expect([4, 2, 1].map((filters) => calls(codeFor(filters)))).toEqual([1, 3, 5]);
    const { speeds: _, ...unmeasured } = wasm;
    const code = disassemble(unwrap(wasmBackend.emit(kernel, { target: unmeasured, registry })).bytes);
    expect(calls(code)).toBe(1);
  });
});
