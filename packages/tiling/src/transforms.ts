/** The transform ops of this package, for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import { gatherOperandOp } from './gather-operand.ts';
import { swapInductionVarsOp } from './swap-induction-vars.ts';
import { tileUsingForOp } from './tile-using-for.ts';

/** In the order of the pipeline. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  gatherOperandOp,
  tileUsingForOp,
  swapInductionVarsOp,
];
