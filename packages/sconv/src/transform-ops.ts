/** The transform ops of all packages, for a registry. */
import { transforms as blas } from '@sconv/blas/transforms';
import { transforms as bufferization } from '@sconv/bufferization/transforms';
import { transforms as canonicalization } from '@sconv/canonicalization/transforms';
import { transforms as loops } from '@sconv/loops/transforms';
import { transforms as normalization } from '@sconv/normalization/transforms';
import { transforms as packing } from '@sconv/packing/transforms';
import { transforms as slicing } from '@sconv/slicing/transforms';
import { transforms as splitting } from '@sconv/splitting/transforms';
import { transforms as tiling } from '@sconv/tiling/transforms';
import type { TransformOpDefinition } from '@sconv/transform';
import { transforms as vectorization } from '@sconv/vectorization/transforms';

/** The transforms of the pass packages; the transform dialect's own are in `transformDialect`. */
export const transformOps: readonly { readonly definition: TransformOpDefinition }[] = [
  ...canonicalization,
  ...normalization,
  ...splitting,
  ...loops,
  ...tiling,
  ...packing,
  ...slicing,
  ...bufferization,
  ...vectorization,
  ...blas,
];
