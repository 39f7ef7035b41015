/** Where a function's buffers are in its scratch memory, by their lifetimes, and where those of its callees are. */
import type { Lifetime, LifetimesOf, MemoryUse } from '@sconv/backend';
import { alignedBytes, placeBuffers, useOf } from '@sconv/backend';
import { call, funcOp } from '@sconv/dialects/func';
import { forall } from '@sconv/dialects/scf';
import type { Id, MemRefType, Operation, Rewriter } from '@sconv/ir';
import { children, isStaticShape, operationsIn } from '@sconv/ir';
import type { CallableFunction } from './call-op.ts';
import { calleeName } from './call-op.ts';
import { bytesOf } from './memref-ops.ts';
import { storageOf } from './storage.ts';
import type { WasmModule } from './wasm-module.ts';

/** The lifetimes of a module's buffers, by the values that stand for them, and those of its calls, by operation. */
export interface ModuleLifetimes {
  readonly buffers: ReadonlyMap<Id, Lifetime>;
  readonly calls: ReadonlyMap<Id, Lifetime>;
}

/** A part of a scratch memory. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Offsets from the beginning of a function's scratch memory. */
export interface FunctionPlaces {
  /** Of allocations, and of what calls return that their callees have allocated. */
  readonly buffers: ReadonlyMap<Id, number>;
  /** Of the scratch memories of callees. */
  readonly calls: ReadonlyMap<Id, number>;
  readonly use: MemoryUse;
  /** What the bodies of parallel loops allocate, those of callees included; undefined if that is nothing. */
  readonly inBodies: Span | undefined;
}

const isAllocation = ({ name }: Operation): boolean => name === 'memref.alloc' || name === 'memref.alloca';

/** The lifetimes of all allocations and calls of a module. */
export const moduleLifetimes = (rewriter: Rewriter, lifetimesOf: LifetimesOf): ModuleLifetimes => {
  const buffers = new Map<Id, Lifetime>();
  const calls = new Map<Id, Lifetime>();
  for (const root of children(rewriter.root).filter((each) => funcOp.is(each))) {
    const made = rewriter.walk(rewriter.find(root.id)).filter((each) => isAllocation(each) || call.is(each));
    if (made.length === 0) continue;
    const lifetimes = lifetimesOf(rewriter.find(root.id));
    for (const operation of made) {
      for (const value of operation.results)
        if (value.type.kind === 'memref') buffers.set(value.id, lifetimes.ofBuffer(value));
      if (call.is(operation)) calls.set(operation.id, lifetimes.during(operation));
    }
  }
  return { buffers, calls };
};

/** Places what a function needs; what has no static size fails later, where it is lowered. */
export const placesIn = (
  root: Operation,
  { buffers, calls }: ModuleLifetimes,
  callees: ReadonlyMap<string, CallableFunction>,
): FunctionPlaces => {
  const wanted: (Lifetime & MemoryUse & { readonly of: Id; readonly spans: readonly Span[] })[] = [];
  const want = (of: Id, lifetime: Lifetime, use: MemoryUse, spans: readonly Span[]): void => {
    wanted.push({ of, ...lifetime, ...use, spans });
  };
  const callIds = new Set<Id>();
  const inBodies = operationsInBodies(root);
  for (const operation of operationsIn(root)) {
    const callee = call.is(operation) ? callees.get(calleeName(operation)) : undefined;
    if (callee !== undefined && callee.use.arenaBytes > 0) {
      callIds.add(operation.id);
      want(operation.id, calls.get(operation.id)!, callee.use, callee.inBodies ? [callee.inBodies] : []);
    }
    for (const [i, { id, type }] of operation.results.entries()) {
      if (!isAllocation(operation) && callee?.returns[i] !== 'own') continue;
      const bytes = type.kind === 'memref' ? staticBytes(operation, type) : undefined;
      if (bytes === undefined) continue;
      const own = inBodies.has(operation) ? [{ start: 0, end: alignedBytes(bytes) }] : [];
      want(id, buffers.get(id)!, useOf(bytes), own);
    }
  }
  const { offsets, ...use } = placeBuffers(wanted);
  const found = wanted.map(({ of }, i) => [of, offsets[i]!] as const);
  const spans = wanted.flatMap(({ spans: own }, i) =>
    own.map(({ start, end }) => ({ start: start + offsets[i]!, end: end + offsets[i]! })),
  );
  return {
    buffers: new Map(found.filter(([of]) => !callIds.has(of))),
    calls: new Map(found.filter(([of]) => callIds.has(of))),
    use,
    inBodies: joined(spans),
  };
};

/** The smallest span that covers these; undefined if there are none. */
export const joined = (spans: readonly Span[]): Span | undefined =>
  spans.length === 0
    ? undefined
    : spans.reduce((all, { start, end }) => ({
        start: Math.min(all.start, start),
        end: Math.max(all.end, end),
      }));

/** The operations in parallel loops, these included. */
const operationsInBodies = (root: Operation): ReadonlySet<Operation> => {
  const inBodies = new Set<Operation>();
  for (const loop of operationsIn(root))
    if (forall.is(loop) && !inBodies.has(loop)) for (const each of operationsIn(loop)) inBodies.add(each);
  return inBodies;
};

/** Bytes of a buffer; undefined if it has no static size, or elements that cannot be stored. */
const staticBytes = (operation: Operation, type: MemRefType): number | undefined => {
  const storage = storageOf(type.elementType);
  return storage === undefined || !isStaticShape(type) ? undefined : bytesOf(operation, type, storage);
};

/** Whether a function has parallel loops, whose frames need scratch memory. */
export const hasParallelLoops = (root: Operation): boolean =>
  operationsIn(root).some((each) => forall.is(each));

/** What each further thread needs of the scratch memory, with room for the initial values, which nobody reads. */
export const threadScratch = (
  start: number,
  inBodies: Span = { start: 0, end: 0 },
  data: Uint8Array = new Uint8Array(0),
): WasmModule['threadScratch'] => ({
  at: start + inBodies.start,
  bytes: alignedBytes(Math.max(inBodies.end - inBodies.start, data.length)),
});
