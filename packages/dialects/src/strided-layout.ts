/** Buffer layouts as an offset and one stride per dimension, in elements; `DYNAMIC` where unknown. */
import type { AffineExpr } from '@sconv/affine';
import { equals, identityMap } from '@sconv/affine';

import type { MemRefType } from '@sconv/ir';
import { DYNAMIC, typeConstraint, attributeEquals } from '@sconv/ir';

/** Offset and strides in elements; `DYNAMIC` where unknown. */
export interface StridedLayout {
  readonly offset: number;
  readonly strides: readonly number[];
}

/** A computed size, stride or offset: `DYNAMIC` if a number cannot represent it exactly. */
const exactOrDynamic = (size: number): number => (Number.isSafeInteger(size) ? size : DYNAMIC);

/** `a * b` of sizes, strides or offsets: `DYNAMIC` if either is or the product is inexact; 0 times anything is 0. */
export const multiplySizes = (a: number, b: number): number => {
  if (a === 0 || b === 0) return 0;
  return a === DYNAMIC || b === DYNAMIC ? DYNAMIC : exactOrDynamic(a * b);
};

/** `a + b` of sizes or offsets, `DYNAMIC` if either is or the sum is inexact. */
export const addSizes = (a: number, b: number): number =>
  a === DYNAMIC || b === DYNAMIC ? DYNAMIC : exactOrDynamic(a + b);

/**
 * The strides of a contiguous row-major buffer of this shape; `DYNAMIC` left of a dynamic dimension, and, as
 * upstream, of a zero extent, where it would be 0.
 */
export const rowMajorStrides = (shape: readonly number[]): readonly number[] => {
  const strides: number[] = [];
  let stride = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = stride;
    const size = shape[i] ?? 1;
    stride = size === 0 ? DYNAMIC : multiplySizes(stride, size);
  }
  return strides;
};

/**
 * The layout of a buffer; row-major by default. Undefined if its map is not strided: it has several results, contains
 * `floordiv` or `mod`, or maps different elements of a dimension to the same place.
 */
export const stridedLayoutOf = (type: MemRefType): StridedLayout | undefined => {
  const { layout, shape } = type;
  if (layout === undefined || hasIdentityMap(type)) return { offset: 0, strides: rowMajorStrides(shape) };
  if (layout.kind === 'strided') return { offset: layout.offset, strides: layout.strides };
  if (layout.kind !== 'affine-map') return undefined;
  const [result, ...more] = layout.map.results;
  const sum: Linear = { offset: 0, strides: shape.map(() => 0) };
  if (result === undefined || more.length > 0 || !accumulate(result, 1, sum)) return undefined;
  return sum.strides.includes(0) ? undefined : sum;
};

const hasIdentityMap = ({ layout, shape }: MemRefType): boolean =>
  layout?.kind === 'affine-map' && equals(layout.map, identityMap(shape.length));

/** Whether buffers are in the same memory space. */
export const inSameSpace = (a: MemRefType, b: MemRefType): boolean =>
  a.memorySpace === undefined || b.memorySpace === undefined
    ? a.memorySpace === b.memorySpace
    : attributeEquals(a.memorySpace, b.memorySpace);

/** A buffer with a strided layout. */
export const stridedMemref = typeConstraint(
  'strided memref of any type values',
  (type): type is MemRefType => type.kind === 'memref' && stridedLayoutOf(type) !== undefined,
);

interface Linear {
  offset: number;
  readonly strides: number[];
}

/** Adds `factor * expr` to `sum`; false if `expr` is not linear in the dimensions. */
const accumulate = (expr: AffineExpr, factor: number, sum: Linear): boolean => {
  switch (expr.kind) {
    case 'dim':
      sum.strides[expr.position] = addSizes(sum.strides[expr.position] ?? 0, factor);
      return true;
    case 'symbol':
      sum.offset = DYNAMIC;
      return true;
    case 'constant':
      sum.offset = addSizes(sum.offset, multiplySizes(expr.value, factor));
      return true;
    case 'add':
      return accumulate(expr.lhs, factor, sum) && accumulate(expr.rhs, factor, sum);
    case 'mul':
      // The right factor is constant or symbolic.
      return accumulate(
        expr.lhs,
        expr.rhs.kind === 'constant' ? multiplySizes(factor, expr.rhs.value) : DYNAMIC,
        sum,
      );
    default:
      return false;
  }
};

/** Whether both are strided with the same offset and strides, however the layouts are written. */
export const sameLayout = (a: MemRefType, b: MemRefType): boolean => {
  const [x, y] = [stridedLayoutOf(a), stridedLayoutOf(b)];
  return (
    x?.offset === y?.offset &&
    x?.strides.length === y?.strides.length &&
    x?.strides.every((stride, i) => stride === y?.strides[i]) === true
  );
};

/** Whether the type is row-major and contiguous from offset 0. */
export const isContiguous = (type: MemRefType): boolean => {
  const layout = stridedLayoutOf(type);
  if (type.layout === undefined || layout === undefined) return layout !== undefined;
  const expected = rowMajorStrides(type.shape);
  // A dynamic stride may have any value.
  return (
    layout.offset === 0 && expected.every((stride, i) => stride !== DYNAMIC && stride === layout.strides[i])
  );
};

/**
 * Whether elements with different indices are apart in memory, by the type alone: each stride reaches beyond what the
 * smaller ones span. False for a stride that is not known. With `along`, the indices differ in these dimensions only.
 */
export const hasElementsApart = (
  type: MemRefType,
  along: readonly number[] = [...type.shape.keys()],
): boolean => {
  const { layout, shape } = type;
  // Whatever the sizes are, these are row-major.
  if (layout === undefined || hasIdentityMap(type) || shape.includes(0)) return true;
  const strides = stridedLayoutOf(type)?.strides;
  if (strides === undefined) return false;
  const dimensions = along
    .map((d) => ({ size: shape[d]!, stride: Math.abs(strides[d]!), isKnown: strides[d] !== DYNAMIC }))
    .filter(({ size }) => size !== 1)
    .toSorted((a, b) => a.stride - b.stride);
  return dimensions.every(({ stride, isKnown }, i) => {
    const inner = dimensions[i - 1] ?? { size: 1, stride: 1 };
    return isKnown && stride > 0 && inner.size !== DYNAMIC && stride >= inner.size * inner.stride;
  });
};

/** Whether the type has no layout, or one that upstream treats as identity. */
export const hasIdentityLayout = (type: MemRefType): boolean => {
  const { layout, shape } = type;
  if (layout?.kind === 'strided') return shape.length === 1 && layout.offset === 0 && layout.strides[0] === 1;
  return layout === undefined || hasIdentityMap(type);
};
