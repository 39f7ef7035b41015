/** Transfers between vectors and tensors or memrefs. */
import { dim } from '@sconv/affine';
import type { AffineExpr } from '@sconv/affine';
import type { AccessPlaces } from '@sconv/dialects/vector';
import { accessPlaces, vectorShape } from '@sconv/dialects/vector';
import type { Operation, Value } from '@sconv/ir';
import { outOfBounds } from './access.ts';
import type { Context, Exec, Frame, Handler, Handlers } from './context.ts';
import { load } from './context.ts';
import type { ElementArray, Scalar } from './element.ts';
import { setElement } from './element.ts';
import { rowMajorStrides } from './strided.ts';
import type { StridedBox } from './strided.ts';
import type { ShapedValue } from './value.ts';
import { newVector } from './vector-arrangement.ts';
import { currentElements, overwrite } from './versioned-elements.ts';

type Read<T> = (frame: Frame) => T;

const lastDimensions = (rank: number, count: number): readonly AffineExpr[] =>
  Array.from({ length: count }, (_, i) => dim(rank - count + i));

/** A tensor's or memref's elements as a box of an array. */
const boxOf = (value: ShapedValue): StridedBox =>
  value.kind === 'memref' ? value : { offset: 0, sizes: value.shape, strides: rowMajorStrides(value.shape) };

const dataOf = (value: ShapedValue): ElementArray =>
  value.kind === 'memref' ? value.allocation.data : currentElements(value.elements);

/** Calls `visit` for the vector elements enabled by the mask, with position -1 for those out of bounds. */
const visitPlaces = (
  operation: Operation,
  places: AccessPlaces,
  start: readonly number[],
  { offset, sizes, strides }: StridedBox,
  mask: ElementArray | undefined,
  visit: (element: number, position: number) => void,
): void => {
  const { indices, dimensions, strict, masks } = places;
  indices.forEach((index, element) => {
    if (mask !== undefined && Number(mask[masks[element]!]) === 0) return;
    let position = offset;
    for (const [d, size] of sizes.entries()) {
      const i = start[d]! + (dimensions[d]! < 0 ? 0 : index[dimensions[d]!]!);
      if (i < 0 || i >= size) {
        if (strict[d] === true) outOfBounds(operation, 'accesses', start, sizes);
        position = -1;
        break;
      }
      position += i * strides[d]!;
    }
    visit(element, position);
  });
};

/** The parts of an access. */
interface Access {
  readonly base: Value;
  /** The slots of the indices. */
  readonly slots: readonly number[];
  readonly vector: Value;
  readonly mask: Value | undefined;
  readonly map: readonly AffineExpr[];
  readonly inBounds: readonly boolean[];
}

const rankOf = ({ type }: Value): number =>
  type.kind === 'tensor' || type.kind === 'memref' ? type.shape.length : 0;

const segmentsOf = (operation: Operation, context: Context): readonly (readonly Value[])[] => {
  const sizes = context.attribute(operation, 'operandSegmentSizes', 'dense-array').values.map(Number);
  let next = 0;
  return sizes.map((size) => operation.operands.slice(next, (next += size)));
};

const transferAccess = (
  operation: Operation,
  context: Context,
  [base, indices, mask]: readonly (readonly Value[])[],
  vector: Value,
): Access => ({
  base: base![0]!,
  slots: context.numbers(operation, indices!),
  vector,
  mask: mask![0],
  map: context.attribute(operation, 'permutation_map', 'affine-map').map.results,
  inBounds: context
    .attribute(operation, 'in_bounds', 'array')
    .elements.map((flag) => flag.kind === 'integer' && flag.value !== 0n),
});

/** An in-bounds access of the last dimensions. */
const contiguous = (base: Value, slots: readonly number[], vector: Value, mask?: Value): Access => {
  const { length } = vectorShape(vector.type);
  const map = lastDimensions(rankOf(base), length);
  return { base, slots, vector, mask, map, inBounds: map.map(() => true) };
};

const maskReader = (
  operation: Operation,
  context: Context,
  mask: Value | undefined,
): Read<ElementArray | undefined> => {
  if (mask === undefined) return () => undefined;
  const read = context.tensor(operation, mask);
  return (frame) => currentElements(read(frame).elements);
};

/** The conjunction of two masks. */
const both =
  (a: Read<ElementArray | undefined>, b: Read<ElementArray | undefined>): Read<ElementArray | undefined> =>
  (frame) => {
    const [x, y] = [a(frame), b(frame)];
    return x === undefined || y === undefined
      ? (x ?? y)
      : Uint8Array.from(x as Uint8Array, (each, i) => each & Number(y[i]));
  };

