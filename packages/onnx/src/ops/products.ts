/** Products of matrices: `MatMul`, and `Gemm` with its transpositions, factors and bias. */
import { batchMatmul, matmul, matmulTransposeA, matmulTransposeB } from '@sconv/dialects/linalg';
import type { TensorType, Value } from '@sconv/ir';
import { broadcastAccess, broadcastShapes, elementwiseOver } from '../broadcast.ts';
import { countOf } from '../constant.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { checkedShape, computed, reshapeOperand, transposeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';

type Definition = typeof matmul;

const product = (
  { emitter }: OnnxNode,
  definition: Definition,
  lhs: Operand,
  rhs: Operand,
  initial: Value<TensorType>,
): Value<TensorType> => {
  const [result] = emitter.b(
    definition,
    { inputs: [lhs.value(), rhs.value()], outputs: [initial] },
    { resultTypes: [initial.type] },
  );
  return result!;
};

/** `MatMul`, as NumPy's: of vectors, matrices, and batches that broadcast. */
const matMul = (node: OnnxNode): Operand => productOperand(node, node.input(0), node.input(1));

/** The product of two tensors. */
export const productOperand = (node: OnnxNode, a: Operand, b: Operand): Operand => {
  const type = node.commonType([a, b]);
  if (type.kind === 'boolean') unsupported('elements of type bool');
  if (a.shape.length === 0 || b.shape.length === 0) invalid('multiplies a scalar');
  const left = a.shape.length === 1 ? reshapeOperand(node, a, [1, ...a.shape]) : a;
  const right = b.shape.length === 1 ? reshapeOperand(node, b, [...b.shape, 1]) : b;
  const [rows, depth] = left.shape.slice(-2) as [number, number];
  const [height, columns] = right.shape.slice(-2) as [number, number];
  if (depth !== height) invalid(`multiplies ${printSizes(a.shape)} by ${printSizes(b.shape)}`);
  const batch = broadcastShapes([left.shape.slice(0, -2), right.shape.slice(0, -2)]);
  const shape = checkedShape([
    ...batch,
    ...(a.shape.length === 1 ? [] : [rows]),
    ...(b.shape.length === 1 ? [] : [columns]),
  ]);
  const count = countOf(batch);
  // One matrix for all: the rows of all batches are rows of one product.
  const isShared = countOf(right.shape.slice(0, -2)) === 1;
  return computed(type, shape, () => {
    const { emitter } = node;
    if (isShared || count === 1) {
      const [lhs, rhs] = [
        reshapeOperand(node, left, [count * rows, depth]),
        reshapeOperand(node, right, [depth, columns]),
      ];
      const initial = emitter.filled(type, [count * rows, columns], 0);
      return emitter.reshape(product(node, matmul, lhs, rhs, initial), shape);
    }
    const batched = (operand: Operand, sizes: readonly number[]): Operand => {
      const whole = [...batch, ...sizes];
      const isWhole = countOf(operand.shape) === countOf(whole);
      const repeated = isWhole ? operand : elementwiseOver(node, operand, whole);
      return reshapeOperand(node, repeated, [count, ...sizes]);
    };
    const [lhs, rhs] = [batched(left, [rows, depth]), batched(right, [depth, columns])];
    const initial = emitter.filled(type, [count, rows, columns], 0);
    return emitter.reshape(product(node, batchMatmul, lhs, rhs, initial), shape);
  });
};

/** `Gemm`: `alpha * A' * B' + beta * C`. */
const gemm = (node: OnnxNode): Operand => {
  const [a, b, c] = [node.input(0), node.input(1), node.optional(2)];
  const type = node.commonType([a, b, ...(c === undefined ? [] : [c])]);
  if (a.shape.length !== 2 || b.shape.length !== 2)
    invalid(`multiplies ${printSizes(a.shape)} by ${printSizes(b.shape)}`);
  const [isLeftTransposed, isRightTransposed] = [node.flag('transA'), node.flag('transB')];
  const [rows, depth] = (isLeftTransposed ? a.shape.toReversed() : a.shape) as [number, number];
  const [height, columns] = (isRightTransposed ? b.shape.toReversed() : b.shape) as [number, number];
  const shape = checkedShape([rows, columns]);
  if (depth !== height) invalid(`multiplies ${printSizes(a.shape)} by ${printSizes(b.shape)}`);
  if (c !== undefined && printSizes(broadcastShapes([c.shape, shape])) !== printSizes(shape))
    invalid(`adds ${printSizes(c.shape)} to ${printSizes(shape)}`);
  const [alpha, beta] = [node.float('alpha', 1), node.float('beta', 1)];
  const isBias = c !== undefined && beta !== 0;
  const isInitial = isBias && alpha === 1 && beta === 1;
  const definition = isRightTransposed ? matmulTransposeB : isLeftTransposed ? matmulTransposeA : matmul;
  const left = isLeftTransposed && isRightTransposed ? transposeOperand(node, a, [1, 0]) : a;
  return computed(type, shape, () => {
    const { emitter } = node;
    const initial = isInitial ? repeated(node, c, shape) : emitter.filled(type, shape, 0);
    const sums = product(node, definition, left, b, initial);
    if (isInitial || (alpha === 1 && !isBias)) return sums;
    const addend = isBias ? [broadcastAccess(node, c, shape)] : [];
    return emitter.parallel(type, shape, [{ value: sums }, ...addend], (inner, sum, added?: Value) => {
      const ops = new ScalarOps(inner, type);
      const scaled = alpha === 1 ? sum : ops.mul(sum, ops.constant(alpha));
      if (added === undefined) return scaled;
      return ops.add(scaled, beta === 1 ? added : ops.mul(added, ops.constant(beta)));
    });
  });
};

/** An operand in a shape that it broadcasts to, as the first of sums. */
const repeated = (node: OnnxNode, operand: Operand, shape: readonly number[]): Value<TensorType> => {
  const { value, at = [] } = broadcastAccess(node, operand, shape);
  const kept = at.flatMap((expr) => (expr.kind === 'dim' ? [expr.position] : []));
  if (kept.length === shape.length) return value as Value<TensorType>;
  const added = shape.flatMap((_, i) => (kept.includes(i) ? [] : [i]));
  return node.emitter.broadcast(value as Value<TensorType>, shape, added);
};

/** Ops of this file by their ONNX names. */
export const productOps: Readonly<Record<string, (node: OnnxNode) => Operand>> = {
  Gemm: gemm,
  MatMul: matMul,
};
