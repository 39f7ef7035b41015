/**
 * Fills a packed panel `[k][lanes]` from a strided source: the inner loops of packing (ST §4, SC §6.2).
 *
 * The source address of a panel element is a lane offset plus strides times the k dimensions. The non-linear part, the
 * row breaks among the windows, is confined to the lane offsets, computed once per panel: no division is left in a
 * loop.
 */
import type { FunctionBuilder, Local } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { f32x4, i32, v128 } from './instructions.ts';
import { countedLoop } from './loops.ts';
import type { PackedElement } from './packed-element.ts';
import { storeVector } from './vector-access.ts';

/** One of the k dimensions, outermost first. */
export interface PanelDimension {
  readonly extent: number;
  /** Source bytes between consecutive elements; not negative. */
  readonly stride: number;
}

export interface PanelCopy {
  readonly element: PackedElement;
  /** Address of the source element at k = 0 and lane offset 0; advanced by the copy. */
  readonly source: Local<'i32'>;
  /** Address of the panel; advanced to its end. */
  readonly destination: Local<'i32'>;
  readonly lanes: number;
  readonly dimensions: readonly PanelDimension[];
  /** Source bytes between consecutive lanes, or the offset of each lane. */
  readonly laneOffsets: number | readonly Local<'i32'>[];
}

const vectorBytes = 16;

/** Maximum number of panel rows to unroll, with constant offsets. */
const maximumUnroll = 16;

/** Merges adjacent dimensions whose source strides compose. */
const fuse = (dimensions: readonly PanelDimension[]): readonly PanelDimension[] => {
  const fused: PanelDimension[] = [];
  for (const dimension of dimensions) {
    const last = fused.at(-1);
    if (dimension.extent === 1) continue;
    if (last?.stride === dimension.stride * dimension.extent) {
      fused[fused.length - 1] = { extent: last.extent * dimension.extent, stride: dimension.stride };
    } else fused.push(dimension);
  }
  return fused;
};

/** Splits the dimensions into loops and an unrolled part; returns the latter's source offsets, in panel order. */
const unrollInner = (
  dimensions: readonly PanelDimension[],
): { readonly loops: readonly PanelDimension[]; readonly offsets: readonly number[] } => {
  let loops = dimensions;
  let offsets: readonly number[] = [0];
  for (;;) {
    const inner = loops.at(-1);
    if (inner === undefined || inner.extent * offsets.length > maximumUnroll) return { loops, offsets };
    const rest = offsets;
    offsets = Array.from({ length: inner.extent }, (_, i) => rest.map((o) => i * inner.stride + o)).flat();
    loops = loops.slice(0, -1);
  }
};

/** Copies `lanes` elements `stride` bytes apart; never reads beyond the last. */
export const stridedRow = (
  f: FunctionBuilder,
  element: PackedElement,
  source: Expr<'i32'>,
  destination: Expr<'i32'>,
  lanes: number,
  stride: number,
  from: number,
  to: number,
): void => {
  const { bytes, packedBytes, load, loadWhole, loadSome } = element;
  const width = vectorBytes / packedBytes;
  let lane = 0;
  if (stride === bytes) {
    for (; lane + width <= lanes; lane += width) {
      const value = loadWhole(source, from + lane * stride);
      f.statement(v128.store(destination, value, to + lane * packedBytes));
    }
    const count = lanes - lane;
    if (count > 0 && loadSome !== undefined) {
      const value = loadSome(source, from + lane * stride, count);
      f.statement(storeVector(destination, value, to + lane * packedBytes, (count * packedBytes) / 4));
      return;
    }
  } else if (stride === 2 * bytes) {
    // Elements 0, 2, 4, 6: the second vector begins at 3, so that it ends with the last element.
    const even = width === 4 ? ([0, 2, 5, 7] as const) : ([0, 1, 6, 7] as const);
    for (; lane + width <= lanes; lane += width) {
      const low = loadWhole(source, from + lane * stride);
      const high = loadWhole(source, from + lane * stride + (width - 1) * bytes);
      f.statement(v128.store(destination, f32x4.shuffle(low, high, even), to + lane * packedBytes));
    }
  }
  for (; lane < lanes; lane += 1) {
    const value = load(source, from + lane * stride);
    f.statement(element.store(destination, value, to + lane * packedBytes));
  }
};

/** The unrolled rows of one step of the innermost loop. */
const copyRows = (f: FunctionBuilder, copy: PanelCopy, offsets: readonly number[]): void => {
  const { element, lanes, laneOffsets } = copy;
  const { packedBytes } = element;
  const rowBytes = lanes * packedBytes;
  const destination = f.get(copy.destination);
  if (typeof laneOffsets === 'number') {
    const source = f.get(copy.source);
    offsets.forEach((from, row) => {
      stridedRow(f, element, source, destination, lanes, laneOffsets, from, row * rowBytes);
    });
    return;
  }
  laneOffsets.forEach((offset, lane) => {
    const address = f.let(i32.add(f.get(copy.source), f.get(offset)));
    offsets.forEach((from, row) => {
      const value = element.load(f.get(address), from);
      f.statement(element.store(destination, value, row * rowBytes + lane * packedBytes));
    });
  });
};

