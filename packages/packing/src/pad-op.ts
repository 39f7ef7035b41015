/** Pads the operands of a structured op to static sizes (upstream's `rewriteAsPaddedOp`). */
import { isFunctionOfDim } from '@sconv/affine';
import type { AffineMap } from '@sconv/affine';
import { dim, makeMap } from '@sconv/affine';
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { error, silenceable, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import {
  applyFolded,
  createConstantValue,
  createPad,
  createSize,
  createStructuredLike,
  elementTypeOf,
  extractSliceState,
  indexValue,
  sizeBound,
  sliceAtOrigin,
  touchedRange,
  zeroOf,
} from '@sconv/dialects';
import { materializeInDestination } from '@sconv/dialects/bufferization';
import { copy, structured } from '@sconv/dialects/linalg';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { extractSlice, inferExtractSliceType, pad } from '@sconv/dialects/tensor';
import type { Attribute, DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { attributeEquals, builder, constantValueOf, DYNAMIC, terminatorOf, bodyOf } from '@sconv/ir';
import { paddingValues } from './padding-values.ts';

/** How operands are padded. */
export interface PadOptions {
  /** The iteration dimensions along which operands are padded. */
  readonly dimensions: readonly number[];
  /** The multiple to round up to, by entry of `dimensions`; 1 by default. */
  readonly multiples?: readonly number[];
  /** By operand; zeros by default. */
  readonly values?: readonly Attribute[];
  /** By operand: whether the `tensor.pad` stays even if it pads nothing. */
  readonly nofold?: readonly boolean[];
  /** The op that writes the result back to the original destination. */
  readonly copyBack?: 'bufferization.materialize_in_destination' | 'linalg.copy' | 'none';
}

/** The ops after padding. */
export interface PadResult {
  readonly padded: DraftOperation;
  readonly pads: readonly DraftOperation[];
  readonly copies: readonly DraftOperation[];
}

const failedToPad = (code: string, operation: DraftOperation, reason: string): Failed =>
  silenceable(
    error(code, `failed to pad op: ${reason}`, operation.location, [
      { message: 'target op', location: operation.location },
    ]),
  );

/**
 * Pads the operands of a structured op on tensors to upper bounds of their sizes, rounded up to multiples. Throws a
 * `RangeError` for multiples below 1.
 *
 * @deviation Upstream trusts the values; here the op is rejected if padded iterations would change its results.
 */
export const padOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { dimensions, multiples = [], values, nofold = [], copyBack }: PadOptions,
): Diagnosed<PadResult> => {
  if (multiples.some((multiple) => !(Number.isSafeInteger(multiple) && multiple > 0)))
    throw new RangeError(`expected multiples of at least 1, got [${multiples.join(', ')}]`);
  const view = structured(rewriter.registry, operation);
  if (view === undefined || view.outputs.some(({ type }) => type.kind !== 'tensor')) {
    return failedToPad('pad/not-structured', operation, 'expected operation on tensors');
  }
  const operands = [...view.inputs, ...view.outputs];
  const shapes = operands.map((operand, i) => {
    const { type } = operand;
    const wanted = multiplesOf(view.indexingMaps[i]!, dimensions, multiples);
    const shape = type.kind === 'tensor' ? type.shape : [];
    const isPadded =
      nofold[i] === true ||
      shape.some((size, at) => wanted[at] !== undefined && (size === DYNAMIC || size % wanted[at] !== 0));
    if (!isPadded || type.kind !== 'tensor') return { shape, isPadded: false };
    return {
      isPadded,
      shape: shape.map((size, at) =>
        wanted[at] === undefined
          ? size
          : Math.ceil(sizeBound(rewriter, operand, at) / wanted[at]) * wanted[at],
      ),
    };
  });
  if (shapes.some(({ shape }) => shape.some((size) => !Number.isSafeInteger(size)))) {
    return failedToPad('pad/bound', operation, 'an operand has a size without a static bound');
  }
  const given = values ?? operands.map(({ type }) => zeroOf(elementTypeOf(type)));
  if (shapes.some(({ isPadded }, i) => isPadded && given[i] === undefined)) {
    return failedToPad('pad/no-value', operation, 'an operand has no padding value');
  }
  const loops = paddedLoops(view, shapes);
  if (loops === undefined) {
    return failedToPad('pad/shape', operation, 'the padded operands do not fit each other');
  }
  const beyond = loops.flatMap((size, loop) =>
    size === view.loopRanges[loop] && size !== DYNAMIC ? [] : [loop],
  );
  const inputValues = given.slice(0, view.inputs.length);
  if (paddingValues(rewriter, operation, beyond, inputValues) === undefined) {
    return failedToPad('pad/value', operation, 'on this padding the body does not keep its outputs');
  }
  rewriter.setInsertionPointBefore(operation);
  const pads: DraftOperation[] = [];
  const padded = operands.map((operand, i) => {
    const { isPadded, shape } = shapes[i]!;
    if (!isPadded) return operand;
    const source = operand as Value<TensorType>;
    const value = createPadHigh(rewriter, source, shape, given[i]!, nofold[i] === true);
    const made = rewriter.definingOperation(value);
    if (made !== undefined && pad.is(made)) pads.push(made);
    return value;
  });
  const sizes = resultSizes(rewriter, view);
  const created = createStructuredLike(rewriter, operation, {
    inputs: padded.slice(0, view.inputs.length),
    outputs: padded.slice(view.inputs.length),
    indexingMaps: view.indexingMaps,
  });
  const slices = created.results.map((source, i) => {
    const type = inferExtractSliceType(source.type as TensorType, sizes[i]!);
    return rewriter.createValue(extractSliceState(source, sliceAtOrigin(sizes[i]!), type));
  });
  const replacements = slices.map((source, i) => {
    const dest = view.outputs[i]!;
    if (copyBack === 'none') return source;
    const build = builder(rewriter);
    if (copyBack === 'linalg.copy') return build(copy, { inputs: [source], outputs: [dest] })[0]!;
    return rewriter.createValue(
      materializeInDestination.state({ operands: { source, dest }, resultTypes: [dest.type] }),
    );
  });
  rewriter.replaceOperation(operation, replacements, [created]);
  const copies = copyBack === 'none' ? [] : replacements.map((value) => rewriter.definingOperation(value)!);
  return success({ padded: created, pads, copies });
};

/** By dimension of an operand: the multiple to pad to; undefined for an unpadded one. */
const multiplesOf = (
  { results }: AffineMap,
  dimensions: readonly number[],
  multiples: readonly number[],
): readonly (number | undefined)[] =>
  results.map((result) => {
    const last = dimensions.findLastIndex((dimension) => isFunctionOfDim(result, dimension));
    return last < 0 ? undefined : (multiples[last] ?? 1);
  });

/** The loop ranges over padded operands; undefined if they contradict each other. */
const paddedLoops = (
  { indexingMaps, loopRanges }: StructuredOp,
  shapes: readonly { readonly shape: readonly number[] }[],
): readonly number[] | undefined => {
  const loops = new Array<number | undefined>(loopRanges.length).fill(undefined);
  for (const [i, { results }] of indexingMaps.entries()) {
    for (const [at, result] of results.entries()) {
      const size = shapes[i]!.shape[at];
      if (result.kind !== 'dim' || size === undefined) continue;
      const known = loops[result.position];
      if (known !== undefined && known !== DYNAMIC && size !== DYNAMIC && known !== size) return undefined;
      loops[result.position] = known === undefined || known === DYNAMIC ? size : known;
    }
  }
  const sizes = loops.map((size) => size ?? DYNAMIC);
  const fits = indexingMaps.every(({ results }, i) =>
    results.every((result, at) => {
      const size = shapes[i]!.shape[at];
      if (result.kind === 'dim' || size === undefined || size === DYNAMIC || sizes.includes(DYNAMIC))
        return true;
      const { lo, hi } = touchedRange(result, sizes);
      return lo >= 0 && hi <= size;
    }),
  );
  return fits ? sizes : undefined;
};

/** The operand padded to `shape`; reuses the source of its slice if that is already padded the same way. */
const createPadHigh = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  shape: readonly number[],
  value: Attribute,
  nofold: boolean,
): Value => {
  const element = createConstantValue(rewriter, value, source.type.elementType);
  const known = paddedBefore(rewriter, source, shape, value);
  if (known !== undefined) return known;
  const high = shape.map((size, dimension): MixedIndex => {
    if (size === DYNAMIC) return 0;
    const given = createSize(rewriter, source, dimension);
    return applyFolded(rewriter, makeMap(1, 0, [dim(0).mul(-1).add(size)]), [given]);
  });
  return createPad(rewriter, source, high, element, shape, nofold);
};

