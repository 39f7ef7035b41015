/** Structured ops under one view, whatever their form: iterators, indexing maps, operands and loop ranges. */
import type { AffineMap } from '@sconv/affine';
import type { Block, Operation, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import { shapeOf } from './constraints.ts';
import type { IteratorType } from './linalg-iterators.ts';
import { inputsAndOutputs } from './linalg-text.ts';

/** What `linalg.generic` says in its attributes and a named op by its name. */
export interface StructuredOp {
  /** One for each iteration dimension. */
  readonly iteratorTypes: readonly IteratorType[];
  /** One for each operand, inputs first: from iteration dimensions to the dimensions of the operand. */
  readonly indexingMaps: readonly AffineMap[];
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  /** The body; undefined in a named op that was made without its region. */
  readonly body: Block | undefined;
  /** The size of each iteration dimension; `DYNAMIC` where unknown. */
  readonly loopRanges: readonly number[];
}

/**
 * The size of each iteration dimension: that of the first operand dimension which is indexed by it alone, as upstream's
 * inverse of the concatenated maps. `DYNAMIC` where it is dynamic, or where no operand is indexed so.
 */
export const loopRangesOf = (
  rank: number,
  maps: readonly AffineMap[],
  operands: readonly Value[],
): readonly number[] => {
  const ranges = Array.from({ length: rank }, () => DYNAMIC);
  const known = new Set<number>();
  maps.forEach((map, i) => {
    const operand = operands[i];
    const shape = operand === undefined ? undefined : shapeOf(operand.type);
    map.results.forEach((result, position) => {
      if (result.kind !== 'dim' || known.has(result.position)) return;
      known.add(result.position);
      ranges[result.position] = shape?.[position] ?? DYNAMIC;
    });
  });
  return ranges;
};

/** The view of `operation` with these iterators and maps. */
export const viewOf = (
  operation: Operation,
  iteratorTypes: readonly IteratorType[],
  indexingMaps: readonly AffineMap[],
): StructuredOp => {
  const { inputs, outputs } = inputsAndOutputs(operation);
  return {
    iteratorTypes,
    indexingMaps,
    inputs,
    outputs,
    body: operation.regions[0]?.blocks[0],
    loopRanges: loopRangesOf(iteratorTypes.length, indexingMaps, operation.operands),
  };
};
