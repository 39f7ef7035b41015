/** The capacity constraints of SC §4.1: Eqs. 2, 4 and 5. */

import { cacheNames, type CacheName } from '@sconv/targets';
import { expectRecord } from './errors.ts';
import { roles, type Hierarchy, type Roles, type SlicedConvolution, type Tiling } from './tiling.ts';

/** Working set that has to fit L1, in bytes. Eq. 2 (SC §4.1) */
export const l1Bytes = ({ stationary, moving, outputBytes }: Roles): number =>
  stationary.bytes + moving.bytes + outputBytes;

/** Working set that has to fit L2, in bytes. Eq. 4 (SC §4.1) */
export const l2Bytes = ({ stationary, moving, outputBytes }: Roles, k2: number): number =>
  stationary.bytes + k2 * (moving.bytes + outputBytes);

/** Working set that has to fit L3, in bytes. Eq. 5 (SC §4.1) */
export const l3Bytes = ({ stationary, moving, outputBytes }: Roles, k2: number, k3: number): number =>
  k3 * stationary.bytes + k2 * moving.bytes + k2 * k3 * outputBytes;

/** One of the three constraints, evaluated. */
export interface CacheConstraint {
  readonly level: CacheName;
  /** The parameter that it bounds. */
  readonly parameter: 'nc' | 'k2' | 'k3';
  /** Bytes that the tiling needs in that level, and bytes available to it. */
  readonly bytes: number;
  readonly room: number;
  readonly holds: boolean;
}

const parameterOf = { l1: 'nc', l2: 'k2', l3: 'k3' } as const;

/** The constraints of the levels that the machine has, nearest first. */
export const constraints = (
  sliced: SlicedConvolution,
  tiling: Tiling,
  caches: Hierarchy,
): readonly CacheConstraint[] => {
  expectRecord('sliced', sliced, 'tiles');
  expectRecord('tiling', tiling);
  expectRecord('caches', caches, 'room');
  const { room } = caches;
  const operands = roles(sliced, tiling.schedule, tiling.nc);
  const bytes = {
    l1: l1Bytes(operands),
    l2: l2Bytes(operands, tiling.k2),
    l3: l3Bytes(operands, tiling.k2, tiling.k3),
  };
  return cacheNames
    .filter((level) => room[level] !== Infinity)
    .map((level) => ({
      level,
      parameter: parameterOf[level],
      bytes: bytes[level],
      room: room[level],
      holds: bytes[level] <= room[level],
    }));
};
