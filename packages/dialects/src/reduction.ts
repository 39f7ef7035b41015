/** The combiner of a reduction body, and its neutral element (`matchReduction`, `getNeutralElement`). */
import type {
  Attribute,
  DraftBlock,
  DraftOperation,
  FloatType,
  Operation,
  Registry,
  Rewriter,
} from '@sconv/ir';
import {
  floatAttribute,
  floatToBits,
  integerAttribute,
  largestFloat,
  modelOf,
  unitAttribute,
} from '@sconv/ir';
import { fastmath } from './arith-attributes.ts';
import { widthOf } from './arith-fold.ts';
import { scalarOp } from './scalar-op.ts';

/**
 * The single binary operation by which a body combines its argument at `argument` with another value and yields it at
 * `position`; undefined if the argument has any other use.
 */
export const reductionCombiner = (
  rewriter: Rewriter,
  body: DraftBlock,
  argument: number,
  position: number,
): DraftOperation | undefined => {
  const carried = body.arguments[argument];
  if (carried === undefined) return undefined;
  const [combiner, ...others] = rewriter.users(carried);
  if (combiner === undefined || others.length > 0 || !body.operations.includes(combiner)) return undefined;
  const [result, ...more] = combiner.results;
  const uses = combiner.operands.filter(({ id }) => id === carried.id);
  if (combiner.operands.length !== 2 || uses.length !== 1 || result === undefined || more.length > 0)
    return undefined;
  const [user, ...rest] = rewriter.users(result);
  const yields = user?.operands.flatMap(({ id }, i) => (id === result.id ? [i] : []));
  const isYielded = user === body.last && rest.length === 0 && yields?.length === 1 && yields[0] === position;
  return isYielded ? combiner : undefined;
};

/**
 * Lets a combiner combine values in any order: without the overflow flags, which hold for the sums of the original
 * order only.
 *
 * @deviation Upstream keeps the flags: partial sums that overflow are poison where the sum itself is in range.
 */
export const allowReordering = (rewriter: Rewriter, combiner: DraftOperation): void =>
  rewriter.setAttribute(combiner, 'overflowFlags', undefined);

/** The neutral element of an operation; undefined if it has none, or none is known. */
export const neutralElement = (registry: Registry, combiner: Operation): Attribute | undefined => {
  const type = combiner.results[0]?.type;
  const scalar = modelOf(registry, scalarOp, combiner);
  if (type?.kind === 'float' && scalar?.kind === 'floats')
    return neutralFloat(
      scalar.neutral ?? [],
      fastmath.decode(combiner.attributes['fastmath'] ?? unitAttribute) ?? [],
      type,
    );
  if (type?.kind !== 'integer' && type?.kind !== 'index') return undefined;
  if (scalar?.kind !== 'integers' || scalar.neutral === undefined) return undefined;
  const width = widthOf(type);
  const value = scalar.neutral(width);
  return integerAttribute(width === 1 ? BigInt.asUintN(1, value) : value, type);
};

/**
 * The first of these that the flags allow; instead of an infinity that they forbid, the largest number.
 *
 * @deviation Sums begin with 0, as upstream's, not with -0: a sum of negative zeros alone becomes 0.
 */
const neutralFloat = (
  candidates: readonly number[],
  flags: readonly string[],
  type: FloatType,
): Attribute | undefined => {
  const [isFinite, isNumber] = ['ninf', 'nnan'].map((flag) => flags.includes(flag) || flags.includes('fast'));
  const value = candidates.find((each) => isNumber !== true || !Number.isNaN(each));
  if (value === undefined) return undefined;
  if (Number.isNaN(value)) {
    // With the sign of the infinity, as upstream prints it.
    const sign = candidates.some((each) => each < 0) ? floatToBits(-0, type.name) : 0n;
    return floatAttribute(NaN, type, floatToBits(NaN, type.name) | sign);
  }
  const isForbidden = isFinite === true && !Number.isFinite(value);
  return floatAttribute(isForbidden ? Math.sign(value) * largestFloat(type.name) : value + 0, type);
};
