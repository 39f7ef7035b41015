/** Structural equivalence of operations, including regions: upstream's `OperationEquivalence`. */
import type { Block, Id, Operation, Registry, Value } from '@sconv/ir';
import { attributeEquals, hasTrait, typeEquals } from '@sconv/ir';

/** Whether two operations compute the same, given equal values in `mapping`. Never true for branches. */
export const sameOperation = (
  registry: Registry,
  a: Operation,
  b: Operation,
  mapping = new Map<Id, Id>(),
): boolean =>
  a.successors.length === 0 && b.successors.length === 0 && equalOperations(registry, a, b, mapping);

const equalOperations = (registry: Registry, a: Operation, b: Operation, mapping: Map<Id, Id>): boolean =>
  a.name === b.name &&
  sameOperands(registry, a, b, mapping) &&
  sameTypes(a.results, b.results) &&
  sameAttributes(a, b) &&
  a.successors.length === b.successors.length &&
  a.successors.every((id, i) => id === b.successors[i]) &&
  a.regions.length === b.regions.length &&
  a.regions.every(({ blocks }, i) => {
    const others = b.regions[i]!.blocks;
    return (
      blocks.length === others.length &&
      blocks.every((block, at) => equalBlocks(registry, block, others[at]!, mapping))
    );
  });

/** Whether two blocks compute the same, given equal values in `mapping`, and have the same successors. */
export const equalBlocks = (registry: Registry, a: Block, b: Block, mapping = new Map<Id, Id>()): boolean => {
  if (!sameTypes(a.arguments, b.arguments) || a.operations.length !== b.operations.length) return false;
  a.arguments.forEach(({ id }, i) => mapping.set(id, b.arguments[i]!.id));
  return a.operations.every((operation, i) => {
    const other = b.operations[i]!;
    if (!equalOperations(registry, operation, other, mapping)) return false;
    operation.results.forEach(({ id }, position) => mapping.set(id, other.results[position]!.id));
    return true;
  });
};

/**
 * A text that is the same for blocks that compute the same, and another for most that do not: the names of their
 * operations, with the values from elsewhere.
 */
export const summaryOf = (blocks: readonly Block[]): string => {
  const inside = new Set<Id>();
  let summary = '';
  const visit = ({ arguments: given, operations }: Block): void => {
    for (const { id } of given) inside.add(id);
    for (const { name, operands, results, regions } of operations) {
      const outside = operands.flatMap(({ id }) => (inside.has(id) ? [] : [id]));
      // The order does not matter where an operation is commutative.
      summary += ` ${name}(${outside.sort((a, b) => a - b).join(',')})`;
      for (const { id } of results) inside.add(id);
      for (const region of regions) region.blocks.forEach(visit);
    }
  };
  blocks.forEach(visit);
  return summary;
};

const sameOperands = (
  registry: Registry,
  a: Operation,
  b: Operation,
  mapping: ReadonlyMap<Id, Id>,
): boolean => {
  if (a.operands.length !== b.operands.length) return false;
  const left = a.operands.map(({ id }) => mapping.get(id) ?? id);
  const right = b.operands.map(({ id }) => id);
  if (hasTrait(registry, a, 'commutative')) {
    left.sort((x, y) => x - y);
    right.sort((x, y) => x - y);
  }
  return left.every((id, i) => id === right[i]);
};

const sameTypes = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every(({ type }, i) => typeEquals(type, b[i]!.type));

const sameAttributes = (a: Operation, b: Operation): boolean =>
  a.attributes === b.attributes ||
  attributeEquals(
    { kind: 'dictionary', entries: a.attributes },
    { kind: 'dictionary', entries: b.attributes },
  );
