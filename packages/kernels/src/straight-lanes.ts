/** Indices of a packing as functions of the lane: windows that advance along image rows. */
import type { AffineExpr } from '@sconv/affine';
import { add, ceilDiv, constant, dim, floorDiv, fold, mod, mul, symbol } from '@sconv/affine';

/**
 * An expression as a function of the lane: `first + lane * stride`, plus `jump` for each row that ended before the
 * lane.
 */
export interface StraightLanes {
  readonly first: AffineExpr;
  readonly stride: number;
  /** NaN if it differs between row ends. */
  readonly jump: number;
  readonly rows: readonly Row[];
}

/** The window of lane 0 within its row, and the row length. */
export interface Row {
  readonly first: AffineExpr;
  readonly length: number;
}

/**
 * An expression as a function of a dimension or symbol that counts lanes: between row breaks, `floordiv` is constant
 * and `mod` counts up. Undefined if the lane occurs in any other form.
 */
export const straightLanes = (expr: AffineExpr, lane: AffineExpr): StraightLanes | undefined => {
  const leaf = (kind: 'dim' | 'symbol', position: number, same: AffineExpr): StraightLanes =>
    lane.kind === kind && lane.position === position
      ? { first: constant(0), stride: 1, jump: 0, rows: [] }
      : still(same);
  return fold<StraightLanes | undefined>(expr, {
    dim: (position) => leaf('dim', position, dim(position)),
    symbol: (position) => leaf('symbol', position, symbol(position)),
    constant: (value) => still(constant(value)),
    add: (lhs, rhs) =>
      lhs &&
      rhs && {
        first: add(lhs.first, rhs.first),
        stride: lhs.stride + rhs.stride,
        jump: lhs.jump + rhs.jump,
        rows: [...lhs.rows, ...rhs.rows],
      },
    mul: (lhs, rhs) => {
      if (lhs === undefined || rhs === undefined) return undefined;
      const factor = rhs.first.kind === 'constant' && rhs.stride === 0 ? rhs.first.value : undefined;
      if (factor === undefined && lhs.stride + rhs.stride !== 0) return undefined;
      return {
        first: mul(lhs.first, rhs.first),
        stride: factor === undefined ? 0 : lhs.stride * factor,
        jump: factor === undefined ? unlessZero(lhs.jump, rhs.jump) : lhs.jump * factor,
        rows: [...lhs.rows, ...rhs.rows],
      };
    },
    mod: (lhs, rhs) => inRows(lhs, rhs, mod, { stride: 1, jump: (length) => -length }),
    floordiv: (lhs, rhs) => inRows(lhs, rhs, floorDiv, { stride: 0, jump: () => 1 }),
    ceildiv: (lhs, rhs) =>
      lhs?.stride === 0 ? inRows(lhs, rhs, ceilDiv, { stride: 0, jump: () => NaN }) : undefined,
  });
};

const still = (first: AffineExpr): StraightLanes => ({ first, stride: 0, jump: 0, rows: [] });

/** The jump of an expression that is not linear in these. */
const unlessZero = (...jumps: readonly number[]): number => (jumps.every((jump) => jump === 0) ? 0 : NaN);

/** A remainder or quotient of lanes with stride one. */
const inRows = (
  lhs: StraightLanes | undefined,
  rhs: StraightLanes | undefined,
  divide: (lhs: AffineExpr, rhs: AffineExpr) => AffineExpr,
  counting: { readonly stride: number; readonly jump: (length: number) => number },
): StraightLanes | undefined => {
  if (lhs === undefined || rhs?.stride !== 0) return undefined;
  const first = divide(lhs.first, rhs.first);
  const rows = [...lhs.rows, ...rhs.rows];
  const known = unlessZero(lhs.jump, rhs.jump);
  if (lhs.stride === 0) return { first, stride: 0, jump: known, rows };
  if (lhs.stride !== 1 || rhs.first.kind !== 'constant' || rhs.first.value <= 0) return undefined;
  const length = rhs.first.value;
  return {
    first,
    stride: counting.stride,
    jump: known + counting.jump(length),
    rows: [...rows, { first: mod(lhs.first, length), length }],
  };
};

/** Deduplicates rows. */
export const distinctRows = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(
    ({ first, length }, i) =>
      !rows.slice(0, i).some((other) => other.length === length && String(other.first) === String(first)),
  );

/**
 * The element offsets of the lanes in a buffer with these strides; undefined if row breaks are of more than one kind.
 */
export const linearLanes = (
  lanes: readonly StraightLanes[],
  strides: readonly number[],
  offset: number,
): StraightLanes | undefined => {
  let [first, stride, jump] = [constant(offset), 0, 0] as [AffineExpr, number, number];
  lanes.forEach((each, position) => {
    const factor = strides[position]!;
    first = add(first, mul(each.first, constant(factor)));
    stride += each.stride * factor;
    jump += each.jump * factor;
  });
  if (Number.isNaN(jump)) return undefined;
  const rows = jump === 0 ? [] : distinctRows(lanes.flatMap((each) => each.rows));
  return rows.length > 1 ? undefined : { first, stride, jump, rows };
};
