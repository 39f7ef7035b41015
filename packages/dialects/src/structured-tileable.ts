/** Tiling of structured ops: each operand is sliced to the image of an iteration box under its map. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import {
  affineMap,
  ifAffine,
  isFunctionOfDim,
  isProjectedPermutation,
  makeMap,
  writtenLinearForm,
} from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { shiftIndices } from './shift-indices.ts';
import { applyFolded } from './affine-application.ts';
import { createSize, createSizes } from './create-size.ts';
import { createStructuredLike } from './create-structured-like.ts';
import { mayRunInBlocks } from './iteration-order.ts';
import type { StructuredOp } from './linalg.ts';
import { maxFolded } from './folded-bounds.ts';
import { mayBeZero } from './index-bounds.ts';
import { inferSubviewType } from './memref.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { extractSliceState, subviewState, unitStrideSlice } from './slice-states.ts';
import { inferExtractSliceType } from './tensor.ts';
import type { DraftOperation, Registry, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { indexValue } from './mixed-values.ts';
import type { MixedBox, Tile, Tileable } from './tileable.ts';

const identity = affineMap('(d0) -> (d0)');
const last = affineMap('(d0) -> (d0 - 1)');
const count = affineMap('(d0) -> (d0 + 1)');
const notNegative = affineMap('(d0) -> (0, d0 + 1)');
const sum = affineMap('(d0, d1) -> (d0 + d1)');

export const structuredTileable = (
  registry: Registry,
  operation: DraftOperation,
  view: StructuredOp,
): Tileable => {
  const { iteratorTypes, indexingMaps, inputs, outputs, loopRanges } = view;
  const operands = [...inputs, ...outputs];
  const tensorOutputs = outputs.flatMap(({ type }, i) => (type.kind === 'tensor' ? [i] : []));
  const outputMap = (result: number): AffineMap => indexingMaps[inputs.length + tensorOutputs[result]!]!;
  return {
    isParallel: iteratorTypes.map((type) => type === 'parallel'),
    domain: (rewriter) => {
      const sizes = operands.map((operand) => createSizes(rewriter, operand));
      return loopRanges.map((range, dimension) => {
        if (range !== DYNAMIC) return range;
        const found = indexingMaps.flatMap(({ results }, i) => {
          const position = results.findIndex((expr) => expr.kind === 'dim' && expr.position === dimension);
          return position < 0 ? [] : [sizes[i]![position]!];
        });
        // Compose as upstream does: recompute a size that an affine.apply computes.
        return applyFolded(rewriter, identity, [found[0]!]);
      });
    },
    destinations: () => tensorOutputs.map((i) => outputs[i]!),
    check: (box) => checkTiles(registry, operation, view, box),
    tile: (rewriter, box, destinations) => {
      const given = destinations.values();
      const values = [
        ...inputs,
        ...outputs.map((output) => (output.type.kind === 'tensor' ? (given.next().value ?? output) : output)),
      ];
      return createStructuredTile(rewriter, operation, view, values, box);
    },
    resultBox: (rewriter, result, box) => {
      const output = outputs[tensorOutputs[result]!]!;
      return sliceOf(rewriter, outputMap(result), output, box, lastOf(rewriter, box));
    },
    boxOfResult: (rewriter, result, box) => {
      const map = outputMap(result);
      if (!isProjectedPermutation(map)) return undefined;
      const whole =
        map.results.length === loopRanges.length
          ? loopRanges
          : structuredTileable(registry, operation, view).domain(rewriter);
      const offsets: MixedIndex[] = loopRanges.map(() => 0);
      const sizes: MixedIndex[] = [...whole];
      map.results.forEach((expr, position) => {
        if (expr.kind !== 'dim') return;
        offsets[expr.position] = box.offsets[position]!;
        sizes[expr.position] = box.sizes[position]!;
      });
      return { offsets, sizes };
    },
  };
};

/**
 * Whether tiles may be slices. Every index must be a sum of non-negative multiples of dimensions: only then is the
 * tile's map valid on a slice that starts at the tile's first index. Indices that depend on no tiled dimension are
 * not sliced.
 */
const checkTiles = (
  registry: Registry,
  operation: DraftOperation,
  { indexingMaps, loopRanges }: StructuredOp,
  box: readonly (MixedIndex | undefined)[],
): Diagnosed<undefined> => {
  const cut = box.flatMap((size, dimension) => (size === undefined ? [] : [dimension]));
  const uses = (expr: AffineExpr): boolean => cut.some((dimension) => isFunctionOfDim(expr, dimension));
  const unsound = indexingMaps.flatMap(({ results }) => results).find((expr) => uses(expr) && !isSum(expr));
  if (unsound !== undefined) {
    return silenceableError(
      'tile/unsound-slice',
      `a slice would begin at another index than '${unsound.toString()}' does in its tile: ` +
        'gather the operand first (transform.structured.gather_operand)',
      operation,
    );
  }
  const outer = cut.filter((dimension) => {
    const [size, range] = [box[dimension]!, loopRanges[dimension]!];
    return typeof size !== 'number' || range === DYNAMIC || range > size;
  });
  const mayTile = mayRunInBlocks(registry, operation, outer, (dimension) => {
    const size = box[dimension] ?? loopRanges[dimension]!;
    return typeof size !== 'number' || size === DYNAMIC || size > 1;
  });
  if (mayTile) return success(undefined);
  return silenceableError(
    'tile/order',
    'tiles would run the iterations in another order, which may change the result',
    operation,
  );
};

