/**
 * Which locals of a function share a place: those that are not alive at the same time. Engines take time for each local
 * at each label when they compile code for its first calls, so that thousands of locals, as of a function of many
 * loops, cost much more than the code itself.
 */
import type { ValueType } from './instructions.ts';

/** A part of the code that is entered at its start only: an arm of an `if`, a block, a loop, or the function. */
export interface CodeScope {
  /** The position of its first byte, and behind its last one. */
  readonly start: number;
  end: number;
  /** Whether a branch may lead to its start. */
  readonly isLoop: boolean;
  /** The scope around it, by number; the function itself, number 0, has none. */
  readonly parent: number;
}

/** Where the code reads or writes a local. */
export interface LocalAccess {
  readonly position: number;
  readonly local: number;
  readonly isWrite: boolean;
  /** The innermost scope, by number. */
  readonly scope: number;
}

/** From where to where a local needs its place. */
interface Lifetime {
  readonly local: number;
  readonly start: number;
  end: number;
  /** That of the first access. */
  readonly scope: number;
}

/** Places for locals. */
export interface LocalSlots {
  /** By local: its place. The parameters come first, each in its own. */
  readonly slotOf: readonly number[];
  /** By place. */
  readonly types: readonly ValueType[];
}

/**
 * Assigns places to locals of these types, of which the first are parameters. A local shares one if it is written
 * first, and no code behind the scope of that write accesses it: then it is written in each round of a loop before it
 * is read, and never 0 as on entry. A local that nothing accesses has no place of its own.
 */
export const assignSlots = (
  types: readonly ValueType[],
  parameterCount: number,
  scopes: readonly CodeScope[],
  accesses: readonly LocalAccess[],
): LocalSlots => {
  const lifetimes = new Map<number, Lifetime>();
  const own = new Set<number>();
  for (const { position, local, isWrite, scope } of accesses) {
    if (local < parameterCount || own.has(local)) continue;
    const lifetime = lifetimes.get(local);
    if (lifetime === undefined) {
      if (isWrite) lifetimes.set(local, { local, start: position, end: position, scope });
      else own.add(local);
    } else if (position >= scopes[lifetime.scope]!.end) {
      lifetimes.delete(local);
      own.add(local);
    } else lifetime.end = Math.max(lifetime.end, lastUse(scopes, position, scope, lifetime.scope));
  }
  const slotOf = types.map((_type, local) => (local < parameterCount ? local : 0));
  const places = types.slice(0, parameterCount);
  for (const local of own) slotOf[local] = places.push(types[local]!) - 1;
  const byStart = [...lifetimes.values()];
  const byEnd = byStart.toSorted((a, b) => a.end - b.end);
  /** By type: the places that no local has that is alive. */
  const free = new Map<ValueType, number[]>([...new Set(types)].map((type) => [type, []]));
  let ended = 0;
  for (const { local, start } of byStart) {
    for (; byEnd[ended]!.end < start; ended += 1) {
      const { local: before } = byEnd[ended]!;
      free.get(types[before]!)!.push(slotOf[before]!);
    }
    const type = types[local]!;
    slotOf[local] = free.get(type)!.pop() ?? places.push(type) - 1;
  }
  return { slotOf, types: places };
};

/** Until where a local is needed that is accessed here, and written in a scope around it: loops between run again. */
const lastUse = (scopes: readonly CodeScope[], position: number, scope: number, written: number): number => {
  let last = position;
  for (let inner = scope; inner !== written; inner = scopes[inner]!.parent)
    if (scopes[inner]!.isLoop) last = scopes[inner]!.end;
  return last;
};
