/** Finds the elementwise ops after convolutions: a bias, an activation, a residual. */
import type { Diagnostic } from '@sconv/diagnostics';
import { warning } from '@sconv/diagnostics';
import { structured } from '@sconv/dialects/linalg';
import type { Id, Module, Operation, Registry, TensorType } from '@sconv/ir';
import { bodyOf, bytesOfElement, elementCount, walk } from '@sconv/ir';
import type { ContractionEpilogue } from '@sconv/plans';
import { epilogueViewOf } from '@sconv/tiling';

/** The elementwise ops of a module that can be fused with their producers. */
export interface Epilogues {
  /** The producers, each without other users, and what is fused after them. */
  readonly before: ReadonlyMap<Operation, ContractionEpilogue>;
  /** For those of `operations` that have other users as well. */
  readonly warnings: readonly Diagnostic[];
}

/** The elementwise ops, of the dialects of a registry, applied to results of `operations`. */
export const epiloguesOf = (
  module: Module,
  operations: readonly Operation[],
  registry: Registry,
): Epilogues => {
  const order = [...walk(module.root)];
  const definitions = new Map<Id, number>();
  const users = new Map<Id, Set<Operation>>();
  for (const [position, operation] of order.entries()) {
    for (const { id } of operation.results) definitions.set(id, position);
    for (const { id } of operation.operands) users.set(id, (users.get(id) ?? new Set()).add(operation));
  }
  const sliced = new Set(operations);
  const before = new Map<Operation, ContractionEpilogue>();
  const warnings: Diagnostic[] = [];
  for (const operation of order) {
    const view = epilogueViewOf(registry, operation);
    if (view.status !== 'success') continue;
    const positions = view.value.values.map(({ id }) => definitions.get(id) ?? -1);
    // Of several, the one computed last.
    const made = order[Math.max(-1, ...positions.filter((position) => sliced.has(order[position]!)))];
    if (made === undefined) {
      const reducing = positions.map((position) => order[position]).find(isReductionIn(registry));
      if (reducing !== undefined) {
        const message =
          'this op is not fused: only sliced convolutions take what follows them, and ' +
          `'${reducing.name}' is none`;
        warnings.push(warning('sconv/unfused', message, operation.location));
      }
      continue;
    }
    if (users.get(made.results[0]!.id)!.size === 1) before.set(made, epilogueAfter(made, users, registry));
    else {
      const message = 'this op is not fused: its operand has another user';
      warnings.push(warning('fuse-epilogue/users', message, operation.location));
    }
  }
  return { before, warnings };
};

/** The chain of elementwise ops after an operation, each the only user of what comes before it. */
const epilogueAfter = (
  made: Operation,
  users: ReadonlyMap<Id, ReadonlySet<Operation>>,
  registry: Registry,
): ContractionEpilogue => {
  const operations: string[] = [];
  const read: TensorType[] = [];
  let [result] = made.results;
  for (;;) {
    const [user, ...others] = users.get(result!.id) ?? [];
    const view = user && epilogueViewOf(registry, user);
    const isNext = view?.status === 'success' && view.value.values.some(({ id }) => id === result!.id);
    if (user === undefined || others.length > 0 || !isNext) break;
    operations.push(
      ...bodyOf(user)
        .operations.slice(0, -1)
        .map(({ name }) => name),
    );
    for (const operand of view.value.operands)
      if (operand?.value.type.kind === 'tensor' && operand.value.id !== result!.id)
        read.push(operand.value.type);
    [result] = user.results;
  }
  const bytesOf = ({ shape, elementType }: TensorType): number =>
    elementCount(shape) * (bytesOfElement(elementType) ?? 0);
  const bytes = read.reduce((sum, type) => sum + bytesOf(type), 0);
  const outputs = elementCount((result!.type as TensorType).shape);
  return { operations, operands: read.length, bytes: outputs === 0 ? 0 : bytes / outputs };
};

/**
 * Whether an operation is structured and sums, or takes the greatest: a pooling, a depthwise convolution, a matrix
 * product.
 */
const isReductionIn =
  (registry: Registry) =>
  (operation: Operation | undefined): operation is Operation =>
    operation !== undefined && structured(registry, operation)?.iteratorTypes.includes('reduction') === true;
