/** Tells transform ops from other definitions. */
import type { OpDefinition } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';

/** Whether an operation definition is a transform op. */
export const isTransformOp = (definition: OpDefinition): definition is TransformOpDefinition =>
  'transform' in definition;

/** Whether the op can run; others are only parsed, verified and printed. */
export const hasBehaviour = ({ transform: { behaviour } }: TransformOpDefinition): boolean =>
  Object.values(behaviour).some((each) => each !== undefined);
