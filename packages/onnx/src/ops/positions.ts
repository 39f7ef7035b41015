/** Ops whose elements follow from where they are: triangles, diagonals, running sums, and one-hot vectors. */
import type { AffineExpr } from '@sconv/affine';
import { constant as constantExpr, dim } from '@sconv/affine';
import { indexCast } from '@sconv/dialects/arith';
import { index as indexOp } from '@sconv/dialects/linalg';
import type { Builder, Value } from '@sconv/ir';
import { constantOfNumbers, countOf, splatOf } from '../constant.ts';
import { int64 } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { checkedShape, computed, constantOperand, reshapeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import { knownElementType } from '../tensor-data.ts';

/** The place of an element along a dimension. */
const placeOf = (b: Builder, dimension: number): Value =>
  b(indexCast, { in: b(indexOp, { dim: dimension }) }, { resultTypes: [int64.type] });

/** `Trilu`: the upper or the lower triangle of matrices, zeros elsewhere. */
const trilu = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const { type, shape } = operand;
  const rank = shape.length;
  if (rank < 2) invalid(`has an input of ${printSizes(shape)}`);
  const diagonal = node.number(1, 'k') ?? 0;
  const isUpper = node.flag('upper', true);
  return computed(type, shape, () =>
    node.emitter.parallel(type, shape, [{ value: operand.value() }], (b, x) => {
      const wide = new ScalarOps(b, int64);
      const offset = wide.sub(placeOf(b, rank - 1), placeOf(b, rank - 2));
      const isKept = wide.compare(isUpper ? 'ge' : 'le', offset, wide.constant(diagonal));
      const ops = new ScalarOps(b, type);
      return ops.select(isKept, x, ops.constant(0));
    }),
  );
};

/** `EyeLike`: ones on a diagonal. */
const eyeLike = (node: OnnxNode): Operand => {
  const { shape, type: like } = node.input(0);
  const [rows, columns] = shape as [number, number];
  if (shape.length !== 2) invalid(`has an input of ${printSizes(shape)}`);
  const type = node.has('dtype') ? knownElementType("'dtype'", node.int('dtype', 1)) : like;
  if (countOf(shape) === 0) return constantOperand(node.emitter, splatOf(type, shape, 0));
  if (!node.context.mayFold(countOf(shape) * 8)) unsupported(`a diagonal of ${printSizes(shape)}`);
  const diagonal = node.int('k', 0);
  const numbers = Array.from({ length: rows * columns }, (_, i) =>
    (i % columns) - Math.floor(i / columns) === diagonal ? 1 : 0,
  );
  return constantOperand(node.emitter, constantOfNumbers(type, shape, numbers));
};

/** `OneHot`: along a new axis one value at the index, and another elsewhere. */
const oneHot = (node: OnnxNode): Operand => {
  const [indices, values] = [node.input(0), node.input(2)];
  const depth = node.number(1, 'depth') ?? 0;
  if (!Number.isInteger(depth) || depth < 1) invalid(`has depth ${depth}`);
  if (printSizes(values.shape) !== '2') invalid(`has values of ${printSizes(values.shape)}`);
  if (indices.type.kind === 'boolean') invalid('has indices of bool');
  const rank = indices.shape.length + 1;
  const axis = node.axis(node.int('axis', -1), rank);
  const shape = checkedShape(indices.shape.toSpliced(axis, 0, depth));
  const { type } = values;
  return computed(type, shape, () => {
    const inputs = [
      { value: indices.value(), at: indices.shape.map((_, i) => dim(i < axis ? i : i + 1)) },
      ...[0, 1].map((i) => ({ value: values.value(), at: [constantExpr(i)] })),
    ];
    return node.emitter.parallel(type, shape, inputs, (b, given, off, on) => {
      const wide = new ScalarOps(b, int64);
      const index = new ScalarOps(b, indices.type).cast(given, int64);
      const isNegative = wide.compare('lt', index, wide.constant(0));
      const place = wide.select(isNegative, wide.add(index, wide.constant(depth)), index);
      return new ScalarOps(b, type).select(wide.compare('eq', place, placeOf(b, axis)), on, off);
    });
  });
};

/** Longer running sums take too long as sums of all elements before each. */
const longestSum = 4096;

/** `CumSum`: each element with those before it. */
const cumSum = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const { type, shape } = operand;
  if (type.kind === 'boolean') invalid('has elements of bool');
  const rank = shape.length;
  const axis = node.axis(node.number(1, 'axis') ?? invalid('lacks its axis'), rank);
  if (shape[axis]! > longestSum) unsupported(`sums of ${shape[axis]} elements`);
  const [isExclusive, isReverse] = [node.flag('exclusive'), node.flag('reverse')];
  const comparison = isReverse ? (isExclusive ? 'gt' : 'ge') : isExclusive ? 'lt' : 'le';
  return computed(type, shape, () => {
    const sums = { value: node.emitter.filled(type, shape, 0), at: shape.map((_, i) => dim(i)) };
    const at: readonly AffineExpr[] = shape.map((_, i) => dim(i === axis ? rank : i));
    const inputs = [{ value: operand.value(), at }];
    return node.emitter.generic(`${'p'.repeat(rank)}r`, inputs, [sums], (b, x, sum) => {
      const isSummed = new ScalarOps(b, int64).compare(comparison, placeOf(b, rank), placeOf(b, axis));
      const ops = new ScalarOps(b, type);
      return ops.select(isSummed, ops.add(sum, x), sum);
    })[0]!;
  });
};

/** A tensor of ones where a tensor of indices, which lacks the axis, says so, zeros elsewhere. */
export const oneAt = (node: OnnxNode, like: Operand, places: Operand, axis: number): Operand => {
  const { type, shape } = like;
  const flat = reshapeOperand(node, places, shape.toSpliced(axis, 1));
  const at = flat.shape.map((_, i) => dim(i < axis ? i : i + 1));
  return computed(type, shape, () =>
    node.emitter.parallel(type, shape, [{ value: flat.value(), at }], (b, place) => {
      const ops = new ScalarOps(b, type);
      const isHere = new ScalarOps(b, int64).compare('eq', place, placeOf(b, axis));
      return ops.select(isHere, ops.constant(1), ops.constant(0));
    }),
  );
};

/** Ops of this file by their ONNX names. */
export const positionOps: Readonly<Record<string, (node: OnnxNode) => Operand>> = {
  CumSum: cumSum,
  EyeLike: eyeLike,
  OneHot: oneHot,
  Trilu: trilu,
};
