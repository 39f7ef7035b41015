/** Canonicalization of broadcasts, transposes, casts, extractions and insertions of vectors. */
import { createConstantValue, denseConstant, elementOf, uniformConstant } from '@sconv/dialects';
import {
  broadcast,
  constantMask,
  createMask,
  extract,
  extractelement,
  extractStridedSlice,
  fromElements,
  insert,
  insertStridedSlice,
  interleave,
  shapeCast,
  shuffle,
  splat,
  transpose,
} from '@sconv/dialects/vector';
import type { Attribute, DraftOperation, RewritePattern, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder, denseElementsAttribute, DYNAMIC, elementCount, typeEquals } from '@sconv/ir';
import { constantOf, definedBy, integerConstant, isSame, onOp } from '../match.ts';
import { maskFormat } from './vector-masks.ts';

const shapeOf = (type: Type): readonly number[] => (type.kind === 'vector' ? type.shape : []);
const countOf = (type: Type): number => elementCount(shapeOf(type));
const typeOf = (operation: DraftOperation): VectorType => operation.results[0]!.type as VectorType;
const isScalable = (type: Type): boolean => type.kind === 'vector' && type.scalable.includes(true);

/** Replaces an operation by a broadcast. */
const replaceByBroadcast = (rewriter: Rewriter, operation: DraftOperation, source: Value): void => {
  const vector = builder(rewriter)(broadcast, { source }, { resultTypes: [operation.results[0]!.type] });
  rewriter.replaceOperation(operation, [vector]);
};

const replaceBySplat = (rewriter: Rewriter, operation: DraftOperation, input: Value): void => {
  const vector = builder(rewriter)(splat, { input }, { resultTypes: [operation.results[0]!.type] });
  rewriter.replaceOperation(operation, [vector]);
};

const replaceByConstant = (rewriter: Rewriter, operation: DraftOperation, value: Attribute): void => {
  rewriter.replaceOperation(operation, [createConstantValue(rewriter, value, operation.results[0]!.type)]);
};

/** The scalar of a splat. */
const splatInput = (rewriter: Rewriter, value: Value | undefined): Value | undefined =>
  definedBy(rewriter, value, splat)?.operands[0];

/** The value of a splat constant. */
const uniformOf = (rewriter: Rewriter, value: Value | undefined): number | bigint | undefined => {
  const constant = constantOf(rewriter, value);
  return constant?.kind === 'dense-elements' ? elementOf(constant) : undefined;
};

type Elements = readonly (number | bigint | string)[];

/** All elements of a constant vector, in row-major order. */
const elementsOf = (rewriter: Rewriter, value: Value | undefined): Elements | undefined => {
  const constant = constantOf(rewriter, value);
  if (constant?.kind !== 'dense-elements' || constant.text !== undefined) return undefined;
  // NaNs with payloads are no numbers.
  if (constant.bits !== undefined) return undefined;
  const count = countOf(constant.type);
  return constant.values.length === count
    ? constant.values
    : Array.from({ length: count }, () => constant.values[0]!);
};

const broadcastOfBroadcast = onOp(broadcast, 'broadcast-of-broadcast', (rewriter, operation) => {
  const inner = definedBy(rewriter, operation.operands[0], broadcast);
  if (inner !== undefined) replaceByBroadcast(rewriter, operation, inner.operands[0]!);
});

const elementsAsSplat = onOp(fromElements, 'elements-as-splat', (rewriter, operation) => {
  const [first, ...others] = operation.operands;
  if (first !== undefined && others.every((other) => isSame(first, other)))
    replaceBySplat(rewriter, operation, first);
});

// --- Transposes ---

const transposeOfMask = onOp(transpose, 'transpose-of-mask', (rewriter, operation) => {
  const { permutation } = transpose.attributes(operation);
  const b = builder(rewriter);
  const options = { resultTypes: [typeOf(operation)] };
  const created = definedBy(rewriter, operation.operands[0], createMask);
  const constant = definedBy(rewriter, operation.operands[0], constantMask);
  if (created !== undefined) {
    const bounds = permutation.map((from) => created.operands[from]!);
    rewriter.replaceOperation(operation, [b(createMask, { bounds }, options)]);
  } else if (constant !== undefined) {
    const sizes = constantMask.attributes(constant).maskDimSizes;
    const maskDimSizes = permutation.map((from) => sizes[from]!);
    rewriter.replaceOperation(operation, [b(constantMask, { maskDimSizes }, options)]);
  }
});

