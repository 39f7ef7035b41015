/**
 * Packings of what stays the same from call to call (SC §3, §6.3: static packing): constants of the module, and arguments
 * that are bound. Their result may be kept: each iteration of the loops that a packing depends on then has a place of its
 * own, instead of one that all iterations share.
 */
import { genericView } from '@sconv/dialects/linalg';
import type { Operation, Registry, Value } from '@sconv/ir';
import { bodyOf, elementCount, isStaticShape, operationsIn } from '@sconv/ir';
import type { Uses } from './buffer-uses.ts';
import { accessesOf, usesIn } from './buffer-uses.ts';
import type { Readable, Source } from './packed-source.ts';
import { packedSource } from './packed-source.ts';
import type { PackingLoop } from './packing-loops.ts';
import { loopsAround } from './packing-loops.ts';
import { isSameComputation } from './same-computation.ts';
import { storageOf } from './storage.ts';

/** A packing whose result may be kept, and the place that it has for that. */
export interface KeptPacking {
  /** What is packed. */
  readonly source: Source;
  readonly allocation: Operation;
  readonly packing: Operation;
  /** Bytes from the start of what is kept of the source to the first iteration's. */
  readonly offset: number;
  /** The loops around that it depends on, and the bytes from one iteration's place to the next one's. */
  readonly loops: readonly (PackingLoop & { readonly bytes: number })[];
  /** The other loops around: it is done in the first iteration of all of them. */
  readonly others: readonly PackingLoop[];
}

/** The packings of a function, and the bytes that those of each source take. */
export interface KeptPackings {
  readonly packings: readonly KeptPacking[];
  readonly bytes: ReadonlyMap<Source, number>;
  /** What reads the arguments, in packings or not; undefined for those that are not only read. */
  readonly readers: readonly (readonly Operation[] | undefined)[];
}

/** More than this many times a source is not kept of it, for packings that store elements again and again. */
const largestShare = 2;

/** The packings of a function that may be kept. Whether one is a packing at all is for its lowering to find out. */
export const findKeptPackings = (
  operation: Operation,
  constants: ReadonlySet<string>,
  registry: Registry,
): KeptPackings => {
  const all = operationsIn(operation);
  const uses = usesIn(all);
  const parameters = bodyOf(operation).arguments;
  const readers = parameters.map((parameter) => readersOf(registry, uses, parameter));
  const positionOf = ({ id }: Value): number | undefined => {
    const position = parameters.findIndex((parameter) => parameter.id === id);
    return readers[position] && position;
  };
  const readable = { registry, uses, constants, positionOf };
  const packings: KeptPacking[] = [];
  const placed: (FoundPacking & { readonly offset: number })[] = [];
  const bytes = new Map<Source, number>();
  for (const allocation of all) {
    const found =
      allocation.name === 'memref.alloc' ? packingInto(readable, operation, allocation) : undefined;
    if (found === undefined) continue;
    const { source, size, packing, loops, others } = found;
    // Equal packings, of parts that share an operand, are kept once.
    const same = placed.find((other) => storeTheSame(uses, found, other));
    const offset = same?.offset ?? bytes.get(source) ?? 0;
    if (same === undefined) {
      bytes.set(source, offset + size);
      placed.push({ ...found, offset });
    }
    packings.push({ source, allocation, packing, offset, loops, others });
  }
  const isTooLarge = (source: Source): boolean =>
    typeof source === 'number' && bytes.get(source)! > largestShare * bytesOfValue(parameters[source]!);
  return {
    packings: packings.filter(({ source }) => !isTooLarge(source)),
    bytes: new Map([...bytes].filter(([source]) => !isTooLarge(source))),
    readers,
  };
};

/** What reads an argument that nothing else is done with. */
const readersOf = (registry: Registry, uses: Uses, argument: Value): readonly Operation[] | undefined => {
  const accesses = argument.type.kind === 'memref' ? accessesOf(registry, uses, argument) : undefined;
  return accesses?.writers.length === 0 ? accesses.readers : undefined;
};

/** A packing that has no place yet. */
interface FoundPacking extends Omit<KeptPacking, 'offset'> {
  readonly buffer: Value;
  /** Bytes of what all iterations pack. */
  readonly size: number;
}

/** What alone writes a buffer, if that is a packing of one source. */
const packingInto = (
  readable: Readable,
  around: Operation,
  allocation: Operation,
): FoundPacking | undefined => {
  const { registry, uses } = readable;
  const [buffer] = allocation.results;
  const tile = buffer === undefined ? 0 : bytesOfValue(buffer);
  if (buffer === undefined || tile === 0) return undefined;
  const [packing, ...otherWriters] = accessesOf(registry, uses, buffer)?.writers ?? [];
  if (packing === undefined || otherWriters.length > 0) return undefined;
  if (packing.name !== 'linalg.generic' || genericView(packing).inputs.length > 0) return undefined;
  // What is packed part by part stands in one place only if all parts do.
  if (packing.operands[0]?.id !== buffer.id) return undefined;
  const nest = loopsAround(registry, uses, { around, packing, allocation });
  const read = nest && packedSource(readable, packing, nest);
  if (nest === undefined || read === undefined) return undefined;
  const { source, loops } = read;
  const { placed, size } = placesOf(loops, tile);
  // Iterations that may run at once pack alike.
  const others = nest.filter((loop) => !loops.includes(loop) && !loop.isParallel);
  return { source, allocation, packing, buffer, loops: placed, others, size };
};

/** Places for what each iteration packs, those of the innermost loop next to each other, and the bytes of all. */
const placesOf = (
  loops: readonly PackingLoop[],
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

/** Whether two packings write the same to the same places, so that these may be one. */
const storeTheSame = ({ definitions }: Uses, a: FoundPacking, b: FoundPacking): boolean =>
  a.source === b.source &&
  a.size === b.size &&
  a.loops.length === b.loops.length &&
  a.loops.every((loop, i) => countAlike(loop, b.loops[i]!)) &&
  isSameComputation(definitions, a.packing, b.packing, [
    [a.buffer, b.buffer],
    ...a.loops.map(({ counter }, i) => [counter, b.loops[i]!.counter] as const),
  ]);

const countAlike = (a: PackingLoop, b: PackingLoop): boolean =>
  a.lower === b.lower && a.step === b.step && a.trips === b.trips;

/** Bytes of the elements of a buffer; 0 where they are not known. */
const bytesOfValue = ({ type }: Value): number => {
  if (type.kind !== 'memref' || !isStaticShape(type)) return 0;
  return elementCount(type.shape) * (storageOf(type.elementType)?.bytes ?? 0);
};
