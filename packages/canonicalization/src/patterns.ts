/** All canonicalization patterns, by dialects. */
import type { RewritePattern } from '@sconv/ir';
import { affinePatterns } from './patterns/affine.ts';
import { arithPatterns } from './patterns/arith.ts';
import { bufferizationPatterns } from './patterns/bufferization.ts';
import { cfPatterns } from './patterns/cf.ts';
import { linalgPatterns } from './patterns/linalg.ts';
import { memrefCastPatterns } from './patterns/memref-cast.ts';
import { memrefPatterns } from './patterns/memref.ts';
import { memrefScopePatterns } from './patterns/memref-scopes.ts';
import { reshapePatterns } from './patterns/reshapes.ts';
import { scfForPatterns } from './patterns/scf-for.ts';
import { scfIfPatterns } from './patterns/scf-if.ts';
import { scfParallelPatterns } from './patterns/scf-parallel.ts';
import { scfRegionPatterns } from './patterns/scf-regions.ts';
import { scfWhilePatterns } from './patterns/scf-while.ts';
import { slicePatterns } from './patterns/slices.ts';
import { tensorCastPatterns } from './patterns/tensor-cast.ts';
import { tensorElementPatterns } from './patterns/tensor-elements.ts';
import { tensorPackPatterns } from './patterns/tensor-pack.ts';
import { tensorPadPatterns } from './patterns/tensor-pad.ts';
import { vectorMaskPatterns } from './patterns/vector-masks.ts';
import { vectorReductionPatterns } from './patterns/vector-reductions.ts';
import { vectorShapePatterns } from './patterns/vector-shapes.ts';
import { transferPatterns } from './patterns/vector-transfers.ts';

export const canonicalizationPatterns: readonly RewritePattern[] = [
  ...arithPatterns,
  ...tensorCastPatterns,
  ...tensorElementPatterns,
  ...tensorPadPatterns,
  ...tensorPackPatterns,
  ...memrefCastPatterns,
  ...memrefPatterns,
  ...memrefScopePatterns,
  ...slicePatterns,
  ...reshapePatterns,
  ...scfForPatterns,
  ...scfIfPatterns,
  ...scfWhilePatterns,
  ...scfParallelPatterns,
  ...scfRegionPatterns,
  ...cfPatterns,
  ...affinePatterns,
  ...linalgPatterns,
  ...bufferizationPatterns,
  ...vectorReductionPatterns,
  ...vectorShapePatterns,
  ...vectorMaskPatterns,
  ...transferPatterns,
];
