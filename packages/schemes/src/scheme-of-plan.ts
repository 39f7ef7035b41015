/** From a plan to the scheme that has it. */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success, unknownLocation } from '@sconv/diagnostics';
import type { AnyPlan, Contraction, KernelNode, Plan } from '@sconv/plans';
import { foldPlan, isOpenPlan, planExtents, samePlan } from '@sconv/plans';
import { ownProblems } from './check-scheme.ts';
import { lettersOfFamily } from './dimensions.ts';
import { planOfScheme } from './plan-of-scheme.ts';
import type { Scheme, Specifier } from './scheme.ts';

/** How a microkernel is written. */
export interface SchemeForm {
  /** The length of vectors, where it divides a microkernel's lanes; else its lanes are one vector. Default: 1. */
  readonly lanes?: number;
}

/**
 * The scheme whose plan this is, with a `Seq` for each split. Fails with `scheme/no-scheme` where there is none: of
 * microkernels that are divided into several register tiles, or as suits the target; of scalar code for several
 * results; and of loops that sum up directly above a microkernel, which a scheme has inside of it.
 */
export const schemeOfPlan = (plan: AnyPlan, { lanes = 1 }: SchemeForm = {}): Diagnosed<Scheme> => {
  const { dimensions, reduced } = lettersOfFamily(isOpenPlan(plan));
  const letterOf = new Map(Object.entries(dimensions).map(([letter, dimension]) => [dimension, letter]));
  const letter = (dimension: string): string => letterOf.get(dimension) ?? dimension;
  const several = (kind: 'T' | 'U', dimension: string, count: number): Scheme =>
    count === 1 ? [] : [{ kind, dimension, count }];
  const kernel = ({ lanes: along, extents: own, unroll }: KernelNode<string>, padded?: number): Scheme => {
    const extents = padded === undefined ? own : { ...own, filters: padded };
    const ofSums = reduced.flatMap((each, i): Scheme => {
      const factor = unroll?.[dimensions[each]!] ?? 1;
      // One loop at least, so that others above, in another order, are not taken for the microkernel's.
      if (i === 0 && extents[dimensions[each]!] === 1) return [{ kind: 'T', dimension: each, count: 1 }];
      return [...several('T', each, extents[dimensions[each]!]! / factor), ...several('U', each, factor)];
    });
    const length = extents[along]! % lanes === 0 ? lanes : extents[along]!;
    const ofResults = ['h', 'w', 'j', 'k', 'i']
      .filter((each) => dimensions[each] !== undefined && !reduced.includes(each))
      .flatMap((each) => {
        const extent = extents[dimensions[each]!]!;
        return several('U', each, dimensions[each] === along ? extent / length : extent);
      });
    return [...ofSums, ...ofResults, { kind: 'V', dimension: letter(along), count: length }];
  };
  /** The scheme of a node, where the filters are padded so around it. */
  const scheme = foldPlan<string, (padded?: number) => Scheme>(plan, {
    loop:
      ({ dimension, count }, body) =>
      (padded) => [{ kind: 'T', dimension: letter(dimension), count }, ...body(padded)],
    split:
      ({ dimension, parts }, bodies) =>
      (padded) => [
        {
          kind: 'Seq',
          dimension: letter(dimension),
          parts: parts.map((part, i) => partOf(part.body, bodies[i]!(padded), dimension)),
        },
      ],
    pack:
      ({ operand, padded: own }, body) =>
      (padded): Scheme => [{ kind: 'P', operand }, ...body(own ?? padded)],
    kernel: (node) => (padded) => kernel(node, padded),
    scalar: () => () => [],
  })();
  const whole = contractionWith(planExtents<string>(plan));
  const isSame =
    ownProblems(scheme, whole).length === 0 && samePlan<string>(planOfScheme(scheme, whole).tree, plan);
  if (isSame) return success(scheme);
  const message =
    'no scheme has this plan: in one, a microkernel is one register tile, with all loops of sums above it';
  return silenceable(error('scheme/no-scheme', message, unknownLocation));
};

/** A part that is a loop over the dimension of its split runs several times. */
const partOf = (
  body: Plan<string>,
  scheme: Scheme,
  dimension: string,
): { readonly count: number; readonly scheme: Scheme } => {
  const [first, ...rest] = scheme as readonly [Specifier, ...Scheme];
  return body.kind === 'loop' && body.dimension === dimension && body.count > 1 && first.kind === 'T'
    ? { count: body.count, scheme: rest }
    : { count: 1, scheme };
};

/** A contraction of these extents, whose operands are not looked at. */
const contractionWith = (extents: Readonly<Record<string, number>>): Contraction => {
  const own = { rows: extents['windows']!, ...extents };
  return {
    dimensions: Object.entries(own).map(([name, extent]) => ({
      name,
      extent,
      iterator: 'parallel' as const,
    })),
    operands: [] as never,
    elementType: 'f32',
  };
};
