import { l1Bytes, l2Bytes, l3Bytes } from './constraints.ts';
import { binarySearch, divisors, halving, type Heuristic, type Search } from './heuristics.ts';
import { roles, type Dataflow, type Hierarchy, type SlicedConvolution, type Tiling } from './tiling.ts';

const searches: Readonly<Record<Exclude<Heuristic, 'exhaustive'>, Search>> = {
  halving,
  'binary-search': binarySearch,
  divisors,
};

/**
 * Nc, then K2, then K3, each as large as the search finds under its constraint (SC §4.1). Values in `fixed` are not
 * searched for.
 */
export const largestTiling = (
  sliced: SlicedConvolution,
  schedule: Dataflow,
  { room }: Hierarchy,
  heuristic: Exclude<Heuristic, 'exhaustive'>,
  fixed: { readonly nc?: number; readonly k2?: number; readonly k3?: number } = {},
): Tiling => {
  const search = searches[heuristic];
  const nc =
    fixed.nc ?? search(sliced.channels, (value) => l1Bytes(roles(sliced, schedule, value)) <= room.l1);
  const operands = roles(sliced, schedule, nc);
  const k2 = fixed.k2 ?? search(operands.moving.tiles, (value) => l2Bytes(operands, value) <= room.l2);
  const k3 =
    fixed.k3 ?? search(operands.stationary.tiles, (value) => l3Bytes(operands, k2, value) <= room.l3);
  return { schedule, nc, k2, k3 };
};
