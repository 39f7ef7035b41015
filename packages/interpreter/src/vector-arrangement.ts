/** Vector operations that only rearrange elements: the source of each result element is known statically. */
import type { ElementPosition } from '@sconv/dialects/vector';
import {
  elementSources,
  rearrangingOps,
  scalableExtract,
  scalableInsert,
  vectorShape,
} from '@sconv/dialects/vector';
import type { Operation, Type } from '@sconv/ir';
import { outOfBounds } from './access.ts';
import type { Context, Handler, Handlers } from './context.ts';
import { load } from './context.ts';
import type { ElementArray, Scalar } from './element.ts';
import { setElement } from './element.ts';
import type { TensorValue } from './value.ts';
import { currentElements, versioned } from './versioned-elements.ts';

/** A vector that owns `data`. */
export const newVector = (type: Type, data: ElementArray): TensorValue => ({
  kind: 'tensor',
  shape: vectorShape(type),
  elementType: type.kind === 'vector' ? type.elementType : type,
  elements: versioned(data),
});

/** A reader of operand `i`: the elements of a vector, or a scalar as the only element. */
export const elementReader = (
  operation: Operation,
  context: Context,
  i: number,
): ((frame: Parameters<ReturnType<Context['tensor']>>[0]) => ElementArray | readonly Scalar[]) => {
  const value = context.operand(operation, i);
  if (value.type.kind === 'vector') {
    const read = context.tensor(operation, value);
    return (frame) => currentElements(read(frame).elements);
  }
  const slot = context.slot(value);
  return (frame) => [load(frame, slot, value.type) as Scalar];
};

/** Sets result `r` to the elements named by `sources`. */
const arranged =
  (sourcesOf: (operation: Operation) => readonly (readonly ElementPosition[])[]): Handler =>
  (operation, context) => {
    const read = operation.operands.map((_, i) => elementReader(operation, context, i));
    const sources = sourcesOf(operation);
    const results = operation.results.map((result, r) => ({
      slot: context.slot(result),
      type: result.type,
      elements: sources[r]!,
    }));
    return (frame) => {
      const operands = read.map((each) => each(frame));
      for (const { slot, type, elements } of results) {
        const elementType = type.kind === 'vector' ? type.elementType : type;
        const data = context.machine.allocate(operation, vectorShape(type), elementType);
        context.machine.tick(data.length, operation);
        elements.forEach(([operand, position], i) => setElement(data, i, operands[operand]![position]!));
        frame.objects[slot] = newVector(type, data);
      }
    };
  };

/** `run` if a part of a scalable vector, from `first` on, is in the whole one, which only the run shows. */
const withinWhole =
  (run: Handler, partOf: (operation: Operation) => { first: number; part: Type; whole: Type }): Handler =>
  (operation, context) => {
    const { first, part, whole } = partOf(operation);
    const last = first + vectorShape(part)[0]! - 1;
    const [size] = vectorShape(whole) as [number];
    return first >= 0 && last < size
      ? run(operation, context)
      : () => outOfBounds(operation, 'accesses', [first < 0 ? first : last], [size]);
  };

const scalableInsertSources = (operation: Operation): readonly (readonly ElementPosition[])[] => {
  const [[size = 0] = [], [whole = 0] = []] = operation.operands.map(({ type }) => vectorShape(type));
  const { pos } = scalableInsert.attributes(operation);
  return [Array.from({ length: whole }, (_, i) => (i >= pos && i < pos + size ? [0, i - pos] : [1, i]))];
};

const scalableExtractSources = (operation: Operation): readonly (readonly ElementPosition[])[] => {
  const { pos } = scalableExtract.attributes(operation);
  const [length = 0] = vectorShape(operation.results[0]!.type);
  return [Array.from({ length }, (_, i) => [0, pos + i])];
};

/** The operations that only rearrange elements. */
export const vectorArrangements: Handlers = {
  ...Object.fromEntries(rearrangingOps.map((name) => [name, arranged(elementSources)])),
  'vector.scalable.insert': withinWhole(arranged(scalableInsertSources), (operation) => ({
    first: scalableInsert.attributes(operation).pos,
    part: operation.operands[0]!.type,
    whole: operation.operands[1]!.type,
  })),
  'vector.scalable.extract': withinWhole(arranged(scalableExtractSources), (operation) => ({
    first: scalableExtract.attributes(operation).pos,
    part: operation.results[0]!.type,
    whole: operation.operands[0]!.type,
  })),
};
