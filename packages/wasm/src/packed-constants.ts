/**
 * Buffers that hold nothing but a packed constant: weights, packed as the microkernel reads them. They keep a place of
 * their own, and are packed in the first call only.
 */
import { viewLike } from '@sconv/dialects';
import { genericView } from '@sconv/dialects/linalg';
import type { Id, Module, Operation, Registry, Value } from '@sconv/ir';
import { effectsOf, hasTrait, modelOf, walk } from '@sconv/ir';

/** What an operation is a view of; undefined if it is none. */
const viewed = (registry: Registry, operation: Operation | undefined): Value | undefined =>
  operation && modelOf(registry, viewLike, operation)?.source(operation);

/** How an operation uses a buffer; anything else may keep or change it. */
const usage = (
  registry: Registry,
  operation: Operation,
  value: Value,
): 'view' | 'read' | 'write' | 'other' => {
  if (viewed(registry, operation)?.id === value.id) return 'view';
  const effects = effectsOf(registry, operation);
  const defined = [
    ...operation.results,
    ...operation.regions.flatMap(({ blocks }) => blocks.flatMap((block) => block.arguments)),
  ];
  const passesOn =
    hasTrait(registry, operation, 'terminator') || defined.some(({ type }) => type.kind === 'memref');
  if (effects === undefined || passesOn) return 'other';
  const writes = effects.filter(({ kind }) => kind === 'write');
  if (writes.some((effect) => effect.value === undefined)) return 'other';
  return writes.some((effect) => effect.value!.id === value.id) ? 'write' : 'read';
};

interface Uses {
  readonly definitions: ReadonlyMap<Id, Operation>;
  readonly users: ReadonlyMap<Id, readonly { readonly operation: Operation; readonly value: Value }[]>;
}

const usesIn = (root: Operation): Uses => {
  const definitions = new Map<Id, Operation>();
  const users = new Map<Id, { operation: Operation; value: Value }[]>();
  for (const operation of walk(root)) {
    for (const result of operation.results) definitions.set(result.id, operation);
    for (const value of operation.operands) {
      const known = users.get(value.id) ?? [];
      known.push({ operation, value });
      users.set(value.id, known);
    }
  }
  return { definitions, users };
};

/** The only operation that writes a buffer or a view of it; undefined if there are more, or uses that are not known. */
const onlyWriter = (registry: Registry, uses: Uses, buffer: Value): Operation | undefined => {
  const writers: Operation[] = [];
  const pending = [buffer];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { operation, value } of uses.users.get(next.id) ?? []) {
      const kind = usage(registry, operation, value);
      if (kind === 'other') return undefined;
      if (kind === 'write') writers.push(operation);
      if (kind === 'view') pending.push(...operation.results);
    }
  }
  return writers.length === 1 ? writers[0] : undefined;
};

/** Whether the operation has no inputs but elements of constant globals, which its body loads. */
const readsConstants = (
  registry: Registry,
  uses: Uses,
  constants: ReadonlySet<string>,
  operation: Operation,
): boolean => {
  if (operation.name !== 'linalg.generic' || genericView(operation).inputs.length > 0) return false;
  const loads = [...walk(operation)].filter(({ name }) => name === 'memref.load');
  return (
    loads.length > 0 &&
    loads.every((load) => {
      const definitionOf = (value: Value | undefined) => value && uses.definitions.get(value.id);
      let definition = definitionOf(load.operands[0]);
      for (let view = viewed(registry, definition); view !== undefined; view = viewed(registry, definition)) {
        definition = definitionOf(view);
      }
      const name = definition?.name === 'memref.get_global' ? definition.attributes['name'] : undefined;
      return name?.kind === 'symbol-ref' && constants.has(name.root);
    })
  );
};

/** An allocation that holds a packed constant, and the operation that packs. */
export interface PackedConstant {
  readonly allocation: Operation;
  readonly packing: Operation;
}

/** The packed constants of a module. Whether the packing also depends on loops is for its lowering to find out. */
export const findPackedConstants = (module: Module, registry: Registry): readonly PackedConstant[] => {
  const uses = usesIn(module.root);
  const constants = new Set<string>();
  const allocations: Operation[] = [];
  for (const operation of walk(module.root)) {
    const { sym_name: name, constant } = operation.attributes;
    if (operation.name === 'memref.global' && name?.kind === 'string' && constant !== undefined) {
      constants.add(name.value);
    }
    if (operation.name === 'memref.alloc') allocations.push(operation);
  }
  if (constants.size === 0) return [];
  return allocations.flatMap((allocation) => {
    const [result] = allocation.results;
    const packing = result === undefined ? undefined : onlyWriter(registry, uses, result);
    if (packing === undefined || !readsConstants(registry, uses, constants, packing)) return [];
    return [{ allocation, packing }];
  });
};
