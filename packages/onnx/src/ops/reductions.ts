/** Reductions along axes, and what is made of them: softmax and normalizations. */
import type { AffineExpr } from '@sconv/affine';
import { dim } from '@sconv/affine';
import * as math from '@sconv/dialects/math';
import { softmax as softmaxOp, index as indexOp } from '@sconv/dialects/linalg';
import { indexCast } from '@sconv/dialects/arith';
import type { TensorType, Value } from '@sconv/ir';
import { countOf } from '../constant.ts';
import { int64 } from '../element-type.ts';
import type { ElementType } from '../element-type.ts';
import { elementwise } from '../broadcast.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { computed, reshapeOperand } from '../operations.ts';
import { invalid, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import { highestOf, lowestOf } from './neutral.ts';
import { oneAt } from './positions.ts';

type Tensor = Value<TensorType>;
type Unary = (ops: ScalarOps, x: Value) => Value;
const same: Unary = (_, x) => x;

/** How elements are combined along axes. */
export interface Reduction {
  readonly initial: (type: ElementType) => number | bigint;
  readonly combine: (ops: ScalarOps, a: Value, b: Value) => Value;
}

/** Sums of elements. */
export const sums: Reduction = { initial: () => 0, combine: (ops, a, b) => ops.add(a, b) };
const products: Reduction = { initial: () => 1, combine: (ops, a, b) => ops.mul(a, b) };
/** The greatest of elements. */
export const maxima: Reduction = {
  initial: lowestOf,
  combine: (ops, a, b) => (ops.type.kind === 'boolean' ? ops.or(a, b) : ops.max(a, b)),
};
/** The least of elements. */
export const minima: Reduction = {
  initial: highestOf,
  combine: (ops, a, b) => (ops.type.kind === 'boolean' ? ops.and(a, b) : ops.min(a, b)),
};

/** The result along `axes`, which it lacks; each element is first changed by `before`. */
export const reduceAlong = (
  { emitter }: OnnxNode,
  type: ElementType,
  value: Tensor,
  axes: readonly number[],
  { initial, combine }: Reduction,
  before: Unary = same,
): Tensor => {
  const { shape } = value.type;
  const kinds = shape.map((_, i) => (axes.includes(i) ? 'r' : 'p')).join('');
  const kept = shape.flatMap((_, i) => (axes.includes(i) ? [] : [i]));
  const output = emitter.filled(
    type,
    kept.map((i) => shape[i]!),
    initial(type),
  );
  return emitter.generic(kinds, [{ value }], [{ value: output, at: kept.map(dim) }], (b, x, result) => {
    const ops = new ScalarOps(b, type);
    return combine(ops, result, before(ops, x));
  })[0]!;
};

/** The mean along axes, which it lacks. */
export const meanAlong = (
  node: OnnxNode,
  type: ElementType,
  value: Tensor,
  axes: readonly number[],
  before?: Unary,
): Tensor => {
  const count = countOf(axes.map((axis) => value.type.shape[axis]!));
  const total = reduceAlong(node, type, value, axes, sums, before);
  return node.emitter.parallel(type, total.type.shape, [{ value: total }], (b, sum) => {
    const ops = new ScalarOps(b, type);
    return ops.div(sum, ops.constant(count));
  });
};

/** Applies a function to each element. */
const mapped = (node: OnnxNode, type: ElementType, value: Tensor, change: Unary): Tensor =>
  node.emitter.parallel(type, value.type.shape, [{ value }], (b, x) => change(new ScalarOps(b, type), x));

/** A tensor that lacks axes as an input of an elementwise op of a shape with them. */
export const without = (shape: readonly number[], axes: readonly number[]): readonly AffineExpr[] =>
  shape.flatMap((_, i) => (axes.includes(i) ? [] : [dim(i)]));

/** `ReduceSum` and its like: axes are an attribute, or since opset 13 or 18 an input. */
const reduction =
  (reduce: Reduction, before: Unary = same, after: Unary = same) =>
  (node: OnnxNode): Operand => {
    const operand = node.input(0);
    const { type, shape } = operand;
    if (type.kind === 'boolean' && reduce !== maxima && reduce !== minima)
      unsupported('elements of type bool');
    const axes = reducedAxes(node, shape.length);
    if (axes === undefined && before === same && after === same) return operand;
    // Each element by itself, changed as it is where there are more.
    if (axes === undefined)
      return elementwise(node, [operand], {
        type,
        emit: (b, x) => {
          const ops = new ScalarOps(b, type);
          return after(ops, before(ops, x));
        },
      });
    return reduced(node, operand, axes, () => {
      const result = reduceAlong(node, type, operand.value(), axes, reduce, before);
      return after === same ? result : mapped(node, type, result, after);
    });
  };

/** The axes; undefined if nothing is to be reduced. */
const reducedAxes = (node: OnnxNode, rank: number): readonly number[] | undefined => {
  const given = node.intsOrInput('axes', 1) ?? [];
  if (given.length > 0) return node.axes(given, rank);
  return node.flag('noop_with_empty_axes') ? undefined : Array.from({ length: rank }, (_, i) => i);
};

/** A result with the reduced axes, of size 1, if the node keeps them. */
const reduced = (
  node: OnnxNode,
  operand: Operand,
  axes: readonly number[],
  create: () => Tensor,
): Operand => {
  const shape = operand.shape.filter((_, i) => !axes.includes(i));
  const result = computed(operand.type, shape, create);
  return node.flag('keepdims', true)
    ? reshapeOperand(
        node,
        result,
        operand.shape.map((size, i) => (axes.includes(i) ? 1 : size)),
      )
    : result;
};

const reduceMean = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const axes = reducedAxes(node, operand.shape.length);
  if (axes === undefined) return operand;
  return reduced(node, operand, axes, () => meanAlong(node, operand.type, operand.value(), axes));
};

