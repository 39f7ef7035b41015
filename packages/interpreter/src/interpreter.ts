/**
 * Reference execution of a module: every operation as its dialect defines it, every access bounds-checked. Functions
 * are compiled to closures on first call and cached.
 */
import { isAffineError } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import { withoutComposed } from '@sconv/dialects';
import type { Module, Operation, Registry, Type } from '@sconv/ir';
import {
  children,
  expectModule,
  functionTypeOf,
  isShaped,
  printType,
  symbolNameOf,
  typeEquals,
} from '@sconv/ir';
import type { CompiledFunction, Handlers, Symbols } from './context.ts';
import { Context } from './context.ts';
import { denseElements } from './dense-elements.ts';
import { isNumberType } from './element.ts';
import type { ExternalFunction } from './func.ts';
import { compileFunction } from './func.ts';
import { handlerTable } from './handlers.ts';
import type { Limits } from './machine.ts';
import { createMachine } from './machine.ts';
import { checkMemRefType, newBuffer } from './memref.ts';
import { checkStaticShape } from './tensor.ts';
import { trap, Trap } from './trap.ts';
import type { MemRefValue, RuntimeValue } from './value.ts';

/** Limits, and what the module itself lacks. */
export interface InterpreterOptions extends Limits {
  /** The dialects whose operations declare what they compute (`scalarOp`); this project's by default. */
  readonly registry?: Registry;
  /** Handlers of additional operations, by name. */
  readonly handlers?: Handlers;
  /** Implementations of functions without a body, by name. */
  readonly externals?: Readonly<Record<string, ExternalFunction>>;
}

/** Executes the functions of one module. */
export interface Interpreter {
  /**
   * Runs a function. Tensor arguments are not changed; memref arguments are updated as the function does. Definite
   * failures, with codes `interpreter/…` and located at the operation: an out-of-bounds access, a use after
   * deallocation, an exceeded limit, an unsupported operation, arguments that do not fit.
   */
  readonly run: (functionName: string, values: readonly RuntimeValue[]) => Diagnosed<readonly RuntimeValue[]>;
}

/** An interpreter for the top-level functions of `module`. */
export const createInterpreter = (module: Module, options: InterpreterOptions = {}): Interpreter => {
  expectModule('what is executed', module);
  const machine = createMachine(options);
  const { handlers, registry } = handlerTable(options.registry, options.handlers);
  const { root } = withoutComposed(module, registry);
  const operations = symbolTable(root);
  const functions = new Map<string, CompiledFunction>();
  const globals = new Map<string, MemRefValue>();

  const symbols: Symbols = {
    function: (name) => {
      const known = functions.get(name);
      if (known !== undefined) return known;
      const operation = operations.get(name);
      if (operation?.name !== 'func.func') return undefined;
      const compiled = compileFunction(operation, newContext(), options.externals?.[name]);
      functions.set(name, compiled);
      return compiled;
    },
    addressOf: (name) => BigInt([...operations.keys()].indexOf(name)),
    nameAt: (address) => [...operations.keys()][Number(address)],
    global: (name) => {
      const known = globals.get(name);
      if (known !== undefined) return known;
      const operation = operations.get(name);
      if (operation?.name !== 'memref.global') return undefined;
      const buffer = globalBuffer(operation, newContext());
      globals.set(name, buffer);
      return buffer;
    },
  };
  const newContext = (): Context => new Context(machine, symbols, handlers, registry);

  const call = (functionName: string, values: readonly RuntimeValue[]): readonly RuntimeValue[] => {
    machine.reset();
    globals.clear();
    const compiled = symbols.function(functionName);
    if (compiled === undefined) {
      const names = [...operations].flatMap(([name, { name: kind }]) =>
        kind === 'func.func' ? [`@${name}`] : [],
      );
      const known = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
      return trap(module.root, 'interpreter/unknown-function', `has no function @${functionName}; ${known}`);
    }
    checkArguments(compiled.operation, values);
    return compiled.call(values);
  };

  return {
    run: (functionName, values) => {
      try {
        return success(call(functionName, values));
      } catch (thrown) {
        if (thrown instanceof Trap) return definite(thrown.diagnostic);
        const { location } = operations.get(functionName) ?? module.root;
        if (isAffineError(thrown)) return definite(error('interpreter/overflow', thrown.message, location));
        // Stack overflow: deep regions within deep calls.
        if (thrown instanceof RangeError) {
          return definite(
            error('interpreter/call-depth', `@${functionName} ran out of stack: ${thrown.message}`, location),
          );
        }
        throw thrown;
      }
    },
  };
};

/** Runs one function of `module`; see `Interpreter.run`. */
export const interpret = (
  module: Module,
  functionName: string,
  values: readonly RuntimeValue[],
  options?: InterpreterOptions,
): Diagnosed<readonly RuntimeValue[]> => createInterpreter(module, options).run(functionName, values);

const symbolTable = (root: Operation): ReadonlyMap<string, Operation> => {
  const table = new Map<string, Operation>();
  for (const operation of children(root)) {
    const name = symbolNameOf(operation);
    if (name !== undefined) table.set(name, operation);
  }
  return table;
};

const globalBuffer = (operation: Operation, context: Context): MemRefValue => {
  const { type } = context.attribute(operation, 'type', 'type');
  if (type.kind !== 'memref') return context.invalid(operation, 'is no memref');
  const initial = operation.attributes['initial_value'];
  const buffer = newBuffer(operation, context, type, type.shape);
  if (initial?.kind !== 'dense-elements' && initial?.kind !== 'dense-resource') return buffer;
  const { data } = denseElements(operation, context.machine, initial);
  return { ...buffer, allocation: { data, freed: false } };
};

const checkArguments = (operation: Operation, values: readonly RuntimeValue[]): void => {
  const types = functionTypeOf(operation.attributes['function_type'])?.inputs ?? [];
  if (types.length !== values.length) {
    trap(
      operation,
      'interpreter/argument-mismatch',
      `takes ${types.length} arguments, but is given ${values.length}`,
    );
  }
  types.forEach((type, i) => checkArgument(operation, i, type, values[i]!));
};

const checkArgument = (operation: Operation, position: number, type: Type, value: RuntimeValue): void => {
  // Untyped callers may pass anything.
  const isNull = (value as unknown) === null;
  const given = typeof value !== 'object' ? typeof value : isNull ? 'null' : value.kind;
  const wanted =
    type.kind === 'memref' ? 'memref' : isShaped(type) ? 'tensor' : isNumberType(type) ? 'number' : 'bigint';
  if (given !== wanted) {
    const message =
      `takes ${printType(type)} as argument #${position}, but is given ` +
      (given === 'null' ? given : `a ${given}`);
    trap(operation, 'interpreter/argument-mismatch', message);
  }
  if (typeof value !== 'object' || !isShaped(type)) return;
  if (!typeEquals(value.elementType, type.elementType)) {
    const message =
      `takes ${printType(type)} as argument #${position}, but its elements are ` +
      printType(value.elementType);
    trap(operation, 'interpreter/argument-mismatch', message);
  }
  if (value.kind === 'tensor') checkStaticShape(operation, value.shape, type);
  else if (type.kind === 'memref') checkMemRefType(operation, value, type);
};
