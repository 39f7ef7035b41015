/** Types in messages. */
import type { Type } from '@sconv/ir';
import { printType } from '@sconv/ir';

/** The text of a type, as `mlir-opt` prints it. */
export const typeText = (type: Type): string => printType(type);
