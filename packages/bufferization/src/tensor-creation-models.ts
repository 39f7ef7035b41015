/** Tensor creation: new buffers, with their contents if defined. */
import { createIndex, sliceArguments } from '@sconv/dialects';
import { identityMap } from '@sconv/affine';
import { fill, generic, index, namedOpBody, yieldOp } from '@sconv/dialects/linalg';
import { inferSubviewType, store, subview } from '@sconv/dialects/memref';
import { mixedPadding } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { DYNAMIC, isStaticShape } from '@sconv/ir';
import type { BufferizationContext } from './bufferization-context.ts';
import { allocate, bufferType, createCopy, dynamicSizesOf } from './buffers.ts';
import { endOf, entryBlock } from './draft-blocks.ts';
import type { OpModel } from './op-model.ts';
import { noOperands, readsOnly } from './op-model.ts';
import { identityBuffer } from './options.ts';

const allocateResult = (
  operation: DraftOperation,
  { rewriter, alignment }: BufferizationContext,
  dynamicSizes: readonly Value[],
): Value =>
  allocate(rewriter, identityBuffer(operation.results[0]!.type as TensorType), dynamicSizes, alignment);

/** Fills `buffer` with the body of `operation`, which computes an element from its indices. */
const fillByBody = (
  operation: DraftOperation,
  context: BufferizationContext,
  buffer: Value,
): DraftOperation => {
  const { rewriter } = context;
  context.bufferizeRegions(operation);
  rewriter.setInsertionPointBefore(operation);
  const { shape, elementType } = bufferType(buffer);
  const body = entryBlock(operation);
  return rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: [], outputs: [buffer] },
      attributes: {
        indexingMaps: [identityMap(shape.length)],
        iteratorTypes: shape.map(() => 'parallel' as const),
      },
      resultTypes: [],
      bodies: [
        {
          argumentTypes: [elementType],
          build: (builder) => {
            const indices = shape.map((_, dimension) =>
              builder.createValue(index.state({ attributes: { dim: dimension } })),
            );
            const end = endOf(body);
            builder.inlineBlock(body, indices);
            builder.replaceWith(end, yieldOp.state({ operands: { values: end.operands } }));
          },
        },
      ],
    }),
  );
};

/** `offset`, `offset + 1`, … in row-major order. */
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
    ...noOperands,
    hasContent: () => false,
    bufferize: (operation, context) => {
      context.rewriter.replaceOperation(operation, [allocateResult(operation, context, operation.operands)]);
    },
  },

  'tensor.splat': {
    ...noOperands,
    bufferize: (operation, context) => {
      const { rewriter } = context;
      const [value, ...dynamicSizes] = operation.operands;
      const buffer = allocateResult(operation, context, dynamicSizes);
      const operands = [value!, buffer];
      rewriter.create(
        fill.state<Rewriter>({
          operands: { inputs: [value!], outputs: [buffer] },
          resultTypes: [],
          bodies: [namedOpBody(fill, operands)],
        }),
      );
      rewriter.replaceOperation(operation, [buffer]);
    },
  },

  'tensor.from_elements': {
    ...noOperands,
    unsupported: (operation) =>
      operation.operands.length > mostElements ? `has more than ${mostElements} elements` : undefined,
    bufferize: (operation, context) => {
      const { rewriter } = context;
      const buffer = allocateResult(operation, context, []);
      let next = 0;
      for (const position of positions(bufferType(buffer).shape)) {
        const indices = position.map((at) => createIndex(rewriter, at));
        rewriter.create(
          store.state({ operands: { value: operation.operands[next++]!, memref: buffer, indices } }),
        );
      }
      rewriter.replaceOperation(operation, [buffer]);
    },
  },

  'tensor.generate': {
    holdsTensors: true,
    ...noOperands,
    bufferize: (operation, context) => {
      const buffer = allocateResult(operation, context, operation.operands);
      const filling = fillByBody(operation, context, buffer);
      context.rewriter.replaceOperation(operation, [buffer], [filling]);
    },
  },

  'tensor.pad': {
    holdsTensors: true,
    ...readsOnly,
    unsupported: (operation) => {
      const type = operation.results[0]!.type as TensorType;
      return isStaticShape(type) ? undefined : 'has a size that is not static';
    },
    bufferize: (operation, context) => {
      const { rewriter } = context;
      const source = operation.operands[0]!;
      const { shape } = bufferType(source);
      const buffer = allocateResult(operation, context, []);
      fillByBody(operation, context, buffer);
      const sizes = dynamicSizesOf(rewriter, source).values();
      const slice = {
        offsets: mixedPadding(operation).low,
        sizes: shape.map((size) => (size === DYNAMIC ? sizes.next().value! : size)),
        strides: shape.map(() => 1),
      };
      const { operands, attributes } = sliceArguments(slice);
      const inner = rewriter.createValue(
        subview.state({
          operands: { source: buffer, ...operands },
          attributes,
          resultTypes: [inferSubviewType(bufferType(buffer), slice)],
        }),
      );
      createCopy(rewriter, source, inner);
      rewriter.replaceOperation(operation, [buffer]);
    },
  },
};
