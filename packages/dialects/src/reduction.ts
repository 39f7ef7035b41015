/** The combiner of a reduction body, and its neutral element (`matchReduction`, `getNeutralElement`). */
import type { Attribute, DraftBlock, DraftOperation, FloatType, Operation, Rewriter, Type } from '@sconv/ir';
import { floatAttribute, floatToBits, integerAttribute, largestFloat } from '@sconv/ir';
import { maximumf, minimumf } from './arith-float.ts';
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

const floats: Readonly<Record<string, (type: Type, isFinite: boolean) => number>> = {
  'arith.addf': () => 0,
  'arith.mulf': () => 1,
  'arith.maximumf': infinity(true),
  'arith.minimumf': infinity(false),
  'arith.minnumf': () => NaN,
};

/** As upstream prints it. */
const negativeNaN = (type: FloatType): Attribute => {
  const bits = floatToBits(NaN, type.name) | floatToBits(-0, type.name);
  return floatAttribute(NaN, type, bits);
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
    const extremum = [maximumf, minimumf].find((each) => each.is(combiner));
    // With `ninf`, avoid infinities.
    const isFinite = extremum?.attributes(combiner).fastmath.includes('ninf') ?? false;
    if (combiner.name === 'arith.maxnumf') return negativeNaN(type);
    const value = floats[combiner.name]?.(type, isFinite);
    return value === undefined ? undefined : floatAttribute(value, type);
  }
  if (type?.kind !== 'integer' && type?.kind !== 'index') return undefined;
  const width = widthOf(type);
  const value = integers[combiner.name]?.(BigInt(width));
  if (value === undefined) return undefined;
  return integerAttribute(width === 1 ? BigInt.asUintN(1, value) : value, type);
};