/** The parts of the logarithm of a sum of powers, which is the sum of both: without overflow. */
const logSumExp = (
  node: OnnxNode,
  operand: Operand,
  axes: readonly number[],
): { readonly greatest: Tensor; readonly log: Tensor } => {
  const { type, shape } = operand;
  const value = operand.value();
  const greatest = reduceAlong(node, type, value, axes, maxima);
  const at = without(shape, axes);
  const powers = node.emitter.parallel(type, shape, [{ value }, { value: greatest, at }], (b, x, max) => {
    const ops = new ScalarOps(b, type);
    return b(math.exp, { operand: ops.sub(x, max) });
  });
  const total = reduceAlong(node, type, powers, axes, sums);
  return { greatest, log: mapped(node, type, total, log) };
};

const reduceLogSumExp = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const axes = reducedAxes(node, operand.shape.length);
  if (axes === undefined) return operand;
  return reduced(node, operand, axes, () => {
    const { greatest, log: rest } = logSumExp(node, operand, axes);
    return node.emitter.parallel(
      operand.type,
      rest.type.shape,
      [{ value: rest }, { value: greatest }],
      (b, x, y) => new ScalarOps(b, operand.type).add(x, y),
    );
  });
};

/** Global poolings: all axes after the channels. */
const globalPool =
  (kind: 'max' | 'average') =>
  (node: OnnxNode): Operand => {
    const operand = node.input(0);
    const { type, shape } = operand;
    if (shape.length < 3) invalid('has an input without spatial dimensions');
    const axes = shape.flatMap((_, i) => (i < 2 ? [] : [i]));
    const result = computed(type, shape.slice(0, 2), () =>
      kind === 'max'
        ? reduceAlong(node, type, operand.value(), axes, maxima)
        : meanAlong(node, type, operand.value(), axes),
    );
    return reshapeOperand(
      node,
      result,
      shape.map((size, i) => (i < 2 ? size : 1)),
    );
  };

/** Before opset 13 the input is a matrix of the dimensions before the axis and those from it on. */
const softmaxForm = (node: OnnxNode): { readonly operand: Operand; readonly axis: number } => {
  const operand = node.input(0);
  const rank = operand.shape.length;
  const axis = node.axis(node.int('axis', node.opset < 13 ? 1 : -1), rank);
  if (node.opset >= 13) return { operand, axis };
  const sizes = [countOf(operand.shape.slice(0, axis)), countOf(operand.shape.slice(axis))];
  return { operand: reshapeOperand(node, operand, sizes), axis: 1 };
};

