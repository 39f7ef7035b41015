/**
 * Folds a `tensor.pad` into its readers: an element of the margin is the padding value, any other is read from the
 * unpadded tensor. Once all readers do so, the padded copy is dead.
 *
 *     %inside = row < height and column < width (unsigned, so that those before the first one are not)
 *     %element = tensor.extract %unpadded[…, %inside ? row : 0, %inside ? column : 0]
 *     %read = %inside ? %element : %padding
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { collect, mapSuccess, silenceableError } from '@sconv/diagnostics';
import type { ElementSource } from '@sconv/dialects';
import { behindSlices, createIndex, elementSource, eraseUnused, tryAffine } from '@sconv/dialects';
import { andi, cmpi, constant, select } from '@sconv/dialects/arith';
import { generic, genericView } from '@sconv/dialects/linalg';
import { extract, mixedPadding, pad } from '@sconv/dialects/tensor';
import type { Attribute, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, builder, constantValueOf, isStaticShape, terminatorOf } from '@sconv/ir';
import { createIndices, readElement } from './element-reads.ts';

/**
 * Makes each `tensor.extract` directly in the body of `operation` that reads a `tensor.pad`, or slices of one, read
 * the unpadded tensor. Pads with dynamic sizes or a non-uniform value stay.
 */
export const foldPadOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<undefined> => {
  if (!generic.is(operation)) {
    return silenceableError(
      'fold-pad/not-generic',
      `expected a linalg.generic, got '${operation.name}': generalize it first`,
      operation,
    );
  }
  const rank = genericView(operation).iteratorTypes.length;
  const elements = bodyOf(operation).operations.filter((inner) => extract.is(inner));
  const sources = collect(elements, (element) =>
    tryAffine(operation, 'fold-pad/arithmetic', () => ({
      element,
      padded: paddedSource(
        rewriter,
        behindSlices(rewriter, rank, elementSource(rewriter, operation, element)),
      ),
    })),
  );
  return mapSuccess(sources, (found) => {
    for (const { element, padded } of found)
      if (padded !== undefined) readUnpadded(rewriter, operation, element, padded);
    return undefined;
  });
};

/** A padded source, and its padding value. */
interface PaddedSource {
  /** Into the unpadded tensor; in the padding an index is negative or not below the size. */
  readonly source: ElementSource;
  /** The sizes of the unpadded tensor, for padded dimensions only. */
  readonly sizes: readonly (number | undefined)[];
  /** A value defined outside the op, or a constant. */
  readonly padding: Value | Attribute;
}

/** The source before padding; undefined if it is not padded, or not by static sizes with a single value. */
const paddedSource = (rewriter: Rewriter, source: ElementSource): PaddedSource | undefined => {
  const definition = rewriter.definingOperation(source.tensor);
  if (definition === undefined || !pad.is(definition)) return undefined;
  const unpadded = pad.operands(definition).source;
  const { shape } = unpadded.type;
  const { low, high } = mixedPadding(definition);
  const isKnown = isStaticShape(unpadded.type) && !shape.includes(0);
  if (!isKnown || [...low, ...high].some((margin) => typeof margin !== 'number')) return undefined;
  const yielded = terminatorOf(bodyOf(definition)).operands[0]!;
  // A value computed in the pad's body may depend on the indices.
  const value = rewriter.definingOperation(yielded);
  const padding = rewriter.isDefinedOutside(yielded, definition)
    ? yielded
    : value && constantValueOf(rewriter.registry, value);
  if (padding === undefined) return undefined;
  return {
    source: {
      ...source,
      tensor: unpadded,
      indices: source.indices.map((expr, i) => expr.sub(low[i] as number)),
    },
    sizes: shape.map((size, i) => (low[i] === 0 && high[i] === 0 ? undefined : size)),
    padding,
  };
};

const readUnpadded = (
  rewriter: Rewriter,
  operation: DraftOperation,
  element: DraftOperation,
  { source, sizes, padding }: PaddedSource,
): void => {
  const old = extract.operands(element);
  const indices = createIndices(rewriter, operation, element, source);
  const b = builder(rewriter);
  const tests = indices.flatMap((lhs, i): Value[] => {
    const size = sizes[i];
    return size === undefined ? [] : [b(cmpi, { predicate: 'ult', lhs, rhs: createIndex(rewriter, size) })];
  });
  const inside = tests.reduce<Value | undefined>(
    (all, rhs) => (all === undefined ? rhs : b(andi, { lhs: all, rhs })),
    undefined,
  );
  if (inside === undefined) {
    readElement(rewriter, element, source.tensor, indices);
    return;
  }
  const zero = createIndex(rewriter, 0);
  const clamped = indices.map((index, i): Value =>
    sizes[i] === undefined ? index : b(select, { condition: inside, trueValue: index, falseValue: zero }),
  );
  const read: Value = b(extract, { tensor: source.tensor, indices: clamped });
  const falseValue: Value = 'id' in padding ? padding : b(constant, { value: padding });
  const chosen: Value = b(select, { condition: inside, trueValue: read, falseValue });
  rewriter.replaceOperation(element, [chosen]);
  for (const each of [...old.indices, old.tensor]) eraseUnused(rewriter, each);
};
