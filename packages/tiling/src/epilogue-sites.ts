/**
 * Finds where loops complete the parts of a tensor, its sites: after the last op that computes a part, in the last
 * iteration of the enclosing loops that accumulate into that same part.
 *
 *     %r = scf.for %k … iter_args(%a) {                 %k adds: its box does not depend on %k
 *       scf.for %i … iter_args(%b) {                    %i counts boxes
 *         %t = … tensor.extract_slice %b[%i] …
 *         tensor.insert_slice %t into %b[%i] …          a site: %t, where %k is the last one
 */
import { linearForm } from '@sconv/affine';
import type { CountedLoop, Reassociation } from '@sconv/dialects';
import { composeValue, countedLoops, indexNumber, mixedSlice, rankReductionMask } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import { forall, forOp, inParallel } from '@sconv/dialects/scf';
import {
  collapseShape,
  expandShape,
  extractSlice,
  insertSlice,
  parallelInsertSlice,
} from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, elementCount, isStaticShape, terminatorOf } from '@sconv/ir';
import { segmentsOf } from './forall-parts.ts';

/** An index of a box: a number, or a multiple of an induction variable. */
export type SiteIndex = number | { readonly variable: Value; readonly factor: number };

/** A part of a tensor, with unit strides. */
export interface SiteBox {
  readonly offsets: readonly SiteIndex[];
  readonly sizes: readonly number[];
}

/** A step from positions in a tensor to positions in a part of it. */
export type SiteStep =
  | {
      readonly kind: 'slice';
      readonly box: SiteBox;
      /** The unit dimensions that the part drops. */
      readonly dropped: ReadonlySet<number>;
    }
  | { readonly kind: 'collapse'; readonly groups: Reassociation }
  /** The part has dimensions of these sizes, groups of which the tensor counts as one. */
  | { readonly kind: 'expand'; readonly groups: Reassociation; readonly sizes: readonly number[] };

/** A loop that accumulates into the same part in each iteration. */
export interface SummingLoop {
  readonly variable: Value;
  readonly last: number;
}

/** Where a part of a tensor is complete. */
export interface Site {
  /** The value that the part is of, as available here, with a single user. */
  readonly value: Value<TensorType>;
  readonly user: DraftOperation;
  /** The part; all of `value` if omitted. */
  readonly box: SiteBox | undefined;
  /** From the tensor to the part. */
  readonly steps: readonly SiteStep[];
  /** Enclosing loops in whose last iteration the part is complete. */
  readonly summing: readonly SummingLoop[];
}

/** The sites of all parts of a tensor, or why they are unknown. */
export type Sites = readonly Site[] | string;

type Way = Pick<Site, 'steps' | 'summing'>;

/** The sites of a value whose only user is `user`. */
export const sitesOf = (rewriter: Rewriter, value: Value<TensorType>, user: DraftOperation): Sites =>
  sitesAlong(rewriter, value, user, { steps: [], summing: [] });

const sitesAlong = (rewriter: Rewriter, value: Value, user: DraftOperation, way: Way): Sites => {
  const definition = rewriter.definingOperation(value);
  if (definition === undefined) return 'it is an argument';
  if (!isStatic(value)) return 'a part of it does not have a static size';
  if (rewriter.users(value).some((each) => each !== user))
    return 'a part of it is used before it is complete';
  if (expandShape.is(definition)) {
    const { reassociation } = expandShape.attributes(definition);
    const steps: readonly SiteStep[] = [...way.steps, { kind: 'collapse', groups: reassociation }];
    return sitesAlong(rewriter, definition.operands[0]!, definition, { ...way, steps });
  }
  if (collapseShape.is(definition)) {
    const source = definition.operands[0]!;
    if (!isStatic(source)) return 'a part of it does not have a static size';
    const { reassociation } = collapseShape.attributes(definition);
    const step: SiteStep = { kind: 'expand', groups: reassociation, sizes: source.type.shape };
    return sitesAlong(rewriter, source, definition, { ...way, steps: [...way.steps, step] });
  }
  if (insertSlice.is(definition)) return sitesOfParts(rewriter, value, definition, way);
  if (forOp.is(definition)) return sitesInNest(rewriter, value, definition, user, way);
  if (forall.is(definition)) return sitesInForall(rewriter, value, definition, way);
  if (structured(rewriter.registry, definition) === undefined) return `'${definition.name}' makes it`;
  return [{ ...way, value, user, box: undefined }];
};

