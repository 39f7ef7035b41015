import { halfValues } from '@sconv/backend';
import { bf16, f16, f32, i32, integerType } from '@sconv/ir';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { i32 as i32Code, v128 } from '../src/instructions.ts';
import type { Storage } from '../src/storage.ts';
import { storageOf } from '../src/storage.ts';
import { loadLanes, storeLanes } from '../src/vector-lanes.ts';
import { runFunction } from './run-function.ts';

const page = 65_536;

const types = { f32, i32, i16: integerType(16), i8: integerType(8), f16, bf16 } as const;
const storageNamed = (name: keyof typeof types): Storage => storageOf(types[name])!;

/** The lanes that are loaded from the end of the memory, where reading on would end the execution. */
const loadedAtEnd = (
  name: keyof typeof types,
  stride: number,
  count: number,
  bytes: Uint8Array,
): DataView => {
  const { f, memory } = runFunction(['i32'], [], (builder, pointer) => {
    const lanes = loadLanes(builder, storageNamed(name), builder.get(pointer), stride, 16, count);
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

  it('are stored as they were loaded', () => {
    for (const stride of [4, 8, 12]) {
      for (const count of [1, 2, 3, 4]) {
        const { f, memory } = runFunction(['i32', 'i32'], [], (builder, from, to) => {
          const lanes = loadLanes(builder, storageNamed('i32'), builder.get(from), stride, 0, count);
          builder.statement(storeLanes(builder.get(to), lanes, stride, 4, count));
        });
        const words = new Int32Array(memory.buffer);
        words.set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        f(0, page - 4 - (count - 1) * stride - 4);
        const first = page / 4 - ((count - 1) * stride) / 4 - 1;
        for (let lane = 0; lane < count; lane += 1)
          expect(words[first + (lane * stride) / 4]).toBe(1 + (lane * stride) / 4);
      }
    }
  });
});
