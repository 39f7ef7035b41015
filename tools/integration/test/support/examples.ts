/** The examples of all packages. */
import type { TransformExample } from '@sconv/transform/testing';
import { examples as blas } from '../../../../packages/blas/test/examples.ts';
import { examples as bufferization } from '../../../../packages/bufferization/test/examples.ts';
import { examples as canonicalization } from '../../../../packages/canonicalization/test/examples.ts';
import { examples as loops } from '../../../../packages/loops/test/examples.ts';
import { examples as normalization } from '../../../../packages/normalization/test/examples.ts';
import { examples as packing } from '../../../../packages/packing/test/examples.ts';
import { examples as slicing } from '../../../../packages/slicing/test/examples.ts';
import { examples as splitting } from '../../../../packages/splitting/test/examples.ts';
import { examples as tiling } from '../../../../packages/tiling/test/examples.ts';
import { examples as vectorization } from '../../../../packages/vectorization/test/examples.ts';

/** By op. */
export const examples: Readonly<Record<string, readonly TransformExample[] | undefined>> = {
  ...blas,
  ...bufferization,
  ...canonicalization,
  ...loops,
  ...normalization,
  ...packing,
  ...slicing,
  ...splitting,
  ...tiling,
  ...vectorization,
};
