/** The registry that the facade and the commands use: every dialect and every transform of the project. */
import { oneShotBufferizeOp } from '@sconv/bufferization';
import { payloadDialects } from '@sconv/dialects';
import type { Registry } from '@sconv/ir';
import { createRegistry, extendRegistry } from '@sconv/ir';
import { delinearizeOp, generalizeOp, linearizeOp } from '@sconv/normalization';
import { formMicrokernelOp, multipackOp, packFiltersOp, packWindowsOp } from '@sconv/packing';
import { sconvOp } from '@sconv/slicing';
import { splitOp } from '@sconv/splitting';
import { gatherOperandOp, swapInductionVarsOp, tileUsingForOp } from '@sconv/tiling';
import type { TransformOp } from '@sconv/transform';
import { transformDialect, transformDialectOf } from '@sconv/transform';

/** The transforms of the packages of passes; those of the transform dialect itself are in `transformDialect`. */
export const transformOps: readonly Pick<TransformOp, 'definition'>[] = [
  generalizeOp,
  linearizeOp,
  delinearizeOp,
  splitOp,
  gatherOperandOp,
  tileUsingForOp,
  swapInductionVarsOp,
  packWindowsOp,
  packFiltersOp,
  formMicrokernelOp,
  multipackOp,
  sconvOp,
  oneShotBufferizeOp,
];

/** Every payload dialect and every transform op. A value: nothing changes by importing it. */
export const defaultRegistry: Registry = extendRegistry(
  createRegistry([...payloadDialects, transformDialect]),
  [transformDialectOf(transformOps)],
);
