/**
 * Which operations may run where they did not before, for the definitions of those that are undefined for some
 * operands: accesses out of bounds, sizes that do not fit, divisions by zero.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import type { Operation, Type, Value } from '@sconv/ir';
import { DYNAMIC, implement, typeEquals } from '@sconv/ir';
import type { BoundsOf, Speculatable } from './interfaces.ts';
import { speculatable } from './interfaces.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { mixedIndices, mixedSlice, numbersOf } from './mixed-indices.ts';
import { stridedLayoutOf } from './strided-layout.ts';
import { transferOf } from './vector-transfer-parts.ts';

const when = (isDefined: (operation: Operation, boundsOf: BoundsOf) => boolean) =>
  implement<Speculatable>(speculatable, (operation, _, boundsOf) => isDefined(operation, boundsOf));

const shapeOf = (type: Type | undefined): readonly number[] | undefined =>
  type?.kind === 'tensor' || type?.kind === 'memref' || type?.kind === 'vector' ? type.shape : undefined;

const isStatic = (type: Type): boolean =>
  type.kind !== 'unranked-tensor' &&
  type.kind !== 'unranked-memref' &&
  shapeOf(type)?.includes(DYNAMIC) !== true;

const least = (index: MixedIndex, boundsOf: BoundsOf): number =>
  typeof index === 'number' ? index : boundsOf(index)[0];

const greatest = (index: MixedIndex, boundsOf: BoundsOf): number =>
  typeof index === 'number' ? index : boundsOf(index)[1] - 1;

/** Whether `extent` elements from an index on are within a dimension of this size. */
const isWithin = (index: MixedIndex, size: number | undefined, boundsOf: BoundsOf, extent = 1): boolean =>
  size !== undefined &&
  size !== DYNAMIC &&
  least(index, boundsOf) >= 0 &&
  greatest(index, boundsOf) + extent <= size;

/** For ops that are not worth while, or impossible, to decide about. */
export const notSpeculatable = when(() => false);

/** For ops of which all shapes must fit together: they do if the verifier knew them. */
export const withStaticShapes = when(({ operands, results }) =>
  [...operands, ...results].every(({ type }) => isStatic(type)),
);

/** For casts: nothing becomes known. */
export const withNothingNew = when(({ operands, results }) => {
  const [from, to] = [operands[0]!.type, results[0]!.type];
  if (from.kind !== 'memref' || to.kind !== 'memref') return isKept(shapeOf(from), shapeOf(to));
  const [given, wanted] = [stridedLayoutOf(from), stridedLayoutOf(to)];
  if (given === undefined || wanted === undefined) return typeEquals(from, to);
  return (
    isKept(from.shape, to.shape) &&
    isKept([given.offset, ...given.strides], [wanted.offset, ...wanted.strides])
  );
});

/** Whether what the second list knows, the first one knows as well. */
const isKept = (from: readonly number[] | undefined, to: readonly number[] | undefined): boolean =>
  to === undefined || (from !== undefined && to.every((size, i) => size === DYNAMIC || size === from[i]));

/** For ops whose operands from this one on are sizes, which must not be negative. */
export const withSizesFrom = (first: number) =>
  when(({ operands }, boundsOf) => operands.slice(first).every((size) => least(size, boundsOf) >= 0));

/** For a padding: nothing is cut off. */
export const withPadding = when((operation, boundsOf) => {
  const { attributes, operands } = operation;
  return (
    operands.slice(1).every((size) => least(size, boundsOf) >= 0) &&
    ['static_low', 'static_high'].every((name) =>
      numbersOf(attributes[name]).every((size) => size === DYNAMIC || size >= 0),
    )
  );
});

/** For ops that ask for the size of a dimension of their first operand. */
export const ofOwnDimension = when(
  ({ operands: [source, index] }, boundsOf) =>
    index !== undefined && isWithin(index, shapeOf(source?.type)?.length, boundsOf),
);

