/** Tiles a reduction with one `scf.forall` and partial results per thread, as `linalg::tileReductionUsingForall`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, mapSuccess, silenceableError } from '@sconv/diagnostics';
import type { MixedBox, MixedIndex, Tileable } from '@sconv/dialects';
import { createIndex, extractSliceState, sliceOperands, tileableOf, unitStrideSlice } from '@sconv/dialects';
import type { Attribute, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { tensorType } from '@sconv/ir';
import { checkRace } from './check-tiling.ts';
import { createForall } from './create-forall.ts';
import { checkIdleThreads, windowOf } from './idle-threads.ts';
import type { PartialOutput, PartialReduction } from './partial-reduction.ts';
import { createMerge, createPartials, partialReductionOf } from './partial-reduction.ts';
import { partOfThread, sizePerThread } from './tile-bounds.ts';
import type { TileReductionResult } from './tile-reduction-using-for-op.ts';

/**
 * Tiles a reduction of one dimension: each of `threads[i]` parallel iterations reduces a part of dimension `i` to a
 * partial result; these are reduced after the loop. Other dimensions may be distributed too; 0 for those that are
 * not.
 *
 * @deviation If other dimensions are distributed, partial results are placed correctly: upstream's begin at 0. And each
 * has to be a dimension of the result: upstream's threads else write the same partial results.
 */
export const tileReductionUsingForallOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  threads: readonly number[],
  mapping?: readonly Attribute[],
): Diagnosed<TileReductionResult> =>
  andThen(partialReductionOf(rewriter, operation), (reduction) => {
    const { view, reduced, outputs } = reduction;
    const [dimension = 0, ...others] = reduced;
    const [output, ...more] = outputs;
    if (output === undefined || more.length > 0 || others.length > 0) {
      const message = 'failed to apply: there is not one output, or not one reduction dimension';
      return silenceableError('reduction/one', message, operation);
    }
    const rank = view.iteratorTypes.length;
    if (
      threads.length > rank ||
      !threads.every((number) => Number.isSafeInteger(number) && number >= 0) ||
      !threads[dimension]
    ) {
      const message =
        `failed to apply: expected up to ${rank} numbers of at least 0, above 0 for what is reduced, ` +
        `got [${threads.join(', ')}]`;
      return silenceableError('reduction/sizes', message, operation);
    }
    const tileable = tileableOf(rewriter.registry, operation)!;
    const box = view.iteratorTypes.map((_, at) => (threads[at] ? 1 : undefined));
    const distributed = threads.flatMap((number, at) => (number > 0 && at !== dimension ? [at] : []));
    const checked = andThen(
      collect(distributed, (at) => checkRace(operation, view, at, true)),
      () => andThen(checkIdleThreads(rewriter, operation, threads), () => tileable.check(box)),
    );
    return mapSuccess(checked, () =>
      createLoop(rewriter, operation, { tileable, reduction, output, threads, mapping }),
    );
  });

interface Tiling {
  readonly tileable: Tileable;
  readonly reduction: PartialReduction;
  readonly output: PartialOutput;
  readonly threads: readonly number[];
  readonly mapping: readonly Attribute[] | undefined;
}

const createLoop = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { tileable, reduction, output, threads, mapping }: Tiling,
): TileReductionResult => {
  rewriter.setInsertionPointBefore(operation);
  const ranges = tileable.domain(rewriter);
  const fills = createPartials(rewriter, operation, reduction, threads);
  const dimensions = threads.flatMap((number, at) => (number > 0 ? [at] : []));
  const bounds = dimensions.map((at) => threads[at]!);
  // Upstream materializes them, although the loop needs no values.
  for (const bound of bounds) createIndex(rewriter, bound);
  const partials = fills.map(({ results }) => results[0]!);
  let tiled: DraftOperation | undefined;
  const loops = { bounds, outputs: partials, mapping };
  const loop = createForall(rewriter, operation, loops, (body, variables, [destination]) => {
    if (destination === undefined) throw new Error('the loop shares the partial results');
    const windows = (at: number): boolean => windowOf(reduction.view, at) !== undefined;
    const box = boxOf(body, ranges, threads, dimensions, variables, windows);
    const place = (at: number): MixedIndex => variables[dimensions.indexOf(at)]!;
    // The tile takes its part of the other dimensions.
    const all = { offsets: ranges.map(() => 0), sizes: ranges };
    const slice = placed(reduction, output, place, all);
    const tile = tileable.tile(body, box, [createPart(body, destination, reduction, output, slice)]);
    tiled = tile.operation;
    const { offsets, sizes } = tileable.resultBox(body, 0, box);
    const positions = output.dimensions.filter((at) => !reduction.reduced.includes(at));
    const whole = {
      offsets: ranges.map((_, at) => offsets[positions.indexOf(at)] ?? 0),
      sizes: ranges.map((_, at) => sizes[positions.indexOf(at)] ?? 1),
    };
    return [{ value: tile.values[0]!, slice: unitStrideSlice(placed(reduction, output, place, whole)) }];
  });
  const merging = createMerge(rewriter, operation, reduction, loop.results);
  rewriter.replaceOperation(operation, merging.results, [tiled!, merging]);
  return { fills, tiled: tiled!, merging, loop };
};

/** The iterations of the current thread. */
const boxOf = (
  rewriter: Rewriter,
  ranges: readonly MixedIndex[],
  threads: readonly number[],
  dimensions: readonly number[],
  variables: readonly Value[],
  hasWindows: (dimension: number) => boolean,
): MixedBox => {
  const offsets: MixedIndex[] = ranges.map(() => 0);
  const sizes: MixedIndex[] = [...ranges];
  dimensions.forEach((at, i) => {
    const size = sizePerThread(rewriter, ranges[at]!, threads[at]!);
    const mayHave = { empty: true, windows: hasWindows(at) };
    const part = partOfThread(rewriter, variables[i]!, threads[at]!, ranges[at]!, size, mayHave);
    offsets[at] = part.offset;
    sizes[at] = part.size;
  });
  return { offsets, sizes };
};

/** The box of the partial results of an iteration box: one entry per thread. */
const placed = (
  { reduced }: PartialReduction,
  { dimensions }: PartialOutput,
  place: (dimension: number) => MixedIndex,
  box: MixedBox,
): MixedBox => ({
  offsets: dimensions.map((at) => (reduced.includes(at) ? place(at) : box.offsets[at]!)),
  sizes: dimensions.map((at) => (reduced.includes(at) ? 1 : box.sizes[at]!)),
});

/** A thread's part of the partial results, without the thread dimension. */
const createPart = (
  rewriter: Rewriter,
  source: Value,
  { reduced }: PartialReduction,
  { output, dimensions }: PartialOutput,
  box: MixedBox,
): Value => {
  const kept = box.sizes.filter((_, i) => !reduced.includes(dimensions[i]!));
  const type = tensorType(sliceOperands(kept).static, output.type.elementType);
  return rewriter.createValue(extractSliceState(source, unitStrideSlice(box), type));
};
