import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply } from './payloads.ts';

const any = '!transform.any_op';
const packPlanes = (name: string, options = ''): string => `
%op = transform.structured.match ops{["linalg.${name}"]} in %root : (${any}) -> ${any}
%sums = transform.structured.pack_planes %op ${options} : (${any}) -> !transform.op<"linalg.generic">`;

/** A depthwise convolution or pooling of planes, with rows and columns apart. */
interface Windows {
  readonly name: string;
  readonly images: number;
  readonly channels: number;
  readonly taps: readonly [number, number];
  readonly strides: readonly [number, number];
  readonly dilations: readonly [number, number];
  readonly windows: readonly [number, number];
  /** Above and before, then below and behind; undefined without a `tensor.pad`. */
  readonly padding: readonly [number, number, number, number] | undefined;
  readonly isFilled: boolean;
}

const depthwise = 'depthwise_conv_2d_nchw_chw';
const plain: Windows = {
  name: depthwise,
  images: 1,
  channels: 2,
  taps: [3, 3],
  strides: [2, 2],
  dilations: [1, 1],
  windows: [3, 4],
  padding: [1, 1, 1, 1],
  isFilled: true,
};

const tensor = (sizes: readonly number[]): string => `tensor<${sizes.join('x')}xf32>`;

const payload = (changes: Partial<Windows> = {}): string => {
  const { name, images, channels, taps, strides, dilations, windows, padding, isFilled } = {
    ...plain,
    ...changes,
  };
  const read = [0, 1].map((i) => (windows[i]! - 1) * strides[i]! + (taps[i]! - 1) * dilations[i]! + 1);
  const [top, left, bottom, right] = padding ?? [0, 0, 0, 0];
  const inside = [read[0]! - top - bottom, read[1]! - left - right];
  const [x, whole, out] = [inside, read, windows].map((plane) => tensor([images, channels, ...plane]));
  const other = tensor([...(name === depthwise ? [channels] : []), ...taps]);
  return `func.func @f(%x: ${x}, %k: ${other}, %p: f32, %out: ${out}) -> ${out} {
    ${
      padding === undefined
        ? ''
        : `%in = tensor.pad %x low[0, 0, ${top}, ${left}] high[0, 0, ${bottom}, ${right}] {
    ^bb0(%n: index, %c: index, %h: index, %w: index):
      tensor.yield %p : f32
    } : ${x} to ${whole}`
    }
    ${isFilled ? `%start = linalg.fill ins(%p : f32) outs(%out : ${out}) -> ${out}` : ''}
    %0 = linalg.${name} {strides = dense<[${strides.join()}]> : tensor<2xi64>, dilations = dense<[${dilations.join()}]> : tensor<2xi64>}
      ins(%${padding === undefined ? 'x' : 'in'}, %k : ${whole}, ${other}) outs(%${isFilled ? 'start' : 'out'} : ${out}) -> ${out}
    return %0 : ${out}
  }`;
};

describe('transform.structured.pack_planes', () => {
  it('packs the phases of strides apart, and reads the padding nowhere else', () => {
    const { text } = apply(payload(), packPlanes(depthwise));
    expect(text).not.toContain('tensor.pad');
    expect(
      text.match(/insert_slice %\w+ into %\w+\[0, [01], [01], [01], [01]\] \[2, 1, 1, [23], [34]\]/g),
    ).toHaveLength(4);
    expect(text).toContain('(d0, d3 mod 2, d4 mod 2, d1 + d3 floordiv 2, d2 + d4 floordiv 2)');
  });

  it('makes one row of all windows, of which those between the edges are left out', () => {
    const { text } = apply(payload(), packPlanes(depthwise, '{flat}'));
    expect(text).toContain('tensor<2x15xf32>');
    expect(text).toMatch(/extract_slice %\w+\[0, 0, 0\] \[2, 3, 4\] \[1, 1, 1\] : tensor<2x3x5xf32>/);
  });

  const pairOf = (least: number, most: number): fc.Arbitrary<[number, number]> =>
    fc.tuple(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: most }));

  it('computes the same, of all sizes, strides, dilations and paddings', () => {
    const windows = fc.record({
      name: fc.constantFrom(depthwise, 'pooling_nchw_sum', 'pooling_nchw_max'),
      images: fc.integer({ min: 1, max: 2 }),
      channels: fc.integer({ min: 1, max: 3 }),
      taps: pairOf(1, 4),
      strides: pairOf(1, 3),
      dilations: pairOf(1, 3),
      windows: pairOf(1, 4),
      isPadded: fc.boolean(),
      isFilled: fc.boolean(),
      flat: fc.boolean(),
    });
    fc.assert(
      fc.property(windows, ({ isPadded, flat, ...each }) => {
        // Padding on each side of which a window has some.
        const margin = (i: 0 | 1): [number, number] => {
          const size = (each.windows[i] - 1) * each.strides[i] + (each.taps[i] - 1) * each.dilations[i] + 1;
          return [Math.min(2, Math.floor((size - 1) / 2)), size > 3 ? 1 : 0];
        };
        const [rows, columns] = [margin(0), margin(1)];
        const padding = isPadded ? ([rows[0], columns[0], rows[1], columns[1]] as const) : undefined;
        const { diagnostics } = apply(
          payload({ ...each, padding }),
          packPlanes(each.name, flat ? '{flat}' : ''),
        );
        if (!diagnostics.includes('contiguous where it lies')) expect(diagnostics).toBe('');
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['before', 'low[0, 0, 1, 1]', 'low[0, 1, 1, 1]'],
    ['behind', 'high[0, 0, 1, 1]', 'high[0, 1, 1, 1]'],
  ])('packs planes of padding %s the others with their padding', (_, planes, more) => {
    const text = payload().replaceAll('1x2x5x7', '1x1x5x7').replace(planes, more);
    const { diagnostics, text: after } = apply(text, packPlanes(depthwise));
    expect(diagnostics).toBe('');
    expect(after).toContain('tensor.pad');
  });

  it.each([
    [
      'unpadded windows side by side',
      payload({ padding: undefined, strides: [1, 1] }),
      depthwise,
      '',
      'contiguous where it lies',
    ],
    ['another op', payload(), 'fill', '', 'its operands are not all tensors of numbers'],
    [
      'sizes that are not known',
      payload().replaceAll('2x3x4xf32', '2x?x4xf32'),
      depthwise,
      '',
      'known sizes',
    ],
    [
      'three planes at once',
      payload(),
      depthwise,
      '{planes = 3}',
      '3 planes at once do not divide the 2 channels',
    ],
    ['no plane at once', payload(), depthwise, '{planes = 0}', 'expected at least one plane at once'],
  ])('fails for %s', (_, text, name, options, message) => {
    expect(apply(text, packPlanes(name, options)).diagnostics).toContain(message);
  });
});
