/** The registry of the facade and the commands: every dialect and every transform of the project. */
import { bufferizationInterfaces, passes as bufferPasses } from '@sconv/bufferization';
import { passes as cleanups } from '@sconv/canonicalization';
import { patternSets } from '@sconv/canonicalization/transforms';
import { payloadDialects } from '@sconv/dialects';
import type { Registry } from '@sconv/ir';
import { createRegistry, extendRegistry } from '@sconv/ir';
import { biasAfterSumsPass, fuseElementwisePass, generalizePass, specializePass } from '@sconv/normalization';
import { passes as kernelPasses } from '@sconv/kernels';
import { passes as loopPasses } from '@sconv/loops';
import { passes as tilingPasses } from '@sconv/tiling';
import { transformDialect, transformDialectOf, transformInterpreterPass } from '@sconv/transform';
import { passes as vectorPasses } from '@sconv/vectorization';
import { patternSets as vectorPatternSets } from '@sconv/vectorization/transforms';
import { vectorLowerings, wasmLowerings } from '@sconv/wasm';
import { transformOps } from './transform-ops.ts';

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
