/** The memory accesses of a plan, in program order: the input of a cache simulator. */

import { extentsOf } from './plan-of-tiling.ts';
import type { ConvolutionDimension, Extents, KernelNode, PackNode, Plan, ScalarNode } from './plan-tree.ts';
import { foldPlan } from './plan-tree.ts';
import { paddedInput, unpackedElementBytes } from './shape.ts';
import type { SlicedConvolution } from './tiling.ts';
import { elementsOfVector } from './vectors.ts';

/** Receives each access; `more` is the number of accesses to the same line that follow immediately. */
export type Touch = (address: number, more: number) => void;

export interface StreamOptions {
  /** Cache line size: sequential accesses are coalesced per line. */
  readonly lineBytes: number;
}

/** Start and extent, per dimension, of what a node covers. */
interface Place {
  readonly at: Position;
  readonly extents: Extents;
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

/** Bytes of the largest packed buffer of each operand. */
const packedBytes = (
  { taps, elementBytes }: SlicedConvolution,
  whole: Extents,
  plan: Plan,
): Record<PackNode['operand'], number> => {
  const most = { input: 0, filters: 0 };
  foldPlan<ConvolutionDimension, (extents: Extents) => void>(plan, {
    loop:
      ({ dimension, step }, body) =>
      (extents) => {
        body({ ...extents, [dimension]: step });
      },
    split:
      ({ dimension, parts }, bodies) =>
      (extents) => {
        bodies.forEach((body, i) => {
          body({ ...extents, [dimension]: parts[i]!.size });
        });
      },
    pack:
      ({ operand }, body) =>
      (extents) => {
        const width = operand === 'input' ? extents.windows : extents.filters;
        most[operand] = Math.max(most[operand], width * extents.channels * taps * elementBytes);
        body(extents);
      },
    kernel: () => () => undefined,
    scalar: () => () => undefined,
  })(whole);
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
  const packed = packedBytes(sliced, extentsOf(sliced), plan);
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
 * stores its output tile. Scalar code reads both operands for each multiply-add. Tensors are NCHW and FCHW, padding
 * included.
 */
export const streamAccesses = (
  sliced: SlicedConvolution,
  plan: Plan,
  { lineBytes }: StreamOptions,
  touch: Touch,
): void => {
  const { shape, channels, filters: groupFilters } = sliced;
  const { filterHeight, filterWidth, strides, dilations, outputWidth, elementBytes: size } = shape;
  const { h: height, w: width } = paddedInput(shape);
  const layout = layoutOf(sliced, plan, lineBytes);
  const outputPixels = shape.outputHeight * outputWidth;

  /** `count` elements `step` bytes apart, `perAccess` elements per access. */
  const run = (address: number, count: number, step: number, perAccess: number): void => {
    let index = 0;
    while (index < count) {
      const start = address + index * step;
      const lineEnd = (Math.floor(start / lineBytes) + 1) * lineBytes;
      const inLine = Math.min(count - index, Math.ceil((lineEnd - start) / step));
      touch(start, Math.ceil(inLine / perAccess) - 1);
      index += inLine;
    }
  };
  const vectorElements = elementsOfVector(size);
  const inputSize = unpackedElementBytes(shape, 'input');
  const filterSize = unpackedElementBytes(shape, 'filters');

  const inputAt = (at: Position, channel: number, row: number, column: number): number =>
    layout.input +
    (((at.batch * shape.inputChannels + at.group * channels + channel) * height + row) * width + column) *
      inputSize;
  const filterAt = (at: Position, filter: number, channel: number, tap: number): number =>
    layout.filters +
    (((at.group * groupFilters + filter) * channels + channel) * filterHeight * filterWidth + tap) *
      filterSize;
  const outputAt = (at: Position, filter: number, window: number): number =>
    layout.output +
    ((at.batch * shape.filters + at.group * groupFilters + filter) * outputPixels + window) * size;

  /** Per operand, the position of its first packed tile. */
  const packedFrom = { input: 0, filters: 0 };

  const packInput = ({ tiles }: PackNode, { at, extents }: Place): void => {
    packedFrom.input = at.windows;
    const nc = extents.channels;
    const tileWindows = extents.windows / tiles;
    let target = layout.packedInput;
    for (let tile = 0; tile < tiles; tile += 1) {
      const first = at.windows + tile * tileWindows;
      for (let c = at.channels; c < at.channels + nc; c += 1) {
        for (let fh = 0; fh < filterHeight; fh += 1) {
          for (let fw = 0; fw < filterWidth; fw += 1) {
            let window = first;
            const end = first + tileWindows;
            while (window < end) {
              const row = Math.floor(window / outputWidth);
              const column = window - row * outputWidth;
              const count = Math.min(end - window, outputWidth - column);
              run(
                inputAt(at, c, row * strides.h + fh * dilations.h, column * strides.w + fw * dilations.w),
                count,
                strides.w * inputSize,
                1,
              );
              run(target, count, size, 1);
              target += count * size;
              window += count;
            }
          }
        }
      }
    }
  };

  const packFilters = ({ tiles }: PackNode, { at, extents }: Place): void => {
    packedFrom.filters = at.filters;
    const nc = extents.channels;
    const tileFilters = extents.filters / tiles;
    let target = layout.packedFilters;
    const taps = filterHeight * filterWidth;
    for (let tile = 0; tile < tiles; tile += 1) {
      const first = at.filters + tile * tileFilters;
      for (let step = 0; step < nc * taps; step += 1) {
        for (let filter = first; filter < first + tileFilters; filter += 1) {
          touch(filterAt(at, filter, at.channels, step), 0);
        }
        run(target, tileFilters, size, 1);
        target += tileFilters * size;
      }
    }
  };

  const callMicrokernel = (
    { extents: { windows, filters, channels: nc } }: KernelNode,
    at: Position,
  ): void => {
    const depth = nc * filterHeight * filterWidth;
    const inputTile = layout.packedInput + (at.windows - packedFrom.input) * depth * size;
    const filterTile = layout.packedFilters + (at.filters - packedFrom.filters) * depth * size;
    for (let step = 0; step < depth; step += 1) {
      run(inputTile + step * windows * size, windows, size, vectorElements);
      run(filterTile + step * filters * size, filters, size, 1);
    }
    for (let filter = at.filters; filter < at.filters + filters; filter += 1) {
      // Loaded and stored.
      run(outputAt(at, filter, at.windows), windows, size, vectorElements);
      run(outputAt(at, filter, at.windows), windows, size, vectorElements);
    }
  };

  const computeScalar = ({ extents: { windows, filters, channels: nc } }: ScalarNode, at: Position): void => {
    for (let filter = at.filters; filter < at.filters + filters; filter += 1) {
      for (let window = at.windows; window < at.windows + windows; window += 1) {
        const row = Math.floor(window / outputWidth) * strides.h;
        const column = (window % outputWidth) * strides.w;
        for (let c = at.channels; c < at.channels + nc; c += 1) {
          for (let fh = 0; fh < filterHeight; fh += 1) {
            run(inputAt(at, c, row + fh * dilations.h, column), filterWidth, dilations.w * inputSize, 1);
            run(filterAt(at, filter, c, fh * filterWidth), filterWidth, filterSize, 1);
          }
        }
        // Loaded and stored.
        touch(outputAt(at, filter, window), 1);
      }
    }
  };

  foldPlan<ConvolutionDimension, (place: Place) => void>(plan, {
    loop:
      ({ dimension, step, count }, body) =>
      ({ at, extents }) => {
        const inner = { ...extents, [dimension]: step };
        for (let i = 0; i < count; i += 1)
          body({ at: { ...at, [dimension]: at[dimension] + i * step }, extents: inner });
      },
    split:
      ({ dimension, parts }, bodies) =>
      ({ at, extents }) => {
        let from = at[dimension];
        bodies.forEach((body, i) => {
          const { size: extent } = parts[i]!;
          body({ at: { ...at, [dimension]: from }, extents: { ...extents, [dimension]: extent } });
          from += extent;
        });
      },
    pack: (node, body) => (place) => {
      if (node.operand === 'input') packInput(node, place);
      else packFilters(node, place);
      body(place);
    },
    kernel:
      (node) =>
      ({ at }) => {
        callMicrokernel(node, at);
      },
    scalar:
      (node) =>
      ({ at, extents }) => {
        for (let group = 0; group < extents.group; group += 1) {
          for (let batch = 0; batch < extents.batch; batch += 1) {
            computeScalar(node, { ...at, group: at.group + group, batch: at.batch + batch });
          }
        }
      },
  })({ at: { batch: 0, group: 0, channels: 0, windows: 0, filters: 0 }, extents: extentsOf(sliced) });
};
