/** From a scheme to a plan: its loops, splits and packings, around microkernels. */
import type { AnyPlan, Contraction, KernelNode, PackedOperand, Plan } from '@sconv/plans';
import { tileDimension } from '@sconv/plans';
import type { Letters } from './dimensions.ts';
import { lettersIn } from './dimensions.ts';
import { leafFrom } from './leaf.ts';
import type { Nest, Sizes, Step } from './nest.ts';
import { nestOf, sizesOf } from './nest.ts';
import type { Scheme } from './scheme.ts';

/** A plan, and which specifier each of its nodes comes from. */
export interface PlannedScheme {
  readonly tree: AnyPlan;
  /** From paths of nodes (`plan.parts[1].body`) to those of specifiers (`scheme[2]`). */
  readonly origins: ReadonlyMap<string, string>;
}

/** The plan of a scheme without problems of its own, for a contraction whose points it covers. */
export const planOfScheme = (scheme: Scheme, contraction: Contraction): PlannedScheme => {
  const { letters, extents } = lettersIn(scheme, contraction);
  const origins = new Map<string, string>();
  const space = { letters, extents, origins };
  const nest = nestOf(scheme);
  // Its dimensions are those of the letters, which are of one of the two families.
  return {
    tree: nodesOf(nest, 0, space, { path: 'plan', extents, packed: [], isPadded: false }) as AnyPlan,
    origins,
  };
};

interface Space {
  readonly letters: Letters;
  readonly extents: Sizes;
  readonly origins: Map<string, string>;
}

/** Where a node stands. */
interface Place {
  readonly path: string;
  /** What is left of each dimension, by its letter. */
  readonly extents: Sizes;
  readonly packed: readonly PackedOperand[];
  /** Whether a packing around it has padding. */
  readonly isPadded: boolean;
}

const nodesOf = (nest: Nest, from: number, space: Space, place: Place): Plan<string> => {
  const { steps, sequence } = nest;
  const { letters, origins } = space;
  const { path, extents } = place;
  const leaf = sequence === undefined ? leafFrom(steps, letters.reduced) : steps.length;
  const step = steps[from];
  if (step === undefined || from === leaf)
    return sequence === undefined
      ? leafOf(steps.slice(leaf), space, place)
      : sequenceOf(sequence, space, place);
  origins.set(path, step.path);
  const inner = { ...place, path: `${path}.body` };
  if (step.kind === 'P') {
    const { operand } = step;
    const packed = [...place.packed, operand];
    const whole = planSizes(letters, extents)[tileDimension[operand]] ?? 1;
    const tile = planSizes(letters, leafSizes(nest, space))[tileDimension[operand]] ?? 1;
    const length = whole < tile ? vectorOf(nest) : 1;
    const padded = Math.ceil(whole / length) * length;
    const isPadded = padded > whole;
    const body = nodesOf(nest, from + 1, space, { ...inner, packed, isPadded: place.isPadded || isPadded });
    return { kind: 'pack', operand, tiles: Math.max(1, whole / tile), ...(isPadded && { padded }), body };
  }
  const { dimension } = step;
  const size = sizesOf(nest, space.extents, from + 1)[dimension] ?? 1;
  return iterations(space, place, { dimension, size }, (own) => nodesOf(nest, from + 1, space, own));
};

/** The loop over tiles of all that there is of a dimension; and apart from it the last one, where that is not whole. */
const iterations = (
  { letters, origins }: Space,
  place: Place,
  { dimension, size }: { readonly dimension: string; readonly size: number },
  bodyAt: (place: Place) => Plan<string>,
): Plan<string> => {
  const along = letters.dimensions[dimension]!;
  const { path, extents } = place;
  const extent = extents[dimension]!;
  const rest = extent % size;
  const whole = (extent - rest) / size;
  const at = (own: string, left: number): Plan<string> =>
    bodyAt({ ...place, path: own, extents: { ...extents, [dimension]: left } });
  if (rest === 0) return loop(along, size, whole, at(`${path}.body`, size));
  if (whole === 0) return at(path, rest);
  const [first, last] = [0, 1].map((i) => `${path}.parts[${i}].body`) as [string, string];
  for (const each of [first, last]) origins.set(each, origins.get(path) ?? 'scheme');
  return {
    kind: 'split',
    dimension: along,
    parts: [
      {
        size: extent - rest,
        body: whole === 1 ? at(first, size) : loop(along, size, whole, at(`${first}.body`, size)),
      },
      { size: rest, body: at(last, rest) },
    ],
  };
};

