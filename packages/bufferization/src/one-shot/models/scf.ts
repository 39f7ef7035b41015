/** The scf dialect. */
import { constantIndexOf } from '@sconv/dialects';
import type { MixedIndex } from '@sconv/dialects';
import {
  executeRegion,
  firstInit,
  forall,
  forallBounds,
  forOp,
  ifOp,
  indexSwitch,
  whileOp,
} from '@sconv/dialects/scf';
import { error } from '@sconv/diagnostics';
import type { DraftBlock, DraftOperation, Rewriter, Value } from '@sconv/ir';
import { endOf, entryBlock } from '../../draft-blocks.ts';
import type { AnalysisState } from '../analysis-state.ts';
import type { BufferTypes } from '../buffer-types.ts';
import type { Bufferizer } from '../bufferizer.ts';
import { fail } from '../failure.ts';
import { branchOperandsOf, bufferizeArguments } from '../block-signature.ts';
import type { AliasingOperand, OneShotModel } from '../model.ts';
import { equivalent, isTensor } from '../model.ts';
import type { TensorCopies } from '../tensor-copies.ts';

const positionOf = (values: readonly Value[], { id }: Value): number =>
  values.findIndex((value) => value.id === id);

const bodyEnd = (operation: DraftOperation, region = 0): DraftOperation =>
  endOf(operation.regions[region]!.blocks[0]!);

const constantOf = (state: AnalysisState, index: MixedIndex): number | undefined =>
  typeof index === 'number' ? index : constantIndexOf(state.rewriter, index);

/** The new block arguments, converted back to tensors where the old ones were tensors. */
const asBefore = (b: Bufferizer, values: readonly Value[], before: readonly Value[]): readonly Value[] =>
  values.map((value, i) => (isTensor(before[i]!) ? b.createToTensor(value) : value));

/** The initial values of a loop as buffers, with the types of the new iter args. */
const initsOf = (
  b: Bufferizer,
  loop: DraftOperation,
  inits: readonly Value[],
  carriers: readonly Value[],
): readonly Value[] => {
  const buffers = inits.map((init) => b.bufferOr(init));
  b.rewriter.setInsertionPointBefore(loop);
  return buffers.map((buffer, i) =>
    isTensor(carriers[i]!) ? b.createCast(buffer, b.types.of(carriers[i]!)) : buffer,
  );
};

/** A body that takes over the operations of a block. */
const movedBody = (b: Bufferizer, block: DraftBlock, types: readonly Value['type'][]) => ({
  argumentTypes: types,
  build: (rewriter: Rewriter, ...values: Value[]): void => {
    rewriter.inlineBlock(block, asBefore(b, values, block.arguments));
  },
});

// --- scf.for ---

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
  const end = endOf(body);
  state.rewriter.setInsertionPointBefore(end);
  const values = end.operands.map((value, i) => {
    const own = carriedBy(loop)[i]!;
    return !isTensor(own) || isApart(value, body, own, state) ? value : copies.copyOf(value, end);
  });
  state.rewriter.setOperands(end, values);
};