const isStatic = (value: Value): value is Value<TensorType> =>
  value.type.kind === 'tensor' && isStaticShape(value.type);

const inBox = (way: Way, box: SiteBox, dropped: ReadonlySet<number>): Way => ({
  ...way,
  steps: [...way.steps, { kind: 'slice', box, dropped }],
});

/** The destination slice of an insertion, and the dimensions that it drops. */
interface Insertion {
  readonly source: Value;
  readonly dest: Value;
  readonly box: SiteBox;
  readonly dropped: ReadonlySet<number>;
}

/** An insertion of static sizes with unit strides, at multiples of induction variables. */
const insertionOf = (rewriter: Rewriter, operation: DraftOperation): Insertion | undefined => {
  const [source, dest] = operation.operands as [Value, Value];
  const box = boxOf(rewriter, operation);
  if (box === undefined || source.type.kind !== 'tensor') return undefined;
  const dropped = rankReductionMask(box.sizes, source.type.shape);
  return dropped && { source, dest, box, dropped };
};

const boxOf = (rewriter: Rewriter, operation: DraftOperation): SiteBox | undefined => {
  const { offsets, sizes, strides } = mixedSlice(operation);
  const known = sizes.filter((size) => typeof size === 'number');
  const indices = offsets.flatMap((offset): SiteIndex[] => {
    if (typeof offset === 'number') return [offset];
    const { map, operands } = composeValue(rewriter, offset);
    const form = linearForm(map.results[0]!);
    if (form?.constant !== 0 || operands.length !== 1) return [];
    return [{ variable: operands[0]!, factor: form.dims[0]! }];
  });
  const isPlain =
    strides.every((stride) => stride === 1) &&
    known.length === sizes.length &&
    indices.length === offsets.length;
  return isPlain ? { offsets: indices, sizes: known } : undefined;
};

const sameBox = (a: SiteBox, b: SiteBox | undefined): boolean =>
  b !== undefined &&
  a.sizes.every((size, i) => size === b.sizes[i]) &&
  a.offsets.every((offset, i) => {
    const other = b.offsets[i]!;
    if (typeof offset === 'number' || typeof other === 'number') return offset === other;
    return offset.variable.id === other.variable.id && offset.factor === other.factor;
  });

/** Parts inserted one after the other, which together cover the whole. */
const sitesOfParts = (
  rewriter: Rewriter,
  value: Value<TensorType>,
  last: DraftOperation,
  way: Way,
): Sites => {
  const parts: (Insertion & { readonly operation: DraftOperation })[] = [];
  let at: DraftOperation | undefined = last;
  while (at !== undefined && insertSlice.is(at)) {
    const insertion = insertionOf(rewriter, at);
    if (insertion === undefined) return 'a part of it is not known';
    parts.unshift({ ...insertion, operation: at });
    at = rewriter.definingOperation(insertion.dest);
  }
  const areDisjoint = parts.every(({ box }, i) =>
    parts.slice(0, i).every((other) => !overlap(box, other.box)),
  );
  const count = parts.reduce((sum, { box }) => sum + elementCount(box.sizes), 0);
  if (!areDisjoint || count !== elementCount(value.type.shape))
    return 'its parts do not cover it exactly once';
  for (const [i, { operation }] of parts.slice(0, -1).entries()) {
    const before = parts.slice(0, i + 1);
    const readsOther = rewriter.users(operation.results[0]!).every((user) => {
      if (user === parts[i + 1]!.operation) return user.operands[0]!.id !== operation.results[0]!.id;
      const box = extractSlice.is(user) ? boxOf(rewriter, user) : undefined;
      return box !== undefined && before.every((each) => !overlap(box, each.box));
    });
    if (!readsOther) return 'a part of it is used before it is complete';
  }
  return joined(
    parts.map(({ source, box, dropped, operation }) =>
      sitesAlong(rewriter, source, operation, inBox(way, box, dropped)),
    ),
  );
};

