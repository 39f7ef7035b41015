/** Loops and branches. Loops have no buffer iter args: a carried tensor has one buffer (see `carried-values.ts`). */
import { constantIndexOf } from '@sconv/dialects';
import { firstInit, forall, forOp, ifOp } from '@sconv/dialects/scf';
import type { DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import type { BufferizationContext } from './bufferization-context.ts';
import { allocateCopy, bufferType, commonType, createCast, createCopy } from './buffers.ts';
import { endOf, entryBlock } from './draft-blocks.ts';
import type { Alias, ModelContext, OpModel, Use } from './op-model.ts';
import { isTensor, noOperands } from './op-model.ts';

const mayRunNever = (loop: DraftOperation, { rewriter }: ModelContext): boolean => {
  const { lowerBound, upperBound } = forOp.operands(loop);
  const lower = constantIndexOf(rewriter, lowerBound);
  const upper = constantIndexOf(rewriter, upperBound);
  return lower === undefined || upper === undefined || lower >= upper;
};

/**
 * Copies yielded values that live elsewhere into the buffers of their carried tensors. Values that may alias one of
 * these buffers are saved before any is written.
 */
const carryOver = (
  context: BufferizationContext,
  loop: DraftOperation,
  yielded: readonly Value[],
  buffers: readonly (Value | undefined)[],
): void => {
  const { rewriter } = context;
  const carried = context.carried.get(loop.id)!;
  const sources = yielded.map((value, i) => {
    const buffer = buffers[i];
    if (buffer === undefined || buffer.id === value.id) return undefined;
    return carried[i] === 'overlaps' ? allocateCopy(rewriter, value, context.alignment) : value;
  });
  sources.forEach((source, i) => {
    if (source !== undefined) createCopy(rewriter, source, buffers[i]!);
  });
};

const bufferizeFor = (loop: DraftOperation, context: BufferizationContext): void => {
  const { rewriter } = context;
  const [lowerBound, upperBound, step, ...inits] = loop.operands;
  const buffers = loop.results.map((result, i) =>
    isTensor(result) ? context.bufferFor(loop, firstInit(loop) + i) : undefined,
  );
  const body = entryBlock(loop);
  const scalars = inits.filter((_, i) => buffers[i] === undefined);
  const onBuffers = rewriter.create(
    forOp.state<Rewriter>({
      operands: { lowerBound: lowerBound!, upperBound: upperBound!, step: step!, initArgs: scalars },
      extra: loop.attributes,
      bodies: [
        {
          argumentTypes: [lowerBound!.type, ...scalars.map((scalar) => scalar.type)],
          build: (builder, induction, ...carried) => {
            const remaining = carried.values();
            const values = buffers.map((buffer) => buffer ?? remaining.next().value!);
            builder.inlineBlock(body, [induction, ...values]);
          },
        },
      ],
      location: loop.location,
    }),
  );
  const newBody = entryBlock(onBuffers);
  const end = endOf(newBody);
  context.bufferizeOperations(newBody.operations.slice(0, -1));
  rewriter.setInsertionPointBefore(end);
  carryOver(context, loop, end.operands, buffers);
  rewriter.setOperands(
    end,
    end.operands.filter((_, i) => buffers[i] === undefined),
  );
  const results = onBuffers.results.values();
  rewriter.replaceOperation(
    loop,
    buffers.map((buffer) => buffer ?? results.next().value!),
    [onBuffers],
  );
};

/** For each result of a branch: the value that both sides yield, or the type that both can be cast to. */
const joinBranches = (
  branch: DraftOperation,
  sides: readonly DraftOperation[],
): readonly (Value | { readonly type: MemRefType } | undefined)[] =>
  branch.results.map((result, i) => {
    if (!isTensor(result)) return undefined;
    const [then, otherwise] = sides.map((side) => side.operands[i]!);
    return then!.id === otherwise!.id
      ? then
      : { type: commonType(bufferType(then!), bufferType(otherwise!)) };
  });

const bufferizeIf = (branch: DraftOperation, context: BufferizationContext): void => {
  const { rewriter } = context;
  context.bufferizeRegions(branch);
  const sides = branch.regions.map((region) => endOf(region.blocks[0]!));
  const joined = joinBranches(branch, sides);
  const isKept = (i: number): boolean => joined[i] === undefined || !('id' in joined[i]);
  for (const side of sides) {
    rewriter.setInsertionPointBefore(side);
    const operands = side.operands.map((operand, i) => {
      const join = joined[i];
      return join === undefined || 'id' in join ? operand : createCast(rewriter, operand, join.type);
    });
    rewriter.setOperands(
      side,
      operands.filter((_, i) => isKept(i)),
    );
  }
  rewriter.setInsertionPointBefore(branch);
  const onBuffers = rewriter.create(
    ifOp.state<Rewriter>({
      operands: { condition: branch.operands[0]! },
      extra: branch.attributes,
      resultTypes: branch.results.flatMap((result, i) => (isKept(i) ? [joined[i]?.type ?? result.type] : [])),
      bodies: [undefined, undefined],
      location: branch.location,
    }),
  );
  branch.regions.forEach((region, i) => {
    rewriter.moveRegion(region, onBuffers.regions[i]!);
  });
  const results = onBuffers.results.values();
  rewriter.replaceOperation(
    branch,
    joined.map((join) => (join !== undefined && 'id' in join ? join : results.next().value!)),
    [onBuffers],
  );
};

const aliasesOfYield = ({ operation, index }: Use): readonly Alias[] => {
  const { parent } = operation;
  return parent !== undefined && ifOp.is(parent)
    ? [{ value: parent.results[index]!, relation: 'overlaps' }]
    : [];
};

/** The loop result of this initial value. */
const aliasOfInit = ({ operation, index }: Use): readonly Alias[] => [
  { value: operation.results[index - firstInit(operation)]!, relation: 'same' },
];

const bufferizeForall = (loop: DraftOperation, context: BufferizationContext): void => {
  const { rewriter } = context;
  const { outputs, ...bounds } = forall.operands(loop);
  const buffers = outputs.map((_, i) => context.bufferFor(loop, firstInit(loop) + i));
  const body = entryBlock(loop);
  const variables = body.arguments.slice(0, body.arguments.length - outputs.length);
  const onBuffers = rewriter.create(
    forall.state<Rewriter>({
      operands: { ...bounds, outputs: [] },
      attributes: forall.attributes(loop),
      resultTypes: [],
      bodies: [
        {
          argumentTypes: variables.map(({ type }) => type),
          build: (builder, ...counters) => {
            builder.inlineBlock(body, [...counters, ...buffers]);
          },
        },
      ],
      location: loop.location,
    }),
  );
  const newBody = entryBlock(onBuffers);
  context.bufferizeOperations(newBody.operations.slice(0, -1));
  context.bufferizeRegions(endOf(newBody));
  rewriter.replaceOperation(loop, buffers, [onBuffers]);
};

export const scfModels: Readonly<Record<string, OpModel>> = {
  'scf.for': {
    holdsTensors: true,
    // The loop itself does not access an initial value, but the carried tensor lives in its buffer.
    reads: ({ operation, index }, context) => {
      const [, ...carried] = bodyOf(operation).arguments;
      return mayRunNever(operation, context) || context.isRead(carried[index - firstInit(operation)]!);
    },
    writes: () => true,
    aliases: aliasOfInit,
    bufferize: bufferizeFor,
  },

  'scf.if': {
    holdsTensors: true,
    runsOneRegion: true,
    reads: () => false,
    writes: () => false,
    aliases: () => [],
    bufferize: bufferizeIf,
  },

  'scf.forall': {
    holdsTensors: true,
    // Elements that no iteration inserts keep their value.
    reads: () => true,
    writes: () => true,
    aliases: aliasOfInit,
    bufferize: bufferizeForall,
  },

  'scf.forall.in_parallel': { ...noOperands, holdsTensors: true, bufferize: () => undefined },

  'scf.yield': {
    unsupported: ({ parent }) =>
      parent !== undefined && (forOp.is(parent) || ifOp.is(parent))
        ? undefined
        : `ends a '${parent?.name ?? ''}'`,
    reads: () => true,
    writes: () => false,
    aliases: aliasesOfYield,
    isAlwaysInPlace: true,
    bufferize: () => {
      // Its operands are buffers; the parent op decides what it yields.
    },
  },
};
