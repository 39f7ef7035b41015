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
import type { CountedLoop, MapApplication } from '@sconv/dialects';
import {
  bufferFlow,
  composeValue,
  countedLoops,
  indexNumber,
  loopOfVariable,
  mixedSlice,
  viewLike,
} from '@sconv/dialects';
import { andi, cmpi } from '@sconv/dialects/arith';
import { funcOp } from '@sconv/dialects/func';
import { fill, structured } from '@sconv/dialects/linalg';
import { alloc, cast, collapseShape, expandShape, stridedLayoutOf, subview } from '@sconv/dialects/memref';
import { forBounds, ifOp, yieldOp } from '@sconv/dialects/scf';
import type { Builder, DraftBlock, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { ancestorInBlock, builder, definePass, DYNAMIC, edit, modelOf } from '@sconv/ir';
import { success } from '@sconv/diagnostics';
import type { Stride, StridedSet } from './strided-set.ts';
import { addSet, isWhole, sameSet, stridedSet } from './strided-set.ts';

/**
 * Sinks fills of buffers (function arguments, or allocations of static size, or views of these) to the parts that
 * structured ops in later loops work on. A fill stays unless these parts provably partition the buffer. Assumes that a
 * function argument that is written aliases no other.
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
  const strides = stridesOf(buffer);
  const whole = strides && stridedSet(0, strides);
  const root = rootOf(rewriter, buffer);
  if (whole === undefined || block === undefined || !isWholeBuffer(rewriter, root)) return undefined;
  const uses: PartUse[] = [];
  const seen: Access[] = [];
  let sets: readonly StridedSet[] = [];
  for (const accesses of accessesAfter(rewriter, operation, { root, buffer })) {
    // Another view might be of the same elements.
    if (!accesses.every(({ isOfBuffer }) => isOfBuffer)) return undefined;
    seen.push(...accesses);
    for (const access of accesses) {
      if (seen.some((other) => followsOn(rewriter, access, other, buffer))) continue;
      const found = useOfPart(rewriter, access, buffer, block);
      if (found === undefined) return undefined;
      uses.push(found.use);
      sets = addSet(sets, found.set);
    }
    if (isWhole(sets, whole)) return uses;
  }
  return undefined;
};

/** The buffer that a view is of. */
const rootOf = (rewriter: Rewriter, value: Value): Value => {
  const made = rewriter.definingOperation(value);
  const source = made && modelOf(rewriter.registry, viewLike, made)?.source(made);
  return source === undefined ? value : rootOf(rewriter, source);
};

/** Whether all other names of the memory of this buffer are views of it. */
const isWholeBuffer = (rewriter: Rewriter, buffer: Value): boolean => {
  const { values, escapes } = bufferFlow(rewriter, buffer);
  const isView = (value: Value): boolean => {
    const made = rewriter.definingOperation(value);
    return made !== undefined && modelOf(rewriter.registry, viewLike, made) !== undefined;
  };
  if (escapes || !values.slice(1).every(isView)) return false;
  const definition = rewriter.definingOperation(buffer);
  if (definition !== undefined) return alloc.is(definition);
  const block = rewriter.owningBlock(buffer);
  return block !== undefined && funcOp.is(block.region.operation) && block === block.region.blocks[0];
};

interface Access {
  readonly user: DraftOperation;
  /** The buffer, or the view of it, that is used. */
  readonly value: Value;
  /** Whether it is the filled buffer or a view of that, not another view of its root. */
  readonly isOfBuffer: boolean;
}

/** The uses of a root and its views after `operation`, keyed by their ancestor in its block, in block order. */
const accessesAfter = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { root, buffer }: { readonly root: Value; readonly buffer: Value },
): readonly (readonly Access[])[] => {
  const byHolder = new Map<DraftOperation, Access[]>();
  const visit = (value: Value, isWithin: boolean): void => {
    const isOfBuffer = isWithin || value.id === buffer.id;
    for (const user of rewriter.users(value)) {
      if (modelOf(rewriter.registry, viewLike, user)?.source(user).id === value.id) {
        for (const result of user.results) visit(result, isOfBuffer);
        continue;
      }
      const holder = ancestorInBlock(operation.block, user);
      if (holder === undefined) continue;
      const known = byHolder.get(holder) ?? [];
      known.push({ user, value, isOfBuffer });
      byHolder.set(holder, known);
    }
  };
  visit(root, false);
  const found: (readonly Access[])[] = [];
  for (let at = operation.next; at !== undefined; at = at.next) found.push(byHolder.get(at) ?? []);
  return found;
};

