/**
 * Static packing (SC §3, §6.3): packings of data that is constant across calls, that is constants of the module and
 * bound arguments. Their results can be kept: then each iteration of the loops that a packing depends on has a place of
 * its own instead of a shared one.
 */
import type { CountedLoop } from '@sconv/dialects';
import { call } from '@sconv/dialects/func';
import { pack } from '@sconv/dialects/kernel';
import { alloc } from '@sconv/dialects/memref';
import type { Operation, Registry, Type, Value } from '@sconv/ir';
import { bodyOf, elementCount, isStaticShape, operationsIn } from '@sconv/ir';
import type { Uses } from './buffer-uses.ts';
import { accessesOf, usesIn } from './buffer-uses.ts';
import type { Readable, Source } from './packed-source.ts';
import { packedSource } from './packed-source.ts';
import { loopsAround } from './packing-loops.ts';
import { isSameComputation } from './same-computation.ts';

/** A packing whose result can be kept, and its place. */
export interface KeptPacking {
  /** What is packed. */
  readonly source: Source;
  readonly allocation: Operation;
  readonly packing: Operation;
  /** Byte offset of the first iteration's result within the source's kept area. */
  readonly offset: number;
  /** The enclosing loops that it depends on, with the byte stride between iterations' places. */
  readonly loops: readonly (CountedLoop & { readonly bytes: number })[];
  /** The other enclosing loops: packing happens only in their first iterations. */
  readonly others: readonly CountedLoop[];
}

/** A call of a function that packs an argument, and the place for that within the caller's. */
export interface KeptCall {
  /** What is packed, in the caller. */
  readonly source: Source;
  readonly call: Operation;
  /** The position of the argument. */
  readonly parameter: number;
  /** Byte offset within the source's kept area. */
  readonly offset: number;
  readonly bytes: number;
}

/** A function's packings, and the bytes kept per source. */
export interface KeptPackings {
  readonly packings: readonly KeptPacking[];
  readonly calls: readonly KeptCall[];
  readonly bytes: ReadonlyMap<Source, number>;
  /** The arguments that are only read. */
  readonly read: ReadonlySet<number>;
  /** Those that nothing reads but packings that are kept. */
  readonly packed: ReadonlySet<number>;
}

/** How packings are kept. */
export interface Keeping {
  /** Bytes of an element in memory; undefined for elements that are not kept. */
  readonly elementBytes: (type: Type) => number | undefined;
  /** Names of the globals that never change; none by default. */
  readonly constants?: ReadonlySet<string>;
  /** Offsets are multiples of so many bytes; 1 by default. */
  readonly alignment?: number;
  /**
   * Kept bytes per argument may not exceed this multiple of its size, which happens if packings store elements
   * repeatedly; no limit by default.
   */
  readonly largestShare?: number;
  /** The same in bytes; no limit by default. */
  readonly largestBytes?: number;
  /** Whether the result of a packing can be put into other memory; any by default. */
  readonly mayMove?: (packing: Operation) => boolean;
  /** What functions that are called keep of their arguments in places of their callers; none by default. */
  readonly callees?: ReadonlyMap<string, Pick<KeptPackings, 'bytes' | 'read' | 'packed'>>;
}

/** The packings of a function that can be kept. */
export const keptPackings = (around: Operation, registry: Registry, keeping: Keeping): KeptPackings => {
  const { constants = new Set<string>(), alignment = 1, elementBytes, mayMove = () => true } = keeping;
  const { largestShare = Infinity, largestBytes = Infinity, callees = new Map<string, never>() } = keeping;
  const all = operationsIn(around);
  const uses = usesIn(all, (callee) => callees.get(callee)?.read);
  const parameters = bodyOf(around).arguments;
  const readers = parameters.map((parameter) => readersOf(registry, uses, parameter));
  const positionOf = ({ id }: Value): number | undefined => {
    const position = parameters.findIndex((parameter) => parameter.id === id);
    return readers[position] && position;
  };
  const readable = { registry, uses, constants, positionOf };
  const bytesOf = (value: Value): number => bytesOfValue(value, elementBytes);
  const packings: KeptPacking[] = [];
  const placed: (FoundPacking & { readonly offset: number })[] = [];
  const bytes = new Map<Source, number>();
  for (const allocation of all) {
    const found = alloc.is(allocation) ? packingInto(readable, around, allocation, bytesOf) : undefined;
    if (found === undefined || !mayMove(found.packing)) continue;
    const { source, size, packing, loops, others } = found;
    // Equal packings, in parts that share an operand, are kept once.
    const same = placed.find((other) => storeTheSame(uses, found, other));
    const offset = same?.offset ?? Math.ceil((bytes.get(source) ?? 0) / alignment) * alignment;
    if (same === undefined) {
      bytes.set(source, offset + size);
      placed.push({ ...found, offset });
    }
    packings.push({ source, allocation, packing, offset, loops, others });
  }
  const calls: KeptCall[] = [];
  for (const operation of all) {
    const kept = call.is(operation) ? callees.get(call.attributes(operation).callee)?.bytes : undefined;
    for (const [parameter, size] of kept ?? []) {
      if (parameter === 'constants') continue;
      const source = passedSource(readable, around, operation, parameter);
      if (source === undefined) continue;
      const same = calls.find(({ call: other, parameter: at }) =>
        isSameCall(operation, other, parameter, at),
      );
      const offset = same?.offset ?? Math.ceil((bytes.get(source) ?? 0) / alignment) * alignment;
      if (same === undefined) bytes.set(source, offset + size);
      calls.push({ source, call: operation, parameter, offset, bytes: size });
    }
  }
  const isTooLarge = (source: Source): boolean =>
    typeof source === 'number' &&
    bytes.get(source)! > Math.min(largestShare * bytesOf(parameters[source]!), largestBytes);
  const kept = {
    packings: packings.filter(({ source }) => !isTooLarge(source)),
    calls: calls.filter(({ source }) => !isTooLarge(source)),
    bytes: new Map([...bytes].filter(([source]) => !isTooLarge(source))),
  };
  const packs = (reader: Operation): boolean =>
    kept.packings.some(({ packing }) => packing === reader) ||
    kept.calls.some((each) => each.call === reader && packsOnly(callees, each));
  const positions = readers.flatMap((each, i) => (each === undefined ? [] : [i]));
  return {
    ...kept,
    read: new Set(positions),
    packed: new Set(positions.filter((i) => kept.bytes.has(i) && readers[i]!.every(packs))),
  };
};

