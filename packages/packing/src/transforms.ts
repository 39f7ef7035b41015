/** The transform ops of this package: recording functions, and a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { lowerPack, lowerUnpack, pack, packOps, packTranspose } from './transforms/pack-ops.ts';
import { packWindows } from './transforms/pack-windows.ts';
import { packFilters } from './transforms/pack-filters.ts';
import { hoistPad, hoistPadBuildPackingLoopNest, hoistPadOps } from './transforms/hoist-pad.ts';
import { pad } from './transforms/pad-ops.ts';
import { packPlanes } from './transforms/pack-planes.ts';
import { promote } from './transforms/promote.ts';
import { formMicrokernel } from './transforms/form-microkernel.ts';
import { multipack } from './transforms/multipack.ts';

export { packFailures } from './transforms/pack-failures.ts';
export {
  packWindows,
  packFilters,
  formMicrokernel,
  multipack,
  pack,
  packTranspose,
  lowerPack,
  lowerUnpack,
  pad,
  hoistPad,
  hoistPadBuildPackingLoopNest,
  promote,
  packPlanes,
};

/** In pipeline order, then upstream's. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  packWindows,
  packFilters,
  formMicrokernel,
  multipack,
  packPlanes,
  ...packOps,
  pad,
  ...hoistPadOps,
  promote,
];
