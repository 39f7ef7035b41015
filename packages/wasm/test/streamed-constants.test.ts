import { expect, it } from 'vitest';
import { createStreamedConstants, firstStreamed } from '../src/streamed-constants.ts';

const panels = [
  { lanes: 2, laneStride: 12, dimensions: [{ extent: 3, stride: 4 }] },
  {
    lanes: 1,
    laneStride: 4,
    dimensions: [
      { extent: 2, stride: 12 },
      { extent: 2, stride: 4 },
    ],
  },
  { lanes: 3, laneStride: 8, dimensions: [] },
];
/** Six words, none of which begins where its buffer does. */
const words = Float32Array.of(0, 0, 1, 2, 3, 4, 5, 6).subarray(2);

it.each([
  [0, [1, 4, 2, 5, 3, 6]],
  [1, [1, 2, 4, 5]],
  [2, [1, 3, 5]],
])('copies panel %i from an array, and from the memory', (panel, expected) => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const constants = createStreamedConstants(memory, panels);
  expect([new Float32Array(3), words].map((each) => constants.add(each))).toEqual([true, true]);
  const view = new Float32Array(memory.buffer);
  // As the code passes it: a signed number.
  constants.copyPanel(panel, constants.addressOf(words)! | 0, 64);
  expect([...view.subarray(16, 16 + expected.length + 1)]).toEqual([...expected, 0]);
  view.set(words, 4);
  constants.copyPanel(panel, 16, 256);
  expect([...view.subarray(64, 64 + expected.length)]).toEqual(expected);
});

it('keeps an array for all that use it, and has addresses for 2 GiB', () => {
  const constants = createStreamedConstants(new WebAssembly.Memory({ initial: 1 }), []);
  expect([constants.add(words), constants.add(words)]).toEqual([true, true]);
  constants.remove(words);
  expect(constants.addressOf(words)).toBe(firstStreamed);
  constants.remove(words);
  expect(constants.addressOf(words)).toBeUndefined();
  // Where nothing is left, all addresses are free again.
  const [fitting, large] = [2 ** 31, 2 ** 31 + 1].map((byteLength) => ({ byteLength }) as Float32Array);
  expect([constants.add(large!), constants.add(fitting!), constants.add(words)]).toEqual([
    false,
    true,
    false,
  ]);
});