const joined = (each: readonly Sites[]): Sites =>
  each.find((sites) => typeof sites === 'string') ?? (each as readonly (readonly Site[])[]).flat();

/** Whether boxes may overlap. */
const overlap = (a: SiteBox, b: SiteBox): boolean =>
  a.offsets.every((offset, i) => {
    const other = b.offsets[i]!;
    if (typeof offset !== 'number' || typeof other !== 'number') return true;
    return offset < other + b.sizes[i]! && other < offset + a.sizes[i]!;
  });

/** A loop with constant bounds and at least one iteration. */
interface KnownLoop extends CountedLoop {
  readonly operation: DraftOperation;
}

const knownLoops = (rewriter: Rewriter, operation: DraftOperation): readonly KnownLoop[] | undefined => {
  const loops = countedLoops(operation, (bound) => indexNumber(rewriter, bound));
  return loops?.every(({ trips }) => trips > 0) === true
    ? loops.map((loop) => ({ ...loop, operation }))
    : undefined;
};

/** The loop of each dimension of a box; undefined unless the boxes partition a tensor of `shape`. */
const loopsOfBox = (
  box: SiteBox,
  shape: readonly number[],
  loops: readonly KnownLoop[],
): ReadonlyMap<KnownLoop, number> | undefined => {
  const counted = new Map<KnownLoop, number>();
  for (const [dimension, offset] of box.offsets.entries()) {
    const [extent, size] = [shape[dimension]!, box.sizes[dimension]!];
    if (typeof offset === 'number') {
      if (offset !== 0 || size !== extent) return undefined;
      continue;
    }
    const loop = loops.find(({ variable }) => variable.id === offset.variable.id);
    if (loop === undefined || counted.has(loop) || loop.lower !== 0) return undefined;
    if (loop.step * offset.factor !== size || loop.trips * size !== extent) return undefined;
    counted.set(loop, dimension);
  }
  return counted;
};

const lastIterations = (loops: readonly KnownLoop[]): readonly SummingLoop[] =>
  loops
    .filter(({ trips }) => trips > 1)
    .map(({ variable, lower, step, trips }) => ({ variable, last: lower + (trips - 1) * step }));

/** Perfectly nested loops that carry the tensor, and insert a part in the innermost one. */
const sitesInNest = (
  rewriter: Rewriter,
  value: Value<TensorType>,
  outermost: DraftOperation,
  user: DraftOperation,
  way: Way,
): Sites => {
  const loops: KnownLoop[] = [];
  let carried = value;
  let inner: DraftOperation | undefined = outermost;
  for (;;) {
    const position = inner.results.findIndex(({ id }) => id === carried.id);
    const body = bodyOf(inner);
    const [loop] = knownLoops(rewriter, inner) ?? [];
    if (loop === undefined) return 'the bounds of a loop that computes it are not constant';
    loops.push(loop);
    const argument = body.arguments[position + 1]!;
    const end = terminatorOf(body);
    const next = end.operands[position]!;
    const definition = rewriter.definingOperation(next);
    if (definition === undefined) return 'a loop only passes it on';
    if (rewriter.users(next).length !== 1 || definition.block !== body)
      return 'a part of it is used before it is complete';
    const users = rewriter.users(argument);
    if (forOp.is(definition)) {
      const at = definition.results.findIndex(({ id }) => id === next.id);
      const isPassedOn =
        users.length === 1 &&
        users[0] === definition &&
        definition.operands.filter(({ id }) => id === argument.id).length === 1 &&
        definition.operands[3 + at]!.id === argument.id;
      if (!isPassedOn) return 'a loop also reads it';
      inner = definition;
      carried = next as Value<TensorType>;
      continue;
    }
    const op = structured(rewriter.registry, definition);
    // The op accumulates into the whole in each iteration.
    if (op !== undefined && users.every((each) => each === definition))
      return [{ ...way, value, user, box: undefined }];
    const insertion = insertSlice.is(definition) ? insertionOf(rewriter, definition) : undefined;
    if (insertion?.dest.id !== argument.id) return 'a loop does not put a part of it in its place';
    const { box, source, dropped } = insertion;
    const readsPart = users.every(
      (each) => each === definition || (extractSlice.is(each) && sameBox(box, boxOf(rewriter, each))),
    );
    if (!readsPart) return 'a loop reads another part of it than the one it writes';
    const counted = loopsOfBox(box, value.type.shape, loops);
    if (counted === undefined) return 'the parts that the loops write do not cover it exactly once';
    const summing = loops.filter((each) => !counted.has(each));
    const made = rewriter.definingOperation(source);
    if (made === undefined || structured(rewriter.registry, made) === undefined)
      return sitesAlong(rewriter, source, definition, {
        ...inBox(way, box, dropped),
        summing: [...way.summing, ...lastIterations(summing)],
      });
    if (rewriter.users(source).length !== 1) return 'a part of it is used before it is complete';
    return [afterInnermost(loops, counted, value, user, box, way)];
  }
};

