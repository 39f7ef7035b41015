/** Tensors and buffers of sizes that do not depend on loops (upstream's `IndependenceTransforms`). */
import { dim, makeMap, symbol } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { MixedIndex, MixedSlice } from '@sconv/dialects';
import {
  applyFolded,
  createSize,
  createSubview,
  extractSliceState,
  indexValue,
  mixedIndices,
  replaceBuffer,
  sliceAtOrigin,
  sliceOperands,
  unitStrideSlice,
} from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { unrealizedConversionCast } from '@sconv/dialects/builtin';
import { call, callIndirect } from '@sconv/dialects/func';
import { alloca } from '@sconv/dialects/memref';
import { forOp } from '@sconv/dialects/scf';
import { empty, mixedPadding, pad } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, constantValueOf, DYNAMIC, hasTrait, indexType } from '@sconv/ir';
import { independentBound } from './independent-bound.ts';

/** The induction variables of the innermost `count` loops around an op. */
const variablesAround = (operation: DraftOperation, count: number): Diagnosed<readonly Value[]> => {
  const variables: Value[] = [];
  let at: DraftOperation | undefined = operation.parent;
  for (; at !== undefined && variables.length < count; at = at.parent)
    if (forOp.is(at)) variables.push(bodyOf(at).arguments[0]!);
  if (variables.length === count) return success(variables);
  const message = `could not find ${variables.length}-th enclosing loop`;
  return silenceableError('tile/enclosing-loop', message, operation);
};

const unsupported = (operation: DraftOperation): Diagnosed<never> =>
  silenceableError('tile/dependent-target', 'unsupported target op', operation);

const unbounded = (operation: DraftOperation): Diagnosed<never> =>
  silenceableError('tile/unbounded', 'could not make target op loop-independent', operation);

/** Bounds of all sizes; undefined if one is not known. */
const boundsOf = (
  rewriter: Rewriter,
  sizes: readonly MixedIndex[],
  variables: readonly Value[],
): readonly MixedIndex[] | undefined => {
  const bounds = sizes.flatMap((size) => independentBound(rewriter, size, variables) ?? []);
  return bounds.length === sizes.length ? bounds : undefined;
};

const isSame = (a: MixedIndex, b: MixedIndex): boolean =>
  typeof a === 'number' || typeof b === 'number' ? a === b : a.id === b.id;

const areSame = (a: readonly MixedIndex[], b: readonly MixedIndex[]): boolean =>
  a.every((index, i) => isSame(index, b[i]!));

/** Whether no bound is a negative number, as it may be where the loops never run. */
const areSizes = (bounds: readonly MixedIndex[]): boolean =>
  bounds.every((bound) => typeof bound !== 'number' || bound >= 0);

/**
 * Makes the sizes of a `tensor.empty`, or the padding of a `tensor.pad`, independent of the innermost `count` loops:
 * a larger tensor is made, of which the target's is a slice. Returns the slice; the target itself if nothing depends
 * on the loops.
 */
export const makeTensorLoopIndependentOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  count: number,
): Diagnosed<DraftOperation> => {
  const around = variablesAround(operation, count);
  if (around.status !== 'success') return around;
  rewriter.setInsertionPointBefore(operation);
  if (empty.is(operation)) return ofEmpty(rewriter, operation, around.value);
  return pad.is(operation) ? ofPad(rewriter, operation, around.value) : unsupported(operation);
};

const ofEmpty = (
  rewriter: Rewriter,
  operation: DraftOperation,
  variables: readonly Value[],
): Diagnosed<DraftOperation> => {
  const { type } = empty.results(operation).result;
  const sizes = mixedIndices(operation.operands, type.shape);
  const bounds = boundsOf(rewriter, sizes, variables);
  if (bounds === undefined || !areSizes(bounds)) return unbounded(operation);
  if (areSame(bounds, sizes)) return success(operation);
  const whole = rewriter.createValue(
    empty.state({
      operands: { dynamicSizes: sliceOperands(bounds).dynamic },
      resultTypes: [{ ...type, shape: sliceOperands(bounds).static }],
    }),
  );
  return success(replaceBySlice(rewriter, operation, whole, sliceAtOrigin(sizes)));
};

/** Replaces a tensor by a slice of a larger one. */
const replaceBySlice = (
  rewriter: Rewriter,
  operation: DraftOperation,
  source: Value,
  slice: MixedSlice,
): DraftOperation => {
  const made = rewriter.create(extractSliceState(source, slice, operation.results[0]!.type as TensorType));
  rewriter.replaceOperation(operation, made.results);
  return made;
};

/** Whether the padding is the same everywhere: from outside the body, or a constant. */
const isUniform = (rewriter: Rewriter, operation: DraftOperation): boolean => {
  const body = bodyOf(operation);
  const value = body.last!.operands[0]!;
  const made = rewriter.definingOperation(value);
  if (made === undefined) return rewriter.owningBlock(value) !== body;
  return made.block !== body || constantValueOf(rewriter.registry, made) !== undefined;
};

const sum = makeMap(1, 2, [dim(0).add(symbol(0)).add(symbol(1))]);
const difference = makeMap(2, 0, [dim(0).sub(dim(1))]);

/** Where the target starts in the larger tensor. */
const offsetOf = (rewriter: Rewriter, bound: MixedIndex, low: MixedIndex): MixedIndex => {
  if (typeof low === 'number') return 0;
  if (typeof bound === 'number') return applyFolded(rewriter, difference, [bound, low]);
  return rewriter.createValue(
    apply.state({
      operands: { mapOperands: [bound, low] },
      attributes: { map: difference },
      resultTypes: [indexType],
    }),
  );
};

