/** Moves `tensor.pack` before the op that it packs. */
import {
  createEmpty,
  createPack,
  createPackedDestination,
  createUnpack,
  createUnpackedDestination,
  mixedIndices,
  tilingOf,
} from '@sconv/dialects';
import { empty, pack, pad } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { definedBy, hasOneUse, onOp } from '../match.ts';
import { canUseBefore } from './can-use-before.ts';
import type { PropagationControl } from './propagation-control.ts';
import { packedDomain } from './packed-domain.ts';
import {
  createPacked,
  createPackedGeneric,
  elementwiseView,
  isEmpty,
  packedOperands,
} from './packed-generic.ts';
import { createPackedPad, packedPadding, packedPadType } from './packed-pad.ts';
import { isSameTiling, mayBeFull, packedTypeOf, unpackedTypeOf } from './packed-types.ts';

/** The values that a packing takes beside its source. */
const sizesOf = (rewriter: Rewriter, operation: DraftOperation): readonly Value[] => {
  const { dest, innerTiles } = pack.operands(operation);
  const made = definedBy(rewriter, dest, empty);
  return [...innerTiles, ...(made === undefined ? [dest] : made.operands)];
};

/**
 * A packed generic op: the op in the packed domain, of packed operands.
 *
 * @deviation Not if the op's own result would have another type or layout, or if sizes are computed behind the op: for
 * those, upstream creates IR that is not valid. For padding, upstream's driver does not converge.
 */
export const packThroughGeneric = (control: PropagationControl): RewritePattern =>
  onOp(pack, 'bubble-up-pack-through-generic', (rewriter, operation) => {
    // Step 1. Derive the packed domain, and all operands in it.
    const { source, dest, paddingValue } = pack.operands(operation);
    const producer = rewriter.definingOperation(source);
    const view = elementwiseView(rewriter, producer);
    if (producer === undefined || view === undefined || paddingValue !== undefined) return;
    if (!control({ rewriter, producer, consumer: operation, operand: 0 })) return;
    if (!hasOneUse(rewriter, source) || !hasOneUse(rewriter, dest)) return;
    const tiling = tilingOf(operation);
    const domain = packedDomain(view, view.inputs.length, tiling);
    if (domain === undefined) return;
    const operands = packedOperands(view, domain);
    const init = view.outputs[0]!;
    if (!isSameTiling(operands.at(-1)!.tiling, tiling)) return;
    if (!isEmpty(rewriter, init) && !typeEquals(packedTypeOf(source.type, tiling), dest.type)) return;
    if (!canUseBefore(rewriter, sizesOf(rewriter, operation), producer, operation)) return;
    const mayAllBeFull = view.inputs.every((input, i) => {
      const { tiling: own } = operands[i]!;
      return own === undefined || mayBeFull(input, own);
    });
    if (!mayAllBeFull) return;

    // Step 2. Create the destination. What is not used of it is erased.
    rewriter.setInsertionPointBefore(producer);
    const made = definedBy(rewriter, dest, empty);
    const { elementType, shape } = dest.type;
    const into =
      made === undefined ? dest : createEmpty(rewriter, mixedIndices(made.operands, shape), elementType);
    const packed = createPacked(rewriter, init, operands.at(-1)!.tiling).value;

    // Step 3. Create the op there.
    const created = createPackedGeneric(
      rewriter,
      producer,
      view,
      domain,
      operands,
      isEmpty(rewriter, init) ? into : packed,
    );
    rewriter.replaceOperation(operation, created.results);
  });

/**
 * A packed padding, along dimensions that are not tiled: the packing padded. Other users of the padding get it
 * unpacked.
 *
 * @deviation Not if the result would have another type, or if tile sizes are computed behind the padding.
 */
export const packThroughPad = (control: PropagationControl): RewritePattern =>
  onOp(pack, 'bubble-up-pack-through-pad', (rewriter, operation) => {
    const { source: padded, dest, paddingValue, innerTiles } = pack.operands(operation);
    const producer = definedBy(rewriter, padded, pad);
    if (producer === undefined || paddingValue !== undefined || !isEmpty(rewriter, dest)) return;
    if (!control({ rewriter, producer, consumer: operation, operand: 0 })) return;
    const tiling = tilingOf(operation);
    const padding = packedPadding(rewriter, producer, tiling);
    if (padding === undefined) return;
    const { source } = pad.operands(producer);
    if (!typeEquals(packedPadType(packedTypeOf(source.type, tiling), padding), dest.type)) return;
    if (!canUseBefore(rewriter, innerTiles, producer, operation)) return;
    const isShared = !hasOneUse(rewriter, padded);
    if (isShared && !typeEquals(unpackedTypeOf(dest.type, tiling), padded.type)) return;

    rewriter.setInsertionPointBefore(producer);
    const tiles = createPackedDestination(rewriter, source, tiling);
    const packed = createPack(rewriter, source, tiles, tiling, undefined);
    const made = createPackedPad(rewriter, producer, packed.results[0] as Value<TensorType>, padding);
    if (isShared) {
      const whole = createUnpackedDestination(rewriter, made, tiling);
      const unpacked = createUnpack(rewriter, made, whole, tiling);
      rewriter.replaceAllUsesWith(padded, unpacked.results[0]!);
    }
    rewriter.replaceOperation(operation, [made]);
  });
