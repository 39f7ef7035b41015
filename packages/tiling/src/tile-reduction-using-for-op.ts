/** Tiles a reduction with loops that carry a tile of partial results, as `scf::tileReductionUsingScf`. */
import { dim, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, silenceableError, success } from '@sconv/diagnostics';
import type { MixedBox } from '@sconv/dialects';
import {
  createDims,
  createSlice,
  insertSliceState,
  sliceOperandsFor,
  tileableOf,
  unitStrideSlice,
} from '@sconv/dialects';
import { generic } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import type { PartialReduction } from './partial-reduction.ts';
import { createMerge, createPartials, partialReductionOf } from './partial-reduction.ts';
import { createLoops } from './tile-using-for-op.ts';

/** What tiling a reduction makes. */
export interface TileReductionResult {
  readonly fills: readonly DraftOperation[];
  readonly tiled: DraftOperation;
  readonly merging: DraftOperation;
  /** The outermost loop. */
  readonly loop: DraftOperation;
}

/**
 * Tiles a reduction: tiles of iterations are accumulated, element by element, into partial results that loops carry
 * and that are reduced after them. Reduced dimensions need a tile size; for others 0 means untiled; missing sizes are
 * 0.
 *
 * @deviation Partial results are placed correctly for transposed outputs, and for tiled parallel dimensions:
 * upstream's slices then begin at 0, or have another shape. Rejected if the body uses `linalg.index`.
 */
export const tileReductionUsingForOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  sizes: readonly number[],
): Diagnosed<TileReductionResult> =>
  andThen(partialReductionOf(rewriter, operation), (reduction) => {
    const { view, reduced } = reduction;
    const rank = view.iteratorTypes.length;
    if (
      sizes.length > rank ||
      !sizes.every((size) => Number.isSafeInteger(size) && size >= 0) ||
      !reduced.every((at) => sizes[at])
    ) {
      const message =
        `failed to apply: expected up to ${rank} tile sizes of at least 0, above 0 for what is ` +
        `reduced, got [${sizes.join(', ')}]`;
      return silenceableError('reduction/sizes', message, operation);
    }
    const tileSizes = view.iteratorTypes.map((_, at) => (sizes[at] === 0 ? undefined : sizes[at]));
    return andThen(tileableOf(rewriter.registry, operation)!.check(tileSizes), () =>
      success(createNest(rewriter, operation, reduction, tileSizes)),
    );
  });

const createNest = (
  rewriter: Rewriter,
  operation: DraftOperation,
  reduction: PartialReduction,
  tileSizes: readonly (number | undefined)[],
): TileReductionResult => {
  rewriter.setInsertionPointBefore(operation);
  const ranges = tileableOf(rewriter.registry, operation)!.domain(rewriter);
  const fills = createPartials(
    rewriter,
    operation,
    reduction,
    tileSizes.map((size) => size ?? 0),
  );
  const order = tileSizes.map((_, at) => at);
  const partials = fills.map(({ results }) => results[0]!);
  let tiled: DraftOperation | undefined;
  const { loops, results } = createLoops(
    rewriter,
    operation,
    { ranges, tileSizes, order },
    partials,
    (box, destinations) => {
      tiled = createTile(rewriter, operation, reduction, box, destinations);
      const boxes = (tiled.results as readonly Value<TensorType>[]).map((result, i) => ({
        offsets: partialBox(reduction, i, box).offsets,
        sizes: createDims(rewriter, result),
      }));
      return tiled.results.map((result, i) =>
        rewriter.createValue(insertSliceState(result, destinations[i]!, unitStrideSlice(boxes[i]!))),
      );
    },
  );
  const merging = createMerge(rewriter, operation, reduction, results);
  rewriter.replaceOperation(operation, merging.results, [tiled!, merging]);
  return { fills, tiled: tiled!, merging, loop: loops[0]! };
};

/** The box of the partial results of an iteration box: reduced dimensions start at 0. */
const partialBox = ({ reduced, outputs }: PartialReduction, output: number, box: MixedBox): MixedBox => {
  const { dimensions } = outputs[output]!;
  return {
    offsets: dimensions.map((at) => (reduced.includes(at) ? 0 : box.offsets[at]!)),
    sizes: dimensions.map((at) => box.sizes[at]!),
  };
};

/** The op on a box, with a separate partial result per iteration. */
const createTile = (
  rewriter: Rewriter,
  operation: DraftOperation,
  reduction: PartialReduction,
  box: MixedBox,
  destinations: readonly Value[],
): DraftOperation => {
  const { view, outputs } = reduction;
  const inputs = sliceOperandsFor(rewriter, view, view.inputs, box);
  const inits = destinations.map((destination, i) =>
    createSlice(rewriter, destination, partialBox(reduction, i, box)),
  );
  const numDims = view.iteratorTypes.length;
  const tile = rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs, outputs: inits },
      attributes: {
        indexingMaps: [
          ...view.indexingMaps.slice(0, inputs.length),
          ...outputs.map(({ dimensions }) =>
            makeMap(
              numDims,
              0,
              dimensions.map((at) => dim(at)),
            ),
          ),
        ],
        iteratorTypes: view.iteratorTypes.map(() => 'parallel'),
      },
      location: operation.location,
      bodies: [undefined],
    }),
  );
  rewriter.cloneRegion(operation.regions[0]!, tile.regions[0]!);
  return tile;
};
