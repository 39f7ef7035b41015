/** What slicing a case exercises, according to its plan. */
import { diagnosedPlan, planConvolution, slicingNest } from '@sconv/csa';
import { planPaths } from '@sconv/plans';
import { unwrap } from '@sconv/diagnostics';
import { walk } from '@sconv/ir';
import { planOperation, targetOf } from '@sconv/slicing';
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

export const coverageOf = (each: Case): ReadonlySet<Feature> => {
  const payload = parse(payloadText(each), 'payload.mlir');
  const operation = [...walk(payload.root)].find((op) => op.name === 'linalg.conv_2d_nchw_fchw')!;
  const target = targetOf({ mkInfo: each.microkernel, archInfo: each.caches });
  const { schedule, edges } = each;
  const plan = unwrap(
    planOperation(operation, (shape) =>
      diagnosedPlan(() => planConvolution(shape, target, { schedule, edges })),
    ),
  );
  const nests = planPaths(plan.tree).flatMap((path) => slicingNest(path) ?? []);
  const [, width] = outputOf(each.shape);
  const straddles = nests.some(({ windows, microkernel }) => {
    for (let tile = windows.from; tile < windows.to; tile += microkernel.windows) {
      if (Math.floor(tile / width) !== Math.floor((tile + microkernel.windows - 1) / width)) return true;
    }
    return false;
  });
  /** Blocks of a nest, in windows and filters. */
  const blocks = nests.map(({ schedule, microkernel, k2, k3 }) =>
    schedule === 'is'
      ? { windows: k3 * microkernel.windows, filters: k2 * microkernel.filters }
      : { windows: k2 * microkernel.windows, filters: k3 * microkernel.filters },
  );
  const isCut = (dimension: 'windows' | 'filters') =>
    nests.some((nest, i) => nest[dimension].to - nest[dimension].from > blocks[i]![dimension]);
  const found: Record<Feature, boolean> = {
    'K2 split': plan.remainders.k2 > 0,
    'K3 split': plan.remainders.k3 > 0,
    'Nc split': plan.remainders.nc > 0,
    'window edge': plan.edges.windows > 0,
    'filter edge': plan.edges.filters > 0,
    'several outer window tiles': isCut('windows'),
    'several outer filter tiles': isCut('filters'),
    'several outer channel tiles': nests.some(({ channels, nc }) => channels.to - channels.from > nc),
    'tile across rows': straddles,
    'fragment off a row start': nests.some(({ windows }) => windows.from % width !== 0),
  };
  return new Set(features.filter((feature) => found[feature]));
};
