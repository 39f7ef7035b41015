/** Ops on truths and on bits. */
import type { Value } from '@sconv/ir';
import { elementwise } from '../broadcast.ts';
import { boolean } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { invalid, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';

type Emit = (ops: ScalarOps, ...elements: readonly Value[]) => Value;

/** A function of elements of one type, which are truths, or else integers. */
const onBits =
  (
    kind: 'boolean' | 'integer',
    count: number,
    emit: Emit,
    fold?: (...numbers: readonly number[]) => number,
  ) =>
  (node: OnnxNode): Operand => {
    const operands = Array.from({ length: count }, (_, i) => node.input(i));
    const type = node.commonType(operands);
    if (type.kind !== kind) invalid(`has elements of ${type.name}`);
    return elementwise(node, operands, {
      type,
      emit: (b, ...elements) => emit(new ScalarOps(b, type), ...elements),
      fold,
    });
  };

const and: Emit = (ops, a, b) => ops.and(a, b);
const or: Emit = (ops, a, b) => ops.or(a, b);
const xor: Emit = (ops, a, b) => ops.xor(a, b);
const truths = (emit: Emit) => onBits('boolean', 2, emit);
const bits = (emit: Emit) => onBits('integer', 2, emit);

const bitShift = (node: OnnxNode): Operand => {
  const direction = node.text('direction', '').toLowerCase();
  if (direction !== 'left' && direction !== 'right') return invalid(`has direction '${direction}'`);
  if (!node.input(0).type.isUnsigned) unsupported(`elements of type ${node.input(0).type.name}`);
  return bits((ops, value, count) => ops.shift(direction, value, count))(node);
};

/** Of floats, whether a test holds, as a truth. */
const test =
  (emit: (node: OnnxNode, ops: ScalarOps, x: Value) => Value) =>
  (node: OnnxNode): Operand => {
    const operand = node.input(0);
    if (operand.type.kind !== 'float') unsupported(`elements of type ${operand.type.name}`);
    return elementwise(node, [operand], {
      type: boolean,
      emit: (b, x) => emit(node, new ScalarOps(b, operand.type), x),
    });
  };

const isInf = test((node, ops, x) => {
  const [low, high] = [node.flag('detect_negative', true), node.flag('detect_positive', true)];
  const tested = low && high ? ops.abs(x) : low ? ops.neg(x) : x;
  const isInfinite = ops.compare('eq', tested, ops.constant(Infinity));
  const truth = new ScalarOps(ops.b, boolean);
  return low || high ? isInfinite : truth.constant(0);
});

const isNaN = test((_, ops, x) => {
  const truth = new ScalarOps(ops.b, boolean);
  return truth.xor(ops.compare('eq', x, x), truth.constant(1));
});

/** Ops of this file by their ONNX names. */
export const bitOps: Readonly<Record<string, (node: OnnxNode) => Operand>> = {
  And: truths(and),
  BitShift: bitShift,
  BitwiseAnd: bits(and),
  BitwiseNot: onBits('integer', 1, (ops, x) => ops.xor(x, ops.constant(-1))),
  BitwiseOr: bits(or),
  BitwiseXor: bits(xor),
  IsInf: isInf,
  IsNaN: isNaN,
  Not: onBits(
    'boolean',
    1,
    (ops, x) => ops.xor(x, ops.constant(1)),
    (x) => (x === 0 ? 1 : 0),
  ),
  Or: truths(or),
  Xor: truths(xor),
};
