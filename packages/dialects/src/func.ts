/** The func dialect: functions, calls and returns. */
import type { Dialect, FunctionType, Operation, Type, Value, VerifyContext } from '@sconv/ir';
import {
  anyType,
  constantLike,
  defineOp,
  functionType,
  functionTypeOf,
  implement,
  one,
  symbolRefAttributeKind,
  typeEquals,
  variadic,
  symbolNameOf,
} from '@sconv/ir';
import { functionValue } from './constraints.ts';
import { typeText } from './type-text.ts';
import { functionAssembly, functionAttributes, verifyFunction } from './function-like.ts';

/** `func.func @name(%a: f32) -> f32 { … }`; a declaration if it has no body. */
export const funcOp = defineOp({
  name: 'func.func',
  summary: 'a function',
  attributes: functionAttributes,
  regions: ['body'],
  traits: ['isolated-from-above', 'symbol', 'automatic-allocation-scope', 'affine-scope'],
  defaultDialect: 'func',
  assembly: functionAssembly(),
  *verify(declared) {
    const { operation, attributes } = declared;
    yield* verifyFunction(declared);
    const isExternal = operation.regions[0]?.blocks.length === 0;
    if (isExternal && (attributes.symVisibility ?? 'public') === 'public')
      yield 'symbol declaration cannot have public visibility';
  },
});

/** `return %x : f32`. */
export const returnOp = defineOp({
  name: 'func.return',
  summary: 'the end of a function',
  operands: { operands: variadic(anyType) },
  traits: ['pure', 'terminator', 'return-like'],
  parents: ['func.func'],
  assembly: { format: 'attr-dict ($operands^ `:` type($operands))?' },
  *verify({ operands: { operands } }, context) {
    // The enclosing function; it is verified before its body.
    const around = context.ancestors[0]!;
    const { results } = functionTypeOf(around.attributes['function_type'])!;
    const name = symbolNameOf(around)!;
    if (operands.length !== results.length) {
      yield `has ${operands.length} operands, but enclosing function (@${name}) returns ${results.length}`;
      return;
    }
    for (const [i, operand] of operands.entries()) {
      const wanted = results[i]!;
      if (!typeEquals(operand.type, wanted)) {
        yield (
          `type of return operand ${i} ('${typeText(operand.type)}') doesn't match function result ` +
          `type ('${typeText(wanted)}') in function @${name}`
        );
        return;
      }
    }
  },
});

/** `call @f(%x) : (f32) -> f32`. */
export const call = defineOp({
  name: 'func.call',
  summary: 'a call of a function by its name',
  operands: { operands: variadic(anyType) },
  results: { results: variadic(anyType) },
  attributes: { callee: symbolRefAttributeKind },
  assembly: { format: '$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)' },
  *verify({ operation, attributes: { callee } }, context) {
    const type = typeOfFunction(callee, context);
    if (type === undefined) yield `'${callee}' does not reference a valid function`;
    else yield* callErrors(operation, type);
  },
});

/** The type of the function with this name; undefined if there is none. */
const typeOfFunction = (name: string, context: VerifyContext): FunctionType | undefined => {
  const target = context.lookupSymbol(name);
  return target?.name === 'func.func' ? functionTypeOf(target.attributes['function_type']) : undefined;
};

function* callErrors(operation: Operation, type: FunctionType): Generator<string> {
  const { operands, results } = operation;
  if (operands.length !== type.inputs.length) {
    yield 'incorrect number of operands for callee';
    return;
  }
  for (const [i, input] of type.inputs.entries()) {
    const given = operands[i]!.type;
    if (!typeEquals(given, input)) {
      yield (
        `operand type mismatch: expected operand type ${quoted(input)}, but provided ${quoted(given)} ` +
        `for operand number ${i}`
      );
      return;
    }
  }
  if (results.length !== type.results.length) {
    yield 'incorrect number of results for callee';
    return;
  }
  const differing = results.findIndex((result, i) => !typeEquals(result.type, type.results[i]!));
  if (differing >= 0) yield `result type mismatch at index ${differing}`;
}

const quoted = (type: Type): string => `'${typeText(type)}'`;

/** `call_indirect %f(%x) : (f32) -> f32`. */
export const callIndirect = defineOp({
  name: 'func.call_indirect',
  summary: 'a call of a function value',
  operands: { callee: one(functionValue), calleeOperands: variadic(anyType) },
  results: { results: variadic(anyType) },
  assembly: {
    parse: (parser) => {
      const callee = parser.operand();
      const operands = parser.list('paren', () => parser.operand());
      const attributes = parser.optionalAttrDict();
      parser.expect(':');
      const location = parser.here();
      const { inputs, results } = parser.functionalType();
      return {
        operands: [
          parser.resolve(callee, functionType(inputs, results)),
          ...parser.resolveAll(operands, inputs, location),
        ],
        attributes,
        resultTypes: results,
      };
    },
    print: (printer, operation) => {
      const [callee, ...operands] = operation.operands as [Value, ...Value[]];
      printer.text(' ');
      printer.operand(callee);
      printer.text('(');
      printer.operands(operands);
      printer.text(')');
      printer.optionalAttrDict(operation);
      printer.text(' : ');
      printer.type(callee.type);
    },
  },
  *verify({ operands: { callee, calleeOperands: operands }, results: { results } }) {
    for (const [what, wanted, given] of [
      ['input types match argument', callee.type.inputs, operands],
      ['result types match result', callee.type.results, results],
    ] as const) {
      const fits =
        given.length === wanted.length && given.every(({ type }, i) => typeEquals(type, wanted[i]!));
      if (!fits) yield `failed to verify that callee ${what} types`;
    }
  },
});

/** `constant @f : (f32) -> f32`: a function as a value. */
export const constant = defineOp({
  name: 'func.constant',
  summary: 'a function as a value',
  results: { result: one(functionValue) },
  attributes: { value: symbolRefAttributeKind },
  traits: ['pure'],
  interfaces: [
    implement(constantLike, {
      value: ({ attributes }) => attributes['value'],
      attributesFor: (value, type) =>
        value.kind === 'symbol-ref' && value.nested.length === 0 && type.kind === 'function'
          ? { value }
          : undefined,
    }),
  ],
  assembly: { format: 'attr-dict $value `:` type($result)' },
  *verify({ attributes: { value }, results: { result } }, context) {
    const type = typeOfFunction(value, context);
    if (type === undefined) yield `reference to undefined function '${value}'`;
    else if (!typeEquals(type, result.type)) yield 'reference to function with mismatched type';
  },
  resultName: () => 'f',
});

/** The dialect, for a registry. */
export const funcDialect: Dialect = {
  name: 'func',
  operations: [funcOp, returnOp, call, callIndirect, constant],
};
