/**
 * Multipacking (ST §4.2.1, task 4b): packs all tiles of a loop before it, into a tensor with the tile index iN_t as
 * first dimension.
 *
 *     scf.for %f = 0 to 4 step 2 {                      %panels = linalg.generic outs(%empty : tensor<2x2x3x3x2xf32>) {
 *       %panel = linalg.generic {                         … tensor.extract %filters[iN_t * 2 + iN_f, …] …
 *         … tensor.extract %filters[%f + iN_f, …] …  →  }
 *       }                                               scf.for %f = 0 to 4 step 2 {
 *       … %panel …                                        %panel = tensor.extract_slice %panels[%f floordiv 2, …]
 *     }                                                   … %panel … }
 *
 * The packing's body depends on the loop through its induction variable, a tile's first filter or window. With iN_t ·
 * step for it, Eq. 3 (iT_f = iN_t · N_f + iN_f) and Eq. 14 (iO_hw = iT_s + iN_t · N_win + iN_win) follow.
 */
import { dim, makeMap, substitute } from '@sconv/affine';
import type { AffineExpr } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, silenceableError } from '@sconv/diagnostics';
import {
  applyComposed,
  countedLoops,
  eraseUnused,
  extractSliceState,
  indexNumber,
  tryAffine,
  unitStrideSlice,
} from '@sconv/dialects';
import type { CountedLoop, ElementSource, MapApplication, MixedIndex } from '@sconv/dialects';
import { genericView } from '@sconv/dialects/linalg';
import { forBounds, forOp } from '@sconv/dialects/scf';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { tensorType } from '@sconv/ir';
import { createPacking, invariantPoint, outerValuesOf, packingSource } from './pack-operand.ts';

/** A loop of indices from 0 to a multiple of its step, with at least one iteration; undefined for any other. */
const loopOfTiles = (rewriter: Rewriter, loop: DraftOperation): CountedLoop | undefined => {
  const numberOf = (bound: MixedIndex): number | undefined => indexNumber(rewriter, bound);
  const [counted] = countedLoops(loop, numberOf) ?? [];
  if (counted?.lower !== 0 || counted.trips === 0) return undefined;
  const isWhole = counted.trips * counted.step === numberOf(forBounds(loop).upper);
  // The tile index is computed with an affine map, which needs index type.
  return isWhole && counted.variable.type.kind === 'index' ? counted : undefined;
};

/** Hoists a packing out of its loop, and further as far as it is loop-invariant. */
export const multipackOp = (rewriter: Rewriter, packing: DraftOperation): Diagnosed<DraftOperation> => {
  const source = packingSource(rewriter, packing);
  if (source === undefined) {
    return silenceableError(
      'multipack/not-a-packing',
      'expected a linalg.generic without inputs that stores what one tensor.extract reads, converted ' +
        'or as it is, and does nothing else',
      packing,
    );
  }
  const loop = packing.parent;
  if (loop === undefined || !forOp.is(loop))
    return silenceableError('multipack/no-loop', 'the packing is not directly in an scf.for', packing);
  const counted = loopOfTiles(rewriter, loop);
  if (counted === undefined) {
    return silenceableError(
      'multipack/bounds',
      'the loop does not count indices from 0 by a constant step that divides its bound',
      packing,
    );
  }
  const around = source.outer.filter((value) => value.id !== counted.variable.id);
  const { conversion } = source;
  const used = [source.tensor, ...around, ...outerValuesOf(conversion)];
  if (!used.every((value) => rewriter.isDefinedOutside(value, loop))) {
    return silenceableError(
      'multipack/dependent',
      'the packing reads a value that is computed in the loop',
      packing,
    );
  }
  const tile = packing.results[0]!.type as TensorType;
  return mapSuccess(
    tryAffine(packing, 'multipack/arithmetic', () => multipackedIndices(source, counted, tile, around)),
    (indices) => {
      rewriter.setInsertionPointBefore(invariantPoint(rewriter, loop, used));
      const multi = createPacking(rewriter, {
        type: tensorType([counted.trips, ...tile.shape], tile.elementType),
        tensor: source.tensor,
        indices,
        conversion,
        location: packing.location,
      });
      replaceByTile(rewriter, packing, multi, counted);
      return multi;
    },
  );
};

/** The indices that a packing reads, with its loop's induction variable replaced by tile index times step. */
const multipackedIndices = (
  source: ElementSource,
  { variable, step }: CountedLoop,
  tile: TensorType,
  around: readonly Value[],
): readonly MapApplication[] => {
  // Dimensions: iN_t, those of the tile, then the outer values.
  const rank = tile.shape.length;
  const [tileNumber, ...rest] = [dim(0), ...tile.shape.map((_, i) => dim(1 + i))];
  const outerExpressions = source.outer.map((value): AffineExpr =>
    value.id === variable.id ? tileNumber.mul(step) : dim(1 + rank + around.indexOf(value)),
  );
  return source.indices.map((expr) => ({
    map: makeMap(1 + rank + around.length, 0, [substitute(expr, { dims: [...rest, ...outerExpressions] })]),
    operands: around,
  }));
};

/** Extracts the loop's current tile from the multipacked tensor. */
const replaceByTile = (
  rewriter: Rewriter,
  packing: DraftOperation,
  multi: DraftOperation,
  { variable, step }: CountedLoop,
): void => {
  const tile = packing.results[0]!.type as TensorType;
  const destination = genericView(packing).outputs[0]!;
  rewriter.setInsertionPointBefore(packing);
  const tileNumber = applyComposed(rewriter, makeMap(1, 0, [dim(0).floorDiv(step)]), [variable]);
  const place = unitStrideSlice({
    offsets: [tileNumber, ...tile.shape.map(() => 0)],
    sizes: [1, ...tile.shape],
  });
  const slice = rewriter.create(extractSliceState(multi.results[0]!, place, tile), packing.location);
  rewriter.replaceOperation(packing, slice.results, [multi]);
  eraseUnused(rewriter, destination);
};
