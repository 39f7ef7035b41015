/** Branches of the scf dialect, and what ends the regions of its ops. */
import { error } from '@sconv/diagnostics';
import { executeRegion, forOp, ifOp, indexSwitch, whileOp } from '@sconv/dialects/scf';
import type { DraftOperation, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';
import { fail } from '../failure.ts';
import type { AliasedOperand, OpModel } from '../op-model.ts';
import { isTensor } from '../op-model.ts';
import { branchOperandsOf, bufferizeArguments } from '../rewriting/block-signature.ts';
import type { BufferTypes } from '../rewriting/buffer-types.ts';
import { bufferTypeOf } from '../rewriting/buffer-types.ts';
import type { Bufferizer } from '../rewriting/bufferizer.ts';
import { positionOf } from './scf-parts.ts';

const endsOf = ({ regions }: DraftOperation): readonly DraftOperation[] =>
  regions.map(({ blocks }) => terminatorOf(blocks[0]!));

const branchType = (value: Value, operation: DraftOperation, types: BufferTypes) => {
  const position = positionOf(operation.results, value);
  const [first, ...others] = endsOf(operation).map((end) => types.ofBuffer(end.operands[position]!));
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
  b.bufferizeRegions(operation);
  const types = operation.results.map((result) => (isTensor(result) ? b.types.of(result) : result.type));
  // A buffer that all regions yield is used directly. With bridges, the regions have been rewritten separately.
  const common = operation.results.map((result, i) =>
    isTensor(result) && !b.isBridging ? commonOperand(operation, i, b) : undefined,
  );
  const isKept = (_: unknown, i: number): boolean => common[i] === undefined;
  if (!b.isBridging) {
    for (const end of endsOf(operation)) {
      b.rewriter.setInsertionPointBefore(end);
      const values = end.operands.map((value, i) =>
        isTensor(operation.results[i]!) && isKept(value, i)
          ? b.createCast(value, bufferTypeOf({ type: types[i]! }))
          : value,
      );
      b.rewriter.setOperands(end, values.filter(isKept));
    }
  }
  const created = b.createWithRegions(operation, operation.operands, types.filter(isKept));
  const results = created.results.values();
  b.replace(
    operation,
    common.map((value) => value ?? results.next().value!),
    [created],
  );
};

/** The value from outside that all regions end with; undefined if they differ. */
const commonOperand = (operation: DraftOperation, position: number, b: Bufferizer): Value | undefined => {
  const [first, ...others] = endsOf(operation).map((end) => end.operands[position]!);
  const isCommon =
    b.rewriter.isDefinedOutside(first!, operation) && others.every(({ id }) => id === first!.id);
  return isCommon ? first : undefined;
};

/** The results alias what the regions end with. */
export const branchModel: OpModel = {
  holdsTensors: true,
  runsOneRegion: true,
  bufferType: branchType,
  bufferize: bufferizeBranch,
};

export const switchModel: OpModel = {
  ...branchModel,
  upstream: {
    // The terminators of the cases before the default's.
    sources: (value, operation) => {
      const index = positionOf(operation.results, value);
      const [first, ...others] = endsOf(operation);
      return [...others, first!].map((end): AliasedOperand => ({
        operand: { operation: end, index },
        relation: 'either',
      }));
    },
  },
};

/** The only `scf.yield` of a region; undefined if there are several. */
const onlyYield = (operation: DraftOperation): DraftOperation | undefined => {
  const ends = operation.regions[0]!.blocks.flatMap(({ last }) => (last?.name === 'scf.yield' ? [last] : []));
  return ends.length === 1 ? ends[0] : undefined;
};

export const executeRegionModel: OpModel = {
  holdsTensors: true,
  allowsBranches: true,
  unsupported: ({ regions }) => (regions[0]!.blocks.length === 1 ? undefined : 'has several blocks'),
  isWritable: () => true,
  upstream: {
    verifyAnalysis: (operation) =>
      onlyYield(operation) === undefined
        ? error(
            'bufferize/several-yields',
            "'scf.execute_region' op op without unique scf.yield is not supported",
            operation.location,
          )
        : undefined,
    sources: (value, operation, state) => {
      const end = onlyYield(operation);
      const index = positionOf(operation.results, value);
      if (index < 0) return branchOperandsOf(value, state);
      return end === undefined ? [] : [{ operand: { operation: end, index }, relation: 'same' }];
    },
  },
  bufferType: (value, operation, types) => {
    const position = positionOf(operation.results, value);
    return position < 0
      ? types.ofBlockArgument(value, operation)
      : types.ofBuffer(onlyYield(operation)!.operands[position]!);
  },
  bufferize: (operation, b) => {
    if (!b.isBridging) {
      bufferizeBranch(operation, b);
      return;
    }
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
export const yieldModel: OpModel = {
  reads: () => true,
  isAlwaysInPlace: true,
  unsupported: ({ parent }) =>
    parent !== undefined && [forOp, ifOp, indexSwitch, executeRegion].some((each) => each.is(parent))
      ? undefined
      : `terminates a region of '${parent?.name ?? ''}'`,
  aliases: ({ operation, index }) => {
    const { parent } = operation;
    if (parent === undefined) return [];
    if (ifOp.is(parent) || indexSwitch.is(parent)) {
      return [{ value: parent.results[index]!, relation: 'either' }];
    }
    return executeRegion.is(parent) ? [{ value: parent.results[index]!, relation: 'same' }] : [];
  },
  bufferize: (operation, b) => {
    // Without bridges, the loop or the branch decides what is handed on.
    if (!b.isBridging) return;
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
