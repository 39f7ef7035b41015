/**
 * Fills of a buffer that loops then work on part by part: each part is filled where it is worked on first.
 *
 *     linalg.fill ins(%zero) outs(%c)                scf.for %k … {
 *     scf.for %k … {                                   scf.for %i … {
 *       scf.for %i … {                                   %part = memref.subview %c[%i] …
 *         %part = memref.subview %c[%i] …         →      %first = arith.cmpi eq, %k, %k0
 *         linalg.generic … outs(%part)                   scf.if %first { linalg.fill ins(%zero) outs(%part) }
 *       }                                                linalg.generic … outs(%part)
 *     }                                                } }
 *
 * A buffer that is larger than the caches is then not read and written once more.
 */
import { constant as constantExpr, linearForm, makeMap } from '@sconv/affine';
import type { MapApplication, MixedIndex } from '@sconv/dialects';
import { composeValue, constantIndexOf, mixedSlice, viewLike } from '@sconv/dialects';
import { andi, cmpi } from '@sconv/dialects/arith';
import { funcOp } from '@sconv/dialects/func';
import { fill, structured } from '@sconv/dialects/linalg';
import { alloc, cast, collapseShape, expandShape, stridedLayoutOf, subview } from '@sconv/dialects/memref';
import { forall, forallBounds, forOp, ifOp, yieldOp } from '@sconv/dialects/scf';
import type { Builder, DraftBlock, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { builder, definePass, DYNAMIC, edit, elementCount, isStaticShape, modelOf } from '@sconv/ir';
import { success } from '@sconv/diagnostics';
import type { Stride, StridedSet } from './strided-set.ts';
import { addSet, isWhole, stridedSet } from './strided-set.ts';

/**
 * Sinks fills of whole buffers (function arguments, or allocations of static size) to the parts that structured ops
 * in later loops work on. A fill stays unless these parts provably partition the buffer. Assumes that a function
 * argument that is written aliases no other.
 */
export const sinkFills = (rewriter: Rewriter, root: DraftOperation): void => {
  for (const operation of rewriter.walk(root)) {
    if (!fill.is(operation)) continue;
    const uses = usesOfParts(rewriter, operation);
    // No gain without loops.
    if (uses === undefined || uses.every(({ user }) => user.block === operation.block)) continue;
    for (const use of uses) fillBefore(rewriter, operation, use);
    rewriter.eraseOperation(operation);
  }
};

/** An operation that works on a part of the buffer. */
interface PartUse {
  readonly user: DraftOperation;
  readonly part: Value;
  /** The loops whose first iteration is the first to use the part: induction variables and lower bounds. */
  readonly firsts: readonly { readonly variable: Value; readonly lower: Value }[];
}

/** The operations that first use the parts of the filled buffer; undefined if unknown. */
const usesOfParts = (rewriter: Rewriter, operation: DraftOperation): readonly PartUse[] | undefined => {
  const buffer = fill.operands(operation).outputs[0]!;
  const { block } = operation;
  if (buffer.type.kind !== 'memref' || !isStaticShape(buffer.type) || buffer.type.layout !== undefined) {
    return undefined;
  }
  if (block === undefined || !isWholeBuffer(rewriter, buffer)) return undefined;
  const uses: PartUse[] = [];
  let sets: readonly StridedSet[] = [];
  for (const accesses of accessesAfter(rewriter, operation, buffer)) {
    for (const access of accesses) {
      const found = useOfPart(rewriter, access, buffer, block);
      if (found === undefined) return undefined;
      uses.push(found.use);
      sets = addSet(sets, found.set);
    }
    if (isWhole(sets, elementCount(buffer.type.shape))) return uses;
  }
  return undefined;
};

/** Whether all other views of the memory of this buffer are derived from it. */
const isWholeBuffer = (rewriter: Rewriter, buffer: Value): boolean => {
  const definition = rewriter.definingOperation(buffer);
  if (definition !== undefined) return alloc.is(definition);
  const block = rewriter.owningBlock(buffer);
  return block !== undefined && funcOp.is(block.region.operation) && block === block.region.blocks[0];
};

interface Access {
  readonly user: DraftOperation;
  /** The buffer, or the view of it, that is used. */
  readonly value: Value;
}

/** The uses of the buffer and its views after `operation`, keyed by their ancestor in its block, in block order. */
const accessesAfter = (
  rewriter: Rewriter,
  operation: DraftOperation,
  buffer: Value,
): readonly (readonly Access[])[] => {
  const byHolder = new Map<DraftOperation, Access[]>();
  const visit = (value: Value): void => {
    for (const user of rewriter.users(value)) {
      if (modelOf(rewriter.registry, viewLike, user)?.source(user).id === value.id) {
        user.results.forEach(visit);
        continue;
      }
      let holder: DraftOperation | undefined = user;
      while (holder !== undefined && holder.block !== operation.block) holder = holder.parent;
      if (holder === undefined) continue;
      const known = byHolder.get(holder) ?? [];
      known.push({ user, value });
      byHolder.set(holder, known);
    }
  };
  visit(buffer);
  const found: (readonly Access[])[] = [];
  for (let at = operation.next; at !== undefined; at = at.next) found.push(byHolder.get(at) ?? []);
  return found;
};

/** The use of a part by a structured op in loops of `block`, and the set of elements that all iterations access. */
const useOfPart = (
  rewriter: Rewriter,
  { user, value }: Access,
  buffer: Value,
  block: DraftBlock,
): { readonly use: PartUse; readonly set: StridedSet } | undefined => {
  const op = structured(rewriter.registry, user);
  const isOutput = op?.outputs.filter(({ id }) => id === value.id).length === 1;
  if (op === undefined || !isOutput || op.inputs.some(({ id }) => id === value.id)) return undefined;
  const layout = value.type.kind === 'memref' ? stridedLayoutOf(value.type) : undefined;
  const loops = loopsAround(rewriter, user, block);
  const origin = originOf(rewriter, value, buffer);
  if (value.type.kind !== 'memref' || layout === undefined || loops === undefined || origin === undefined)
    return undefined;
  const strides = value.type.shape.map((count, i): Stride => ({ count, stride: layout.strides[i]! }));
  if (strides.some(({ count, stride }) => count === DYNAMIC || stride === DYNAMIC)) return undefined;
  let offset = origin.constant;
  const firsts: PartUse['firsts'][number][] = [];
  const factors = new Map(origin.factors);
  for (const { variable, lower, first, step, trips, isSequential } of loops) {
    const factor = factors.get(variable.id) ?? 0;
    factors.delete(variable.id);
    offset += factor * first;
    if (factor !== 0) strides.push({ count: trips, stride: factor * step });
    else if (trips > 1) {
      if (!isSequential || typeof lower === 'number') return undefined;
      firsts.push({ variable, lower });
    }
  }
  const set = factors.size === 0 ? stridedSet(offset, strides) : undefined;
  return set && { use: { user, part: value, firsts }, set };
};

interface CountedLoop {
  readonly variable: Value;
  readonly lower: MixedIndex;
  readonly first: number;
  readonly step: number;
  readonly trips: number;
  readonly isSequential: boolean;
}

/** The loops around an operation up to `block`, all with at least one iteration; undefined if there is anything else. */
const loopsAround = (
  rewriter: Rewriter,
  operation: DraftOperation,
  block: DraftBlock,
): readonly CountedLoop[] | undefined => {
  const loops: CountedLoop[] = [];
  for (let at = operation; at.block !== block;) {
    at = at.parent!;
    const bounds = boundsOf(at);
    if (bounds === undefined) return undefined;
    for (const [i, { lower, upper, step }] of bounds.entries()) {
      const [first, end, by] = [lower, upper, step].map((index) =>
        typeof index === 'number' ? index : constantIndexOf(rewriter, index),
      );
      if (first === undefined || end === undefined || by === undefined || by < 1) return undefined;
      const trips = Math.ceil((end - first) / by);
      const variable = at.regions[0]!.blocks[0]!.arguments[i]!;
      loops.push({ variable, lower, first, step: by, trips, isSequential: forOp.is(at) });
    }
  }
  return loops.every(({ trips }) => trips > 0) ? loops : undefined;
};

const boundsOf = (operation: DraftOperation): ReturnType<typeof forallBounds> | undefined => {
  if (forall.is(operation)) return forallBounds(operation);
  if (!forOp.is(operation)) return undefined;
  const [lower, upper, step] = operation.operands as [Value, Value, Value];
  return [{ lower, upper, step }];
};

/** A linear combination of values. */
interface Origin {
  readonly constant: number;
  readonly factors: ReadonlyMap<Id, number>;
}

/** The element offset of a view from the start of `buffer`; undefined if it is not a linear combination. */
const originOf = (rewriter: Rewriter, value: Value, buffer: Value): Origin | undefined => {
  if (value.id === buffer.id) return { constant: 0, factors: new Map() };
  const view = rewriter.definingOperation(value)!;
  const source = view.operands[0]!;
  const origin = originOf(rewriter, source, buffer);
  if (origin === undefined || source.type.kind !== 'memref') return undefined;
  if ([collapseShape, expandShape, cast].some((definition) => definition.is(view))) return origin;
  const strides = stridedLayoutOf(source.type)?.strides;
  if (!subview.is(view) || strides === undefined) return undefined;
  let { constant } = origin;
  const factors = new Map(origin.factors);
  for (const [i, offset] of mixedSlice(view).offsets.entries()) {
    const { map, operands } = typeof offset === 'number' ? fixed(offset) : composeValue(rewriter, offset);
    const form = linearForm(map.results[0]!);
    const stride = strides[i]!;
    if (form === undefined || stride === DYNAMIC) return undefined;
    constant += form.constant * stride;
    form.dims.forEach((factor, dimension) => {
      const { id } = operands[dimension]!;
      factors.set(id, (factors.get(id) ?? 0) + factor * stride);
    });
  }
  return { constant, factors };
};

const fixed = (index: number): MapApplication => ({
  map: makeMap(0, 0, [constantExpr(index)]),
  operands: [],
});

/** Fills the part before its use, in the first iterations. */
const fillBefore = (rewriter: Rewriter, operation: DraftOperation, { user, part, firsts }: PartUse): void => {
  const { inputs } = fill.operands(operation);
  rewriter.setInsertionPointBefore(user);
  const b = builder(rewriter);
  const [first, ...others] = firsts.map(({ variable, lower }): Value => {
    return b(cmpi, { predicate: 'eq', lhs: variable, rhs: lower });
  });
  if (first === undefined) {
    b(fill, { inputs, outputs: [part] });
    return;
  }
  const condition = others.reduce((all, each): Value => b(andi, { lhs: all, rhs: each }), first);
  const build = (inner: Builder): void => {
    inner(fill, { inputs, outputs: [part] });
    inner(yieldOp, {});
  };
  b(ifOp, { condition }, { resultTypes: [], bodies: [{ build }, undefined] });
};

/** `sinkFills` as a pass. */
export const sinkFillsPass = definePass({
  name: 'sink-fills',
  title: 'SinkFills',
  summary: 'fill buffers part by part, where loops work on them first',
  options: {},
  run: (module, _options, { registry }) =>
    success(edit(module, { registry }, (rewriter) => sinkFills(rewriter, rewriter.root)).module),
});
