/**
 * Where references to buffers go: through views, `arith.select`, loops, branches and blocks (upstream's
 * `BufferViewFlowAnalysis`).
 */
import type { DraftOperation, DraftRegion, Id, Rewriter, Type, Value } from '@sconv/ir';
import { effectsOf, hasTrait, modelOf } from '@sconv/ir';
import type { Flow } from './interfaces.ts';
import { branchLike, flows, forwarding, viewLike } from './interfaces.ts';

const isBuffer = ({ kind }: Type): boolean => kind === 'memref' || kind === 'unranked-memref';

/** Where an operation passes the buffers among its operands; nowhere for a `return`. */
const flowsOf = ({ registry }: Rewriter, operation: DraftOperation): readonly Flow[] => {
  const { results, parent, successors } = operation;
  const view = modelOf(registry, viewLike, operation);
  if (view !== undefined) return flows([view.source(operation)], results);
  const own = modelOf(registry, forwarding, operation);
  if (own !== undefined) return own(operation, operation);
  const branch = modelOf(registry, branchLike, operation);
  if (branch !== undefined) {
    return branch.operands(operation).flatMap((values, successor) => {
      const target = operation.block?.region.blocks.find(({ id }) => id === successors[successor]);
      return flows(values, target?.arguments);
    });
  }
  if (parent === undefined || !hasTrait(registry, operation, 'terminator')) return [];
  return modelOf(registry, forwarding, parent)?.(parent, operation) ?? [];
};

/** Whether an operation creates a buffer. */
const creates = (rewriter: Rewriter, operation: DraftOperation, { id }: Value): boolean =>
  effectsOf(rewriter.registry, operation)?.some(
    ({ kind, value }) => kind === 'allocate' && value?.id === id,
  ) === true;

/**
 * What a value comes from. `unknown`: a buffer from elsewhere, such as the result of a call, or one that is loaded.
 */
export interface Origin {
  readonly kind: 'allocation' | 'argument' | 'global' | 'unknown';
  readonly value: Value;
  /** Whether an operation may keep a reference to it (see `BufferFlow`). */
  readonly escapes: () => boolean;
}

/** What was found for other values, while the payload stays as it is. */
export interface KnownOrigins {
  readonly origins: Map<Id, Origin>;
  readonly incoming: Map<DraftOperation | DraftRegion, Incoming>;
}

/** Values by what they may be; and the blocks that a branch leads to of which that is not known. */
interface Incoming {
  readonly values: ReadonlyMap<Id, readonly Value[]>;
  readonly unknown: ReadonlySet<Id>;
}

/** To be passed to several questions about one payload. */
export const knownOrigins = (): KnownOrigins => ({ origins: new Map(), incoming: new Map() });

/** The buffers that a value may be, or be a view of. */
export const originsOf = (
  rewriter: Rewriter,
  value: Value,
  known: KnownOrigins = knownOrigins(),
): readonly Origin[] => {
  const seen = new Map<Id, Value>([[value.id, value]]);
  const origins: Origin[] = [];
  // The map grows during iteration.
  for (const at of seen.values()) {
    const sources = sourcesOf(rewriter, at, known);
    if (sources === undefined) origins.push(remembered(known.origins, at.id, () => originAt(rewriter, at)));
    for (const source of sources ?? []) if (!seen.has(source.id)) seen.set(source.id, source);
  }
  return origins;
};

const remembered = <K, V>(answers: Map<K, V>, question: K, find: () => V): V => {
  const answer = answers.get(question) ?? find();
  answers.set(question, answer);
  return answer;
};

/** The values that a value may be, or view; undefined if it is none of other values that are known. */
const sourcesOf = (
  rewriter: Rewriter,
  value: Value,
  { incoming }: KnownOrigins,
): readonly Value[] | undefined => {
  const block = rewriter.owningBlock(value);
  // Only branches lead to blocks other than the first.
  const region = block === block?.region.blocks[0] ? undefined : block?.region;
  const around = region ?? rewriter.definingOperation(value) ?? block?.region.operation;
  if (around === undefined) return undefined;
  const { values, unknown } = remembered(incoming, around, () => incomingOf(rewriter, around));
  return region !== undefined && unknown.has(block!.id) ? undefined : values.get(value.id);
};

