/**
 * Buffers that hold nothing but a packed constant: weights, packed as the microkernel reads them. They keep a place of
 * their own, and are packed in the first call only.
 */
import { isLinalgOp, structured } from '@sconv/dialects/linalg';
import type { Id, Module, Operation, Value } from '@sconv/ir';
import { walk } from '@sconv/ir';

/** Operations whose result is the same memory as their first operand. */
const views = new Set([
  'memref.subview',
  'memref.cast',
  'memref.collapse_shape',
  'memref.expand_shape',
  'memref.reinterpret_cast',
]);

/** How an operation uses a buffer; anything else may keep or change it. */
const usage = (operation: Operation, value: Value): 'view' | 'read' | 'write' | 'other' => {
  if (views.has(operation.name)) return 'view';
  switch (operation.name) {
    case 'memref.load':
    case 'memref.dealloc':
    case 'memref.dim':
      return 'read';
    case 'memref.store':
    case 'memref.copy':
      return operation.operands[1]?.id === value.id ? 'write' : 'read';
    default:
      if (!isLinalgOp(operation) || operation.regions.length === 0) return 'other';
      return structured(operation).outputs.some(({ id }) => id === value.id) ? 'write' : 'read';
  }
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
const onlyWriter = (uses: Uses, buffer: Value): Operation | undefined => {
  const writers: Operation[] = [];
  const pending = [buffer];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { operation, value } of uses.users.get(next.id) ?? []) {
      const kind = usage(operation, value);
      if (kind === 'other') return undefined;
      if (kind === 'write') writers.push(operation);
      if (kind === 'view') pending.push(...operation.results);
    }
  }
  return writers.length === 1 ? writers[0] : undefined;
};

/** Whether the operation has no inputs but elements of constant globals, which its body loads. */
const readsConstants = (uses: Uses, constants: ReadonlySet<string>, operation: Operation): boolean => {
  if (operation.name !== 'linalg.generic' || structured(operation).inputs.length > 0) return false;
  const loads = [...walk(operation)].filter(({ name }) => name === 'memref.load');
  return (
    loads.length > 0 &&
    loads.every((load) => {
      let definition = uses.definitions.get(load.operands[0]?.id ?? -1);
      while (definition !== undefined && views.has(definition.name)) {
        definition = uses.definitions.get(definition.operands[0]?.id ?? -1);
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
export const findPackedConstants = (module: Module): readonly PackedConstant[] => {
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
    const packing = result === undefined ? undefined : onlyWriter(uses, result);
    if (packing === undefined || !readsConstants(uses, constants, packing)) return [];
    return [{ allocation, packing }];
  });
};
