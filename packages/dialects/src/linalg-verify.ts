/** The checks of upstream's structured-op interface, with its messages. */
import type { AffineMap } from '@sconv/affine';
import { printMap } from '@sconv/affine';
import type { Operation } from '@sconv/ir';
import { DYNAMIC, typeEquals } from '@sconv/ir';
import { elementTypeOf, shapeOf } from './constraints.ts';
import { evaluateMap } from './evaluate-map.ts';
import type { StructuredOp } from './linalg-view.ts';
import { typeText } from './type-text.ts';

/** Errors of a structured op; stops at the first that makes later checks meaningless. */
export function* verifyStructured(view: StructuredOp, operation: Operation): Generator<string> {
  const kinds = new Set(operation.operands.map(({ type }) => type.kind));
  if (kinds.has('tensor') && kinds.has('memref')) {
    yield 'expected to have pure tensor or buffer semantics';
    return;
  }
  for (const check of [mapErrors, bodyErrors, shapeErrors]) {
    const errors = [...check(view, operation)];
    yield* errors;
    if (errors.length > 0) return;
  }
}

function* mapErrors(view: StructuredOp, operation: Operation): Generator<string> {
  const { indexingMaps, iteratorTypes } = view;
  const { operands } = operation;
  if (indexingMaps.length !== operands.length) {
    yield (
      `expected the number of indexing_map (${indexingMaps.length}) to be equal to the number of ` +
      `input/output operands (${operands.length})`
    );
    return;
  }
  const loops = iteratorTypes.length;
  for (const [i, map] of indexingMaps.entries()) {
    const rank = shapeOf(operands[i]!.type)?.length ?? 0;
    if (map.numSymbols !== 0) yield `unexpected symbols in indexing_map #${i}`;
    if (map.numDims !== loops) {
      yield `expected indexing_map #${i} to have ${loops} dim(s) to match the number of loops`;
    }
    if (map.results.length !== rank) {
      yield `expected operand rank (${rank}) to match the result rank of indexing_map #${i} (${map.results.length})`;
    }
  }
  if (!everyLoopIsIndexed(indexingMaps, loops)) yield 'expected the shape-to-loops map to be non-null';
}

/** Whether each loop alone indexes some operand dimension, so that its range follows from the shapes. */
export const everyLoopIsIndexed = (maps: readonly AffineMap[], loops: number): boolean => {
  const indexed = new Set(
    maps.flatMap((map) => map.results.flatMap((result) => (result.kind === 'dim' ? [result.position] : []))),
  );
  return indexed.size === loops;
};

function* bodyErrors(view: StructuredOp, operation: Operation): Generator<string> {
  const [block] = operation.regions[0]!.blocks;
  if (block === undefined) {
    yield 'expects to have 1 region with 1 block';
    return;
  }
  // The body of linalg.map only has arguments for the inputs.
  const operands = operation.name === 'linalg.map' ? view.inputs : operation.operands;
  if (block.arguments.length !== operands.length) {
    yield 'expected as many non-induction variable region arguments as the number of input/output operands';
    return;
  }
  for (const [i, operand] of operands.entries()) {
    const element = elementTypeOf(operand.type);
    const argument = block.arguments[i]!;
    if (!typeEquals(argument.type, element)) {
      yield (
        `expected type of bb argument #${i} ('${typeText(argument.type)}') to match element or self ` +
        `type of the corresponding operand ('${typeText(element)}')`
      );
    }
  }
}

function* shapeErrors(view: StructuredOp, operation: Operation): Generator<string> {
  if (view.loopRanges.includes(DYNAMIC)) return;
  const first = view.loopRanges.map(() => 0);
  const last = view.loopRanges.map((size) => size - 1);
  for (const [i, map] of view.indexingMaps.entries()) {
    const shape = shapeOf(operation.operands[i]!.type) ?? [];
    const [starts, ends] = [evaluateMap(map, first), evaluateMap(map, last)];
    if (starts === undefined || ends === undefined) continue;
    for (const [position, size] of shape.entries()) {
      if (size === DYNAMIC || size === 0) continue;
      const [start, end] = [starts[position]!, ends[position]!];
      const inferred = Math.max(start, end) + 1;
      if (Math.min(start, end) < 0) {
        yield `unexpected result less than 0 at expression #${position} in ${printMap(map)}`;
      } else if (map.results[position]!.kind === 'dim') {
        if (inferred !== size) {
          yield (
            `inferred input/output operand #${i} has shape's dimension #${position} to be ${inferred}, ` +
            `but found ${size}`
          );
        }
      } else if (inferred > size) {
        yield (
          `inferred input/output operand #${i} has shape's dimension #${position} to be greater than ` +
          `or equal to ${inferred}, but found ${size}`
        );
      }
    }
  }
}
