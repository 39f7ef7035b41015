/** The combiner of a reduction body, and its neutral element (`matchReduction`, `getNeutralElement`). */
import type { Attribute, DraftBlock, DraftOperation, FloatType, Operation, Rewriter, Type } from '@sconv/ir';
import { floatAttribute, floatToBits, integerAttribute, largestFloat } from '@sconv/ir';
import { maximumf, maxnumf, minimumf, minnumf } from './arith-float.ts';
import { widthOf } from './arith-fold.ts';

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

const infinity = (isLeast: boolean) => (type: Type, isFinite: boolean) => {
  const magnitude = isFinite && type.kind === 'float' ? largestFloat(type.name) : Infinity;
  return isLeast ? -magnitude : magnitude;
};

/**
 * Lets a combiner combine values in any order: without the overflow flags, which hold for the sums of the original
 * order only.
 *
 * @deviation Upstream keeps the flags: partial sums that overflow are poison where the sum itself is in range.
 */
export const allowReordering = (rewriter: Rewriter, combiner: DraftOperation): void =>
  rewriter.setAttribute(combiner, 'overflowFlags', undefined);

const floats: Readonly<Record<string, (type: Type, isFinite: boolean) => number>> = {
  'arith.addf': () => 0,
  'arith.mulf': () => 1,
  'arith.maximumf': infinity(true),
  'arith.minimumf': infinity(false),
  'arith.maxnumf': infinity(true),
  'arith.minnumf': infinity(false),
};

/** The NaN that `minnumf` and `maxnumf` ignore, with the signs that upstream prints. */
const ignoredNaN = (combiner: Operation, type: FloatType): Attribute => {
  const sign = maxnumf.is(combiner) ? floatToBits(-0, type.name) : 0n;
  return floatAttribute(NaN, type, floatToBits(NaN, type.name) | sign);
};

const integers: Readonly<Record<string, (width: bigint) => bigint>> = {
  'arith.addi': () => 0n,
  'arith.ori': () => 0n,
  'arith.xori': () => 0n,
  'arith.maxui': () => 0n,
  'arith.andi': () => -1n,
  'arith.minui': () => -1n,
  'arith.muli': () => 1n,
  'arith.maxsi': (width) => -1n << (width - 1n),
  'arith.minsi': (width) => ~(-1n << (width - 1n)),
};

/** The neutral element of an operation; undefined if it has none, or none is known. */
export const neutralElement = (combiner: Operation): Attribute | undefined => {
  const type = combiner.results[0]?.type;
  if (type?.kind === 'float') {
    const extremum = [maximumf, minimumf, maxnumf, minnumf].find((each) => each.is(combiner));
    const fastmath = extremum?.attributes(combiner).fastmath ?? [];
    const [isFinite, isNumber] = ['ninf', 'nnan'].map(
      (flag) => fastmath.includes(flag) || fastmath.includes('fast'),
    );
    // What the flags forbid is no neutral element.
    if ((maxnumf.is(combiner) || minnumf.is(combiner)) && !isNumber) return ignoredNaN(combiner, type);
    const value = floats[combiner.name]?.(type, isFinite!);
    return value === undefined ? undefined : floatAttribute(value, type);
  }
  if (type?.kind !== 'integer' && type?.kind !== 'index') return undefined;
  const width = widthOf(type);
  const value = integers[combiner.name]?.(BigInt(width));
  if (value === undefined) return undefined;
  return integerAttribute(width === 1 ? BigInt.asUintN(1, value) : value, type);
};
