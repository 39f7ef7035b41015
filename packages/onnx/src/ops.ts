/** All ops that are imported, by their names in the default domain. */
import type { OnnxNode } from './node.ts';
import type { Operand } from './operand.ts';
import { bitOps } from './ops/bits.ts';
import { conv } from './ops/convolution.ts';
import { einsum } from './ops/einsum.ts';
import { elementwiseOps } from './ops/elementwise.ts';
import { gatherOps } from './ops/gather.ts';
import { integerProductOps } from './ops/integer-products.ts';
import { normalizationOps } from './ops/normalization.ts';
import { averagePool, globalLpPool, lpPool, lrn, maxPool } from './ops/pooling.ts';
import { positionOps } from './ops/positions.ts';
import { productOps } from './ops/products.ts';
import { quantizationOps } from './ops/quantization.ts';
import { reductionOps } from './ops/reductions.ts';
import { resize } from './ops/resize.ts';
import { shapeOps } from './ops/shapes.ts';
import { sliceOps } from './ops/slices.ts';
import { convTranspose } from './ops/transposed-convolution.ts';

/** Makes what the outputs of a node stand for; throws a `NodeProblem`. */
export type Convert = (node: OnnxNode) => Operand | readonly Operand[];

export const conversions: ReadonlyMap<string, Convert> = new Map(
  Object.entries<Convert>({
    AveragePool: averagePool,
    Conv: conv,
    ConvTranspose: convTranspose,
    Einsum: einsum,
    GlobalLpPool: globalLpPool,
    LRN: lrn,
    LpPool: lpPool,
    MaxPool: maxPool,
    Resize: resize,
    Upsample: resize,
    ...bitOps,
    ...elementwiseOps,
    ...gatherOps,
    ...integerProductOps,
    ...normalizationOps,
    ...positionOps,
    ...productOps,
    ...quantizationOps,
    ...reductionOps,
    ...shapeOps,
    ...sliceOps,
  }),
);
