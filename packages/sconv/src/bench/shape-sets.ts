/** Named sets of convolutions, and of matrix products. */
import type { ConvolutionShape } from '@sconv/csa';
import { convolution, CsaError, parseShape } from '@sconv/csa';
import { productShape } from '../product-shape.ts';
import { convbenchShapes } from './convbench-shapes.ts';

/** A convolution with its name at its origin. */
export interface NamedShape {
  readonly name: string;
  readonly shape: ConvolutionShape;
  /** Whether it stands for the product of filters and input, both row-major, of which it is the convolution. */
  readonly isProduct?: boolean;
}

/** A product of MxK and KxN, as the convolution of one tap that it is; its name ends with `MxNxK`. */
const product = (name: string, m: number, n: number, k: number): NamedShape => ({
  name: [name, `${m}x${n}x${k}`].filter((part) => part !== '').join(' '),
  shape: productShape(1, m, n, k),
  isProduct: true,
});

/**
 * The product that a word such as `512x512x512` names: rows, columns, and what is summed up; undefined for others.
 * Throws `CsaError` for one without elements.
 */
export const productOf = (word: string): NamedShape | undefined => {
  if (!/^\d+x\d+x\d+$/.test(word)) return undefined;
  const [m, n, k] = word.split('x').map(Number) as [number, number, number];
  if (m * n * k === 0) throw new CsaError('csa/not-positive', word, 'the sizes of a product are at least 1');
  return product('', m, n, k);
};

/** Rows, columns, and what is summed up. */
const products: readonly (readonly [number, number, number])[] = [
  [64, 64, 64],
  [128, 128, 128],
  [256, 256, 256],
  [512, 512, 512],
  [1024, 1024, 1024],
  [49, 512, 512],
  [196, 256, 1024],
  [784, 128, 512],
  [128, 768, 768],
  [128, 3072, 768],
  [16, 1000, 2048],
  [1, 1000, 2048],
];

/** K, C, H = W, R = S, stride: those marked with a star in TT's Figure 8 have stride 2. */
type Layer = readonly [name: string, k: number, c: number, hw: number, rs: number, stride: 1 | 2];

const layers: readonly Layer[] = [
  ['ResNet18-1', 64, 3, 224, 7, 2],
  ['ResNet18-2', 64, 64, 56, 3, 1],
  ['ResNet18-3', 64, 64, 56, 1, 1],
  ['ResNet18-4', 128, 64, 56, 3, 2],
  ['ResNet18-5', 128, 64, 56, 1, 2],
  ['ResNet18-6', 128, 128, 28, 3, 1],
  ['ResNet18-7', 256, 128, 28, 3, 2],
  ['ResNet18-8', 256, 128, 28, 3, 1],
  ['ResNet18-9', 256, 256, 14, 3, 1],
  ['ResNet18-10', 512, 512, 14, 3, 2],
  ['ResNet18-11', 512, 256, 14, 1, 2],
  ['ResNet18-12', 512, 512, 7, 3, 1],
  ['Yolo9000-0', 32, 3, 544, 3, 1],
  ['Yolo9000-2', 64, 32, 272, 3, 1],
  ['Yolo9000-4', 128, 64, 136, 3, 1],
  ['Yolo9000-5', 64, 128, 136, 1, 1],
  ['Yolo9000-8', 256, 128, 68, 3, 1],
  ['Yolo9000-9', 128, 256, 68, 1, 1],
  ['Yolo9000-12', 512, 256, 34, 3, 1],
  ['Yolo9000-13', 256, 512, 34, 1, 1],
  ['Yolo9000-18', 1024, 512, 17, 3, 1],
  ['Yolo9000-19', 512, 1024, 17, 1, 1],
  ['Yolo9000-23', 28269, 1024, 17, 1, 1],
];

const layerShape = ([name, filters, inputChannels, extent, filter, stride]: Layer): NamedShape => {
  const padding = (filter - 1) / 2;
  const shape = convolution({
    inputChannels,
    inputHeight: extent,
    inputWidth: extent,
    filters,
    filterHeight: filter,
    filterWidth: filter,
    strides: { h: stride, w: stride },
    padding: { top: padding, bottom: padding, left: padding, right: padding },
  });
  return { name, shape };
};

/** The contents of each set, created on demand. */
const sets: Readonly<Record<string, () => readonly NamedShape[]>> = {
  /** TT Figure 8, and the example of ST (Listing 1). */
  'figure-8': () => [
    ...layers.map(layerShape),
    { name: 'ST Listing 1', shape: parseShape('1x32x152x152,256x32x3x3,s2') },
  ],
  convbench: () => convbenchShapes.map(([text, row]) => ({ name: row, shape: parseShape(text) })),
  /** The layers of TT Figure 8 with one tap, and other sizes. */
  products: () => [
    ...layers
      .filter(([, , , , taps]) => taps === 1)
      .map(([name, filters, channels, extent, , stride]) =>
        product(name, filters, Math.ceil(extent / stride) ** 2, channels),
      ),
    ...products.map(([m, n, k]) => product('', m, n, k)),
  ],
};

export const shapeSetNames: readonly string[] = Object.keys(sets);

/** The sets that are measured unless others are asked for: those of convolutions. */
export const usualSetNames: readonly string[] = shapeSetNames.filter((name) => name !== 'products');

/** The shapes of a set; undefined for an unknown name. */
export const shapeSet = (name: string): readonly NamedShape[] | undefined => sets[name]?.();
