/** The tensor dialect. */
import { add, makeMap, symbol } from '@sconv/affine';
import { createIndex, mixedSlice, sliceArguments } from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { divui } from '@sconv/dialects/arith';
import { index as linalgIndex, yieldOp as linalgYield } from '@sconv/dialects/linalg';
import {
  collapseShape,
  dim as bufferDim,
  expandShape,
  inferCollapsedType,
  inferExpandedType,
  inferSubviewType,
  isGuaranteedCollapsible,
  load,
  rank,
  reshape,
  store,
  stridedLayoutOf,
  subview,
} from '@sconv/dialects/memref';
import * as tensor from '@sconv/dialects/tensor';
import type { DraftOperation, MemRefType, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC, indexType, memrefType, stridedLayoutAttribute } from '@sconv/ir';
import { endOf, entryBlock } from '../../draft-blocks.ts';
import { rankReduced } from '../../tensor-view-models.ts';
import { allocateTensor, sizesOf } from '../allocate-tensor.ts';
import { rankedTypeOf, tensorTypeOf } from '../buffer-types.ts';
import type { Bufferizer } from '../bufferizer.ts';
import { fail } from '../failure.ts';
import type { OneShotModel, Operand } from '../model.ts';
import { readsOperands, sameBuffer } from '../model.ts';
import { dynamicLayout, identityLayout } from '../options.ts';
import { destinationStyle } from './destination-style.ts';

const rankedTensor = (value: Value): TensorType => {
  const type = tensorTypeOf(value);
  if (type.kind !== 'tensor') throw new Error('expected a tensor of known rank');
  return type;
};

/** The type of a subview of a buffer with the shape of the slice, possibly rank-reduced. */
const subviewType = (source: MemRefType, operation: DraftOperation, shape: readonly number[]): MemRefType =>
  rankReduced(inferSubviewType(source, mixedSlice(operation)), shape);

const createSubview = (
  rewriter: Rewriter,
  source: Value,
  operation: DraftOperation,
  type: MemRefType,
): Value => {
  const { operands, attributes } = sliceArguments(mixedSlice(operation));
  return rewriter.createValue(
    subview.state({ operands: { source, ...operands }, attributes, resultTypes: [type] }),
  );
};

/** Copies the source of an insertion into its slice of the destination. */
const putInto = (operation: DraftOperation, destination: Value, b: Bufferizer): void => {
  const source = operation.operands[0]!;
  const type = subviewType(rankedTypeOf(destination), operation, rankedTensor(source).shape);
  const view = createSubview(b.rewriter, destination, operation, type);
  b.createCopy(b.buffer(source), view);
};

/** The source is read, as is the destination unless it is fully overwritten. */
const insertionReads = ({ operation, index }: Operand): boolean => {
  if (index === 0) return true;
  const { shape } = rankedTensor(operation.operands[1]!);
  const { offsets, sizes, strides } = mixedSlice(operation);
  return !(
    offsets.every((offset) => offset === 0) &&
    sizes.every((size, i) => size === shape[i] && size !== DYNAMIC) &&
    strides.every((stride) => stride === 1)
  );
};

/** A row-major copy of `own`, the buffer of the first operand. */
const contiguousCopy = (operation: DraftOperation, own: Value, b: Bufferizer): Value => {
  const source = operation.operands[0]!;
  const { shape, elementType } = rankedTensor(source);
  const { memorySpace } = rankedTypeOf(own);
  const copy = allocateTensor(b.types, source, true, operation);
  return b.createToMemref(copy, memrefType(shape, elementType, undefined, memorySpace));
};

const collapse = (operation: DraftOperation, b: Bufferizer): void => {
  const { reassociation } = tensor.collapseShape.attributes(operation);
  const { shape, elementType } = rankedTensor(operation.results[0]!);
  const own = b.buffer(operation.operands[0]!);
  const from = rankedTypeOf(own);
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
  const source = isGuaranteedCollapsible(from, reassociation) ? own : contiguousCopy(operation, own, b);
  replace(source, inferCollapsedType(rankedTypeOf(source), reassociation)!);
};

