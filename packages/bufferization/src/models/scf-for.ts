/**
 * `scf.for`. With sound decisions a carried tensor has one buffer for the whole loop, into which what an iteration
 * hands on is copied if it lives elsewhere; upstream lets loops carry buffers.
 */
import { error } from '@sconv/diagnostics';
import { runsAtLeastOnce } from '@sconv/dialects';
import { firstInit, forBounds, forOp } from '@sconv/dialects/scf';
import type { DraftBlock, DraftOperation, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';
import type { OpModel } from '../op-model.ts';
import { isTensor } from '../op-model.ts';
import type { Bufferizer } from '../rewriting/bufferizer.ts';
import { entryBlock } from '../rewriting/entry-block.ts';
import type { TensorCopies } from '../rewriting/tensor-copies.ts';
import type { AnalysisState } from '../analysis/analysis-state.ts';
import { bodyEnd, carrierOf, constantOf, initsOf, movedBody, positionOf } from './scf-parts.ts';

const carriedBy = (loop: DraftOperation): readonly Value[] => entryBlock(loop).arguments.slice(1);

const isSameYield = (loop: DraftOperation, i: number, state: AnalysisState): boolean =>
  state.areEquivalent(carriedBy(loop)[i]!, bodyEnd(loop).operands[i]!);

/** Whether a value aliases nothing outside a block, nor its arguments other than `own`. */
const isApart = (value: Value, block: DraftBlock, own: Value, state: AnalysisState): boolean => {
  const { rewriter } = state;
  return state.aliasesOf(value).every((alias) => {
    if (alias.id === own.id) return true;
    const owner = rewriter.owningBlock(alias);
    if (owner !== undefined)
      return (
        owner.region !== block.region &&
        rewriter.isWithin(owner.region.operation, block.region.operation) &&
        owner.region.operation !== block.region.operation
      );
    const definition = rewriter.definingOperation(alias);
    return (
      definition !== undefined &&
      definition !== block.region.operation &&
      rewriter.isWithin(definition, block.region.operation)
    );
  });
};

const resolveFor = (loop: DraftOperation, copies: TensorCopies): void => {
  const { state } = copies;
  copies.resolve(loop);
  if (state.options.copyBeforeWrite) return;
  const body = entryBlock(loop);
  const end = terminatorOf(body);
  state.rewriter.setInsertionPointBefore(end);
  const values = end.operands.map((value, i) => {
    const own = carriedBy(loop)[i]!;
    return !isTensor(own) || isApart(value, body, own, state) ? value : copies.copyOf(value, end);
  });
  state.rewriter.setOperands(end, values);
};

const bufferizeFor = (loop: DraftOperation, b: Bufferizer): void => {
  if (!b.isBridging) {
    bufferizeForInPlace(loop, b);
    return;
  }
  const { lowerBound, upperBound, step, initArgs } = forOp.operands(loop);
  const inits = initsOf(b, loop, initArgs, loop.results);
  const types = inits.map(({ type }) => type);
  const created = b.createLike(loop, {
    operands: [lowerBound, upperBound, step, ...inits],
    resultTypes: types,
    bodies: [movedBody(b, entryBlock(loop), [lowerBound.type, ...types])],
  });
  b.replace(loop, created.results, [created]);
};

/** A loop without buffers among its iter args: a carried tensor has one buffer, that of its initial value. */
const bufferizeForInPlace = (loop: DraftOperation, b: Bufferizer): void => {
  const { rewriter } = b;
  const { lowerBound, upperBound, step, initArgs } = forOp.operands(loop);
  const buffers = loop.results.map((result, i) => (isTensor(result) ? initArgs[i]! : undefined));
  const body = entryBlock(loop);
  const scalars = initArgs.filter((_, i) => buffers[i] === undefined);
  const types = scalars.map(({ type }) => type);
  const created = b.createLike(loop, {
    operands: [lowerBound, upperBound, step, ...scalars],
    resultTypes: types,
    bodies: [
      {
        argumentTypes: [lowerBound.type, ...types],
        build: (builder, induction, ...carried) => {
          const remaining = carried.values();
          const values = buffers.map((buffer) => buffer ?? remaining.next().value!);
          builder.inlineBlock(body, [induction, ...values]);
        },
      },
    ],
  });
  b.bufferizeRegions(created);
  const end = bodyEnd(created);
  rewriter.setInsertionPointBefore(end);
  carryOver(b, loop, end.operands, buffers);
  rewriter.setOperands(
    end,
    end.operands.filter((_, i) => buffers[i] === undefined),
  );
  const results = created.results.values();
  b.replace(
    loop,
    buffers.map((buffer) => buffer ?? results.next().value!),
    [created],
  );
};

/**
 * Copies yielded values that live elsewhere into the buffers of their carried tensors. Values that may alias one of
 * these buffers are saved before any is written.
 */
const carryOver = (
  b: Bufferizer,
  loop: DraftOperation,
  yielded: readonly Value[],
  buffers: readonly (Value | undefined)[],
): void => {
  const carried = b.carried.get(loop.id);
  const sources = yielded.map((value, i) => {
    const buffer = buffers[i];
    if (buffer === undefined || buffer.id === value.id) return undefined;
    return carried?.[i] === 'overlaps' ? b.allocate(value, true, loop) : value;
  });
  sources.forEach((source, i) => {
    if (source !== undefined) b.createCopy(source, buffers[i]!);
  });
};

export const forModel: OpModel = {
  holdsTensors: true,
  // The loop itself does not access an initial value, but the carried tensor lives in its buffer.
  reads: ({ operation, index }, context) => {
    // With a trip count of zero the results are the initial values.
    if (!runsAtLeastOnce(forBounds(operation), (bound) => constantOf(context, bound))) return true;
    return context.isRead(carriedBy(operation)[index - firstInit(operation)]!);
  },
  writes: () => true,
  aliases: (operand) => [{ value: carrierOf(operand), relation: 'same' }],
  isWritable: () => true,
  upstream: {
    // The buffer that an iteration hands on may be another.
    aliases: (operand, state) => {
      const { operation, index } = operand;
      const isSame = isSameYield(operation, index - firstInit(operation), state);
      return [{ value: carrierOf(operand), relation: isSame ? 'same' : 'overlaps' }];
    },
    resolveConflicts: resolveFor,
    verifyAnalysis: (loop, state) => {
      if (state.options.allowReturnAllocsFromLoops) return undefined;
      const i = loop.results.findIndex(
        (result, position) => isTensor(result) && !isSameYield(loop, position, state),
      );
      return i < 0
        ? undefined
        : error(
            'bufferize/other-yield',
            `Yield operand #${i} is not equivalent to the corresponding iter bbArg`,
            bodyEnd(loop).location,
          );
    },
  },
  bufferType: (value, loop, types) => {
    const result = positionOf(loop.results, value);
    const [, ...carried] = entryBlock(loop).arguments;
    if (result >= 0) return types.of(carried[result]!);
    const position = positionOf(carried, value);
    const init = forOp.operands(loop).initArgs[position]!;
    return types.carried(loop, value, init, bodyEnd(loop).operands[position]!);
  },
  bufferize: bufferizeFor,
};
