/** The registry that the facade and the commands use: every dialect and every transform of the project. */
import {
  bufferizationInterfaces,
  oneShotBufferizePass,
  transforms as bufferization,
} from '@sconv/bufferization';
import { payloadDialects } from '@sconv/dialects';
import type { Registry } from '@sconv/ir';
import { createRegistry, extendRegistry } from '@sconv/ir';
import { transforms as normalization } from '@sconv/normalization';
import { transforms as packing } from '@sconv/packing';
import { transforms as slicing } from '@sconv/slicing';
import { transforms as splitting } from '@sconv/splitting';
import { transforms as tiling } from '@sconv/tiling';
import type { TransformOpDefinition } from '@sconv/transform';
import { transformDialect, transformDialectOf, transformInterpreterPass } from '@sconv/transform';
import { wasmLowerings } from '@sconv/wasm';

/** The transforms of the packages of passes; those of the transform dialect itself are in `transformDialect`. */
export const transformOps: readonly { readonly definition: TransformOpDefinition }[] = [
  ...normalization,
  ...splitting,
  ...tiling,
  ...packing,
  ...slicing,
  ...bufferization,
];

/** Every payload dialect, every transform op and every pass, and what passes know of operations. A value: nothing changes by importing it. */
export const defaultRegistry: Registry = extendRegistry(
  createRegistry([...payloadDialects, transformDialect]),
  [transformDialectOf(transformOps)],
  [...bufferizationInterfaces, ...wasmLowerings],
  [transformInterpreterPass, oneShotBufferizePass],
);
