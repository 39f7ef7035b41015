/** What the slicing of a case exercises, read off its plan and its splits. */
import { unwrap } from '@sconv/diagnostics';
import { walk } from '@sconv/ir';
import { planOperation, splitTree, targetOf } from '@sconv/slicing';
import type { Fragment, SplitTree } from '@sconv/slicing';
import type { Case } from './convolutions.ts';
import { outputOf, payloadText } from './convolutions.ts';
import { parse } from './stages.ts';

export const features = [
  'K2 split',
  'K3 split',
  'Nc split',
  'window edge',
  'filter edge',
  'several outer window tiles',
  'several outer filter tiles',
  'several outer channel tiles',
  'tile across rows',
  'fragment off a row start',
] as const;

export type Feature = (typeof features)[number];

/** The fragments with the window at which each starts. */
const withStarts = (
  tree: SplitTree,
  start = 0,
): readonly { readonly fragment: Fragment; readonly start: number }[] =>
  tree.kind === 'fragment'
    ? [{ fragment: tree.fragment, start }]
    : [
        ...withStarts(tree.low, start),
        ...withStarts(tree.high, tree.dimension === 'windows' ? start + tree.at : start),
      ];

export const coverageOf = (each: Case): ReadonlySet<Feature> => {
  const payload = parse(payloadText(each), 'payload.mlir');
  const operation = [...walk(payload.root)].find((op) => op.name === 'linalg.conv_2d_nchw_fchw')!;
  const plan = unwrap(
    planOperation(operation, targetOf({ mkInfo: each.microkernel, archInfo: each.caches }), each.schedule),
  );
  const tree = splitTree(plan, each.edges);
  const tiled = withStarts(tree).filter(({ fragment }) => fragment.microkernel !== undefined);
  const [, width] = outputOf(each.shape);
  const straddles = tiled.some(({ fragment, start }) => {
    const size = fragment.microkernel!.windows;
    for (let tile = start; tile < start + fragment.windows; tile += size) {
      if (Math.floor(tile / width) !== Math.floor((tile + size - 1) / width)) return true;
    }
    return false;
  });
  const found: Record<Feature, boolean> = {
    'K2 split': plan.remainders.k2 > 0,
    'K3 split': plan.remainders.k3 > 0,
    'Nc split': plan.remainders.nc > 0,
    'window edge': plan.edges.windows > 0,
    'filter edge': plan.edges.filters > 0,
    'several outer window tiles': tiled.some(({ fragment }) => fragment.windows > fragment.tile.windows),
    'several outer filter tiles': tiled.some(({ fragment }) => fragment.filters > fragment.tile.filters),
    'several outer channel tiles': tiled.some(({ fragment }) => fragment.channels > fragment.tile.channels),
    'tile across rows': straddles,
    'fragment off a row start': tiled.some(({ start }) => start % width !== 0),
  };
  return new Set(features.filter((feature) => found[feature]));
};
