/** Fuses two loops with equal bounds: upstream's `fuseIndependentSiblingForLoops` and `…ForallLoops`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { Accessing, Counter, MixedIndex } from '@sconv/dialects';
import { accessesIn, countersOf, differWith, mayConflict } from '@sconv/dialects';
import { forall, forallBounds, forOp, yieldOp } from '@sconv/dialects/scf';
import type { DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { attributeEquals, bodyOf, terminatorOf } from '@sconv/ir';
import { reordered } from './reordered.ts';

/**
 * Fuses `target` into `source`: one loop in the place of `source`, whose iterations run the body of `target`, then
 * that of `source`; iter args and results are in that order too. Fails with `fuse-sibling/target` for loops in
 * different blocks or with different bounds, and if an operand would no longer dominate its use.
 *
 * @deviation Fails too where accesses that may conflict would run in another order: upstream leaves that to the caller.
 * Iterations are told apart by what they access if their counters are indices.
 */
export const fuseSiblingOp = (
  rewriter: Rewriter,
  target: DraftOperation,
  source: DraftOperation,
): Diagnosed<DraftOperation> => {
  const why = notSiblings(rewriter, target, source);
  if (why !== undefined) return silenceableError('fuse-sibling/target', why, target);
  const mapping = new Map<Id, Value>();
  rewriter.setInsertionPointAfter(source);
  const carried = [target, source].flatMap((loop) => initsOf(loop));
  const fused = rewriter.create({
    name: source.name,
    operands: [...source.operands.slice(0, source.operands.length - initsOf(source).length), ...carried],
    resultTypes: carried.map(({ type }) => type),
    attributes: withInits(source, carried.length),
    bodies: [undefined],
    location: source.location,
  });
  const variables = bodyOf(source).arguments.slice(
    0,
    bodyOf(source).arguments.length - initsOf(source).length,
  );
  const block = rewriter.createBlock(
    fused.regions[0]!,
    [...variables, ...carried].map(({ type }) => type),
  );
  let next = variables.length;
  for (const loop of [target, source]) {
    bodyOf(loop).arguments.forEach(({ id }, i) => {
      mapping.set(id, block.arguments[i < variables.length ? i : next++]!);
    });
  }
  rewriter.setInsertionPointToEnd(block);
  const ends = [target, source].map((loop) => terminatorOf(bodyOf(loop)));
  for (const loop of [target, source])
    for (const operation of bodyOf(loop).operations.slice(0, -1)) rewriter.clone(operation, mapping);
  endWith(rewriter, ends, mapping);
  const { length } = target.results;
  rewriter.replaceOperation(target, fused.results.slice(0, length), [fused]);
  rewriter.replaceOperation(source, fused.results.slice(length), [fused]);
  return success(fused);
};

/** A terminator with the operands, or the insertions, of both. */
const endWith = (rewriter: Rewriter, ends: readonly DraftOperation[], mapping: Map<Id, Value>): void => {
  const [first, second] = ends as [DraftOperation, DraftOperation];
  if (yieldOp.is(first)) {
    const results = ends.flatMap(({ operands }) => operands.map((value) => mapping.get(value.id) ?? value));
    rewriter.create(yieldOp.state({ operands: { results } }));
    return;
  }
  const made = rewriter.clone(first, mapping);
  rewriter.setInsertionPointToEnd(bodyOf(made));
  for (const operation of bodyOf(second).operations) rewriter.clone(operation, mapping);
};

const initsOf = (loop: DraftOperation): readonly Value[] =>
  loop.operands.slice(loop.operands.length - loop.results.length);

/** The declared attributes of a loop, for `count` initial values. */
const withInits = (loop: DraftOperation, count: number): DraftOperation['attributes'] => {
  if (!forall.is(loop)) return {};
  const own = new Set(forall.attributeSpecs.map(({ name }) => name));
  const attributes = Object.fromEntries(Object.entries(loop.attributes).filter(([name]) => own.has(name)));
  const { operandSegmentSizes: sizes } = loop.attributes;
  if (sizes?.kind !== 'dense-array') return attributes;
  const values = [...sizes.values.slice(0, -1), typeof sizes.values[0] === 'bigint' ? BigInt(count) : count];
  return { ...attributes, operandSegmentSizes: { ...sizes, values } };
};

