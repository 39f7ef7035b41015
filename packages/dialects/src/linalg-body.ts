/** The scalar bodies of named linalg ops: the region that generalization creates, in upstream's order of operations. */
import type { Attribute, AttributeSpec, Attributes, Type, Value } from '@sconv/ir';
import {
  dialectAttribute,
  f32,
  f64,
  floatAttribute,
  floatWidth,
  i32,
  i64,
  indexType,
  integerAttribute,
  typeEquals,
} from '@sconv/ir';
import { binaryFunctionAttribute, castAttribute, unaryFunctionAttribute } from './linalg-functions.ts';
import type { BinaryFunction, UnaryFunction } from './linalg-functions.ts';

/** An operation to create in a body. */
export interface ScalarOperation {
  readonly name: string;
  readonly operands: readonly Value[];
  readonly resultTypes: readonly Type[];
  readonly attributes: Attributes;
}

/** Creates operations in order; implemented by the parser's region builder or a rewriter. */
export type CreateScalar = (operation: ScalarOperation) => readonly Value[];

/** Computes the yielded value from the block arguments (inputs, then the output). */
export type ScalarBody = (
  context: BodyContext,
  blockArguments: readonly Value[],
  attributes: Attributes,
) => Value;

const fastmathNone = { fastmath: dialectAttribute('arith', 'fastmath<none>') };
const overflowNone = { overflowFlags: dialectAttribute('arith', 'overflow<none>') };

/** Operations with overflow flags. */
const withOverflow = new Set(['arith.addi', 'arith.subi', 'arith.muli', 'arith.shli']);

/** Creates scalar arithmetic, dispatching on the operand type. */
export class BodyContext {
  readonly #create: CreateScalar;

  constructor(create: CreateScalar) {
    this.#create = create;
  }

  /** An operation with one result. */
  create(name: string, operands: readonly Value[], type: Type, attributes: Attributes = {}): Value {
    const [result] = this.#create({ name, operands, resultTypes: [type], attributes });
    if (result === undefined) throw new Error(`${name} has no result`);
    return result;
  }

  constant(value: Attribute, type: Type): Value {
    return this.create('arith.constant', [], type, { value });
  }

  /** The iteration index of a dimension. */
  index(dimension: number): Value {
    return this.create('linalg.index', [], indexType, { dim: integerAttribute(dimension, i64) });
  }

  /** `value` converted to `type`, as upstream's `convertScalarToDtype`; `value` itself if the types agree. */
  cast(value: Value, type: Type, isUnsigned = false): Value {
    const from = value.type;
    if (typeEquals(from, type)) return value;
    const name = castName(from, type, isUnsigned);
    return name === undefined ? value : this.create(name, [value], type);
  }

  /** `float` on floats, `integer` on integers and indices, `bool` (if given) on i1. */
  arithmetic(names: { float: string; integer: string; bool?: string }, ...operands: readonly Value[]): Value {
    const type = operands[0]?.type ?? f32;
    if (type.kind === 'float') return this.create(names.float, operands, type, fastmathNone);
    const isBool = type.kind === 'integer' && type.width === 1;
    const name = isBool && names.bool !== undefined ? names.bool : names.integer;
    return this.create(name, operands, type, withOverflow.has(name) ? overflowNone : {});
  }

  float(name: string, ...operands: readonly Value[]): Value {
    return this.create(name, operands, operands[0]?.type ?? f32, fastmathNone);
  }
}

const bitsOf = (type: Type): number => {
  if (type.kind === 'integer') return type.width;
  return type.kind === 'float' ? floatWidth(type.name) : 64;
};

const castName = (from: Type, to: Type, isUnsigned: boolean): string | undefined => {
  if (to.kind === 'integer') {
    if (from.kind === 'float') return isUnsigned ? 'arith.fptoui' : 'arith.fptosi';
    if (from.kind === 'index') return 'arith.index_cast';
    if (bitsOf(to) > bitsOf(from)) return isUnsigned ? 'arith.extui' : 'arith.extsi';
    return bitsOf(to) < bitsOf(from) ? 'arith.trunci' : undefined;
  }
  if (to.kind === 'float') {
    if (from.kind === 'integer') return isUnsigned ? 'arith.uitofp' : 'arith.sitofp';
    if (bitsOf(to) > bitsOf(from)) return 'arith.extf';
    return bitsOf(to) < bitsOf(from) ? 'arith.truncf' : undefined;
  }
  return to.kind === 'index' && from.kind === 'integer' ? 'arith.index_cast' : undefined;
};

/** The functions that named binary ops apply. */
const binaryFunctions = {
  add: { float: 'arith.addf', integer: 'arith.addi', bool: 'arith.ori' },
  sub: { float: 'arith.subf', integer: 'arith.subi' },
  mul: { float: 'arith.mulf', integer: 'arith.muli', bool: 'arith.andi' },
  div: { float: 'arith.divf', integer: 'arith.divsi' },
  div_unsigned: { float: 'arith.divf', integer: 'arith.divui' },
  max_signed: { float: 'arith.maximumf', integer: 'arith.maxsi' },
  min_signed: { float: 'arith.minimumf', integer: 'arith.minsi' },
  max_unsigned: { float: 'arith.maximumf', integer: 'arith.maxui' },
  min_unsigned: { float: 'arith.minimumf', integer: 'arith.minui' },
  powf: { float: 'math.powf', integer: 'math.powf' },
} as const satisfies Readonly<Record<BinaryFunction, unknown>>;