/** For ops on the element of operand `whole` at the indices from operand `first` on. */
export const atElement = (whole: number, first: number) =>
  when(({ operands }, boundsOf) => {
    const shape = shapeOf(operands[whole]?.type);
    return operands.slice(first).every((index, i) => isWithin(index, shape?.[i], boundsOf));
  });

/** For ops at a position, static or from operand `first` on, in the vector operand before it. */
export const atPosition = (first: number) =>
  when(({ operands, attributes }, boundsOf) => {
    const shape = shapeOf(operands[first - 1]?.type);
    const position = mixedIndices(operands.slice(first), numbersOf(attributes['static_position']));
    return position.every((index, i) => isWithin(index, shape?.[i], boundsOf));
  });

/**
 * For ops on a slice of operand `whole`; one that inserts has to know the sizes of what it inserts. An empty slice may
 * be anywhere.
 */
export const ofSlice = (whole: number) =>
  when((operation, boundsOf) => {
    const { offsets, sizes, strides } = mixedSlice(operation);
    const shape = shapeOf(operation.operands[whole]?.type);
    if (sizes.includes(0)) return true;
    if (whole > 0 && !operation.operands.slice(0, whole).every(({ type }) => isStatic(type))) return false;
    return offsets.every((offset, i) => {
      const [size, stride] = [sizes[i]!, strides[i]!];
      const steps = greatest(size, boundsOf) - 1;
      if (least(size, boundsOf) < 0 || (steps > 0 && least(stride, boundsOf) < 0)) return false;
      const extent = 1 + (steps > 0 ? steps * greatest(stride, boundsOf) : 0);
      return isWithin(offset, shape?.[i], boundsOf, extent);
    });
  });

/** For transfers: what they promise, and the dimensions that the vector does not have, is so. */
export const asPromised = when((operation, boundsOf) => {
  const transfer = transferOf(operation);
  if (transfer === undefined) return false;
  const { indices, map, inBounds, source, vector } = transfer;
  return indices.every((index, dimension) => {
    const at = map.results.findIndex((result) => result.kind === 'dim' && result.position === dimension);
    if (at >= 0 && inBounds[at] !== true) return true;
    if (at >= 0 && vector.type.scalable[at] === true) return false;
    const extent = at < 0 ? 1 : vector.type.shape[at]!;
    return isWithin(index, source.type.shape[dimension], boundsOf, extent);
  });
});

/** For loops whose steps, these, must be positive. */
export const withSteps = (stepsOf: (loop: Operation) => readonly MixedIndex[]) =>
  when((loop, boundsOf) => stepsOf(loop).every((step) => least(step, boundsOf) > 0));

/** For ops that compute maps, of their operands in order if there is one: all divisors are positive. */
export const ofMaps = when(({ attributes, operands }, boundsOf) => {
  const maps = Object.values(attributes).flatMap((attribute) =>
    attribute.kind === 'affine-map' ? [attribute.map] : [],
  );
  const given = maps.length === 1 ? operands : [];
  return maps.every((map) => map.results.every((result) => divides(result, map, given, boundsOf)));
});

/** Whether all divisors in an expression are positive. */
const divides = (
  expr: AffineExpr,
  map: AffineMap,
  operands: readonly Value[],
  boundsOf: BoundsOf,
): boolean => {
  if (!('lhs' in expr)) return true;
  const { kind, lhs, rhs } = expr;
  const isPositive = (): boolean => {
    if (rhs.kind === 'constant') return rhs.value > 0;
    const at = rhs.kind === 'dim' ? rhs.position : rhs.kind === 'symbol' ? map.numDims + rhs.position : -1;
    const divisor = operands[at];
    return divisor !== undefined && least(divisor, boundsOf) > 0;
  };
  if (kind !== 'add' && kind !== 'mul' && !isPositive()) return false;
  return [lhs, rhs].every((part) => divides(part, map, operands, boundsOf));
};
