/** Transposes a packing, the structured op on it, and the unpacking of its result (upstream's `packTranspose`). */
import { makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess, silenceableError, success } from '@sconv/diagnostics';
import { createGenericLike, takeBody } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { structured } from '@sconv/dialects/linalg';
import { pack, unpack } from '@sconv/dialects/tensor';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import type { PackTiling } from '@sconv/dialects';
import { createPack, createPackedDestination, createUnpack, permuted, tilingOf } from '@sconv/dialects';

/** Permutations of outer and inner dimensions; identity if absent. */
export interface PackPermutation {
  readonly outer?: readonly number[];
  readonly inner?: readonly number[];
}

/** The ops after the transposition. */
export interface PackTransposeResult {
  readonly packed: DraftOperation;
  readonly pack: DraftOperation;
  readonly unpack: DraftOperation | undefined;
}

const isPermutation = (positions: readonly number[], rank: number): boolean =>
  positions.length === 0 ||
  (positions.length === rank && positions.toSorted((a, b) => a - b).every((position, i) => position === i));

/** What is transposed. */
interface TransposePlan {
  readonly view: StructuredOp;
  readonly packing: DraftOperation;
  readonly tiling: PackTiling;
  /** Which operand of the op is packed. */
  readonly used: number;
  readonly unpacking: DraftOperation | undefined;
  /** Which result of the op is unpacked; -1 if none. */
  readonly position: number;
}

/**
 * Transposes the `tensor.pack` or `tensor.unpack` `target`, the structured op `operation` that consumes or produces
 * its tensor, and, for an unpacking, the matching packing.
 */
export const packTransposeOp = (
  rewriter: Rewriter,
  target: DraftOperation,
  operation: DraftOperation,
  permutation: PackPermutation,
): Diagnosed<PackTransposeResult> =>
  mapSuccess(checkTranspose(rewriter, target, operation, permutation), (plan) =>
    transpose(rewriter, operation, plan, permutation),
  );

/** Fails unless the op stays valid with its packed operand, and the unpacked result, in another order. */
const checkTranspose = (
  rewriter: Rewriter,
  target: DraftOperation,
  operation: DraftOperation,
  { outer = [], inner = [] }: PackPermutation,
): Diagnosed<TransposePlan> => {
  const view = structured(rewriter.registry, operation);
  if (!pack.is(target) && !unpack.is(target)) {
    return silenceableError(
      'pack-transpose/target',
      'requires target to map to a tensor.pack or tensor.unpack',
      target,
    );
  }
  if (view === undefined) {
    return silenceableError('pack-transpose/structured', 'requires a LinalgOp target', operation);
  }
  const { inputs, outputs } = view;
  const unpacking = unpack.is(target) ? target : undefined;
  const position =
    unpacking === undefined
      ? -1
      : operation.results.findIndex((result) => result.id === unpacking.operands[0]!.id);
  const packing = unpacking === undefined ? target : producerOf(rewriter, outputs[position]);
  if (unpacking === undefined ? !isOnlyUse(rewriter, target, operation) : position < 0) {
    return silenceableError(
      'pack-transpose/use',
      unpacking === undefined
        ? 'not a single use by the LinalgOp target'
        : 'not produced by the LinalgOp target',
      target,
    );
  }
  if (packing === undefined || !isOnlyUse(rewriter, packing, operation)) {
    return silenceableError('pack-transpose/no-pack', 'could not find matching pack op', target);
  }
  const tiling = tilingOf(packing);
  const rank = pack.operands(packing).source.type.shape.length;
  const wrong = !isPermutation(outer, rank)
    ? 'outer'
    : !isPermutation(inner, tiling.innerDimsPos.length)
      ? 'inner'
      : undefined;
  if (wrong !== undefined) {
    return silenceableError('pack-transpose/permutation', `invalid ${wrong}_perm`, target);
  }
  const used = [...inputs, ...outputs].findIndex(({ id }) => id === packing.results[0]!.id);
  if (unpacking === undefined ? used >= inputs.length : !isOnlyUse(rewriter, operation, unpacking)) {
    return silenceableError(
      'pack-transpose/result',
      'the result of the op would have another type where it is used: transpose its unpacking, the only use of it',
      target,
    );
  }
  return success({ view, packing, tiling, used, unpacking, position });
};

const transpose = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { view, packing, tiling, used, unpacking, position }: TransposePlan,
  { outer = [], inner = [] }: PackPermutation,
): PackTransposeResult => {
  // Step 1. Transpose the packing.
  rewriter.setInsertionPointBefore(packing);
  const { source, paddingValue } = pack.operands(packing);
  const transposed = transposedTiling(tiling, outer, inner);
  const dest = createPackedDestination(rewriter, source, transposed);
  const newPack = createPack(rewriter, source, dest, transposed, paddingValue);

  // Step 2. Create the op on the transposed operand, with its map in the new order.
  const rank = source.type.shape.length;
  const order = [
    ...(outer.length === 0 ? Array.from({ length: rank }, (_, i) => i) : outer),
    ...(inner.length === 0 ? tiling.innerDimsPos.map((_, i) => i) : inner).map((at) => rank + at),
  ];
  rewriter.setInsertionPointBefore(operation);
  const { inputs, outputs, indexingMaps, iteratorTypes } = view;
  const values = [...inputs, ...outputs].with(used, newPack.results[0]!);
  const map = indexingMaps[used]!;
  const created = createGenericLike(rewriter, operation, {
    inputs: values.slice(0, inputs.length),
    outputs: values.slice(inputs.length),
    indexingMaps: indexingMaps.with(used, makeMap(map.numDims, 0, permuted(map.results, order))),
    iteratorTypes,
  });
  takeBody(rewriter, operation, created);

  // Step 3. Transpose the unpacking of its result.
  let newUnpack: DraftOperation | undefined;
  if (unpacking !== undefined) {
    rewriter.setInsertionPointBefore(unpacking);
    const result = created.results[position]! as Value<TensorType>;
    const own = transposedTiling(tilingOf(unpacking), outer, inner);
    newUnpack = createUnpack(rewriter, result, unpack.operands(unpacking).dest, own);
    rewriter.replaceOperation(unpacking, newUnpack.results);
  }

  // Step 4. Replace the op and its packing.
  rewriter.replaceOperation(operation, created.results, [created]);
  rewriter.replaceOperation(packing, newPack.results);
  return { packed: created, pack: newPack, unpack: newUnpack };
};

const producerOf = (rewriter: Rewriter, value: Value | undefined): DraftOperation | undefined => {
  const producer = value === undefined ? undefined : rewriter.definingOperation(value);
  return producer !== undefined && pack.is(producer) ? producer : undefined;
};

/** Whether the results of `operation` have exactly one use, in `user`. */
const isOnlyUse = (rewriter: Rewriter, operation: DraftOperation, user: DraftOperation): boolean => {
  const uses = operation.results.flatMap((result) =>
    rewriter
      .users(result)
      .flatMap((each) => each.operands.filter(({ id }) => id === result.id).map(() => each)),
  );
  return uses.length === 1 && uses[0] === user;
};

const transposedTiling = (
  { innerTiles, innerDimsPos, outerDimsPerm }: PackTiling,
  outer: readonly number[],
  inner: readonly number[],
): PackTiling => ({
  innerTiles: permuted(innerTiles, inner),
  innerDimsPos: permuted(innerDimsPos, inner),
  outerDimsPerm: outerDimsPerm.length === 0 ? outer : permuted(outerDimsPerm, outer),
});
