/** The `kernel` dialect. */
import type { ConversionStep } from '@sconv/dialects/kernel';
import { contractView, microkernelView, packingView } from '@sconv/dialects/kernel';
import type { Operation, Type } from '@sconv/ir';
import { printType } from '@sconv/ir';
import { stridedPosition } from './access.ts';
import { indexFunction } from './affine-closure.ts';
import type { Context, Frame, Handler, Handlers } from './context.ts';
import { load } from './context.ts';
import type { Scalar } from './element.ts';
import { setElement } from './element.ts';
import type { Combine } from './scalar-function.ts';
import { combineBy, scalarFunction } from './scalar-function.ts';
import { trap } from './trap.ts';

/** Calls `visit` at each point of a box, with its indices in these slots, in row-major order. */
const forEachPoint = (
  frame: Frame,
  slots: readonly number[],
  sizes: readonly number[],
  visit: () => void,
): void => {
  const walk = (dimension: number): void => {
    const slot = slots[dimension];
    if (slot === undefined) {
      visit();
      return;
    }
    for (let i = 0; i < sizes[dimension]!; i++) {
      frame.numbers[slot] = i;
      walk(dimension + 1);
    }
  };
  walk(0);
};

const microkernelHandler: Handler = (operation, context) => {
  const kernel = microkernelView(operation);
  const { windowPanel, filterPanel, output, halves, start } = kernel;
  const [windows, filters, sums] = [windowPanel, filterPanel, output].map((value) =>
    context.memref(operation, value),
  ) as [Memory, Memory, Memory];
  const { elementType } = output.type;
  const [times, plus] = multiplyAdd(operation, context, elementType);
  const point = (): number => context.scratch();
  const [image, filter, window, step, half] = [point(), point(), point(), point(), point()];
  const pair = halves === 2 ? [half] : [];
  const [value, condition] = [start?.value, start?.condition].map((each) => each && context.slot(each));
  return (frame) => {
    const [a, b, c] = [windows(frame), filters(frame), sums(frame)];
    const isStarted = value !== undefined && (condition === undefined || frame.numbers[condition] !== 0);
    const steps = a.sizes[1]!;
    context.machine.tick(
      c.sizes.reduce((count, size) => count * size, steps * halves),
      operation,
    );
    forEachPoint(frame, [image, filter, window], c.sizes, () => {
      const at = stridedPosition(operation, frame, [image, filter, window], c);
      let sum = isStarted ? (load(frame, value, elementType) as Scalar) : c.allocation.data[at]!;
      forEachPoint(frame, [step, ...pair], [steps, halves], () => {
        const left = a.allocation.data[stridedPosition(operation, frame, [image, step, window, ...pair], a)]!;
        const right = b.allocation.data[stridedPosition(operation, frame, [step, filter, ...pair], b)]!;
        sum = plus(sum, times(left, right));
      });
      setElement(c.allocation.data, at, sum);
    });
  };
};

const contractHandler: Handler = (operation, context) => {
  const { operands, maps, space, start } = contractView(operation);
  const { elementType } = operands[2].type;
  const memories = operands.map((value) => context.memref(operation, value)) as [Memory, Memory, Memory];
  const [times, plus] = multiplyAdd(operation, context, elementType);
  const variables = space.extents.map(() => context.scratch());
  const places = maps.map(({ results }) => ({
    indices: results.map((expr) => indexFunction(operation, expr, variables)),
    slots: results.map(() => context.scratch()),
  }));
  const of = (dimensions: readonly number[]) => ({
    slots: dimensions.map((each) => variables[each]!),
    sizes: dimensions.map((each) => space.extents[each]!),
  });
  const [kept, summed] = [of([...space.windows, ...space.filters]), of(space.reduced)];
  const [value, condition] = [start?.value, start?.condition].map((each) => each && context.slot(each));
  return (frame) => {
    const [a, b, c] = memories.map((memory) => memory(frame)) as [Buffer, Buffer, Buffer];
    const isStarted = value !== undefined && (condition === undefined || frame.numbers[condition] !== 0);
    const position = (operand: 0 | 1 | 2, buffer: Buffer): number => {
      const { indices, slots } = places[operand]!;
      indices.forEach((indexOf, i) => (frame.numbers[slots[i]!] = indexOf(frame)));
      return stridedPosition(operation, frame, slots, buffer);
    };
    context.machine.tick(
      space.extents.reduce((count, size) => count * size, 1),
      operation,
    );
    forEachPoint(frame, kept.slots, kept.sizes, () => {
      summed.slots.forEach((slot) => (frame.numbers[slot] = 0));
      const at = position(2, c);
      let sum = isStarted ? (load(frame, value, elementType) as Scalar) : c.allocation.data[at]!;
      forEachPoint(frame, summed.slots, summed.sizes, () => {
        const left = a.allocation.data[position(0, a)]!;
        sum = plus(sum, times(left, b.allocation.data[position(1, b)]!));
      });
      setElement(c.allocation.data, at, sum);
    });
  };
};

