/**
 * Bufferized macro-kernels as text: ST Listing 8 after bufferization, with the input unsliced and the partial window
 * tile as a scalar fragment; and the convolution that they must equal.
 */

import fc from 'fast-check';

export interface Convolution {
  readonly batch: number;
  readonly channels: number;
  readonly filters: number;
  readonly output: readonly [height: number, width: number];
  readonly kernel: readonly [height: number, width: number];
  readonly stride: readonly [height: number, width: number];
  readonly dilation: readonly [height: number, width: number];
  /** Input rows and columns that no window reaches. */
  readonly unused?: readonly [height: number, width: number];
}

export interface Tiling {
  readonly windows: number;
  readonly filters: number;
  /** Windows and channels of an outer tile. */
  readonly outerWindows: number;
  readonly outerChannels: number;
  /** Window tiles packed at once (weight stationary); filters are multipacked either way. */
  readonly windowTiles?: number;
  /** Row and column as two indices of the input, as after delinearization. */
  readonly delinearized?: boolean;
}

const inputSize = ({
  output,
  kernel,
  stride,
  dilation,
  unused = [0, 0],
}: Convolution): readonly [number, number] => {
  const size = (i: 0 | 1): number =>
    (output[i] - 1) * stride[i] + (kernel[i] - 1) * dilation[i] + 1 + unused[i];
  return [size(0), size(1)];
};

/** Elements of the input, filters and output. */
export const sizesOf = (conv: Convolution): readonly [number, number, number] => {
  const [height, width] = inputSize(conv);
  const [kernelHeight, kernelWidth] = conv.kernel;
  const windows = conv.output[0] * conv.output[1];
  return [
    conv.batch * conv.channels * height * width,
    conv.filters * conv.channels * kernelHeight * kernelWidth,
    conv.batch * conv.filters * windows,
  ];
};

/** Adds the convolution to `output`, in single precision, in the order of channel, row, column. */
export const convolve = (
  conv: Convolution,
  input: Float32Array,
  weights: Float32Array,
  output: Float32Array,
): void => {
  const [height, width] = inputSize(conv);
  const [kernelHeight, kernelWidth] = conv.kernel;
  let at = 0;
  for (let n = 0; n < conv.batch; n += 1) {
    for (let f = 0; f < conv.filters; f += 1) {
      for (let y = 0; y < conv.output[0]; y += 1) {
        for (let x = 0; x < conv.output[1]; x += 1) {
          let sum = output[at]!;
          for (let c = 0; c < conv.channels; c += 1) {
            for (let i = 0; i < kernelHeight; i += 1) {
              for (let j = 0; j < kernelWidth; j += 1) {
                const row = y * conv.stride[0] + i * conv.dilation[0];
                const column = x * conv.stride[1] + j * conv.dilation[1];
                const pixel = input[((n * conv.channels + c) * height + row) * width + column]!;
                const weight = weights[((f * conv.channels + c) * kernelHeight + i) * kernelWidth + j]!;
                sum = Math.fround(sum + Math.fround(pixel * weight));
              }
            }
          }
          output[at] = sum;
          at += 1;
        }
      }
    }
  }
};

const size = (largest: number) => fc.integer({ min: 1, max: largest });
const pair = (largest: number) => fc.tuple(size(largest), size(largest));

/** Any shape, with a tiling that gives two outer tiles of windows. */
export const arbitraryMacroKernel: fc.Arbitrary<readonly [Convolution, Tiling]> = fc
  .record({
    batch: size(2),
    channels: size(3),
    channelTiles: size(2),
    filterTiles: size(3),
    output: pair(12),
    kernel: pair(4),
    stride: pair(4),
    dilation: pair(3),
    unused: fc.tuple(fc.nat(2), fc.nat(2)),
    windows: size(18),
    filters: size(9),
    windowTiles: size(3),
    delinearized: fc.boolean(),
  })
  .map(({ channelTiles, filterTiles, windows, windowTiles, delinearized, ...rest }) => {
    const shape = { ...rest, channels: rest.channels * channelTiles, filters: rest.filters * filterTiles };
    const { channels: outerChannels, filters } = rest;
    const outerWindows = 2 * windows * windowTiles;
    return [shape, { windows, filters, outerWindows, outerChannels, windowTiles, delinearized }] as const;
  })
  .filter(([{ output }, { outerWindows }]) => output[0] * output[1] >= outerWindows);

const constants = (...values: readonly number[]): string =>
  [...new Set(values)].map((value) => `%c${value} = arith.constant ${value} : index`).join('\n  ');

