import { describe, expect, it } from 'vitest';
import { instanceOf } from './emit.ts';

/** Packs the transposed constant in the body of `around`, and copies the packed buffer out. */
const text = (around: (packing: string) => string, index = '%j, %i', after = ''): string => `module {
  memref.global "private" constant @weights : memref<2x4xf32> = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]>
  func.func @f(%o: memref<4x2xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %nine = arith.constant 9.0 : f32
    %w = memref.get_global @weights : memref<2x4xf32>
    %p = memref.alloc() : memref<4x2xf32>
    ${around(`linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%p : memref<4x2xf32>) {
      ^bb0(%x: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %v = memref.load %w[${index}] : memref<2x4xf32>
        linalg.yield %v : f32
    }`)}
    %s = memref.subview %p[0, 0] [4, 2] [1, 1] : memref<4x2xf32> to memref<4x2xf32, strided<[2, 1]>>
    memref.copy %s, %o : memref<4x2xf32, strided<[2, 1]>> to memref<4x2xf32>
    ${after}
    return
  }
}`;

/** The result of the first call, and of a second after the constant's memory was overwritten. */
const twice = (module: string): readonly [Float32Array, Float32Array] => {
  const instance = instanceOf(module);
  const [first, second] = [new Float32Array(8), new Float32Array(8)];
  instance.run('f', first);
  new Float32Array(instance.memory.buffer, 0, 8).fill(-1);
  instance.run('f', second);
  return [first, second];
};

const transposed = Float32Array.of(1, 5, 2, 6, 3, 7, 4, 8);

describe('a packed constant', () => {
  it('is packed in the first call only', () => {
    expect(twice(text((packing) => packing))).toEqual([transposed, transposed]);
  });

  it('is packed again where something else writes to it', () => {
    const [first, second] = twice(
      text((packing) => packing, '%j, %i', 'memref.store %nine, %p[%c0, %c0] : memref<4x2xf32>'),
    );
    expect([first, second]).toEqual([transposed, new Float32Array(8).fill(-1)]);
  });

  it('is packed again where it depends on a loop', () => {
    const loop = (packing: string): string => `scf.for %k = %c0 to %c2 step %c1 { ${packing} }`;
    const [first, second] = twice(text(loop, '%k, %i'));
    expect(first).toEqual(Float32Array.of(5, 5, 6, 6, 7, 7, 8, 8));
    expect(second).toEqual(new Float32Array(8).fill(-1));
  });
});
