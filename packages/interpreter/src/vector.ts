/** The `vector` dialect. A scalable vector has the size in its type: vscale is 1. */
import { constantMask, extract, indicesOf, insert, positionOf, vectorShape } from '@sconv/dialects/vector';
import { mixedIndices } from '@sconv/dialects';
import type { Operation } from '@sconv/ir';
import { printType } from '@sconv/ir';
import { outOfBounds } from './access.ts';
import type { Context, Frame, Handler, Handlers } from './context.ts';
import { store } from './context.ts';
import type { ElementArray, Scalar } from './element.ts';
import { setElement, setElements } from './element.ts';
import { mixedValues } from './slice.ts';
import { trap } from './trap.ts';
import { elementReader, newVector, vectorArrangements } from './vector-arrangement.ts';
import type { MaskedHandler } from './vector-memory.ts';
import { gather, scatter, transferRead, transferWrite, vectorMemoryHandlers } from './vector-memory.ts';
import { maskedSums, vectorSumHandlers } from './vector-sums.ts';
import { currentElements } from './versioned-elements.ts';

/** Number and start of the elements at a position of the leading dimensions. */
const rowAt = (
  operation: Operation,
  position: readonly number[],
  shape: readonly number[],
): { readonly start: number; readonly length: number } => {
  if (position.some((at, i) => at < 0 || at >= shape[i]!))
    outOfBounds(operation, 'accesses', position, shape);
  const length = shape.slice(position.length).reduce((all, size) => all * size, 1);
  return { start: positionOf(position, shape) * length, length };
};

/** The position of an operation: its attribute and operands, or a single operand. */
const positionReader = (operation: Operation, context: Context): ((frame: Frame) => readonly number[]) => {
  if (extract.is(operation))
    return mixedValues(
      operation,
      context,
      mixedIndices(extract.operands(operation).dynamicPosition, extract.attributes(operation).staticPosition),
    );
  if (insert.is(operation))
    return mixedValues(
      operation,
      context,
      mixedIndices(insert.operands(operation).dynamicPosition, insert.attributes(operation).staticPosition),
    );
  const position = operation.operands[operation.name === 'vector.extractelement' ? 1 : 2];
  if (position === undefined) return () => [];
  const slot = context.number(operation, position);
  return ({ numbers }) => [numbers[slot]!];
};

const extracted: Handler = (operation, context) => {
  const source = context.operand(operation, 0);
  const { type } = context.result(operation);
  const read = context.tensor(operation, source);
  const position = positionReader(operation, context);
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const elements = currentElements(read(frame).elements);
    const { start, length } = rowAt(operation, position(frame), vectorShape(source.type));
    if (type.kind !== 'vector') store(frame, slot, elements[start]!);
    else frame.objects[slot] = newVector(type, elements.slice(start, start + length));
  };
};

const inserted: Handler = (operation, context) => {
  const { type } = context.result(operation);
  const source = elementReader(operation, context, 0);
  const dest = context.tensor(operation, context.operand(operation, 1));
  const position = positionReader(operation, context);
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const data = currentElements(dest(frame).elements).slice();
    const { start } = rowAt(operation, position(frame), vectorShape(type));
    source(frame).forEach((value: Scalar, i: number) => setElement(data, start + i, value));
    frame.objects[slot] = newVector(type, data);
  };
};

/** A mask that is set where every index is below its bound. */
const maskBelow = (
  operation: Operation,
  context: Context,
  bounds: (frame: Frame) => readonly number[],
): ReturnType<Handler> => {
  const { type } = context.result(operation);
  const slot = context.slot(context.result(operation));
  const shape = vectorShape(type);
  // Rank 0 has one element, with a bound of 1.
  const indices = indicesOf(shape.length === 0 ? [1] : shape);
  return (frame) => {
    const limits = bounds(frame);
    const data = context.machine.allocate(operation, shape, type.kind === 'vector' ? type.elementType : type);
    context.machine.tick(data.length, operation);
    indices.forEach((index, i) => setElement(data, i, Number(index.every((at, d) => at < limits[d]!))));
    frame.objects[slot] = newVector(type, data);
  };
};

