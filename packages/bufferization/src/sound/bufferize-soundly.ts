/**
 * Bufferization with sound decisions. For each function, callees first:
 * 1. the analysis decides which tensor operands bufferize in place;
 * 2. the others get buffers of their own;
 * 3. the operations are rewritten in order, with the function's boundary;
 * 4. allocations are hoisted out of loops.
 */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import { toMemref, toTensor } from '@sconv/dialects/bufferization';
import { moduleOp } from '@sconv/dialects/builtin';
import { funcOp } from '@sconv/dialects/func';
import type { Attributes, DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { arrayAttribute, dictionaryAttribute, terminatorOf } from '@sconv/ir';
import { functionName, inCallOrder } from '../call-order.ts';
import { hasTensorSignature, signatureOf } from '../function-facts.ts';
import type { FunctionSummary } from '../function-summary.ts';
import { tensorFunction } from '../function-summary.ts';
import { hasTensors, isTensor } from '../op-model.ts';
import type { ResolvedOptions } from '../options.ts';
import { dynamicBuffer } from '../options.ts';
import { Bufferizer } from '../rewriting/bufferizer.ts';
import { entryBlock } from '../rewriting/entry-block.ts';
import { eraseUnusedBuffers, hoistAllocations } from '../rewriting/hoist-allocations.ts';
import { giveBuffers, ownBuffersOf } from '../rewriting/tensor-copies.ts';
import { carriedValues } from './carried-values.ts';
import { SoundState } from './sound-state.ts';
import { firstUnsupported } from './unsupported.ts';

/** `bufferizeOp` with sound decisions. */
export const bufferizeSoundly = (
  rewriter: Rewriter,
  target: DraftOperation,
  options: ResolvedOptions,
): Diagnosed<undefined> => {
  const isAllowed = moduleOp.is(target) || (funcOp.is(target) && !options.bufferizeFunctionBoundaries);
  if (!isAllowed) {
    const wanted = options.bufferizeFunctionBoundaries
      ? 'a module, since the boundaries of functions change'
      : 'a module or a function';
    return definite(
      error('bufferize/not-a-module', `expected ${wanted}, got '${target.name}'`, target.location),
    );
  }
  const diagnostics: Diagnostic[] = [];
  for (const functions of groupsOf(rewriter, target)) {
    const result = bufferizeFunctions(rewriter, functions, options);
    if (result.status !== 'success') return result;
    diagnostics.push(...result.diagnostics);
  }
  return success(undefined, diagnostics);
};

/** The functions to bufferize, by module. */
const groupsOf = (rewriter: Rewriter, target: DraftOperation): readonly (readonly DraftOperation[])[] =>
  funcOp.is(target)
    ? [[target]]
    : rewriter
        .walk(target)
        .filter((operation) => moduleOp.is(operation))
        .map((module) => entryBlock(module).operations.filter((operation) => funcOp.is(operation)));

const bufferizeFunctions = (
  rewriter: Rewriter,
  functions: readonly DraftOperation[],
  options: ResolvedOptions,
): Diagnosed<undefined> => {
  const all = functions.map((operation) => ({ operation, operations: rewriter.walk(operation).slice(1) }));
  const problems = all.flatMap(
    ({ operations }) => firstUnsupported(rewriter.registry, operations, options) ?? [],
  );
  if (problems.length > 0) return definite(...problems);
  const ordered = inCallOrder(
    all.filter(({ operation, operations }) => hasTensorSignature(operation) || operations.some(hasTensors)),
  );
  if (ordered.status !== 'success') return ordered;

  const summaries = new Map<string | undefined, FunctionSummary | undefined>();
  const summaryOf = (call: DraftOperation): FunctionSummary | undefined =>
    options.bufferizeFunctionBoundaries
      ? summaries.get(functionName(call))
      : tensorFunction(call.operands.length);
  const bufferizer = new Bufferizer(rewriter, options);
  const diagnostics: Diagnostic[] = [];
  for (const { operation } of ordered.value) {
    const result = bufferizeFunction(bufferizer, operation, summaryOf);
    if (result.status !== 'success') return result;
    diagnostics.push(...result.diagnostics);
    summaries.set(functionName(operation), result.value);
  }
  return success(undefined, diagnostics);
};

/** Rewrites a function; gives what its callers need to know of it. */
const bufferizeFunction = (
  bufferizer: Bufferizer,
  operation: DraftOperation,
  summaryOf: (call: DraftOperation) => FunctionSummary | undefined,
): Diagnosed<FunctionSummary | undefined> => {
  const { rewriter, options } = bufferizer;
  const state = new SoundState(rewriter, options, operation, summaryOf);
  const carried = carriedValues(state);
  if (carried.status !== 'success') return carried;
  const summary = summarize(state);
  const own = state.operations.map((each) => ({ each, operands: ownBuffersOf(state, each) }));
  for (const [loop, how] of carried.value) bufferizer.carried.set(loop, how);
  for (const each of state.operations) bufferizer.expect(each);
  const inserted = (each: DraftOperation): void => {
    if (hasTensors(each)) bufferizer.expect(each);
  };
  rewriter.listening({ inserted }, () => {
    for (const { each, operands } of own) giveBuffers(bufferizer.types, each, operands);
  });
  if (options.bufferizeFunctionBoundaries) {
    bufferizer.expect(operation);
    bufferizer.bufferizeInOrder(operation);
    for (const name of ['arg_attrs', 'res_attrs']) dropOwnAttributes(rewriter, operation, name);
  } else if (operation.regions[0]!.blocks.length > 0) bufferizeInside(operation, bufferizer);
  eraseUnusedBuffers(rewriter, operation);
  if (options.hoistAllocations) hoistAllocations(rewriter, operation);
  return success(summary, carried.diagnostics);
};

/** Rewrites the body of a function that keeps tensors at its boundary: conversions to and from buffers stay inside. */
const bufferizeInside = (operation: DraftOperation, bufferizer: Bufferizer): void => {
  const { rewriter } = bufferizer;
  const body = entryBlock(operation);
  rewriter.setInsertionPointToStart(body);
  for (const argument of body.arguments) {
    if (!isTensor(argument)) continue;
    const buffer = rewriter.create(
      toMemref.state({
        operands: { tensor: argument },
        resultTypes: [dynamicBuffer(argument.type as TensorType)],
      }),
    );
    rewriter.replaceAllUsesWith(argument, buffer.results[0]!, buffer);
  }
  const { results } = signatureOf(operation);
  bufferizer.bufferizeRegions(operation);
  const end = terminatorOf(body);
  rewriter.setInsertionPointBefore(end);
  const returned = end.operands.map((value, i) =>
    results[i]?.kind === 'tensor'
      ? rewriter.createValue(toTensor.state({ operands: { memref: value }, attributes: { restrict: true } }))
      : value,
  );
  rewriter.setOperands(end, returned);
};

/** Removes the bufferization attributes of arguments or results. */
const dropOwnAttributes = (rewriter: Rewriter, operation: DraftOperation, name: string): void => {
  const list = operation.attributes[name];
  if (list?.kind !== 'array') return;
  const entries = list.elements.map((entry): Attributes =>
    entry.kind === 'dictionary'
      ? Object.fromEntries(Object.entries(entry.entries).filter(([key]) => !key.startsWith('bufferization.')))
      : {},
  );
  const isEmpty = entries.every((entry) => Object.keys(entry).length === 0);
  rewriter.setAttribute(
    operation,
    name,
    isEmpty ? undefined : arrayAttribute(entries.map(dictionaryAttribute)),
  );
};

/** The facts that callers need, from the decisions in the body; undefined without a body. */
const summarize = (state: SoundState): FunctionSummary | undefined => {
  const body = state.function.regions[0]?.blocks[0];
  if (body === undefined) return undefined;
  const end = terminatorOf(body);
  const returned = end.operands.map((value, i): Value | undefined =>
    isTensor(value) && state.isInPlace(state.operand(end, i)) ? value : undefined,
  );
  const tensors = [...body.arguments.entries()].filter(([, argument]) => isTensor(argument));
  const same = new Map<number, number>();
  for (const [i, value] of returned.entries()) {
    const found = tensors.find(([, argument]) => value !== undefined && state.areEquivalent(argument, value));
    if (found !== undefined) same.set(i, found[0]);
  }
  const positions = (accept: (argument: Value) => boolean): ReadonlySet<number> =>
    new Set(tensors.filter(([, argument]) => accept(argument)).map(([i]) => i));
  return {
    reads: positions((argument) => state.isRead(argument)),
    writes: positions((argument) => state.isWritten(argument)),
    aliases: new Map(
      tensors.map(([i, argument]) => [
        i,
        returned.flatMap((value, result) =>
          value !== undefined && state.mayAlias(argument, value) ? [result] : [],
        ),
      ]),
    ),
    same,
  };
};
