/**
 * One-Shot Bufferization (ST §5.6, step 5a): tensors become buffers, in place where that is sound.
 *
 * For each function, callees first:
 * 1. the analysis decides which tensor operands bufferize in place;
 * 2. the operations are rewritten in order, with new buffers for out-of-place operands;
 * 3. the function boundary is converted;
 * 4. allocations are hoisted out of loops.
 */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, error, mapSuccess, success } from '@sconv/diagnostics';
import { funcOp } from '@sconv/dialects/func';
import { moduleOp } from '@sconv/dialects/builtin';
import type { DraftOperation, EditOptions, Module, Rewriter, Type } from '@sconv/ir';
import { tryEdit } from '@sconv/ir';
import type { BufferizedFunction, ModuleContext } from './bufferization-context.ts';
import { BufferizationContext } from './bufferization-context.ts';
import type { FunctionBody } from './call-order.ts';
import { calleesFirst, functionName } from './call-order.ts';
import { carriedValues } from './carried-values.ts';
import { endOf, entryBlock } from './draft-blocks.ts';
import { bufferizeInside, bufferizeWithBoundary, typeOf } from './function-boundary.ts';
import type { FunctionSummary } from './function-summary.ts';
import { tensorFunction, unknownFunction } from './function-summary.ts';
import { Globals } from './globals.ts';
import { eraseUnusedBuffers, hoistAllocations } from './hoist-allocations.ts';
import { InPlaceAnalysis } from './in-place-analysis.ts';
import type { BufferizeOptions, ResolvedOptions } from './options.ts';
import { resolveOptions } from './options.ts';
import { isTensor } from './op-model.ts';
import { hasTensors, TensorFacts } from './tensor-facts.ts';
import { firstUnsupported } from './unsupported.ts';

/** Bufferizes a module; see `bufferize`. */
export const oneShotBufferize = (
  module: Module,
  options: BufferizeOptions & EditOptions,
): Diagnosed<Module> =>
  mapSuccess(
    tryEdit(module, options, (rewriter) => bufferize(rewriter, rewriter.root, options)),
    (edit) => edit.module,
  );

/**
 * Bufferizes the tensors of a module, or of a single function if function boundaries are not bufferized. Definite
 * failures: `bufferize/unsupported-op`, `bufferize/unstructured-control-flow`, `bufferize/recursive-call`,
 * `bufferize/loop-carried-size`, `bufferize/not-a-module`; discard the draft after one. Warns about tensors that
 * loops copy in each iteration.
 */
export const bufferize = (
  rewriter: Rewriter,
  target: DraftOperation,
  options: BufferizeOptions = {},
): Diagnosed<undefined> => {
  const resolved = resolveOptions(options);
  const isAllowed = moduleOp.is(target) || (funcOp.is(target) && !resolved.bufferizeFunctionBoundaries);
  if (!isAllowed) {
    const wanted = resolved.bufferizeFunctionBoundaries
      ? 'a module, since the boundaries of functions change'
      : 'a module or a function';
    return definite(
      error('bufferize/not-a-module', `expected ${wanted}, got '${target.name}'`, target.location),
    );
  }
  const diagnostics: Diagnostic[] = [];
  for (const symbolTable of tablesOf(rewriter, target)) {
    const result = bufferizeFunctions(rewriter, symbolTable, resolved);
    if (result.status !== 'success') return result;
    diagnostics.push(...result.diagnostics);
  }
  return success(undefined, diagnostics);
};

/** A module and its functions to bufferize. */
interface SymbolTable {
  readonly module: DraftOperation;
  readonly functions: readonly DraftOperation[];
}

const tablesOf = (rewriter: Rewriter, target: DraftOperation): readonly SymbolTable[] => {
  if (funcOp.is(target)) return [{ module: target.parent!, functions: [target] }];
  return rewriter
    .walk(target)
    .filter((operation) => moduleOp.is(operation))
    .map((module) => ({
      module,
      functions: entryBlock(module).operations.filter((operation) => funcOp.is(operation)),
    }));
};

