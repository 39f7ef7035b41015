/** Decomposes ops that stand for several structured ones, as upstream's `AggregatedOpInterface`. */
import type { AffineMap } from '@sconv/affine';
import { identityMap, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { createConstantValue, createEmpty, createFill, createSizes } from '@sconv/dialects';
import { addf, divf, maxnumf, subf } from '@sconv/dialects/arith';
import { generic, softmax, yieldOp } from '@sconv/dialects/linalg';
import { exp } from '@sconv/dialects/math';
import type { DraftOperation, FloatType, Rewriter, TensorType, Value } from '@sconv/ir';
import { floatAttribute } from '@sconv/ir';

/** The greatest finite numbers of the types that a softmax is decomposed for. */
const greatestFinite: Readonly<Record<string, number>> = {
  bf16: (2 - 2 ** -7) * 2 ** 127,
  f16: 65504,
  f32: (2 - 2 ** -23) * 2 ** 127,
  f64: Number.MAX_VALUE,
};

/**
 * Decomposes a `linalg.softmax` of tensors into exponentials relative to the greatest element, which do not
 * overflow, and a division by their sum. Returns the division.
 */
export const decomposeInterfaceOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<DraftOperation> => {
  const type = softmax.is(operation) ? softmax.operands(operation).input.type : undefined;
  const lowest =
    type?.kind === 'tensor'
      ? greatestFinite[type.elementType.kind === 'float' ? type.elementType.name : '']
      : undefined;
  if (type?.kind !== 'tensor' || lowest === undefined) {
    return silenceableError(
      'decompose-interface/target',
      `expected a 'linalg.softmax' of tensors of bf16, f16, f32 or f64, got '${operation.name}'`,
      operation,
    );
  }
  rewriter.setInsertionPointBefore(operation);
  const { elementType } = type as { readonly elementType: FloatType };
  const [source, output] = operation.operands as [Value<TensorType>, Value<TensorType>];
  const { dimension } = softmax.attributes(operation);
  const whole = identityMap(type.shape.length);
  const line = makeMap(whole.numDims, 0, whole.results.toSpliced(dimension, 1));
  const empty = createEmpty(rewriter, createSizes(rewriter, source).toSpliced(dimension, 1), elementType);
  const filled = (value: number): Value<TensorType> => {
    const constant = createConstantValue(rewriter, floatAttribute(value, elementType), elementType);
    return createFill(rewriter, constant, empty, operation.location).results[0] as Value<TensorType>;
  };
  const iterators = whole.results.map((): 'parallel' | 'reduction' => 'parallel');
  const create = (
    operands: readonly Value<TensorType>[],
    maps: readonly AffineMap[],
    iteratorTypes: readonly ('parallel' | 'reduction')[],
    body: (at: Rewriter, elements: readonly Value[]) => Value,
  ): DraftOperation =>
    rewriter.create(
      generic.state<Rewriter>({
        operands: { inputs: operands.slice(0, -1), outputs: operands.slice(-1) },
        attributes: { indexingMaps: maps, iteratorTypes },
        resultTypes: [operands.at(-1)!.type],
        location: operation.location,
        bodies: [
          {
            argumentTypes: operands.map(() => elementType),
            build: (at, ...elements) => {
              at.create(yieldOp.state({ operands: { values: [body(at, elements)] } }));
            },
          },
        ],
      }),
    );
  const reduced = (combiner: typeof addf, from: Value<TensorType>, init: Value<TensorType>) =>
    create([from, init], [whole, line], iterators.with(dimension, 'reduction'), (at, [lhs, rhs]) =>
      at.createValue(combiner.state({ operands: { lhs: lhs!, rhs: rhs! }, resultTypes: [elementType] })),
    ).results[0] as Value<TensorType>;
  const greatest = reduced(maxnumf, source, filled(-lowest));
  const powers = create([source, greatest, output], [whole, line, whole], iterators, (at, [lhs, rhs]) => {
    const operand = at.createValue(
      subf.state({ operands: { lhs: lhs!, rhs: rhs! }, resultTypes: [elementType] }),
    );
    return at.createValue(exp.state({ operands: { operand }, resultTypes: [elementType] }));
  }).results[0] as Value<TensorType>;
  const total = reduced(addf, powers, filled(0));
  const quotient = create([powers, total, output], [whole, line, whole], iterators, (at, [lhs, rhs]) =>
    at.createValue(divf.state({ operands: { lhs: lhs!, rhs: rhs! }, resultTypes: [elementType] })),
  );
  rewriter.replaceOperation(operation, quotient.results, [quotient]);
  return success(quotient);
};
