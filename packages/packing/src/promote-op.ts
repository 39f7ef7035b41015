/** Copies the views that a structured op works on to buffers of their own (upstream's `promoteSubViews`). */
import { isFunctionOfDim, range } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, silenceableError, success } from '@sconv/diagnostics';
import {
  bitsOf,
  constantIndexOf,
  createConstantValue,
  createIndex,
  createSlice,
  indexValue,
  mixedSlice,
  sliceAtOrigin,
  subviewMask,
  valueBound,
  zeroOf,
} from '@sconv/dialects';
import type { MixedIndex } from '@sconv/dialects';
import { muli } from '@sconv/dialects/arith';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { copy, fill, namedOpBody, structured } from '@sconv/dialects/linalg';
import { alloc, alloca, dealloc, subview, view } from '@sconv/dialects/memref';
import type { Attribute, DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, indexType, integerType, isShaped, memrefType } from '@sconv/ir';
import { paddingValues } from './padding-values.ts';

/** Which operands are promoted, and to what buffers. */
export interface PromoteOptions {
  /** All operands that are views, by default. */
  readonly operands?: readonly number[];
  /** By operand: whether the op works on the full buffer even where the view is smaller; the rest is zero-filled. */
  readonly fullTiles?: readonly boolean[];
  readonly fullTilesByDefault?: boolean;
  /** Whether the buffers are stack-allocated, and so never freed. */
  readonly useAlloca?: boolean;
  readonly alignment?: number | undefined;
  readonly memorySpace?: Attribute | undefined;
}

/** A buffer of the view's maximum size, and its part of the view's actual size. */
interface Promoted {
  readonly buffer: Value;
  readonly full: Value;
  readonly partial: Value;
}

/**
 * Copies views to buffers before the op, makes it use them, and copies back what it wrote. Updates the op in place.
 *
 * @deviation A full buffer of one operand is refused where another has fewer elements: upstream's op reads beyond
 * those.
 */
export const promoteOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: PromoteOptions = {},
): Diagnosed<DraftOperation> => {
  const shown = structured(rewriter.registry, operation);
  const views = operation.operands.flatMap((operand, position) => {
    const definition = rewriter.definingOperation(operand);
    const isWanted = options.operands?.includes(position) ?? true;
    return definition !== undefined && subview.is(definition) && isWanted ? [{ position, definition }] : [];
  });
  if (shown === undefined || shown.outputs.some(({ type }) => type.kind !== 'memref') || views.length === 0) {
    const note = { message: 'attempted to apply to this op', location: operation.location };
    return definite(error('promote/no-view', 'failed to apply', operation.location, [note]));
  }
  const isFull = (position: number): boolean =>
    options.fullTiles?.[position] ?? options.fullTilesByDefault ?? false;
  const unfilled = views.find(({ position, definition }) => {
    const { elementType } = definition.results[0]!.type as MemRefType;
    return bitsOf(elementType) === undefined || (isFull(position) && zeroOf(elementType) === undefined);
  });
  if (unfilled !== undefined)
    return silenceableError('promote/element', 'elements that are not numbers cannot be promoted', operation);
  const loops = views.flatMap(({ position, definition }) =>
    isFull(position)
      ? keptSizes(definition).flatMap((size, i) => {
          const result = shown.indexingMaps[position]?.results[i];
          const isLarger =
            typeof size !== 'number' &&
            constantIndexOf(rewriter, size) === undefined &&
            Number.isFinite(valueBound(rewriter, size));
          return isLarger && result?.kind === 'dim' ? [result.position] : [];
        })
      : [],
  );
  const isFullView = (position: number): boolean =>
    isFull(position) && views.some((each) => each.position === position);
  if (!hasAllThatIsRead(rewriter, operation, shown, loops, isFullView))
    return silenceableError('promote/partial', 'the op would read beyond the part that a view is', operation);
  const zeros = shown.inputs.map(({ type }) => zeroOf('elementType' in type ? type.elementType : type));
  if (paddingValues(rewriter, operation, loops, zeros) === undefined)
    return silenceableError('promote/value', 'on zeros the body does not keep its outputs', operation);
  rewriter.setInsertionPointBefore(operation);
  // 1. The buffers, zero-filled where the op uses all of them.
  const promoted = views.map(({ position, definition }) => {
    const made = createBuffer(rewriter, definition, options);
    if (isFull(position)) {
      const { elementType } = definition.results[0]!.type as MemRefType;
      createNamedOn(
        rewriter,
        fill,
        createConstantValue(rewriter, zeroOf(elementType)!, elementType),
        made.full,
      );
    }
    return { ...made, position, original: definition.results[0]! };
  });
  // 2. The copies in, and the op on them.
  for (const { original, partial } of promoted) createNamedOn(rewriter, copy, original, partial);
  const operands = operation.operands.map((operand, position) => {
    const found = promoted.find((each) => each.position === position);
    return found === undefined ? operand : isFull(position) ? found.full : found.partial;
  });
  rewriter.setOperands(operation, operands);
  // 3. Written buffers are copied back.
  rewriter.setInsertionPointAfter(operation);
  for (const { position, original, partial } of promoted)
    if (position >= shown.inputs.length) createNamedOn(rewriter, copy, partial, original);
  if (options.useAlloca !== true)
    for (const { buffer } of promoted) rewriter.create(dealloc.state({ operands: { memref: buffer } }));
  return success(operation);
};

