/** Mixed offsets, sizes and strides, and the boxes that they select. */
import type { MixedIndex } from '@sconv/dialects';
import { mixedSlice, subviewMask } from '@sconv/dialects';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { Operation, Type } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { outOfBounds } from './access.ts';
import type { Context, Frame } from './context.ts';
import { trap } from './trap.ts';

/** The values of a mixed list of numbers and SSA values in a frame. */
export const mixedValues = (
  operation: Operation,
  context: Context,
  indices: readonly MixedIndex[],
): ((frame: Frame) => readonly number[]) => {
  const slots = indices.map((index) =>
    typeof index === 'number' ? undefined : context.number(operation, index),
  );
  const fixed = indices.map((index) => (typeof index === 'number' ? index : 0));
  if (slots.every((slot) => slot === undefined)) return () => fixed;
  return ({ numbers }) => fixed.map((value, i) => (slots[i] === undefined ? value : numbers[slots[i]]!));
};

/** One entry per dimension of the sliced shape. */
export interface Slice {
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
}

/** Offsets, sizes and strides of a slicing operation, unchecked. */
export const sliceValues = (operation: Operation, context: Context): ((frame: Frame) => Slice) => {
  const mixed = mixedSlice(operation);
  const [offsets, sizes, strides] = [
    mixedValues(operation, context, mixed.offsets),
    mixedValues(operation, context, mixed.sizes),
    mixedValues(operation, context, mixed.strides),
  ];
  return (frame) => ({ offsets: offsets(frame), sizes: sizes(frame), strides: strides(frame) });
};

/**
 * Refuses an out-of-bounds slice. An empty one may begin anywhere, as that of a thread without work does: it accesses
 * nothing.
 */
export const checkSlice = (
  operation: Operation,
  { offsets, sizes, strides }: Slice,
  shape: readonly number[],
): void => {
  if (offsets.length !== shape.length) {
    trap(
      operation,
      'interpreter/invalid-ir',
      `slices ${offsets.length} dimensions of a rank of ${shape.length}`,
    );
  }
  const negative = sizes.find((size) => size < 0);
  if (negative !== undefined)
    trap(operation, 'interpreter/shape-mismatch', `has the negative size ${negative}`);
  if (sizes.includes(0)) return;
  for (const [i, size] of shape.entries()) {
    const first = offsets[i]!;
    const last = first + (sizes[i]! - 1) * strides[i]!;
    if (!(first >= 0 && first < size && last >= 0 && last < size)) {
      const indices = offsets.map((offset, d) => offset + (sizes[d]! - 1) * strides[d]!);
      outOfBounds(operation, 'slices', first < 0 || first >= size ? offsets : indices, shape);
    }
  }
};

/**
 * Which dimensions a rank-reduced result keeps: static unit dimensions that its shape lacks are dropped. Among equals,
 * the strides of a buffer's type tell which ones; of tensors the rightmost first.
 */
export const keptDimensions = (operation: Operation, result: Type): readonly boolean[] => {
  const { type: source } = operation.operands[0]!;
  if (source.kind === 'memref' && result.kind === 'memref' && stridedLayoutOf(source) !== undefined) {
    const dropped = subviewMask(source, mixedSlice(operation), result);
    if (dropped !== undefined) return source.shape.map((_, i) => !dropped.has(i));
  }
  const sizes = mixedSlice(operation).sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC));
  const shape = result.kind === 'tensor' || result.kind === 'memref' ? result.shape : [];
  let next = 0;
  const kept = sizes.map((size) => {
    const keeps = next < shape.length && shape[next] === size;
    if (keeps) next += 1;
    return keeps;
  });
  const fits = next === shape.length && sizes.every((size, i) => kept[i] === true || size === 1);
  return fits ? kept : trap(operation, 'interpreter/invalid-ir', 'has sizes that do not fit its type');
};

/** The reassociation of a reshape: per dimension of the lower-rank shape, the dimensions of the higher-rank one. */
export const reassociationOf = (operation: Operation, context: Context): readonly (readonly number[])[] =>
  context
    .attribute(operation, 'reassociation', 'array')
    .elements.map((group) =>
      group.kind === 'array'
        ? group.elements.map((index) =>
            index.kind === 'integer'
              ? Number(index.value)
              : context.invalid(operation, 'has no valid reassociation'),
          )
        : context.invalid(operation, 'has no valid reassociation'),
    );
