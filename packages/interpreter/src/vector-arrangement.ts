/** Vector operations that only rearrange elements: the source of each result element is known statically. */
import {
  extractStridedSlice,
  flatTranspose,
  insertStridedSlice,
  scalableExtract,
  scalableInsert,
  shuffle,
  transpose,
} from '@sconv/dialects/vector';
import type { Operation, Type } from '@sconv/ir';
import { outOfBounds } from './access.ts';
import type { Context, Handler, Handlers } from './context.ts';
import { load } from './context.ts';
import type { ElementArray, Scalar } from './element.ts';
import { setElement } from './element.ts';
import { rowMajorStrides } from './strided.ts';
import type { TensorValue } from './value.ts';
import { currentElements, versioned } from './versioned-elements.ts';

/** The shape of a vector; empty for a scalar. */
export const vectorShape = (type: Type): readonly number[] => (type.kind === 'vector' ? type.shape : []);

/** A vector that owns `data`. */
export const newVector = (type: Type, data: ElementArray): TensorValue => ({
  kind: 'tensor',
  shape: vectorShape(type),
  elementType: type.kind === 'vector' ? type.elementType : type,
  elements: versioned(data),
});

/** The indices of all elements of a shape, in row-major order. */
export const indicesOf = (shape: readonly number[]): readonly (readonly number[])[] =>
  shape.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  );

export const positionOf = (index: readonly number[], shape: readonly number[]): number =>
  index.reduce((position, i, dimension) => position * shape[dimension]! + i, 0);

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

/** An element of an operand. */
type Source = readonly [operand: number, position: number];

/** Sets result `r` to the elements named by `sources`. */
const arranged =
  (...sources: readonly ((operation: Operation) => readonly Source[])[]): Handler =>
  (operation, context) => {
    const read = operation.operands.map((_, i) => elementReader(operation, context, i));
    const results = operation.results.map((result, r) => ({
      slot: context.slot(result),
      type: result.type,
      elements: sources[r]!(operation),
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

const shapes = (operation: Operation): readonly (readonly number[])[] =>
  operation.operands.map(({ type }) => vectorShape(type));
const resultShape = (operation: Operation): readonly number[] => vectorShape(operation.results[0]!.type);
const count = (shape: readonly number[]): number => shape.reduce((all, size) => all * size, 1);

const broadcastSources = (operation: Operation): readonly Source[] => {
  const [source = []] = shapes(operation);
  const result = resultShape(operation);
  const lead = result.length - source.length;
  return indicesOf(result).map((index) => [
    0,
    positionOf(
      source.map((size, i) => (size === 1 ? 0 : index[lead + i]!)),
      source,
    ),
  ]);
};

const shuffleSources = (operation: Operation): readonly Source[] => {
  const [first = []] = shapes(operation);
  const [rows, row] = [first[0] ?? 1, count(first.slice(1))];
  return shuffle
    .attributes(operation)
    .mask.flatMap((from) =>
      Array.from({ length: row }, (_, i): Source =>
        from < rows ? [0, from * row + i] : [1, (from - rows) * row + i],
      ),
    );
};

const transposeSources = (operation: Operation): readonly Source[] => {
  const [source = []] = shapes(operation);
  const { permutation } = transpose.attributes(operation);
  const strides = rowMajorStrides(source);
  return indicesOf(resultShape(operation)).map((index) => [
    0,
    index.reduce((position, i, dimension) => position + i * strides[permutation[dimension]!]!, 0),
  ]);
};

const extractSources = (operation: Operation): readonly Source[] => {
  const [source = []] = shapes(operation);
  const { offsets } = extractStridedSlice.attributes(operation);
  return indicesOf(resultShape(operation)).map((index) => [
    0,
    positionOf(
      index.map((i, dimension) => i + (offsets[dimension] ?? 0)),
      source,
    ),
  ]);
};

const insertSources = (operation: Operation): readonly Source[] => {
  const [source = [], dest = []] = shapes(operation);
  const { offsets } = insertStridedSlice.attributes(operation);
  const lead = dest.length - source.length;
  return indicesOf(dest).map((index, position): Source => {
    const inner = index.map((i, dimension) => i - offsets[dimension]!);
    const isInside = inner.every((i, dimension) =>
      dimension < lead ? i === 0 : i >= 0 && i < source[dimension - lead]!,
    );
    return isInside ? [0, positionOf(inner.slice(lead), source)] : [1, position];
  });
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

const scalableInsertSources = (operation: Operation): readonly Source[] => {
  const [[size = 0] = [], [whole = 0] = []] = shapes(operation);
  const { pos } = scalableInsert.attributes(operation);
  return Array.from({ length: whole }, (_, i) => (i >= pos && i < pos + size ? [0, i - pos] : [1, i]));
};

const scalableExtractSources = (operation: Operation): readonly Source[] => {
  const { pos } = scalableExtract.attributes(operation);
  return Array.from({ length: count(resultShape(operation)) }, (_, i) => [0, pos + i]);
};

/** Matrices are flattened in column-major order. */
const flatTransposeSources = (operation: Operation): readonly Source[] => {
  const { rows, columns } = flatTranspose.attributes(operation);
  return indicesOf([rows, columns]).map(([row, column]) => [0, column! * rows + row!]);
};

/** The operations that only rearrange elements. */
export const vectorArrangements: Handlers = {
  'vector.broadcast': arranged(broadcastSources),
  'vector.splat': arranged((operation) => indicesOf(resultShape(operation)).map(() => [0, 0])),
  'vector.from_elements': arranged((operation) => operation.operands.map((_, i) => [i, 0])),
  'vector.shape_cast': arranged((operation) => indicesOf(resultShape(operation)).map((_, i) => [0, i])),
  'vector.shuffle': arranged(shuffleSources),
  'vector.transpose': arranged(transposeSources),
  'vector.flat_transpose': arranged(flatTransposeSources),
  'vector.extract_strided_slice': arranged(extractSources),
  'vector.insert_strided_slice': arranged(insertSources),
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
  'vector.interleave': arranged((operation) =>
    Array.from({ length: count(resultShape(operation)) }, (_, i) => [i % 2, Math.floor(i / 2)]),
  ),
  'vector.deinterleave': arranged(
    (operation) => Array.from({ length: count(resultShape(operation)) }, (_, i) => [0, 2 * i]),
    (operation) => Array.from({ length: count(resultShape(operation)) }, (_, i) => [0, 2 * i + 1]),
  ),
};