/** The dynamic sizes of an expanded buffer: the size of each group divided by its static sizes. */
const expandedSizes = (operation: DraftOperation, source: Value, b: Bufferizer): readonly Value[] => {
  const { rewriter } = b;
  const { reassociation } = tensor.expandShape.attributes(operation);
  const { shape } = rankedTensor(operation.results[0]!);
  const { shape: from } = rankedTypeOf(source);
  const dims = from.map((size, i) =>
    size === DYNAMIC
      ? rewriter.createValue(bufferDim.state({ operands: { source, index: createIndex(rewriter, i) } }))
      : undefined,
  );
  return reassociation.flatMap((group, i) => {
    const sizes = group.map((position) => shape[position]!);
    const whole = dims[i];
    if (!sizes.includes(DYNAMIC) || whole === undefined) return [];
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
  const type = inferExpandedType(rankedTypeOf(src), shape, reassociation)!;
  const outputShape = expandedSizes(operation, src, b);
  const created = b.rewriter.create(
    expandShape.state({
      operands: { src, outputShape },
      attributes: { reassociation, staticOutputShape: shape },
      resultTypes: [type],
    }),
  );
  b.replace(operation, created.results, [created]);
};

/** A `linalg.map` that fills a tensor; `build` creates the body from the element's indices. */
const createMap = (
  { rewriter }: Bufferizer,
  init: Value,
  build: (rewriter: Rewriter) => void,
  { location }: DraftOperation,
): DraftOperation =>
  rewriter.create({
    name: 'linalg.map',
    operands: [init],
    resultTypes: [init.type],
    attributes: {},
    bodies: [{ build }],
    successors: [],
    location,
  });

/** Fills a tensor with the body of an operation, which computes an element from its indices. */
const fillByBody = (operation: DraftOperation, init: Value, b: Bufferizer): DraftOperation =>
  createMap(
    b,
    init,
    (rewriter) => {
      const body = entryBlock(operation);
      const indices = rankedTensor(init).shape.map((_, dimension) =>
        rewriter.createValue(linalgIndex.state({ attributes: { dim: dimension } })),
      );
      const end = endOf(body);
      rewriter.inlineBlock(body, indices);
      rewriter.replaceWith(end, linalgYield.state({ operands: { values: end.operands } }));
    },
    operation,
  );

/** These ops cannot specify a memory space. */
const refuseUnknownSpace = (operation: DraftOperation, b: Bufferizer): void => {
  if (b.options.mustInferMemorySpace)
    fail('bufferize/memory-space', 'memory space not implemented yet', operation);
};

/** The sizes of a padded tensor as sums of three. Unused, but upstream creates them too. */
const createPaddedSizes = (operation: DraftOperation, { rewriter }: Bufferizer): void => {
  const { low, high } = tensor.mixedPadding(operation);
  const source = operation.operands[0]!;
  const sum = makeMap(0, 3, [add(add(symbol(0), symbol(1)), symbol(2))]);
  rankedTensor(operation.results[0]!).shape.forEach((size, i) => {
    if (size !== DYNAMIC) return;
    const index = createIndex(rewriter, i);
    const dim = rewriter.createValue(tensor.dim.state({ operands: { source, index } }));
    const margins = [low[i]!, high[i]!].map((margin) =>
      typeof margin === 'number' ? createIndex(rewriter, margin) : margin,
    );
    rewriter.create(
      apply.state({
        operands: { mapOperands: [dim, ...margins] },
        attributes: { map: sum },
        resultTypes: [indexType],
      }),
    );
  });
};

/** All indices of a shape in row-major order. */
const positions = function* (shape: readonly number[]): Generator<readonly number[]> {
  const [size, ...rest] = shape;
  if (size === undefined) {
    yield [];
    return;
  }
  for (let i = 0; i < size; i++) {
    for (const inner of positions(rest)) yield [i, ...inner];
  }
};

export const tensorModels: Readonly<Record<string, OneShotModel>> = {
  'tensor.cast': {
    ...sameBuffer,
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
    ...sameBuffer,
    // May have to make the elements contiguous.
    reads: () => true,
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
    ...sameBuffer,
    bufferType: (value, operation, types) => {
      const { reassociation } = tensor.expandShape.attributes(operation);
      const from = rankedTypeOf({ type: types.ofBuffer(operation.operands[0]!) });
      return inferExpandedType(from, rankedTensor(value).shape, reassociation)!;
    },
    bufferize: expand,
  },

  'tensor.dim': {
    bufferize: (operation, b) => {
      const source = b.buffer(operation.operands[0]!);
      const index = operation.operands[1]!;
      b.rewriter.replaceWith(operation, bufferDim.state({ operands: { source, index } }));
    },
  },

  'tensor.rank': {
    bufferize: (operation, b) => {
      const memref = b.buffer(operation.operands[0]!);
      b.rewriter.replaceWith(operation, rank.state({ operands: { memref } }));
    },
  },

  'tensor.empty': {
    allocates: true,
    definesResult: () => false,
    bufferize: (operation, b) => {
      const [result] = operation.results;
      if (!b.rewriter.hasUses(result!)) b.rewriter.eraseOperation(operation);
      else b.rewriter.replaceOperation(operation, [allocateTensor(b.types, result!, false, operation)]);
    },
  },

  'tensor.extract_slice': {
    aliasingValues: ({ operation }) => [
      { value: operation.results[0]!, relation: 'unknown', isDefinite: true },
    ],
    bufferType: (value, operation, types) =>
      subviewType(
        rankedTypeOf({ type: types.ofBuffer(operation.operands[0]!) }),
        operation,
        rankedTensor(value).shape,
      ),
    bufferize: (operation, b) => {
      const source = b.buffer(operation.operands[0]!);
      const type = rankedTypeOf({ type: b.types.of(operation.results[0]!) });
      b.replace(operation, [createSubview(b.rewriter, source, operation, type)]);
    },
  },

  'tensor.extract': {
    ...readsOperands,
    bufferize: (operation, b) => {
      const memref = b.buffer(operation.operands[0]!);
      const indices = operation.operands.slice(1);
      b.rewriter.replaceWith(operation, load.state({ operands: { memref, indices } }));
    },
  },

  'tensor.from_elements': {
    allocates: true,
    bufferize: (operation, b) => {
      const { rewriter, types } = b;
      const empty = allocateTensor(types, operation.results[0]!, false, operation);
      const memref = b.createToMemref(empty, types.of(empty));
      const { shape } = rankedTensor(empty);
      const indices = Array.from(
        { length: operation.operands.length === 0 ? 0 : Math.max(0, ...shape) },
        (_, i) => createIndex(rewriter, i),
      );
      let next = 0;
      for (const position of positions(shape)) {
        const value = operation.operands[next++]!;
        rewriter.create(
          store.state({ operands: { value, memref, indices: position.map((at) => indices[at]!) } }),
        );
      }
      b.replace(operation, [memref]);
    },
  },

  'tensor.generate': {
    allocates: true,
    bufferize: (operation, b) => {
      refuseUnknownSpace(operation, b);
      const init = allocateTensor(b.types, operation.results[0]!, false, operation);
      const filled = fillByBody(operation, init, b);
      b.rewriter.replaceOperation(operation, filled.results, [filled]);
    },
  },

  'tensor.insert': {
    ...destinationStyle,
    bufferize: (operation, b) => {
      const { scalar, indices } = tensor.insert.operands(operation);
      const memref = b.buffer(operation.operands[1]!);
      const written = b.rewriter.create(store.state({ operands: { value: scalar, memref, indices } }));
      b.replace(operation, [memref], [written]);
    },
  },

  'tensor.insert_slice': {
    ...destinationStyle,
    reads: insertionReads,
    bufferize: (operation, b) => {
      const destination = b.buffer(operation.operands[1]!);
      putInto(operation, destination, b);
      b.replace(operation, [destination]);
    },
  },

  'tensor.parallel_insert_slice': {
    reads: insertionReads,
    writes: ({ index }) => index === 1,
    // In place by definition.
    resolveConflicts: () => undefined,
    bufferize: (operation, b) => {
      b.rewriter.setInsertionPointBefore(operation.parent!);
      putInto(operation, b.buffer(operation.operands[1]!), b);
      b.rewriter.eraseOperation(operation);
    },
  },

  'tensor.pad': {
    allocates: true,
    reads: () => true,
    bufferType: (value, operation, types) =>
      identityLayout(tensorTypeOf(value), types.ofBuffer(operation.operands[0]!).memorySpace),
    bufferize: (operation, b) => {
      const { rewriter } = b;
      const source = operation.operands[0]!;
      const { shape } = rankedTensor(operation.results[0]!);
      const { low } = tensor.mixedPadding(operation);
      createPaddedSizes(operation, b);
      const init = allocateTensor(b.types, operation.results[0]!, false, operation);
      const [filled] = fillByBody(operation, init, b).results;
      const sizes = sizesOf(rewriter, source);
      const slice = { offsets: low, sizes, strides: shape.map(() => 1) };
      const { operands, attributes } = sliceArguments(slice);
      rewriter.replaceWith(
        operation,
        tensor.insertSlice.state({
          operands: { source, dest: filled!, ...operands },
          attributes,
          resultTypes: [filled!.type],
        }),
      );
    },
  },

  'tensor.reshape': {
    // The shape is read; the elements stay in place.
    reads: ({ index }) => index === 1,
    ...sameBuffer,
    bufferType: (value, operation, types) =>
      identityLayout(tensorTypeOf(value), types.ofBuffer(operation.operands[0]!).memorySpace),
    bufferize: (operation, b) => {
      const own = b.buffer(operation.operands[0]!);
      const shape = b.buffer(operation.operands[1]!);
      const type = b.types.of(operation.results[0]!);
      const isPlain = own.type.kind !== 'memref' || own.type.layout === undefined;
      const source = isPlain ? own : contiguousCopy(operation, own, b);
      const created = b.rewriter.create(reshape.state({ operands: { source, shape }, resultTypes: [type] }));
      b.replace(operation, created.results, [created]);
    },
  },

  'tensor.splat': {
    allocates: true,
    bufferize: (operation, b) => {
      const init = allocateTensor(b.types, operation.results[0]!, false, operation);
      refuseUnknownSpace(operation, b);
      const value = operation.operands[0]!;
      const filled = createMap(
        b,
        init,
        (rewriter) => {
          rewriter.create(linalgYield.state({ operands: { values: [value] } }));
        },
        operation,
      );
      b.rewriter.replaceOperation(operation, filled.results, [filled]);
    },
  },
};
