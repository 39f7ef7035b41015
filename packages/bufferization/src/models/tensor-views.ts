/** Slices and reshapes of tensors: views of the same memory. */
import {
  createDim,
  createIndex,
  createSubview,
  indexValue,
  mixedIndices,
  mixedSlice,
  reducedSubviewType,
} from '@sconv/dialects';
import { divui } from '@sconv/dialects/arith';
import {
  collapseShape,
  expandShape,
  inferCollapsedType,
  inferExpandedType,
  isGuaranteedCollapsible,
  reshape,
  stridedLayoutOf,
} from '@sconv/dialects/memref';
import * as tensor from '@sconv/dialects/tensor';
import type { DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, memrefType, stridedLayoutAttribute } from '@sconv/ir';
import type { OpModel } from '../op-model.ts';
import { viewOf } from '../op-model.ts';
import { dynamicLayout, identityLayout } from '../options.ts';
import { rankedTypeOf, tensorTypeOf } from '../rewriting/buffer-types.ts';
import type { Bufferizer } from '../rewriting/bufferizer.ts';
import { destinationStyle } from './destination-style.ts';
import { insertionReads, insertionReadsUpstream, putInto, rankedTensor } from './tensor-parts.ts';

/** A row-major copy of the buffer of the first operand. */
const contiguousCopy = (operation: DraftOperation, b: Bufferizer): Value =>
  b.buffer(b.allocate(operation.operands[0]!, true, operation));

/** The source of the inverse reshape, if `buffer` was reshaped with these groups from this shape. */
const unreshaped = (
  { rewriter }: Bufferizer,
  buffer: Value,
  by: typeof collapseShape | typeof expandShape,
  reassociation: readonly (readonly number[])[],
  shape: readonly number[],
): Value | undefined => {
  const definition = rewriter.definingOperation(buffer);
  if (definition === undefined || !by.is(definition)) return undefined;
  const source = definition.operands[0]!;
  const sameGroups =
    JSON.stringify(by.attributes(definition).reassociation) === JSON.stringify(reassociation);
  const sameShape = JSON.stringify(rankedTypeOf(source).shape) === JSON.stringify(shape);
  return sameGroups && sameShape ? source : undefined;
};

const collapse = (operation: DraftOperation, b: Bufferizer): void => {
  const { reassociation } = tensor.collapseShape.attributes(operation);
  const { shape, elementType } = rankedTensor(operation.results[0]!);
  const own = b.buffer(operation.operands[0]!);
  const from = rankedTypeOf(own);
  const before = b.isBridging ? undefined : unreshaped(b, own, expandShape, reassociation, shape);
  if (before !== undefined) {
    b.replace(operation, [before]);
    return;
  }
  const replace = (src: Value, type: MemRefType): void => {
    const created = b.rewriter.create(
      collapseShape.state({ operands: { src }, attributes: { reassociation }, resultTypes: [type] }),
    );
    b.replace(operation, created.results, [created]);
  };
  if (shape.length === 0) {
    const layout = stridedLayoutOf(from);
    const isPlain = from.layout === undefined || layout === undefined;
    replace(
      own,
      memrefType(
        [],
        elementType,
        isPlain ? undefined : stridedLayoutAttribute(layout.offset, []),
        from.memorySpace,
      ),
    );
    return;
  }
  // The elements of a slice with gaps must be brought together.
  const source = isGuaranteedCollapsible(from, reassociation) ? own : contiguousCopy(operation, b);
  replace(source, inferCollapsedType(rankedTypeOf(source), reassociation)!);
};

/**
 * The dynamic sizes of an expanded buffer: the size of a group divided by its static sizes, and given ones where it
 * has several.
 */
const expandedSizes = (operation: DraftOperation, source: Value, rewriter: Rewriter): readonly Value[] => {
  const { reassociation } = tensor.expandShape.attributes(operation);
  const { shape } = rankedTensor(operation.results[0]!);
  const given = mixedIndices(tensor.expandShape.operands(operation).outputShape, shape);
  const { shape: from } = rankedTypeOf(source);
  const dims = from.map((size, i) => (size === DYNAMIC ? createDim(rewriter, source, i) : undefined));
  return reassociation.flatMap((group, i) => {
    const sizes = group.map((position) => shape[position]!);
    const whole = dims[i];
    const unknown = group.filter((position) => shape[position] === DYNAMIC);
    if (unknown.length > 1) return unknown.map((position) => indexValue(rewriter, given[position]!));
    if (unknown.length === 0 || whole === undefined) return [];
    const product = sizes.filter((size) => size !== DYNAMIC).reduce((a, size) => a * size, 1);
    const divisor = createIndex(rewriter, product);
    return [
      product === 1 ? whole : rewriter.createValue(divui.state({ operands: { lhs: whole, rhs: divisor } })),
    ];
  });
};

