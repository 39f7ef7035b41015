/** Which buffers a function may write. */
import { isBufferValue } from '@sconv/dialects';
import { call } from '@sconv/dialects/func';
import { extractAlignedPointerAsIndex } from '@sconv/dialects/memref';
import type { Id, Operation, Registry, Value } from '@sconv/ir';
import { effectsOf, hasTrait, memoryEffects, modelOf, symbolNameOf } from '@sconv/ir';

/** The positions of the arguments that a call may write; undefined if unknown. */
export type WrittenByCall = (operation: Operation) => ReadonlySet<number> | undefined;

/** Deeper chains of calls count as unknown. */
const maximumDepth = 200;

/** `WrittenByCall` for calls of these functions; unknown for declarations and recursive functions. */
export const writtenByCalls = (registry: Registry, functions: readonly Operation[]): WrittenByCall => {
  const byName = new Map(functions.map((each) => [symbolNameOf(each), each]));
  const known = new Map<string, ReadonlySet<number> | undefined>();
  let depth = 0;
  const find: WrittenByCall = (operation) => {
    if (!call.is(operation)) return undefined;
    const { callee } = call.attributes(operation);
    if (known.has(callee)) return known.get(callee);
    // For recursive calls.
    known.set(callee, undefined);
    const body = byName.get(callee)?.regions[0]?.blocks[0];
    if (body === undefined || depth === maximumDepth) return undefined;
    depth += 1;
    const isWritten = writtenValues(registry, byName.get(callee)!, find);
    depth -= 1;
    const positions = body.arguments.flatMap((argument, i) => (isWritten(argument) ? [i] : []));
    known.set(callee, new Set(positions));
    return known.get(callee);
  };
  return find;
};

/** A predicate: whether the function may write a buffer's memory, by declared effects, through all possible aliases. */
export const writtenValues = (
  registry: Registry,
  operation: Operation,
  writtenByCall: WrittenByCall,
): ((value: Value) => boolean) => {
  /** Values that may alias another value. */
  const made = new Map<Id, Id[]>();
  const stored = new Set<Id>();
  const visit = (parent: Operation): void => {
    const blocks = parent.regions.flatMap((region) => region.blocks);
    const inBlocks = blocks.flatMap((block) => block.arguments);
    // Returning a value does not write it.
    const handedOn = parent === operation ? [] : [...parent.results, ...inBlocks];
    for (const inner of blocks.flatMap((block) => block.operations)) {
      const isTerminator = hasTrait(registry, inner, 'terminator');
      const targets = inner.successors.length > 0 ? inBlocks : isTerminator ? handedOn : madeBy(inner);
      const ids = targets.filter(isBufferValue).map(({ id }) => id);
      const hasOnlyThoseOfItsBody =
        hasTrait(registry, inner, 'recursive-effects') &&
        modelOf(registry, memoryEffects, inner) === undefined;
      const byCall = writtenByCall(inner);
      const effects =
        hasOnlyThoseOfItsBody || isTerminator || byCall !== undefined ? [] : effectsOf(registry, inner);
      const writes = effects?.filter(({ kind }) => kind === 'write');
      // Whoever has the address may write there.
      const isUnknown =
        writes === undefined ||
        extractAlignedPointerAsIndex.is(inner) ||
        writes.some(({ value }) => value === undefined);
      for (const [position, { id, type }] of inner.operands.entries()) {
        if (type.kind !== 'memref') continue;
        made.set(id, [...(made.get(id) ?? []), ...ids]);
        const isWritten = byCall?.has(position) ?? writes?.some(({ value }) => value?.id === id);
        if (isUnknown || isWritten === true) stored.add(id);
      }
      visit(inner);
    }
  };
  visit(operation);
  return (value) => {
    const seen = new Set<Id>([value.id]);
    for (const id of seen) {
      if (stored.has(id)) return true;
      for (const next of made.get(id) ?? []) seen.add(next);
    }
    return false;
  };
};

/** The results of an operation, and the arguments of its blocks. */
const madeBy = ({ results, regions }: Operation): readonly Value[] => [
  ...results,
  ...regions.flatMap(({ blocks }) => blocks.flatMap((block) => block.arguments)),
];
