/** The registry of `compileConvolution`, which a page loads: no transform or pass that it never runs. */
import { bufferizationInterfaces } from '@sconv/bufferization';
import { payloadDialects } from '@sconv/dialects';
import type { Registry } from '@sconv/ir';
import { createRegistry, extendRegistry } from '@sconv/ir';
import { delinearize, dropUnitGroup, foldPad, generalize, linearize } from '@sconv/normalization/transforms';
import { formMicrokernel, multipack, packFilters, packWindows } from '@sconv/packing/transforms';
import { assertExtents, structuredSconv } from '@sconv/slicing/transforms';
import { split } from '@sconv/splitting/transforms';
import {
  fuseEpilogue,
  gatherOperand,
  swapInductionVars,
  tileUsingFor,
  tileUsingForall,
} from '@sconv/tiling/transforms';
import {
  getConsumersOfResult,
  match,
  mergeHandles,
  namedSequence,
  payloadSources,
  splitHandle,
  transformDialectOf,
  yieldOp,
} from '@sconv/transform';
import { wasmLowerings } from '@sconv/wasm';

/** What the schedule of a target records. */
const scheduleOps = [
  assertExtents,
  delinearize,
  dropUnitGroup,
  foldPad,
  formMicrokernel,
  fuseEpilogue,
  gatherOperand,
  generalize,
  getConsumersOfResult,
  linearize,
  match,
  mergeHandles,
  multipack,
  namedSequence,
  packFilters,
  packWindows,
  split,
  splitHandle,
  structuredSconv,
  swapInductionVars,
  tileUsingFor,
  tileUsingForall,
  yieldOp,
];

/** Every payload dialect, and the transforms of the targets' schedules. */
export const convolutionRegistry: Registry = extendRegistry(
  createRegistry([...payloadDialects, transformDialectOf(scheduleOps)]),
  [],
  [...payloadSources, ...bufferizationInterfaces, ...wasmLowerings],
);
