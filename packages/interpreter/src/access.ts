/** Element accesses to tensors and memrefs, with bounds checks. */
import type { Operation, Value } from '@sconv/ir';
import type { ElementArray } from './element.ts';
import { isNumberType, setElement } from './element.ts';
import type { Context, Exec, Frame } from './context.ts';
import { load, store } from './context.ts';
import { printIndices, printShape, trap } from './trap.ts';
import type { MemRefValue } from './value.ts';

/** Ends the execution: `indices` are not within `shape`. */
export function outOfBounds(
  operation: Operation,
  access: string,
  indices: readonly number[],
  shape: readonly number[],
): never {
  trap(
    operation,
    'interpreter/out-of-bounds',
    `${access} ${printIndices(indices)}, which is out of bounds of the shape ${printShape(shape)}`,
  );
}

/** Row-major position in `shape` of the indices in these slots. */
export const rowMajorPosition = (
  operation: Operation,
  { numbers }: Frame,
  slots: readonly number[],
  shape: readonly number[],
): number => {
  let position = 0;
  for (let i = 0; i < shape.length; i++) {
    const index = numbers[slots[i]!]!;
    const size = shape[i]!;
    if (!(index >= 0 && index < size)) outOfBounds(operation, 'accesses', valuesOf(numbers, slots), shape);
    position = position * size + index;
  }
  return position;
};

/** Position, in the allocation under `view`, of the indices in these slots. */
export const stridedPosition = (
  operation: Operation,
  { numbers }: Frame,
  slots: readonly number[],
  { offset, sizes, strides }: MemRefValue,
): number => {
  let position = offset;
  for (let i = 0; i < sizes.length; i++) {
    const index = numbers[slots[i]!]!;
    if (!(index >= 0 && index < sizes[i]!))
      outOfBounds(operation, 'accesses', valuesOf(numbers, slots), sizes);
    position += index * strides[i]!;
  }
  return position;
};

const valuesOf = (numbers: Float64Array, slots: readonly number[]): number[] =>
  slots.map((slot) => numbers[slot]!);

/** Reads the element of `buffer` at the indices in these slots into the operation's result. */
export const loadElement = (
  operation: Operation,
  context: Context,
  buffer: Value,
  indices: readonly number[],
): Exec => {
  checkRank(operation, context, buffer, indices.length);
  const view = context.memref(operation, buffer);
  const result = context.result(operation);
  const slot = context.slot(result);
  if (isNumberType(result.type)) {
    return (frame) => {
      const source = view(frame);
      frame.numbers[slot] = source.allocation.data[
        stridedPosition(operation, frame, indices, source)
      ] as number;
    };
  }
  return (frame) => {
    const source = view(frame);
    store(frame, slot, source.allocation.data[stridedPosition(operation, frame, indices, source)]!);
  };
};

/** Writes `value` to the element of `buffer` at the indices in these slots. */
export const storeElement = (
  operation: Operation,
  context: Context,
  value: Value,
  buffer: Value,
  indices: readonly number[],
): Exec => {
  checkRank(operation, context, buffer, indices.length);
  const view = context.memref(operation, buffer);
  const slot = context.slot(value);
  if (isNumberType(value.type)) {
    return (frame) => {
      const target = view(frame);
      const position = stridedPosition(operation, frame, indices, target);
      (target.allocation.data as Float64Array)[position] = frame.numbers[slot]!;
    };
  }
  return (frame) => {
    const target = view(frame);
    const position = stridedPosition(operation, frame, indices, target);
    setElement(target.allocation.data, position, load(frame, slot, value.type) as bigint);
  };
};

/** An element of an allocation. */
interface ElementPlace {
  readonly data: ElementArray;
  readonly position: number;
}

/** Finds the element of `buffer` at the indices in these slots. */
export const elementPlace = (
  operation: Operation,
  context: Context,
  buffer: Value,
  indices: readonly number[],
): ((frame: Frame) => ElementPlace) => {
  checkRank(operation, context, buffer, indices.length);
  const view = context.memref(operation, buffer);
  return (frame) => {
    const target = view(frame);
    const position = stridedPosition(operation, frame, indices, target);
    return { data: target.allocation.data, position };
  };
};

/** Refuses an index count that differs from the rank of `value`. */
export const checkRank = (operation: Operation, context: Context, value: Value, count: number): void => {
  const { type } = value;
  if ((type.kind === 'tensor' || type.kind === 'memref') && type.shape.length !== count) {
    context.invalid(operation, `has ${count} indices for a rank of ${type.shape.length}`);
  }
};
