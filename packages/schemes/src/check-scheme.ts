/** What is wrong with a scheme, and where. */
import type { Contraction } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import { formProblems, structureProblems } from './check-structure.ts';
import type { Letters } from './dimensions.ts';
import { lettersIn } from './dimensions.ts';
import { leafFrom } from './leaf.ts';
import type { Nest, Sizes } from './nest.ts';
import { nestOf, sizesOf } from './nest.ts';
import { planOfScheme } from './plan-of-scheme.ts';
import { filtersLetter, lastFilters } from './padded-filters.ts';
import type { Scheme } from './scheme.ts';

/** One problem. */
export interface SchemeProblem {
  readonly code:
    | 'scheme/form'
    | 'scheme/dimension'
    | 'scheme/order'
    | 'scheme/variable'
    | 'scheme/size'
    | 'scheme/vector'
    | 'scheme/plan';
  /** The specifier, in code notation: `scheme[1].parts[0].scheme[2]`. */
  readonly path: string;
  readonly message: string;
}

/** What a scheme is checked against besides its contraction. */
export interface SchemeLimits {
  /** Elements of a vector of the target; without it any length is right. */
  readonly lanes?: number | undefined;
}

/**
 * All problems of a scheme, of the first kind that has any: its form; the order of its specifiers; sizes that do not
 * divide or cover the contraction; vectors longer than those of the target; and what plans have no code for. Empty for
 * a scheme that is generated as it stands. Makes no assumptions: the scheme may come from untyped code or JSON.
 *
 * Vectors along filters may go beyond these, by less than a microkernel, where they are packed: the last tile of them
 * is then padded to whole vectors.
 *
 * @deviation TT has exactly one `V`; a scheme without one, as TT's own `[R_i, R_j, R_k]`, is loops of scalar code.
 */
export const schemeProblems = (
  scheme: Scheme,
  contraction: Contraction,
  limits: SchemeLimits = {},
): readonly SchemeProblem[] => {
  const own = ownProblems(scheme, contraction, limits);
  return own.length > 0 ? own : planned(scheme, contraction);
};

/** The same without what plans have no code for: how operands lie is not looked at. */
export const ownProblems = (
  scheme: Scheme,
  contraction: Contraction,
  limits: SchemeLimits = {},
): readonly SchemeProblem[] => {
  const malformed = [...formProblems(scheme)];
  if (malformed.length > 0) return malformed;
  const { letters, extents } = lettersIn(scheme, contraction);
  const disordered = structureProblems(scheme, letters);
  if (disordered.length > 0) return disordered;
  const nest = nestOf(scheme);
  return distinct([
    ...unrolledProblems(nest, letters),
    ...sizeProblems(nest, letters, extents),
    ...laneProblems(nest, limits),
  ]);
};

/** Several microkernels may have the same problem. */
const distinct = (problems: readonly SchemeProblem[]): readonly SchemeProblem[] => [
  ...new Map(problems.map((each) => [`${each.path}: ${each.message}`, each])).values(),
];

/** The steps of a nest and of all in it. */
function* nestsIn(nest: Nest): Generator<Nest> {
  yield nest;
  for (const part of nest.sequence?.parts ?? []) yield* nestsIn(part.nest);
}

function* unrolledProblems(nest: Nest, { reduced }: Letters): Generator<SchemeProblem> {
  for (const { steps, sequence } of nestsIn(nest)) {
    const leaf = sequence === undefined ? leafFrom(steps, reduced) : steps.length;
    for (const step of steps.slice(0, leaf)) {
      if (step.kind !== 'U') continue;
      const message =
        `what is unrolled is a microkernel, with V: below it are only loops over ${reduced.join(', ')}, in this order` +
        (steps.at(-1)?.kind === 'V' || sequence !== undefined ? '' : '; there is no V');
      yield { code: 'scheme/order', path: step.path, message };
    }
  }
}

