/**
 * Kernels: what backends have code of their own for, as ops on buffers. `form-kernels` (`@sconv/kernels`) makes them of
 * structured ops after bufferization; before that, a schedule's decisions are attributes, which upstream reads.
 *
 * @deviation No dialect of upstream. The ops have no custom assembly: given `kernel.irdl.mlir` of `@sconv/kernels`,
 * `mlir-opt` reads them.
 */
import type { Dialect } from '@sconv/ir';
import { conversionSteps, microkernel, pack } from './kernel-ops.ts';

export { conversionSteps, microkernel, pack };
export type { ConversionName } from './kernel-ops.ts';
export { microkernelView, packingView } from './kernel-views.ts';
export type { ConversionStep, Microkernel, PackedMargin, Packing, SumStart } from './kernel-views.ts';

/** The dialect, for a registry. */
export const kernelDialect: Dialect = { name: 'kernel', operations: [microkernel, pack] };
