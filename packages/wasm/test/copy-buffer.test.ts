import { describe, expect, it } from 'vitest';
import { buffersAfter } from './differential.ts';

/** Copies rows of `width` elements that are `stride` apart into the middle of longer ones. */
const rows = (width: number, stride: number, element = 'f32'): string => {
  const [from, to] = [3 * (width * stride + 1), 3 * (width + 3)].map((size) => `memref<${size}x${element}>`);
  const pitch = width * stride + 1;
  const source = `memref<3x${width}x${element}, strided<[${pitch}, ${stride}], offset: 1>>`;
  const target = `memref<3x${width}x${element}, strided<[${width + 3}, 1], offset: 2>>`;
  return `func.func @f(%a: ${from}, %b: ${to}) {
    %s = memref.reinterpret_cast %a to offset: [1], sizes: [3, ${width}], strides: [${pitch}, ${stride}] : ${from} to ${source}
    %t = memref.reinterpret_cast %b to offset: [2], sizes: [3, ${width}], strides: [${width + 3}, 1] : ${to} to ${target}
    memref.copy %s, %t : ${source} to ${target}
    return
  }`;
};

describe('copies between buffers that are not contiguous', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 13, 33, 40, 70])(
    'take rows of %d elements, next to each other or apart',
    (width) => {
      for (const [stride, element] of [
        [1, 'f32'],
        [1, 'i8'],
        [1, 'f64'],
        [2, 'f32'],
        [3, 'i32'],
        [2, 'i8'],
      ] as const) {
        const { onWasm, interpreted } = buffersAfter(rows(width, stride, element));
        expect(onWasm).toEqual(interpreted);
      }
    },
  );
});