const transposeOfBroadcast = onOp(transpose, 'transpose-of-broadcast', (rewriter, operation) => {
  const [source] = definedBy(rewriter, operation.operands[0], broadcast)?.operands ?? [];
  if (source !== undefined && countOf(source.type) === 1 && !isScalable(source.type))
    replaceByBroadcast(rewriter, operation, source);
});

const transposeOfTranspose = onOp(transpose, 'transpose-of-transpose', (rewriter, operation) => {
  const inner = definedBy(rewriter, operation.operands[0], transpose);
  if (inner === undefined) return;
  const before = transpose.attributes(inner).permutation;
  const permutation = transpose.attributes(operation).permutation.map((from) => before[from]!);
  const { vector } = transpose.operands(inner);
  rewriter.replaceOperation(operation, [
    builder(rewriter)(transpose, { vector, permutation }, { resultTypes: [typeOf(operation)] }),
  ]);
});

const transposeOfSplat = onOp(transpose, 'transpose-of-splat', (rewriter, operation) => {
  const input = splatInput(rewriter, operation.operands[0]);
  if (input !== undefined) replaceBySplat(rewriter, operation, input);
});

// --- Casts ---

const castOfConstant = onOp(shapeCast, 'cast-of-constant', (rewriter, operation) => {
  const element = uniformOf(rewriter, operation.operands[0]);
  const value = element === undefined ? undefined : uniformConstant(element, typeOf(operation));
  if (value !== undefined) replaceByConstant(rewriter, operation, value);
});

/** A type without trailing unit dimensions; one stays if there are no others. */
const trimmed = ({ shape, scalable }: VectorType): string => {
  let end = shape.length;
  while (end > 0 && shape[end - 1] === 1 && scalable[end - 1] !== true) end -= 1;
  const kept = (list: readonly unknown[]): readonly unknown[] =>
    end === 0 ? list.slice(-1) : list.slice(0, end);
  return String([kept(shape), kept(scalable)]);
};

const castOfMask = onOp(shapeCast, 'cast-of-mask', (rewriter, operation) => {
  const { source } = shapeCast.operands(operation);
  const type = typeOf(operation);
  const count = type.shape.length;
  if (trimmed(source.type) !== String([type.shape, type.scalable]) || count === source.type.shape.length)
    return;
  const b = builder(rewriter);
  const created = definedBy(rewriter, source, createMask);
  const constant = definedBy(rewriter, source, constantMask);
  if (created !== undefined) {
    if (created.operands.slice(count).some((bound) => integerConstant(rewriter, bound) !== 1)) return;
    const bounds = created.operands.slice(0, count);
    rewriter.replaceOperation(operation, [b(createMask, { bounds }, { resultTypes: [type] })]);
  } else if (constant !== undefined) {
    const sizes = constantMask.attributes(constant).maskDimSizes;
    if (sizes.slice(count).some((size) => size !== 1)) return;
    const maskDimSizes = sizes.slice(0, count);
    rewriter.replaceOperation(operation, [b(constantMask, { maskDimSizes }, { resultTypes: [type] })]);
  }
});

const castOfBroadcast = onOp(shapeCast, 'cast-of-broadcast', (rewriter, operation) => {
  const [source] = definedBy(rewriter, operation.operands[0], broadcast)?.operands ?? [];
  if (source === undefined) return;
  const [from, to] = [shapeOf(source.type), typeOf(operation).shape];
  if (from.length <= to.length && String(from) === String(to.slice(to.length - from.length)))
    replaceByBroadcast(rewriter, operation, source);
  else if (countOf(source.type) === countOf(typeOf(operation)) && source.type.kind === 'vector')
    rewriter.replaceOperation(operation, [
      builder(rewriter)(shapeCast, { source }, { resultTypes: [typeOf(operation)] }),
    ]);
});

// --- Extractions ---

const extractOfUniform = onOp(extract, 'extract-of-uniform-constant', (rewriter, operation) => {
  const element = uniformOf(rewriter, operation.operands[0]);
  const value = element === undefined ? undefined : uniformConstant(element, operation.results[0]!.type);
  if (value !== undefined) replaceByConstant(rewriter, operation, value);
});

/** The linear position of the first element extracted at a position; undefined if unknown. */
const linearPosition = (shape: readonly number[], position: readonly number[]): number | undefined =>
  position.includes(DYNAMIC) ? undefined : shape.reduce((sum, size, i) => sum * size + (position[i] ?? 0), 0);

