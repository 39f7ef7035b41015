/** Tensor creation: new buffers, with their contents if defined. */
import { add, identityMap, makeMap, symbol } from '@sconv/affine';
import {
  createDim,
  createDims,
  createIndex,
  createSubview,
  indexValue,
  insertSliceState,
  unitStrideSlice,
} from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import {
  fill,
  generic,
  index as linalgIndex,
  namedOpBody,
  yieldOp as linalgYield,
} from '@sconv/dialects/linalg';
import { store } from '@sconv/dialects/memref';
import * as tensor from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, indexType, terminatorOf } from '@sconv/ir';
import { fail } from '../failure.ts';
import type { OpModel } from '../op-model.ts';
import { readsOnly } from '../op-model.ts';
import { identityLayout } from '../options.ts';
import { rankedTypeOf, tensorTypeOf } from '../rewriting/buffer-types.ts';
import type { Bufferizer } from '../rewriting/bufferizer.ts';
import { entryBlock } from '../rewriting/entry-block.ts';
import { rankedTensor } from './tensor-parts.ts';

/** Upstream fills tensors by `linalg.map`, whose body is built with `build`. */
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
    bodies: [{ build }],
    location,
  });

/** An elementwise `linalg.generic` that fills a buffer. */
const createGeneric = (
  { rewriter }: Bufferizer,
  buffer: Value,
  build: (rewriter: Rewriter) => void,
  { location }: DraftOperation,
): DraftOperation => {
  const { shape, elementType } = rankedTypeOf(buffer);
  return rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: [], outputs: [buffer] },
      attributes: {
        indexingMaps: [identityMap(shape.length)],
        iteratorTypes: shape.map(() => 'parallel' as const),
      },
      resultTypes: [],
      bodies: [{ argumentTypes: [elementType], build }],
      location,
    }),
  );
};

/** Fills a new tensor, or its buffer, with the body of an operation, which computes an element from its indices. */
const fillByBody = (operation: DraftOperation, init: Value, b: Bufferizer): DraftOperation => {
  const { length: rank } = rankedTensor(operation.results[0]!).shape;
  b.bufferizeRegions(operation);
  b.rewriter.setInsertionPointBefore(operation);
  const build = (rewriter: Rewriter): void => {
    const body = entryBlock(operation);
    const indices = Array.from({ length: rank }, (_, dimension) =>
      rewriter.createValue(linalgIndex.state({ attributes: { dim: dimension } })),
    );
    const end = terminatorOf(body);
    rewriter.inlineBlock(body, indices);
    rewriter.replaceWith(end, linalgYield.state({ operands: { values: end.operands } }));
  };
  return b.isBridging ? createMap(b, init, build, operation) : createGeneric(b, init, build, operation);
};

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
    const extent = createDim(rewriter, source, i);
    const margins = [low[i]!, high[i]!].map((margin) => indexValue(rewriter, margin));
    rewriter.create(
      apply.state({
        operands: { mapOperands: [extent, ...margins] },
        attributes: { map: sum },
        resultTypes: [indexType],
      }),
    );
  });
};

/** Puts the source of a `tensor.pad` into its filled result. */
const insertPadded = (operation: DraftOperation, filled: Value, b: Bufferizer): void => {
  const { rewriter } = b;
  const source = operation.operands[0]!;
  const { low } = tensor.mixedPadding(operation);
  const slice = unitStrideSlice({ offsets: low, sizes: createDims(rewriter, source) });
  if (!b.isBridging) {
    b.createCopy(source, createSubview(rewriter, filled, slice, rankedTypeOf(source).shape));
    b.replace(operation, [filled]);
    return;
  }
  rewriter.replaceWith(operation, insertSliceState(source, filled, slice));
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

/** The most elements that `tensor.from_elements` stores one by one. */
const mostElements = 1024;

export const tensorCreationModels: Readonly<Record<string, OpModel>> = {
  'tensor.empty': {
    allocates: true,
    hasContent: () => false,
    bufferize: (operation, b) => {
      const result = operation.results[0]!;
      if (!b.rewriter.hasUses(result)) b.rewriter.eraseOperation(operation);
      else b.rewriter.replaceOperation(operation, [b.allocate(result, false, operation)]);
    },
  },

  'tensor.from_elements': {
    allocates: true,
    unsupported: (operation) =>
      operation.operands.length > mostElements ? `has more than ${mostElements} elements` : undefined,
    bufferize: (operation, b) => {
      const { rewriter } = b;
      const memref = b.buffer(b.allocate(operation.results[0]!, false, operation));
      const { shape } = rankedTensor(operation.results[0]!);
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
    holdsTensors: true,
    bufferize: (operation, b) => {
      refuseUnknownSpace(operation, b);
      const init = b.allocate(operation.results[0]!, false, operation);
      const filled = fillByBody(operation, init, b);
      b.rewriter.replaceOperation(operation, b.isBridging ? filled.results : [init], [filled]);
    },
  },

  'tensor.pad': {
    allocates: true,
    holdsTensors: true,
    ...readsOnly,
    bufferType: (value, operation, types) =>
      identityLayout(tensorTypeOf(value), types.ofBuffer(operation.operands[0]!).memorySpace),
    bufferize: (operation, b) => {
      if (b.isBridging) createPaddedSizes(operation, b);
      const init = b.allocate(operation.results[0]!, false, operation);
      const filled = fillByBody(operation, init, b);
      insertPadded(operation, filled.results[0] ?? init, b);
    },
  },

  'tensor.splat': {
    allocates: true,
    bufferize: (operation, b) => {
      const { rewriter } = b;
      const init = b.allocate(operation.results[0]!, false, operation);
      refuseUnknownSpace(operation, b);
      const value = operation.operands[0]!;
      const filled = b.isBridging
        ? createMap(
            b,
            init,
            (builder) => {
              builder.create(linalgYield.state({ operands: { values: [value] } }));
            },
            operation,
          )
        : rewriter.create(
            fill.state<Rewriter>({
              operands: { inputs: [value], outputs: [init] },
              resultTypes: [],
              bodies: [namedOpBody(fill, [value, init])],
            }),
          );
      rewriter.replaceOperation(operation, [filled.results[0] ?? init], [filled]);
    },
  },
};
