/** Resolves payload ids in a module. */
import type { Id, Module, Operation, Registry, Rewriter, Value } from '@sconv/ir';
import { findOperation, walk } from '@sconv/ir';
import type { Payload, PayloadItem, ResolvedPayload } from './payload.ts';

/** The operations with these ids that a module has. */
export const operationsWith = (
  module: Module,
  ids: readonly Id[],
  registry: Registry,
): readonly Operation[] => {
  const found: Operation[] = [];
  for (const id of ids) {
    const operation = findOperation(module, id, registry);
    if (operation !== undefined) found.push(operation);
  }
  return found;
};

/** A value, with the operation that defines it or whose block it is an argument of. */
export interface LocatedValue {
  readonly value: Value;
  readonly operation: Operation;
}

/** The values with these ids that a module has. */
export const valuesWith = (module: Module, ids: readonly Id[]): readonly LocatedValue[] => {
  const found = new Map<Id, LocatedValue>();
  for (const operation of walk(module.root)) {
    for (const value of valuesOf(operation)) found.set(value.id, { value, operation });
  }
  return ids.flatMap((id) => found.get(id) ?? []);
};

/** The results of an operation and the arguments of its blocks. */
const valuesOf = (operation: Operation): readonly Value[] => [
  ...operation.results,
  ...operation.regions.flatMap(({ blocks }) => blocks.flatMap((block) => block.arguments)),
];

/** Describes which result or block argument of its operation a value is. */
export const placeOf = (value: Id, { results, regions }: Operation): string => {
  const isValue = ({ id }: Value) => id === value;
  const result = results.findIndex(isValue);
  if (result >= 0) return `result #${result}`;
  for (const [r, { blocks }] of regions.entries()) {
    for (const [b, block] of blocks.entries()) {
      const argument = block.arguments.findIndex(isValue);
      if (argument >= 0) return `block argument #${argument} of block #${b} in region #${r}`;
    }
  }
  throw new Error('a value that its operation does not define');
};

/** Resolves a payload in a module. */
export const resolvePayload = (module: Module, payload: Payload, registry: Registry): ResolvedPayload => {
  switch (payload.kind) {
    case 'operations':
      return { kind: 'operations', operations: operationsWith(module, payload.ids, registry) };
    case 'values':
      return { kind: 'values', values: valuesWith(module, payload.ids).map(({ value }) => value) };
    case 'params':
      return payload;
  }
};

/** Resolves a payload for an edit of `module`: operations as drafts, values with their owners thawed. */
export const draftItems = (module: Module, payload: Payload, rewriter: Rewriter): readonly PayloadItem[] => {
  switch (payload.kind) {
    case 'operations':
      return payload.ids.map((id) => rewriter.find(id));
    case 'values':
      return valuesWith(module, payload.ids).map(({ value, operation }) => {
        rewriter.find(operation);
        return value;
      });
    case 'params':
      return payload.attributes;
  }
};
