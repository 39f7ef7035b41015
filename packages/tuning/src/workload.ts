/** What is tuned, as text: contractions that the same plans suit have the same. */
import { printMap } from '@sconv/affine';
import type { Contraction } from '@sconv/plans';

/**
 * A contraction by its extents, its element types, and where its operands lie: `f32 | batch 1, … | 4 bytes [1x64x58x58]
 * (d0, …) -> (…) | …`. What is fused after it is left out, as a plan is for the contraction alone.
 */
export const workloadText = ({ dimensions, operands, elementType }: Contraction): string =>
  [
    elementType,
    dimensions.map(({ name, extent }) => `${name} ${extent}`).join(', '),
    ...operands.map(({ map, sizes, bytes }) => `${bytes} bytes [${sizes.join('x')}] ${printMap(map)}`),
  ].join(' | ');
