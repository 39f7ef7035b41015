/** The memory accesses of a plan, in program order: the input of a cache simulator. */
import type { ConvolutionDimension, Extents, KernelNode, PackNode, Plan, ScalarNode } from '@sconv/plans';
import { foldPlan, tileDimension } from '@sconv/plans';
import { expectRecord } from './errors.ts';
import { extentsOf } from './plan-of-tiling.ts';
import { paddedInput, unpackedElementBytes } from './shape.ts';
import type { SlicedConvolution } from './tiling.ts';
import { elementsOfVector } from './vectors.ts';

/** Receives each access; `more` is the number of accesses to the same line that follow immediately. */
export type Touch = (address: number, more: number) => void;

/** How accesses are reported. */
export interface StreamOptions {
  /** Cache line size: sequential accesses are coalesced per line. */
  readonly lineBytes: number;
}

/** Start and extent, per dimension, of what a node covers. */
interface Place {
  readonly at: Position;
  readonly extents: Extents;
  /** The operands that are packed around it. */
  readonly packed: readonly PackNode['operand'][];
}

type Position = Readonly<Record<ConvolutionDimension, number>>;

/** Base addresses; each buffer is line-aligned, in this order: input, filters, output, packed input, packed filters. */
interface Layout {
  readonly input: number;
  readonly filters: number;
  readonly output: number;
  readonly packedInput: number;
  readonly packedFilters: number;
}

/** The parts of a plan that access memory, in program order. */
interface PlanVisitor {
  readonly pack: (node: PackNode, place: Place) => void;
  readonly kernel?: (node: KernelNode, place: Place) => void;
  readonly scalar?: (node: ScalarNode, place: Place) => void;
}

/** Visits a plan's packings and leaves in each iteration of the loops around them, or only in the first one. */
const visitPlan = (
  sliced: SlicedConvolution,
  plan: Plan,
  iterations: 'all' | 'first',
  { pack, kernel, scalar }: PlanVisitor,
): void => {
  const part = (
    { at, extents, packed }: Place,
    dimension: ConvolutionDimension,
    offset: number,
    extent: number,
  ): Place => ({
    at: { ...at, [dimension]: at[dimension] + offset },
    extents: { ...extents, [dimension]: extent },
    packed,
  });
  foldPlan<ConvolutionDimension, (place: Place) => void>(plan, {
    loop:
      ({ dimension, step, count }, body) =>
      (place) => {
        const end = iterations === 'first' ? Math.min(count, 1) : count;
        for (let i = 0; i < end; i += 1) body(part(place, dimension, i * step, step));
      },
    split:
      ({ dimension, parts }, bodies) =>
      (place) => {
        let from = 0;
        bodies.forEach((body, i) => {
          const { size } = parts[i]!;
          body(part(place, dimension, from, size));
          from += size;
        });
      },
    pack: (node, body) => (place) => {
      pack(node, place);
      body({ ...place, packed: [...place.packed, node.operand] });
    },
    kernel: (node) => (place) => kernel?.(node, place),
    scalar: (node) => (place) => scalar?.(node, place),
  })({
    at: { batch: 0, group: 0, channels: 0, windows: 0, filters: 0 },
    extents: extentsOf(sliced),
    packed: [],
  });
};

/** Bytes of the largest packed buffer of each operand. */
const packedBytes = (sliced: SlicedConvolution, plan: Plan): Record<PackNode['operand'], number> => {
  const { taps, elementBytes } = sliced;
  const most = { input: 0, filters: 0 };
  visitPlan(sliced, plan, 'first', {
    pack: ({ operand }, { extents }) => {
      const width = extents[tileDimension[operand]];
      most[operand] = Math.max(most[operand], width * extents.channels * taps * elementBytes);
    },
  });
  return most;
};

const layoutOf = (sliced: SlicedConvolution, plan: Plan, lineBytes: number): Layout => {
  const { shape } = sliced;
  let next = 0;
  const allocate = (bytes: number): number => {
    const start = next;
    next += Math.ceil(bytes / lineBytes) * lineBytes;
    return start;
  };
  const padded = paddedInput(shape);
  const bytes = shape.elementBytes;
  const filterBytes = unpackedElementBytes(shape, 'filters');
  const packed = packedBytes(sliced, plan);
  return {
    input: allocate(
      shape.batch * shape.inputChannels * padded.h * padded.w * unpackedElementBytes(shape, 'input'),
    ),
    filters: allocate(
      (shape.filters * shape.inputChannels * shape.filterHeight * shape.filterWidth * filterBytes) /
        shape.groups,
    ),
    output: allocate(shape.batch * shape.filters * shape.outputHeight * shape.outputWidth * bytes),
    packedInput: allocate(packed.input),
    packedFilters: allocate(packed.filters),
  };
};

