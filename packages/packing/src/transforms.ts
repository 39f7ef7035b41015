/** The transform ops of this package, as functions that record them, and as a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { packOps } from './transforms/pack-ops.ts';
import { packWindows } from './transforms/pack-windows.ts';
import { packFilters } from './transforms/pack-filters.ts';
import { formMicrokernel } from './transforms/form-microkernel.ts';
import { multipack } from './transforms/multipack.ts';

export { packWindows, packFilters, formMicrokernel, multipack };

/** In the order of the pipeline, then upstream's. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  packWindows,
  packFilters,
  formMicrokernel,
  multipack,
  ...packOps,
];
