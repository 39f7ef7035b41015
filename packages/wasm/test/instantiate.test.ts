import { describe, expect, it } from 'vitest';
import {
  emitMicrokernel,
  instantiate,
  instantiateAsync,
  ownedBytes,
  supportsRelaxedSimd,
} from '../src/index.ts';
import { emitted } from './emit.ts';

/** Doubles into a scratch buffer and adds that to the output. */
const text = `func.func @add(%x: memref<3xf32>, %y: memref<3xf32>) -> memref<3xf32> {
  %t = memref.alloc() : memref<3xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%x : memref<3xf32>) outs(%t : memref<3xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %a : f32
      linalg.yield %c : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%t : memref<3xf32>) outs(%y : memref<3xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
  }
  return %y : memref<3xf32>
}
func.func @number(%x: f32) -> f32 { return %x : f32 }`;

const module = emitted(text);

describe('an instance', () => {
  it('describes its functions', () => {
    expect(module.functions).toMatchObject([
      {
        name: 'add',
        parameters: [
          { kind: 'buffer', element: 'f32', shape: [3], length: 3, written: false },
          { kind: 'buffer', element: 'f32', shape: [3], length: 3, written: true },
        ],
        results: [{ kind: 'buffer', shape: [3] }],
      },
      {
        name: 'number',
        parameters: [{ kind: 'scalar', type: 'f32' }],
        results: [{ kind: 'scalar', type: 'f32' }],
      },
    ]);
  });

  it('copies arrays in and results back', async () => {
    for (const instance of [instantiate(module), await instantiateAsync(module)]) {
      const [x, y] = [Float32Array.of(1, 2, 3), Float32Array.of(10, 20, 30)];
      const [result] = instance.run('add', x, y);
      expect(result).toBe(y);
      expect([x, y]).toEqual([Float32Array.of(1, 2, 3), Float32Array.of(12, 24, 36)]);
      expect(instance.run('number', 0.5)).toEqual([0.5]);
    }
  });

  it('uses its own buffers in place', () => {
    const instance = instantiate(module);
    const [x, y] = instance.buffers('add') as [Float32Array, Float32Array];
    x.set([1, 2, 3]);
    y.set([10, 20, 30]);
    instance.run('add', x, y);
    expect(y).toEqual(Float32Array.of(12, 24, 36));
  });

  it('looks at arrays again once the memory has grown', () => {
    const instance = instantiate(module);
    const [x, y] = instance.buffers('add') as [Float32Array, Float32Array];
    instance.run('add', x, y);
    instance.run('add', x, y);
    instance.memory.grow(1);
    expect(() => instance.run('add', x, y)).toThrow("argument 0 of 'add' has 0 elements, not 3");
    const [again, output] = instance.buffers('add') as [Float32Array, Float32Array];
    again.set([1, 2, 3]);
    expect(instance.run('add', again, output)).toEqual([Float32Array.of(2, 4, 6)]);
  });

  it('looks at the arrays of the call before no second time', () => {
    const instance = instantiate(module);
    const [x, y] = instance.buffers('add') as [Float32Array, Float32Array];
    let looks = 0;
    Object.defineProperty(x, 'constructor', {
      get: () => {
        looks += 1;
        return Float32Array;
      },
    });
    for (let i = 0; i < 3; i++) instance.run('add', x, y);
    expect(looks).toBe(1);
    instance.run('add', x, new Float32Array(3));
    expect(looks).toBe(2);
  });

  it('checks what differs from the call before', () => {
    const instance = instantiate(module);
    const [x, y] = instance.buffers('add') as [Float32Array, Float32Array];
    x.set([1, 2, 3]);
    instance.run('add', x, y);
    expect(() => instance.run('add', y, y)).toThrow(RangeError);
    expect(() => instance.run('add', x, new Float32Array(4))).toThrow(RangeError);
    expect(() => instance.run('add', x)).toThrow(TypeError);
    expect(() => instance.run('add', x, y, x)).toThrow(TypeError);
    const elsewhere = new Float32Array(3);
    instance.run('add', x, elsewhere);
    instance.run('add', x, y);
    expect([...y, ...elsewhere]).toEqual([4, 8, 12, 2, 4, 6]);
    expect([0.5, 0.5, 1, 1].map((value) => instance.run('number', value))).toEqual([[0.5], [0.5], [1], [1]]);
    expect(() => instance.run('number', '1' as unknown as number)).toThrow(TypeError);
  });

  it('stays in its part of the memory of a caller', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const bytes = new Uint8Array(memory.buffer).fill(0xee);
    const at = 4096;
    const instance = instantiate(module, { memory, at });
    const y = new Float32Array(memory.buffer, 40_000, 3);
    y.fill(1);
    instance.run('add', Float32Array.of(1, 2, 3), y);
    expect(y).toEqual(Float32Array.of(3, 5, 7));
    const foreign = (i: number): boolean =>
      (i < at || i >= at + ownedBytes(module)) && (i < 40_000 || i >= 40_012);
    expect(bytes.every((byte, i) => !foreign(i) || byte === 0xee)).toBe(true);
  });

  it('refuses a memory that is too small, and arguments that do not fit', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    expect(() => instantiate(module, { memory, at: 65_536 - 64 })).toThrow(RangeError);
    expect(() => instantiate(module, { memory, at: 4 })).toThrow(RangeError);
    const instance = instantiate(module);
    const three = new Float32Array(3);
    expect(() => instance.run('add', three)).toThrow(TypeError);
    expect(() => instance.run('add', three, new Float32Array(4))).toThrow(RangeError);
    expect(() => instance.run('add', three, new Int32Array(3))).toThrow(TypeError);
    expect(() => instance.run('add', three, 1)).toThrow(TypeError);
    expect(() => instance.run('number', three)).toThrow(TypeError);
    expect(() => instance.run('other')).toThrow(RangeError);
    expect(() => instance.run('add', three)).toThrow("'add' takes 2 arguments, not 1");
    expect(() => instance.run('number', 1, 2)).toThrow("'number' takes 1 argument, not 2");
    expect(() => instance.run('number')).toThrow("'number' takes 1 argument, not 0");
  });
});

it('says whether relaxed SIMD can be run', () => {
  const compiles = (): boolean => {
    try {
      return Boolean(new WebAssembly.Module(emitMicrokernel({ windows: 8, filters: 4, relaxed: true })));
    } catch {
      return false;
    }
  };
  expect(supportsRelaxedSimd()).toBe(compiles());
});
