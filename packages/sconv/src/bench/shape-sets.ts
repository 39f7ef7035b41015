/** Named sets of convolutions. */
import type { ConvolutionShape } from '@sconv/csa';
import { convolution, parseShape } from '@sconv/csa';
import { convbenchShapes } from './convbench-shapes.ts';

/** A convolution with its name at its origin. */
export interface NamedShape {
  readonly name: string;
  readonly shape: ConvolutionShape;
}

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
};

export const shapeSetNames: readonly string[] = Object.keys(sets);

/** The convolutions of a set; undefined for an unknown name. */
export const shapeSet = (name: string): readonly NamedShape[] | undefined => sets[name]?.();