/** What a call passes as the argument at a position, if it is made each time, and that is the same each time. */
const passedSource = (
  readable: Readable,
  around: Operation,
  operation: Operation,
  parameter: number,
): Source | undefined => {
  const { registry, uses } = readable;
  const nest = loopsAround(registry, uses, { around, packing: operation, allocation: operation });
  return nest && packedSource(readable, [operation.operands[parameter]!], [])?.source;
};

/** Whether two calls have the same function pack the same. */
const isSameCall = (a: Operation, b: Operation, parameter: number, other: number): boolean =>
  parameter === other &&
  a.operands[parameter]!.id === b.operands[other]!.id &&
  call.attributes(a).callee === call.attributes(b).callee;

/** Whether a call does nothing with what it passes as an argument but pack it. */
const packsOnly = (
  callees: NonNullable<Keeping['callees']>,
  { call: operation, parameter }: KeptCall,
): boolean => {
  const { id } = operation.operands[parameter]!;
  const packed = callees.get(call.attributes(operation).callee)!.packed;
  return operation.operands.every((each, i) => each.id !== id || packed.has(i));
};

/** The readers of a read-only argument; undefined otherwise. */
const readersOf = (registry: Registry, uses: Uses, argument: Value): readonly Operation[] | undefined => {
  const accesses = argument.type.kind === 'memref' ? accessesOf(registry, uses, argument) : undefined;
  return accesses?.writers.length === 0 ? accesses.readers : undefined;
};

/** A packing without a place yet. */
interface FoundPacking extends Omit<KeptPacking, 'offset'> {
  readonly buffer: Value;
  /** Bytes over all iterations. */
  readonly size: number;
}

/** The only writer of a buffer, if that is a packing of one source. */
const packingInto = (
  readable: Readable,
  around: Operation,
  allocation: Operation,
  bytesOf: (value: Value) => number,
): FoundPacking | undefined => {
  const { registry, uses } = readable;
  const [buffer] = allocation.results;
  const tile = buffer === undefined ? 0 : bytesOf(buffer);
  if (buffer === undefined || tile === 0) return undefined;
  const [packing, ...otherWriters] = accessesOf(registry, uses, buffer)?.writers ?? [];
  if (packing === undefined || otherWriters.length > 0) return undefined;
  // A buffer that is packed part by part can be kept only if all its parts are.
  if (!pack.is(packing) || pack.operands(packing).target.id !== buffer.id) return undefined;
  const nest = loopsAround(registry, uses, { around, packing, allocation });
  const inputs = packing.operands.filter(({ id }) => id !== buffer.id);
  const read = nest && packedSource(readable, inputs, nest);
  if (nest === undefined || read === undefined) return undefined;
  const { source, loops } = read;
  const { placed, size } = placesOf(loops, tile);
  // Parallel iterations all pack, redundantly.
  const others = nest.filter((loop) => !loops.includes(loop) && !loop.isParallel);
  return { source, allocation, packing, buffer, loops: placed, others, size };
};

/** Places for each iteration's result, innermost loop contiguous, and their total size. */
const placesOf = (
  loops: readonly CountedLoop[],
  tile: number,
): { readonly placed: KeptPacking['loops']; readonly size: number } => {
  let size = tile;
  const placed = loops.toReversed().map((loop) => {
    const bytes = size;
    size *= loop.trips;
    return { ...loop, bytes };
  });
  return { placed: placed.reverse(), size };
};

/** Whether two packings store the same values to the same places, so that they can share them. */
const storeTheSame = ({ definitions }: Uses, a: FoundPacking, b: FoundPacking): boolean =>
  a.source === b.source &&
  a.size === b.size &&
  a.loops.length === b.loops.length &&
  a.loops.every((loop, i) => countAlike(loop, b.loops[i]!)) &&
  isSameComputation(definitions, a.packing, b.packing, [
    [a.buffer, b.buffer],
    ...a.loops.map(({ variable }, i) => [variable, b.loops[i]!.variable] as const),
  ]);

const countAlike = (a: CountedLoop, b: CountedLoop): boolean =>
  a.lower === b.lower && a.step === b.step && a.trips === b.trips;

/** Bytes of a buffer's elements; 0 if unknown. */
const bytesOfValue = ({ type }: Value, elementBytes: Keeping['elementBytes']): number =>
  type.kind === 'memref' && isStaticShape(type)
    ? elementCount(type.shape) * (elementBytes(type.elementType) ?? 0)
    : 0;