/**
 * The slice starts where more is padded below.
 *
 * @deviation Upstream keeps the result type, whose sizes need not be those of the padding that is made; and it fails
 * where a variable padding below is bounded by a number.
 */
const ofPad = (
  rewriter: Rewriter,
  operation: DraftOperation,
  variables: readonly Value[],
): Diagnosed<DraftOperation> => {
  const { source } = pad.operands(operation);
  const { type } = pad.results(operation).result;
  const before = mixedPadding(operation);
  if (!isUniform(rewriter, operation)) return unbounded(operation);
  const low = boundsOf(rewriter, before.low, variables);
  const high = boundsOf(rewriter, before.high, variables);
  if (low === undefined || high === undefined) return unbounded(operation);
  if (areSame(low, before.low) && areSame(high, before.high)) return success(operation);
  const shape = type.shape.map((size, i) => {
    const [extent, below, above] = [source.type.shape[i]!, low[i]!, high[i]!];
    if (isSame(below, before.low[i]!) && isSame(above, before.high[i]!)) return size;
    if (extent === DYNAMIC || typeof below !== 'number' || typeof above !== 'number') return DYNAMIC;
    return extent + below + above;
  });
  if (shape.some((size) => size < 0 && size !== DYNAMIC)) return unbounded(operation);
  const [below, above] = [sliceOperands(low), sliceOperands(high)];
  const { nofold } = pad.attributes(operation);
  const whole = rewriter.create(
    pad.state<Rewriter>({
      operands: { source, low: below.dynamic, high: above.dynamic },
      attributes: { staticLow: below.static, staticHigh: above.static, nofold },
      resultTypes: [{ ...type, shape }],
    }),
  );
  rewriter.cloneRegion(operation.regions[0]!, whole.regions[0] ?? rewriter.createRegion(whole));
  rewriter.setInsertionPointBefore(operation);
  // A size that turns out to be a number is still a value, since the type of the slice stays.
  const sizes = type.shape.map((size, i) => {
    if (size !== DYNAMIC) return size;
    const padded = [createSize(rewriter, source, i), before.low[i]!, before.high[i]!];
    return indexValue(rewriter, applyFolded(rewriter, sum, padded));
  });
  const offsets = low.map((bound, i) => offsetOf(rewriter, bound, before.low[i]!));
  return success(replaceBySlice(rewriter, operation, whole.results[0]!, unitStrideSlice({ offsets, sizes })));
};

/**
 * Makes the sizes of a `memref.alloca` independent of the innermost `count` loops: the target becomes a view of a
 * larger buffer. Returns the view; the target itself if nothing depends on the loops.
 *
 * @deviation Upstream loses the memory space and the alignment of the buffer, and replaces a buffer that does not
 * depend on the loops by itself, which is invalid.
 */
export const makeMemrefLoopIndependentOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  count: number,
): Diagnosed<DraftOperation> => {
  const around = variablesAround(operation, count);
  if (around.status !== 'success') return around;
  if (!alloca.is(operation)) return unsupported(operation);
  rewriter.setInsertionPointBefore(operation);
  const { type } = alloca.results(operation).memref;
  const sizes = mixedIndices(alloca.operands(operation).dynamicSizes, type.shape);
  const bounds = boundsOf(rewriter, sizes, around.value);
  if (bounds === undefined || !areSizes(bounds)) return unbounded(operation);
  if (areSame(bounds, sizes)) return success(operation);
  const { layout: _layout, ...contiguous } = type;
  const { alignment } = alloca.attributes(operation);
  const whole = rewriter.createValue(
    alloca.state({
      operands: { dynamicSizes: sliceOperands(bounds).dynamic, symbolOperands: [] },
      attributes: alignment === undefined ? {} : { alignment },
      resultTypes: [{ ...contiguous, shape: sliceOperands(bounds).static }],
    }),
  );
  const view = createSubview(rewriter, whole, sliceAtOrigin(sizes), type.shape);
  replaceBuffer(rewriter, operation.results[0]!, view, castWhereNeeded(rewriter));
  rewriter.eraseOperation(operation);
  return success(rewriter.definingOperation(view)!);
};

/**
 * Whether an op takes a buffer of another layout.
 *
 * @deviation Upstream also gives it to terminators and calls, which does not verify.
 */
const takesAnyLayout = (rewriter: Rewriter, user: DraftOperation): boolean => {
  const isBuffer = ({ type }: Value): boolean => type.kind === 'memref';
  return (
    !user.results.some(isBuffer) &&
    !user.regions.some(({ blocks }) => blocks.some((block) => block.arguments.some(isBuffer))) &&
    !hasTrait(rewriter.registry, user, 'terminator') &&
    !call.is(user) &&
    !callIndirect.is(user)
  );
};

/** What users of a buffer get for a view of another layout: the view, or one cast of it to the old type. */
const castWhereNeeded = (
  rewriter: Rewriter,
): ((user: DraftOperation, view: Value, buffer: Value) => Value) => {
  const casts = new Map<number, Value>();
  return (user, view, buffer) => {
    if (takesAnyLayout(rewriter, user)) return view;
    const known = casts.get(view.id);
    if (known !== undefined) return known;
    rewriter.setInsertionPointAfter(rewriter.definingOperation(view)!);
    const made = rewriter.createValue(
      unrealizedConversionCast.state({ operands: { inputs: [view] }, resultTypes: [buffer.type] }),
    );
    casts.set(view.id, made);
    return made;
  };
};
