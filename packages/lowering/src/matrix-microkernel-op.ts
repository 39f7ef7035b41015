/**
 * The microkernel on a matrix unit: one outer product per step of k, accumulated in the unit's accumulators (ST Table
 * 1, SC §2.3 and §5.1).
 *
 *     accumulators = output;  for each k:  accumulators += filters[k][…] ⊗ windows[k][…];  output = accumulators
 *
 * The output is loaded once before the first step, and stored once after the last; what sums begin with is stored
 * before.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { funcOp } from '@sconv/dialects/func';
import type { Microkernel, SumStart } from '@sconv/dialects/kernel';
import { fill } from '@sconv/dialects/linalg';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import type { Builder, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { builder, closestParent } from '@sconv/ir';
import { createMmaTiles } from './mma-tiles.ts';
import { createSmeTiles } from './sme-tiles.ts';
import type { OuterProductUnit } from './vector-unit.ts';
import { microkernelIn } from './vectorize-microkernel-op.ts';

/** A part of the output that the accumulators hold at once, measured in accumulators. */
export interface MatrixTile {
  readonly image: number;
  /** The first filter and the first window. */
  readonly filter: number;
  readonly window: number;
  /** Accumulators of `rows` filters, and of `columns` windows. */
  readonly rows: number;
  readonly columns: number;
}

/** Code generation for each supported extension. */
const extensions: Readonly<
  Record<
    string,
    (
      rewriter: Rewriter,
      kernel: Microkernel,
      tiles: readonly MatrixTile[],
      unit: OuterProductUnit,
      around: DraftOperation,
    ) => void
  >
> = {
  MMA: createMmaTiles,
  SME: createSmeTiles,
};

/**
 * Replaces a microkernel on buffers by outer products of a matrix unit: POWER10's MMA, Arm's SME.
 *
 * Fails with `lowering/no-microkernel` for an op that is none (`vectorizeMicrokernelOp`), and with
 * `lowering/no-matrix-tile` if its register tiles do not fill whole accumulators or are too large, its elements are not
 * f32, or the unit is unknown.
 */
export const matrixMicrokernelOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: OuterProductUnit,
): Diagnosed<undefined> => {
  const found = microkernelIn(operation);
  if (found.status !== 'success') return found;
  const kernel = found.value;
  const create = extensions[unit.extension];
  const around = closestParent(operation, (parent) => funcOp.is(parent));
  const refused = (why: string): Diagnosed<undefined> =>
    silenceableError('lowering/no-matrix-tile', `expected tiles of a matrix unit: ${why}`, operation);
  if (create === undefined) return refused(`there is no code for ${unit.extension}`);
  if (around?.block === undefined) return refused('it is not in a function');
  const problem = unfit(kernel, unit);
  if (problem !== undefined) return refused(problem);
  rewriter.setInsertionPointBefore(operation);
  if (kernel.start !== undefined) storeStart(builder(rewriter), kernel.output, kernel.start);
  create(rewriter, kernel, tilesOf(kernel, unit), unit, around);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** Stores what the sums begin with: accumulators are loaded from the output. */
const storeStart = (b: Builder, output: Value, { value, condition }: SumStart): void => {
  const fillIn = (body: Builder): void => {
    body(fill, { inputs: [value], outputs: [output] });
  };
  if (condition === undefined) {
    fillIn(b);
    return;
  }
  const build = (body: Builder): void => {
    fillIn(body);
    body(yieldOp, {});
  };
  b(ifOp, { condition }, { resultTypes: [], bodies: [{ build }, undefined] });
};

/** Why the accumulators cannot hold the register tiles. */
const unfit = (
  { filterPanel, output, tiles }: Microkernel,
  { accumulators, rows, columns }: OuterProductUnit,
): string | undefined => {
  const { elementType } = output.type;
  if (elementType.kind !== 'float' || elementType.name !== 'f32') return 'its elements are not f32';
  if (stridedLayoutOf(filterPanel.type)?.strides[1] !== 1) return 'its filters are not contiguous';
  for (const { windows, filters, beside } of tiles) {
    const size = `${windows} windows and ${filters} filters`;
    if (filters % rows !== 0 || windows % columns !== 0 || beside !== undefined)
      return `${size} are not whole accumulators of ${columns} x ${rows}`;
    if ((filters / rows) * (windows / columns) > accumulators)
      return `${size} at once take more than ${accumulators} accumulators of ${columns} x ${rows}`;
  }
  return undefined;
};

/** The register tiles of each image, in accumulators. */
const tilesOf = ({ images, tiles }: Microkernel, unit: OuterProductUnit): readonly MatrixTile[] =>
  Array.from({ length: images }, (_, image) =>
    tiles.map(({ firstWindow, windows, firstFilter, filters }) => ({
      image,
      filter: firstFilter,
      window: firstWindow,
      rows: filters / unit.rows,
      columns: windows / unit.columns,
    })),
  ).flat();
