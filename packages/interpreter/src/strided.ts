/** Strided boxes of elements in linear memory: an offset, and a size and a stride per dimension. */
import type { ElementArray } from './element.ts';
import { setElement } from './element.ts';

/** A box of elements; `offset` and `strides` count elements. */
export interface StridedBox {
  readonly offset: number;
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
}

/** Row-major strides of a contiguous shape. */
export const rowMajorStrides = (shape: readonly number[]): number[] => {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= shape[i]!;
  }
  return strides;
};

/** Copies `source` to `target`, element by element in row-major order; the sizes are those of `source`. */
export const copyBox = (
  from: ElementArray,
  source: StridedBox,
  to: ElementArray,
  target: Omit<StridedBox, 'sizes'>,
): void => {
  const rank = source.sizes.length;
  if (rank === 0) {
    setElement(to, target.offset, from[source.offset]!);
    return;
  }
  const row = rank - 1;
  const count = source.sizes[row]!;
  const [fromStride, toStride] = [source.strides[row]!, target.strides[row]!];
  const contiguous = fromStride === 1 && toStride === 1 && count > 8;
  const copyRow = (fromOffset: number, toOffset: number): void => {
    if (contiguous) {
      const elements = from.subarray(fromOffset, fromOffset + count);
      (to as { set(elements: ElementArray, offset: number): void }).set(elements, toOffset);
      return;
    }
    // The arrays hold the same kind of elements, which the type checker cannot see.
    const [a, b] = [from as Float64Array, to as Float64Array];
    for (let i = 0; i < count; i++) b[toOffset + i * toStride] = a[fromOffset + i * fromStride]!;
  };
  const copyDimension = (dimension: number, fromOffset: number, toOffset: number): void => {
    if (dimension === row) {
      copyRow(fromOffset, toOffset);
      return;
    }
    for (let i = 0; i < source.sizes[dimension]!; i++) {
      copyDimension(
        dimension + 1,
        fromOffset + i * source.strides[dimension]!,
        toOffset + i * target.strides[dimension]!,
      );
    }
  };
  copyDimension(0, source.offset, target.offset);
};

/** The elements of a box, in row-major order. */
export const gatherBox = (from: ElementArray, box: StridedBox, to: ElementArray): void =>
  copyBox(from, box, to, { offset: 0, strides: rowMajorStrides(box.sizes) });

/** Writes row-major elements to a box. */
export const scatterBox = (elements: ElementArray, to: ElementArray, box: StridedBox): void =>
  copyBox(elements, { offset: 0, sizes: box.sizes, strides: rowMajorStrides(box.sizes) }, to, {
    offset: box.offset,
    strides: box.strides,
  });
