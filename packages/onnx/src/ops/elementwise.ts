/** Elementwise ops by name. */
import * as math from '@sconv/dialects/math';
import type { Builder, Value } from '@sconv/ir';
import { broadcastShapes, elementwise, elementwiseOver, repeatingStrides } from '../broadcast.ts';
import { countOf, splatOf, splatValue } from '../constant.ts';
import type { ElementType } from '../element-type.ts';
import { boolean } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { constantOperand, foldStrided, reshapeOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';
import { knownElementType } from '../tensor-data.ts';

type Convert = (node: OnnxNode) => Operand;
type Emit = (ops: ScalarOps, ...elements: readonly Value[]) => Value;

const emitting =
  (type: ElementType, emit: Emit) =>
  (b: Builder, ...elements: readonly Value[]): Value =>
    emit(new ScalarOps(b, type), ...elements);

const expectFloat = ({ type }: Operand): void => {
  if (type.kind !== 'float') unsupported(`elements of type ${type.name}`);
};

/** A function of one float; `emit` may read attributes of the node. */
const unaryFloat =
  (emit: (node: OnnxNode) => (ops: ScalarOps, x: Value) => Value, fold?: (x: number) => number): Convert =>
  (node) => {
    const operand = node.input(0);
    expectFloat(operand);
    return unary(node, operand, emit(node), fold);
  };

const unary = (
  node: OnnxNode,
  operand: Operand,
  emit: (ops: ScalarOps, x: Value) => Value,
  fold?: (x: number) => number,
): Operand => {
  const { type } = operand;
  return elementwise(node, [operand], { type, emit: emitting(type, (ops, x) => emit(ops, x)), fold });
};

/** A function of one number of any type. */
const unaryNumber =
  (emit: (ops: ScalarOps, x: Value) => Value, fold: (x: number) => number): Convert =>
  (node) =>
    unary(node, expectNumbers(node.input(0)), emit, fold);

const expectNumbers = (operand: Operand): Operand =>
  operand.type.kind === 'boolean' ? unsupported('elements of type bool') : operand;

/** A function of two numbers of one type. */
const binary =
  (
    emit: (ops: ScalarOps, a: Value, b: Value) => Value,
    fold?: (a: number, b: number, type: ElementType) => number,
  ): Convert =>
  (node) => {
    const operands = [expectNumbers(node.input(0)), expectNumbers(node.input(1))];
    const type = node.commonType(operands);
    return elementwise(node, operands, {
      type,
      emit: emitting(type, (ops, a, b) => emit(ops, a, b)),
      fold: fold && ((a, b) => fold(a, b, type)),
    });
  };

/** A function that combines any number of numbers of one type, one after the other. */
const variadic =
  (
    emit: (ops: ScalarOps, a: Value, b: Value) => Value,
    finish?: (ops: ScalarOps, sum: Value, count: number) => Value,
  ): Convert =>
  (node) => {
    const operands = node.inputs.map((_, i) => expectNumbers(node.input(i)));
    const type = node.commonType(operands);
    return elementwise(node, operands, {
      type,
      emit: emitting(type, (ops, ...elements) => {
        const result = elements.reduce((a, b) => emit(ops, a, b));
        return finish === undefined ? result : finish(ops, result, elements.length);
      }),
    });
  };

/** A comparison of two elements of one type. */
const comparison =
  (emit: (ops: ScalarOps, a: Value, b: Value) => Value, fold: (a: number, b: number) => boolean): Convert =>
  (node) => {
    const operands = [node.input(0), node.input(1)];
    const type = node.commonType(operands);
    return elementwise(node, operands, {
      type: boolean,
      emit: emitting(type, (ops, a, b) => emit(ops, a, b)),
      fold: (a, b) => (fold(a, b) ? 1 : 0),
    });
  };

const exp = ({ b }: ScalarOps, operand: Value): Value => b(math.exp, { operand });
const tanh = ({ b }: ScalarOps, operand: Value): Value => b(math.tanh, { operand });
const reciprocal = (ops: ScalarOps, x: Value): Value => ops.div(ops.constant(1), x);
const sigmoid = (ops: ScalarOps, x: Value): Value =>
  reciprocal(ops, ops.add(ops.constant(1), exp(ops, ops.neg(x))));
const softplus = (ops: ScalarOps, x: Value): Value =>
  // No overflow: max(x, 0) + log1p(exp(-|x|)).
  ops.add(ops.max(x, ops.constant(0)), ops.b(math.log1p, { operand: exp(ops, ops.neg(ops.abs(x))) }));
const clamp = (ops: ScalarOps, x: Value, low: number, high: number): Value =>
  ops.min(ops.max(x, ops.constant(low)), ops.constant(high));
const whereNegative = (ops: ScalarOps, x: Value, value: Value): Value =>
  ops.select(ops.compare('lt', x, ops.constant(0)), value, x);
const expm1Scaled = (ops: ScalarOps, x: Value, factor: number): Value =>
  ops.mul(ops.b(math.expm1, { operand: x }), ops.constant(factor));

const clip: Convert = (node) => {
  const operand = expectNumbers(node.input(0));
  const { type } = operand;
  const attribute = (name: string): Operand | undefined =>
    node.has(name) ? constantOperand(node.emitter, splatOf(type, [], node.float(name, 0))) : undefined;
  // Attributes before opset 11, inputs since then.
  const [low, high] = [attribute('min') ?? node.optional(1), attribute('max') ?? node.optional(2)];
  const bounds = [low, high].flatMap((bound) => bound ?? []);
  node.commonType([operand, ...bounds]);
  if (bounds.some(({ shape }) => countOf(shape) !== 1)) invalid('has bounds that are no scalars');
  return elementwise(node, [operand, ...bounds.map((bound) => reshapeOperand(node, bound, []))], {
    type,
    emit: emitting(type, (ops, x, ...limits) => {
      const above = low === undefined ? x : ops.max(x, limits[0]!);
      return high === undefined ? above : ops.min(above, limits.at(-1)!);
    }),
  });
};

const gelu: Convert = unaryFloat((node) => {
  const approximate = node.text('approximate', 'none');
  if (approximate === 'tanh')
    return (ops, x) => {
      const cube = ops.mul(ops.mul(ops.mul(x, x), x), ops.constant(0.044715));
      const inner = ops.mul(ops.add(x, cube), ops.constant(Math.sqrt(2 / Math.PI)));
      return ops.mul(ops.mul(x, ops.constant(0.5)), ops.add(ops.constant(1), tanh(ops, inner)));
    };
  if (approximate !== 'none') invalid(`has approximate '${approximate}'`);
  return (ops, x) => {
    const erf = ops.b(math.erf, { operand: ops.mul(x, ops.constant(Math.SQRT1_2)) });
    return ops.mul(ops.mul(x, ops.constant(0.5)), ops.add(ops.constant(1), erf));
  };
});

const prelu: Convert = (node) => {
  const [operand, slope] = [node.input(0), node.input(1)];
  expectFloat(operand);
  const type = node.commonType([operand, slope]);
  if (broadcastShapes([operand.shape, slope.shape]).length > operand.shape.length)
    invalid('has slopes of more dimensions than its input');
  return elementwise(node, [operand, slope], {
    type,
    emit: emitting(type, (ops, x, factor) => whereNegative(ops, x, ops.mul(x, factor))),
  });
};

const pow: Convert = (node) => {
  const [base, exponent] = [node.input(0), node.input(1)];
  const { type } = base;
  const value = splatValue(exponent.constant);
  const isOverBase = printSizes(broadcastShapes([base.shape, exponent.shape])) === printSizes(base.shape);
  if (type.kind === 'float' && value !== undefined && isOverBase)
    return unary(
      node,
      base,
      (ops, x) => ops.power(x, value),
      (x) => x ** value,
    );
  return elementwise(node, [base, exponent], {
    type,
    fold: (x, y) => x ** y,
    emit: (b, x, y) => {
      const ops = new ScalarOps(b, type);
      const raised = new ScalarOps(b, exponent.type);
      if (type.kind === 'float') return b(math.powf, { lhs: x, rhs: raised.cast(y, type) });
      if (exponent.type.kind !== 'float') return ops.integerPower(x, raised.cast(y, type));
      // As a power of floats, rounded to zero.
      return raised.cast(b(math.powf, { lhs: ops.cast(x, exponent.type), rhs: y }), type);
    },
  });
};

const mod: Convert = (node) => {
  const operands = [expectNumbers(node.input(0)), expectNumbers(node.input(1))];
  const type = node.commonType(operands);
  const hasSignOfDividend = node.flag('fmod');
  if (type.kind === 'float' && !hasSignOfDividend) invalid('of floats lacks fmod 1');
  return elementwise(node, operands, {
    type,
    fold: (a, b) => (hasSignOfDividend ? a % b : a - Math.floor(a / b) * b),
    emit: emitting(type, (ops, a, b) => {
      const rest = ops.rem(a, b);
      if (hasSignOfDividend || type.isUnsigned) return rest;
      const zero = ops.constant(0);
      const boolOps = new ScalarOps(ops.b, boolean);
      const differs = boolOps.xor(ops.compare('lt', rest, zero), ops.compare('lt', b, zero));
      const isZero = ops.compare('eq', rest, zero);
      return ops.select(isZero, rest, ops.select(differs, ops.add(rest, b), rest));
    }),
  });
};

const where: Convert = (node) => {
  const [condition, yes, no] = [node.input(0), node.input(1), node.input(2)];
  if (condition.type !== boolean) invalid('has a condition that is not bool');
  const type = node.commonType([yes, no]);
  return elementwise(node, [condition, yes, no], {
    type,
    emit: emitting(type, (ops, c, a, b) => ops.select(c, a, b)),
    fold: (c, a, b) => (c === 0 ? b : a),
  });
};

/** `Cast`. */
const cast: Convert = (node) => castOperand(node, node.input(0), knownElementType("'to'", node.int('to', 0)));

const castOperand = (node: OnnxNode, operand: Operand, type: ElementType): Operand => {
  if (operand.type === type) return operand;
  return elementwise(node, [operand], {
    type,
    emit: (b, x) => new ScalarOps(b, operand.type).cast(x, type),
    fold: (x) => (type.kind === 'float' ? x : type.kind === 'boolean' ? (x === 0 ? 0 : 1) : Math.trunc(x)),
  });
};

const castLike: Convert = (node) => castOperand(node, node.input(0), node.input(1).type);

/** `Expand`: repeated along dimensions. */
const expand: Convert = (node) => {
  const operand = node.input(0);
  const shape = broadcastShapes([operand.shape, node.list(1, 'shape') ?? invalid('lacks its shape')]);
  return (
    foldStrided(node, operand, shape, repeatingStrides(operand.shape, shape)) ??
    elementwiseOver(node, operand, shape)
  );
};

const relu = (ops: ScalarOps, x: Value): Value => ops.max(x, ops.constant(0));

const mathUnary = (definition: typeof math.exp, fold?: (x: number) => number): Convert =>
  unaryFloat(
    () =>
      ({ b }, operand) =>
        b(definition, { operand }),
    fold,
  );

const lessOrEqual = (a: number, b: number): boolean => a <= b;

/** Elementwise ops by their ONNX names. */
export const elementwiseOps: Readonly<Record<string, Convert>> = {
  Abs: unaryNumber((ops, x) => ops.abs(x), Math.abs),
  Acos: mathUnary(math.acos),
  Acosh: mathUnary(math.acosh),
  Add: binary(
    (ops, a, b) => ops.add(a, b),
    (a, b) => a + b,
  ),
  Asin: mathUnary(math.asin),
  Asinh: mathUnary(math.asinh),
  Atan: mathUnary(math.atan),
  Atanh: mathUnary(math.atanh),
  Cast: cast,
  CastLike: castLike,
  Ceil: mathUnary(math.ceil, Math.ceil),
  Celu: unaryFloat((node) => {
    const alpha = node.float('alpha', 1);
    return (ops, x) => {
      const scaled = ops.div(x, ops.constant(alpha));
      return whereNegative(ops, x, expm1Scaled(ops, scaled, alpha));
    };
  }),
  Clip: clip,
  Cos: mathUnary(math.cos),
  Cosh: mathUnary(math.cosh),
  Div: binary(
    (ops, a, b) => ops.div(a, b),
    (a, b, { kind }) => (kind === 'float' ? a / b : Math.trunc(a / b)),
  ),
  Elu: unaryFloat((node) => {
    const alpha = node.float('alpha', 1);
    return (ops, x) => whereNegative(ops, x, expm1Scaled(ops, x, alpha));
  }),
  Equal: comparison(
    (ops, a, b) => ops.compare('eq', a, b),
    (a, b) => a === b,
  ),
  Erf: mathUnary(math.erf),
  Exp: mathUnary(math.exp, Math.exp),
  Expand: expand,
  Floor: mathUnary(math.floor, Math.floor),
  Gelu: gelu,
  Greater: comparison(
    (ops, a, b) => ops.compare('gt', a, b),
    (a, b) => a > b,
  ),
  GreaterOrEqual: comparison(
    (ops, a, b) => ops.compare('ge', a, b),
    (a, b) => a >= b,
  ),
  HardSigmoid: unaryFloat((node) => {
    const [alpha, beta] = [node.float('alpha', 0.2), node.float('beta', 0.5)];
    return (ops, x) => clamp(ops, ops.add(ops.mul(x, ops.constant(alpha)), ops.constant(beta)), 0, 1);
  }),
  HardSwish: unaryFloat(
    () => (ops, x) =>
      ops.mul(x, clamp(ops, ops.add(ops.mul(x, ops.constant(1 / 6)), ops.constant(0.5)), 0, 1)),
  ),
  LeakyRelu: unaryFloat((node) => {
    const alpha = node.float('alpha', 0.01);
    return (ops, x) => whereNegative(ops, x, ops.mul(x, ops.constant(alpha)));
  }),
  Less: comparison(
    (ops, a, b) => ops.compare('lt', a, b),
    (a, b) => a < b,
  ),
  LessOrEqual: comparison((ops, a, b) => ops.compare('le', a, b), lessOrEqual),
  Log: mathUnary(math.log, Math.log),
  Max: variadic((ops, a, b) => ops.max(a, b)),
  Mean: variadic(
    (ops, a, b) => ops.add(a, b),
    (ops, sum, count) => ops.div(sum, ops.constant(count)),
  ),
  Min: variadic((ops, a, b) => ops.min(a, b)),
  Mish: unaryFloat(() => (ops, x) => ops.mul(x, tanh(ops, softplus(ops, x)))),
  Mod: mod,
  Mul: binary(
    (ops, a, b) => ops.mul(a, b),
    (a, b) => a * b,
  ),
  Neg: unaryNumber(
    (ops, x) => ops.neg(x),
    (x) => -x,
  ),
  PRelu: prelu,
  Pow: pow,
  Reciprocal: unaryFloat(
    () => reciprocal,
    (x) => 1 / x,
  ),
  Relu: unaryNumber(relu, (x) => Math.max(x, 0)),
  Round: mathUnary(math.roundeven),
  Selu: unaryFloat((node) => {
    const alpha = node.float('alpha', 1.67326319217681884765625);
    const gamma = node.float('gamma', 1.05070102214813232421875);
    return (ops, x) => ops.mul(whereNegative(ops, x, expm1Scaled(ops, x, alpha)), ops.constant(gamma));
  }),
  Shrink: unaryFloat((node) => {
    const [bias, limit] = [node.float('bias', 0), node.float('lambd', 0.5)];
    return (ops, x) => {
      const above = ops.select(
        ops.compare('gt', x, ops.constant(limit)),
        ops.sub(x, ops.constant(bias)),
        ops.constant(0),
      );
      return ops.select(ops.compare('lt', x, ops.constant(-limit)), ops.add(x, ops.constant(bias)), above);
    };
  }),
  Sigmoid: unaryFloat(() => sigmoid),
  Sign: unaryNumber((ops, x) => {
    const zero = ops.constant(0);
    const negative = ops.select(ops.compare('lt', x, zero), ops.constant(-1), zero);
    return ops.select(ops.compare('gt', x, zero), ops.constant(1), negative);
  }, Math.sign),
  Sin: mathUnary(math.sin),
  Sinh: mathUnary(math.sinh),
  Softplus: unaryFloat(() => softplus),
  Softsign: unaryFloat(() => (ops, x) => ops.div(x, ops.add(ops.constant(1), ops.abs(x)))),
  Sqrt: mathUnary(math.sqrt, Math.sqrt),
  Sub: binary(
    (ops, a, b) => ops.sub(a, b),
    (a, b) => a - b,
  ),
  Sum: variadic((ops, a, b) => ops.add(a, b)),
  Swish: unaryFloat((node) => {
    const alpha = node.float('alpha', 1);
    return (ops, x) => ops.mul(x, sigmoid(ops, ops.mul(x, ops.constant(alpha))));
  }),
  Tan: mathUnary(math.tan),
  Tanh: mathUnary(math.tanh),
  ThresholdedRelu: unaryFloat((node) => {
    const alpha = node.float('alpha', 1);
    return (ops, x) => ops.select(ops.compare('gt', x, ops.constant(alpha)), x, ops.constant(0));
  }),
  Where: where,
};
