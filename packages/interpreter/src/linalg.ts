/** The `linalg` dialect: executes any structured operation, named or generic, by its maps and body. */
import type { AffineMap } from '@sconv/affine';
import type { StructuredView } from '@sconv/dialects/linalg';
import { structuredViews } from '@sconv/dialects/linalg';
import type { Operation, Value } from '@sconv/ir';
import { accessFunctions, positionFunction } from './access-function.ts';
import type { Context, Frame, Handler, Handlers } from './context.ts';
import { load } from './context.ts';
import type { BigArray, ElementArray, NumberArray, Scalar } from './element.ts';
import { isBigArray, setElement } from './element.ts';
import { checkAccesses, loopCounts } from './iteration-space.ts';
import { compileLinalgBody, usedArguments } from './linalg-body.ts';
import type { ElementMove } from './loop-nest.ts';
import { runLoopNest } from './loop-nest.ts';
import type { MultiplyAddData } from './multiply-add.ts';
import { isF32MultiplyAdd } from './multiply-add.ts';
import { rowMajorStrides } from './strided.ts';
import { currentElements, versioned } from './versioned-elements.ts';

/** The handler of structured operations with this view, for `handlers` of an interpreter. */
export const structuredHandler =
  (view: StructuredView): Handler =>
  (operation, context) => {
    const { inputs, outputs, indexingMaps, iteratorTypes, body: block } = view(operation);
    if (block === undefined) return context.invalid(operation, 'has no body');
    const loops = iteratorTypes.length;
    const variables = Array.from({ length: loops }, () => context.scratch());
    const operands = [
      ...inputs.map((value) => inputResolver(operation, context, value)),
      ...outputs.map((value) => outputResolver(operation, context, value)),
    ];
    const functions = indexingMaps.map((map) => accessFunctions(operation, map, variables));
    const body = compileLinalgBody(operation, context, block, variables);
    const isShort = isF32MultiplyAdd(block);
    const isRead = usedArguments(block);
    const readSlots = block.arguments.map((argument) => context.slot(argument));
    const writeSlots = body.yielded.map((value) => context.slot(value));
    if (writeSlots.length !== outputs.length)
      context.invalid(operation, 'does not yield one value for each output');
    const countsOf = spaceOf(operation, indexingMaps);
    const finish = resultWriter(context, operation, outputs);
    const steps = block.operations.length;

    return (frame) => {
      const resolved = operands.map((resolve) => resolve(frame));
      const counts = countsOf(resolved.map(({ shape }) => shape));
      if (!counts.includes(0)) {
        for (const exec of body.invariant) exec(frame);
        const reads = resolved.flatMap(({ data }, operand) =>
          isRead[operand] === true ? [{ operand, slot: readSlots[operand]!, data }] : [],
        );
        const writes = writeSlots.map((slot, i) => {
          const operand = inputs.length + i;
          return { operand, slot, data: resolved[operand]!.data };
        });
        const nest = {
          counts,
          variables,
          positions: resolved.map(({ offset, strides }, i) =>
            positionFunction(functions[i]!, loops, offset, strides),
          ),
          loads: reads.filter(movesNumber),
          bigLoads: reads.filter(movesBig),
          stores: writes.filter(movesNumber),
          bigStores: writes.filter(movesBig),
          prologues: body.prologues,
          body: body.innermost,
          shortcut: isShort ? multiplyAddData(resolved) : undefined,
          tick: (points: number) => context.machine.tick(points * steps, operation),
        };
        runLoopNest(nest, frame);
      }
      finish(frame, resolved.slice(inputs.length));
    };
  };

/** The operands of an f32 multiply-add: both inputs and the output. */
const multiplyAddData = ([a, b, out]: readonly ResolvedOperand[]): MultiplyAddData =>
  [a!.data, b!.data, out!.data] as MultiplyAddData;

