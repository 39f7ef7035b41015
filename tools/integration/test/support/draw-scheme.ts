/** Random schemes that are valid by construction: factors are taken from what is left of each dimension. */
import type { Scheme, Specifier } from '@sconv/schemes';
import type { Below } from './draw-plan.ts';

/** What a scheme is drawn for. */
export interface SchemeSpace {
  /** Points of each dimension, by its letter. */
  readonly extents: Readonly<Record<string, number>>;
  /** The letters of the windows, and of the filters. */
  readonly windows: readonly string[];
  readonly filters: string;
  /** Those of what is summed over, in a microkernel's order. */
  readonly reduced: readonly string[];
  readonly lanes: string;
  readonly mayReadInput: boolean;
}

type Extents = SchemeSpace['extents'];

const oneOf = <T>(below: Below, values: readonly T[]): T => values[below(values.length)]!;

const divisor = (below: Below, size: number): number =>
  oneOf(
    below,
    Array.from({ length: size }, (_, i) => i + 1).filter((each) => size % each === 0),
  );

const shuffled = <T>(below: Below, values: readonly T[]): readonly T[] => {
  const rest = [...values];
  return values.map(() => rest.splice(below(rest.length), 1)[0]!);
};

/** Loops that take a factor of each of these dimensions, and what is left. */
const loops = (below: Below, extents: Extents, dimensions: readonly string[]) => {
  const left = { ...extents };
  const steps = dimensions.map((dimension): Specifier => {
    const count = divisor(below, left[dimension]!);
    left[dimension]! /= count;
    return { kind: 'T', dimension, count };
  });
  return { steps, left };
};

/** Counts and sizes whose products add up to `total`, two or three of them as a rule. */
const partition = (
  below: Below,
  total: number,
): readonly { readonly count: number; readonly size: number }[] => {
  const parts: { readonly count: number; readonly size: number }[] = [];
  for (let rest = total; rest > 0; rest -= parts.at(-1)!.count * parts.at(-1)!.size) {
    const size = parts.length === 2 ? rest : 1 + below(rest);
    parts.push({ count: 1 + below(Math.floor(rest / size)), size });
  }
  return parts;
};

/** A scheme of all of the space. */
export const drawScheme = (below: Below, space: SchemeSpace): Scheme => {
  const { b, ...extents } = space.extents;
  const images: Scheme = b === undefined ? [] : [{ kind: 'T', dimension: 'b', count: b }];
  return withRemaining(below, [...images, ...drawList(below, extents, space, 3)]);
};

/** Some of the outermost loops over a dimension as loops over all that is left of it. */
const withRemaining = (below: Below, scheme: Scheme): Scheme => {
  const seen = new Set<string>();
  return scheme.map((specifier) => {
    if (specifier.kind === 'P') return specifier;
    const { kind, dimension } = specifier;
    const isFirst = !seen.has(dimension);
    seen.add(dimension);
    const isBound = kind === 'T' && typeof specifier.count === 'number';
    return isBound && isFirst && below(2) === 0 ? { kind: 'R', dimension } : specifier;
  });
};

/** At most `budget` loops and sequences around a nest. */
const drawList = (below: Below, extents: Extents, space: SchemeSpace, budget: number): Scheme => {
  const dimension = oneOf(below, Object.keys(extents));
  const inner = (own: Extents): Scheme => drawList(below, own, space, budget - 1);
  const extent = extents[dimension]!;
  const kind = budget === 0 ? 4 + below(3) : below(7);
  if (kind < 2 && extent > 1) {
    const parts = partition(below, extent).map(({ count, size }) => ({
      count,
      scheme: inner({ ...extents, [dimension]: size }),
    }));
    return [{ kind: 'Seq', dimension, parts }];
  }
  if (kind === 2 && extent > 1) return drawLambda(below, extents, dimension, space);
  if (kind === 3) {
    const { steps, left } = loops(below, extents, [dimension]);
    return [...steps, ...inner(left)];
  }
  return kind === 4 && below(2) === 0 ? scalarLoops(below, extents) : drawNest(below, extents, space);
};

