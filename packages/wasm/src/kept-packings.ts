/**
 * Packings of what stays the same from call to call (SC §3, §6.3: static packing): constants of the module, and arguments
 * that are bound. Their result may be kept: each iteration of the loops that a packing depends on then has a place of its
 * own, instead of one that all iterations share.
 */
import { viewLike } from '@sconv/dialects';
import { genericView } from '@sconv/dialects/linalg';
import { forall, forallBounds, forOp } from '@sconv/dialects/scf';
import type { Id, Operation, Registry, Value } from '@sconv/ir';
import {
  constantValueOf,
  effectsOf,
  elementCount,
  hasTrait,
  isStaticShape,
  modelOf,
  printAttribute,
  printType,
  walk,
} from '@sconv/ir';
import { storageOf } from './storage.ts';

/** A loop around a packing, with bounds that are known: `trips` iterations, at least one. */
export interface PackingLoop {
  readonly counter: Value;
  readonly lower: number;
  readonly step: number;
  readonly trips: number;
}

/** A loop around a packing, whose iterations may run at once if it is parallel: none may wait for the first. */
interface NestedLoop extends PackingLoop {
  readonly isParallel?: boolean;
}

/** A packing whose result may be kept, and the place that it has for that. */
export interface KeptPacking {
  /** What is packed: the position of an argument, or constants alone. */
  readonly source: number | 'constants';
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
  readonly bytes: ReadonlyMap<KeptPacking['source'], number>;
}

/** More than this many times a source is not kept of it, for packings that store elements again and again. */
const largestShare = 2;

/** The packings of a function that may be kept. Whether one is a packing at all is for its lowering to find out. */
export const findKeptPackings = (
  operation: Operation,
  constants: ReadonlySet<string>,
  registry: Registry,
): KeptPackings => {
  const uses = usesIn(operation);
  const context = { registry, uses, constants };
  const packings: KeptPacking[] = [];
  const placed: (FoundPacking & { readonly offset: number })[] = [];
  const bytes = new Map<KeptPacking['source'], number>();
  for (const allocation of walk(operation)) {
    if (allocation.name !== 'memref.alloc') continue;
    const found = packingInto(context, operation, allocation);
    if (found === undefined) continue;
    const { source, size, packing, loops, others } = found;
    // Equal packings, of parts that share an operand, are kept once.
    const same = placed.find((other) => storeTheSame(found, other));
    const offset = same?.offset ?? bytes.get(source) ?? 0;
    if (same === undefined) bytes.set(source, offset + size);
    placed.push({ ...found, offset });
    packings.push({ source, allocation, packing, offset, loops, others });
  }
  const isTooLarge = (source: KeptPacking['source']): boolean =>
    typeof source === 'number' &&
    bytes.get(source)! > largestShare * bytesOfValue(operation.regions[0]!.blocks[0]!.arguments[source]!);
  const kept = packings.filter(({ source }) => !isTooLarge(source));
  return { packings: kept, bytes: new Map([...bytes].filter(([source]) => !isTooLarge(source))) };
};

interface Uses {
  readonly definitions: ReadonlyMap<Id, Operation>;
  readonly users: ReadonlyMap<Id, readonly { readonly operation: Operation; readonly value: Value }[]>;
  readonly parents: ReadonlyMap<Id, Operation>;
}

interface Context {
  readonly registry: Registry;
  readonly uses: Uses;
  /** Names of the globals whose values stay. */
  readonly constants: ReadonlySet<string>;
}

const usesIn = (root: Operation): Uses => {
  const definitions = new Map<Id, Operation>();
  const users = new Map<Id, { operation: Operation; value: Value }[]>();
  const parents = new Map<Id, Operation>();
  for (const operation of walk(root)) {
    for (const result of operation.results) definitions.set(result.id, operation);
    for (const value of operation.operands) {
      const known = users.get(value.id) ?? [];
      known.push({ operation, value });
      users.set(value.id, known);
    }
    for (const { blocks } of operation.regions) {
      for (const { operations } of blocks) for (const child of operations) parents.set(child.id, operation);
    }
  }
  return { definitions, users, parents };
};

