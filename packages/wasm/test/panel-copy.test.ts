import { describe, expect, it } from 'vitest';
import { i32 } from '../src/instructions.ts';
import { emitPanelCopy } from '../src/panel-copy.ts';
import type { PanelDimension } from '../src/panel-copy.ts';
import { runFunction } from './run-function.ts';

const sourceAt = 256;
const panelAt = 32_768;

/** The source address of every element of the panel, in panel order. */
const definition = (
  lanes: readonly number[],
  dimensions: readonly PanelDimension[],
  base = sourceAt,
): number[] => {
  const [dimension, ...rest] = dimensions;
  if (dimension === undefined) return lanes.map((offset) => base + offset);
  return Array.from({ length: dimension.extent }, (_, i) =>
    definition(lanes, rest, base + i * dimension.stride),
  ).flat();
};

/** Copies from a memory whose words hold their own addresses. */
const copy = (
  lanes: readonly number[],
  dimensions: readonly PanelDimension[],
  constantStride: number | undefined,
) => {
  const { f, memory } = runFunction(['i32', 'i32'], ['i32'], (b, source, destination) => {
    const laneOffsets = constantStride ?? lanes.map((offset) => b.let(i32.const(offset)));
    emitPanelCopy(b, { source, destination, lanes: lanes.length, dimensions, laneOffsets });
    b.return(b.get(destination));
  });
  const floats = new Float32Array(memory.buffer);
  for (let i = 0; i < panelAt / 4; i += 1) floats[i] = i * 4;
  const end = f(sourceAt, panelAt);
  return { panel: [...floats.subarray(panelAt / 4, end / 4)], after: floats[end / 4] };
};

const convolution = (channels: number, height: number, width: number): PanelDimension[] => [
  { extent: channels, stride: 1600 },
  { extent: height, stride: 80 },
  { extent: width, stride: 4 },
];

describe('a panel copy', () => {
  it.each([
    [16, 4, convolution(3, 3, 3)],
    [16, 8, convolution(3, 3, 3)],
    [8, 8, convolution(5, 1, 7)],
    [7, 4, convolution(2, 5, 5)],
    [6, 8, convolution(2, 1, 1)],
    [9, 12, convolution(4, 7, 7)],
    [8, 288, [{ extent: 72, stride: 4 }]],
    [8, 288, [{ extent: 7, stride: 4 }]],
    [6, 36, convolution(2, 3, 9)],
    [4, 12, [{ extent: 3, stride: 4 }]],
    [1, 4, convolution(1, 1, 1)],
    [4, 0, convolution(1, 2, 2)],
    [5, 4, []],
    [4, 4, [{ extent: 0, stride: 4 }]],
  ])('of %d lanes, %d bytes apart', (lanes, stride, dimensions) => {
    const offsets = Array.from({ length: lanes }, (_, lane) => lane * stride);
    const expected = definition(offsets, dimensions);
    for (const constantStride of [stride, undefined]) {
      expect(copy(offsets, dimensions, constantStride)).toEqual({ panel: expected, after: 0 });
    }
  });

  it('takes lanes from anywhere', () => {
    const offsets = [0, 4, 8, 600, 604, 12, 12];
    const dimensions = convolution(3, 3, 2);
    expect(copy(offsets, dimensions, undefined).panel).toEqual(definition(offsets, dimensions));
  });
});