function* sizeProblems(nest: Nest, letters: Letters, extents: Sizes): Generator<SchemeProblem> {
  const { dimensions } = letters;
  const last = lastFilters(nest, letters, extents);
  const ofFilters = filtersLetter(letters);
  /** Whether so many more than there are fill the last tile of filters. */
  const isPadding = (letter: string, excess: number): boolean =>
    letter === ofFilters && last !== undefined && excess > 0 && excess < last.size;
  const unpacked =
    ': what fills no vector is padded where it is packed, P(filters) inside of all loops over ';
  for (const { steps, sequence } of nestsIn(nest)) {
    for (const [i, step] of steps.entries()) {
      if (step.kind !== 'R') continue;
      const { dimension, path } = step;
      const tile = sizesOf({ steps, ...(sequence && { sequence }) }, extents, i + 1)[dimension] ?? 1;
      const rest = extents[dimension]! % tile;
      const isPadded = isPadding(dimension, tile - rest);
      if (rest === 0 || (isPadded && last?.arePacked === true)) continue;
      const message = `tiles of ${tile} do not divide the ${extents[dimension]} of ${dimension}`;
      yield { code: 'scheme/size', path, message: isPadded ? message + unpacked + dimension : message };
    }
    if (sequence === undefined) continue;
    const [first, ...others] = sequence.parts.map((part) => sizesOf(part.nest, extents));
    for (const letter of Object.keys(dimensions)) {
      if (letter === sequence.dimension) continue;
      const other = others.find((each) => (each[letter] ?? 1) !== (first![letter] ?? 1));
      if (other === undefined) continue;
      const message =
        `the parts cover ${first![letter] ?? 1} and ${other[letter] ?? 1} of ${letter}: as many of all but ` +
        sequence.dimension;
      yield { code: 'scheme/size', path: sequence.path, message };
    }
  }
  const sizes = sizesOf(nest, extents);
  for (const letter of Object.keys(dimensions)) {
    const [size, extent] = [sizes[letter] ?? 1, extents[letter]!];
    const isPadded = isPadding(letter, size - extent);
    if (size === extent || (isPadded && last?.arePacked === true)) continue;
    const hint = isPadded
      ? unpacked + letter
      : extent % size === 0
        ? `: R(${letter}) or T(${letter},${extent / size}) is missing`
        : isOneByOne(dimensions[letter]!)
          ? `: planners are given one at a time, so write R(${letter})`
          : '';
    const message = `the scheme covers ${size} of ${letter}, of which there ${extent === 1 ? 'is' : 'are'} ${extent}`;
    yield { code: 'scheme/size', path: pathOf(nest, letter) ?? 'scheme', message: message + hint };
  }
}

/** Whether compilers plan a part of a contraction for all of its points in this dimension. */
const isOneByOne = (dimension: string): boolean => dimension === 'batch' || dimension === 'group';

/** The outermost specifier of a dimension. */
const pathOf = ({ steps, sequence }: Nest, letter: string): string | undefined => {
  const step = steps.find((each) => each.kind !== 'P' && each.dimension === letter);
  if (step !== undefined || sequence === undefined) return step?.path;
  return sequence.dimension === letter ? sequence.path : pathOf(sequence.parts[0]!.nest, letter);
};

function* laneProblems(nest: Nest, { lanes = Infinity }: SchemeLimits): Generator<SchemeProblem> {
  for (const { steps } of nestsIn(nest)) {
    const last = steps.at(-1);
    if (last?.kind !== 'V' || last.count <= lanes) continue;
    const { dimension, count, path } = last;
    const whole = count % lanes === 0 ? `: U(${dimension},${count / lanes}), V(${dimension},${lanes})` : '';
    const message = `vectors of ${count}, and those of the target have ${lanes} elements${whole}`;
    yield { code: 'scheme/vector', path, message };
  }
}

/** What plans have no code for: where packings stand, and how operands lie. */
const planned = (scheme: Scheme, contraction: Contraction): readonly SchemeProblem[] => {
  const { tree, origins } = planOfScheme(scheme, contraction);
  return planProblems(tree, { contraction }).map(({ path, message }) => ({
    code: 'scheme/plan',
    path: origins.get(path) ?? 'scheme',
    message,
  }));
};