/** How an operation uses a buffer; anything else may keep or change it. */
const usage = (
  registry: Registry,
  operation: Operation,
  value: Value,
): 'view' | 'read' | 'write' | 'other' => {
  if (modelOf(registry, viewLike, operation)?.source(operation).id === value.id) return 'view';
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

/** The operations that write a buffer or a view of it; undefined where there are uses that are not known. */
const writersOf = ({ registry, uses }: Context, buffer: Value): readonly Operation[] | undefined => {
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
  return writers;
};

/** The operations that read a buffer or a view of it. */
export const readersOf = (operation: Operation, buffer: Value, registry: Registry): readonly Operation[] => {
  const uses = usesIn(operation);
  const readers: Operation[] = [];
  const pending = [buffer];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { operation: user, value } of uses.users.get(next.id) ?? []) {
      if (usage(registry, user, value) === 'view') pending.push(...user.results);
      else readers.push(user);
    }
  }
  return readers;
};

interface FoundPacking extends Omit<KeptPacking, 'offset'> {
  readonly text: () => string;
  readonly size: number;
}

const storeTheSame = (a: FoundPacking, b: FoundPacking): boolean =>
  a.source === b.source && a.size === b.size && a.text() === b.text();

/** What alone writes a buffer, if that is a packing of one source. */
const packingInto = (
  context: Context,
  around: Operation,
  allocation: Operation,
): FoundPacking | undefined => {
  const [buffer] = allocation.results;
  const [packing, ...otherWriters] = (buffer && writersOf(context, buffer)) ?? [];
  if (buffer === undefined || packing === undefined || otherWriters.length > 0) return undefined;
  if (packing.name !== 'linalg.generic' || genericView(packing).inputs.length > 0) return undefined;
  // What is packed part by part stands in one place only if all parts do.
  if (packing.operands[0]?.id !== buffer.id) return undefined;
  const tile = bytesOfValue(buffer);
  const nest = loopsAround(context, around, packing, allocation);
  const read = nest === undefined ? undefined : whatIsRead(context, around, packing, buffer, nest, 'no text');
  if (nest === undefined || read === undefined || tile === 0) return undefined;
  const loops = nest.filter(({ counter }) => read.counters.has(counter.id));
  let size = tile;
  const placed = loops
    .toReversed()
    .map((loop) => {
      const bytes = size;
      size *= loop.trips;
      return { ...loop, bytes };
    })
    .toReversed();
  let text: string | undefined;
  return {
    source: read.source,
    allocation,
    packing,
    loops: placed,
    // Iterations that may run at once pack alike.
    others: nest.filter((loop) => !loops.includes(loop) && loop.isParallel !== true),
    text: () => (text ??= whatIsRead(context, around, packing, buffer, nest, 'text')!.text),
    size,
  };
};

/** Bytes of the elements of a buffer; 0 where they are not known. */
const bytesOfValue = ({ type }: Value): number => {
  if (type.kind !== 'memref' || !isStaticShape(type)) return 0;
  return elementCount(type.shape) * (storageOf(type.elementType)?.bytes ?? 0);
};

/**
 * The loops around an operation, outermost first; undefined where one is not counted, where something else than loops
 * decides whether it runs, or where the allocation stands in another function than the packing will.
 */
const loopsAround = (
  context: Context,
  around: Operation,
  operation: Operation,
  allocation: Operation,
): readonly NestedLoop[] | undefined => {
  const loops: NestedLoop[] = [];
  const home = context.uses.parents.get(allocation.id);
  let isHome = false;
  for (
    let at = context.uses.parents.get(operation.id);
    at !== undefined && at !== around;
    at = context.uses.parents.get(at.id)
  ) {
    isHome ||= at === home;
    const counted = forOp.is(at)
      ? [countedLoop(context, at)]
      : isHome
        ? parallelLoops(context, at)
        : [undefined];
    const known = counted.filter((loop) => loop !== undefined);
    if (known.length < counted.length) return undefined;
    loops.unshift(...known);
  }
  return loops;
};

const countedLoop = (context: Context, loop: Operation): PackingLoop | undefined => {
  const { lowerBound, upperBound, step: by } = forOp.operands(loop);
  const [lower, upper, step] = [lowerBound, upperBound, by].map((bound) => knownIndex(context, bound));
  return loopOf(loop.regions[0]?.blocks[0]?.arguments[0], lower, upper, step);
};

