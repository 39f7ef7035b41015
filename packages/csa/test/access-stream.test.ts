import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOfTiling, parseShape, slice, streamAccesses } from '../src/index.ts';
import { arbitraryMicrokernel, arbitraryShape } from './arbitrary.ts';

describe('the access stream', () => {
  it('of a pointwise convolution of one tile is packing, reduction, output', () => {
    const sliced = slice(parseShape('1x2x1x4,4x2x1x1'), { windows: 4, filters: 4 });
    const touched: [number, number][] = [];
    streamAccesses(
      sliced,
      planOfTiling(sliced, { schedule: 'is', nc: 2, k2: 1, k3: 1 }),
      { lineBytes: 64 },
      (address, more) => touched.push([address, more + 1]),
    );
    const [input, filters, output, packedInput, packedFilters] = [0, 64, 128, 192, 256];
    const filterColumn = (channel: number) =>
      [0, 1, 2, 3].map((filter) => [filters + filter * 8 + channel * 4, 1]);
    expect(touched).toEqual([
      // K2 = 1 filter tile, [channel][filter]; each of four filters holds two channels.
      ...filterColumn(0),
      [packedFilters, 4],
      ...filterColumn(1),
      [packedFilters + 16, 4],
      // One input tile, [channel][window].
      [input, 4],
      [packedInput, 4],
      [input + 16, 4],
      [packedInput + 16, 4],
      // One vector of windows and four scalars per step.
      [packedInput, 1],
      [packedFilters, 4],
      [packedInput + 16, 1],
      [packedFilters + 16, 4],
      // Each tile row is loaded and stored.
      ...[0, 1, 2, 3].flatMap((filter) => [
        [output + filter * 16, 1],
        [output + filter * 16, 1],
      ]),
    ]);
  });

  it('of a kernel that reads in place has no packing', () => {
    const sliced = slice(parseShape('1x2x1x4,2x2x1x1'), { windows: 4, filters: 2 });
    const extents = { batch: 1, group: 1, channels: 2, windows: 4, filters: 2 };
    const touched: number[] = [];
    streamAccesses(sliced, { kind: 'kernel', lanes: 'windows', extents }, { lineBytes: 64 }, (address) =>
      touched.push(address),
    );
    const [input, filters, output] = [0, 64, 128];
    const step = (channel: number) => [
      ...[0, 1, 2, 3].map((window) => input + 16 * channel + 4 * window),
      ...[0, 1].map((filter) => filters + 8 * filter + 4 * channel),
    ];
    expect(touched).toEqual([...step(0), ...step(1), output, output, output + 16, output + 16]);
  });

  it('reads the elements of the input that windows have', () => {
    fc.assert(
      fc.property(arbitraryShape(5), arbitraryMicrokernel, (shape, microkernel) => {
        const sliced = slice(shape, microkernel);
        const tree = planOfTiling(sliced, { schedule: 'is', nc: 2, k2: 2, k3: 2 });
        const touched = new Set<number>();
        // One element per line.
        streamAccesses(sliced, tree, { lineBytes: 4 }, (address) => touched.add(address / 4));
        const { strides, dilations, inputHeight, inputWidth } = shape;
        const used = new Set<number>();
        for (let plane = 0; plane < shape.batch * shape.inputChannels; plane += 1) {
          for (let window = 0; window < sliced.windows; window += 1) {
            for (let tap = 0; tap < sliced.taps; tap += 1) {
              const [oh, ow] = [Math.floor(window / shape.outputWidth), window % shape.outputWidth];
              const [fh, fw] = [Math.floor(tap / shape.filterWidth), tap % shape.filterWidth];
              const [h, w] = [oh * strides.h + fh * dilations.h, ow * strides.w + fw * dilations.w];
              used.add((plane * inputHeight + h) * inputWidth + w);
            }
          }
        }
        const inputs = shape.batch * shape.inputChannels * inputHeight * inputWidth;
        expect([...touched].filter((at) => at < inputs).toSorted((a, b) => a - b)).toEqual(
          [...used].toSorted((a, b) => a - b),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('stays within the tensors', () => {
    fc.assert(
      fc.property(arbitraryShape(7), arbitraryMicrokernel, (shape, microkernel) => {
        const sliced = slice(shape, microkernel);
        const tree = planOfTiling(sliced, { schedule: 'ws', nc: 2, k2: 2, k3: 2 });
        let most = 0;
        streamAccesses(sliced, tree, { lineBytes: 64 }, (address, more) => {
          expect(address).toBeGreaterThanOrEqual(0);
          expect(Math.floor(address / 64)).toBe(Math.floor((address + more) / 64));
          most = Math.max(most, address);
        });
        const input = shape.batch * shape.inputChannels * shape.inputHeight * shape.inputWidth;
        const filters = (shape.filters * shape.inputChannels * sliced.taps) / shape.groups;
        const outputs = shape.batch * shape.filters * sliced.windows;
        const packed = 2 * sliced.taps * (2 * microkernel.windows + microkernel.filters);
        expect(most).toBeLessThan((input + filters + outputs + packed) * 4 + 5 * 64);
      }),
      { numRuns: 40 },
    );
  });
});