const createMask: Handler = (operation, context) => {
  const slots = context.numbers(operation, operation.operands);
  return maskBelow(operation, context, ({ numbers }) => slots.map((slot) => numbers[slot]!));
};

const constantMaskHandler: Handler = (operation, context) => {
  const { maskDimSizes } = constantMask.attributes(operation);
  return maskBelow(operation, context, () => maskDimSizes);
};

const step: Handler = (operation, context) => {
  const { type } = context.result(operation);
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const elementType = type.kind === 'vector' ? type.elementType : type;
    const data = context.machine.allocate(operation, vectorShape(type), elementType);
    for (let i = 0; i < data.length; i++) setElement(data, i, i);
    frame.objects[slot] = newVector(type, data);
  };
};

/** An element's bits, if it is stored in exactly these. */
const storedBits = (operation: Operation, context: Context, value: 0 | 'result'): number => {
  const { type } = value === 'result' ? context.result(operation) : context.operand(operation, value);
  const element = type.kind === 'vector' ? type.elementType : type;
  const bits =
    element.kind === 'integer'
      ? element.width
      : element.kind === 'float' && (element.name === 'f32' || element.name === 'f64')
        ? Number(element.name.slice(1))
        : 0;
  if (![8, 16, 32, 64].includes(bits))
    trap(operation, 'interpreter/unsupported-type', `is not supported on ${printType(type)}`);
  return bits;
};

const bytesOf = (data: ElementArray): Uint8Array =>
  new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);

const bitcast: Handler = (operation, context) => {
  storedBits(operation, context, 0);
  storedBits(operation, context, 'result');
  const { type } = context.result(operation);
  const read = context.tensor(operation, context.operand(operation, 0));
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const elementType = type.kind === 'vector' ? type.elementType : type;
    const data = context.machine.allocate(operation, vectorShape(type), elementType);
    setElements(bytesOf(data), bytesOf(currentElements(read(frame).elements)), 0);
    frame.objects[slot] = newVector(type, data);
  };
};

/** The operations supported inside `vector.mask`. */
const maskable: Readonly<Record<string, MaskedHandler>> = {
  ...maskedSums,
  'vector.transfer_read': transferRead,
  'vector.transfer_write': transferWrite,
  'vector.gather': gather,
  'vector.scatter': scatter,
};

const masked: Handler = (operation, context) => {
  const [mask, passthru] = operation.operands;
  const region = context.region(operation, 0);
  const [inner] = region.blocks[0]?.operations ?? [];
  const pass = (from: Operation) => context.assign(operation, from.operands, operation.results);
  if (inner === undefined || inner.name === 'vector.yield') return context.body(operation, region, pass);
  const handler = maskable[inner.name];
  if (handler === undefined)
    return trap(inner, 'interpreter/unsupported-op', 'is not an operation that the interpreter can mask');
  const run = handler(inner, context, mask, passthru);
  const end = pass(region.blocks[0]!.operations.at(-1)!);
  return (frame) => {
    run?.(frame);
    end(frame);
  };
};

const vscale: Handler = (operation, context) => {
  context.preset(context.result(operation), 1);
  return undefined;
};

/** The operations of the dialect; `vector.print` discards its output. */
export const vectorHandlers: Handlers = {
  ...vectorArrangements,
  ...vectorMemoryHandlers,
  ...vectorSumHandlers,
  'vector.extract': extracted,
  'vector.extractelement': extracted,
  'vector.insert': inserted,
  'vector.insertelement': inserted,
  'vector.create_mask': createMask,
  'vector.constant_mask': constantMaskHandler,
  'vector.step': step,
  'vector.vscale': vscale,
  'vector.bitcast': bitcast,
  'vector.mask': masked,
  'vector.print': () => undefined,
};
