/** The `tensor` dialect. */
import { mixedIndices } from '@sconv/dialects';
import type { Operation, Type, Value } from '@sconv/ir';
import { DYNAMIC, isShaped, printType } from '@sconv/ir';
import { checkRank, outOfBounds, rowMajorPosition } from './access.ts';
import type { Context, Exec, Frame, Handler, Handlers } from './context.ts';
import { load, store } from './context.ts';
import type { ElementArray } from './element.ts';
import { fillElements, isNumberType, setElement } from './element.ts';
import { checkSlice, keptDimensions, mixedValues, reassociationOf, sliceValues } from './slice.ts';
import type { StridedBox } from './strided.ts';
import { gatherBox, rowMajorStrides, scatterBox } from './strided.ts';
import { printShape, trap } from './trap.ts';
import type { TensorValue } from './value.ts';
import { shapeOf } from './value.ts';
import { currentElements, overwrite, versioned } from './versioned-elements.ts';

/** The shape and element type of a tensor result. */
const tensorTypeOf = (
  operation: Operation,
  context: Context,
): { shape: readonly number[]; elementType: Type } => {
  const { type } = context.result(operation);
  return type.kind === 'tensor' ? type : context.invalid(operation, `gives ${printType(type)} for a tensor`);
};

/** A tensor that owns `data`. */
const newTensor = (shape: readonly number[], elementType: Type, data: ElementArray): TensorValue => ({
  kind: 'tensor',
  shape,
  elementType,
  elements: versioned(data),
});

/** The shape of the result type, with `operands` for dynamic sizes. */
const resultShape = (
  operation: Operation,
  context: Context,
  operands: readonly Value[],
): ((frame: Frame) => readonly number[]) =>
  mixedValues(operation, context, mixedIndices(operands, tensorTypeOf(operation, context).shape));

const empty: Handler = (operation, context) => {
  const { elementType } = tensorTypeOf(operation, context);
  const shape = resultShape(operation, context, operation.operands);
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const sizes = shape(frame);
    const data = context.machine.allocatePoison(operation, sizes, elementType);
    frame.objects[slot] = newTensor(sizes, elementType, data);
  };
};

const extract: Handler = (operation, context) => {
  const source = context.operand(operation, 0);
  const indices = operation.operands.slice(1);
  checkRank(operation, context, source, indices.length);
  const tensor = context.tensor(operation, source);
  const slots = context.numbers(operation, indices);
  const result = context.result(operation);
  const slot = context.slot(result);
  if (isNumberType(result.type)) {
    return (frame) => {
      const { elements, shape } = tensor(frame);
      const position = rowMajorPosition(operation, frame, slots, shape);
      frame.numbers[slot] = currentElements(elements)[position] as number;
    };
  }
  return (frame) => {
    const { elements, shape } = tensor(frame);
    store(frame, slot, currentElements(elements)[rowMajorPosition(operation, frame, slots, shape)]!);
  };
};

const insert: Handler = (operation, context) => {
  const [value, target] = [context.operand(operation, 0), context.operand(operation, 1)];
  const indices = operation.operands.slice(2);
  checkRank(operation, context, target, indices.length);
  const tensor = context.tensor(operation, target);
  const slots = context.numbers(operation, indices);
  const [source, result] = [context.slot(value), context.slot(context.result(operation))];
  return (frame) => {
    const { elements, shape, elementType } = tensor(frame);
    const offset = rowMajorPosition(operation, frame, slots, shape);
    const element = load(frame, source, value.type) as number | bigint;
    frame.objects[result] = {
      kind: 'tensor',
      shape,
      elementType,
      elements: overwrite(elements, { offset, sizes: [], strides: [] }, (data) =>
        setElement(data, offset, element),
      ),
    };
  };
};

/** The box of a checked slice in row-major elements of `shape`. */
const boxOf = (
  { offsets, sizes, strides }: ReturnType<ReturnType<typeof sliceValues>>,
  shape: readonly number[],
): StridedBox => {
  const rowMajor = rowMajorStrides(shape);
  return {
    offset: offsets.reduce((sum, offset, i) => sum + offset * rowMajor[i]!, 0),
    sizes,
    strides: strides.map((stride, i) => stride * rowMajor[i]!),
  };
};

const extractSlice: Handler = (operation, context) => {
  const source = context.tensor(operation, context.operand(operation, 0));
  const slice = sliceValues(operation, context);
  const result = context.result(operation);
  const kept = keptDimensions(operation, result.type);
  const slot = context.slot(result);
  return (frame) => {
    const { elements, shape, elementType } = source(frame);
    const values = slice(frame);
    checkSlice(operation, values, shape);
    const data = context.machine.allocate(operation, values.sizes, elementType);
    gatherBox(currentElements(elements), boxOf(values, shape), data);
    const sizes = values.sizes.filter((_, i) => kept[i]);
    frame.objects[slot] = newTensor(sizes, elementType, data);
  };
};