/** The use of a part by a structured op in loops of `block`, and the set of elements that all iterations access. */
const useOfPart = (
  rewriter: Rewriter,
  access: Access,
  buffer: Value,
  block: DraftBlock,
): { readonly use: PartUse; readonly set: StridedSet } | undefined => {
  const { user, value } = access;
  const op = structured(rewriter.registry, user);
  const isOutput = op?.outputs.filter(({ id }) => id === value.id).length === 1;
  if (op === undefined || !isOutput || op.inputs.some(({ id }) => id === value.id)) return undefined;
  const part = partIn(rewriter, access, buffer, block, false);
  if (part === undefined || part.factors.size > 0) return undefined;
  const firsts: PartUse['firsts'][number][] = [];
  for (const { variable } of part.repeating) {
    const sequential = loopOfVariable(rewriter, variable);
    if (sequential === undefined) return undefined;
    firsts.push({ variable, lower: forBounds(sequential).lower });
  }
  return { use: { user, part: value, firsts }, set: part.set };
};

/**
 * Whether an access uses the part that another one used just before, in the same iteration of the loops around both:
 * it sees what that made of the fill.
 */
const followsOn = (rewriter: Rewriter, later: Access, earlier: Access, buffer: Value): boolean => {
  const block = commonBlock(later.user, earlier.user);
  const [second, first] = [later.user, earlier.user].map((user) => block && ancestorInBlock(block, user));
  if (block === undefined || first === undefined || second === undefined || first === second) return false;
  const operations = block.operations;
  if (operations.indexOf(first) > operations.indexOf(second)) return false;
  const [part, before] = [
    partIn(rewriter, later, buffer, block, true),
    partIn(rewriter, earlier, buffer, block, false),
  ];
  return part !== undefined && before !== undefined && isSamePart(part, before);
};

/** The innermost block that contains both. */
const commonBlock = (a: DraftOperation, b: DraftOperation): DraftBlock | undefined => {
  const blocks = new Set<DraftBlock | undefined>();
  for (let at: DraftOperation | undefined = a; at !== undefined; at = at.parent) blocks.add(at.block);
  let at: DraftOperation | undefined = b;
  while (at !== undefined && !blocks.has(at.block)) at = at.parent;
  return at?.block;
};

/** The part that an access uses in one run of `block`: offsets relative to the outer variables. */
interface Part {
  readonly factors: ReadonlyMap<Id, number>;
  readonly set: StridedSet;
  /** The loops whose iterations use the same part again. */
  readonly repeating: readonly CountedLoop[];
}

/** Undefined if unknown; an access in a branch may not execute, which `isOptional` allows. */
const partIn = (
  rewriter: Rewriter,
  { user, value }: Access,
  buffer: Value,
  block: DraftBlock,
  isOptional: boolean,
): Part | undefined => {
  const strides = stridesOf(value);
  const loops = loopsAround(rewriter, user, block, isOptional);
  const origin = originOf(rewriter, value, buffer);
  if (strides === undefined || loops === undefined || origin === undefined) return undefined;
  let offset = origin.constant;
  const all = [...strides];
  const factors = new Map(origin.factors);
  const repeating: CountedLoop[] = [];
  for (const loop of loops) {
    const { variable, lower, step, trips } = loop;
    const factor = factors.get(variable.id) ?? 0;
    factors.delete(variable.id);
    offset += factor * lower;
    if (factor !== 0) all.push({ count: trips, stride: factor * step });
    else if (trips > 1) repeating.push(loop);
  }
  const set = stridedSet(offset, all);
  return set && { factors, set, repeating };
};

const isSamePart = (a: Part, b: Part): boolean =>
  sameSet(a.set, b.set) &&
  a.factors.size === b.factors.size &&
  [...a.factors].every(([id, factor]) => b.factors.get(id) === factor);

/** The strides of a view's elements; undefined if its sizes or layout are dynamic. */
const stridesOf = ({ type }: Value): readonly Stride[] | undefined => {
  const layout = type.kind === 'memref' ? stridedLayoutOf(type) : undefined;
  if (type.kind !== 'memref' || layout === undefined) return undefined;
  const strides = type.shape.map((count, i): Stride => ({ count, stride: layout.strides[i]! }));
  return strides.some(({ count, stride }) => count === DYNAMIC || stride === DYNAMIC) ? undefined : strides;
};

/**
 * The loops around an operation up to `block`, all with at least one iteration; undefined if there is anything else,
 * apart from branches if `mayBranch`.
 */
const loopsAround = (
  rewriter: Rewriter,
  operation: DraftOperation,
  block: DraftBlock,
  mayBranch = false,
): readonly CountedLoop[] | undefined => {
  const loops: CountedLoop[] = [];
  for (let at = operation; at.block !== block;) {
    at = at.parent!;
    if (mayBranch && ifOp.is(at)) continue;
    const own = countedLoops(at, (bound) => indexNumber(rewriter, bound));
    if (own === undefined) return undefined;
    loops.push(...own);
  }
  return loops.every(({ trips }) => trips > 0) ? loops : undefined;
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
  summary: 'sink fills into loops, to the first use of each part',
  options: {},
  run: (module, _options, { registry }) =>
    success(edit(module, { registry }, (rewriter) => sinkFills(rewriter, rewriter.root)).module),
});