const extractOfConstant = onOp(extract, 'extract-of-constant', (rewriter, operation) => {
  const { vector } = extract.operands(operation);
  const { type } = operation.results[0]!;
  const start = linearPosition(vector.type.shape, extract.attributes(operation).staticPosition);
  const elements = isScalable(vector.type) ? undefined : elementsOf(rewriter, vector);
  if (start === undefined || elements === undefined) return;
  const taken = elements.slice(start, start + countOf(type));
  const [first] = taken;
  if (type.kind === 'vector') replaceByConstant(rewriter, operation, denseConstant(taken, type));
  else if (first !== undefined && typeof first !== 'string') {
    const value = uniformConstant(first, type);
    if (value !== undefined) replaceByConstant(rewriter, operation, value);
  }
});

const extractOfBroadcast = onOp(extract, 'extract-of-broadcast', (rewriter, operation) => {
  const definition =
    definedBy(rewriter, operation.operands[0], broadcast) ??
    definedBy(rewriter, operation.operands[0], splat);
  const [source] = definition?.operands ?? [];
  const { type } = operation.results[0]!;
  if (source === undefined || typeEquals(source.type, type)) return;
  if (shapeOf(type).length < shapeOf(source.type).length) return;
  if (type.kind === 'vector') replaceByBroadcast(rewriter, operation, source);
  else if (source.type.kind === 'vector')
    rewriter.replaceOperation(operation, [
      builder(rewriter)(extractelement, { vector: source }, { resultTypes: [type] }),
    ]);
});

const extractOfMask = onOp(extract, 'extract-of-mask', (rewriter, operation) => {
  const mask = definedBy(rewriter, operation.operands[0], createMask);
  const { type } = operation.results[0]!;
  if (mask === undefined || type.kind !== 'vector') return;
  const position = extract.attributes(operation).staticPosition;
  const shape = shapeOf(mask.results[0]!.type);
  const bounds = position.map((_, i) => integerConstant(rewriter, mask.operands[i]));
  const isUnset =
    maskFormat(rewriter, mask.results[0]!) === 'none' ||
    position.some((at, i) => at !== DYNAMIC && bounds[i] !== undefined && at >= bounds[i]);
  const isKnown = position.every(
    (at, i) => bounds[i] !== undefined && (at !== DYNAMIC || bounds[i] >= shape[i]!),
  );
  if (isUnset) replaceByConstant(rewriter, operation, denseElementsAttribute([0n], type));
  else if (isKnown)
    rewriter.replaceOperation(operation, [
      builder(rewriter)(
        createMask,
        { bounds: mask.operands.slice(position.length) },
        { resultTypes: [type] },
      ),
    ]);
});

const extractOfCast = onOp(extract, 'extract-of-cast', (rewriter, operation) => {
  const [source] = definedBy(rewriter, operation.operands[0], shapeCast)?.operands ?? [];
  const { type } = operation.results[0]!;
  if (source === undefined || type.kind !== 'vector' || countOf(source.type) !== countOf(type)) return;
  if (isScalable(source.type) !== isScalable(type)) return;
  rewriter.replaceOperation(operation, [builder(rewriter)(shapeCast, { source }, { resultTypes: [type] })]);
});

const extractOfElements = onOp(extract, 'extract-of-elements', (rewriter, operation) => {
  const definition = definedBy(rewriter, operation.operands[0], fromElements);
  const { type } = operation.results[0]!;
  if (definition === undefined || type.kind !== 'vector') return;
  const start = linearPosition(typeOf(definition).shape, extract.attributes(operation).staticPosition);
  if (start === undefined || isScalable(type)) return;
  const elements = definition.operands.slice(start, start + countOf(type));
  rewriter.replaceOperation(operation, [
    builder(rewriter)(fromElements, { elements }, { resultTypes: [type] }),
  ]);
});

// --- Insertions ---

const insertAsBroadcast = onOp(insert, 'insert-as-broadcast', (rewriter, operation) => {
  const { source, dest } = insert.operands(operation);
  if (source.type.kind === 'vector' && countOf(source.type) === countOf(dest.type))
    replaceByBroadcast(rewriter, operation, source);
});

const insertOfSplat = onOp(insert, 'insert-of-splat', (rewriter, operation) => {
  const input = splatInput(rewriter, operation.operands[0]);
  if (input !== undefined && isSame(input, splatInput(rewriter, operation.operands[1])))
    replaceBySplat(rewriter, operation, input);
});

/** Larger constants are only created if their source constant is not kept. */
const largeConstant = 256;

const mayCopyConstant = (rewriter: Rewriter, dest: Value<VectorType>): boolean =>
  !isScalable(dest.type) && (countOf(dest.type) <= largeConstant || rewriter.users(dest).length === 1);

