/** `scf.while` and its condition. */
import { error } from '@sconv/diagnostics';
import type { DraftBlock, DraftOperation, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';
import type { OpModel } from '../op-model.ts';
import { isTensor } from '../op-model.ts';
import type { AnalysisState } from '../analysis/analysis-state.ts';
import { initsOf, movedBody, positionOf } from './scf-parts.ts';

/** Sound decisions are made only for loops that carry a tensor in one buffer. */
const unsupported = 'may yield a buffer other than that of its iter arg';

const whileParts = (loop: DraftOperation) => {
  const [before, after] = [loop.regions[0]!.blocks[0]!, loop.regions[1]!.blocks[0]!];
  return {
    before,
    after,
    condition: terminatorOf(before),
    decided: terminatorOf(before).operands.slice(1),
    end: terminatorOf(after),
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

export const whileModel: OpModel = {
  reads: () => true,
  writes: () => true,
  unsupported: () => unsupported,
  isWritable: () => true,
  upstream: {
    isRepetitive: () => true,
    aliases: ({ operation, index }, state) => {
      const value = operation.results[index];
      if (value === undefined || !sameType(operation.operands[index], value)) return [];
      return [{ value, relation: isSameThroughout(operation, index, state) ? 'same' : 'overlaps' }];
    },
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

export const conditionModel: OpModel = {
  unsupported: () => unsupported,
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