/** The source of the operand's slice, if it is a padding of the same slice to the same shape with the same value. */
const paddedBefore = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  shape: readonly number[],
  value: Attribute,
): Value | undefined => {
  const slice = rewriter.definingOperation(source);
  if (slice === undefined || !extractSlice.is(slice)) return undefined;
  const whole = extractSlice.operands(slice).source;
  let current: Value = whole;
  for (;;) {
    const definition = rewriter.definingOperation(current);
    if (definition === undefined) return undefined;
    const view = structured(rewriter.registry, definition);
    const position = definition.results.findIndex(({ id }) => id === current.id);
    if (view === undefined) break;
    current = view.outputs[position]!;
  }
  const padding = rewriter.definingOperation(current)!;
  if (!pad.is(padding) || String(whole.type.shape) !== String(shape)) return undefined;
  const inner = rewriter.definingOperation(pad.operands(padding).source);
  const [yielded] = terminatorOf(bodyOf(padding)).operands;
  const constant = yielded && rewriter.definingOperation(yielded);
  const before = constant && constantValueOf(rewriter.registry, constant);
  const isSame =
    before !== undefined &&
    attributeEquals(before, value) &&
    pad.attributes(padding).staticLow.every((low) => low === 0) &&
    inner !== undefined &&
    extractSlice.is(inner) &&
    sameSizes(inner, slice);
  return isSame ? whole : undefined;
};