const movesNumber = (move: ElementMove<ElementArray>): move is ElementMove<NumberArray> =>
  !isBigArray(move.data);
const movesBig = (move: ElementMove<ElementArray>): move is ElementMove<BigArray> => isBigArray(move.data);

/** An operand as the loops see it. */
interface ResolvedOperand {
  readonly data: ElementArray;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

type Resolver = (frame: Frame) => ResolvedOperand;

const contiguous = (data: ElementArray, shape: readonly number[]): ResolvedOperand => ({
  data,
  offset: 0,
  shape,
  strides: rowMajorStrides(shape),
});

/** Reads an input: elements of a tensor or buffer, or one scalar. */
export const inputResolver = (operation: Operation, context: Context, value: Value): Resolver => {
  if (value.type.kind === 'memref') return bufferResolver(operation, context, value);
  if (value.type.kind === 'tensor') {
    const tensor = context.tensor(operation, value);
    return (frame) => {
      const { elements, shape } = tensor(frame);
      return contiguous(currentElements(elements), shape);
    };
  }
  const slot = context.slot(value);
  return (frame) => {
    const data = context.machine.allocate(operation, [], value.type);
    setElement(data, 0, load(frame, slot, value.type) as Scalar);
    return contiguous(data, []);
  };
};

/** Tensor outputs are written in a copy, which becomes the result. */
export const outputResolver = (operation: Operation, context: Context, value: Value): Resolver => {
  if (value.type.kind === 'memref') return bufferResolver(operation, context, value);
  const tensor = context.tensor(operation, value);
  return (frame) => {
    const { elements, shape } = tensor(frame);
    return contiguous(currentElements(elements).slice(), shape);
  };
};

const bufferResolver = (operation: Operation, context: Context, value: Value): Resolver => {
  const buffer = context.memref(operation, value);
  return (frame) => {
    const { allocation, offset, sizes, strides } = buffer(frame);
    return { data: allocation.data, offset, shape: sizes, strides };
  };
};

/** The checked trip counts for operands of these shapes; the last answer is cached. */
const spaceOf = (
  operation: Operation,
  maps: readonly AffineMap[],
): ((shapes: readonly (readonly number[])[]) => readonly number[]) => {
  let last:
    { readonly shapes: readonly (readonly number[])[]; readonly counts: readonly number[] } | undefined;
  return (shapes) => {
    if (last !== undefined && sameShapes(last.shapes, shapes)) return last.counts;
    const counts = loopCounts(operation, maps, shapes);
    if (!counts.includes(0)) checkAccesses(operation, maps, shapes, counts);
    last = { shapes, counts };
    return counts;
  };
};

const sameShapes = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]): boolean =>
  a.every((shape, i) => shape.length === b[i]!.length && shape.every((size, d) => size === b[i]![d]));

/** Stores the written tensors as results; memrefs have none. */
export const resultWriter = (
  context: Context,
  operation: Operation,
  outputs: readonly Value[],
): ((frame: Frame, written: readonly ResolvedOperand[]) => void) => {
  const tensors = outputs.flatMap(({ type }, output) =>
    type.kind === 'tensor' ? [{ output, elementType: type.elementType }] : [],
  );
  if (tensors.length !== operation.results.length) {
    context.invalid(
      operation,
      `has ${operation.results.length} results for ${tensors.length} output tensors`,
    );
  }
  const slots = operation.results.map((result) => context.slot(result));
  return (frame, written) => {
    for (const [i, { output, elementType }] of tensors.entries()) {
      const { data, shape } = written[output]!;
      frame.objects[slots[i]!] = { kind: 'tensor', shape, elementType, elements: versioned(data) };
    }
  };
};

/** The structured operations of `linalg`; `linalg.index` and `linalg.yield` belong to the enclosing one. */
export const linalgHandlers: Handlers = Object.fromEntries(
  [...structuredViews].map(([name, view]) => [name, structuredHandler(view)]),
);