/**
 * Passes every access of the plan to `touch`. Packing copies element by element, one tile row at a time. The
 * microkernel loads, per reduction step, a row of windows as vectors and the filter elements one by one, then loads and
 * stores its output tile; what is not packed it loads element by element. Scalar code reads both operands for each
 * multiply-add. Tensors are NCHW and FCHW, padding included.
 */
export const streamAccesses = (
  sliced: SlicedConvolution,
  plan: Plan,
  options: StreamOptions,
  touch: Touch,
): void => {
  expectRecord('sliced', sliced, 'shape');
  expectRecord('options', options);
  const { lineBytes } = options;
  const layout = layoutOf(sliced, plan, lineBytes);
  const stream: Stream = {
    sliced,
    layout,
    addresses: addressesOf(sliced, layout),
    touch,
    run: runsOf(lineBytes, touch),
    packedFrom: { input: 0, filters: 0 },
  };
  visitPlan(sliced, plan, 'all', {
    pack: (node, place) => {
      if (node.operand === 'input') packInput(stream, node, place);
      else packFilters(stream, node, place);
    },
    kernel: (node, place) => {
      callMicrokernel(stream, node, place);
    },
    scalar: (node, { at, extents }) => {
      for (let group = 0; group < extents.group; group += 1) {
        for (let batch = 0; batch < extents.batch; batch += 1) {
          computeScalar(stream, node, { ...at, group: at.group + group, batch: at.batch + batch });
        }
      }
    },
  });
};

/** Accesses `count` elements that are `step` bytes apart, `perAccess` elements per access. */
type Run = (address: number, count: number, step: number, perAccess: number) => void;

interface Stream {
  readonly sliced: SlicedConvolution;
  readonly layout: Layout;
  readonly addresses: Addresses;
  readonly touch: Touch;
  readonly run: Run;
  /** Per operand, the position of its first packed tile. */
  readonly packedFrom: Record<PackNode['operand'], number>;
}

const runsOf =
  (lineBytes: number, touch: Touch): Run =>
  (address, count, step, perAccess) => {
    let index = 0;
    while (index < count) {
      const start = address + index * step;
      const lineEnd = (Math.floor(start / lineBytes) + 1) * lineBytes;
      const inLine = Math.min(count - index, Math.ceil((lineEnd - start) / step));
      touch(start, Math.ceil(inLine / perAccess) - 1);
      index += inLine;
    }
  };

/** Byte addresses of elements, with channels, filters and windows counted within the group. */
interface Addresses {
  readonly input: (at: Position, channel: number, row: number, column: number) => number;
  readonly filter: (at: Position, filter: number, channel: number, tap: number) => number;
  readonly output: (at: Position, filter: number, window: number) => number;
  /** Bytes from an element of the input, or of the filters, to the next. */
  readonly inputSize: number;
  readonly filterSize: number;
}

const addressesOf = ({ shape, channels, filters, taps }: SlicedConvolution, layout: Layout): Addresses => {
  const { h: height, w: width } = paddedInput(shape);
  const outputPixels = shape.outputHeight * shape.outputWidth;
  const inputSize = unpackedElementBytes(shape, 'input');
  const filterSize = unpackedElementBytes(shape, 'filters');
  return {
    input: (at, channel, row, column) =>
      layout.input +
      (((at.batch * shape.inputChannels + at.group * channels + channel) * height + row) * width + column) *
        inputSize,
    filter: (at, filter, channel, tap) =>
      layout.filters + (((at.group * filters + filter) * channels + channel) * taps + tap) * filterSize,
    output: (at, filter, window) =>
      layout.output +
      ((at.batch * shape.filters + at.group * filters + filter) * outputPixels + window) * shape.elementBytes,
    inputSize,
    filterSize,
  };
};

