import { halfValues } from '@sconv/backend';
import { bf16, f16, f32, f64, i32, integerType } from '@sconv/ir';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { i32 as i32Code, v128 } from '../src/instructions.ts';
import type { Storage } from '../src/storage.ts';
import { storageOf } from '../src/storage.ts';
import type { LaneShape } from '../src/vector-lanes.ts';
import { laneShapes, loadLanes, storeLanes } from '../src/vector-lanes.ts';
import { runFunction } from './run-function.ts';

const page = 65_536;

const [i8Type, i16Type] = [integerType(8), integerType(16)];
const types = { f32, i32, i16: i16Type, i8: i8Type, f16, bf16 } as const;
const storageNamed = (name: keyof typeof types): Storage => storageOf(types[name])!;

/** The lanes that are loaded from the end of the memory, where reading on would end the execution. */
const loadedAtEnd = (
  name: keyof typeof types,
  stride: number,
  count: number,
  bytes: Uint8Array,
): DataView => {
  const { f, memory } = runFunction(['i32'], [], (builder, pointer) => {
    const lanes = loadLanes(
      builder,
      laneShapes.words,
      storageNamed(name),
      builder.get(pointer),
      stride,
      16,
      count,
    );
    builder.statement(v128.store(i32Code.const(0), lanes));
  });
  const all = new Uint8Array(memory.buffer);
  all.set(bytes, page - bytes.length);
  f(page - bytes.length - 16);
  return new DataView(memory.buffer);
};

const elements = {
  f32: (bytes: ArrayBuffer) => new Float32Array(bytes)[0]!,
  i32: (bytes: ArrayBuffer) => new Int32Array(bytes)[0]!,
  i16: (bytes: ArrayBuffer) => new Int16Array(bytes)[0]!,
  i8: (bytes: ArrayBuffer) => new Int8Array(bytes)[0]!,
  f16: (bytes: ArrayBuffer) => halfValues('f16', new Uint16Array(bytes))[0]!,
  bf16: (bytes: ArrayBuffer) => halfValues('bf16', new Uint16Array(bytes))[0]!,
} as const;

describe('lanes', () => {
  it.each(Object.keys(types) as (keyof typeof types)[])(
    'of %s are loaded at any stride, and nothing beyond them',
    (name) => {
      const size = storageNamed(name).bytes;
      fc.assert(
        fc.property(
          fc.nat(3),
          fc.integer({ min: 1, max: 4 }),
          fc.uint8Array({ minLength: 64, maxLength: 64 }),
          (step, count, random) => {
            const stride = step * size;
            const bytes = random.slice(0, (count - 1) * stride + size);
            const view = loadedAtEnd(name, stride, count, bytes);
            for (let lane = 0; lane < count; lane += 1) {
              const expected = elements[name](bytes.slice(lane * stride, lane * stride + size).buffer);
              const isFloat = name === 'f32' || name === 'f16' || name === 'bf16';
              const actual = isFloat ? view.getFloat32(4 * lane, true) : view.getInt32(4 * lane, true);
              expect(actual).toBe(expected);
            }
          },
        ),
        { numRuns: 40, seed: 1 },
      );
    },
  );

  it.each([
    ['i8', i8Type],
    ['i16', i16Type],
    ['words', i32],
    ['words', f32],
    ['f64', f64],
    ['words', f16],
    ['words', bf16],
  ] as const)('of %s are stored as they were loaded, and nothing else is: %s', (shapeName, type) => {
    const shape: LaneShape = laneShapes[shapeName];
    const storage = storageOf(type)!;
    const size = storage.bytes;
    for (const step of [0, 1, 2, 3]) {
      for (let count = 1; count <= shape.lanes; count += 1) {
        const { f, memory } = runFunction(['i32', 'i32'], [], (builder, from, to) => {
          const lanes = loadLanes(builder, shape, storage, builder.get(from), step * size, 1, count);
          builder.statement(
            storeLanes(builder, shape, storage, builder.get(to), lanes, (step + 1) * size, 1, count),
          );
        });
        const bytes = new Uint8Array(memory.buffer);
        // No exponent of ones: a NaN may change its bits.
        const source = Array.from(
          { length: ((count - 1) * step + 1) * size },
          (_, i) => (i * 37 + 11) & 0x3f,
        );
        const length = ((count - 1) * (step + 1) + 1) * size;
        // Both end with the memory.
        bytes.set(source, page - source.length);
        const loaded = Array.from({ length: count }, (_, lane) =>
          source.slice(lane * step * size, (lane * step + 1) * size),
        );
        const expected = Array.from({ length }, () => 0);
        loaded.forEach((element, lane) => expected.splice(lane * (step + 1) * size, size, ...element));
        const target = page / 2;
        f(page - source.length - 1, target - 1);
        expect([...bytes.subarray(target - 8, target + length + 16)]).toEqual([
          ...Array<number>(8).fill(0),
          ...expected,
          ...Array<number>(16).fill(0),
        ]);
        // The last byte of the memory is the last one written.
        expect(() => f(page - source.length - 1, page - length - 1)).not.toThrow();
      }
    }
  });
});
