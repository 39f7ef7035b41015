/** Moves `tensor.unpack` behind the ops that read it. */
import type { PackTiling } from '@sconv/dialects';
import { createEmpty, createUnpack, createUnpackedDestination, tilingOf } from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { generic } from '@sconv/dialects/linalg';
import { pad, unpack } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { isStaticShape, typeEquals } from '@sconv/ir';
import { definedBy, onOp } from '../match.ts';
import type { PropagationControl } from './propagation-control.ts';
import type { PackedDomain } from './packed-domain.ts';
import { packedDomain } from './packed-domain.ts';
import {
  createPacked,
  createPackedGeneric,
  elementwiseView,
  isEmpty,
  packedOperands,
} from './packed-generic.ts';
import { createPackedPad, packedPadding } from './packed-pad.ts';
import { isFull } from './packed-types.ts';

/** An operand that is unpacked, and the unpacking. */
interface UnpackedOperand {
  readonly position: number;
  readonly producer: DraftOperation;
}

/** The operands of an op that are unpacked. */
export const unpackedOperands = (
  rewriter: Rewriter,
  { operands }: DraftOperation,
): readonly UnpackedOperand[] =>
  operands.flatMap((operand, position) => {
    const producer = definedBy(rewriter, operand, unpack);
    return producer === undefined ? [] : [{ position, producer }];
  });

/**
 * An unpacked operand of a generic op: the op in the packed domain, then unpacked.
 *
 * @deviation Not if tiles may be partial, where upstream packs without padding: into IR that is not valid if sizes are
 * known, and of undefined behaviour if they are not. Nor if there are neither tiles nor a permutation, where upstream
 * does not end.
 */
export const unpackThroughGeneric = (control: PropagationControl): RewritePattern =>
  onOp(generic, 'push-down-unpack-through-generic', (rewriter, operation) => {
    const view = elementwiseView(rewriter, operation);
    const [unpacked, ...more] = view === undefined ? [] : unpackedOperands(rewriter, operation);
    if (view === undefined || unpacked === undefined || more.length > 0) return;
    const { position, producer } = unpacked;
    if (!control({ rewriter, producer, consumer: operation, operand: position })) return;
    const domain = packedDomain(view, position, tilingOf(producer));
    if (domain !== undefined) pushDownUnpack(rewriter, operation, view, unpacked, domain);
  });

/**
 * Replaces a structured op of one result by one in the packed domain of an unpacked operand, unpacked; leaves it if
 * tiles may be partial, or nothing would change. Whether it did.
 */
export const pushDownUnpack = (
  rewriter: Rewriter,
  operation: DraftOperation,
  view: StructuredOp,
  { position, producer }: UnpackedOperand,
  domain: PackedDomain,
): boolean => {
  // Step 1. Derive all operands in the packed domain.
  const operands = packedOperands(view, domain);
  const areFull = operation.operands.every((value, i) => {
    const { tiling } = operands[i]!;
    return tiling === undefined || isFull(value, tiling);
  });
  if (!areFull || operands[position]!.tiling === undefined) return false;

  // Step 2. Create the op there. Of a packed empty destination, only the new destination is used.
  const init = view.outputs[0]!;
  const { tiling } = operands.at(-1)!;
  const { value, pack: packed } = createPacked(rewriter, init, tiling);
  const dest = packed !== undefined && isEmpty(rewriter, init) ? packed.operands[1]! : value;
  const created = createPackedGeneric(rewriter, operation, view, domain, operands, dest);
  const [result] = created.results as readonly [Value<TensorType>];
  if (tiling === undefined) {
    rewriter.replaceOperation(operation, [result]);
    return true;
  }

  // Step 3. Unpack its result, into the destination of the old unpacking if that has the type.
  const old = unpack.operands(producer).dest;
  const type = init.type as TensorType;
  const into =
    typeEquals(old.type, type) && isStaticShape(type)
      ? old
      : createUnpackedDestination(rewriter, result, tiling);
  rewriter.replaceOperation(operation, createUnpack(rewriter, result, into, tiling).results);
  return true;
};

/**
 * A padded unpacking, along dimensions that are not tiled: the tiles padded, then unpacked.
 *
 * @deviation Not if the result has dynamic sizes, for which upstream creates no operands.
 */
export const unpackThroughPad = (control: PropagationControl): RewritePattern =>
  onOp(pad, 'push-down-unpack-through-pad', (rewriter, operation) => {
    const producer = definedBy(rewriter, operation.operands[0], unpack);
    if (producer === undefined || !control({ rewriter, producer, consumer: operation, operand: 0 })) return;
    const tiling: PackTiling = tilingOf(producer);
    const padding = packedPadding(rewriter, operation, tiling);
    const { shape, elementType } = operation.results[0]!.type as TensorType;
    if (padding === undefined || !isStaticShape(operation.results[0]!.type as TensorType)) return;
    const padded = createPackedPad(rewriter, operation, unpack.operands(producer).source, padding);
    const dest = createEmpty(rewriter, shape, elementType);
    rewriter.replaceOperation(operation, createUnpack(rewriter, padded, dest, tiling).results);
  });
