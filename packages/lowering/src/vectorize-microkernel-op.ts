/**
 * The microkernel as vectors: an outer product for each step of k, its sums in registers (ST §5.6 calls a library for it).
 *
 *     for each k:  for each filter f:  sum[f] += filters[k][f] · windows[k][…]
 *
 * Filters are the left operand: each of them is broadcast, and a row of windows is loaded once for all of them. The other
 * way round LLVM transposes the tile.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { addi, muli } from '@sconv/dialects/arith';
import { areMicrokernelMaps, isMultiplyAdd, structured } from '@sconv/dialects/linalg';
import { load as loadElement, stridedLayoutOf } from '@sconv/dialects/memref';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { broadcast, fma, load, store } from '@sconv/dialects/vector';
import type { Builder, DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { builder, DYNAMIC, indexType, vectorType } from '@sconv/ir';
import { mayShareMemory } from './buffers.ts';
import { indexConstant } from './index-constant.ts';
import type { VectorUnit } from './vector-unit.ts';
import { bitsOf, vectorWidths } from './vector-unit.ts';

interface Microkernel {
  readonly windowPanel: Value;
  readonly filterPanel: Value;
  readonly output: Value;
  readonly images: number;
  readonly filters: number;
  readonly windows: number;
  readonly steps: number;
}

/**
 * Replaces a microkernel on buffers by loops over vectors, which hold a tile of its output in registers for all steps of k.
 * Tiles that need more registers than the unit has are computed in parts.
 *
 * Fails with `lowering/no-microkernel` for an op that is none: other maps, another body, sizes that are not known, elements
 * that do not lie side by side, or an output that may share memory with a panel.
 */
export const vectorizeMicrokernelOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorUnit,
): Diagnosed<undefined> => {
  const kernel = matchMicrokernel(rewriter, operation);
  if (typeof kernel === 'string') {
    return silenceableError('lowering/no-microkernel', `expected a microkernel: ${kernel}`, operation);
  }
  rewriter.setInsertionPointBefore(operation);
  createTiles(builder(rewriter), kernel, unit);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** Operands and sizes of a microkernel, or why the operation is none. */
const matchMicrokernel = (rewriter: Rewriter, operation: DraftOperation): Microkernel | string => {
  const op = structured(rewriter.registry, operation);
  if (op === undefined) return `'${operation.name}' is no structured op`;
  const [windowPanel, filterPanel] = op.inputs;
  const [output] = op.outputs;
  if (
    op.inputs.length !== 2 ||
    !areMicrokernelMaps(op.indexingMaps) ||
    windowPanel === undefined ||
    filterPanel === undefined ||
    output === undefined
  )
    return 'its indexing maps are others';
  if (op.body === undefined || !isMultiplyAdd(op.body)) return 'its body is no multiplication and addition';
  const types = [windowPanel, filterPanel, output].map(({ type }) => type);
  if (types.some(({ kind }) => kind !== 'memref')) return 'an operand is no buffer';
  if (!isDense(windowPanel.type as MemRefType, 2) || !isDense(output.type as MemRefType, 2))
    return 'its innermost elements do not lie side by side';
  const [images, filters, windows, steps] = op.loopRanges;
  if (op.loopRanges.includes(DYNAMIC)) return 'its tile has no static size';
  if ([windowPanel, filterPanel].some((panel) => mayShareMemory(rewriter, panel, output)))
    return 'its output may share memory with a panel';
  return {
    windowPanel,
    filterPanel,
    output,
    images: images!,
    filters: filters!,
    windows: windows!,
    steps: steps!,
  };
};

/** Whether the elements of a dimension lie side by side; the stride of a single element means nothing. */
const isDense = (type: MemRefType, dimension: number): boolean =>
  type.shape[dimension] === 1 || stridedLayoutOf(type)?.strides[dimension] === 1;

/** How many filters are summed up at once, so that their vectors and a row of windows fit in the registers. */
const filtersAtOnce = (filters: number, vectors: number, { registers }: VectorUnit): number => {
  const most = Math.max(1, Math.floor((registers - vectors - 1) / vectors));
  return Math.ceil(filters / Math.ceil(filters / most));
};

/** Vectors of windows at once: with more of them too few filters have room. */
const vectorsAtOnce = 4;

const createTiles = (b: Builder, kernel: Microkernel, unit: VectorUnit): void => {
  const { images, filters, windows } = kernel;
  const { elementType } = kernel.output.type as MemRefType;
  const lanes = Math.max(1, Math.floor(unit.bits / bitsOf(elementType)));
  const widths = vectorWidths(windows, lanes);
  for (let image = 0; image < images; image++) {
    let window = 0;
    for (let first = 0; first < widths.length; first += vectorsAtOnce) {
      const row = widths.slice(first, first + vectorsAtOnce);
      const atOnce = filtersAtOnce(filters, row.length, unit);
      for (let filter = 0; filter < filters; filter += atOnce) {
        const count = Math.min(atOnce, filters - filter);
        createTile(b, kernel, { image, filter, count, window, widths: row });
      }
      window += row.reduce((sum, width) => sum + width, 0);
    }
  }
};

/** A part of the tile whose sums fit in the registers. */
interface Tile {
  readonly image: number;
  /** The first filter, and how many. */
  readonly filter: number;
  readonly count: number;
  /** The first window, and the vectors that it and those after it make up. */
  readonly window: number;
  readonly widths: readonly number[];
}

const createTile = (
  b: Builder,
  kernel: Microkernel,
  { image, filter, count, window, widths }: Tile,
): void => {
  const { windowPanel, filterPanel, output, steps } = kernel;
  const { elementType } = output.type as MemRefType;
  const columns = widths.map((width, i) => ({
    type: vectorType([width], elementType),
    at: indexConstant(b, window + widths.slice(0, i).reduce((sum, each) => sum + each, 0)),
  }));
  const [imageAt, zero] = [indexConstant(b, image), indexConstant(b, 0)];
  const filtersAt = Array.from({ length: count }, (_, i) => indexConstant(b, filter + i));
  const places = filtersAt.flatMap((filterAt) =>
    columns.map(({ type, at }) => ({ type, indices: [imageAt, filterAt, at] })),
  );
  const initArgs = places.map(({ type, indices }): Value =>
    b(load, { base: output, indices }, { resultTypes: [type] }),
  );
  const step = (body: Builder, k: Value, ...sums: readonly Value[]): void => {
    const rows = columns.map(({ type, at }): Value =>
      body(load, { base: windowPanel, indices: [imageAt, k, at] }, { resultTypes: [type] }),
    );
    const results = filtersAt.flatMap((filterAt, f) => {
      const weight: Value = body(loadElement, { memref: filterPanel, indices: [k, filterAt] });
      return columns.map(({ type }, column): Value => {
        const lhs: Value = body(broadcast, { source: weight }, { resultTypes: [type] });
        const [rhs, acc] = [rows[column]!, sums[f * columns.length + column]!];
        if (elementType.kind === 'float') return body(fma, { lhs, rhs, acc });
        return body(addi, { lhs: acc, rhs: body(muli, { lhs, rhs }) });
      });
    });
    body(yieldOp, { results });
  };
  const bounds = { lowerBound: zero, upperBound: indexConstant(b, steps), step: indexConstant(b, 1) };
  const resultTypes = initArgs.map(({ type }) => type);
  const sums = b(
    forOp,
    { ...bounds, initArgs },
    { resultTypes, bodies: [{ argumentTypes: [indexType, ...resultTypes], build: step }] },
  );
  places.forEach(({ indices }, i) => {
    b(store, { valueToStore: sums[i]!, base: output, indices });
  });
};
