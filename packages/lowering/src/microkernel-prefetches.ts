/** Prefetches of a microkernel: its output, and the filters that are needed next. */
import type { CountedLoop } from '@sconv/dialects';
import { countedLoops, indexNumber } from '@sconv/dialects';
import { addi, divui, muli } from '@sconv/dialects/arith';
import { prefetch } from '@sconv/dialects/memref';
import type { Microkernel } from '@sconv/dialects/kernel';
import { forOp } from '@sconv/dialects/scf';
import type { Builder, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { followDefinitions } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { bitsOf } from './vector-unit.ts';

/** Steps of k that take longer than a memory access. */
const manySteps = 8;

/** Prefetches the lines that the accumulators will be stored to: the rows of different filters are pages apart. */
export const prefetchOutput = (
  b: Builder,
  { output, steps }: Microkernel,
  unit: Pick<VectorRegisters, 'prefetch'>,
  lines: readonly (readonly Value[])[],
): void => {
  if (unit.prefetch !== true || steps < manySteps) return;
  for (const indices of lines)
    b(prefetch, { memref: output, indices, isWrite: true, localityHint: 3, isDataCache: true });
};

/** Prefetches filters: `step` is called for each step of k. */
export type FilterPrefetch = (body: Builder, k: Value) => void;

/** Prefetch distance of filters that are read once, in steps: a few hundred cycles. */
const stepsAhead = 128;

const lineBytes = 64;

/** A panel of up to so many bytes is prefetched into L1, next to the one in use; a larger one into L2. */
const smallPanelBytes = 8 * 1024;

/**
 * Prefetches filters. If all tiles of the loop around take the same ones, each prefetches its share of those of the
 * next loop, which follow in memory: memory is read evenly, not all of a panel for the first tile. Otherwise, and if
 * that would be more than a line per step, those of later steps, and at the end those of the next tile.
 */
export const filterPrefetch = (
  b: Builder,
  rewriter: Rewriter,
  operation: DraftOperation,
  { filterPanel: memref, filters, steps, halves }: Microkernel,
  unit: Pick<VectorRegisters, 'prefetch'>,
  first: number,
): FilterPrefetch => {
  if (unit.prefetch !== true || steps < manySteps) return () => undefined;
  const loop = operation.parent;
  const shared = loop && tilesOf(rewriter, loop, memref);
  const ask = (body: Builder, indices: readonly Value[], localityHint: number): void => {
    body(prefetch, { memref, indices, isWrite: false, localityHint, isDataCache: true });
  };
  const bytes = bitsOf(memref.type.elementType) / 8;
  const share = Math.ceil((halves * filters) / (shared?.trips ?? 1));
  if (shared === undefined || share * bytes > lineBytes) {
    const column = indexConstant(b, halves * first);
    return (body, k) => {
      const ahead: Value = body(addi, { lhs: k, rhs: indexConstant(body, stepsAhead) });
      ask(body, [ahead, column], 3);
    };
  }
  const hint = steps * halves * filters * bytes <= smallPanelBytes ? 3 : 2;
  const tile: Value = b(divui, { lhs: shared.variable, rhs: indexConstant(b, shared.step) });
  const start: Value = b(muli, { lhs: tile, rhs: indexConstant(b, steps * share) });
  return (body, k) => {
    const done: Value = share === 1 ? k : body(muli, { lhs: k, rhs: indexConstant(body, share) });
    const at: Value = body(addi, { lhs: start, rhs: done });
    ask(body, [indexConstant(body, steps), at], hint);
  };
};

/** The iterations of a loop with constant bounds from 0, if a buffer is the same in all of them. */
const tilesOf = (rewriter: Rewriter, loop: DraftOperation, buffer: Value): CountedLoop | undefined => {
  if (!forOp.is(loop) || dependsOnLoop(rewriter, loop, buffer)) return undefined;
  const [counted] = countedLoops(loop, (bound) => indexNumber(rewriter, bound)) ?? [];
  return counted?.lower === 0 && counted.trips > 0 ? counted : undefined;
};

const dependsOnLoop = (rewriter: Rewriter, loop: DraftOperation, buffer: Value): boolean =>
  followDefinitions<boolean>(
    (value, of) =>
      !rewriter.isDefinedOutside(value, loop) &&
      rewriter.definingOperation(value)?.operands.some(of) !== false,
    () => true,
  )(buffer);
