/** Indices of a packing as functions of the lane: windows that count along the rows of an image. */
import type { AffineExpr } from '@sconv/affine';
import { add, ceilDiv, constant, dim, floorDiv, fold, mod, mul, symbol } from '@sconv/affine';

/** What of a lane an expression is: `first + lane * stride`, plus `jump` for each row that ended before the lane. */
export interface StraightLanes {
  readonly first: AffineExpr;
  readonly stride: number;
  /** NaN where it is not the same at each end of a row. */
  readonly jump: number;
  readonly rows: readonly Row[];
}

/** The window of lane 0 in its row, and the length of the row. */
export interface Row {
  readonly first: AffineExpr;
  readonly length: number;
}

/** Between two breaks of rows `floordiv` stands still and `mod` counts. Undefined where lanes occur in another form. */
export const straightLanes = (expr: AffineExpr, lane: number): StraightLanes | undefined =>
  fold<StraightLanes | undefined>(expr, {
    dim: (position) =>
      position === lane ? { first: constant(0), stride: 1, jump: 0, rows: [] } : still(dim(position)),
    symbol: (position) => still(symbol(position)),
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

const still = (first: AffineExpr): StraightLanes => ({ first, stride: 0, jump: 0, rows: [] });

/** The jump of what is no linear function of these. */
const unlessZero = (...jumps: readonly number[]): number => (jumps.every((jump) => jump === 0) ? 0 : NaN);

/** A remainder or quotient of lanes that count by one. */
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

/** Each row once. */
export const distinctRows = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(
    ({ first, length }, i) =>
      !rows.slice(0, i).some((other) => other.length === length && String(other.first) === String(first)),
  );

/**
 * The elements of the lanes from the beginning of a buffer with these strides; undefined where some break of rows is none of a
 * single kind.
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