/** The loops of a `scf.forall`; undefined among them for one that is not counted, and for any other operation. */
const parallelLoops = (context: Context, operation: Operation): readonly (NestedLoop | undefined)[] => {
  if (!forall.is(operation)) return [undefined];
  const counters = operation.regions[0]!.blocks[0]!.arguments;
  return forallBounds(operation).map((bounds, i) => {
    const [lower, upper, step] = [bounds.lower, bounds.upper, bounds.step].map((bound) =>
      typeof bound === 'number' ? bound : knownIndex(context, bound),
    );
    const loop = loopOf(counters[i], lower, upper, step);
    return loop && { ...loop, isParallel: true };
  });
};

const loopOf = (
  counter: Value | undefined,
  lower: number | undefined,
  upper: number | undefined,
  step: number | undefined,
): PackingLoop | undefined => {
  if (lower === undefined || upper === undefined || step === undefined || counter === undefined)
    return undefined;
  if (step < 1 || upper <= lower) return undefined;
  return { counter, lower, step, trips: Math.ceil((upper - lower) / step) };
};

const knownIndex = ({ registry, uses }: Context, value: Value): number | undefined => {
  const definition = uses.definitions.get(value.id);
  const constant = definition && constantValueOf(registry, definition);
  return constant?.kind === 'integer' ? Number(constant.value) : undefined;
};

/** What a packing depends on. */
interface PackedSource {
  readonly source: KeptPacking['source'];
  readonly counters: ReadonlySet<Id>;
  /** If it was asked for: the whole computation, and what the loops count that it depends on, outermost first. */
  readonly text: string;
}

/** What a packing reads; undefined if it depends on anything but counters and one argument or constants. */
const whatIsRead = (
  context: Context,
  around: Operation,
  packing: Operation,
  target: Value,
  nest: readonly PackingLoop[],
  result: 'text' | 'no text',
): PackedSource | undefined => {
  const { registry, uses, constants } = context;
  const parameters = around.regions[0]!.blocks[0]!.arguments;
  const sources = new Set<KeptPacking['source']>();
  const counters = new Map<Id, string>();
  const names = new Map<Id, string>([[target.id, printType(target.type)]]);
  const unknown = new Set<Value>();
  const textOf = (operation: Operation): string => {
    const operands = operation.operands.map(nameOf);
    if (result === 'no text') return '';
    const attributes = Object.entries(operation.attributes).map(
      ([name, value]) => `${name} = ${printAttribute(value)}`,
    );
    const types = operation.results.map(({ type }) => printType(type));
    return `${operation.name}(${operands.join(', ')}) {${attributes.join(', ')}} : ${types.join(', ')}`;
  };
  const outer = (value: Value): string => {
    const isUnknown = (): string => {
      unknown.add(value);
      return '';
    };
    const position = parameters.findIndex(({ id }) => id === value.id);
    if (position >= 0) {
      const writers = value.type.kind === 'memref' ? writersOf(context, value) : undefined;
      if (writers === undefined || writers.length > 0) return isUnknown();
      sources.add(position);
      return `argument ${position}`;
    }
    if (nest.some(({ counter }) => counter.id === value.id)) {
      const name = `counter ${counters.size}`;
      counters.set(value.id, name);
      return name;
    }
    const definition = uses.definitions.get(value.id);
    if (definition === undefined || definition.regions.length > 0) return isUnknown();
    if (definition.name === 'memref.get_global') {
      const { name } = definition.attributes;
      if (name?.kind !== 'symbol-ref' || !constants.has(name.root)) return isUnknown();
      sources.add('constants');
    } else if (effectsOf(registry, definition)?.length !== 0) return isUnknown();
    return textOf(definition);
  };
  const nameOf = (value: Value): string => {
    const name = names.get(value.id) ?? outer(value);
    names.set(value.id, name);
    return name;
  };
  const lines: string[] = [];
  for (const operation of walk(packing)) {
    for (const { blocks } of operation.regions)
      for (const block of blocks) for (const { id } of block.arguments) names.set(id, `argument of the body`);
    lines.push(textOf(operation));
    operation.results.forEach(({ id }, i) => names.set(id, `%${lines.length}.${i}`));
    if (unknown.size > 0) return undefined;
  }
  for (const { counter, lower, step, trips } of nest) {
    const name = counters.get(counter.id);
    if (name !== undefined) lines.push(`${name}: from ${lower} by ${step}, ${trips} times`);
  }
  const [source, ...more] = sources;
  return source === undefined || more.length > 0
    ? undefined
    : { source, counters: new Set(counters.keys()), text: lines.join('\n') };
};
