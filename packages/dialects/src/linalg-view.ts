/** A uniform view of structured ops, named or generic: iterators, indexing maps, operands and loop ranges. */
import type { AffineMap } from '@sconv/affine';
import type { Block, Implementation, MemoryEffect, Operation, Registry, Value } from '@sconv/ir';
import { DYNAMIC, effectsBelow, implement, memoryEffects, modelOf, opInterface } from '@sconv/ir';
import { shapeOf } from './constraints.ts';
import type { IteratorType } from './linalg-iterators.ts';
import { inputsAndOutputs } from './linalg-text.ts';
import { withStaticShapes } from './speculatable-models.ts';

/** What `linalg.generic` states in attributes, and a named op implies by its name. */
export interface StructuredOp {
  /** One per iteration dimension. */
  readonly iteratorTypes: readonly IteratorType[];
  /** One per operand, inputs first: from iteration dimensions to operand dimensions. */
  readonly indexingMaps: readonly AffineMap[];
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  /** The body; undefined for a named op created without its region. */
  readonly body: Block | undefined;
  /** The size of each iteration dimension; `DYNAMIC` where unknown. */
  readonly loopRanges: readonly number[];
}

/** The attribute in which upstream memoizes the maps of a named op. */
export const memoizedMaps = 'linalg.memoized_indexing_maps';

/** The view of the operations with one name; throws if the attributes are invalid. */
export type StructuredView = (operation: Operation) => StructuredOp;

/** An op with iterators, indexing maps and a scalar body: upstream's `LinalgStructuredInterface`. */
export const structuredOp = opInterface<StructuredView>('structured-op');

/** Whether an operation is structured: has iterators, indexing maps and a scalar body. */
export const isStructured = (registry: Registry, operation: Operation): boolean =>
  modelOf(registry, structuredOp, operation) !== undefined;

/** The structured view of an operation; undefined if it is not structured. */
export const structured = (registry: Registry, operation: Operation): StructuredOp | undefined =>
  modelOf(registry, structuredOp, operation)?.(operation);

/** The interfaces of a structured op: its view, and that it reads its operands and writes its outputs. */
export const structuredInterfaces = (view: StructuredView): readonly Implementation[] => [
  implement(structuredOp, view),
  withStaticShapes,
  implement(memoryEffects, (operation, registry) => structuredEffects(view, operation, registry)),
];

/** Effects on its buffer operands, plus those of its body. */
const structuredEffects = (
  view: StructuredView,
  operation: Operation,
  registry: Registry,
): readonly MemoryEffect[] | undefined => {
  const body = effectsBelow(registry, operation);
  const isBuffer = ({ type }: Value) => type.kind === 'memref';
  if (body === undefined || !operation.operands.some(isBuffer)) return body;
  const { inputs, outputs } = view(operation);
  return [
    ...body,
    ...[...inputs, ...outputs].filter(isBuffer).map((value): MemoryEffect => ({ kind: 'read', value })),
    ...outputs.filter(isBuffer).map((value): MemoryEffect => ({ kind: 'write', value })),
  ];
};

/**
 * The size of each iteration dimension: that of the first operand dimension that it alone indexes, as upstream's
 * inverse of the concatenated maps. `DYNAMIC` if that is dynamic or does not exist.
 */
export const loopRangesOf = (
  rank: number,
  maps: readonly AffineMap[],
  operands: readonly Value[],
): readonly number[] => {
  const ranges = new Array<number | undefined>(rank).fill(undefined);
  for (let i = 0; i < maps.length; i++) {
    const { results } = maps[i]!;
    const operand = operands[i];
    const shape = operand === undefined ? undefined : shapeOf(operand.type);
    for (let position = 0; position < results.length; position++) {
      const result = results[position]!;
      if (result.kind === 'dim') ranges[result.position] ??= shape?.[position] ?? DYNAMIC;
    }
  }
  return ranges.map((range) => range ?? DYNAMIC);
};

/** The view of `operation` with these iterators and maps. */
export const structuredViewOf = (
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