type Buffer = ReturnType<Memory>;

type Memory = ReturnType<Context['memref']>;

/** Products and sums of a type. */
const multiplyAdd = (
  operation: Operation,
  { registry }: Context,
  type: Type,
): readonly [Combine, Combine] => {
  const names = type.kind === 'float' ? ['arith.mulf', 'arith.addf'] : ['arith.muli', 'arith.addi'];
  return names.map((name) => combineBy(registry, operation, name, type)) as [Combine, Combine];
};

const packHandler: Handler = (operation, context) => {
  const { source, target, indices, outer, conversion, margin } = packingView(operation);
  const [from, into] = [context.memref(operation, source), context.memref(operation, target)];
  const variables = target.type.shape.map(() => context.scratch());
  const read = indices.map(() => context.scratch());
  const known = [...variables, ...context.numbers(operation, outer)];
  const at = indices.map((expr) => indexFunction(operation, expr, known));
  const tests = (margin?.tests ?? []).map(({ index, size }) => {
    const valueOf = indexFunction(operation, index, known);
    return (frame: Frame): boolean => {
      const value = valueOf(frame);
      return value >= 0 && value < size;
    };
  });
  const padding = margin && context.slot(margin.padding);
  const { elementType } = source.type;
  const steps = conversion.map((step, i) =>
    convert(operation, context, step, conversion[i - 1]?.type ?? elementType),
  );
  return (frame) => {
    const [a, b] = [from(frame), into(frame)];
    context.machine.tick(
      b.sizes.reduce((count, size) => count * size, steps.length + 1),
      operation,
    );
    forEachPoint(frame, variables, b.sizes, () => {
      let value: Scalar;
      if (padding === undefined || tests.every((holds) => holds(frame))) {
        at.forEach((valueOf, i) => (frame.numbers[read[i]!] = valueOf(frame)));
        value = a.allocation.data[stridedPosition(operation, frame, read, a)]!;
      } else value = load(frame, padding, elementType) as Scalar;
      for (const step of steps) value = step(frame, value);
      setElement(b.allocation.data, stridedPosition(operation, frame, variables, b), value);
    });
  };
};

/** A step of a conversion, as a function of the element. */
const convert = (
  operation: Operation,
  context: Context,
  { name, type, zeroPoint }: ConversionStep,
  from: Type,
): ((frame: Frame, value: Scalar) => Scalar) => {
  const scalar = scalarFunction(context.registry, { ...operation, name, attributes: {} }, from, type);
  if (scalar === undefined)
    return trap(
      operation,
      'interpreter/unsupported-type',
      `converts ${printType(from)}, which is not supported`,
    );
  const apply = scalar.apply as (a: Scalar, b: Scalar, c: Scalar) => Scalar;
  const slot = zeroPoint && context.slot(zeroPoint);
  return (frame, value) => {
    const other = slot === undefined ? value : (load(frame, slot, type) as Scalar);
    return apply(value, other, other);
  };
};

/** The kernels. */
export const kernelHandlers: Handlers = {
  'kernel.microkernel': microkernelHandler,
  'kernel.contract': contractHandler,
  'kernel.pack': packHandler,
};
