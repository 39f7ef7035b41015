/**
 * Buffers that a function returns twice, was given, or keeps elsewhere: copies of them are apart, which its callers
 * may notice.
 */
import type { Accessing, Origin } from '@sconv/dialects';
import {
  accessesIn,
  bufferFlow,
  calleesFirst,
  forwarding,
  loopLike,
  mayShareMemory,
  originsOf,
} from '@sconv/dialects';
import { call } from '@sconv/dialects/func';
import { getGlobal, global } from '@sconv/dialects/memref';
import type { DraftBlock, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { closestParent, hasTrait, modelOf, symbolNameOf } from '@sconv/ir';
import { calleeOf, functionsOf, returnsOf } from '../function-facts.ts';

/**
 * What a buffer may be, or view. `own`: an allocation that nobody keeps, made here or by a call; those with one token
 * may be one. `elsewhere`: what others may know.
 */
type Source =
  { readonly kind: 'own'; readonly token: Id } | { readonly kind: 'elsewhere'; readonly origin: Origin };

/** What callers need to know of a function. What one without a body returns is its own. */
interface Summary {
  /** Per result. */
  readonly returned: readonly (readonly Source[])[];
  readonly inputs: readonly Value[];
  /** Whether the function may keep a reference, per argument. */
  readonly keeps: readonly boolean[];
  /** Whether it may write to what it has not allocated itself. */
  readonly writes: boolean;
}

/** What is known of a module; nothing of recursive functions. */
export interface KnownFunctions {
  readonly rewriter: Rewriter;
  readonly functions: ReadonlyMap<string, DraftOperation>;
  /** The globals that nobody writes. */
  readonly constants: ReadonlySet<string | undefined>;
  readonly summaries: Map<DraftOperation, Summary>;
  /** Whether an operation may keep a reference, per buffer. */
  readonly kept: Map<Id, boolean>;
  /** What the functions access. */
  readonly accesses: Map<DraftOperation, readonly Accessing[]>;
}

/** A result that a caller would notice to be a copy, and what it is besides. */
export interface NoticedCopy {
  readonly result: number;
  readonly other: string;
}

const isBuffer = ({ type }: Value): boolean => type.kind === 'memref';

/** What the functions of a module do with buffers. */
export const knownFunctions = (rewriter: Rewriter, module: DraftOperation): KnownFunctions => {
  const functions = functionsOf(rewriter, module);
  const constants = rewriter
    .walk(module)
    .filter((each) => global.is(each) && global.attributes(each).constant)
    .map(symbolNameOf);
  const known: KnownFunctions = {
    rewriter,
    functions,
    constants: new Set(constants),
    summaries: new Map(),
    kept: new Map(),
    accesses: new Map(),
  };
  const calleesOf = (caller: DraftOperation) =>
    rewriter.walk(caller).flatMap((each) => calledBy(known, each) ?? []);
  for (const each of calleesFirst([...functions.values()], calleesOf).ordered)
    known.summaries.set(each, summaryOf(known, each));
  return known;
};

/**
 * The first result of a call that is a buffer which the caller has otherwise, or others may have, if one of them may
 * be written after the call.
 */
export const noticedCopy = (known: KnownFunctions, operation: DraftOperation): NoticedCopy | undefined => {
  const { rewriter } = known;
  const used = operation.results.filter((value) => isBuffer(value) && rewriter.users(value).length > 0);
  for (const value of used) {
    const sources = sourcesOf(known, value);
    const isSame = (other: Value): boolean =>
      isBuffer(other) && meet(rewriter, sources, sourcesOf(known, other));
    const result = used.find((other) => other !== value && isSame(other));
    const argument = operation.operands.findIndex(isSame);
    const isShared = result !== undefined || argument >= 0 || sources.some(isElsewhere);
    if (!isShared || !(isKept(known, value) || isWrittenAfter(known, operation, sources))) continue;
    const positionOf = (other: Value): number => operation.results.indexOf(other);
    if (argument >= 0) return { result: positionOf(value), other: `argument #${argument}` };
    const other = result === undefined ? 'memory that others may have' : `result #${positionOf(result)}`;
    return { result: positionOf(value), other };
  }
  return undefined;
};

const calledBy = ({ functions }: KnownFunctions, operation: DraftOperation): DraftOperation | undefined =>
  call.is(operation) ? functions.get(calleeOf(operation)) : undefined;

const summaryAt = (known: KnownFunctions, operation: DraftOperation): Summary | undefined => {
  const callee = calledBy(known, operation);
  return callee && known.summaries.get(callee);
};

const summaryOf = (known: KnownFunctions, operation: DraftOperation): Summary => {
  const ends = returnsOf(operation);
  const body = operation.regions[0]?.blocks[0];
  const inputs = body?.arguments ?? [];
  return {
    returned: (ends[0]?.operands ?? []).map((_, i) =>
      ends.flatMap(({ operands }) => (isBuffer(operands[i]!) ? sourcesOf(known, operands[i]!) : [])),
    ),
    inputs,
    keeps: inputs.map((input) => isBuffer(input) && isKept(known, input)),
    writes:
      body === undefined ||
      accessesBelow(known, operation).some(
        ({ operation: each, accesses }) =>
          summaryAt(known, each)?.writes ??
          (accesses === undefined ||
            accesses.some(
              ({ kind, origins }) =>
                kind === 'write' && (origins === undefined || sourcesFrom(known, origins).some(isElsewhere)),
            )),
      ),
  };
};

const isElsewhere = ({ kind }: Source): boolean => kind === 'elsewhere';

/** What a buffer may be: through the calls of functions that are known. */
const sourcesOf = (known: KnownFunctions, value: Value): readonly Source[] =>
  sourcesFrom(known, originsOf(known.rewriter, value));

const sourcesFrom = (known: KnownFunctions, from: readonly Origin[]): readonly Source[] => {
  const { rewriter, constants } = known;
  const origins = new Map(from.map((origin) => [origin.value.id, origin]));
  const sources: Source[] = [];
  // The map grows during iteration.
  for (const origin of origins.values()) {
    const { kind, value } = origin;
    const elsewhere: Source = { kind: 'elsewhere', origin };
    const own = (token: Id): Source => (isKept(known, value) ? elsewhere : { kind: 'own', token });
    const definition = rewriter.definingOperation(value);
    const summary = kind === 'unknown' && definition !== undefined ? summaryAt(known, definition) : undefined;
    if (kind === 'allocation') sources.push(own(value.id));
    else if (kind === 'global' && constants.has(symbolIn(definition))) continue;
    else if (definition === undefined || summary === undefined) sources.push(elsewhere);
    else if (summary.returned.length === 0) sources.push(own(value.id));
    else {
      for (const source of summary.returned[definition.results.indexOf(value)]!) {
        if (source.kind === 'own') {
          const isSame = (each: Source): boolean => each.kind === 'own' && each.token === source.token;
          for (const [i, each] of summary.returned.entries())
            if (each.some(isSame)) sources.push(own(definition.results[i]!.id));
        } else if (source.origin.kind === 'argument') {
          const at = summary.inputs.findIndex(({ id }) => id === source.origin.value.id);
          for (const each of originsOf(rewriter, definition.operands[at]!)) origins.set(each.value.id, each);
        } else sources.push(source.origin.kind === 'global' ? source : elsewhere);
      }
    }
  }
  return sources;
};

/** The name of the global that an operation gets. */
const symbolIn = (operation: DraftOperation | undefined): string | undefined =>
  operation && getGlobal.is(operation) ? getGlobal.attributes(operation).name : undefined;

/** Whether an operation may keep a reference to a buffer. */
const isKept = (known: KnownFunctions, value: Value): boolean =>
  remembered(known.kept, value.id, () => {
    const { values, keepers } = bufferFlow(known.rewriter, value);
    const ids = new Set(values.map(({ id }) => id));
    return keepers.some((keeper) => {
      const keeps = summaryAt(known, keeper)?.keeps;
      return keeps === undefined || keeper.operands.some(({ id }, i) => ids.has(id) && keeps[i] !== false);
    });
  });

const remembered = <K, V>(answers: Map<K, V>, question: K, find: () => V): V => {
  const answer = answers.get(question) ?? find();
  answers.set(question, answer);
  return answer;
};

const meet = (rewriter: Rewriter, some: readonly Source[], others: readonly Source[]): boolean =>
  some.some((one) =>
    others.some((other) =>
      one.kind === 'own' || other.kind === 'own'
        ? one.kind === 'own' && other.kind === 'own' && one.token === other.token
        : mayShareMemory(rewriter, one.origin.value, other.origin.value),
    ),
  );

/** Whether the function around a call may write to such a buffer after the call. */
const isWrittenAfter = (
  known: KnownFunctions,
  operation: DraftOperation,
  sources: readonly Source[],
): boolean => {
  const around = closestParent(operation, (each) =>
    hasTrait(known.rewriter.registry, each, 'isolated-from-above'),
  );
  if (around === undefined) return true;
  const before = upTo(known.rewriter, operation, around);
  return accessesBelow(known, around).some(
    (each) => !isIn(before, each.operation) && mayWrite(known, each, sources),
  );
};

/** A call and what runs before it, but for what may run again after it. */
const upTo = (
  { registry }: Rewriter,
  operation: DraftOperation,
  around: DraftOperation,
): ReadonlySet<DraftOperation> => {
  const found = new Set<DraftOperation>();
  for (let at = operation; at !== around; at = at.parent!) {
    const [block, parent] = [at.block!, at.parent!];
    const isOnce =
      parent === around ||
      (modelOf(registry, forwarding, parent) !== undefined &&
        modelOf(registry, loopLike, parent) === undefined);
    if (!isOnce || reachesItself(block)) found.clear();
    else for (const each of block.operations.slice(0, block.operations.indexOf(at))) found.add(each);
    if (at === operation && isOnce) found.add(operation);
  }
  return found;
};

const isIn = (operations: ReadonlySet<DraftOperation>, operation: DraftOperation): boolean => {
  for (let at: DraftOperation | undefined = operation; at !== undefined; at = at.parent)
    if (operations.has(at)) return true;
  return false;
};

/** Whether branches lead from a block back to it. */
const reachesItself = (block: DraftBlock): boolean => {
  const blocks = new Map(block.region.blocks.map((each) => [each.id, each]));
  const reached = new Set<Id>(block.last?.successors);
  // The set grows during iteration.
  for (const id of reached)
    for (const successor of blocks.get(id)?.last?.successors ?? []) reached.add(successor);
  return reached.has(block.id);
};

const accessesBelow = (
  { rewriter, accesses }: KnownFunctions,
  operation: DraftOperation,
): readonly Accessing[] =>
  remembered(accesses, operation, () =>
    operation.regions.flatMap(({ blocks }) =>
      blocks.flatMap(({ operations }) => operations.flatMap((each) => accessesIn(rewriter, each))),
    ),
  );

/** Whether an operation may write to a buffer: one without known effects to its operands, and to what others have. */
const mayWrite = (
  known: KnownFunctions,
  { operation, accesses }: Accessing,
  sources: readonly Source[],
): boolean => {
  if (accesses !== undefined)
    return accesses.some(
      ({ kind, origins }) =>
        kind === 'write' &&
        (origins === undefined
          ? sources.some(isElsewhere)
          : meet(known.rewriter, sources, sourcesFrom(known, origins))),
    );
  if (summaryAt(known, operation)?.writes === false) return false;
  return (
    sources.some(isElsewhere) ||
    operation.operands.some((each) => isBuffer(each) && meet(known.rewriter, sources, sourcesOf(known, each)))
  );
};