/** Applies a unary function. */
const applyUnary = (context: BodyContext, name: UnaryFunction, operand: Value): Value => {
  switch (name) {
    case 'negf':
      return context.float('arith.negf', operand);
    case 'abs':
      return context.float('math.absf', operand);
    case 'reciprocal': {
      const { type } = operand;
      const one = context.constant(floatAttribute(1, type), type);
      return context.float('arith.divf', one, operand);
    }
    case 'square':
      return context.float('arith.mulf', operand, operand);
    default:
      return context.float(`math.${name}`, operand);
  }
};

const last = (values: readonly Value[]): Value => {
  const value = values.at(-1);
  if (value === undefined) throw new Error('a body has at least one argument');
  return value;
};

/** Whether the `cast` attribute requests unsigned conversions. */
const castsUnsigned = ({ cast }: Attributes): boolean =>
  cast !== undefined && castAttribute.decode(cast) === 'cast_unsigned';

/** `out + a * b`, with the operands converted to the type of the output. */
export const multiplyAdd: ScalarBody = (context, [a, b, out], attributes) => {
  const isUnsigned = castsUnsigned(attributes);
  const lhs = context.cast(a!, out!.type, isUnsigned);
  const rhs = context.cast(b!, out!.type, isUnsigned);
  return context.arithmetic(binaryFunctions.add, out!, context.arithmetic(binaryFunctions.mul, lhs, rhs));
};

/** `a * b + sum` in the type of `sum`: `multiplyAdd` with the sum as the right operand, as upstream's img2col. */
export const multiplyThenAdd: ScalarBody = (context, [a, b, sum]) => {
  const [lhs, rhs] = [context.cast(a!, sum!.type), context.cast(b!, sum!.type)];
  return context.arithmetic(binaryFunctions.add, context.arithmetic(binaryFunctions.mul, lhs, rhs), sum!);
};

/** `out + (a - za) * (b - zb)`, for quantized operands and their zero points. */
export const quantizedMultiplyAdd: ScalarBody = (context, [a, b, zeroA, zeroB, out]) => {
  const type = out!.type;
  const lhs = context.arithmetic(binaryFunctions.sub, context.cast(a!, type), context.cast(zeroA!, type));
  const rhs = context.arithmetic(binaryFunctions.sub, context.cast(b!, type), context.cast(zeroB!, type));
  return context.arithmetic(binaryFunctions.add, out!, context.arithmetic(binaryFunctions.mul, lhs, rhs));
};

/** `out + cast(a * cast(b))`, the body of `batch_reduce_matmul`. */
export const multiplyThenCastAdd: ScalarBody = (context, [a, b, out]) => {
  const product = context.arithmetic(binaryFunctions.mul, a!, context.cast(b!, out!.type));
  return context.arithmetic(binaryFunctions.add, out!, context.cast(product, out!.type));
};

/** `out op in`, for pooling; the window operand only provides a shape. */
export const pool =
  (name: BinaryFunction): ScalarBody =>
  (context, [value, , out]) =>
    context.arithmetic(
      binaryFunctions[name],
      out!,
      context.cast(value!, out!.type, name.endsWith('_unsigned')),
    );

/** The first operand, converted to the type of the output. */
export const copyBody: ScalarBody = (context, blockArguments, attributes) =>
  context.cast(blockArguments[0]!, last(blockArguments).type, castsUnsigned(attributes));

export const unary =
  (name: UnaryFunction): ScalarBody =>
  (context, [operand]) =>
    applyUnary(context, name, operand!);

export const binary =
  (name: BinaryFunction): ScalarBody =>
  (context, [lhs, rhs]) =>
    context.arithmetic(binaryFunctions[name], lhs!, rhs!);

export const selectBody: ScalarBody = (context, [condition, a, b]) =>
  context.create('arith.select', [condition!, a!, b!], a!.type);

const functionOf = <N>({ fun }: Attributes, spec: Pick<AttributeSpec<N>, 'decode'>): N | undefined =>
  fun === undefined ? undefined : spec.decode(fun);

/** The body of `elemwise_unary`: the function is an attribute. */
export const elementwiseUnary: ScalarBody = (context, [operand, out], attributes) =>
  applyUnary(
    context,
    functionOf(attributes, unaryFunctionAttribute) ?? 'exp',
    context.cast(operand!, out!.type, castsUnsigned(attributes)),
  );

/** The body of `elemwise_binary`: the function is an attribute. */
export const elementwiseBinary: ScalarBody = (context, [a, b, out], attributes) => {
  const isUnsigned = castsUnsigned(attributes);
  const name = functionOf(attributes, binaryFunctionAttribute) ?? 'add';
  return context.arithmetic(
    binaryFunctions[name],
    context.cast(a!, out!.type, isUnsigned),
    context.cast(b!, out!.type, isUnsigned),
  );
};

/** A linear congruential generator seeded by the position: the body of `fill_rng_2d`. */
export const randomFill: ScalarBody = (context, [low, high, seed, out]) => {
  const integer = (value: number): Value => context.constant(integerAttribute(value, i64), i64);
  const add = (a: Value, b: Value): Value => context.arithmetic(binaryFunctions.add, a, b);
  const multiply = (a: Value, b: Value): Value => context.arithmetic(binaryFunctions.mul, a, b);
  const step = (value: Value): Value => {
    const product = multiply(value, context.cast(integer(1103515245), i32));
    return add(product, context.cast(integer(12345), i32));
  };
  const range = context.cast(integer(2147483647), f64);
  const column = context.cast(context.index(1), i32);
  const row = context.cast(context.index(0), i32);
  const state = step(add(column, step(add(row, seed!))));
  const positive = add(range, context.cast(state, f64));
  const width = context.arithmetic(binaryFunctions.sub, high!, low!);
  // 1 / 2^32.
  const scale = context.constant(floatAttribute(2.3283063999999999e-10, f64), f64);
  return context.cast(add(multiply(positive, multiply(width, scale)), low!), out!.type);
};