/**
 * Whether panel rows are source columns: consecutive k are adjacent and the lanes are not, as in filters. Then square
 * blocks are transposed in registers.
 */
const isTransposed = (
  { element, lanes, laneOffsets }: PanelCopy,
  inner: PanelDimension | undefined,
): boolean =>
  typeof laneOffsets === 'number' &&
  laneOffsets > 2 * element.bytes &&
  lanes >= vectorBytes / element.packedBytes &&
  inner?.stride === element.bytes;

/** The transpose of a square block, a vector a row. */
const transposed = (f: FunctionBuilder, block: readonly Expr<'v128'>[]): readonly Expr<'v128'>[] => {
  const halves = (x: Expr<'v128'>, y: Expr<'v128'>): readonly Expr<'v128'>[] => [
    f32x4.shuffle(x, y, [0, 1, 4, 5]),
    f32x4.shuffle(x, y, [2, 3, 6, 7]),
  ];
  const [a, b, c, d] = block as [Expr<'v128'>, Expr<'v128'>, Expr<'v128'>?, Expr<'v128'>?];
  if (c === undefined || d === undefined) return halves(a, b);
  const pairs = ([2, 0] as const).map((half) => {
    const lanes = [half, half + 4, half + 1, half + 5] as const;
    return [f.get(f.let(f32x4.shuffle(a, b, lanes))), f.get(f.let(f32x4.shuffle(c, d, lanes)))] as const;
  });
  const [[high0, high1], [low0, low1]] = pairs as [(typeof pairs)[number], (typeof pairs)[number]];
  return [...halves(low0, low1), ...halves(high0, high1)];
};

/** As many panel rows as a vector has lanes, from as many consecutive elements of each lane. */
const copyTransposedRows = (f: FunctionBuilder, copy: PanelCopy, laneStride: number): void => {
  const { element } = copy;
  const { packedBytes } = element;
  const width = vectorBytes / packedBytes;
  const block = Array.from({ length: width }, (_, i) => i);
  const [source, destination] = [f.get(copy.source), f.get(copy.destination)];
  const rowBytes = copy.lanes * packedBytes;
  let lane = 0;
  for (; lane + width <= copy.lanes; lane += width) {
    const columns = block.map((i) => f.get(f.let(element.loadWhole(source, (lane + i) * laneStride))));
    transposed(f, columns).forEach((row, i) => {
      f.statement(v128.store(destination, row, i * rowBytes + lane * packedBytes));
    });
  }
  for (; lane < copy.lanes; lane += 1) {
    for (const row of block) {
      const value = element.load(source, lane * laneStride + row * element.bytes);
      f.statement(element.store(destination, value, row * rowBytes + lane * packedBytes));
    }
  }
};

/** The innermost dimension of a transposed copy: whole blocks of rows, then the remainder. */
const copyTransposed = (f: FunctionBuilder, copy: PanelCopy, extent: number): void => {
  const { element, laneOffsets } = copy;
  if (typeof laneOffsets !== 'number') throw new Error('a transposed copy has a constant lane stride');
  const width = vectorBytes / element.packedBytes;
  const rowBytes = copy.lanes * element.packedBytes;
  const advance = (rows: number): void => {
    f.set(copy.source, i32.add(f.get(copy.source), i32.const(rows * element.bytes)));
    f.set(copy.destination, i32.add(f.get(copy.destination), i32.const(rows * rowBytes)));
  };
  countedLoop(f, Math.floor(extent / width), () => {
    copyTransposedRows(f, copy, laneOffsets);
    advance(width);
  });
  const rest = extent % width;
  if (rest === 0) return;
  copyRows(
    f,
    copy,
    Array.from({ length: rest }, (_, row) => row * element.bytes),
  );
  advance(rest);
};

/** Appends the copy to a function. */
export const emitPanelCopy = (f: FunctionBuilder, copy: PanelCopy): void => {
  const dimensions = fuse(copy.dimensions);
  const inner = dimensions.at(-1);
  const column = isTransposed(copy, inner) ? inner : undefined;
  const { loops, offsets } =
    column === undefined ? unrollInner(dimensions) : { loops: dimensions, offsets: [0] };
  const bytes = offsets.length * copy.lanes * copy.element.packedBytes;
  const nest = (depth: number): void => {
    const dimension = loops[depth];
    if (dimension === undefined) {
      copyRows(f, copy, offsets);
      f.set(copy.destination, i32.add(f.get(copy.destination), i32.const(bytes)));
      return;
    }
    if (dimension === column) {
      copyTransposed(f, copy, dimension.extent);
      return;
    }
    const { extent, stride } = dimension;
    countedLoop(f, extent, () => {
      nest(depth + 1);
      const below = loops[depth + 1];
      // The inner loop has advanced the source to its end.
      const step = stride - (below === undefined ? 0 : below.extent * below.stride);
      if (step !== 0) f.set(copy.source, i32.add(f.get(copy.source), i32.const(step)));
    });
  };
  if (copy.dimensions.every(({ extent }) => extent > 0) && copy.lanes > 0) nest(0);
};
