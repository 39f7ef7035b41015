/** Sums and products that also return the overflowing half: `arith.addui_extended` and the like. */
import type { Operation, Type, Value } from '@sconv/ir';
import { checkSameShape } from './arith.ts';
import type { Context, Handler, Handlers } from './context.ts';
import { load, store } from './context.ts';
import type { ElementArray, Scalar } from './element.ts';
import { setElement } from './element.ts';
import { holdInteger, signedValue, unsignedValue, widthOf } from './integers.ts';
import { newVector } from './vector-arrangement.ts';
import { currentElements } from './versioned-elements.ts';

/** The exact result; its lower half is the first result, the rest the second. */
type Extended = (a: Scalar, b: Scalar, width: number) => bigint;

const elementTypeOf = (type: Type): Type =>
  type.kind === 'vector' || type.kind === 'tensor' ? type.elementType : type;

const extended =
  (apply: Extended): Handler =>
  (operation, context) => {
    const [low, high] = operation.results as readonly [Value, Value];
    const width = widthOf(elementTypeOf(low.type)) ?? 64;
    const holds = [low, high].map(({ type }) => holdInteger(operation, elementTypeOf(type)));
    const halves = (a: Scalar, b: Scalar): readonly [Scalar, Scalar] => {
      const value = apply(a, b, width);
      return [holds[0]!(value), holds[1]!(value >> BigInt(width))];
    };
    return low.type.kind === 'vector' || low.type.kind === 'tensor'
      ? onElements(operation, context, halves)
      : onScalars(operation, context, halves);
  };

type Halves = (a: Scalar, b: Scalar) => readonly [Scalar, Scalar];

const onScalars = (operation: Operation, context: Context, halves: Halves): ReturnType<Handler> => {
  const [a, b] = operation.operands.map((value) => ({ slot: context.slot(value), type: value.type }));
  const slots = operation.results.map((value) => context.slot(value));
  return (frame) => {
    const [x, y] = [a!, b!].map(({ slot, type }) => load(frame, slot, type)) as [Scalar, Scalar];
    halves(x, y).forEach((half, i) => {
      store(frame, slots[i]!, half);
    });
  };
};

const onElements = (operation: Operation, context: Context, halves: Halves): ReturnType<Handler> => {
  const read = operation.operands.map((operand) => context.tensor(operation, operand));
  const slots = operation.results.map((value) => context.slot(value));
  const types = operation.results.map(({ type }) => elementTypeOf(type));
  return (frame) => {
    const operands = read.map((tensor) => tensor(frame));
    const { shape } = operands[0]!;
    checkSameShape(operation, operands);
    const [x, y] = operands.map(({ elements }) => currentElements(elements)) as [ElementArray, ElementArray];
    const data = types.map((type) => context.machine.allocate(operation, shape, type));
    context.machine.tick(x.length, operation);
    for (let i = 0; i < x.length; i++) {
      halves(x[i]!, y[i]!).forEach((half, result) => {
        setElement(data[result]!, i, half);
      });
    }
    slots.forEach((slot, result) => {
      frame.objects[slot] = { ...newVector(types[result]!, data[result]!), shape };
    });
  };
};

export const extendedIntegerHandlers: Handlers = {
  'arith.addui_extended': extended((a, b, width) => unsignedValue(a, width) + unsignedValue(b, width)),
  'arith.mului_extended': extended((a, b, width) => unsignedValue(a, width) * unsignedValue(b, width)),
  'arith.mulsi_extended': extended((a, b, width) => signedValue(a, width) * signedValue(b, width)),
};
