import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, matchOps } from './payloads.ts';

const any = '!transform.any_op';
const img2col = `%windows, %product = transform.structured.convert_conv2d_to_img2col %op : (${any}) -> (${any}, ${any})`;

interface Shape {
  readonly images: number;
  readonly channels: number;
  readonly filters: number;
  readonly taps: readonly [number, number];
  readonly output: readonly [number, number];
  readonly strides: readonly [number, number];
  readonly dilations: readonly [number, number];
  readonly types: readonly [string, string];
}

const layouts = ['nhwc_hwcf', 'nhwc_fhwc', 'nchw_fchw', 'depthwise'] as const;

/** The payload of a convolution in a layout. */
const payloadOf = (layout: (typeof layouts)[number], shape: Shape): readonly [string, string] => {
  const { images, channels, filters, taps, output, strides, dilations, types } = shape;
  const [element, sum] = types;
  const input = output.map((size, i) => (size - 1) * strides[i]! + (taps[i]! - 1) * dilations[i]! + 1);
  const tensor = (sizes: readonly number[], type: string) => `tensor<${[...sizes, type].join('x')}>`;
  const isDepthwise = layout === 'depthwise';
  const outputs = isDepthwise ? channels : filters;
  const first = layout === 'nchw_fchw';
  const name = isDepthwise ? 'linalg.depthwise_conv_2d_nhwc_hwc' : `linalg.conv_2d_${layout}`;
  const a = tensor(first ? [images, channels, ...input] : [images, ...input, channels], element);
  const filter = {
    nhwc_hwcf: [...taps, channels, filters],
    nhwc_fhwc: [filters, ...taps, channels],
    nchw_fchw: [filters, channels, ...taps],
    depthwise: [...taps, channels],
  }[layout];
  const f = tensor(filter, element);
  const o = tensor(first ? [images, outputs, ...output] : [images, ...output, outputs], sum);
  return [
    name,
    `func.func @conv(%a: ${a}, %f: ${f}, %o: ${o}) -> ${o} {
  %0 = ${name} {dilations = dense<[${dilations.join(', ')}]> : tensor<2xi64>, strides = dense<[${strides.join(', ')}]> : tensor<2xi64>} ins(%a, %f : ${a}, ${f}) outs(%o : ${o}) -> ${o}
  return %0 : ${o}
}`,
  ];
};

const size = (max: number) => fc.integer({ min: 1, max });
const pair = (max: number) => fc.tuple(size(max), size(max));
const shapes: fc.Arbitrary<Shape> = fc.record({
  images: size(2),
  channels: size(3),
  filters: size(3),
  taps: pair(3),
  output: pair(3),
  strides: pair(2),
  dilations: pair(2),
  types: fc.constantFrom(['f32', 'f32'], ['i8', 'i32'], ['i32', 'f32']),
});

describe('transform.structured.convert_conv2d_to_img2col', () => {
  it.each(layouts)('keeps what a convolution in the layout %s computes', (layout) => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const [name, payload] = payloadOf(layout, shape);
        const { status, diagnostics, text } = apply(payload, `${matchOps(name)}\n${img2col}`);
        expect([status, diagnostics]).toEqual(['success', '']);
        expect(text).not.toContain('conv_2d');
      }),
      { numRuns: 15, seed: 1 },
    );
  });

  it.each(layouts)('copies rows as they lie, expanded, in the layout %s', (layout) => {
    let inPlace = 0;
    fc.assert(
      fc.property(shapes, (shape) => {
        const [name, payload] = payloadOf(layout, shape);
        const script = img2col.replace(' %op :', ' %op {expanded} :');
        const { status, diagnostics, text } = apply(payload, `${matchOps(name)}\n${script}`);
        expect([status, diagnostics]).toEqual(['success', '']);
        expect(text).not.toMatch(/conv_2d|linalg\.index|affine\.apply/);
        if (!text.includes('tensor.empty')) inPlace += 1;
      }),
      { numRuns: 40, seed: 1 },
    );
    expect(inPlace > 0).toBe(layout !== 'depthwise');
  });

  it.each([
    ['nhwc_hwcf', ['3 and 0', '3 and 1']],
    ['nhwc_fhwc', ['3 and 0', '3 and 1']],
    ['nchw_fchw', ['3 and 0', '3 and 1']],
    ['depthwise', ['4 and 0', '3 and 0', '4 and 0', '6 and 0', '4 and 0', '4 and 0']],
  ] as const)('of %s has parallel and reduced dimensions', (layout, expected) => {
    const [name, payload] = payloadOf(layout, {
      images: 2,
      channels: 3,
      filters: 2,
      taps: [2, 3],
      output: [2, 3],
      strides: [1, 2],
      dilations: [1, 1],
      types: ['f32', 'f32'],
    });
    const { text } = apply(payload, `${matchOps(name)}\n${img2col}`);
    const count = (list: string, word: string): number => list.split(`"${word}"`).length - 1;
    const lists = [...text.matchAll(/iterator_types = \[(.*?)\]/g)].map(([, list]) => list!);
    expect(lists.map((list) => `${count(list, 'parallel')} and ${count(list, 'reduction')}`)).toEqual(
      expected,
    );
  });

  it.each([
    ['linalg.conv_2d_nhwc_hwcf', '?', 'img2col/shape'],
    ['linalg.conv_2d_nhwc_hwcf', '0', 'img2col/shape'],
    ['linalg.exp', '3', 'img2col/not-a-convolution'],
  ])('refuses %s of %s channels', (name, channels, code) => {
    const [input, filter] = [`tensor<1x4x4x${channels}xf32>`, `tensor<2x2x${channels}x5xf32>`];
    const payload = `func.func @f(%a: ${input}, %f: ${filter}, %o: tensor<1x3x3x5xf32>) -> tensor<1x3x3x5xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %f : ${input}, ${filter}) outs(%o : tensor<1x3x3x5xf32>) -> tensor<1x3x3x5xf32>
  %1 = linalg.exp ins(%0 : tensor<1x3x3x5xf32>) outs(%o : tensor<1x3x3x5xf32>) -> tensor<1x3x3x5xf32>
  return %1 : tensor<1x3x3x5xf32>
}`;
    const { diagnostics } = apply(payload, `${matchOps(name)}\n${img2col}`);
    expect(diagnostics).toContain('transform.structured.convert_conv2d_to_img2col failed to apply: expected');
    expect(diagnostics).toContain('note: when applied to this op');
    expect(diagnostics).toContain(`[${code}]`);
  });

  it('refuses buffers', () => {
    const payload = `func.func @f(%a: memref<1x4x4x3xf32>, %f: memref<2x2x3x5xf32>, %o: memref<1x3x3x5xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%a, %f : memref<1x4x4x3xf32>, memref<2x2x3x5xf32>) outs(%o : memref<1x3x3x5xf32>)
  return
}`;
    expect(apply(payload, `${matchOps('linalg.conv_2d_nhwc_hwcf')}\n${img2col}`).diagnostics).toContain(
      '[img2col/shape]',
    );
  });
});
