/** The `arith` and `math` dialects: scalar functions, applied elementwise to tensors and vectors. */
import type { Operation, Type } from '@sconv/ir';
import { printType } from '@sconv/ir';
import { constantValue } from './dense-elements.ts';
import type { Context, Exec, Handler, Handlers } from './context.ts';
import { load, store } from './context.ts';
import type { ElementArray, Scalar } from './element.ts';
import { setElement } from './element.ts';
import type { ScalarFunction } from './scalar-function.ts';
import { scalarFunction } from './scalar-function.ts';
import { printShape, trap } from './trap.ts';
import type { TensorValue } from './value.ts';
import { currentElements, versioned } from './versioned-elements.ts';

/** The element type of a tensor or vector type; any other type is returned as is. */
const scalarType = (type: Type): Type =>
  type.kind === 'tensor' || type.kind === 'vector' ? type.elementType : type;

/** An operation on numbers, vectors or tensors, by what each element becomes. */
export const elementwise: Handler = (operation, context) => {
  const result = context.result(operation);
  const from = scalarType(context.operand(operation, 0).type);
  const apply = scalarFunction(context.registry, operation, from, scalarType(result.type));
  if (apply === undefined) {
    return trap(operation, 'interpreter/unsupported-type', `is not supported on ${printType(from)}`);
  }
  return result.type.kind === 'tensor' || result.type.kind === 'vector'
    ? onTensors(operation, context, apply)
    : onScalars(operation, context, apply);
};

const onScalars = (operation: Operation, context: Context, scalar: ScalarFunction): Exec => {
  const [a, b = a, c = a] = operation.operands.map((operand) => context.slot(operand)) as [
    number,
    ...number[],
  ];
  const result = context.slot(context.result(operation));
  if (scalar.kind === 'numbers') {
    const short = shortcut(operation, a, b, result);
    if (short !== undefined) return short;
    const { apply } = scalar;
    return ({ numbers }) => {
      numbers[result] = apply(numbers[a]!, numbers[b]!, numbers[c]!);
    };
  }
  const { apply } = scalar;
  const operands = operation.operands.map(({ type }, i) => ({ type, slot: [a, b, c][i]! }));
  return (frame) => {
    const [x, y = x, z = x] = operands.map(({ type, slot }) => load(frame, slot, type)) as [
      Scalar,
      ...Scalar[],
    ];
    store(frame, result, apply(x, y, z));
  };
};

/** Innermost-loop operations as one closure instead of three; a pure optimization. */
const shortcut = (operation: Operation, a: number, b: number, result: number): Exec | undefined => {
  const { type } = operation.results[0]!;
  if (type.kind !== 'float' || type.name !== 'f32') return undefined;
  switch (operation.name) {
    case 'arith.addf':
      return ({ numbers }) => {
        numbers[result] = Math.fround(numbers[a]! + numbers[b]!);
      };
    case 'arith.mulf':
      return ({ numbers }) => {
        numbers[result] = Math.fround(numbers[a]! * numbers[b]!);
      };
    default:
      return undefined;
  }
};

const onTensors = (operation: Operation, context: Context, { apply }: ScalarFunction): Exec => {
  const read = operation.operands.map((operand) => context.tensor(operation, operand));
  const result = context.result(operation);
  const slot = context.slot(result);
  const elementType = scalarType(result.type);
  // The element types determine the arguments of `apply`; see `ScalarFunction`.
  const scalar = apply as (a: Scalar, b: Scalar, c: Scalar) => Scalar;
  return (frame) => {
    const operands = read.map((tensor) => tensor(frame));
    const { shape } = operands[0]!;
    checkSameShape(operation, operands);
    const [x, y = x, z = x] = operands.map(({ elements }) => currentElements(elements)) as [
      ElementArray,
      ...ElementArray[],
    ];
    const data = context.machine.allocate(operation, shape, elementType);
    context.machine.tick(data.length, operation);
    for (let i = 0; i < data.length; i++) setElement(data, i, scalar(x[i]!, y[i]!, z[i]!));
    frame.objects[slot] = { kind: 'tensor', shape, elementType, elements: versioned(data) };
  };
};

/** Traps if operands with dynamic sizes differ in shape. */
export const checkSameShape = (operation: Operation, operands: readonly TensorValue[]): void => {
  const shape = printShape(operands[0]!.shape);
  const other = operands.map((operand) => printShape(operand.shape)).find((found) => found !== shape);
  if (other !== undefined) {
    trap(operation, 'interpreter/shape-mismatch', `combines tensors of ${shape} and ${other}`);
  }
};

/** The condition is a scalar that selects between values of any type, or a tensor that selects elementwise. */
const select: Handler = (operation, context) => {
  const condition = context.operand(operation, 0);
  if (condition.type.kind === 'tensor' || condition.type.kind === 'vector')
    return elementwise(operation, context);
  const result = [context.result(operation)];
  const test = context.number(operation, condition);
  const yes = context.assign(operation, [context.operand(operation, 1)], result);
  const no = context.assign(operation, [context.operand(operation, 2)], result);
  return (frame) => {
    if (frame.numbers[test] === 0) no(frame);
    else yes(frame);
  };
};

const constant: Handler = (operation, context) => {
  context.preset(context.result(operation), constantValue(operation, context, 'value'));
  return undefined;
};

/** The operations of `arith` and `math` that do not declare what they compute. */
const others = [
  'arith.bitcast',
  'arith.cmpf',
  'arith.cmpi',
  'arith.extf',
  'arith.extsi',
  'arith.extui',
  'arith.fptosi',
  'arith.fptoui',
  'arith.index_cast',
  'arith.index_castui',
  'arith.sitofp',
  'arith.truncf',
  'arith.trunci',
  'arith.uitofp',
  'math.fpowi',
];

/** The operations of `arith` and `math`, besides those that are `elementwise` by their declaration. */
export const arithHandlers: Handlers = {
  ...Object.fromEntries(others.map((name) => [name, elementwise])),
  'arith.constant': constant,
  'arith.select': select,
};
