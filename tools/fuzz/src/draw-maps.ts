/** Draws indexing maps: plain, offset, reversed, strided, with quotients and remainders, with windows. */
import type { AffineExpr } from '@sconv/affine';
import { constant, dim } from '@sconv/affine';
import { rangeOver } from './payload-spec.ts';
import type { Random } from './random.ts';

/** Names of what an expression does with the dimensions. */
export const mapFeatures = [
  'plain',
  'offset',
  'strided',
  'reversed',
  'floordiv',
  'mod',
  'row and column',
  'window',
  'constant',
  'sum of quotients',
] as const;
export type MapFeature = (typeof mapFeatures)[number];

const weights: readonly (readonly [number, MapFeature])[] = [
  [10, 'plain'],
  [2, 'offset'],
  [1.2, 'strided'],
  [1.2, 'reversed'],
  [0.8, 'floordiv'],
  [0.8, 'mod'],
  [1, 'row and column'],
  [2, 'window'],
  [0.6, 'constant'],
  [0.3, 'sum of quotients'],
];

/** A nonnegative index as a function of iterations. Dimensions of extent 0 occur only by themselves. */
export const drawIndex = (random: Random, extents: readonly number[]): AffineExpr => {
  if (extents.length === 0) return constant(random.integer(0, 2));
  const position = random.integer(0, extents.length - 1);
  const extent = extents[position]!;
  const d = dim(position);
  const feature = random.weighted(weights)!;
  if (extent === 0) return d;
  const other = random.integer(0, extents.length - 1);
  const drawn = drawFeature(random, feature, d, extent, extents[other] === 0 ? d : dim(other));
  const { lo } = rangeOver(drawn, extents);
  return lo < 0 ? drawn.sub(lo) : drawn;
};

const drawFeature = (
  random: Random,
  feature: MapFeature,
  d: AffineExpr,
  extent: number,
  other: AffineExpr,
): AffineExpr => {
  switch (feature) {
    case 'plain':
      return d;
    case 'offset':
      return d.add(random.integer(1, 3));
    case 'strided':
      return d.mul(random.integer(2, 3)).add(random.chance(0.3) ? random.integer(1, 2) : 0);
    case 'reversed':
      return d.mul(-random.integer(1, random.chance(0.2) ? 2 : 1)).add(extent - 1 + random.integer(0, 1));
    case 'floordiv':
      return d.add(random.integer(0, 1)).floorDiv(random.integer(2, 3));
    case 'mod':
      return d.add(random.integer(0, 1)).mod(random.integer(2, 4));
    case 'row and column': {
      const width = random.integer(2, 3);
      return d
        .floorDiv(width)
        .mul(width + random.integer(0, 3))
        .add(d.mod(width));
    }
    case 'window':
      return d.mul(random.integer(1, 2)).add(other.mul(random.integer(1, 2)));
    case 'constant':
      return constant(random.integer(0, 2));
    case 'sum of quotients':
      return d.floorDiv(2).add(other.mod(3));
  }
};

/** An index below `size`; undefined if none is found easily. */
export const drawIndexBelow = (
  random: Random,
  extents: readonly number[],
  size: number,
): AffineExpr | undefined => {
  for (let attempt = 0; attempt < 8; attempt++) {
    const drawn = drawIndex(random, extents);
    const fits =
      drawn.kind === 'dim' ? extents[drawn.position] === size : rangeOver(drawn, extents).hi <= size;
    if (fits) return drawn;
  }
  const same = extents.indexOf(size);
  if (same >= 0) return dim(same);
  return size > 0 ? constant(random.integer(0, size - 1)) : undefined;
};

/** Classifies an index, for statistics. */
export const featureOf = (expr: AffineExpr): MapFeature => {
  const text = expr.toString();
  if (expr.kind === 'dim') return 'plain';
  if (expr.kind === 'constant') return 'constant';
  if (text.includes('floordiv') && text.includes('mod')) {
    return new Set(text.match(/d\d+/g)).size > 1 ? 'sum of quotients' : 'row and column';
  }
  if (text.includes('floordiv')) return 'floordiv';
  if (text.includes('mod')) return 'mod';
  if (new Set(text.match(/d\d+/g)).size > 1 || (text.match(/d\d+/g) ?? []).length > 1) return 'window';
  if (text.includes('-')) return 'reversed';
  return text.includes('*') ? 'strided' : 'offset';
};