const expand = (operation: DraftOperation, b: Bufferizer): void => {
  const { reassociation } = tensor.expandShape.attributes(operation);
  const { shape } = rankedTensor(operation.results[0]!);
  const src = b.buffer(operation.operands[0]!);
  const before = b.isBridging ? undefined : unreshaped(b, src, collapseShape, reassociation, shape);
  if (before !== undefined) {
    b.replace(operation, [before]);
    return;
  }
  const type = inferExpandedType(rankedTypeOf(src), shape, reassociation)!;
  // Upstream computes the sizes anew.
  const outputShape = b.isBridging
    ? expandedSizes(operation, src, b.rewriter)
    : tensor.expandShape.operands(operation).outputShape;
  const created = b.rewriter.create(
    expandShape.state({
      operands: { src, outputShape },
      attributes: { reassociation, staticOutputShape: shape },
      resultTypes: [type],
    }),
  );
  b.replace(operation, created.results, [created]);
};

export const tensorViewModels: Readonly<Record<string, OpModel>> = {
  'tensor.cast': {
    ...viewOf('same'),
    bufferType: (value, operation, types) => {
      const source = operation.operands[0]!;
      const from = types.ofBuffer(source);
      const type = tensorTypeOf(value);
      if (type.kind === 'unranked-tensor' || from.kind === 'unranked-memref')
        return dynamicLayout(type, from.memorySpace);
      return memrefType(type.shape, type.elementType, from.layout, from.memorySpace);
    },
    bufferize: (operation, b) => {
      const source = b.buffer(operation.operands[0]!);
      b.replace(operation, [b.createCast(source, b.types.of(operation.results[0]!))]);
    },
  },

  'tensor.collapse_shape': {
    ...viewOf('same'),
    // May have to make the elements contiguous.
    upstream: { reads: () => true },
    bufferType: (value, operation, types) => {
      const from = types.ofBuffer(operation.operands[0]!);
      if (from.kind !== 'memref') return identityLayout(tensorTypeOf(value), from.memorySpace);
      const { reassociation } = tensor.collapseShape.attributes(operation);
      return isGuaranteedCollapsible(from, reassociation)
        ? inferCollapsedType(from, reassociation)!
        : identityLayout(tensorTypeOf(value), from.memorySpace);
    },
    bufferize: collapse,
  },

  'tensor.expand_shape': {
    ...viewOf('same'),
    bufferType: (value, operation, types) => {
      const { reassociation } = tensor.expandShape.attributes(operation);
      const from = rankedTypeOf({ type: types.ofBuffer(operation.operands[0]!) });
      return inferExpandedType(from, rankedTensor(value).shape, reassociation)!;
    },
    bufferize: expand,
  },

  'tensor.extract_slice': {
    ...viewOf('overlaps'),
    bufferType: (value, operation, types) => {
      const from = rankedTypeOf({ type: types.ofBuffer(operation.operands[0]!) });
      return reducedSubviewType(from, mixedSlice(operation), rankedTensor(value).shape);
    },
    bufferize: (operation, b) => {
      const source = b.buffer(operation.operands[0]!);
      const { shape } = rankedTensor(operation.results[0]!);
      b.replace(operation, [createSubview(b.rewriter, source, mixedSlice(operation), shape)]);
    },
  },

  'tensor.insert_slice': {
    ...destinationStyle,
    reads: insertionReads,
    upstream: { reads: insertionReadsUpstream },
    bufferize: (operation, b) => {
      const destination = b.buffer(operation.operands[1]!);
      putInto(operation, destination, b);
      b.replace(operation, [destination]);
    },
  },

  // Each iteration writes its slice into the shared buffer, at its end.
  'tensor.parallel_insert_slice': {
    reads: ({ index }) => index === 0,
    writes: ({ index }) => index === 1,
    isAlwaysInPlace: true,
    upstream: {
      reads: insertionReadsUpstream,
      isAlwaysInPlace: false,
      resolveConflicts: () => undefined,
    },
    bufferize: (operation, b) => {
      b.rewriter.setInsertionPointBefore(operation.parent!);
      putInto(operation, b.buffer(operation.operands[1]!), b);
      b.rewriter.eraseOperation(operation);
    },
  },

  'tensor.reshape': {
    // The shape is read; the elements stay in place.
    reads: ({ index }) => index === 1,
    ...viewOf('same'),
    upstream: { aliases: ({ operation }) => [{ value: operation.results[0]!, relation: 'same' }] },
    bufferType: (value, operation, types) =>
      identityLayout(tensorTypeOf(value), types.ofBuffer(operation.operands[0]!).memorySpace),
    bufferize: (operation, b) => {
      const own = b.buffer(operation.operands[0]!);
      const shape = b.buffer(operation.operands[1]!);
      const type = b.types.of(operation.results[0]!);
      const isPlain = own.type.kind !== 'memref' || own.type.layout === undefined;
      const source = isPlain ? own : contiguousCopy(operation, b);
      const created = b.rewriter.create(reshape.state({ operands: { source, shape }, resultTypes: [type] }));
      b.replace(operation, created.results, [created]);
    },
  },
};