/** `tensor.insert_slice`; for `tensor.parallel_insert_slice`, which has no result, `target` receives it. */
const insertSliceInto = (operation: Operation, context: Context, target: Value): Exec => {
  const source = context.tensor(operation, context.operand(operation, 0));
  const destination = context.tensor(operation, context.operand(operation, 1));
  const slice = sliceValues(operation, context);
  const slot = context.slot(target);
  return (frame) => {
    const { elements, shape, elementType } = destination(frame);
    const inserted = source(frame);
    const values = slice(frame);
    checkSlice(operation, values, shape);
    checkSameCount(operation, inserted.shape, values.sizes);
    const box = boxOf(values, shape);
    const data = currentElements(inserted.elements);
    frame.objects[slot] = {
      kind: 'tensor',
      shape,
      elementType,
      elements: overwrite(elements, box, (newest) => scatterBox(data, newest, box)),
    };
  };
};

const insertSlice: Handler = (operation, context) =>
  insertSliceInto(operation, context, context.result(operation));

const parallelInsertSlice: Handler = (operation, context) =>
  insertSliceInto(operation, context, context.operand(operation, 1));

const count = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

export const checkSameCount = (
  operation: Operation,
  from: readonly number[],
  to: readonly number[],
): void => {
  if (count(from) !== count(to)) {
    trap(
      operation,
      'interpreter/shape-mismatch',
      `has a source of ${printShape(from)} for ${printShape(to)}`,
    );
  }
};

/** The same elements in another shape; the array is shared. */
const reshape = (
  operation: Operation,
  context: Context,
  shape: (frame: Frame, source: TensorValue) => readonly number[],
): Exec => {
  const source = context.tensor(operation, context.operand(operation, 0));
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const value = source(frame);
    const sizes = shape(frame, value);
    checkSameCount(operation, value.shape, sizes);
    frame.objects[slot] = { ...value, shape: sizes };
  };
};

const collapseShape: Handler = (operation, context) => {
  const groups = reassociationOf(operation, context);
  return reshape(operation, context, (_, { shape }) =>
    groups.map((group) => count(group.map((i) => shape[i]!))),
  );
};

const expandShape: Handler = (operation, context) => {
  const shape = resultShape(operation, context, operation.operands.slice(1));
  return reshape(operation, context, shape);
};

/** `tensor.reshape`: the shape is itself a tensor. */
const reshapeByTensor: Handler = (operation, context) => {
  const shape = context.tensor(operation, context.operand(operation, 1));
  return reshape(operation, context, (frame) => [...currentElements(shape(frame).elements)].map(Number));
};

/** `tensor.dim` and `memref.dim`. */
export const dim: Handler = (operation, context) => {
  const source = context.shaped(operation, context.operand(operation, 0));
  const index = context.number(operation, context.operand(operation, 1));
  const result = context.number(operation, context.result(operation));
  return (frame) => {
    const shape = shapeOf(source(frame));
    const dimension = frame.numbers[index]!;
    frame.numbers[result] =
      shape[dimension] ?? outOfBounds(operation, 'asks for dimension', [dimension], shape);
  };
};

/** `tensor.rank` and `memref.rank`. */
export const rank: Handler = (operation, context) => {
  const source = context.shaped(operation, context.operand(operation, 0));
  const result = context.number(operation, context.result(operation));
  return (frame) => {
    frame.numbers[result] = shapeOf(source(frame)).length;
  };
};

/** Refuses a shape that contradicts a static size of the type. */
export const checkStaticShape = (operation: Operation, shape: readonly number[], type: Type): void => {
  if (!isShaped(type)) return;
  const fits =
    shape.length === type.shape.length &&
    type.shape.every((size, i) => size === DYNAMIC || size === shape[i]);
  if (!fits) {
    trap(
      operation,
      'interpreter/shape-mismatch',
      `has a value of ${printShape(shape)} for ${printType(type)}`,
    );
  }
};

const cast: Handler = (operation, context) => {
  const source = context.tensor(operation, context.operand(operation, 0));
  const result = context.result(operation);
  const slot = context.slot(result);
  return (frame) => {
    const value = source(frame);
    checkStaticShape(operation, value.shape, result.type);
    frame.objects[slot] = value;
  };
};

const fromElements: Handler = (operation, context) => {
  const { shape, elementType } = tensorTypeOf(operation, context);
  const slots = operation.operands.map((operand) => context.slot(operand));
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const data = context.machine.allocate(operation, shape, elementType);
    for (const [i, element] of slots.entries()) {
      setElement(data, i, load(frame, element, elementType) as number | bigint);
    }
    frame.objects[slot] = newTensor(shape, elementType, data);
  };
};

const splat: Handler = (operation, context) => {
  const { elementType } = tensorTypeOf(operation, context);
  const element = context.slot(context.operand(operation, 0));
  const shape = resultShape(operation, context, operation.operands.slice(1));
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const sizes = shape(frame);
    const data = context.machine.allocate(operation, sizes, elementType);
    fillElements(data, load(frame, element, elementType) as number | bigint);
    frame.objects[slot] = newTensor(sizes, elementType, data);
  };
};