/**
 * After the innermost loop, for everything that it computes: one loop over a row of tiles is faster than one per
 * tile, and the row is still cached.
 */
const afterInnermost = (
  loops: readonly KnownLoop[],
  counted: ReadonlyMap<KnownLoop, number>,
  value: Value<TensorType>,
  user: DraftOperation,
  { offsets, sizes }: SiteBox,
  way: Way,
): Site => {
  const innermost = loops.at(-1)!;
  const outer = loops.slice(0, -1);
  const around = outer.at(-1);
  if (around === undefined) return { ...way, value, user, box: undefined };
  const dimension = counted.get(innermost);
  const box: SiteBox =
    dimension === undefined
      ? { offsets, sizes }
      : { offsets: offsets.with(dimension, 0), sizes: sizes.with(dimension, value.type.shape[dimension]!) };
  const end = bodyOf(around.operation).last!;
  const position = innermost.operation.results.findIndex(({ id }) =>
    end.operands.some((each) => each.id === id),
  );
  return {
    ...inBox(way, box, new Set()),
    value: innermost.operation.results[position]! as Value<TensorType>,
    user: end,
    box,
    summing: [...way.summing, ...lastIterations(outer.filter((each) => !counted.has(each)))],
  };
};

const sitesInForall = (
  rewriter: Rewriter,
  value: Value<TensorType>,
  loop: DraftOperation,
  way: Way,
): Sites => {
  const { variables } = segmentsOf(loop);
  const position = loop.results.findIndex(({ id }) => id === value.id);
  const argument = bodyOf(loop).arguments[variables.length + position]!;
  const loops = knownLoops(rewriter, loop);
  if (loops === undefined) return 'the bounds of a loop that computes it are not constant';
  const users = rewriter.users(argument);
  const [operation, ...more] = users.filter((user) => parallelInsertSlice.is(user));
  const insertion = operation && insertionOf(rewriter, operation);
  if (
    operation === undefined ||
    insertion === undefined ||
    more.length > 0 ||
    !inParallel.is(operation.parent!)
  )
    return 'a loop does not put a part of it in its place';
  const { box, source, dropped } = insertion;
  const readsPart = users.every(
    (each) => each === operation || (extractSlice.is(each) && sameBox(box, boxOf(rewriter, each))),
  );
  if (!readsPart) return 'a loop reads another part of it than the one it writes';
  const counted = loopsOfBox(box, value.type.shape, loops);
  if (counted === undefined || loops.some((each) => !counted.has(each) && each.trips > 1))
    return 'the parts that the loops write do not cover it exactly once';
  return sitesAlong(rewriter, source, operation, inBox(way, box, dropped));
};
