/** Bufferization as upstream's One-Shot Bufferize at LLVM 19, with its options: analysis, copies, rewriting. */
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import { funcOp } from '@sconv/dialects/func';
import { cast } from '@sconv/dialects/memref';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { closestParent, functionType, symbolNameOf, typeAttribute } from '@sconv/ir';
import { BufferTypes } from '../rewriting/buffer-types.ts';
import { Bufferizer } from '../rewriting/bufferizer.ts';
import { orderedByCalls, returnsOf, setArgumentAttributes, signatureOf } from '../function-facts.ts';
import { analyse, analyseModule } from './one-shot-analysis.ts';
import { OneShotState } from '../analysis/one-shot-state.ts';
import type { ResolvedOptions } from '../options.ts';
import { isAllowed } from '../options.ts';
import { TensorCopies } from '../rewriting/tensor-copies.ts';

/** `bufferizeOp` with upstream's decisions. */
export const bufferizeAsUpstream = (
  rewriter: Rewriter,
  target: DraftOperation,
  options: ResolvedOptions,
): Diagnosed<undefined> => {
  if (!options.copyBeforeWrite) resolveConflicts(rewriter, target, options);
  if (options.testAnalysisOnly) return success(undefined);
  const bufferizer = new Bufferizer(rewriter, options);
  if (options.bufferizeFunctionBoundaries) bufferizeModule(bufferizer, target);
  else bufferizer.run(target);
  return success(undefined);
};

/** Runs the analysis and materializes its decisions. */
const resolveConflicts = (rewriter: Rewriter, target: DraftOperation, options: ResolvedOptions): void => {
  const isSkipped = (operation: DraftOperation): boolean => {
    if (options.noAnalysisFuncFilter.length === 0) return false;
    const around = funcOp.is(operation) ? operation : closestParent(operation, (each) => funcOp.is(each));
    return around !== undefined && options.noAnalysisFuncFilter.includes(symbolNameOf(around) ?? '');
  };
  const state = new OneShotState(rewriter, options, target, isSkipped);
  if (options.bufferizeFunctionBoundaries) analyseModule(state, target);
  else analyse(state, target);
  if (!options.testAnalysisOnly) new TensorCopies(state, new BufferTypes(rewriter, options)).insert(target);
};

const bufferizeModule = (bufferizer: Bufferizer, module: DraftOperation): void => {
  const { rewriter, options } = bufferizer;
  const functions = orderedByCalls(rewriter, module);
  for (const operation of functions) {
    const isCopied =
      options.copyBeforeWrite || options.noAnalysisFuncFilter.includes(symbolNameOf(operation) ?? '');
    bufferizer.run(operation, isCopied);
    if (options.functionBoundaryTypeConversion === 'infer-layout-map') returnUncast(rewriter, operation);
  }
  for (const { blocks } of module.regions) {
    for (const operation of blocks.flatMap((block) => block.operations)) {
      if (!funcOp.is(operation) && isAllowed(options, operation)) bufferizer.run(operation);
    }
  }
  for (const operation of functions) {
    setArgumentAttributes(rewriter, operation, (entries) =>
      Object.fromEntries(Object.entries(entries).filter(([name]) => !ownAttributes.includes(name))),
    );
  }
};

/** Argument attributes that only bufferization reads. */
const ownAttributes: readonly string[] = ['bufferization.buffer_layout', 'bufferization.writable'];

/** Returns buffers with their own types, rather than cast to the types of the signature. */
const returnUncast = (rewriter: Rewriter, operation: DraftOperation): void => {
  const [end] = returnsOf(operation);
  if (end === undefined) return;
  const values = end.operands.map((value) => {
    const definition = rewriter.definingOperation(value);
    return definition !== undefined && cast.is(definition) ? definition.operands[0]! : value;
  });
  rewriter.setOperands(end, values);
  const type = functionType(
    signatureOf(operation).inputs,
    values.map((value) => value.type),
  );
  rewriter.setAttribute(operation, 'function_type', typeAttribute(type));
};
