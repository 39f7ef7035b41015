import { describe, expect, it } from 'vitest';
import { bf16, f16, f32, f64, i32 as int32, integerType } from '@sconv/ir';
import { halfValues } from '@sconv/backend';
import { i32, i32x4 } from '../src/instructions.ts';
import { elementOf, pairOf } from '../src/packed-element.ts';
import { emitPanelCopy } from '../src/panel-copy.ts';
import type { PanelDimension } from '../src/panel-copy.ts';
import { storageOf } from '../src/storage.ts';
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
    const element = elementOf(b, storageOf(f32)!, storageOf(f32)!);
    emitPanelCopy(b, { element, source, destination, lanes: lanes.length, dimensions, laneOffsets });
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

describe('a panel copy that converts', () => {
  /** What a memory of these bytes holds at an address, by type. */
  const readers = {
    f16: (view: DataView, at: number) => halfValues('f16', Uint16Array.of(view.getUint16(at, true)))[0]!,
    bf16: (view: DataView, at: number) => halfValues('bf16', Uint16Array.of(view.getUint16(at, true)))[0]!,
    i8: (view: DataView, at: number) => view.getInt8(at),
    i16: (view: DataView, at: number) => view.getInt16(at, true),
    i32: (view: DataView, at: number) => view.getInt32(at, true),
    f64: (view: DataView, at: number) => view.getFloat64(at, true),
  };
  const cases = [
    ['f16', f16, f32, undefined],
    ['bf16', bf16, f32, undefined],
    ['i8', integerType(8), int32, undefined],
    ['i8', integerType(8), int32, -7],
    ['i16', integerType(16), int32, 2 ** 31 - 1],
    ['i32', int32, int32, 1000],
    ['f64', f64, f64, undefined],
  ] as const;
  const bytesOf = { f16: 2, bf16: 2, i8: 1, i16: 2, i32: 4, f64: 8 };

  it.each(cases.flatMap((each) => [1, 2, 3, 9].map((step) => [...each, step] as const)))(
    'elements of %s',
    (name, from, to, zeroPoint, step) => {
      const bytes = bytesOf[name];
      for (const lanes of [1, 4, 6, 16]) {
        const dimensions = [
          { extent: 2, stride: 300 * bytes },
          { extent: 7, stride: bytes },
        ];
        const offsets = Array.from({ length: lanes }, (_, lane) => lane * step * bytes);
        for (const apart of [false, true]) {
          const { f, memory } = runFunction(['i32', 'i32'], ['i32'], (b, source, destination) => {
            const zero =
              zeroPoint === undefined
                ? undefined
                : { scalar: i32.const(zeroPoint), vector: i32x4.splat(i32.const(zeroPoint)) };
            const element = elementOf(b, storageOf(from)!, storageOf(to)!, zero);
            const laneOffsets = apart ? offsets.map((offset) => b.let(i32.const(offset))) : step * bytes;
            emitPanelCopy(b, { element, source, destination, lanes, dimensions, laneOffsets });
            b.return(b.get(destination));
          });
          const view = new DataView(memory.buffer);
          for (let at = 0; at < panelAt; at += 1) view.setUint8(at, (at * 193 + (at >> 8) * 31) & 0xff);
          const length = f(sourceAt, panelAt) - panelAt;
          const read = definition(offsets, dimensions).map((at) => readers[name](view, at));
          const expected = zeroPoint === undefined ? read : read.map((value) => (value - zeroPoint) | 0);
          const Packed = to === f32 ? Float32Array : to === f64 ? Float64Array : Int32Array;
          const packed = new Packed(memory.buffer, panelAt, length / Packed.BYTES_PER_ELEMENT);
          expect([...packed]).toEqual(expected);
        }
      }
    },
  );
});

describe('a panel copy of pairs', () => {
  it.each([1, 2, 40].flatMap((apart) => [1, 2, 3].map((step) => [apart, step] as const)))(
    'that are %d bytes apart, in lanes that are %d',
    (apart, step) => {
      for (const lanes of [1, 4, 6, 16]) {
        const dimensions = [
          { extent: 3, stride: 300 },
          { extent: 5, stride: apart === 1 ? 2 : 1 },
        ];
        const offsets = Array.from({ length: lanes }, (_, lane) => lane * step);
        const { f, memory } = runFunction(['i32', 'i32'], ['i32'], (b, source, destination) => {
          const zero = { scalar: i32.const(-100), vector: i32x4.splat(i32.const(-100)) };
          const element = pairOf(b, elementOf(b, storageOf(integerType(8))!, storageOf(int32)!, zero), apart);
          emitPanelCopy(b, { element, source, destination, lanes, dimensions, laneOffsets: step });
          b.return(b.get(destination));
        });
        const bytes = new Int8Array(memory.buffer);
        for (let at = 0; at < panelAt; at += 1) bytes[at] = at * 193 + (at >> 8) * 31;
        const length = f(sourceAt, panelAt) - panelAt;
        const expected = definition(offsets, dimensions).flatMap((at) =>
          [at, at + apart].map((half) => bytes[half]! + 100),
        );
        expect([...new Int16Array(memory.buffer, panelAt, length / 2)]).toEqual(expected);
      }
    },
  );
});
