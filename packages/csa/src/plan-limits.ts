/** What a plan of a convolution is checked against. */
import type { PlanLimits } from '@sconv/plans';
import { tileDimension } from '@sconv/plans';
import type { CacheName } from '@sconv/targets';
import { cacheNames } from '@sconv/targets';
import { contractionOf } from './contraction.ts';
import { expectRecord } from './errors.ts';
import type { Hierarchy, SlicedConvolution } from './tiling.ts';

/** The limits of a convolution; with a machine, also those of its caches. */
export const planLimits = (sliced: SlicedConvolution, caches?: Pick<Hierarchy, 'room'>): PlanLimits => {
  expectRecord('sliced', sliced, 'shape');
  return {
    contraction: contractionOf(sliced.shape),
    packedBytes: (operand, { channels, rows, columns, tapRows, tapColumns, ...extents }) => {
      const taps = tapRows === undefined ? sliced.taps : tapRows * tapColumns!;
      const width = extents[tileDimension[operand]] ?? rows! * columns!;
      return width * channels! * taps * sliced.elementBytes;
    },
    room: caches === undefined ? Infinity : largestRoom(caches.room),
  };
};

/** The bytes that tiles may fill of the machine's largest cache; infinite without caches. */
const largestRoom = (room: Readonly<Record<CacheName, number>>): number => {
  const finite = cacheNames.map((name) => room[name]).filter((bytes) => bytes !== Infinity);
  return finite.length === 0 ? Infinity : Math.max(...finite);
};
