/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { formMicrokernelOp } from './form-microkernel.ts';
import { multipackOp } from './multipack.ts';
import { packFiltersOp } from './pack-filters.ts';
import { packWindowsOp } from './pack-windows.ts';

/** In the order of the pipeline. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  packWindowsOp,
  packFiltersOp,
  formMicrokernelOp,
  multipackOp,
];