/** Fills `data` with what the body of `operation` yields for each element's indices. */
const generateElements = (
  operation: Operation,
  context: Context,
  elementType: Type,
): ((frame: Frame, data: ElementArray, shape: readonly number[]) => void) => {
  const region = context.region(operation, 0);
  const indices = context.numbers(operation, context.parameters(operation, region));
  let yielded = -1;
  const body = context.body(operation, region, (terminator) => {
    yielded = context.slot(context.operand(terminator, 0));
    return () => undefined;
  });
  // A body without operations yields the same value everywhere.
  const isConstant = region.blocks[0]?.operations.length === 1 && !indices.includes(yielded);
  return (frame, data, shape) => {
    if (isConstant) {
      fillElements(data, load(frame, yielded, elementType) as number | bigint);
      return;
    }
    const position = shape.map(() => 0);
    for (let i = 0; i < data.length; i++) {
      for (const [d, index] of indices.entries()) frame.numbers[index] = position[d]!;
      body(frame);
      setElement(data, i, load(frame, yielded, elementType) as number | bigint);
      for (let d = shape.length - 1; d >= 0; d--) {
        const next = position[d]! + 1;
        position[d] = next === shape[d] ? 0 : next;
        if (next !== shape[d]) break;
      }
    }
  };
};

const generate: Handler = (operation, context) => {
  const { elementType } = tensorTypeOf(operation, context);
  const shape = resultShape(operation, context, operation.operands);
  const fill = generateElements(operation, context, elementType);
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const sizes = shape(frame);
    const data = context.machine.allocate(operation, sizes, elementType);
    fill(frame, data, sizes);
    frame.objects[slot] = newTensor(sizes, elementType, data);
  };
};

const pad: Handler = (operation, context) => {
  const source = context.tensor(operation, context.operand(operation, 0));
  const { values } = context.attribute(operation, 'operandSegmentSizes', 'dense-array');
  const lows = 1 + Number(values[1]);
  const paddings = [
    ['static_low', operation.operands.slice(1, lows)],
    ['static_high', operation.operands.slice(lows)],
  ] as const;
  const [low, high] = paddings.map(([name, operands]) => {
    const fixed = context.attribute(operation, name, 'dense-array').values.map(Number);
    return mixedValues(operation, context, mixedIndices(operands, fixed));
  }) as [(frame: Frame) => readonly number[], (frame: Frame) => readonly number[]];
  const fill = generateElements(operation, context, tensorTypeOf(operation, context).elementType);
  const result = context.result(operation);
  const slot = context.slot(result);
  return (frame) => {
    const { shape, elementType, elements } = source(frame);
    const [before, after] = [low(frame), high(frame)];
    if ([...before, ...after].some((padding) => padding < 0)) {
      trap(operation, 'interpreter/shape-mismatch', 'has a negative padding');
    }
    const sizes = shape.map((size, i) => before[i]! + size + after[i]!);
    checkStaticShape(operation, sizes, result.type);
    const data = context.machine.allocate(operation, sizes, elementType);
    fill(frame, data, sizes);
    const box = boxOf({ offsets: before, sizes: shape, strides: shape.map(() => 1) }, sizes);
    scatterBox(currentElements(elements), data, box);
    frame.objects[slot] = newTensor(sizes, elementType, data);
  };
};

const concat: Handler = (operation, context) => {
  const sources = operation.operands.map((operand) => context.tensor(operation, operand));
  const { elementType } = tensorTypeOf(operation, context);
  const dimension = Number(context.attribute(operation, 'dim', 'integer').value);
  const result = context.result(operation);
  const slot = context.slot(result);
  return (frame) => {
    const parts = sources.map((source) => source(frame));
    const sizes = parts[0]!.shape.map((size, i) =>
      i === dimension ? parts.reduce((sum, { shape }) => sum + shape[i]!, 0) : size,
    );
    checkStaticShape(operation, sizes, result.type);
    const data = context.machine.allocate(operation, sizes, elementType);
    let offset = 0;
    for (const { shape, elements } of parts) {
      const slice = {
        offsets: shape.map((_, i) => (i === dimension ? offset : 0)),
        sizes: shape,
        strides: shape.map(() => 1),
      };
      checkSlice(operation, slice, sizes);
      scatterBox(currentElements(elements), data, boxOf(slice, sizes));
      offset += shape[dimension]!;
    }
    frame.objects[slot] = newTensor(sizes, elementType, data);
  };
};

/** The operations of `tensor`. */
export const tensorHandlers: Handlers = {
  'tensor.cast': cast,
  'tensor.collapse_shape': collapseShape,
  'tensor.concat': concat,
  'tensor.dim': dim,
  'tensor.empty': empty,
  'tensor.expand_shape': expandShape,
  'tensor.extract': extract,
  'tensor.extract_slice': extractSlice,
  'tensor.from_elements': fromElements,
  'tensor.generate': generate,
  'tensor.insert': insert,
  'tensor.insert_slice': insertSlice,
  'tensor.pad': pad,
  'tensor.parallel_insert_slice': parallelInsertSlice,
  'tensor.rank': rank,
  'tensor.reshape': reshapeByTensor,
  'tensor.splat': splat,
};
