/** Convolutions of blocked channels and filters, as data tiling makes them (IREE slides, "Selecting a Data Layout"). */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { linearForm } from '@sconv/affine';
import { generic, genericView, isMultiplyAdd } from '@sconv/dialects/linalg';
import type { Operation } from '@sconv/ir';
import { bodyOf, isStaticShape, typeEquals } from '@sconv/ir';

/** The loops of a convolution that is read in place, with filters innermost, and how many iterations they have. */
export interface BlockedConvolution {
  readonly rank: number;
  readonly batch: Loop;
  readonly rows: Loop;
  readonly columns: Loop;
  /** Blocks of filters; absent in NHWC. */
  readonly filterBlocks?: Loop;
  /** Filters of a block, or all: the lanes. */
  readonly filters: Loop;
}

interface Loop {
  readonly position: number;
  readonly extent: number;
}

/** The loops that `linalg.generic`s of a layout index their operands by, in order. */
interface Layout {
  readonly input: readonly (number | readonly [window: number, tap: number])[];
  readonly filters: readonly number[];
  readonly output: readonly number[];
}

/** NCHWc, FCHWcf and NFHWf, over (N, F, H, W, C, FH, FW, f, c), as `transform.structured.pack` orders the loops. */
const blocked: Layout = {
  input: [0, 4, [2, 5], [3, 6], 8],
  filters: [1, 4, 5, 6, 8, 7],
  output: [0, 1, 2, 3, 7],
};

/** NCHW, FCHWf and NFHWf, over (N, F, H, W, C, FH, FW, f): channels that are too few for a block. */
const fewChannels: Layout = {
  input: [0, 4, [2, 5], [3, 6]],
  filters: [1, 4, 5, 6, 7],
  output: [0, 1, 2, 3, 7],
};

/** NHWC and HWCF, over (N, H, W, F, FH, FW, C): one block of all channels. */
const channelsLast: Layout = {
  input: [0, [1, 4], [2, 5], 6],
  filters: [4, 5, 6, 3],
  output: [0, 1, 2, 3],
};

const isLoop = (expr: AffineExpr | undefined, position: number): boolean =>
  expr?.kind === 'dim' && expr.position === position;

/** Whether an index is a window and a tap, each perhaps times a distance. */
const isWindow = (expr: AffineExpr | undefined, loops: readonly [number, number]): boolean => {
  const form = expr && linearForm(expr);
  return (
    form?.constant === 0 &&
    form.dims.every((factor, loop) => (loops.includes(loop) ? factor >= 1 : factor === 0)) &&
    loops.every((loop) => (form.dims[loop] ?? 0) >= 1)
  );
};

const hasLayout = (maps: readonly AffineMap[], { input, filters, output }: Layout): boolean =>
  [input, filters, output].every((wanted, i) => {
    const { results } = maps[i]!;
    return (
      results.length === wanted.length &&
      wanted.every((each, at) =>
        typeof each === 'number' ? isLoop(results[at], each) : isWindow(results[at], each),
      )
    );
  });

/**
 * The convolution that a `linalg.generic` on tensors of static shape is, in NCHWc or NCHW with blocks of filters, or in
 * NHWC with HWCF, of elements of one type; undefined for any other op.
 */
export const blockedConvolution = (operation: Operation): BlockedConvolution | undefined => {
  if (!generic.is(operation) || operation.results.length !== 1) return undefined;
  const { inputs, outputs, indexingMaps, loopRanges } = genericView(operation);
  const types = [...inputs, ...outputs].map(({ type }) => type);
  const tensors = types.filter((type) => type.kind === 'tensor').filter((type) => isStaticShape(type));
  const [, ofFilters, ofOutput] = tensors;
  if (tensors.length !== 3 || types.length !== 3 || ofFilters === undefined || ofOutput === undefined)
    return undefined;
  if (!tensors.every(({ elementType }) => typeEquals(elementType, ofOutput.elementType))) return undefined;
  if (!isMultiplyAdd(bodyOf(operation)) || tensors.some(({ shape }) => shape.includes(0))) return undefined;
  const at = (position: number): Loop => ({ position, extent: loopRanges[position]! });
  const rank = loopRanges.length;
  const isBlocked =
    (rank === 9 && hasLayout(indexingMaps, blocked)) || (rank === 8 && hasLayout(indexingMaps, fewChannels));
  if (isBlocked) {
    return { rank, batch: at(0), filterBlocks: at(1), rows: at(2), columns: at(3), filters: at(7) };
  }
  if (rank === 7 && hasLayout(indexingMaps, channelsLast)) {
    return { rank, batch: at(0), rows: at(1), columns: at(2), filters: at(3) };
  }
  return undefined;
};
