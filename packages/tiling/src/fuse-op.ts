/** Tiles an op and fuses its producers, as `scf::tileConsumerAndFuseProducersUsingSCF`. */
import { isProjectedPermutation } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { indexNumber, tileableOf } from '@sconv/dialects';
import type { MixedIndex } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import { forOp } from '@sconv/dialects/scf';
import { extractSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import { fusedSlice } from './fuse-slice.ts';
import type { TileResult } from './tile-using-for-op.ts';
import { tileUsingForOp } from './tile-using-for-op.ts';

/**
 * `tileUsingForOp`, then each slice that a tile reads of a result computed outside the loops is replaced by the tile
 * of its producer, transitively. As upstream, the dead slices and ops are left to a cleanup.
 *
 * @deviation The initial value of a result is fused only if each element of the result is in one tile. Upstream fuses
 * it into loops over tiles of a reduction too, and each tile then discards the sum of the ones before; and into loops
 * whose tiles leave gaps, and the elements between them are then those of the producer's destination.
 */
export const fuseOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly MixedIndex[],
  interchange: readonly number[] = [],
): Diagnosed<TileResult> => {
  const view = structured(rewriter.registry, operation);
  const cut = sizes.flatMap((size, dimension) => (indexNumber(rewriter, size) === 0 ? [] : [dimension]));
  const tiled = tileUsingForOp(rewriter, operation, sizes, interchange);
  if (tiled.status !== 'success' || tiled.value.loops.length === 0) return tiled;
  const { loops } = tiled.value;
  const slices = slicesOf(rewriter, tiled.value.tiled);
  for (let slice = slices.shift(); slice !== undefined; slice = slices.shift()) {
    const { value, init } = untiledSource(slice.operands[0]!, loops);
    if (init !== undefined && !arePartitions(view, init - firstInit, cut)) continue;
    const producer = rewriter.definingOperation(value);
    const tileable = producer === undefined ? undefined : tileableOf(rewriter.registry, producer);
    if (producer === undefined || tileable?.boxOfResult === undefined) continue;
    const result = producer.results.findIndex(({ id }) => id === value.id);
    rewriter.setInsertionPointBefore(slice);
    const destinations = tileable.destinations(rewriter);
    const own = init === undefined ? destinations : destinations.with(result, slice.operands[0]!);
    const fused = fusedSlice(rewriter, producer, result, slice, own);
    if (fused.status !== 'success') continue;
    if (init !== undefined) rewriter.setOperand(loops[0]!, init, destinations[result]!);
    slices.push(...slicesOf(rewriter, fused.value.tile.operation));
  }
  return tiled;
};

/** The operand index of the first initial value of an `scf.for`. */
const firstInit = 3;

/** Whether tiles that cut these dimensions have each element of a result once; what is not structured has no others. */
const arePartitions = (view: StructuredOp | undefined, result: number, cut: readonly number[]): boolean => {
  if (view === undefined) return true;
  const { inputs, outputs, indexingMaps } = view;
  const ofResults = indexingMaps.slice(inputs.length).filter((_, i) => outputs[i]!.type.kind === 'tensor');
  const map = ofResults[result]!;
  return (
    isProjectedPermutation(map) &&
    cut.every((dimension) => map.results.some((expr) => expr.kind === 'dim' && expr.position === dimension))
  );
};

/** The slices that an op reads. */
const slicesOf = (rewriter: Rewriter, operation: DraftOperation): DraftOperation[] =>
  operation.operands.flatMap((operand) => {
    const definition = rewriter.definingOperation(operand);
    return definition !== undefined && extractSlice.is(definition) ? [definition] : [];
  });

/**
 * The initial value of an iter arg, and its operand index in the outermost loop; for other values, the value itself.
 */
const untiledSource = (
  source: Value,
  loops: readonly DraftOperation[],
): { readonly value: Value; readonly init: number | undefined } => {
  let value = source;
  let init: number | undefined;
  for (const [depth, loop] of [...loops.entries()].toReversed()) {
    const position = bodyOf(loop).arguments.findIndex(({ id }) => id === value.id);
    if (position < 1) break;
    value = forOp.operands(loop).initArgs[position - 1]!;
    if (depth === 0) init = firstInit + position - 1;
  }
  return { value, init };
};