const isSum = (expr: AffineExpr): boolean => sumOf(expr) !== undefined;

/** The multiple of each dimension in a sum of non-negative multiples of dimensions; undefined for anything else. */
const sumOf = (expr: AffineExpr): readonly number[] | undefined => {
  const form = ifAffine(() => writtenLinearForm(expr));
  return form?.constant === 0 && form.dims.every((factor) => factor >= 0) ? form.dims : undefined;
};

/** The last iteration of a box in each dimension, relative to its first. */
const lastOf = (rewriter: Rewriter, { sizes }: MixedBox): readonly MixedIndex[] =>
  sizes.map((size) => applyFolded(rewriter, last, [size]));

/**
 * The part of `operand` that `map` accesses over an iteration box.
 *
 * @deviation Of no iterations, upstream's part has a size below 0 where the map skips elements.
 */
const sliceOf = (
  rewriter: Rewriter,
  map: AffineMap,
  operand: Value,
  { offsets, sizes }: MixedBox,
  lasts: readonly MixedIndex[],
): MixedBox => {
  const { numDims } = map;
  const parts = map.results.map((expr, position): { offset: MixedIndex; size: MixedIndex } => {
    const used = offsets.flatMap((_, dimension) => (isFunctionOfDim(expr, dimension) ? [dimension] : []));
    const factors = sumOf(expr);
    // `check` rejects tiling a dimension that anything but a sum depends on.
    if (used.length === 0 || factors === undefined)
      return { offset: 0, size: createSize(rewriter, operand, position) };
    const index = makeMap(numDims, 0, [expr]);
    const offset = applyFolded(rewriter, index, offsets);
    const end = applyFolded(rewriter, index, lasts);
    // A dimension without iterations ends before it begins.
    const least = factors.reduce((sum, factor, i) => {
      const size = sizes[i]!;
      if (factor === 0) return sum;
      return sum + factor * (mayBeZero(rewriter, size) ? -1 : typeof size === 'number' ? size - 1 : 0);
    }, 1);
    const size = least < 0 ? maxFolded(rewriter, notNegative, [end]) : applyFolded(rewriter, count, [end]);
    return { offset, size };
  });
  return { offsets: parts.map(({ offset }) => offset), sizes: parts.map(({ size }) => size) };
};

/** The part of a tensor, or a view of the part of a buffer, in a box of its elements. */
export const createSlice = (rewriter: Rewriter, source: Value, box: MixedBox): Value => {
  const slice = unitStrideSlice(box);
  const { type } = source;
  if (type.kind === 'memref') {
    return rewriter.createValue(subviewState(source, slice, inferSubviewType(type, slice)));
  }
  if (type.kind !== 'tensor') throw new Error('a slice is of a tensor or of a buffer');
  return rewriter.createValue(extractSliceState(source, slice, inferExtractSliceType(type, slice.sizes)));
};

/** The slices of the leading operands of a structured op that an iteration box accesses. */
export const sliceOperandsFor = (
  rewriter: Rewriter,
  { indexingMaps }: Pick<StructuredOp, 'indexingMaps'>,
  operands: readonly Value[],
  box: MixedBox,
): readonly Value[] => {
  const lasts = lastOf(rewriter, box);
  const slices = operands.map((operand, i) =>
    indexingMaps[i]!.results.every(({ kind }) => kind === 'constant')
      ? undefined
      : sliceOf(rewriter, indexingMaps[i]!, operand, box, lasts),
  );
  return operands.map((operand, i) => {
    const slice = slices[i];
    return slice === undefined ? operand : createSlice(rewriter, operand, slice);
  });
};

const createStructuredTile = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { inputs, indexingMaps }: StructuredOp,
  operands: readonly Value[],
  box: MixedBox,
): Tile => {
  const parts = sliceOperandsFor(rewriter, { indexingMaps }, operands, box);
  const tile = createStructuredLike(rewriter, operation, {
    inputs: parts.slice(0, inputs.length),
    outputs: parts.slice(inputs.length),
    indexingMaps,
  });
  // `linalg.index` in a tile counts from the tile's first iteration.
  shiftIndices(rewriter, tile, (local, dimension) =>
    indexValue(rewriter, applyFolded(rewriter, sum, [local, box.offsets[dimension]!])),
  );
  return { operation: tile, values: tile.results };
};
