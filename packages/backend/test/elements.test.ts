import { bf16, f32, i1, indexType, integerType, memrefType } from '@sconv/ir';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayTypeOf, byteLengthOf, copyElements, elementNameOf, elementSize } from '../src/index.ts';
import type { ElementName } from '../src/index.ts';
import { shareMemory } from '../src/elements.ts';

describe('the array of elements', () => {
  it.each<[ElementName, number, unknown]>([
    ['f32', 4, Float32Array],
    ['f64', 8, Float64Array],
    ['i1', 1, Int8Array],
    ['i8', 1, Int8Array],
    ['i16', 2, Int16Array],
    ['i32', 4, Int32Array],
    ['i64', 8, BigInt64Array],
    ['index', 4, Int32Array],
    ['index', 8, BigInt64Array],
  ])('%s of %i bytes', (element, elementBytes, type) => {
    expect(arrayTypeOf({ element, elementBytes })).toBe(type);
  });
});

it.each([
  [f32, 'f32', 4],
  [bf16, 'bf16', 2],
  [i1, 'i1', 1],
  [integerType(64), 'i64', 8],
  [indexType, 'index', 4],
  [integerType(4), undefined, 0],
  [{ kind: 'float', name: 'f8E5M2' } as const, undefined, 0],
  [memrefType([2], f32), undefined, 0],
])('the element type %j is %s, of %i bytes', (type, name, bytes) => {
  const element = elementNameOf(type);
  expect(element).toBe(name);
  expect(element === undefined ? 0 : elementSize(element, 4).elementBytes).toBe(bytes);
});

describe('bytes of a value', () => {
  const buffer = { kind: 'buffer', element: 'f64', elementBytes: 8, shape: [2, 3], length: 7 } as const;
  it('are those of a buffer with its gaps', () => {
    expect(byteLengthOf(buffer)).toBe(56);
  });
  it('are none for a number', () => {
    expect(byteLengthOf({ kind: 'scalar', type: 'f64' })).toBe(0);
  });
});

it('arrays share memory where an element of one lies on one of the other', () => {
  const part = fc.tuple(fc.nat(8), fc.nat(8)).map(([start, size]) => ({ start, size }));
  fc.assert(
    fc.property(part, part, (a, b) => {
      const memory = new Uint8Array(16);
      const [x, y] = [a, b].map(({ start, size }) => new Int8Array(memory.buffer, start, size)) as [
        Int8Array,
        Int8Array,
      ];
      x.fill(1);
      expect(shareMemory(x, y)).toBe(y.includes(1));
      expect(shareMemory(x, new Int8Array(16))).toBe(false);
    }),
  );
});

it('elements are copied byte by byte, whatever they mean', () => {
  const [from, to] = [new Float32Array(6), new Float32Array(6)];
  new Uint32Array(from.buffer).set([0x7fa00001, 0x80000000, 1, 2, 3, 4]);
  copyElements(to.subarray(2, 5), from.subarray(0, 3));
  expect([...new Uint32Array(to.buffer)]).toEqual([0, 0, 0x7fa00001, 0x80000000, 1, 0]);
});
