/**
 * One-Shot Analysis: decides operand by operand whether it bufferizes in place, which it does unless that conflicts
 * with earlier decisions.
 */
import { call, funcOp } from '@sconv/dialects/func';
import type { DraftOperation } from '@sconv/ir';
import { hasTrait } from '@sconv/ir';
import { innerFirst } from '../inner-first.ts';
import type { AnalysisState } from '../analysis/analysis-state.ts';
import { Conflicts } from '../analysis/conflicts.ts';
import { fail, giveUp } from '../failure.ts';
import { calleeOf, orderedByCalls, summaryOf } from '../function-facts.ts';
import type { FunctionSummary } from '../function-summary.ts';
import { annotate } from './annotations.ts';
import { shuffle } from './mersenne-twister.ts';
import { isTensor } from '../op-model.ts';
import type { OneShotState } from '../analysis/one-shot-state.ts';

/** Whether an operation has tensors to bufferize. */
export const hasTensorSemantics = (state: OneShotState, operation: DraftOperation): boolean => {
  const model = state.model(operation);
  return model?.hasTensors?.(operation) ?? mentionsTensors(operation);
};

/** Whether a tensor is an operand, a result or a block argument. */
export const mentionsTensors = ({ operands, results, regions }: DraftOperation): boolean =>
  operands.some(isTensor) ||
  results.some(isTensor) ||
  regions.some(({ blocks }) => blocks.some((block) => block.arguments.some(isTensor)));

/** Analyses an operation and all below it. */
export const analyse = (state: OneShotState, root: DraftOperation): void => {
  const operations = innerFirst(root);
  state.analysing(root, (order) => {
    const conflicts = new Conflicts(state, order);
    for (const operation of operations) {
      if (state.model(operation)?.isAlwaysInPlace !== true) continue;
      for (const operand of state.tensorOperands(operation)) state.putInPlace(operand);
    }
    checkAssumptions(state, conflicts, operations);
    for (const operation of inOrderOfDecision(state, operations)) {
      for (const operand of state.tensorOperands(operation)) {
        if (state.isInPlace(operand)) continue;
        if (conflicts.mayBeInPlace(operand)) state.putInPlace(operand);
      }
    }
    findEquivalences(state, operations);
    state.findUndefinedUses(operations);
  });
  const problems = innerFirst(root).flatMap(
    (operation) => state.model(operation)?.verifyAnalysis?.(operation, state) ?? [],
  );
  annotate(state, root);
  if (problems.length > 0) giveUp(...problems);
};

/** Analyses the functions of a module, callees before their callers. */
export const analyseModule = (state: OneShotState, module: DraftOperation): void => {
  const summaries = new Map<string, FunctionSummary>();
  state.summaryOf = (operation) => summaries.get(calleeOf(operation));
  for (const operation of orderedByCalls(state.rewriter, module)) {
    if (state.model(operation) === undefined) continue;
    for (const inner of state.rewriter.walk(operation)) {
      if (!call.is(inner)) continue;
      for (const [result, argument] of summaries.get(calleeOf(inner))?.same ?? []) {
        if (state.isInPlace(state.operand(inner, argument)))
          state.joinEquivalent(inner.results[result]!, inner.operands[argument]!);
      }
    }
    analyse(state, operation);
    if (!funcOp.is(operation)) continue;
    const { sym_name: name } = operation.attributes;
    if (name?.kind === 'string') summaries.set(name.value, summaryOf(state, operation));
  }
};