const packInput = (
  { sliced: { shape }, layout, addresses, run, packedFrom }: Stream,
  { tiles }: PackNode,
  { at, extents }: Place,
): void => {
  const { filterHeight, filterWidth, strides, dilations, outputWidth, elementBytes: size } = shape;
  packedFrom.input = at.windows;
  const tileWindows = extents.windows / tiles;
  let target = layout.packedInput;
  /** Copies what one element of the filters reads for the windows of a tile: a run for each row of windows. */
  const copyWindows = (first: number, channel: number, fh: number, fw: number): void => {
    const end = first + tileWindows;
    for (let window = first; window < end;) {
      const row = Math.floor(window / outputWidth);
      const column = window - row * outputWidth;
      const count = Math.min(end - window, outputWidth - column);
      const [y, x] = [row * strides.h + fh * dilations.h, column * strides.w + fw * dilations.w];
      run(addresses.input(at, channel, y, x), count, strides.w * addresses.inputSize, 1);
      run(target, count, size, 1);
      target += count * size;
      window += count;
    }
  };
  for (let tile = 0; tile < tiles; tile += 1) {
    for (let c = at.channels; c < at.channels + extents.channels; c += 1) {
      for (let fh = 0; fh < filterHeight; fh += 1) {
        for (let fw = 0; fw < filterWidth; fw += 1) copyWindows(at.windows + tile * tileWindows, c, fh, fw);
      }
    }
  }
};

const packFilters = (
  { sliced: { shape, taps }, layout, addresses, touch, run, packedFrom }: Stream,
  { tiles }: PackNode,
  { at, extents }: Place,
): void => {
  packedFrom.filters = at.filters;
  const tileFilters = extents.filters / tiles;
  let target = layout.packedFilters;
  for (let tile = 0; tile < tiles; tile += 1) {
    const first = at.filters + tile * tileFilters;
    for (let step = 0; step < extents.channels * taps; step += 1) {
      for (let filter = first; filter < first + tileFilters; filter += 1) {
        touch(addresses.filter(at, filter, at.channels, step), 0);
      }
      run(target, tileFilters, shape.elementBytes, 1);
      target += tileFilters * shape.elementBytes;
    }
  }
};

const callMicrokernel = (
  { sliced: { shape, taps }, layout, addresses, touch, run, packedFrom }: Stream,
  { extents: { windows, filters, channels } }: KernelNode,
  { at, packed }: Place,
): void => {
  const size = shape.elementBytes;
  const { filterWidth, strides, dilations, outputWidth } = shape;
  const vectorElements = elementsOfVector(size);
  const depth = channels * taps;
  const inputTile = layout.packedInput + (at.windows - packedFrom.input) * depth * size;
  const filterTile = layout.packedFilters + (at.filters - packedFrom.filters) * depth * size;
  const [isInputPacked, areFiltersPacked] = [packed.includes('input'), packed.includes('filters')];
  for (let step = 0; step < depth; step += 1) {
    const [channel, tap] = [at.channels + Math.floor(step / taps), step % taps];
    if (isInputPacked) run(inputTile + step * windows * size, windows, size, vectorElements);
    else
      for (let window = at.windows; window < at.windows + windows; window += 1) {
        const row =
          Math.floor(window / outputWidth) * strides.h + Math.floor(tap / filterWidth) * dilations.h;
        const column = (window % outputWidth) * strides.w + (tap % filterWidth) * dilations.w;
        touch(addresses.input(at, channel, row, column), 0);
      }
    if (areFiltersPacked) run(filterTile + step * filters * size, filters, size, 1);
    else
      for (let filter = at.filters; filter < at.filters + filters; filter += 1)
        touch(addresses.filter(at, filter, channel, tap), 0);
  }
  for (let filter = at.filters; filter < at.filters + filters; filter += 1) {
    // Loaded and stored.
    run(addresses.output(at, filter, at.windows), windows, size, vectorElements);
    run(addresses.output(at, filter, at.windows), windows, size, vectorElements);
  }
};

const computeScalar = (
  { sliced: { shape }, addresses, touch, run }: Stream,
  { extents: { windows, filters, channels } }: ScalarNode,
  at: Position,
): void => {
  const { filterHeight, filterWidth, strides, dilations, outputWidth } = shape;
  const { inputSize, filterSize } = addresses;
  for (let filter = at.filters; filter < at.filters + filters; filter += 1) {
    for (let window = at.windows; window < at.windows + windows; window += 1) {
      const row = Math.floor(window / outputWidth) * strides.h;
      const column = (window % outputWidth) * strides.w;
      for (let c = at.channels; c < at.channels + channels; c += 1) {
        for (let fh = 0; fh < filterHeight; fh += 1) {
          const first = addresses.input(at, c, row + fh * dilations.h, column);
          run(first, filterWidth, dilations.w * inputSize, 1);
          run(addresses.filter(at, filter, c, fh * filterWidth), filterWidth, filterSize, 1);
        }
      }
      // Loaded and stored.
      touch(addresses.output(at, filter, window), 1);
    }
  }
};
