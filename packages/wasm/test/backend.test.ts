import { backendLaws } from '@sconv/backend/testing';
import { unwrap } from '@sconv/diagnostics';
import { avx2, targets, wasm, wasmRelaxed } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { wasmBackend } from '../src/index.ts';
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
});
