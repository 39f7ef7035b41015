/** The memory accesses of a loop tree, in order: what a cache simulator is fed with. */

import type {
  EdgeNode,
  LoopDimension,
  LoopTree,
  LoopTreeNode,
  MicrokernelNode,
  PackNode,
} from './loop-tree.ts';
import { paddedInput } from './shape.ts';
import type { SlicedConvolution } from './tiling.ts';

/** Receives each access; `more` says how many further accesses to the same line follow at once. */
export type Touch = (address: number, more: number) => void;

/** Bytes of one vector access of the microkernel: the narrowest vectors of the targets. */
const vectorBytes = 16;

/** Elements that the microkernel loads with one access. */
export const elementsOfVector = (elementBytes: number): number =>
  Math.max(1, Math.floor(vectorBytes / elementBytes));

export interface StreamOptions {
  /** Line size of the caches: accesses in sequence are handed over line by line. */
  readonly lineBytes: number;
}

type Position = Record<LoopDimension, number>;

/** Buffers one after another, each at the start of a line: input, filters, output, packed input, packed filters. */
interface Layout {
  readonly input: number;
  readonly filters: number;
  readonly output: number;
  readonly packedInput: number;
  readonly packedFilters: number;
}

const packedBytes = (nodes: readonly LoopTreeNode[], operand: PackNode['operand']): number =>
  nodes.reduce((most, node) => {
    switch (node.kind) {
      case 'loop':
        return Math.max(most, packedBytes(node.body, operand));
      case 'pack':
        return node.operand === operand ? Math.max(most, node.bytes) : most;
      default:
        return most;
    }
  }, 0);

const layoutOf = ({ shape }: SlicedConvolution, tree: LoopTree, lineBytes: number): Layout => {
  let next = 0;
  const allocate = (bytes: number): number => {
    const start = next;
    next += Math.ceil(bytes / lineBytes) * lineBytes;
    return start;
  };
  const padded = paddedInput(shape);
  const bytes = shape.elementBytes;
  const nodes = tree.fragments.flatMap(({ body }) => body);
  return {
    input: allocate(shape.batch * shape.inputChannels * padded.h * padded.w * bytes),
    filters: allocate(
      (shape.filters * shape.inputChannels * shape.filterHeight * shape.filterWidth * bytes) / shape.groups,
    ),
    output: allocate(shape.batch * shape.filters * shape.outputHeight * shape.outputWidth * bytes),
    packedInput: allocate(packedBytes(nodes, 'input')),
    packedFilters: allocate(packedBytes(nodes, 'filters')),
  };
};

/**
 * Hands every access of the tree to `touch`. Packing reads and writes element by element, a row of the tile at
 * a time; the microkernel reads a row of windows as vectors and one filter element after another for each step
 * of the reduction, then loads and stores its tile of the output; edges read both operands for each
 * multiply-add. Tensors lie in memory as NCHW and FCHW, with the padding in place.
 */
export const streamAccesses = (
  sliced: SlicedConvolution,
  tree: LoopTree,
  { lineBytes }: StreamOptions,
  touch: Touch,
): void => {
  const { shape, microkernel, channels, filters: groupFilters } = sliced;
  const { filterHeight, filterWidth, strides, dilations, outputWidth, elementBytes: size } = shape;
  const { h: height, w: width } = paddedInput(shape);
  const layout = layoutOf(sliced, tree, lineBytes);
  const outputPixels = shape.outputHeight * outputWidth;

  /** `count` elements at a distance of `step` bytes, `perAccess` of them with one access. */
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

  const inputAt = (at: Position, channel: number, row: number, column: number): number =>
    layout.input +
    (((at.batch * shape.inputChannels + at.group * channels + channel) * height + row) * width + column) *
      size;
  const filterAt = (at: Position, filter: number, channel: number, tap: number): number =>
    layout.filters +
    (((at.group * groupFilters + filter) * channels + channel) * filterHeight * filterWidth + tap) * size;
  const outputAt = (at: Position, filter: number, window: number): number =>
    layout.output +
    ((at.batch * shape.filters + at.group * groupFilters + filter) * outputPixels + window) * size;

  /** Where the tiles that lie packed start, for each operand. */
  const packedFrom = { input: 0, filters: 0 };

  const packInput = ({ tiles, shape: [, nc] }: PackNode, at: Position): void => {
    packedFrom.input = at.windows;
    let target = layout.packedInput;
    for (let tile = 0; tile < tiles; tile += 1) {
      const first = at.windows + tile * microkernel.windows;
      for (let c = at.channels; c < at.channels + nc; c += 1) {
        for (let fh = 0; fh < filterHeight; fh += 1) {
          for (let fw = 0; fw < filterWidth; fw += 1) {
            let window = first;
            const end = first + microkernel.windows;
            while (window < end) {
              const row = Math.floor(window / outputWidth);
              const column = window - row * outputWidth;
              const count = Math.min(end - window, outputWidth - column);
              run(
                inputAt(at, c, row * strides.h + fh * dilations.h, column * strides.w + fw * dilations.w),
                count,
                strides.w * size,
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

  const packFilters = ({ tiles, shape: [, nc] }: PackNode, at: Position): void => {
    packedFrom.filters = at.filters;
    let target = layout.packedFilters;
    const taps = filterHeight * filterWidth;
    for (let tile = 0; tile < tiles; tile += 1) {
      const first = at.filters + tile * microkernel.filters;
      for (let step = 0; step < nc * taps; step += 1) {
        for (let filter = first; filter < first + microkernel.filters; filter += 1) {
          touch(filterAt(at, filter, at.channels, step), 0);
        }
        run(target, microkernel.filters, size, 1);
        target += microkernel.filters * size;
      }
    }
  };

  const callMicrokernel = ({ windows, filters, channels: nc }: MicrokernelNode, at: Position): void => {
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

  const computeEdge = ({ windows, filters, channels: nc }: EdgeNode, at: Position): void => {
    for (let filter = at.filters; filter < at.filters + filters; filter += 1) {
      for (let window = at.windows; window < at.windows + windows; window += 1) {
        const row = Math.floor(window / outputWidth) * strides.h;
        const column = (window % outputWidth) * strides.w;
        for (let c = 0; c < nc; c += 1) {
          for (let fh = 0; fh < filterHeight; fh += 1) {
            run(inputAt(at, c, row + fh * dilations.h, column), filterWidth, dilations.w * size, 1);
            run(filterAt(at, filter, c, fh * filterWidth), filterWidth, size, 1);
          }
        }
        // Loaded and stored.
        touch(outputAt(at, filter, window), 1);
      }
    }
  };

  const walk = (nodes: readonly LoopTreeNode[], at: Position): void => {
    for (const node of nodes) {
      switch (node.kind) {
        case 'loop': {
          const inner = { ...at };
          for (let index = node.from; index < node.to; index += node.step) {
            inner[node.dimension] = at[node.dimension] + index;
            walk(node.body, inner);
          }
          break;
        }
        case 'pack':
          if (node.operand === 'input') packInput(node, at);
          else packFilters(node, at);
          break;
        case 'microkernel':
          callMicrokernel(node, at);
          break;
        case 'edge':
          computeEdge(node, at);
          break;
      }
    }
  };

  const origin: Position = { batch: 0, group: 0, channels: 0, windows: 0, filters: 0 };
  for (const { body } of [...tree.fragments, ...tree.edges]) walk(body, origin);
};
