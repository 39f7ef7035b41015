/** Microkernels of a given schedule that the target computes slowly, as a schedule made for another target has them. */
import type { Diagnostic } from '@sconv/diagnostics';
import { warning } from '@sconv/diagnostics';
import type { AnyPlan, Extents } from '@sconv/plans';
import { isOpenPlan, planPaths } from '@sconv/plans';
import type { Target } from '@sconv/targets';
import { tileCycles } from '@sconv/targets';
import type { PlannedConvolution } from './target-schedule.ts';

/** From this share of the fastest microkernel's speed on, another one is worth a warning. */
const slowShare = 0.8;

/** The k steps of a call: enough for what a call costs besides them not to matter. */
const steps = 256;

/**
 * A warning `sconv/slow-tile` for each convolution of f32 whose microkernel runs, by the target's measured speeds, at
 * less than four fifths of the speed of the target's own; none without measured speeds.
 */
export const slowTiles = (
  planned: readonly PlannedConvolution[],
  { name, microkernel: own, speeds }: Target,
): readonly Diagnostic[] => {
  if (speeds === undefined) return [];
  const speedOf = (tile: { readonly windows: number; readonly filters: number }): number =>
    (tile.windows * tile.filters * steps) / tileCycles(speeds, tile, steps);
  return planned
    .filter(({ plan }) => plan.shape.elementType === 'f32')
    .flatMap(({ operation, plan: { tree } }) => {
      const tile = largestTile(tree);
      return tile === undefined ? [] : [{ operation, tile, share: speedOf(tile) / speedOf(own) }];
    })
    .filter(({ share }) => share < slowShare)
    .map(({ operation, tile, share }) =>
      warning(
        'sconv/slow-tile',
        `a microkernel of ${tile.windows}x${tile.filters} runs at about ${Math.round(100 * share)} % of the speed of ` +
          `${own.windows}x${own.filters}, which suits '${name}' best: mk_info = [${own.windows}, ${own.filters}]`,
        operation.location,
      ),
    );
};

/** The tile of a plan's largest microkernel on packed operands: the speeds are of those. */
const largestTile = (tree: AnyPlan): Extents | undefined =>
  isOpenPlan(tree)
    ? undefined
    : planPaths(tree)
        .flatMap(({ steps, leaf }) => {
          const packings = steps.filter(({ kind }) => kind === 'pack').length;
          return leaf.kind === 'kernel' && packings === 2 ? [leaf.extents] : [];
        })
        .reduce<Extents | undefined>(
          (largest, each) =>
            largest !== undefined && largest.windows * largest.filters >= each.windows * each.filters
              ? largest
              : each,
          undefined,
        );
