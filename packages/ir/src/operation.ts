/**
 * The IR: operations in blocks in regions, as frozen plain data without parent links or use lists. What needs those
 * works on the mutable draft of `edit`, which has the same shape.
 */
import type { Resources } from './resources.ts';
import type { Location } from '@sconv/diagnostics';
import type { Attributes } from './attribute.ts';
import type { Type } from './type.ts';

/** Identity of an operation, value or block; unique in its module, and kept by every edit that does not replace it. */
export type Id = number;

/** A result of an operation or an argument of a block. */
export interface Value<T extends Type = Type> {
  readonly id: Id;
  readonly type: T;
}

/** Operations in order, the last of them a terminator where the surrounding op wants one. */
export interface Block {
  readonly id: Id;
  readonly arguments: readonly Value[];
  readonly operations: readonly Operation[];
}

/** Blocks in order, the first of them the entry. */
export interface Region {
  readonly blocks: readonly Block[];
}

/** An operation; see `defineOp` for what may be known of it by its name. */
export interface Operation {
  /** Survives edits; unique in a module and all that was made from it, but not across several edits of the same module. */
  readonly id: Id;
  /** With its dialect: `linalg.generic`. */
  readonly name: string;
  readonly operands: readonly Value[];
  readonly results: readonly Value[];
  readonly attributes: Attributes;
  readonly regions: readonly Region[];
  /** Ids of the blocks that a terminator may branch to. */
  readonly successors: readonly Id[];
  readonly location: Location;
}

/** A `builtin.module` and the first id that is free in it. */
export interface Module {
  readonly root: Operation;
  readonly nextId: Id;
  /** What its text holds besides operations. */
  readonly resources?: Resources;
}

/** The operations directly in `operation`'s regions, in order. */
export const children = (operation: Operation): Operation[] => {
  const found: Operation[] = [];
  for (const { blocks } of operation.regions) for (const { operations } of blocks) found.push(...operations);
  return found;
};

/** `operation` and everything below it, parents before children. */
export function* walk(operation: Operation): Generator<Operation> {
  const left = [operation];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next;
    if (next.regions.length > 0) left.push(...children(next).toReversed());
  }
}

/** What `walk` gives, as a list: all operations of a draft are drafts. */
export const operationsIn = <O extends Operation>(operation: O): O[] => {
  const found: O[] = [];
  const visit = (at: Operation): void => {
    found.push(at as O);
    for (const { blocks } of at.regions) {
      for (const { operations } of blocks) for (const child of operations) visit(child);
    }
  };
  visit(operation);
  return found;
};

/** `operation` and everything below it, parents after children. */
export function* walkPostOrder(operation: Operation): Generator<Operation> {
  for (const child of children(operation)) yield* walkPostOrder(child);
  yield operation;
}

/** The name of an operation that is a symbol; undefined where it has none. */
export const symbolNameOf = ({ attributes }: Operation): string | undefined => {
  const name = attributes['sym_name'];
  return name?.kind === 'string' ? name.value : undefined;
};

/** The only block of the only region; throws if there is another, for it is only asked of ops that are verified to have it. */
export const bodyOf = <O extends Operation>(operation: O): O['regions'][number]['blocks'][number] => {
  const blocks = operation.regions[0]?.blocks;
  const block = blocks?.[0];
  if (block === undefined || operation.regions.length > 1 || blocks!.length > 1) {
    throw new Error(`${operation.name} does not have exactly one block`);
  }
  return block;
};

/** The last operation of a block. */
export const terminatorOf = (block: Block): Operation => {
  const last = block.operations.at(-1);
  if (last === undefined) throw new Error('an empty block has no terminator');
  return last;
};
