/** Types of the vector dialect: constraints, and derived types. */
import type { AffineMap } from '@sconv/affine';
import type { Type, VectorType } from '@sconv/ir';
import { floatWidth, i1, typeConstraint, vectorType } from '@sconv/ir';
import { isSignlessInteger } from './constraints.ts';

const isBool = (type: Type): boolean =>
  type.kind === 'integer' && type.width === 1 && isSignlessInteger(type);
const isIndexOrInteger = (type: Type): boolean => type.kind === 'index' || type.kind === 'integer';
const isNumber = (type: Type): boolean => isIndexOrInteger(type) || type.kind === 'float';

/** A vector constraint: elements satisfy `test`, rank is `rank`, or at least `least`. */
const vectorOf = (elements: string, test: (type: Type) => boolean, rank?: number, least = 1) =>
  typeConstraint(
    `vector of ${elements} values${rank === undefined ? '' : ` of ranks ${rank}`}`,
    (type): type is VectorType =>
      type.kind === 'vector' &&
      test(type.elementType) &&
      (rank === undefined ? type.shape.length >= least : type.shape.length === rank),
  );

export const vectorOfAnyRank = vectorOf('any type', () => true, undefined, 0);
export const floatVector = vectorOf('floating-point', (type) => type.kind === 'float', undefined, 0);
export const mask = vectorOf('1-bit signless integer', isBool);
export const maskOfAnyRank = vectorOf('1-bit signless integer', isBool, undefined, 0);
export const mask1d = vectorOf('1-bit signless integer', isBool, 1);
export const positions = vectorOf('integer or index', isIndexOrInteger);
export const positions1d = vectorOf('integer or index', isIndexOrInteger, 1);
export const indices1d = vectorOf('index', (type) => type.kind === 'index', 1);
/** Flattened matrices. */
export const numbers1d = vectorOf(
  'signless integer or signed integer or index or floating-point',
  (type) => isNumber(type) && !(type.kind === 'integer' && type.signedness === 'unsigned'),
  1,
);
export const vector1d = typeConstraint(
  ' of ranks 1',
  (type): type is VectorType => type.kind === 'vector' && type.shape.length === 1,
);
export const scalableVector1d = typeConstraint(
  ' of ranks 1',
  (type): type is VectorType =>
    type.kind === 'vector' && type.shape.length === 1 && type.scalable[0] === true,
);
export const fixedVector = typeConstraint(
  'fixed-length vector of any type values',
  (type): type is VectorType => type.kind === 'vector' && !type.scalable.includes(true),
);

export const printable = typeConstraint('', (type) => type.kind === 'vector' || isNumber(type));

/** The vector type of `shape` with the same element type and the given scalable dimensions. */
export const reshaped = (
  { elementType }: Pick<VectorType, 'elementType'>,
  shape: readonly number[],
  scalable: readonly boolean[] = shape.map(() => false),
): VectorType => vectorType(shape, elementType, scalable);

/** The trailing dimensions of a vector, from `first` on; the element type if none are left. */
export const trailing = (type: VectorType, first: number): Type =>
  first >= type.shape.length
    ? type.elementType
    : reshaped(type, type.shape.slice(first), type.scalable.slice(first));

/** The bit width of an element, 64 for indices; undefined for types without a size. */
export const bitsOf = (type: Type): number | undefined => {
  switch (type.kind) {
    case 'index':
      return 64;
    case 'integer':
      return type.width;
    case 'float':
      return floatWidth(type.name);
    case 'complex': {
      const part = bitsOf(type.elementType);
      return part === undefined ? undefined : 2 * part;
    }
    default:
      return undefined;
  }
};

/** The mask type of a transfer of `type`: the permutation map's dimensions, without broadcasts, in memory order. */
export const transferMaskType = (type: VectorType, map: AffineMap): VectorType => {
  const positions = map.results
    .flatMap((result, i) => (result.kind === 'dim' ? [{ dimension: result.position, i }] : []))
    .sort((a, b) => a.dimension - b.dimension)
    .map(({ i }) => i);
  if (positions.length === 0) return vectorType([1], i1, [false]);
  return vectorType(
    positions.map((i) => type.shape[i] ?? 1),
    i1,
    positions.map((i) => type.scalable[i] ?? false),
  );
};