/** Rejects unsupported IR, and conflicts that no decision can resolve. */
const checkAssumptions = (
  state: OneShotState,
  conflicts: Conflicts,
  operations: readonly DraftOperation[],
): void => {
  const known = operations.filter((operation) => state.model(operation) !== undefined);
  for (const operation of known) checkBlocks(state, operation);
  for (const operation of known) {
    const { name } = operation;
    if (
      name === 'bufferization.to_tensor' &&
      operation.attributes['restrict'] === undefined &&
      state.rewriter.hasUses(operation.results[0]!)
    ) {
      fail(
        'bufferize/unrestricted-to-tensor',
        `'${name}' op to_tensor ops without \`restrict\` are not supported by One-Shot Analysis`,
        operation,
      );
    }
    for (const operand of state.tensorOperands(operation)) {
      const problem = conflicts.unavoidable(operand);
      if (problem === undefined) continue;
      const [code, what] =
        problem === 'conflict'
          ? (['bufferize/unavoidable-conflict', 'cannot avoid RaW conflict'] as const)
          : (['bufferize/unavoidable-write', 'would write to read-only buffer'] as const);
      fail(code, `'${name}' op not bufferizable under the given constraints: ${what}`, operation);
    }
  }
};

/** Rejects branches between blocks where the op does not support them. */
export const checkBlocks = (state: AnalysisState, operation: DraftOperation): void => {
  if (state.model(operation)?.allowsBranches === true) return;
  if (operation.regions.every(({ blocks }) => blocks.length <= 1)) return;
  fail(
    'bufferize/several-blocks',
    `'${operation.name}' op op or BufferizableOpInterface implementation does not support ` +
      'unstructured control flow, but at least one region has multiple blocks',
    operation,
  );
};

/** The operations with tensors, in the order of the heuristic. */
const inOrderOfDecision = (
  state: OneShotState,
  operations: readonly DraftOperation[],
): readonly DraftOperation[] => {
  const { analysisHeuristic, analysisFuzzerSeed } = state.options;
  const all = operations.filter((operation) => hasTensorSemantics(state, operation));
  switch (analysisHeuristic) {
    case 'bottom-up':
      return all.toReversed();
    case 'top-down':
      return all;
    case 'fuzzer':
      return shuffle(all, analysisFuzzerSeed);
    case 'bottom-up-from-terminators': {
      const first = new Set(operations.flatMap((operation) => handedOnBy(state, operation)));
      return [...first, ...all.toReversed().filter((operation) => !first.has(operation))];
    }
  }
};

/** A terminator that yields tensors, and the ops in its region that these come from. */
const handedOnBy = (state: OneShotState, end: DraftOperation): readonly DraftOperation[] => {
  const { rewriter } = state;
  const isEnd = hasTrait(rewriter.registry, end, 'return-like') || end.name === 'scf.condition';
  const region = end.block?.region;
  if (!isEnd || region === undefined) return [];
  const found = new Set([end]);
  const pending = end.operands.filter(isTensor);
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const operation = rewriter.definingOperation(value);
    if (operation === undefined || found.has(operation)) continue;
    found.add(operation);
    if (!rewriter.isWithin(operation, region.operation)) continue;
    pending.push(
      ...state
        .aliasingOperands(value)
        .map(({ operand }) => state.valueOf(operand))
        .filter(isTensor),
    );
  }
  return [...found];
};

/** Joins results with the operands whose buffers they are known to share. */
const findEquivalences = (state: OneShotState, operations: readonly DraftOperation[]): void => {
  for (const operation of operations) {
    const model = state.model(operation);
    if (model === undefined) continue;
    for (const result of operation.results) {
      const sources = isTensor(result) ? state.aliasingOperands(result) : [];
      const [first] = sources;
      if (first === undefined) continue;
      const isSame = ({ operand, relation }: (typeof sources)[number]): boolean =>
        relation !== 'overlaps' && state.isInPlace(operand);
      const definite = sources.find((source) => source.relation === 'same' && isSame(source));
      const source = state.valueOf((definite ?? first).operand);
      const areAllSame = sources.every(
        (each) => isSame(each) && state.areEquivalent(state.valueOf(each.operand), source),
      );
      if (definite !== undefined || (areAllSame && model.allocates !== true))
        state.joinEquivalent(result, source);
    }
  }
};