/** The function `@conv(input, weights, output)`. The tile's filters and the outer tile's channels divide them. */
export const macroKernelText = (conv: Convolution, tiling: Tiling): string => {
  const { batch: n, channels: c, filters: f } = conv;
  const [h, w] = inputSize(conv);
  const [kh, kw] = conv.kernel;
  const [sh, sw] = conv.stride;
  const [dh, dw] = conv.dilation;
  const [oh, ow] = conv.output;
  const { windows: nw, filters: nf, outerChannels: nc, windowTiles = 1, delinearized = false } = tiling;
  const all = oh * ow;
  const packed = nw * windowTiles;
  const k3 = Math.max(packed, tiling.outerWindows - (tiling.outerWindows % packed));
  const main = all - (all % k3);
  const rest = all - main;
  const ks = nc * kh * kw;
  const tiles = f / nf;
  const rowStride = all;
  const image = f * all;
  const input = `memref<${n}x${c}x${h * w}xf32>`;
  const whole = `memref<${n}x${c}x${h}x${w}xf32>`;
  const weights = `memref<${f}x${c}x${kh}x${kw}xf32>`;
  const flat = `memref<${n}x${f}x${all}xf32>`;
  const part = (count: number, offset: string): string =>
    `memref<${n}x${f}x${count}xf32, strided<[${image}, ${rowStride}, 1]${offset}>>`;
  const outer = `memref<1x${f}x${k3}xf32, strided<[${image}, ${rowStride}, 1], offset: ?>>`;
  const tile = `memref<1x${nf}x${nw}xf32, strided<[${image}, ${rowStride}, 1], offset: ?>>`;
  const packedFilters = `memref<${tiles}x${nc}x${kh}x${kw}x${nf}xf32>`;
  const filterPanel = `memref<1x${nc}x${kh}x${kw}x${nf}xf32, strided<[${ks * nf}, ${kh * kw * nf}, ${kw * nf}, ${nf}, 1], offset: ?>>`;
  const filterMatrix = `memref<${ks}x${nf}xf32, strided<[${nf}, 1], offset: ?>>`;
  const packedInput = `memref<${windowTiles}x${nc}x${kh}x${kw}x${nw}xf32>`;
  const windowPanel = `memref<1x${nc}x${kh}x${kw}x${nw}xf32, strided<[${ks * nw}, ${kh * kw * nw}, ${kw * nw}, ${nw}, 1], offset: ?>>`;
  const windowMatrix = `memref<1x${ks}x${nw}xf32, strided<[${ks * nw}, ${nw}, 1], offset: ?>>`;
  const identity = 'affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>';
  const parallel = (count: number): string => Array.from({ length: count }, () => '"parallel"').join(', ');
  const row = `((d0 floordiv ${ow}) * ${sh} + d1 * ${dh})`;
  const column = `((d0 mod ${ow}) * ${sw} + d2 * ${dw})`;
  const load = (
    result: string,
    windowValue: string,
    channel: string,
    i: string,
    j: string,
    at: string,
  ): string =>
    delinearized
      ? `%${result}r = affine.apply affine_map<(d0, d1, d2) -> (${row})>(${windowValue}, ${i}, ${j})
      %${result}c = affine.apply affine_map<(d0, d1, d2) -> (${column})>(${windowValue}, ${i}, ${j})
      %${result} = memref.load %input[${at}, ${channel}, %${result}r, %${result}c] : ${whole}`
      : `%${result}i = affine.apply affine_map<(d0, d1, d2) -> (${row} * ${w} + ${column})>(${windowValue}, ${i}, ${j})
      %${result} = memref.load %flat[${at}, ${channel}, %${result}i] : ${input}`;
  const indices = (names: readonly string[]): string =>
    names.map((name, i) => `%${name} = linalg.index ${i} : index`).join('\n      ');
  const remainder =
    rest === 0
      ? ''
      : `
  %rest = memref.subview %out[0, 0, ${main}] [${n}, ${f}, ${rest}] [1, 1, 1] : ${flat} to ${part(rest, `, offset: ${main}`)}
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = [${parallel(3)}, "reduction", "reduction", "reduction"]} ins(%weights : ${weights}) outs(%rest : ${part(rest, `, offset: ${main}`)}) {
    ^bb0(%b: f32, %o: f32):
      ${indices(['x0', 'x1', 'x2', 'x3', 'x4', 'x5'])}
      %wr = affine.apply affine_map<(d0) -> (d0 + ${main})>(%x2)
      ${load('v', '%wr', '%x3', '%x4', '%x5', '%x0')}
      %m = arith.mulf %v, %b : f32
      %s = arith.addf %m, %o : f32
      linalg.yield %s : f32
  }`;
  return `func.func @conv(%input: ${whole}, %weights: ${weights}, %output: memref<${n}x${f}x${oh}x${ow}xf32>) {
  ${constants(0, 1, n, c, nc, main, k3, f, packed, nw, nf)}
  %flat = memref.collapse_shape %input [[0], [1], [2, 3]] : ${whole} into ${input}
  %out = memref.collapse_shape %output [[0], [1], [2, 3]] : memref<${n}x${f}x${oh}x${ow}xf32> into ${flat}
  %main = memref.subview %out[0, 0, 0] [${n}, ${f}, ${main}] [1, 1, 1] : ${flat} to ${part(main, '')}
  scf.for %n = %c0 to %c${n} step %c1 {
  scf.for %nc = %c0 to %c${c} step %c${nc} {
  scf.for %k3 = %c0 to %c${main} step %c${k3} {
  scf.for %k2 = %c0 to %c${f} step %c${f} {
    %outer = memref.subview %main[%n, %k2, %k3] [1, ${f}, ${k3}] [1, 1, 1] : ${part(main, '')} to ${outer}
    %pf = memref.alloc() {alignment = 64 : i64} : ${packedFilters}
    linalg.generic {indexing_maps = [${identity}], iterator_types = [${parallel(5)}]} outs(%pf : ${packedFilters}) {
    ^bb0(%o: f32):
      ${indices(['a0', 'a1', 'a2', 'a3', 'a4'])}
      %fi = affine.apply affine_map<(d0, d1)[s0] -> (d0 * ${nf} + d1 + s0)>(%a0, %a4)[%k2]
      %ci = arith.addi %a1, %nc : index
      %e = memref.load %weights[%fi, %ci, %a2, %a3] : ${weights}
      linalg.yield %e : f32
    }
    scf.for %iw = %c0 to %c${k3} step %c${packed} {
      %pi = memref.alloc() {alignment = 64 : i64} : ${packedInput}
      linalg.generic {indexing_maps = [${identity}], iterator_types = [${parallel(5)}]} outs(%pi : ${packedInput}) {
      ^bb0(%o: f32):
        ${indices(['b0', 'b1', 'b2', 'b3', 'b4'])}
        %wi = affine.apply affine_map<(d0, d1)[s0, s1] -> (d0 * ${nw} + d1 + s0 + s1)>(%b0, %b4)[%k3, %iw]
        %ch = arith.addi %b1, %nc : index
        ${load('e', '%wi', '%ch', '%b2', '%b3', '%n')}
        linalg.yield %e : f32
      }
      scf.for %it = %c0 to %c${packed} step %c${nw} {
        %ti = affine.apply affine_map<(d0) -> (d0 floordiv ${nw})>(%it)
        %wp = memref.subview %pi[%ti, 0, 0, 0, 0] [1, ${nc}, ${kh}, ${kw}, ${nw}] [1, 1, 1, 1, 1] : ${packedInput} to ${windowPanel}
        %wm = memref.collapse_shape %wp [[0], [1, 2, 3], [4]] : ${windowPanel} into ${windowMatrix}
        %ww = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%iw, %it)
        scf.for %if = %c0 to %c${f} step %c${nf} {
          %tf = affine.apply affine_map<(d0) -> (d0 floordiv ${nf})>(%if)
          %fp = memref.subview %pf[%tf, 0, 0, 0, 0] [1, ${nc}, ${kh}, ${kw}, ${nf}] [1, 1, 1, 1, 1] : ${packedFilters} to ${filterPanel}
          %fm = memref.collapse_shape %fp [[0, 1, 2, 3], [4]] : ${filterPanel} into ${filterMatrix}
          %tile = memref.subview %outer[0, %if, %ww] [1, ${nf}, ${nw}] [1, 1, 1] : ${outer} to ${tile}
          linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = [${parallel(3)}, "reduction"]} ins(%wm, %fm : ${windowMatrix}, ${filterMatrix}) outs(%tile : ${tile}) attrs = {microkernel} {
          ^bb0(%a: f32, %b: f32, %o: f32):
            %m = arith.mulf %a, %b : f32
            %s = arith.addf %m, %o : f32
            linalg.yield %s : f32
          }
        }
      }
      memref.dealloc %pi : ${packedInput}
    }
    memref.dealloc %pf : ${packedFilters}
  }
  }
  }
  }${remainder}
  return
}
`;
};