const sameSizes = (a: DraftOperation, b: DraftOperation): boolean => {
  const [one, other] = [a, b].map((slice) => ({
    fixed: String(extractSlice.attributes(slice).staticSizes),
    dynamic: extractSlice.operands(slice).sizes.map(({ id }) => id),
  })) as [{ fixed: string; dynamic: number[] }, { fixed: string; dynamic: number[] }];
  return one.fixed === other.fixed && String(one.dynamic) === String(other.dynamic);
};

/**
 * The result sizes before padding, from the input sizes where these determine them (upstream's `reifyResultShapes`).
 */
const resultSizes = (
  rewriter: Rewriter,
  { inputs, outputs, indexingMaps }: StructuredOp,
): readonly (readonly MixedIndex[])[] => {
  const all = [...inputs, ...outputs].map((operand) =>
    operand.type.kind === 'tensor'
      ? operand.type.shape.map((_, dimension) => createSize(rewriter, operand, dimension))
      : [],
  );
  const ofLoop = (loop: number): MixedIndex | undefined => {
    for (const [i] of inputs.entries()) {
      const at = indexingMaps[i]!.results.findIndex(
        (result) => result.kind === 'dim' && result.position === loop,
      );
      if (at >= 0) return all[i]![at]!;
    }
    return undefined;
  };
  return outputs.map((output, i) => {
    const { results } = indexingMaps[inputs.length + i]!;
    return results.map((result, dimension): MixedIndex => {
      const size = (output.type as TensorType).shape[dimension]!;
      if (size !== DYNAMIC) return size;
      const told = result.kind === 'dim' ? ofLoop(result.position) : undefined;
      // A value even where inputs have it as a number, so that the slice has the type of the result.
      return indexValue(rewriter, told ?? createSize(rewriter, output, dimension));
    });
  });
};