/**
 * Whether each operand is known to have the elements that the op reads of it, where the dimensions `grown` are as
 * large as the buffers of the operands at which `isFullView` holds.
 */
const hasAllThatIsRead = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { indexingMaps }: StructuredOp,
  grown: readonly number[],
  isFullView: (position: number) => boolean,
): boolean => {
  // 1. The sizes that the operands will have, where known.
  const sizes = operation.operands.map((operand, position): readonly (number | undefined)[] => {
    const shape = isShaped(operand.type) ? operand.type.shape : [];
    if (!isFullView(position)) return shape.map((size) => (size === DYNAMIC ? undefined : size));
    return keptSizes(rewriter.definingOperation(operand)!).map((size) => {
      const bound = valueBound(rewriter, size);
      return Number.isFinite(bound) ? bound : undefined;
    });
  });
  // 2. Those of the dimensions.
  const ranges = new Map<number, number>();
  const each = indexingMaps.flatMap(({ results }, position) =>
    results.map((expr, i) => ({ expr, size: sizes[position]?.[i] })),
  );
  for (const { expr, size } of each)
    if (expr.kind === 'dim' && size !== undefined) ranges.set(expr.position, size);
  // 3. What is read along grown dimensions.
  return each.every(({ expr, size }) => {
    if (!grown.some((dimension) => isFunctionOfDim(expr, dimension))) return true;
    if (size === undefined) return false;
    if (expr.kind === 'dim') return size === ranges.get(expr.position);
    const { hi } = range(expr, ({ position }) => [0, Math.max(1, ranges.get(position) ?? Infinity)]);
    return hi <= size;
  });
};

const createNamedOn = (rewriter: Rewriter, op: typeof fill, input: Value, output: Value): void => {
  rewriter.create(
    op.state<Rewriter>({
      operands: { inputs: [input], outputs: [output] },
      resultTypes: [],
      bodies: [namedOpBody(op, [input, output])],
    }),
  );
};

/** The sizes of the dimensions that a view keeps. */
const keptSizes = (definition: DraftOperation): readonly MixedIndex[] => {
  const { source } = subview.operands(definition);
  const slice = mixedSlice(definition);
  const dropped = subviewMask(source.type, slice, definition.results[0]!.type as MemRefType);
  return slice.sizes.filter((_, i) => dropped?.has(i) !== true);
};

/** At the insertion point. As upstream, each static number of the view becomes a constant, used or not. */
const createBuffer = (rewriter: Rewriter, definition: DraftOperation, options: PromoteOptions): Promoted => {
  const { offsets, sizes, strides } = mixedSlice(definition);
  offsets.forEach((_, i) => {
    for (const index of [offsets[i]!, sizes[i]!, strides[i]!])
      if (typeof index === 'number') createIndex(rewriter, index);
  });
  // 1. The maximum sizes where known, and those of the view.
  const type = definition.results[0]!.type as MemRefType;
  const fullSizes: Value[] = [];
  const partialSizes: Value[] = [];
  keptSizes(definition).forEach((size, i) => {
    const bound = typeof size === 'number' ? size : valueBound(rewriter, size);
    fullSizes.push(typeof size === 'number' || Number.isFinite(bound) ? createIndex(rewriter, bound) : size);
    createIndex(rewriter, i);
    partialSizes.push(indexValue(rewriter, size));
  });
  // 2. The byte buffer.
  const { useAlloca = false, alignment, memorySpace } = options;
  const zero = createIndex(rewriter, 0);
  const count = fullSizes.reduce(
    (product, size) => createProduct(rewriter, product, size),
    createIndex(rewriter, 1),
  );
  const width = Math.ceil(bitsOf(type.elementType)! / 8);
  const known = constantIndexOf(rewriter, count);
  const bytes = known === undefined ? [createProduct(rewriter, createIndex(rewriter, width), count)] : [];
  const buffer = rewriter.createValue(
    (useAlloca ? alloca : alloc).state({
      operands: { dynamicSizes: bytes },
      attributes: alignment === undefined ? {} : { alignment },
      resultTypes: [
        memrefType([known === undefined ? DYNAMIC : known * width], integerType(8), undefined, memorySpace),
      ],
    }),
  );
  // 3. Its views.
  const shape = fullSizes.map(() => DYNAMIC);
  const full = rewriter.createValue(
    view.state({
      operands: { source: buffer, byteShift: zero, sizes: fullSizes },
      resultTypes: [memrefType(shape, type.elementType, undefined, memorySpace)],
    }),
  );
  const partial = createSlice(rewriter, full, sliceAtOrigin(partialSizes));
  return { buffer, full, partial };
};

/** A product, folded as upstream folds on creation: constants move to the right, where a neutral one folds away. */
const createProduct = (rewriter: Rewriter, lhs: Value, rhs: Value): Value => {
  const [a, b] = [constantIndexOf(rewriter, lhs), constantIndexOf(rewriter, rhs)];
  if (b === 0) return rhs;
  if (b === 1) return lhs;
  if (a !== undefined && b !== undefined) return createIndex(rewriter, a * b);
  const operands = a === undefined ? { lhs, rhs } : { lhs: rhs, rhs: lhs };
  return rewriter.createValue(muli.state({ operands, resultTypes: [indexType] }));
};
