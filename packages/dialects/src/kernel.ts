/**
 * Kernels: what backends have code of their own for, as ops on buffers. `form-kernels` (`@sconv/kernels`) makes them of
 * structured ops after bufferization; before that, a schedule's decisions are attributes, which upstream reads.
 *
 * @deviation No dialect of upstream. The ops have no custom assembly: given `kernel.irdl.mlir` of `@sconv/kernels`,
 * `mlir-opt` reads them.
 */
import type { Dialect } from '@sconv/ir';
import { contract, conversionSteps, kernelLanes, microkernel, pack } from './kernel-ops.ts';

export { contract, conversionSteps, kernelLanes, microkernel, pack };
export { contractSpace } from './kernel-contract.ts';
export type { ContractSpace } from './kernel-contract.ts';
export type { ConversionName, KernelLanes } from './kernel-ops.ts';
export { coversOnce, numbersOfPass, passOf } from './kernel-tiles.ts';
export type { KernelPass, KernelTile } from './kernel-tiles.ts';
export { contractView, microkernelView, packingView } from './kernel-views.ts';
export type {
  ContractKernel,
  ConversionStep,
  Microkernel,
  PackedMargin,
  Packing,
  SumStart,
} from './kernel-views.ts';

/** The dialect, for a registry. */
export const kernelDialect: Dialect = { name: 'kernel', operations: [microkernel, contract, pack] };
