/** Upstream's checks of `collapse_shape`, `expand_shape` and `reshape`. */
import type { MemRefType, TensorType, UnrankedMemRefType, UnrankedTensorType } from '@sconv/ir';
import { DYNAMIC, typeEquals } from '@sconv/ir';
import type { Reassociation } from './attribute-kinds.ts';
import { shapeOf } from './constraints.ts';

type ShapedType = TensorType | UnrankedTensorType | MemRefType | UnrankedMemRefType;

/** Errors of the reassociation between a shape of higher rank (`expanded`) and one of lower rank (`collapsed`). */
export function* reassociationErrors(
  expanded: readonly number[],
  collapsed: readonly number[],
  groups: Reassociation,
): Generator<string> {
  if (collapsed.length === 0) {
    if (expanded.some((size) => size !== 1)) {
      yield 'invalid to reshape tensor/memref with non-unit extent dimensions to zero-rank tensor/memref';
    }
    return;
  }
  if (groups.length !== collapsed.length) {
    yield `expected collapsed rank (${collapsed.length}) to equal the number of reassociation maps (${groups.length}).`;
    return;
  }
  let next = 0;
  for (const [g, group] of groups.entries()) {
    if (group.some((position) => position !== next++)) {
      yield `expected reassociation map #${g} to be valid and contiguous`;
      return;
    }
  }
  if (next !== expanded.length) {
    yield `expected reassociation map #${groups.length - 1} to be of same rank as expanded type`;
    return;
  }
  for (const [g, group] of groups.entries()) {
    yield* groupErrors(
      group.map((i) => expanded[i]!),
      collapsed[g]!,
      g,
    );
  }
}

function* groupErrors(sizes: readonly number[], collapsed: number, position: number): Generator<string> {
  if (sizes.includes(DYNAMIC)) {
    if (collapsed !== DYNAMIC) {
      yield (
        `expected dimension ${position} of collapsed type to be dynamic since one or more of the ` +
        'corresponding dimensions in the expanded type is dynamic'
      );
    }
    return;
  }
  const product = sizes.reduce((a, b) => a * b, 1);
  if (product !== collapsed) {
    yield `expected dimension ${position} of collapsed type to be static value of ${product}`;
  }
}

/** The same for buffers, with upstream's messages for these. */
export function* bufferReassociationErrors(
  expanded: readonly number[],
  collapsed: readonly number[],
  groups: Reassociation,
): Generator<string> {
  if (groups.length !== collapsed.length) {
    yield `invalid number of reassociation groups: found ${groups.length}, expected ${collapsed.length}`;
    return;
  }
  let next = 0;
  for (const [g, group] of groups.entries()) {
    for (const position of group) {
      if (position !== next++) {
        yield 'reassociation indices must be contiguous';
        return;
      }
      if (position >= expanded.length) {
        yield `reassociation index ${position} is out of bounds`;
        return;
      }
    }
    const sizes = group.map((position) => expanded[position]!);
    const dynamic = sizes.filter((size) => size === DYNAMIC).length;
    const product = sizes.reduce((a, b) => a * b, 1);
    const size = collapsed[g]!;
    if ((size === DYNAMIC) !== dynamic > 0) {
      yield `collapsed dim (${g}) must be dynamic if and only if reassociation group is dynamic`;
    } else if (dynamic === 0 && product !== size) {
      yield `collapsed dim size (${size}) must equal reassociation group size (${product})`;
    }
  }
  if (collapsed.length === 0 && expanded.some((size) => size !== 1)) {
    yield 'rank 0 memrefs can only be extended/collapsed with/from ones';
  } else if (collapsed.length > 0 && next !== expanded.length) {
    yield `expanded rank (${expanded.length}) inconsistent with number of reassociation indices (${next})`;
  }
}

/** Errors of a reshape whose shape is an operand. */
export function* dynamicReshapeErrors(
  source: ShapedType,
  shape: TensorType | MemRefType,
  result: ShapedType,
  kind: 'tensor' | 'memref',
): Generator<string> {
  if (!typeEquals(source.elementType, result.elementType)) {
    yield `element types of source and destination ${kind} types should be the same`;
    return;
  }
  const rank = shapeOf(result)?.length;
  if (rank === undefined) return;
  const length = shape.shape[0]!;
  if (length === DYNAMIC) {
    yield `cannot use shape operand with dynamic length to reshape to statically-ranked ${kind} type`;
  } else if (length !== rank) yield `length of shape operand differs from the result's ${kind} rank`;
}