const mentionsTensors = ({
  inputs,
  results,
}: {
  inputs: readonly Type[];
  results: readonly Type[];
}): boolean =>
  [...inputs, ...results].some((type) => type.kind === 'tensor' || type.kind === 'unranked-tensor');

const bufferizeFunctions = (
  rewriter: Rewriter,
  { module, functions }: SymbolTable,
  options: ResolvedOptions,
): Diagnosed<undefined> => {
  const all = functions.map((operation) => ({ operation, operations: rewriter.walk(operation).slice(1) }));
  const problems = all.flatMap(
    ({ operations }) => firstUnsupported(rewriter.registry, operations, options) ?? [],
  );
  if (problems.length > 0) return definite(...problems);
  const ordered = calleesFirst(
    all.filter(
      ({ operation, operations }) => mentionsTensors(typeOf(operation)) || operations.some(hasTensors),
    ),
  );
  if (ordered.status !== 'success') return ordered;

  const done = new Map<string | undefined, BufferizedFunction>();
  const globals = new Globals(rewriter, entryBlock(module), options.bufferAlignment);
  const context: ModuleContext = {
    options,
    calleeOf: (call) => (options.bufferizeFunctionBoundaries ? done.get(functionName(call)) : undefined),
    globalFor: (value) => globals.nameFor(value),
  };
  const diagnostics: Diagnostic[] = [];
  for (const body of ordered.value) {
    const result = bufferizeFunction(rewriter, body, context);
    if (result.status !== 'success') return result;
    diagnostics.push(...result.diagnostics);
    done.set(functionName(body.operation), result.value);
  }
  return success(undefined, diagnostics);
};

const bufferizeFunction = (
  rewriter: Rewriter,
  { operation }: FunctionBody,
  module: ModuleContext,
): Diagnosed<BufferizedFunction> => {
  const { options } = module;
  const facts = new TensorFacts(rewriter, options, operation, (call) => {
    const { operands, results } = call;
    if (!options.bufferizeFunctionBoundaries) return tensorFunction(operands.length, results.length);
    return module.calleeOf(call)?.summary ?? unknownFunction(operands.length, results.length);
  });
  const analysis = new InPlaceAnalysis(facts);
  const carried = carriedValues(analysis);
  if (carried.status !== 'success') return carried;
  const summary = summarize(analysis);
  const context = new BufferizationContext(rewriter, module, analysis, carried.value);
  let boundary: Pick<BufferizedFunction, 'inputs' | 'results'> = typeOf(operation);
  if (options.bufferizeFunctionBoundaries) boundary = bufferizeWithBoundary(operation, context);
  else if (operation.regions[0]!.blocks.length > 0) bufferizeInside(operation, context);
  eraseUnusedBuffers(rewriter, operation);
  if (options.hoistAllocations) hoistAllocations(rewriter, operation);
  return success({ ...boundary, summary }, carried.diagnostics);
};

/** The facts that callers need, from the decisions in the body. */
const summarize = (analysis: InPlaceAnalysis): FunctionSummary => {
  const { facts } = analysis;
  const { inputs, results } = typeOf(facts.function);
  const body = facts.function.regions[0]?.blocks[0];
  if (body === undefined) return unknownFunction(inputs.length, results.length);
  const end = endOf(body);
  const returned = end.operands.map((value, i) =>
    isTensor(value) && analysis.placementOf(end, i) === 'in-place' ? value : undefined,
  );
  return {
    reads: body.arguments.map((argument) => facts.isRead(argument)),
    writes: body.arguments.map((argument) => isTensor(argument) && analysis.isWritten(argument)),
    aliases: returned.map((value) =>
      body.arguments.flatMap((argument, i) =>
        value !== undefined && isTensor(argument) && analysis.mayAlias(argument, value) ? [i] : [],
      ),
    ),
    same: returned.map((value) => {
      const position = body.arguments.findIndex(
        (argument) => value !== undefined && analysis.areEquivalent(argument, value),
      );
      return position < 0 ? undefined : position;
    }),
  };
};