const readVector = (
  operation: Operation,
  context: Context,
  access: Access,
  rest?: Read<(element: number) => Scalar>,
  outer?: Value,
): Exec => {
  const { type } = access.vector;
  const places = accessPlaces(vectorShape(type), rankOf(access.base), access.map, access.inBounds);
  const { slots } = access;
  const source = context.shaped(operation, access.base);
  const mask = both(maskReader(operation, context, access.mask), maskReader(operation, context, outer));
  const slot = context.slot(access.vector);
  const elementType = type.kind === 'vector' ? type.elementType : type;
  return (frame) => {
    const from = source(frame);
    const elements = dataOf(from);
    const data = context.machine.allocate(operation, vectorShape(type), elementType);
    context.machine.tick(data.length, operation);
    const other = rest?.(frame);
    if (other !== undefined) for (let i = 0; i < data.length; i++) setElement(data, i, other(i));
    const start = slots.map((index) => frame.numbers[index]!);
    visitPlaces(operation, places, start, boxOf(from), mask(frame), (element, position) => {
      if (position >= 0) setElement(data, element, elements[position]!);
    });
    frame.objects[slot] = newVector(type, data);
  };
};

const writeVector = (operation: Operation, context: Context, access: Access, outer?: Value): Exec => {
  const { type } = access.vector;
  const places = accessPlaces(vectorShape(type), rankOf(access.base), access.map, access.inBounds);
  const target = context.shaped(operation, access.base);
  const { slots } = access;
  const vector = context.tensor(operation, access.vector);
  const mask = both(maskReader(operation, context, access.mask), maskReader(operation, context, outer));
  const [result] = operation.results;
  const slot = result === undefined ? undefined : context.slot(result);
  return (frame) => {
    const to = target(frame);
    const elements = currentElements(vector(frame).elements);
    const start = slots.map((index) => frame.numbers[index]!);
    const box = boxOf(to);
    context.machine.tick(elements.length, operation);
    const write = (data: ElementArray): void => {
      visitPlaces(operation, places, start, box, mask(frame), (element, position) => {
        if (position >= 0) setElement(data, position, elements[element]!);
      });
    };
    if (to.kind === 'memref') write(to.allocation.data);
    else if (slot !== undefined) {
      const touched = writtenBox(places, start, vectorShape(type), box);
      frame.objects[slot] = { ...to, elements: overwrite(to.elements, touched, write) };
    }
  };
};

/** The part of a tensor that a write may change. */
const writtenBox = (
  { dimensions }: AccessPlaces,
  start: readonly number[],
  shape: readonly number[],
  { sizes, strides }: StridedBox,
): StridedBox => {
  const first = start.map((i, d) => Math.min(Math.max(i, 0), sizes[d]!));
  const last = start.map((i, d) =>
    Math.min(i + (dimensions[d]! < 0 ? 1 : shape[dimensions[d]!]!), sizes[d]!),
  );
  return {
    offset: first.reduce((position, i, d) => position + i * strides[d]!, 0),
    sizes: first.map((i, d) => Math.max(0, last[d]! - i)),
    strides,
  };
};

/** The value of elements that are not read: one scalar, or a vector's elements. */
const restOf = (operation: Operation, context: Context, value: Value): Read<(element: number) => Scalar> => {
  if (value.type.kind === 'vector') {
    const read = context.tensor(operation, value);
    return (frame) => {
      const elements = currentElements(read(frame).elements);
      return (element) => elements[element]!;
    };
  }
  const slot = context.slot(value);
  return (frame) => {
    const scalar = load(frame, slot, value.type) as Scalar;
    return () => scalar;
  };
};

/** A handler that may run under a `vector.mask`. */
export type MaskedHandler = (
  operation: Operation,
  context: Context,
  mask?: Value,
  passthru?: Value,
) => Exec | undefined;

export const transferRead: MaskedHandler = (operation, context, mask, passthru) => {
  const [base, indices, padding, inner] = segmentsOf(operation, context);
  const access = transferAccess(operation, context, [base!, indices!, inner!], context.result(operation));
  return readVector(operation, context, access, restOf(operation, context, passthru ?? padding![0]!), mask);
};

export const transferWrite: MaskedHandler = (operation, context, mask) => {
  const [vector, base, indices, inner] = segmentsOf(operation, context);
  const access = transferAccess(operation, context, [base!, indices!, inner!], vector![0]!);
  return writeVector(operation, context, access, mask);
};

/** Reads the operation's result from its buffer, at the indices in these slots. */
export const contiguousLoad = (
  operation: Operation,
  context: Context,
  [base]: readonly Value[],
  slots: readonly number[],
): Exec => readVector(operation, context, contiguous(base!, slots, context.result(operation)));

/** Writes a vector to a buffer, at the indices in these slots. */
export const contiguousStore = (
  operation: Operation,
  context: Context,
  [vector, base]: readonly Value[],
  slots: readonly number[],
): Exec => writeVector(operation, context, contiguous(base!, slots, vector!));