const sameBound = (a: MixedIndex, b: MixedIndex): boolean =>
  typeof a === 'number' ? a === b : typeof b === 'object' && a.id === b.id;

const hasSameIterations = (a: DraftOperation, b: DraftOperation): boolean => {
  if (forOp.is(a) && forOp.is(b)) return [0, 1, 2].every((i) => a.operands[i]!.id === b.operands[i]!.id);
  if (!forall.is(a) || !forall.is(b)) return false;
  const [one, other] = [forallBounds(a), forallBounds(b)];
  const { mapping: x } = a.attributes;
  const { mapping: y } = b.attributes;
  const sameMapping = x === undefined || y === undefined ? x === y : attributeEquals(x, y);
  return (
    sameMapping &&
    one.length === other.length &&
    one.every(
      ({ lower, upper, step }, i) =>
        sameBound(lower, other[i]!.lower) &&
        sameBound(upper, other[i]!.upper) &&
        sameBound(step, other[i]!.step),
    )
  );
};

/** Why two loops cannot be fused, in upstream's words; undefined if they can. */
const notSiblings = (
  rewriter: Rewriter,
  target: DraftOperation,
  source: DraftOperation,
): string | undefined => {
  if (target === source) return 'target and source need to be different loops';
  const { block } = source;
  if (block === undefined || target.block !== block) return 'target and source are not in the same block';
  const order = new Map(block.operations.map((operation, i) => [operation, i]));
  const placeOf = (operation: DraftOperation): number | undefined => {
    for (let at: DraftOperation | undefined = operation; at !== undefined; at = at.parent)
      if (at.block === block) return order.get(at);
    return undefined;
  };
  const at = order.get(source)!;
  if (order.get(target)! < at) {
    const users = target.results.flatMap((result) => rewriter.users(result));
    if (users.some((user) => (placeOf(user) ?? -1) <= at))
      return 'user of results of target should be properly dominated by source';
  } else {
    const isLate = (value: Value): boolean => {
      const made = rewriter.definingOperation(value);
      return made?.block === block && order.get(made)! >= at;
    };
    if (target.operands.some(isLate)) return 'operands of target should be properly dominated by source';
    const inside = rewriter.walk(target).filter((operation) => operation !== target);
    if (inside.some(({ operands }) => operands.some(isLate)))
      return 'values used inside regions of target should be properly dominated by source';
  }
  if (!hasSameIterations(target, source)) return 'operations cannot be fused';
  return reordersMemory(rewriter, target, source) ? reordered : undefined;
};

/**
 * Whether accesses that may conflict would run in another order: those of `target` and of what is between the loops,
 * or of different iterations of the two; if `source` comes first, of the same iteration too.
 */
const reordersMemory = (rewriter: Rewriter, target: DraftOperation, source: DraftOperation): boolean => {
  const { operations } = source.block!;
  const [from, to] = [operations.indexOf(target), operations.indexOf(source)];
  const [accesses, sourceAccesses] = [target, source].map((loop) => accessesIn(rewriter, loop)) as [
    readonly Accessing[],
    readonly Accessing[],
  ];
  const between = operations
    .slice(Math.min(from, to) + 1, Math.max(from, to))
    .flatMap((each) => accessesIn(rewriter, each));
  const [counters, others] = [target, source].map((loop) => countersOf(rewriter, loop)) as [
    readonly Counter[],
    readonly Counter[],
  ];
  const conflictsWithSource = (one: Accessing, other: Accessing): boolean =>
    mayConflict(
      rewriter,
      one,
      other,
      (x, y) => from < to && differWith(rewriter, [x, counters], [y, others]),
    );
  return accesses.some(
    (one) =>
      between.some((other) => mayConflict(rewriter, one, other)) ||
      sourceAccesses.some((other) => conflictsWithSource(one, other)),
  );
};
