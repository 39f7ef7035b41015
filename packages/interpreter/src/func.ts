/** The `func` dialect: functions, and calls between them. */
import type { Operation, Value } from '@sconv/ir';
import { functionTypeOf } from '@sconv/ir';
import type { CompiledFunction, Context, Exec, Frame, Handler, Handlers } from './context.ts';
import { load, store } from './context.ts';
import { trap } from './trap.ts';
import type { RuntimeValue } from './value.ts';

/** The implementation of a function without a body. */
export type ExternalFunction = (values: readonly RuntimeValue[]) => readonly RuntimeValue[];

/** Compiles a `func.func`; `external` implements it if it has no body. */
export const compileFunction = (
  operation: Operation,
  context: Context,
  external: ExternalFunction | undefined,
): CompiledFunction => {
  const region = context.region(operation, 0);
  const [entry] = region.blocks;
  if (entry === undefined) {
    const resultCount = functionTypeOf(operation.attributes['function_type'])?.results.length ?? 0;
    if (external === undefined) {
      trap(operation, 'interpreter/unknown-function', 'has no body, and nothing was given to stand for it');
    }
    return { operation, call: (values) => checkResults(operation, external(values), resultCount) };
  }
  const parameters = entry.arguments.map((argument) => context.slot(argument));
  const run = context.body(operation, region, (terminator) => {
    const results = terminator.operands.map((value) => ({ slot: context.slot(value), type: value.type }));
    return (frame) => {
      frame.results = results.map(({ slot, type }) => load(frame, slot, type));
    };
  });
  return {
    operation,
    call: (values) => {
      const frame = context.newFrame();
      for (const [i, slot] of parameters.entries()) store(frame, slot, values[i]!);
      run(frame);
      return frame.results;
    },
  };
};

const checkResults = (
  operation: Operation,
  results: readonly RuntimeValue[],
  expected: number,
): readonly RuntimeValue[] => {
  if (results.length !== expected) {
    trap(operation, 'interpreter/argument-mismatch', `was given ${results.length} results for ${expected}`);
  }
  return results;
};

/** A call of the function that `calleeOf` names. */
const calling = (
  operation: Operation,
  context: Context,
  given: readonly Value[],
  calleeOf: (frame: Frame) => string,
): Exec => {
  const operands = given.map((value) => ({ slot: context.slot(value), type: value.type }));
  const results = operation.results.map((value) => context.slot(value));
  return (frame) => {
    const name = calleeOf(frame);
    const callee = context.symbols.function(name);
    if (callee === undefined)
      return trap(operation, 'interpreter/unknown-function', `calls @${name}, which is not there`);
    const values = operands.map(({ slot, type }) => load(frame, slot, type));
    const returned = context.machine.enter(operation, () => callee.call(values));
    if (returned.length !== results.length)
      context.invalid(operation, `takes ${results.length} of ${returned.length} results`);
    for (const [i, slot] of results.entries()) store(frame, slot, returned[i]!);
  };
};

const call: Handler = (operation, context) => {
  const { root } = context.attribute(operation, 'callee', 'symbol-ref');
  return calling(operation, context, operation.operands, () => root);
};

const callIndirect: Handler = (operation, context) => {
  const slot = context.slot(context.operand(operation, 0));
  const { nameAt } = context.symbols;
  return calling(
    operation,
    context,
    operation.operands.slice(1),
    ({ objects }) =>
      nameAt(objects[slot] as bigint) ?? context.invalid(operation, 'calls what is no function'),
  );
};

const constant: Handler = (operation, context) => {
  const { root } = context.attribute(operation, 'value', 'symbol-ref');
  context.preset(context.result(operation), context.symbols.addressOf(root));
  return undefined;
};

/** The non-terminator operations of `func`. */
export const funcHandlers: Handlers = {
  'func.call': call,
  'func.call_indirect': callIndirect,
  'func.constant': constant,
};
