/** Partial results of a reduction: upstream's `PartialReductionOpInterface` for structured ops. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import {
  allowReordering,
  createConstantValue,
  createDims,
  createEmpty,
  createFill,
  elementTypeOf,
  indexDimensions,
  neutralElement,
  reductionCombiner,
  isTensorValue,
} from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { reduce, structured, yieldOp } from '@sconv/dialects/linalg';
import type { Attribute, DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';

/** An output of a reduction, with its combiner. */
export interface PartialOutput {
  readonly output: Value<TensorType>;
  readonly combiner: DraftOperation;
  readonly neutral: Attribute;
  /** The iteration dimension of each dimension of the partial results, including the reduced ones. */
  readonly dimensions: readonly number[];
}

/** A reduction whose outputs can all be computed partially. */
export interface PartialReduction {
  readonly view: StructuredOp;
  readonly reduced: readonly number[];
  readonly outputs: readonly PartialOutput[];
}

/** The failures of `partialReductionOf`. */
export const partialReductionFailures = {
  'reduction/not-structured': { mode: 'silenceable', when: 'a target is not a structured op on tensors' },
  'reduction/none': { mode: 'silenceable', when: 'the target has no reduction dimension' },
  'reduction/index': { mode: 'silenceable', when: 'the body uses `linalg.index`' },
  'reduction/output-map': {
    mode: 'silenceable',
    when: 'an output is not indexed by the parallel dimensions only',
  },
  'reduction/combiner': {
    mode: 'silenceable',
    when: 'the body does not combine values with a single operation that has a neutral element',
  },
} as const;

/** The op as a partial reduction. */
export const partialReductionOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<PartialReduction> => {
  const view = structured(rewriter.registry, operation);
  if (!view?.outputs.every(isTensorValue)) {
    const message = 'Operation should implement PartialReductionOpInterface';
    return silenceableError('reduction/not-structured', message, operation);
  }
  const reduced = view.iteratorTypes.flatMap((type, at) => (type === 'reduction' ? [at] : []));
  if (reduced.length === 0)
    return silenceableError('reduction/none', 'failed to apply: nothing is reduced', operation);
  if (indexDimensions(operation).length > 0) {
    const message = 'failed to apply: the body uses linalg.index';
    return silenceableError('reduction/index', message, operation);
  }
  let isApart = true;
  const outputs: PartialOutput[] = [];
  for (const [i, output] of view.outputs.filter(isTensorValue).entries()) {
    const dimensions = view.indexingMaps[view.inputs.length + i]!.results.flatMap((expr) =>
      expr.kind === 'dim' && !reduced.includes(expr.position) ? [expr.position] : [],
    );
    isApart &&= dimensions.length === output.type.shape.length;
    const combiner = reductionCombiner(rewriter, bodyOf(operation), view.inputs.length + i, i);
    if (combiner === undefined) return notCombined(operation);
    const neutral = neutralElement(rewriter.registry, combiner);
    if (neutral === undefined) return notCombined(operation);
    for (const at of reduced) dimensions.splice(at, 0, at);
    outputs.push({ output, combiner, neutral, dimensions });
  }
  const positions = outputs.map(({ dimensions }) => dimensions.map((at) => reduced.includes(at)).join());
  if (!isApart || new Set(positions).size > 1) {
    const message =
      'failed to apply: an output is indexed by a reduced dimension or by a sum, or reduced elsewhere';
    return silenceableError('reduction/output-map', message, operation);
  }
  return success({ view, reduced, outputs });
};

const notCombined = (operation: DraftOperation) =>
  silenceableError(
    'reduction/combiner',
    'Failed to get an identity value for the reduction operation.',
    operation,
  );

/** A tensor of partial results per output, with `sizes` in the reduced dimensions, filled with the neutral element. */
export const createPartials = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { reduced, outputs }: PartialReduction,
  sizes: readonly MixedIndex[],
): readonly DraftOperation[] =>
  outputs.map(({ output, combiner, neutral, dimensions }) => {
    allowReordering(rewriter, combiner);
    const own = createDims(rewriter, output).values();
    const shape = dimensions.map((at) => (reduced.includes(at) ? sizes[at]! : own.next().value!));
    const { elementType } = output.type;
    const init = createEmpty(rewriter, shape, elementType);
    const value = createConstantValue(rewriter, neutral, elementType);
    return createFill(rewriter, value, init, operation.location);
  });

/** The `linalg.reduce` that merges partial results into the outputs. */
export const createMerge = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { reduced, outputs }: PartialReduction,
  partials: readonly Value[],
): DraftOperation => {
  const inits = outputs.map(({ output }) => output);
  const elements = inits.map(({ type }) => elementTypeOf(type));
  const positions = outputs[0]!.dimensions.flatMap((at, i) => (reduced.includes(at) ? [i] : []));
  return rewriter.create(
    reduce.state<Rewriter>({
      operands: { inputs: partials, inits },
      attributes: { dimensions: positions },
      resultTypes: inits.map(({ type }) => type),
      location: operation.location,
      bodies: [
        {
          argumentTypes: [...elements, ...elements],
          build: (body, ...values) => {
            const combined = outputs.map(({ combiner }, i) => {
              const copy = body.clone(combiner);
              body.setOperands(copy, [values[i]!, values[outputs.length + i]!]);
              return copy.results[0]!;
            });
            body.create(yieldOp.state({ operands: { values: combined } }));
          },
        },
      ],
    }),
  );
};
