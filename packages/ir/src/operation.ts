/**
 * The IR: operations in blocks in regions, as frozen plain data without parent links or use lists. Code that needs
 * those uses the mutable draft of `edit`, which has the same shape.
 */
import type { Resources } from './resources.ts';
import type { Location } from '@sconv/diagnostics';
import type { Attributes } from './attribute.ts';
import { expectOperation } from './check-module.ts';
import type { Type } from './type.ts';

/** The identity of an operation, value or block; unique in its module, kept by every edit that does not replace it. */
export type Id = number;

/** A result of an operation or an argument of a block. */
export interface Value<T extends Type = Type> {
  readonly id: Id;
  readonly type: T;
  /** Of an argument of a block, where it is known; a result has that of its operation. */
  readonly location?: Location;
}

/** Operations in order, the last one a terminator if the parent op requires one. */
export interface Block {
  readonly id: Id;
  readonly arguments: readonly Value[];
  readonly operations: readonly Operation[];
}

/** Blocks in order, the first one the entry. */
export interface Region {
  readonly blocks: readonly Block[];
}

/** An operation; its name determines its definition (`defineOp`). */
export interface Operation {
  /**
   * Survives edits; unique in a module and everything derived from it, but not across separate edits of the same
   * module.
   */
  readonly id: Id;
  /** Including its dialect: `linalg.generic`. */
  readonly name: string;
  readonly operands: readonly Value[];
  readonly results: readonly Value[];
  readonly attributes: Attributes;
  readonly regions: readonly Region[];
  /** Ids of a terminator's successor blocks. */
  readonly successors: readonly Id[];
  readonly location: Location;
}

/** A `builtin.module`, and its first free id. */
export interface Module {
  readonly root: Operation;
  readonly nextId: Id;
  /** Non-operation contents of its text. */
  readonly resources?: Resources;
}

/** The operations directly in `operation`'s regions, in order. */
export const children = (operation: Operation): Operation[] => {
  expectOperation('the parent', operation);
  const found: Operation[] = [];
  for (const { blocks } of operation.regions) for (const { operations } of blocks) found.push(...operations);
  return found;
};

/** `operation` and everything below it, in pre-order. */
export function* walk(operation: Operation): Generator<Operation> {
  expectOperation('what is walked', operation);
  const left = [operation];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next;
    if (next.regions.length > 0) left.push(...children(next).toReversed());
  }
}

/** The operations of `walk` as a list: for a draft, all are drafts. */
export const operationsIn = <O extends Operation>(operation: O): O[] => {
  const found: O[] = [];
  addOperationsIn(operation, found);
  return found;
};

const addOperationsIn = (operation: Operation, found: Operation[]): void => {
  found.push(operation);
  for (const { blocks } of operation.regions) {
    for (const { operations } of blocks)
      // By index: an iterator of a frozen list is an object for each step.
      for (let i = 0, { length } = operations; i < length; i += 1) addOperationsIn(operations[i]!, found);
  }
};

/** `operation` and everything below it, in post-order. */
export function* walkPostOrder(operation: Operation): Generator<Operation> {
  for (const child of children(operation)) yield* walkPostOrder(child);
  yield operation;
}

/** The symbol name of an operation; undefined if it has none. */
export const symbolNameOf = ({ attributes }: Operation): string | undefined => {
  const name = attributes['sym_name'];
  return name?.kind === 'string' ? name.value : undefined;
};

/** Whether only the symbol table around it can refer to an operation. */
export const isPrivate = ({ attributes: { sym_visibility: visibility } }: Operation): boolean =>
  visibility?.kind === 'string' && visibility.value === 'private';

/** The only block of the only region; throws if there are others: only for ops verified to have it. */
export const bodyOf = <O extends Operation>(operation: O): O['regions'][number]['blocks'][number] => {
  const blocks = operation.regions[0]?.blocks;
  const block = blocks?.[0];
  if (block === undefined || operation.regions.length > 1 || blocks!.length > 1) {
    throw new Error(`${operation.name} does not have exactly one block`);
  }
  return block;
};

/** The last operation of a block; throws if it is empty. */
export const terminatorOf = <O extends Operation>(block: {
  readonly operations: readonly O[];
  readonly last?: O | undefined;
}): O => {
  // A draft block knows it without listing the others.
  const last = 'last' in block ? block.last : block.operations.at(-1);
  if (last === undefined) throw new Error('an empty block has no terminator');
  return last;
};