const softmax = (node: OnnxNode): Operand => {
  const { operand, axis } = softmaxForm(node);
  const { type, shape } = operand;
  if (type.kind !== 'float') unsupported(`elements of type ${type.name}`);
  const result = computed(type, shape, () => {
    const output = node.emitter.empty(type, shape);
    const [values] = node.emitter.b(
      softmaxOp,
      { input: operand.value(), output, dimension: axis },
      { resultTypes: [output.type] },
    );
    return values as Tensor;
  });
  return reshapeOperand(node, result, node.input(0).shape);
};

const logSoftmax = (node: OnnxNode): Operand => {
  const { operand, axis } = softmaxForm(node);
  const { type, shape } = operand;
  const result = computed(type, shape, () => {
    const parts = logSumExp(node, operand, [axis]);
    const at = without(shape, [axis]);
    const inputs = [{ value: operand.value() }, { value: parts.greatest, at }, { value: parts.log, at }];
    return node.emitter.parallel(type, shape, inputs, (b, x, max, rest) => {
      const ops = new ScalarOps(b, type);
      return ops.sub(ops.sub(x, max), rest);
    });
  });
  return reshapeOperand(node, result, node.input(0).shape);
};

/** The index of the extreme along an axis, which it lacks: an extreme and its index together. */
const extremePlace = (
  node: OnnxNode,
  operand: Operand,
  axis: number,
  kind: 'max' | 'min',
  isLast: boolean,
): Operand => {
  const { type, shape } = operand;
  const kept = shape.toSpliced(axis, 1);
  return computed(int64, kept, () => {
    const { emitter } = node;
    const initial = kind === 'max' ? lowestOf(type) : highestOf(type);
    const at = without(shape, [axis]);
    const outputs = [
      { value: emitter.filled(type, kept, initial), at },
      { value: emitter.filled(int64, kept, 0), at },
    ];
    const kinds = shape.map((_, i) => (i === axis ? 'r' : 'p')).join('');
    return emitter.generic(kinds, [{ value: operand.value() }], outputs, (b, x, best, place) => {
      const ops = new ScalarOps(b, type);
      const comparison = kind === 'max' ? (isLast ? 'ge' : 'gt') : isLast ? 'le' : 'lt';
      const isBetter = ops.compare(comparison, x, best);
      const here = b(indexCast, { in: b(indexOp, { dim: axis }) }, { resultTypes: [int64.type] });
      return [ops.select(isBetter, x, best), ops.select(isBetter, here, place)];
    })[1]!;
  });
};

/** `ArgMax` and `ArgMin`. */
const argExtreme =
  (kind: 'max' | 'min') =>
  (node: OnnxNode): Operand => {
    const operand = node.input(0);
    const { shape } = operand;
    const axis = node.axis(node.int('axis', 0), shape.length);
    const result = extremePlace(node, operand, axis, kind, node.flag('select_last_index'));
    return node.flag('keepdims', true) ? reshapeOperand(node, result, shape.with(axis, 1)) : result;
  };

/** `Hardmax`: a one at the first of the greatest elements along an axis. */
const hardmax = (node: OnnxNode): Operand => {
  const { operand, axis } = softmaxForm(node);
  const result = oneAt(node, operand, extremePlace(node, operand, axis, 'max', false), axis);
  return reshapeOperand(node, result, node.input(0).shape);
};

const log: Unary = ({ b }, operand) => b(math.log, { operand });

/** Ops of this file by their ONNX names. */
export const reductionOps: Readonly<Record<string, (node: OnnxNode) => Operand>> = {
  ArgMax: argExtreme('max'),
  ArgMin: argExtreme('min'),
  GlobalAveragePool: globalPool('average'),
  GlobalMaxPool: globalPool('max'),
  Hardmax: hardmax,
  LogSoftmax: logSoftmax,
  ReduceL1: reduction(sums, (ops, x) => ops.abs(x)),
  ReduceL2: reduction(
    sums,
    (ops, x) => ops.mul(x, x),
    (ops, sum) => ops.power(sum, 0.5),
  ),
  ReduceLogSum: reduction(sums, undefined, log),
  ReduceLogSumExp: reduceLogSumExp,
  ReduceMax: reduction(maxima),
  ReduceMean: reduceMean,
  ReduceMin: reduction(minima),
  ReduceProd: reduction(products),
  ReduceSum: reduction(sums),
  ReduceSumSquare: reduction(sums, (ops, x) => ops.mul(x, x)),
  Softmax: softmax,
};
