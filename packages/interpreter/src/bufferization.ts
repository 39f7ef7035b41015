/** The `bufferization` dialect: conversions between tensors and memrefs, always by copying. */
import { mixedIndices } from '@sconv/dialects';
import type { Operation, Type } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { Context, Handler, Handlers } from './context.ts';
import { checkMemRefType, copyBuffer, newBuffer } from './memref.ts';
import { mixedValues } from './slice.ts';
import { gatherBox, rowMajorStrides } from './strided.ts';
import { printShape, trap } from './trap.ts';
import type { MemRefValue, TensorValue } from './value.ts';
import { currentElements, versioned } from './versioned-elements.ts';

/** A new buffer with the elements of a tensor. */
const bufferOf = ({ shape, elementType, elements }: TensorValue): MemRefValue => ({
  kind: 'memref',
  elementType,
  allocation: { data: currentElements(elements).slice(), freed: false },
  offset: 0,
  sizes: shape,
  strides: rowMajorStrides(shape),
});

/** A tensor with the current elements of a buffer. */
const tensorOf = (operation: Operation, context: Context, buffer: MemRefValue): TensorValue => {
  const { sizes, elementType, allocation } = buffer;
  const data = context.machine.allocate(operation, sizes, elementType);
  gatherBox(allocation.data, buffer, data);
  return { kind: 'tensor', shape: sizes, elementType, elements: versioned(data) };
};

/** A new buffer of the layout that a type says, for these sizes; undefined where it leaves that open. */
const placedBuffer = (
  operation: Operation,
  context: Context,
  sizes: readonly number[],
  type: Type,
): MemRefValue | undefined => {
  if (type.kind !== 'memref' || type.layout?.kind !== 'strided') return undefined;
  const { offset, strides } = type.layout;
  // A negative stride is left to the check of the type: nothing is known to allocate from its first element on.
  if ([offset, ...strides].some((value) => value === DYNAMIC || value < 0)) return undefined;
  const last = strides.reduce((sum, stride, i) => sum + Math.max(0, sizes[i]! - 1) * stride, offset);
  const data = context.machine.allocatePoison(operation, [last + 1], type.elementType);
  return {
    kind: 'memref',
    elementType: type.elementType,
    allocation: { data, freed: false },
    offset,
    sizes,
    strides,
  };
};

/** Writes to the buffer do not reach the tensor; valid programs cannot tell. */
const toMemref: Handler = (operation, context) => {
  const source = context.tensor(operation, context.operand(operation, 0));
  const result = context.result(operation);
  const slot = context.slot(result);
  return (frame) => {
    const tensor = source(frame);
    const placed = placedBuffer(operation, context, tensor.shape, result.type);
    const buffer = bufferOf(tensor);
    if (placed !== undefined) copyBuffer(operation, context, buffer, placed);
    checkMemRefType(operation, placed ?? buffer, result.type);
    frame.objects[slot] = placed ?? buffer;
  };
};

const toTensor: Handler = (operation, context) => {
  const source = context.memref(operation, context.operand(operation, 0));
  const slot = context.slot(context.result(operation));
  return (frame) => {
    frame.objects[slot] = tensorOf(operation, context, source(frame));
  };
};

/** `bufferization.alloc_tensor`, with or without a tensor to copy. */
const allocTensor: Handler = (operation, context) => {
  const result = context.result(operation);
  const { type } = result;
  if (type.kind !== 'tensor') return context.invalid(operation, 'gives no tensor');
  const [dynamic, copies] = context
    .attribute(operation, 'operandSegmentSizes', 'dense-array')
    .values.map(Number);
  const slot = context.slot(result);
  if (copies === 1) {
    const source = context.tensor(operation, context.operand(operation, dynamic ?? 0));
    return (frame) => {
      frame.objects[slot] = source(frame);
    };
  }
  const shape = mixedValues(
    operation,
    context,
    mixedIndices(operation.operands.slice(0, dynamic), type.shape),
  );
  return (frame) => {
    const sizes = shape(frame);
    const data = context.machine.allocatePoison(operation, sizes, type.elementType);
    frame.objects[slot] = {
      kind: 'tensor',
      shape: sizes,
      elementType: type.elementType,
      elements: versioned(data),
    };
  };
};

/** Into a tensor: the result is the source; into a buffer: copies the elements. */
const materializeInDestination: Handler = (operation, context) => {
  const source = context.tensor(operation, context.operand(operation, 0));
  const destination = context.operand(operation, 1);
  if (destination.type.kind === 'memref') {
    const target = context.memref(operation, destination);
    return (frame) => copyBuffer(operation, context, bufferOf(source(frame)), target(frame));
  }
  const target = context.tensor(operation, destination);
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const [from, to] = [source(frame), target(frame)];
    checkSameShape(operation, from, to);
    frame.objects[slot] = from;
  };
};

const checkSameShape = (operation: Operation, from: TensorValue, to: TensorValue): void => {
  if (printShape(from.shape) !== printShape(to.shape)) {
    trap(
      operation,
      'interpreter/shape-mismatch',
      `puts ${printShape(from.shape)} into ${printShape(to.shape)}`,
    );
  }
};

const clone: Handler = (operation, context) => {
  const source = context.memref(operation, context.operand(operation, 0));
  const result = context.result(operation);
  const { type } = result;
  if (type.kind !== 'memref') return context.invalid(operation, 'gives no memref');
  const slot = context.slot(result);
  return (frame) => {
    const from = source(frame);
    const copy = newBuffer(operation, context, type, from.sizes);
    copyBuffer(operation, context, from, copy);
    frame.objects[slot] = copy;
  };
};

/** The operations of `bufferization`. */
export const bufferizationHandlers: Handlers = {
  'bufferization.alloc_tensor': allocTensor,
  'bufferization.clone': clone,
  'bufferization.dealloc_tensor': () => undefined,
  'bufferization.materialize_in_destination': materializeInDestination,
  'bufferization.to_memref': toMemref,
  'bufferization.to_tensor': toTensor,
};
