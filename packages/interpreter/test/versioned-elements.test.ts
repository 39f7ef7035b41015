import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentElements, overwrite, versioned } from '../src/versioned-elements.ts';
import type { VersionedElements } from '../src/versioned-elements.ts';

/** The version with `value` written to `count` elements from `start` on. */
const write = (version: VersionedElements, start: number, count: number, value: number): VersionedElements =>
  overwrite(version, { offset: start, sizes: [count], strides: [1] }, (data) => {
    (data as Float32Array).fill(value, start, start + count);
  });

test('every version keeps its own elements, whatever is written in which order', () => {
  const size = 12;
  const step = fc.record({
    version: fc.nat(),
    start: fc.integer({ min: 0, max: size - 1 }),
    count: fc.integer({ min: 0, max: 4 }),
    value: fc.integer({ min: 1, max: 99 }),
    read: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const versions = [versioned(new Float32Array(size))];
      const copies = [new Array<number>(size).fill(0)];
      for (const { version, start, count, value, read } of steps) {
        const length = Math.min(count, size - start);
        const base = version % versions.length;
        versions.push(write(versions[base]!, start, length, value));
        copies.push(copies[base]!.with(0, copies[base]![0]!).fill(value, start, start + length));
        const seen = read % versions.length;
        expect([...currentElements(versions[seen]!)]).toEqual(copies[seen]);
      }
      for (const [i, version] of versions.entries()) expect([...currentElements(version)]).toEqual(copies[i]);
    }),
  );
});

test('the newest version is written in place', () => {
  const first = versioned(new Float32Array(100));
  const second = write(first, 3, 2, 7);
  expect(second.data).toBeDefined();
  expect(first.data).toBeUndefined();
});

test('versions are written in place until they have saved as many elements as there are', () => {
  const first = versioned(new Float32Array(10));
  const array = first.data;
  const third = write(write(first, 0, 4, 1), 2, 6, 2);
  expect(third.data).toBe(array);
  const fourth = write(third, 0, 1, 3);
  expect(fourth.data).not.toBe(array);
  const copy = fourth.data;
  expect(write(fourth, 0, 10, 4).data).toBe(copy);
});

test('a version that was read after it had been written over is written in place again', () => {
  const first = versioned(new Float32Array(10));
  write(first, 0, 10, 1);
  const array = currentElements(first);
  expect(write(first, 0, 10, 2).data).toBe(array);
});

test('an array that someone else may hold is not written', () => {
  const data = new Float32Array(100);
  const second = write(versioned(data, true), 3, 2, 7);
  expect(currentElements(second)[3]).toBe(7);
  expect(data[3]).toBe(0);
});
