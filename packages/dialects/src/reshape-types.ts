/** Result types of `collapse_shape` and `expand_shape`, for tensors and buffers. */
import { mulExact } from '@sconv/affine';
import type { MemRefType, TensorType } from '@sconv/ir';
import { DYNAMIC, memrefType, stridedLayoutAttribute, tensorType } from '@sconv/ir';
import type { Reassociation } from './attribute-kinds.ts';
import type { StridedLayout } from './strided-layout.ts';
import { hasIdentityLayout, multiplySizes, stridedLayoutOf } from './strided-layout.ts';

/** The size of each group; `DYNAMIC` if any of its dimensions is. Throws an `affine/overflow` for one beyond 2^53. */
export const collapsedShape = (shape: readonly number[], reassociation: Reassociation): readonly number[] =>
  reassociation.map((group) => {
    const sizes = group.map((i) => shape[i] ?? DYNAMIC);
    return sizes.includes(DYNAMIC) ? DYNAMIC : sizes.reduce(mulExact, 1);
  });

/**
 * The type of `source` with each group of dimensions collapsed. Undefined if a buffer is known not to be contiguous
 * within a group; as in LLVM 19, the strides of unit dimensions count.
 */
export function inferCollapsedType(source: TensorType, reassociation: Reassociation): TensorType;
export function inferCollapsedType(source: MemRefType, reassociation: Reassociation): MemRefType | undefined;
export function inferCollapsedType(
  source: TensorType | MemRefType,
  reassociation: Reassociation,
): TensorType | MemRefType | undefined {
  const shape = collapsedShape(source.shape, reassociation);
  if (source.kind === 'tensor') return tensorType(shape, source.elementType);
  if (hasIdentityLayout(source)) {
    return memrefType(shape, source.elementType, undefined, source.memorySpace);
  }
  const layout = collapsedLayout(source, reassociation);
  if (layout === undefined) return undefined;
  const { offset, strides } = layout;
  return memrefType(shape, source.elementType, stridedLayoutAttribute(offset, strides), source.memorySpace);
}

/**
 * Whether the dimensions of each group are contiguous for any dynamic strides and sizes. `memref.collapse_shape` also
 * accepts layouts that merely may be, as upstream's verifier does.
 */
export const isGuaranteedCollapsible = (source: MemRefType, reassociation: Reassociation): boolean =>
  hasIdentityLayout(source) || collapsedLayout(source, reassociation, true) !== undefined;

const collapsedLayout = (
  source: MemRefType,
  reassociation: Reassociation,
  isStrict = false,
): StridedLayout | undefined => {
  const base = stridedLayoutOf(source);
  if (base === undefined) return undefined;
  const size = (i: number): number => source.shape[i] ?? DYNAMIC;
  const stride = (i: number): number => base.strides[i] ?? DYNAMIC;
  const strides = reassociation.map((group) => {
    // The stride of a trailing unit dimension is irrelevant; a dynamic dimension may turn out to be one.
    const last = group.findLastIndex((i, at) => size(i) !== 1 || at === 0);
    const dimension = group[last]!;
    return size(dimension) === DYNAMIC && last > 0 ? DYNAMIC : stride(dimension);
  });
  const contiguous = reassociation.every((group, g) => {
    let expected = strides[g]!;
    for (let at = group.length - 1; at > 0; at--) {
      expected = multiplySizes(expected, size(group[at]!));
      const outer = group[at - 1]!;
      const isKnown = expected !== DYNAMIC && stride(outer) !== DYNAMIC;
      if (isKnown ? expected !== stride(outer) : isStrict) return false;
    }
    return true;
  });
  return contiguous ? { offset: base.offset, strides } : undefined;
};

/** The type of `source` with dimension `i` expanded to the sizes of group `i` of `reassociation` within `shape`. */
export function inferExpandedType(
  source: TensorType,
  shape: readonly number[],
  reassociation: Reassociation,
): TensorType;
export function inferExpandedType(
  source: MemRefType,
  shape: readonly number[],
  reassociation: Reassociation,
): MemRefType | undefined;
export function inferExpandedType(
  source: TensorType | MemRefType,
  shape: readonly number[],
  reassociation: Reassociation,
): TensorType | MemRefType | undefined {
  if (source.kind === 'tensor') return tensorType(shape, source.elementType);
  if (hasIdentityLayout(source)) {
    return memrefType(shape, source.elementType, undefined, source.memorySpace);
  }
  const base = stridedLayoutOf(source);
  if (base === undefined) return undefined;
  // A rank-0 source has no groups for the dimensions that it is expanded to.
  const strides = shape.map(() => 1);
  reassociation.forEach((group, g) => {
    let stride = base.strides[g] ?? DYNAMIC;
    for (const i of group.toReversed()) {
      strides[i] = stride;
      stride = multiplySizes(stride, shape[i] ?? DYNAMIC);
    }
  });
  return memrefType(
    shape,
    source.elementType,
    stridedLayoutAttribute(base.offset, strides),
    source.memorySpace,
  );
}
