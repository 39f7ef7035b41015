/**
 * Split (ST §5.2, stage 2): a structured op becomes two that partition its iteration domain along one dimension. At
 * 24 of 30 windows of 6 in a row, where `#high(d) = #all(d + 24) - 32`:
 *
 *     %c = linalg.generic #all ins(%a) outs(%z)   →   %low = linalg.generic #all ins(%a[0] [48]) outs(%z[0] [24])
 *                                                     %part = tensor.insert_slice %low into %z[0] [24]
 *                                                     %high = linalg.generic #high ins(%a[32] [24]) outs(%part[24] [6])
 *                                                     %c = tensor.insert_slice %high into %part[24] [6]
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, mapSuccess, silenceableError, success } from '@sconv/diagnostics';
import type { StructuredOp } from '@sconv/dialects/linalg';
import {
  createStructuredLike,
  elementTypeOf,
  extractSliceState,
  hasStaticSizes,
  indexDimensions,
  insertSliceState,
  mayHaveMaps,
  mayRunInBlocks,
  tryAffine,
  unitStrideSlice,
} from '@sconv/dialects';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { tensorType } from '@sconv/ir';
import type { OperandWindow } from './operand-window.ts';
import { operandWindow } from './operand-window.ts';
import { structuredWith } from './structured-with.ts';

/** The halves of an exact split: iterations below the split point, and from it on. */
export interface ExactSplitResult {
  readonly first: DraftOperation;
  readonly second: DraftOperation;
}

/** Has `linalg.index` of a dimension of the second part, which counts from 0 there, count from `from`. */
export type Renumber = (
  rewriter: Rewriter,
  operation: DraftOperation,
  dimension: number,
  from: number,
) => void;

/**
 * Splits the iteration domain of a structured op on tensors into `[0, at)` and `[at, extent)` of `dimension`. Slices
 * each operand to what its half touches and re-bases its map, which works for any quasi-affine map, in particular for
 * the linearised input at a point within a row. If the split reorders a reduction, the body has to be an
 * order-independent combiner, such as a sum. The parts of a named op stay named.
 *
 * Unlike `splitOp` it takes any quasi-affine map, slices no operand that a part touches entirely, and refuses a point
 * that is not inside the domain. Bodies that use the index of the dimension are taken with `renumber` only.
 */
export const splitExactlyOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  dimension: number,
  at: number,
  renumber?: Renumber,
): Diagnosed<ExactSplitResult> => {
  const found = structuredWith(rewriter, operation, dimension);
  if (found.status !== 'success') return found;
  const view = found.value;
  const { loopRanges, outputs } = view;
  const extent = loopRanges[dimension]!;
  if (!hasStaticSizes(view)) {
    return silenceableError('split/dynamic', 'expected operands of static tensor type', operation);
  }
  if (!Number.isSafeInteger(at) || at <= 0 || at >= extent) {
    return silenceableError(
      'split/point-outside',
      `split point ${at} is not inside dimension ${dimension} of extent ${extent}`,
      operation,
    );
  }
  if (renumber === undefined && indexDimensions(operation).includes(dimension)) {
    return silenceableError(
      'split/index',
      `the body uses linalg.index ${dimension}, whose values would change; see 'renumber'`,
      operation,
    );
  }
  const mayCut = mayRunInBlocks(
    rewriter.registry,
    operation,
    [dimension],
    (each) => (each === dimension ? Math.max(at, extent - at) : loopRanges[each]!) > 1,
  );
  if (!mayCut) {
    return silenceableError(
      'split/order',
      'two parts would run the iterations in another order, which may change the result',
      operation,
    );
  }
  const windows = (start: number, size: number) =>
    andThen(windowsOf(view, operation, dimension, start, size), (parts) => {
      const maps = parts.map(({ map }) => map);
      if (mayHaveMaps(rewriter.registry, operation, maps)) return success(parts);
      return silenceableError(
        'split/named-map',
        `a part would index an operand otherwise than '${operation.name}' does: generalize it first`,
        operation,
      );
    });
  return andThen(windows(0, at), (lowWindows) =>
    mapSuccess(windows(at, extent - at), (highWindows) => {
      rewriter.setInsertionPointBefore(operation);
      const low = createPart(rewriter, operation, view, lowWindows, outputs);
      const high = createPart(rewriter, operation, view, highWindows, low.destinations);
      // `linalg.index` counts from the first iteration of the part.
      renumber?.(rewriter, high.operation, dimension, at);
      rewriter.replaceOperation(operation, high.destinations, [low.operation, high.operation]);
      return { first: low.operation, second: high.operation };
    }),
  );
};

/** The slice of each operand for `size` iterations of `dimension` from `start`. */
const windowsOf = (
  { inputs, outputs, indexingMaps, loopRanges }: StructuredOp,
  operation: DraftOperation,
  dimension: number,
  start: number,
  size: number,
): Diagnosed<readonly OperandWindow[]> => {
  return collect([...inputs, ...outputs].entries(), ([i, value]) =>
    andThen(
      tryAffine(operation, 'split/arithmetic', () =>
        operandWindow({ map: indexingMaps[i]!, shape: sizesOf(value), loopRanges, dimension, start, size }),
      ),
      (window) =>
        window === undefined
          ? silenceableError(
              'split/out-of-bounds',
              `operand ${i} is indexed outside of its sizes [${sizesOf(value).join(', ')}]`,
              operation,
            )
          : success(window),
    ),
  );
};

/** One half: slices of the operands, the op over them, and insertion of its results into the destinations. */
const createPart = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { inputs }: StructuredOp,
  windows: readonly OperandWindow[],
  destinations: readonly Value[],
): { readonly operation: DraftOperation; readonly destinations: readonly Value[] } => {
  const slices = [...inputs, ...destinations].map((value, i) => slice(rewriter, value, windows[i]!));
  const half = createStructuredLike(rewriter, operation, {
    inputs: slices.slice(0, inputs.length),
    outputs: slices.slice(inputs.length),
    indexingMaps: windows.map(({ map }) => map),
  });
  return {
    operation: half,
    destinations: half.results.map((result, i) =>
      putBack(rewriter, result, destinations[i]!, windows[inputs.length + i]!),
    ),
  };
};

/** The sizes of a tensor; empty for a scalar. */
const sizesOf = ({ type }: Value): readonly number[] => (type.kind === 'tensor' ? type.shape : []);

const isWhole = (window: OperandWindow, shape: readonly number[]): boolean =>
  window.sizes.every((size, i) => size === shape[i]);

const slice = (rewriter: Rewriter, value: Value, window: OperandWindow): Value => {
  if (isWhole(window, sizesOf(value))) return value;
  const type = tensorType(window.sizes, elementTypeOf(value.type));
  return rewriter.createValue(extractSliceState(value, unitStrideSlice(window), type));
};

const putBack = (rewriter: Rewriter, result: Value, destination: Value, window: OperandWindow): Value => {
  if (isWhole(window, sizesOf(destination))) return result;
  return rewriter.createValue(insertSliceState(result, destination, unitStrideSlice(window)));
};
