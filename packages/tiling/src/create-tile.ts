/** Creates one tile of a structured op, inside the loops that provide its offsets. */
import { affineMap, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, silenceableError, success } from '@sconv/diagnostics';
import type { MixedSlice } from '@sconv/dialects';
import {
  applyComposed,
  composeValue,
  createApplication,
  createStructuredLike,
  elementTypeOf,
  extractSliceState,
  shiftIndices,
  unitStrideSlice,
} from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { printType, tensorType } from '@sconv/ir';
import type { TileOperand, TileSlice } from './tile-operand.ts';
import { tileOperand } from './tile-operand.ts';

/** The tiles of all operands, inputs first. */
export const tileOperands = (
  { loopRanges, inputs, outputs, indexingMaps }: StructuredOp,
  operation: DraftOperation,
  tileSizes: readonly number[],
): Diagnosed<readonly TileOperand[]> => {
  return collect([...inputs, ...outputs].entries(), ([i, { type }]) => {
    const shape = type.kind === 'tensor' ? type.shape : [];
    const tile = tileOperand(indexingMaps[i]!, shape, loopRanges, tileSizes);
    if ('results' in tile) return success(tile);
    if (tile.kind === 'out-of-bounds') {
      const message = `a slice may reach outside of dimension ${tile.position} of operand ${i}, a ${printType(type)}`;
      return silenceableError('tile/out-of-bounds', message, operation);
    }
    return silenceableError(
      'tile/unsound-slice',
      `a slice would restart '${tile.expr.toString()}' at 0, but it is not linear in the tiled dimensions: ` +
        'gather the operand first (transform.structured.gather_operand)',
      operation,
    );
  });
};

/** A tile, and the slices of the destinations that it computes; undefined for one that is not sliced. */
export interface CreatedTile {
  readonly tile: DraftOperation;
  readonly slices: readonly (MixedSlice | undefined)[];
}

/** The tile at these offsets, by dimension: slices of the operands, and the op on them. */
export const createTile = (
  rewriter: Rewriter,
  operation: DraftOperation,
  operands: readonly TileOperand[],
  offsets: ReadonlyMap<number, Value>,
  destinations: readonly Value[],
): CreatedTile => {
  const { inputs, loopRanges } = structured(rewriter.registry, operation)!;
  const parts = [...inputs, ...destinations].map((value, i) =>
    slicePart(rewriter, value, operands[i]!.slice, loopRanges.length, offsets),
  );
  const outputParts = parts.slice(inputs.length);
  const tile = createStructuredLike(rewriter, operation, {
    inputs: parts.slice(0, inputs.length).map(({ value }) => value),
    outputs: outputParts.map(({ value }) => value),
    indexingMaps: operands.map(({ results }) => makeMap(loopRanges.length, 0, results)),
  });
  // `linalg.index` in a tile counts from the tile's start.
  shiftIndices(rewriter, tile, (local, dimension) => {
    const offset = offsets.get(dimension);
    return offset && applyComposed(rewriter, sum, [local, offset]);
  });
  rewriter.setInsertionPointAfter(tile);
  composeApplications(rewriter, tile);
  rewriter.setInsertionPointAfter(tile);
  return { tile, slices: outputParts.map(({ slice }) => slice) };
};

/** The slice of an operand that the current tile works on, and its source; undefined if the operand is not sliced. */
const slicePart = (
  rewriter: Rewriter,
  value: Value,
  tile: TileSlice | undefined,
  rank: number,
  offsets: ReadonlyMap<number, Value>,
): { readonly value: Value; readonly slice: MixedSlice | undefined } => {
  if (tile === undefined) return { value, slice: undefined };
  // Offsets do not use dimensions without a loop.
  const starts = Array.from({ length: rank }, (_, dimension) => offsets.get(dimension));
  const slice = unitStrideSlice({
    offsets: tile.offsets.map((offset) =>
      offset === 0 ? 0 : applyComposed(rewriter, makeMap(rank, 0, [offset]), starts),
    ),
    sizes: tile.sizes,
  });
  const type = tensorType(tile.sizes, elementTypeOf(value.type));
  return { value: rewriter.createValue(extractSliceState(value, slice, type)), slice };
};

const sum = affineMap('(d0, d1) -> (d0 + d1)');

/** Folds chains of `affine.apply` below `operation` into single ones. */
const composeApplications = (rewriter: Rewriter, operation: DraftOperation): void => {
  const applications = rewriter.walk(operation).filter((inner) => apply.is(inner));
  const isApplication = (value: Value): boolean => {
    const definition = rewriter.definingOperation(value);
    return definition !== undefined && apply.is(definition);
  };
  for (const application of applications) {
    if (!application.operands.some(isApplication)) continue;
    rewriter.setInsertionPointBefore(application);
    const composed = composeValue(rewriter, application.results[0]!);
    if (composed.operands.some((operand) => operand.id === application.results[0]!.id)) continue;
    rewriter.replaceOperation(application, [createApplication(rewriter, composed)]);
  }
  for (const inner of rewriter.walk(operation).toReversed()) {
    if (apply.is(inner) && !rewriter.hasUses(inner.results[0]!)) rewriter.eraseOperation(inner);
  }
};