/** Loops over everything. */
const scalarLoops = (below: Below, extents: Extents): Scheme =>
  shuffled(below, Object.entries(extents)).map(([dimension, count]) => ({ kind: 'T', dimension, count }));

const drawLambda = (below: Below, extents: Extents, dimension: string, space: SchemeSpace): Scheme => {
  const tile = divisor(below, extents[dimension]!);
  const lambda: Specifier = {
    kind: 'lambda',
    dimension,
    variable: 'x',
    parts: partition(below, extents[dimension]! / tile),
  };
  const nest = drawNest(below, { ...extents, [dimension]: tile }, space);
  const isUnrolled = !space.reduced.includes(dimension) && below(3) > 0;
  return isUnrolled
    ? [lambda, ...nest.slice(0, -1), { kind: 'U', dimension, count: 'x' }, nest.at(-1)!]
    : [lambda, { kind: 'T', dimension, count: 'x' }, ...nest];
};

/** Loops around a microkernel: anywhere where it reads in place, else as packings allow. */
const drawNest = (below: Below, extents: Extents, space: SchemeSpace): Scheme => {
  const { windows, filters, reduced, mayReadInput } = space;
  const all = [...windows, filters, ...reduced];
  if (mayReadInput && below(2) === 0) {
    const { steps, left } = loops(below, extents, shuffled(below, [...all, oneOf(below, all)]));
    return [...steps, ...drawKernel(below, left, space, shuffled(below, reduced))];
  }
  const outer = loops(below, extents, shuffled(below, reduced));
  const past = { windows: loops(below, outer.left, windows), filters: loops(below, outer.left, [filters]) };
  const left = { ...past.windows.left, [filters]: past.filters.left[filters]! };
  const [input, others]: readonly [Specifier, Specifier] = [
    { kind: 'P', operand: 'input' },
    { kind: 'P', operand: 'filters' },
  ];
  const maybe = (operand: Specifier): Scheme => (below(2) === 0 ? [operand] : []);
  const tiled = windows.length === 1;
  const nests: readonly (() => Scheme)[] = [
    () => [...past.windows.steps, input, ...past.filters.steps, ...maybe(others)],
    ...(tiled ? [() => [input, ...past.filters.steps, ...maybe(others), ...past.windows.steps]] : []),
    () => [...past.filters.steps, others, ...past.windows.steps, input],
    () => [others, ...past.windows.steps, input, ...past.filters.steps],
    ...(mayReadInput
      ? [
          () => [...past.filters.steps, others, ...past.windows.steps],
          () => [others, ...past.windows.steps, ...past.filters.steps],
        ]
      : []),
  ];
  return [...outer.steps, ...oneOf(below, nests)(), ...drawKernel(below, left, space, reduced)];
};

/** All that is left: loops that sum up, in this order, around what is unrolled and vectorized. */
const drawKernel = (below: Below, extents: Extents, space: SchemeSpace, order: readonly string[]): Scheme => {
  const { windows, filters, lanes } = space;
  const innermost = order.at(-1)!;
  const factor = divisor(below, extents[innermost]!);
  const isUnrolled = below(2) === 0;
  const sums = order.map((dimension): Specifier => {
    const count = extents[dimension]! / (isUnrolled && dimension === innermost ? factor : 1);
    return { kind: 'T', dimension, count };
  });
  const vector = divisor(below, extents[lanes]!);
  const unrolled = shuffled(below, [...windows, filters]).map((dimension): Specifier => {
    const count = extents[dimension]! / (dimension === lanes ? vector : 1);
    return { kind: 'U', dimension, count };
  });
  return [
    ...sums,
    ...(isUnrolled ? [{ kind: 'U', dimension: innermost, count: factor } as const] : []),
    ...unrolled,
    { kind: 'V', dimension: lanes, count: vector },
  ];
};
