/** Which definitions are those of transform ops. */
import type { OpDefinition } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';

/** Whether an operation definition is a transform op. */
export const isTransformOp = (definition: OpDefinition): definition is TransformOpDefinition =>
  'transform' in definition;

/** Whether a run does something with the op; others are read, verified and written alone. */
export const hasBehaviour = ({ transform: { behaviour } }: TransformOpDefinition): boolean =>
  Object.values(behaviour).some((each) => each !== undefined);
