import { expect, it } from 'vitest';
import { firstStreamed, streamedConstantsOf } from '../src/streamed-constants.ts';

/** Rows of two words, three words apart, and single words. */
const gathered = [
  { loops: [{ extent: 2, stride: 12 }], rowBytes: 8, pitch: 8, bytes: 16 },
  { loops: [{ extent: 3, stride: 8 }], rowBytes: 4, pitch: 4, bytes: 12 },
];
/** Six words, none of which begins where its buffer does. */
const words = Float32Array.of(0, 0, 1, 2, 3, 4, 5, 6).subarray(2);

it.each([
  [0, [1, 2, 4, 5]],
  [1, [1, 3, 5]],
])('gathers the rows of panel %i from an array, and from the memory', (panel, expected) => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const constants = streamedConstantsOf({ panels: { gathered, place: 64 } }, memory, 128);
  expect([new Float32Array(3), words].map((each) => constants.add(each))).toEqual([true, true]);
  // As the code passes it: a signed number.
  expect(constants.gather(panel, constants.addressOf(words)! | 0)).toBe(192);
  expect([...new Float32Array(memory.buffer, 192, expected.length + 1)]).toEqual([...expected, 0]);
  memory.grow(1);
  new Float32Array(memory.buffer).set(words, 4);
  new Float32Array(memory.buffer, 192).fill(0);
  expect(constants.gather(panel, 16)).toBe(192);
  expect([...new Float32Array(memory.buffer, 192, expected.length)]).toEqual(expected);
});

it('gathers from the array that an address is of, also where another one was there', () => {
  const others = Float32Array.of(7, 8, 9, 10, 11, 12);
  const memory = new WebAssembly.Memory({ initial: 1 });
  const places = streamedConstantsOf({ panels: { gathered, place: 0 } }, memory);
  for (const array of [words, others]) {
    places.add(array);
    places.gather(0, places.addressOf(array)! | 0);
    places.remove(array);
  }
  expect([...new Float32Array(memory.buffer, 0, 4)]).toEqual([7, 8, 10, 11]);
});

it('keeps an array for all that use it, and has addresses for 2 GiB', () => {
  const constants = streamedConstantsOf({}, new WebAssembly.Memory({ initial: 1 }));
  expect([constants.add(words), constants.add(words)]).toEqual([true, true]);
  constants.remove(words);
  expect(constants.addressOf(words)).toBe(firstStreamed);
  constants.remove(words);
  expect(constants.addressOf(words)).toBeUndefined();
  // Where nothing is left, all addresses are free again. No test is to allocate 2 GiB: only the extent is read of this.
  const half = { buffer: new ArrayBuffer(0), byteOffset: 0, byteLength: 2 ** 31 + 1 };
  expect([constants.add(half as unknown as Float32Array), constants.add(words)]).toEqual([false, true]);
});
