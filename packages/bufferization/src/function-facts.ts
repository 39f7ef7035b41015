/** Facts about analysed functions that their callers need. */
import { call, funcOp, returnOp } from '@sconv/dialects/func';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import {
  arrayAttribute,
  dictionaryAttribute,
  functionTypeOf,
  i64,
  integerAttribute,
  stringAttribute,
  symbolNameOf,
} from '@sconv/ir';
import type { Attribute, Type } from '@sconv/ir';
import { fail } from './failure.ts';
import type { FunctionSummary } from './function-summary.ts';
import { isTensor, isTensorType } from './op-model.ts';
import type { OneShotState } from './analysis/one-shot-state.ts';

/** The signature of a function; throws if it has none. */
export const signatureOf = (operation: DraftOperation) => {
  const type = functionTypeOf(operation.attributes['function_type']);
  if (type === undefined) throw new Error('a function has a type');
  return type;
};

/** Whether an argument or a result of a function is a tensor. */
export const hasTensorSignature = (operation: DraftOperation): boolean => {
  const { inputs, results } = signatureOf(operation);
  return [...inputs, ...results].some(isTensorType);
};

/** The returns of a function. */
export const returnsOf = (operation: DraftOperation): readonly DraftOperation[] =>
  operation.regions.flatMap(({ blocks }) =>
    blocks.flatMap(({ last }) => (last !== undefined && returnOp.is(last) ? [last] : [])),
  );

/** The functions of a module by name. */
export const functionsOf = (
  rewriter: Rewriter,
  module: DraftOperation,
): ReadonlyMap<string, DraftOperation> =>
  new Map(
    rewriter
      .walk(module)
      .filter((operation) => funcOp.is(operation))
      .map((operation) => [symbolNameOf(operation) ?? '', operation]),
  );

/** The name of the callee. */
export const calleeOf = (operation: DraftOperation): string => {
  const { callee } = operation.attributes;
  return callee?.kind === 'symbol-ref' ? callee.root : '';
};

/**
 * The functions of a module as upstream orders them (`getFuncOpsOrderedByCalls`): callees first, counting only calls
 * of functions with tensors, and otherwise in the order of the module. Recursion is refused.
 */
export const orderedByCalls = (rewriter: Rewriter, module: DraftOperation): readonly DraftOperation[] => {
  const functions = functionsOf(rewriter, module);
  const waiting = new Map<DraftOperation, Set<DraftOperation>>();
  for (const operation of functions.values()) {
    const hasTensors =
      hasTensorSignature(operation) ||
      rewriter.walk(operation).some(({ operands, results }) => [...operands, ...results].some(isTensor));
    if (operation.regions[0]?.blocks.length !== 0 && hasTensors && returnsOf(operation).length !== 1) {
      fail(
        'bufferize/several-returns',
        'cannot bufferize a FuncOp with tensors and without a unique ReturnOp',
        operation,
      );
    }
    const callees = rewriter
      .walk(operation)
      .filter((inner) => call.is(inner))
      .flatMap((inner) => functions.get(calleeOf(inner)) ?? [])
      .filter(hasTensorSignature);
    waiting.set(operation, new Set(callees));
  }
  const ordered: DraftOperation[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].find(([, callees]) => callees.size === 0)?.[0];
    if (ready === undefined) {
      return fail(
        'bufferize/circular-calls',
        "'builtin.module' op expected callgraph to be free of circular dependencies.",
        module,
      );
    }
    ordered.push(ready);
    waiting.delete(ready);
    for (const callees of waiting.values()) callees.delete(ready);
  }
  return ordered;
};

/**
 * What callers need to know of a function after its analysis; with `testAnalysisOnly` they are also recorded as
 * attributes.
 */
export const summaryOf = (state: OneShotState, operation: DraftOperation): FunctionSummary => {
  const { inputs, results } = signatureOf(operation);
  const body = operation.regions[0]?.blocks[0];
  const tensorsAt = (types: readonly Type[]): readonly number[] =>
    types.flatMap((type, i) => (isTensorType(type) ? [i] : []));
  const reads = new Set<number>();
  const writes = new Set<number>();
  const aliases = new Map<number, readonly number[]>();
  const same = new Map<number, number>();
  const [end] = returnsOf(operation);
  for (const i of tensorsAt(inputs)) {
    const argument = body?.arguments[i];
    const access = accessOf(operation, i);
    const isRead = access?.includes('read') ?? (argument === undefined || state.isRead(argument));
    const isWritten = access?.includes('write') ?? (argument === undefined || state.isWritten(argument));
    if (isRead) reads.add(i);
    if (isWritten) writes.add(i);
    aliases.set(
      i,
      tensorsAt(results).filter(
        (result) =>
          argument === undefined || (end !== undefined && state.mayAlias(end.operands[result]!, argument)),
      ),
    );
    if (state.options.testAnalysisOnly) annotateAccess(state.rewriter, operation, i, isRead, isWritten);
  }
  if (body !== undefined && end !== undefined) {
    for (const i of tensorsAt(results)) {
      const position = tensorsAt(inputs).find((input) =>
        state.areEquivalent(end.operands[i]!, body.arguments[input]!),
      );
      if (position !== undefined) same.set(i, position);
    }
    if (state.options.testAnalysisOnly && same.size > 0) {
      const positions = end.operands.map((_, i) => integerAttribute(same.get(i) ?? -1, i64));
      state.rewriter.setAttribute(end, '__equivalent_func_args__', arrayAttribute(positions));
    }
  }
  return { reads, writes, aliases, same };
};

const accessAttribute = 'bufferization.access';

/** Attributes of an argument of a function. */
export const argumentAttributes = (
  { attributes }: DraftOperation,
  index: number,
): Readonly<Record<string, Attribute>> => {
  const list = attributes['arg_attrs'];
  const entry = list?.kind === 'array' ? list.elements[index] : undefined;
  return entry?.kind === 'dictionary' ? entry.entries : {};
};

/** Sets the attributes of a function's arguments. */
export const setArgumentAttributes = (
  rewriter: Rewriter,
  operation: DraftOperation,
  change: (
    entries: Readonly<Record<string, Attribute>>,
    index: number,
  ) => Readonly<Record<string, Attribute>>,
): void => {
  const entries = signatureOf(operation).inputs.map((_, i) => change(argumentAttributes(operation, i), i));
  const isEmpty = entries.every((entry) => Object.keys(entry).length === 0);
  if (isEmpty && operation.attributes['arg_attrs'] === undefined) return;
  rewriter.setAttribute(
    operation,
    'arg_attrs',
    isEmpty ? undefined : arrayAttribute(entries.map(dictionaryAttribute)),
  );
};

/** The declared access of an argument: `read`, `write`, `read-write` or `none`. */
const accessOf = (operation: DraftOperation, index: number): string | undefined => {
  const access = argumentAttributes(operation, index)[accessAttribute];
  return access?.kind === 'string' ? access.value : undefined;
};

const annotateAccess = (
  rewriter: Rewriter,
  operation: DraftOperation,
  index: number,
  isRead: boolean,
  isWritten: boolean,
): void => {
  const words = [...(isRead ? ['read'] : []), ...(isWritten ? ['write'] : [])];
  const access = stringAttribute(words.length === 0 ? 'none' : words.join('-'));
  setArgumentAttributes(rewriter, operation, (entries, i) =>
    i === index ? { ...entries, [accessAttribute]: access } : entries,
  );
};
