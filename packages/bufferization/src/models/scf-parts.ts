/** What the models of the scf dialect share. */
import type { MixedIndex } from '@sconv/dialects';
import { indexNumber } from '@sconv/dialects';
import { firstInit } from '@sconv/dialects/scf';
import type { DraftBlock, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';
import type { ModelContext, Operand } from '../op-model.ts';
import { isTensor } from '../op-model.ts';
import type { Bufferizer } from '../rewriting/bufferizer.ts';

export const positionOf = (values: readonly Value[], { id }: Value): number =>
  values.findIndex((value) => value.id === id);

export const bodyEnd = (operation: DraftOperation, region = 0): DraftOperation =>
  terminatorOf(operation.regions[region]!.blocks[0]!);

export const constantOf = ({ rewriter }: ModelContext, index: MixedIndex): number | undefined =>
  indexNumber(rewriter, index);

/** The result of a loop that carries this initial value. */
export const carrierOf = ({ operation, index }: Operand): Value =>
  operation.results[index - firstInit(operation)]!;

/** The new block arguments, converted back to tensors where the old ones were tensors that others may use. */
export const asBefore = (
  b: Bufferizer,
  values: readonly Value[],
  before: readonly Value[],
): readonly Value[] => values.map((value, i) => (isTensor(before[i]!) ? b.bridged(value) : value));

/** The initial values of a loop as buffers, with the types of the new iter args. */
export const initsOf = (
  b: Bufferizer,
  loop: DraftOperation,
  inits: readonly Value[],
  carriers: readonly Value[],
): readonly Value[] => {
  const buffers = inits.map((init) => b.buffer(init));
  b.rewriter.setInsertionPointBefore(loop);
  return buffers.map((buffer, i) =>
    isTensor(carriers[i]!) ? b.createCast(buffer, b.types.of(carriers[i]!)) : buffer,
  );
};

/** A body that takes over the operations of a block. */
export const movedBody = (b: Bufferizer, block: DraftBlock, types: readonly Value['type'][]) => ({
  argumentTypes: types,
  build: (rewriter: Rewriter, ...values: Value[]): void => {
    rewriter.inlineBlock(block, asBefore(b, values, block.arguments));
  },
});
