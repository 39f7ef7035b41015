/** Whether different indices of a buffer are different memory: what those ask that compare indices. */
import type { Rewriter, Value } from '@sconv/ir';
import { cast, collapseShape, expandShape, memorySpaceCast, subview, transpose } from './memref.ts';
import { mixedSlice } from './mixed-indices.ts';
import { hasElementsApart } from './strided-layout.ts';

/**
 * Whether elements of a buffer or tensor with different indices are apart: by its type, or as a view of a buffer whose
 * elements are, such as one with dynamic strides. A layout may overlap itself (`strided<[1, 1]>`). With `along`, the
 * indices differ in these dimensions only.
 */
export const areElementsApart = (rewriter: Rewriter, value: Value, along?: readonly number[]): boolean => {
  if (value.type.kind !== 'memref' || hasElementsApart(value.type, along)) return true;
  for (let at = value; !(at.type.kind === 'memref' && hasElementsApart(at.type));) {
    const definition = rewriter.definingOperation(at);
    if (definition === undefined) return false;
    const isPart =
      subview.is(definition) &&
      mixedSlice(definition).strides.every((stride) => typeof stride === 'number' && stride !== 0);
    if (!isPart && !sameElements.some((op) => op.is(definition))) return false;
    at = definition.operands[0]!;
  }
  return true;
};

const sameElements = [cast, collapseShape, expandShape, memorySpaceCast, transpose];
