/** The registry of the facade and the commands: every dialect and every transform of the project. */
import { bufferizationInterfaces, passes as bufferPasses } from '@sconv/bufferization';
import { transforms as blas } from '@sconv/blas/transforms';
import { transforms as bufferization } from '@sconv/bufferization/transforms';
import { passes as cleanups } from '@sconv/canonicalization';
import { patternSets, transforms as canonicalization } from '@sconv/canonicalization/transforms';
import { payloadDialects } from '@sconv/dialects';
import type { Registry } from '@sconv/ir';
import { createRegistry, extendRegistry } from '@sconv/ir';
import { biasAfterSumsPass, fuseElementwisePass, generalizePass, specializePass } from '@sconv/normalization';
import { passes as kernelPasses } from '@sconv/kernels';
import { passes as loopPasses } from '@sconv/loops';
import { transforms as loops } from '@sconv/loops/transforms';
import { transforms as normalization } from '@sconv/normalization/transforms';
import { transforms as packing } from '@sconv/packing/transforms';
import { transforms as slicing } from '@sconv/slicing/transforms';
import { transforms as splitting } from '@sconv/splitting/transforms';
import { passes as tilingPasses } from '@sconv/tiling';
import { transforms as tiling } from '@sconv/tiling/transforms';
import type { TransformOpDefinition } from '@sconv/transform';
import { transformDialect, transformDialectOf, transformInterpreterPass } from '@sconv/transform';
import { passes as vectorPasses } from '@sconv/vectorization';
import {
  patternSets as vectorPatternSets,
  transforms as vectorization,
} from '@sconv/vectorization/transforms';
import { vectorLowerings, wasmLowerings } from '@sconv/wasm';

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

/**
 * Every payload dialect, transform op and pass, with the interfaces that passes use. A value: importing it has no side
 * effects.
 */
export const defaultRegistry: Registry = extendRegistry(
  createRegistry([...payloadDialects, transformDialect]),
  [transformDialectOf(transformOps)],
  [...bufferizationInterfaces, ...wasmLowerings, ...vectorLowerings, ...patternSets, ...vectorPatternSets],
  [
    transformInterpreterPass,
    ...bufferPasses,
    biasAfterSumsPass,
    fuseElementwisePass,
    generalizePass,
    specializePass,
    ...loopPasses,
    ...tilingPasses,
    ...kernelPasses,
    ...vectorPasses,
    ...cleanups,
  ],
);