const insertOfConstant = onOp(insert, 'insert-of-constant', (rewriter, operation) => {
  const { source, dest } = insert.operands(operation);
  const elements = mayCopyConstant(rewriter, dest) ? elementsOf(rewriter, dest) : undefined;
  const start = linearPosition(dest.type.shape, insert.attributes(operation).staticPosition);
  const constant = constantOf(rewriter, source);
  const scalar = elementOf(constant);
  const part =
    source.type.kind === 'vector'
      ? elementsOf(rewriter, source)
      : scalar === undefined
        ? undefined
        : [scalar];
  if (elements === undefined || start === undefined || part === undefined) return;
  const values = [...elements.slice(0, start), ...part, ...elements.slice(start + part.length)];
  replaceByConstant(rewriter, operation, denseConstant(values, dest.type));
});

const insertBoxOfSplat = onOp(insertStridedSlice, 'insert-box-of-splat', (rewriter, operation) => {
  const { source, dest } = insertStridedSlice.operands(operation);
  const input = splatInput(rewriter, source);
  if (input !== undefined && isSame(input, splatInput(rewriter, dest)))
    rewriter.replaceOperation(operation, [dest]);
});

const insertBoxOfItself = onOp(insertStridedSlice, 'insert-box-of-itself', (rewriter, operation) => {
  const { source, dest } = insertStridedSlice.operands(operation);
  const slice = definedBy(rewriter, source, extractStridedSlice);
  if (slice === undefined || !isSame(slice.operands[0], dest)) return;
  const [own, other] = [insertStridedSlice.attributes(operation), extractStridedSlice.attributes(slice)];
  if (String([own.offsets, own.strides]) === String([other.offsets, other.strides]))
    rewriter.replaceOperation(operation, [dest]);
});

/** The linear positions of a box at `offsets`, of the rank of the last dimensions of `shape`, in row-major order. */
const boxPositions = (
  shape: readonly number[],
  offsets: readonly number[],
  sizes: readonly number[],
): readonly number[] =>
  shape.reduce<readonly number[]>(
    (starts, size, i) =>
      starts.flatMap((start) =>
        Array.from({ length: sizes[i]! }, (_, at) => start * size + offsets[i]! + at),
      ),
    [0],
  );

const insertBoxOfConstant = onOp(insertStridedSlice, 'insert-box-of-constant', (rewriter, operation) => {
  const { source, dest } = insertStridedSlice.operands(operation);
  const { offsets, strides } = insertStridedSlice.attributes(operation);
  const elements = mayCopyConstant(rewriter, dest) ? elementsOf(rewriter, dest) : undefined;
  const part = elementsOf(rewriter, source);
  if (elements === undefined || part === undefined || strides.some((stride) => stride !== 1)) return;
  const { shape } = dest.type;
  const lead = shape.length - source.type.shape.length;
  const sizes = shape.map((_, i) => (i < lead ? 1 : source.type.shape[i - lead]!));
  const values = [...elements];
  for (const [i, position] of boxPositions(shape, offsets, sizes).entries()) values[position] = part[i]!;
  replaceByConstant(rewriter, operation, denseConstant(values, dest.type));
});

// --- Strided slices ---

const boxOfMask = onOp(extractStridedSlice, 'box-of-mask', (rewriter, operation) => {
  const mask = definedBy(rewriter, operation.operands[0], constantMask);
  const { offsets, sizes, strides } = extractStridedSlice.attributes(operation);
  if (mask === undefined || strides.some((stride) => stride !== 1)) return;
  const own = constantMask
    .attributes(mask)
    .maskDimSizes.map((size, i) =>
      offsets[i] === undefined ? size : Math.max(0, Math.min(offsets[i] + sizes[i]!, size) - offsets[i]),
    );
  const maskDimSizes = own.includes(0) ? own.map(() => 0) : own;
  rewriter.replaceOperation(operation, [
    builder(rewriter)(constantMask, { maskDimSizes }, { resultTypes: [typeOf(operation)] }),
  ]);
});

