/**
 * Propagation of data layouts through `tensor.insert_slice` along whole tiles: a concatenation that is written as
 * insertions into an empty tensor.
 */
import type { PackTiling } from '@sconv/dialects';
import {
  createEmpty,
  createUnpack,
  createUnpackedDestination,
  insertSliceState,
  mixedSlice,
  permuted,
  tilingOf,
  unitStrideSlice,
} from '@sconv/dialects';
import { empty, insertSlice, unpack } from '@sconv/dialects/tensor';
import type { DraftOperation, RewritePattern, Rewriter, TensorType, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { definedBy, hasOneUse, onOp } from '../match.ts';
import { isFull, isSameTiling, packedTypeOf } from './packed-types.ts';
import type { PropagationControl } from './propagation-control.ts';

/** The insertions into one tensor that starts empty, in order, of which `operation` is one; undefined for others. */
const insertionsAround = (
  rewriter: Rewriter,
  operation: DraftOperation,
): readonly DraftOperation[] | undefined => {
  const chain = [operation];
  for (;;) {
    const { dest } = insertSlice.operands(chain[0]!);
    if (definedBy(rewriter, dest, empty) !== undefined) break;
    const before = definedBy(rewriter, dest, insertSlice);
    if (before === undefined || !hasOneUse(rewriter, dest)) return undefined;
    chain.unshift(before);
  }
  for (;;) {
    const [result] = chain.at(-1)!.results;
    const [next] = rewriter.users(result!);
    const isNext = next !== undefined && insertSlice.is(next) && hasOneUse(rewriter, result!);
    if (!isNext || insertSlice.operands(next).dest.id !== result!.id) return chain;
    chain.push(next);
  }
};

/** Where the tiles of an insertion go; undefined unless it is of whole tiles at known places, in steps of one. */
const packedOffsets = (operation: DraftOperation, tiling: PackTiling): readonly number[] | undefined => {
  const { offsets, strides } = mixedSlice(operation);
  const known = offsets.filter((offset) => typeof offset === 'number');
  if (known.length < offsets.length || strides.some((stride) => stride !== 1)) return undefined;
  const outer = known.map((offset, position) => {
    const tile = tiling.innerTiles[tiling.innerDimsPos.indexOf(position)] ?? 1;
    return typeof tile === 'number' && offset % tile === 0 ? offset / tile : undefined;
  });
  const whole = outer.filter((offset) => offset !== undefined);
  if (whole.length < outer.length) return undefined;
  return [...permuted(whole, tiling.outerDimsPerm), ...tiling.innerTiles.map(() => 0)];
};

/** Insertions of tensors that are unpacked alike, along whole tiles: their tiles are inserted, then unpacked. */
export const unpackThroughInsertSlice = (control: PropagationControl): RewritePattern =>
  onOp(insertSlice, 'push-down-unpack-through-insert-slice', (rewriter, operation) => {
    const first = definedBy(rewriter, insertSlice.operands(operation).source, unpack);
    const chain = first && insertionsAround(rewriter, operation);
    if (first === undefined || chain === undefined) return;
    const tiling = tilingOf(first);
    const last = chain.at(-1)!;
    const whole = last.results[0] as Value<TensorType>;
    // 1. Each insertion is one of tiles.
    const parts = chain.flatMap((each) => {
      const { source } = insertSlice.operands(each) as { readonly source: Value<TensorType> };
      const producer = definedBy(rewriter, source, unpack);
      const offsets = packedOffsets(each, tiling);
      if (producer === undefined || offsets === undefined || !isSameTiling(tilingOf(producer), tiling))
        return [];
      const tiles = unpack.operands(producer).source;
      const isWhole =
        source.type.shape.length === whole.type.shape.length &&
        isFull(source, tiling) &&
        typeEquals(tiles.type, packedTypeOf(source.type, tiling)) &&
        control({ rewriter, producer, consumer: each, operand: 0 });
      return isWhole ? [{ tiles, offsets }] : [];
    });
    if (parts.length < chain.length || !isFull(whole, tiling)) return;
    // 2. The tiles, inserted where the last insertion is.
    rewriter.setInsertionPointBefore(last);
    const type = packedTypeOf(whole.type, tiling);
    const inserted = parts.reduce<Value<TensorType>>(
      (dest, { tiles, offsets }) =>
        rewriter.createValue(
          insertSliceState(tiles, dest, unitStrideSlice({ offsets, sizes: tiles.type.shape })),
        ) as Value<TensorType>,
      createEmpty(rewriter, type.shape, type.elementType),
    );
    const dest = createUnpackedDestination(rewriter, inserted, tiling);
    rewriter.replaceOperation(last, createUnpack(rewriter, inserted, dest, tiling).results);
  });