const vectorLoad: Handler = (operation, context) => {
  const [base, ...indices] = operation.operands;
  return contiguousLoad(operation, context, [base!], context.numbers(operation, indices));
};

const vectorStore: Handler = (operation, context) => {
  const [vector, base, ...indices] = operation.operands;
  return contiguousStore(operation, context, [vector!, base!], context.numbers(operation, indices));
};

const maskedLoad: Handler = (operation, context) => {
  const [base, ...others] = operation.operands;
  const [mask, rest] = others.slice(-2);
  const slots = context.numbers(operation, others.slice(0, -2));
  const access = contiguous(base!, slots, context.result(operation), mask);
  return readVector(operation, context, access, restOf(operation, context, rest!));
};

const maskedStore: Handler = (operation, context) => {
  const [base, ...others] = operation.operands;
  const [mask, vector] = others.slice(-2);
  const slots = context.numbers(operation, others.slice(0, -2));
  return writeVector(operation, context, contiguous(base!, slots, vector!, mask));
};

/**
 * Accesses at varying distances along the last dimension: positions from a vector, or a running count of set mask bits,
 * which stays in the row as an access to contiguous elements does.
 */
const scattered =
  (isWrite: boolean, hasPositions: boolean): MaskedHandler =>
  (operation, context, outer, passthru) => {
    const tail = hasPositions ? 3 : 2;
    const [base, ...others] = operation.operands;
    const indices = context.numbers(operation, others.slice(0, -tail));
    const [first, second, third] = others.slice(-tail);
    const [positions, mask, vector] = hasPositions ? [first, second, third] : [undefined, first, second];
    const memory = context.shaped(operation, base!);
    const isSet = both(maskReader(operation, context, mask), maskReader(operation, context, outer));
    const distances = maskReader(operation, context, positions);
    const elements = context.tensor(operation, passthru ?? vector!);
    const slot = isWrite ? undefined : context.slot(context.result(operation));
    return (frame) => {
      const place = memory(frame);
      const { offset, sizes, strides } = boxOf(place);
      const data = dataOf(place);
      const start = indices.map((index) => frame.numbers[index]!);
      const chosen = isSet(frame);
      const steps = distances(frame);
      const values = currentElements(elements(frame).elements);
      const result = values.slice();
      let next = 0;
      for (let i = 0; i < values.length; i++) {
        if (Number(chosen?.[i]) === 0) continue;
        const index =
          steps === undefined
            ? start.map((at, d) => (d === start.length - 1 ? at + next : at))
            : movedBy(start, Number(steps[i]), sizes, strides);
        next += 1;
        if (index.some((at, d) => at < 0 || at >= sizes[d]!))
          outOfBounds(operation, 'accesses', index, sizes);
        const position = index.reduce((sum, at, d) => sum + at * strides[d]!, offset);
        if (isWrite) setElement(data, position, values[i]!);
        else setElement(result, i, data[position]!);
      }
      context.machine.tick(values.length, operation);
      if (slot !== undefined) frame.objects[slot] = newVector(context.result(operation).type, result);
    };
  };

/**
 * An index advanced by some elements. Beyond the end of a row it continues in the next one if rows are contiguous in
 * memory, as upstream's lowering does and its vectorization relies on.
 */
const movedBy = (
  start: readonly number[],
  distance: number,
  sizes: readonly number[],
  strides: readonly number[],
): readonly number[] => {
  const index = [...start];
  const last = index.length - 1;
  if (last < 0) return index;
  index[last]! += distance;
  for (let d = last; d > 0 && (index[d]! < 0 || index[d]! >= sizes[d]!); d--) {
    if (sizes[d] === 0 || strides[d - 1] !== sizes[d]! * strides[d]!) return index;
    const rows = Math.floor(index[d]! / sizes[d]!);
    index[d]! -= rows * sizes[d]!;
    index[d - 1]! += rows;
  }
  return index;
};

export const gather = scattered(false, true);
export const scatter = scattered(true, true);

/** The memory operations; out-of-bounds indices are an error, even if memory continues there. */
export const vectorMemoryHandlers: Handlers = {
  'vector.transfer_read': (operation, context) => transferRead(operation, context),
  'vector.transfer_write': (operation, context) => transferWrite(operation, context),
  'vector.load': vectorLoad,
  'vector.store': vectorStore,
  'vector.maskedload': maskedLoad,
  'vector.maskedstore': maskedStore,
  'vector.gather': (operation, context) => gather(operation, context),
  'vector.scatter': (operation, context) => scatter(operation, context),
  'vector.expandload': (operation, context) => scattered(false, false)(operation, context),
  'vector.compressstore': (operation, context) => scattered(true, false)(operation, context),
};