const bufferizeFor = (loop: DraftOperation, b: Bufferizer): void => {
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

const forModel: OneShotModel = {
  reads: ({ operation, index }, state) => {
    const { lowerBound, upperBound } = forOp.operands(operation);
    const [lower, upper] = [constantOf(state, lowerBound), constantOf(state, upperBound)];
    // With a trip count of zero the results are the initial values.
    if (lower === undefined || upper === undefined || upper <= lower) return true;
    return state.isRead(carriedBy(operation)[index - firstInit(operation)]!);
  },
  writes: () => true,
  aliasingValues: ({ operation, index }, state) => {
    const position = index - firstInit(operation);
    const value = operation.results[position]!;
    const isSame = isSameYield(operation, position, state);
    return [{ value, relation: isSame ? 'equivalent' : 'unknown', isDefinite: isSame }];
  },
  isWritable: () => true,
  isRepetitive: () => true,
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

// --- scf.while ---

const whileParts = (loop: DraftOperation) => {
  const [before, after] = [loop.regions[0]!.blocks[0]!, loop.regions[1]!.blocks[0]!];
  return {
    before,
    after,
    condition: endOf(before),
    decided: endOf(before).operands.slice(1),
    end: endOf(after),
  };
};

const isSameThroughout = (loop: DraftOperation, i: number, state: AnalysisState): boolean => {
  const { before, after, decided, end } = whileParts(loop);
  const [first, second] = [before.arguments[i], after.arguments[i]];
  return (
    first !== undefined &&
    second !== undefined &&
    state.areEquivalent(first, decided[i]!) &&
    end.operands[i] !== undefined &&
    state.areEquivalent(second, end.operands[i])
  );
};

const sameType = (a: Value | undefined, b: Value | undefined): boolean =>
  a !== undefined && b !== undefined && JSON.stringify(a.type) === JSON.stringify(b.type);

const whileModel: OneShotModel = {
  reads: () => true,
  writes: () => true,
  aliasingValues: ({ operation, index }, state) => {
    const value = operation.results[index];
    if (value === undefined || !sameType(operation.operands[index], value)) return [];
    const isSame = isSameThroughout(operation, index, state);
    return [{ value, relation: isSame ? 'equivalent' : 'unknown', isDefinite: isSame }];
  },
  isWritable: () => true,
  isRepetitive: () => true,
  resolveConflicts: (loop, copies) => {
    const { state } = copies;
    copies.resolve(loop);
    if (state.options.copyBeforeWrite) return;
    const { condition, decided } = whileParts(loop);
    state.rewriter.setInsertionPointBefore(condition);
    const values = decided.map((value, i) =>
      !isTensor(value) || isSameThroughout(loop, i, state) ? value : copies.copyOf(value, condition),
    );
    state.rewriter.setOperands(condition, [condition.operands[0]!, ...values]);
  },
  verifyAnalysis: (loop, state) => {
    if (state.options.allowReturnAllocsFromLoops) return undefined;
    const { before, after, condition, decided, end } = whileParts(loop);
    const otherThan = (values: readonly Value[], block: DraftBlock): number =>
      values.findIndex((value, i) => {
        const argument = block.arguments[i];
        return isTensor(value) && (argument === undefined || !state.areEquivalent(value, argument));
      });
    const first = otherThan(decided, before);
    if (first >= 0) {
      return error(
        'bufferize/other-condition',
        `Condition arg #${first} is not equivalent to the corresponding iter bbArg`,
        condition.location,
      );
    }
    const second = otherThan(end.operands, after);
    return second < 0
      ? undefined
      : error(
          'bufferize/other-while-yield',
          `Yield operand #${second} is not equivalent to the corresponding iter bbArg`,
          end.location,
        );
  },
  bufferType: (value, loop, types) => {
    const { before, after, decided, end } = whileParts(loop);
    const first = positionOf(before.arguments, value);
    if (first >= 0) return types.carried(loop, value, loop.operands[first]!, end.operands[first]!);
    const result = positionOf(loop.results, value);
    return types.ofBuffer(decided[result >= 0 ? result : positionOf(after.arguments, value)]!);
  },
  bufferize: (loop, b) => {
    const { before, after } = whileParts(loop);
    const inits = initsOf(b, loop, loop.operands, before.arguments);
    const results = after.arguments.map((argument) =>
      isTensor(argument) ? b.types.of(argument) : argument.type,
    );
    const created = b.createLike(loop, {
      operands: inits,
      resultTypes: results,
      bodies: [
        movedBody(
          b,
          before,
          inits.map(({ type }) => type),
        ),
        movedBody(b, after, results),
      ],
    });
    b.replace(loop, created.results, [created]);
  },
};

const conditionModel: OneShotModel = {
  reads: () => true,
  isAlwaysInPlace: true,
  bufferize: (operation, b) => {
    const after = operation.parent!.regions[1]!.blocks[0]!;
    const [condition, ...values] = operation.operands;
    const buffers = values.map((value, i) =>
      isTensor(value) ? b.createCast(b.buffer(value), b.types.ofBuffer(after.arguments[i]!)) : value,
    );
    b.rewriter.setOperands(operation, [condition!, ...buffers]);
  },
};

// --- Branches ---

/** The results alias the terminator operands of the regions. */
const branches: Pick<OneShotModel, 'aliasingOperands' | 'bufferType' | 'runsOneRegion'> = {
  runsOneRegion: true,
  aliasingOperands: (value, operation, state) => {
    const position = positionOf(operation.results, value);
    return inOrderOfBranches(operation).map((end): AliasingOperand => ({
      operand: state.operand(end, position),
      relation: 'equivalent',
      isDefinite: false,
    }));
  },
  bufferType: (value, operation, types) => branchType(value, operation, types),
};

/** The terminators of the regions; those of a switch's cases before its default's. */
const inOrderOfBranches = (operation: DraftOperation): readonly DraftOperation[] => {
  const ends = operation.regions.map(({ blocks }) => endOf(blocks[0]!));
  return indexSwitch.is(operation) ? [...ends.slice(1), ends[0]!] : ends;
};

const branchType = (value: Value, operation: DraftOperation, types: BufferTypes) => {
  const position = positionOf(operation.results, value);
  const [first, ...others] = operation.regions.map(({ blocks }) =>
    types.ofBuffer(endOf(blocks[0]!).operands[position]!),
  );
  return types.common(value, first!, others, () =>
    fail(
      'bufferize/branch-memory-space',
      indexSwitch.is(operation)
        ? 'inconsistent memory space on switch cases'
        : 'inconsistent memory space on then/else branches',
      operation,
    ),
  );
};

const bufferizeBranch = (operation: DraftOperation, b: Bufferizer): void => {
  const types = operation.results.map((result) => (isTensor(result) ? b.types.of(result) : result.type));
  b.rewriter.setInsertionPointBefore(operation);
  const created = b.createWithRegions(operation, operation.operands, types);
  b.replace(operation, created.results, [created]);
};

/** The only `scf.yield` of a region; undefined if there are several. */
const onlyYield = (operation: DraftOperation): DraftOperation | undefined => {
  const ends = operation.regions[0]!.blocks.flatMap(({ last }) => (last?.name === 'scf.yield' ? [last] : []));
  return ends.length === 1 ? ends[0] : undefined;
};

const executeRegionModel: OneShotModel = {
  allowsBranches: true,
  isWritable: () => true,
  verifyAnalysis: (operation) =>
    onlyYield(operation) === undefined
      ? error(
          'bufferize/several-yields',
          "'scf.execute_region' op op without unique scf.yield is not supported",
          operation.location,
        )
      : undefined,
  bufferType: (value, operation, types) => {
    const position = positionOf(operation.results, value);
    return position < 0
      ? types.ofBlockArgument(value, operation)
      : types.ofBuffer(onlyYield(operation)!.operands[position]!);
  },
  aliasingOperands: (value, operation, state) => {
    const end = onlyYield(operation);
    const position = positionOf(operation.results, value);
    if (position < 0) return branchOperandsOf(value, state);
    return end === undefined
      ? []
      : [{ operand: state.operand(end, position), relation: 'equivalent', isDefinite: true }];
  },
  bufferize: (operation, b) => {
    const types = onlyYield(operation)!.operands.map(({ type }) => type);
    const created = b.createWithRegions(operation, [], types);
    for (const block of created.regions[0]!.blocks) bufferizeArguments(block, b);
    b.replace(operation, created.results, [created]);
  },
};

/**
 * @deviation Upstream assumes that the results of `scf.index_switch` do not alias the values that its cases yield,
 * and misses conflicts.
 */
const yieldModel: OneShotModel = {
  reads: () => true,
  isAlwaysInPlace: true,
  aliasingValues: ({ operation, index }) => {
    const { parent } = operation;
    if (parent === undefined) return [];
    if (ifOp.is(parent) || indexSwitch.is(parent)) return [equivalent(parent.results[index]!, false)];
    return executeRegion.is(parent) ? [equivalent(parent.results[index]!)] : [];
  },
  bufferize: (operation, b) => {
    const parent = operation.parent!;
    const carriers = whileOp.is(parent) ? parent.regions[0]!.blocks[0]!.arguments : parent.results;
    const values = operation.operands.map((value, i) => {
      if (!isTensor(value)) return value;
      const buffer = b.buffer(value);
      return executeRegion.is(parent) ? buffer : b.createCast(buffer, b.types.ofBuffer(carriers[i]!));
    });
    b.rewriter.setOperands(operation, values);
  },
};

// --- scf.forall ---

const sharedBy = (loop: DraftOperation): readonly Value[] =>
  entryBlock(loop).arguments.slice(entryBlock(loop).arguments.length - loop.results.length);

const repeats = (operation: DraftOperation, state: AnalysisState): boolean =>
  forallBounds(operation).some(({ lower, upper, step }) => {
    const [first, last, by] = [lower, upper, step].map((index) => constantOf(state, index));
    return first === undefined || last === undefined || by === undefined || first + by < last;
  });

const forallModel: OneShotModel = {
  reads: ({ operation, index }, state) => {
    const mayNotRun = forallBounds(operation).some(({ lower, upper }) => {
      const [first, last] = [constantOf(state, lower), constantOf(state, upper)];
      return first === undefined || last === undefined || first >= last;
    });
    return mayNotRun || state.isRead(sharedBy(operation)[index - firstInit(operation)]!);
  },
  writes: () => true,
  aliasingValues: ({ operation, index }) => [equivalent(operation.results[index - firstInit(operation)]!)],
  isWritable: () => true,
  isRepetitive: (operation, _region, state) => repeats(operation, state),
  isParallel: (operation, _region, state) => repeats(operation, state),
  bufferType: (value, loop, types) => {
    const position = Math.max(positionOf(sharedBy(loop), value), positionOf(loop.results, value));
    return types.ofBuffer(loop.operands[firstInit(loop) + position]!);
  },
  bufferize: (loop, b) => {
    const { rewriter } = b;
    const { outputs, ...bounds } = forall.operands(loop);
    const buffers = outputs.map((value) => b.bufferOr(value));
    const body = entryBlock(loop);
    rewriter.setInsertionPointBefore(loop);
    const created = rewriter.create(
      forall.state<Rewriter>({
        operands: { ...bounds, outputs: [] },
        attributes: forall.attributes(loop),
        extra: discardable(loop),
        resultTypes: [],
        bodies: [
          {
            argumentTypes: body.arguments
              .slice(0, body.arguments.length - buffers.length)
              .map(({ type }) => type),
            build: (builder, ...counters) => {
              const tensors = buffers.map((buffer) => b.createToTensor(buffer));
              builder.inlineBlock(body, [...counters, ...tensors]);
            },
          },
        ],
        location: loop.location,
      }),
    );
    b.replace(loop, buffers, [created]);
  },
};

/** The discardable attributes of a loop: those that its definition does not declare. */
const discardable = ({ attributes }: DraftOperation): DraftOperation['attributes'] => {
  const own = ['staticLowerBound', 'staticUpperBound', 'staticStep', 'mapping', 'operandSegmentSizes'];
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !own.includes(name)));
};

export const scfOneShotModels: Readonly<Record<string, OneShotModel>> = {
  'scf.for': forModel,
  'scf.while': whileModel,
  'scf.condition': conditionModel,
  'scf.if': { ...branches, bufferize: bufferizeBranch },
  'scf.index_switch': { ...branches, bufferize: bufferizeBranch },
  'scf.execute_region': executeRegionModel,
  'scf.yield': yieldModel,
  'scf.forall': forallModel,
  'scf.forall.in_parallel': { bufferize: () => undefined },
};