const loop = (dimension: string, step: number, count: number, body: Plan<string>): Plan<string> => ({
  kind: 'loop',
  dimension,
  step,
  count,
  body,
});

/** What the first microkernel of a nest covers. */
const leafSizes = (nest: Nest, space: Space): Sizes => {
  const { steps, sequence } = nest;
  return sequence === undefined
    ? sizesOf(nest, space.extents, leafFrom(steps, space.letters.reduced))
    : leafSizes(sequence.parts[0]!.nest, space);
};

/** The vectors of the first microkernel of a nest; 1 without any. */
const vectorOf = ({ steps, sequence }: Nest): number => {
  if (sequence !== undefined) return vectorOf(sequence.parts[0]!.nest);
  const last = steps.at(-1);
  return last?.kind === 'V' ? last.count : 1;
};

/** Sizes by the dimensions of plans, 1 of what is not named. */
const planSizes = ({ dimensions, family }: Letters, sizes: Sizes): Sizes => {
  const known: Record<string, number> = {};
  for (const name of family.dimensions) known[name] = 1;
  for (const [letter, size] of Object.entries(sizes)) known[dimensions[letter]!]! *= size;
  return known;
};

/** One part after the other; a loop in those that run several times. */
const sequenceOf = (
  { dimension, parts, path: origin }: NonNullable<Nest['sequence']>,
  space: Space,
  { path, extents, ...around }: Place,
): Plan<string> => {
  const along = space.letters.dimensions[dimension]!;
  space.origins.set(path, origin);
  let left = extents[dimension]!;
  const bodies = parts.map(({ count, nest }, i) => {
    const size = sizesOf(nest, space.extents)[dimension] ?? 1;
    const extent = Math.min(left, size * count);
    left -= extent;
    const own = parts.length === 1 ? path : `${path}.parts[${i}].body`;
    space.origins.set(own, origin);
    const place = { path: own, extents: { ...extents, [dimension]: extent }, ...around };
    const bodyAt = (inner: Place): Plan<string> => nodesOf(nest, 0, space, inner);
    const body = count === 1 ? bodyAt(place) : iterations(space, place, { dimension, size }, bodyAt);
    return { size: extent, body };
  });
  return bodies.length === 1 ? bodies[0]!.body : { kind: 'split', dimension: along, parts: bodies };
};

/** A microkernel, or without vectors scalar code. */
const leafOf = (
  steps: readonly Step[],
  { letters, origins }: Space,
  { path, extents, packed, isPadded }: Place,
): Plan<string> => {
  const { dimensions, family, reduced } = letters;
  const own = planSizes(letters, extents);
  const last = steps.at(-1);
  if (last?.kind !== 'V') return { kind: 'scalar', extents: own };
  origins.set(path, last.path);
  const unroll: Record<string, number> = {};
  for (const step of steps) {
    if (step.kind !== 'U' || step.count === 1 || !reduced.includes(step.dimension)) continue;
    const dimension = dimensions[step.dimension]!;
    unroll[dimension] = (unroll[dimension] ?? 1) * step.count;
  }
  const windows = family.windows.reduce((all, name) => all * own[name]!, 1);
  const tiles = [{ firstWindow: 0, windows, firstFilter: 0, filters: own['filters']! }];
  const isUnrolled = Object.keys(unroll).length > 0;
  // On two packed operands of windows, a plain tile is a microkernel of the target.
  const isPlain = packed.length === 2 && !isPadded && family.windows.includes('windows') && !isUnrolled;
  const kernel: KernelNode<string> = { kind: 'kernel', lanes: dimensions[last.dimension]!, extents: own };
  return { ...kernel, ...(isUnrolled && { unroll }), ...(!isPlain && { tiles }) };
};