/** What the ends of an operation's blocks, and the operation itself, pass on; of a region, what its branches do. */
const incomingOf = (rewriter: Rewriter, around: DraftOperation | DraftRegion): Incoming => {
  const isRegion = 'blocks' in around;
  const blocks = isRegion ? around.blocks : around.regions.flatMap((region) => region.blocks);
  const ends = blocks.flatMap(({ last }) => last ?? []);
  const values = new Map<Id, Value[]>();
  for (const operation of isRegion ? ends : [around, ...ends])
    for (const { from, to } of flowsOf(rewriter, operation))
      remembered(values, to.id, (): Value[] => []).push(from);
  const isUnknown = (end: DraftOperation) => modelOf(rewriter.registry, branchLike, end) === undefined;
  const unknown = new Set(ends.filter(isUnknown).flatMap(({ successors }) => successors));
  return { values, unknown };
};

const originAt = (rewriter: Rewriter, value: Value): Origin => {
  const definition = rewriter.definingOperation(value);
  const block = rewriter.owningBlock(value);
  const around = block?.region.operation;
  const kindOf = (): Origin['kind'] => {
    if (definition !== undefined) {
      if (creates(rewriter, definition, value)) return 'allocation';
      return definition.name === 'memref.get_global' ? 'global' : 'unknown';
    }
    if (around === undefined || block !== around.regions[0]?.blocks[0]) return 'unknown';
    return hasTrait(rewriter.registry, around, 'isolated-from-above') ? 'argument' : 'unknown';
  };
  let escapes: boolean | undefined;
  return { kind: kindOf(), value, escapes: () => (escapes ??= bufferFlow(rewriter, value).escapes) };
};

/** The values that may be a buffer or view it, and what becomes of them. */
export interface BufferFlow {
  /** The buffer first. */
  readonly values: readonly Value[];
  /**
   * The operations that may keep a reference: a call, a store of the buffer itself, one whose effects are unknown. A
   * `return` does not, within the function.
   */
  readonly keepers: readonly DraftOperation[];
  /** Whether an operation may keep a reference. */
  readonly escapes: boolean;
  /** Whether all values but the buffer are views, and no terminator takes one. */
  readonly isOnlyViewed: boolean;
}

/** Follows a buffer to all its uses. */
export const bufferFlow = (rewriter: Rewriter, buffer: Value): BufferFlow => {
  const { registry } = rewriter;
  const found = new Map<Id, Value>([[buffer.id, buffer]]);
  const keepers = new Set<DraftOperation>();
  let isOnlyViewed = true;
  // The map grows during iteration.
  for (const value of found.values()) {
    for (const user of new Set(rewriter.users(value))) {
      const targets = flowsOf(rewriter, user).flatMap(({ from, to }) => (from.id === value.id ? [to] : []));
      const isView = modelOf(registry, viewLike, user)?.source(user).id === value.id;
      const isTerminator = hasTrait(registry, user, 'terminator');
      const isForwarded = targets.length > 0;
      isOnlyViewed &&= isView || (!isTerminator && !isForwarded);
      if (!isForwarded) {
        if (isTerminator ? !leavesFunction(rewriter, user) : mayKeep(rewriter, user, value))
          keepers.add(user);
        targets.push(...user.results.filter((result) => !creates(rewriter, user, result)));
      }
      for (const target of targets) {
        if (isBuffer(target.type)) found.set(target.id, target);
        // An address, which a buffer may be made of again.
        else if (isForwarded) keepers.add(user);
      }
    }
  }
  return {
    values: [...found.values()],
    keepers: [...keepers],
    escapes: keepers.size > 0,
    isOnlyViewed,
  };
};

/** Whether an operation frees a buffer, or what may be it. */
export const isFreed = (rewriter: Rewriter, { values }: BufferFlow): boolean =>
  values
    .flatMap((value) => rewriter.users(value))
    .some((user) => effectsOf(rewriter.registry, user)?.some(({ kind }) => kind === 'free') === true);

/** Ops of which upstream tells no effects, lest they be erased. */
const prefetches: ReadonlySet<string> = new Set(['memref.prefetch', 'affine.prefetch']);

const leavesFunction = ({ registry }: Rewriter, { parent }: DraftOperation): boolean =>
  parent !== undefined && hasTrait(registry, parent, 'isolated-from-above');

/** Whether an operation that passes a buffer to no known value may keep a reference to it. */
const mayKeep = (rewriter: Rewriter, user: DraftOperation, { id }: Value): boolean => {
  if (prefetches.has(user.name)) return false;
  const effects = effectsOf(rewriter.registry, user);
  if (effects === undefined) return true;
  const isPlain = user.results.every(({ type }) =>
    ['index', 'integer', 'float', 'vector'].includes(type.kind),
  );
  if (!isPlain) return true;
  // A store of the buffer itself writes to another.
  return effects.some(({ kind }) => kind === 'write') && effects.every(({ value }) => value?.id !== id);
};