const boxOfConstant = onOp(extractStridedSlice, 'box-of-constant', (rewriter, operation) => {
  const { vector } = extractStridedSlice.operands(operation);
  const { offsets, strides } = extractStridedSlice.attributes(operation);
  const uniform = uniformOf(rewriter, vector);
  const type = typeOf(operation);
  const same = uniform === undefined ? undefined : uniformConstant(uniform, type);
  if (same !== undefined) {
    replaceByConstant(rewriter, operation, same);
    return;
  }
  const elements = elementsOf(rewriter, vector);
  if (elements === undefined || isScalable(vector.type) || strides.some((stride) => stride !== 1)) return;
  const starts = vector.type.shape.map((_, i) => offsets[i] ?? 0);
  const values = boxPositions(vector.type.shape, starts, type.shape).map((position) => elements[position]!);
  replaceByConstant(rewriter, operation, denseConstant(values, type));
});

const boxOfBroadcast = onOp(extractStridedSlice, 'box-of-broadcast', (rewriter, operation) => {
  const [source] = definedBy(rewriter, operation.operands[0], broadcast)?.operands ?? [];
  if (source === undefined) return;
  const { offsets, sizes, strides } = extractStridedSlice.attributes(operation);
  const [from, to] = [shapeOf(source.type), typeOf(operation).shape];
  const lead = to.length - from.length;
  const isWhole = from.every((size, i) => size === to[lead + i]);
  if (isWhole || countOf(source.type) === 1 || source.type.kind !== 'vector') {
    replaceByBroadcast(rewriter, operation, source);
    return;
  }
  // A broadcast unit dimension is extracted at 0.
  const repeats = (i: number): boolean => from[i] === 1;
  const [own, lengths] = [offsets.slice(lead), sizes.slice(lead)];
  const part = builder(rewriter)(
    extractStridedSlice,
    {
      vector: source,
      offsets: own.map((offset, i) => (repeats(i) ? 0 : offset)),
      sizes: lengths.map((size, i) => (repeats(i) ? 1 : size)),
      strides: strides.slice(lead),
    },
    {
      resultTypes: [
        partType(
          source.type,
          lengths.map((size, i) => (repeats(i) ? 1 : size)),
        ),
      ],
    },
  );
  replaceByBroadcast(rewriter, operation, part);
});

const partType = (type: VectorType, sizes: readonly number[]): VectorType => ({
  ...type,
  shape: type.shape.map((size, i) => sizes[i] ?? size),
});

const boxOfSplat = onOp(extractStridedSlice, 'box-of-splat', (rewriter, operation) => {
  const input = splatInput(rewriter, operation.operands[0]);
  if (input !== undefined) replaceBySplat(rewriter, operation, input);
});

// --- Shuffles ---

const shuffleOfSplat = onOp(shuffle, 'shuffle-of-splat', (rewriter, operation) => {
  const input = splatInput(rewriter, operation.operands[0]);
  if (input !== undefined && isSame(input, splatInput(rewriter, operation.operands[1])))
    replaceBySplat(rewriter, operation, input);
});

const shuffleAsInterleave = onOp(shuffle, 'shuffle-as-interleave', (rewriter, operation) => {
  const { v1, v2 } = shuffle.operands(operation);
  const { mask } = shuffle.attributes(operation);
  const half = mask.length / 2;
  if (v1.type.shape.length !== 1 || !typeEquals(v1.type, v2.type) || v1.type.shape[0] !== half) return;
  if (mask.some((row, i) => row !== Math.floor(i / 2) + (i % 2) * half)) return;
  rewriter.replaceOperation(operation, [
    builder(rewriter)(interleave, { lhs: v1, rhs: v2 }, { resultTypes: [typeOf(operation)] }),
  ]);
});

const shuffleOfElement = onOp(shuffle, 'shuffle-of-element', (rewriter, operation) => {
  const { v1, v2 } = shuffle.operands(operation);
  const { mask } = shuffle.attributes(operation);
  if (v1.type.shape.length === 0 && mask.length === 1)
    replaceByBroadcast(rewriter, operation, mask[0] === 0 ? v1 : v2);
});

export const vectorShapePatterns: readonly RewritePattern[] = [
  broadcastOfBroadcast,
  elementsAsSplat,
  transposeOfMask,
  transposeOfBroadcast,
  transposeOfTranspose,
  transposeOfSplat,
  castOfConstant,
  castOfMask,
  castOfBroadcast,
  extractOfUniform,
  extractOfConstant,
  extractOfBroadcast,
  extractOfMask,
  extractOfCast,
  extractOfElements,
  insertAsBroadcast,
  insertOfSplat,
  insertOfConstant,
  insertBoxOfSplat,
  insertBoxOfItself,
  insertBoxOfConstant,
  boxOfMask,
  boxOfConstant,
  boxOfBroadcast,
  boxOfSplat,
  shuffleOfSplat,
  shuffleAsInterleave,
  shuffleOfElement,
];
