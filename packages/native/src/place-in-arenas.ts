/**
 * Places the buffers of functions in arenas, by their lifetimes. A function takes its arena as its last argument, and
 * passes its callees parts of it.
 *
 *     func @f(%x: memref<…>) {          func @f(%x: memref<…>, %arena: memref<512xi8>) {
 *       %a = memref.alloc()               %a = memref.view %arena[%c256]
 *       …                          →      …
 *       call @g(%a)                       %own = memref.view %arena[%c0]
 *       memref.dealloc %a                 call @g(%a, %own)
 *     }                                 }
 *
 * The body of an `scf.forall` keeps its own allocations, and those of its callees: threads may run it at once. So does
 * a function that needs little: the C library keeps that from call to call, and LLVM knows that it is apart from all
 * else.
 */
import type { BufferLifetime, Lifetime, MemoryUse } from '@sconv/backend';
import {
  bufferAlignment,
  bufferLifetimes,
  elementNameOf,
  isPublicFunction,
  placeBuffers,
  useOf,
} from '@sconv/backend';
import { bufferFlow, bufferOf, createIndex } from '@sconv/dialects';
import { call } from '@sconv/dialects/func';
import { alloc, dealloc, view } from '@sconv/dialects/memref';
import { forall } from '@sconv/dialects/scf';
import { mayKeepPackings } from '@sconv/lowering';
import type { DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import {
  bodyOf,
  builder,
  closestParent,
  functionType,
  functionTypeOf,
  integerType,
  isStaticShape,
  memrefType,
  symbolNameOf,
  typeAttribute,
} from '@sconv/ir';
import { bytesOf } from './signature.ts';

/** The largest arena: what addresses of x86-64 and arm64 reach. */
export const mostArenaBytes = 2 ** 47;

/** Functions whose buffers take no more than this allocate them one by one. */
const fewBytes = 2 ** 22;

/**
 * Places the buffers of these functions, callees first, but of those in `fixed`, whose arguments must stay. Returns
 * what each takes, by name: its last argument is an arena if that is more than nothing.
 */
export const placeInArenas = (
  rewriter: Rewriter,
  functions: readonly DraftOperation[],
  fixed: ReadonlySet<string>,
): ReadonlyMap<string, MemoryUse> => {
  const lifetimesOf = bufferLifetimes(rewriter);
  const uses = new Map<string, MemoryUse>();
  /** Functions that others of the list call before them, recursive ones. */
  const calledEarly = new Set<string>();
  for (const root of functions) {
    const lifetimes = lifetimesOf(root);
    for (const each of rewriter.walk(root))
      if (call.is(each) && !uses.has(calleeOf(each))) calledEarly.add(calleeOf(each));
    const takesArena = mayKeepPackings(root, fixed) && !calledEarly.has(symbolNameOf(root)!);
    const wanted: (Lifetime & MemoryUse & { readonly operation: DraftOperation })[] = [];
    for (const operation of rewriter.walk(root)) {
      const callee = call.is(operation) ? uses.get(calleeOf(operation)) : undefined;
      const isShared = !takesArena || closestParent(operation, (each) => forall.is(each)) !== undefined;
      if (callee !== undefined && callee.bufferBytes > 0) {
        if (!isShared) wanted.push({ operation, ...callee, ...lifetimes.during(operation) });
        else if (callee.arenaBytes > 0) passOwnMemory(rewriter, operation, callee);
      } else if (alloc.is(operation) && !isShared && mayMove(rewriter, operation)) {
        const lifetime = lifetimes.ofBuffer(operation.results[0]!);
        if (!endsInFunction(root, lifetime, lifetimes.during(root))) continue;
        wanted.push({ operation, ...lifetime, ...useOf(bytesOf(operation.results[0]!.type as MemRefType)) });
      }
    }
    const { offsets, ...placed } = placeBuffers(wanted);
    const isSmall = placed.bufferBytes <= fewBytes;
    const use = isSmall ? { ...placed, arenaBytes: 0 } : placed;
    uses.set(symbolNameOf(root)!, use);
    if (isSmall || use.arenaBytes > mostArenaBytes) continue;
    const arena = addArena(rewriter, root, use.arenaBytes);
    for (const [i, { operation, arenaBytes }] of wanted.entries()) {
      if (arenaBytes === 0) continue;
      rewriter.setInsertionPointBefore(operation);
      const isCall = call.is(operation);
      const type = isCall ? bytes(arenaBytes) : (operation.results[0]!.type as MemRefType);
      const byteShift = createIndex(rewriter, offsets[i]!);
      const part: Value = builder(rewriter)(view, { source: arena, byteShift }, { resultTypes: [type] });
      if (isCall) rewriter.setOperands(operation, [...operation.operands, part]);
      else {
        for (const each of freeing(rewriter, operation)) rewriter.eraseOperation(each);
        rewriter.replaceOperation(operation, [part]);
      }
    }
  }
  return uses;
};

const calleeOf = (operation: DraftOperation): string => call.attributes(operation).callee;

const bytes = (count: number): MemRefType => memrefType([count], integerType(8));

/** Whether a view can stand for an allocation, as far as its type and its end are concerned. */
const mayMove = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const [buffer] = operation.results as [Value];
  const type = buffer.type as MemRefType;
  const { alignment } = operation.attributes;
  const isAligned = alignment?.kind !== 'integer' || bufferAlignment % Number(alignment.value) === 0;
  const isPlain = type.layout === undefined && type.memorySpace === undefined && isStaticShape(type);
  const isSized = elementNameOf(type.elementType) !== undefined && Number.isSafeInteger(bytesOf(type));
  return isPlain && isSized && isAligned && isFreedAlone(rewriter, buffer);
};

/** Whether no operation frees a buffer or another one, whichever is chosen. */
const isFreedAlone = (rewriter: Rewriter, buffer: Value): boolean =>
  bufferFlow(rewriter, buffer)
    .values.flatMap((value) => rewriter.users(value))
    .every((user) => !dealloc.is(user) || bufferOf(rewriter, user.operands[0]!).id === buffer.id);

/** The operations that free an allocation. */
const freeing = (rewriter: Rewriter, operation: DraftOperation): readonly DraftOperation[] =>
  bufferFlow(rewriter, operation.results[0]!)
    .values.flatMap((value) => rewriter.users(value))
    .filter((user) => dealloc.is(user));

/** Whether a function's buffer may be reused at its end; only those of public functions are copied when returned. */
const endsInFunction = (
  root: DraftOperation,
  { last, endsInBlock }: BufferLifetime,
  { last: end }: Lifetime,
): boolean => endsInBlock && (last < end || isPublicFunction(root));

/** Has a call in a function without arena, or in one of several threads, allocate for its callee. */
const passOwnMemory = (rewriter: Rewriter, operation: DraftOperation, { arenaBytes }: MemoryUse): void => {
  rewriter.setInsertionPointBefore(operation);
  const memory: Value = builder(rewriter)(
    alloc,
    { alignment: bufferAlignment },
    { resultTypes: [bytes(arenaBytes)] },
  );
  rewriter.setOperands(operation, [...operation.operands, memory]);
  rewriter.setInsertionPointAfter(operation);
  builder(rewriter)(dealloc, { memref: memory });
};

/** Adds the argument of a function that is its arena. */
const addArena = (rewriter: Rewriter, root: DraftOperation, count: number): Value => {
  const { inputs, results } = functionTypeOf(root.attributes['function_type'])!;
  const type = bytes(count);
  rewriter.setAttribute(root, 'function_type', typeAttribute(functionType([...inputs, type], results)));
  return rewriter.addArgument(bodyOf(root), type);
};
