/** Assembly shared by loops: `(%a = %x, %b = %y)`, region arguments with initial values. */
import type { OpAsmParser, OpAsmPrinter, ParsedArgument, Type, UnresolvedOperand, Value } from '@sconv/ir';

export interface ParsedInitializers {
  readonly arguments: readonly ParsedArgument[];
  readonly values: readonly Value[];
  readonly types: readonly Type[];
}

/** `(%a = %x, …)`, followed by their types, read by `parseTypes`. */
export const parseInitializers = (
  parser: OpAsmParser,
  parseTypes: () => readonly Type[],
): ParsedInitializers => {
  const location = parser.here();
  const pairs = parseAssignments(parser);
  const types = parseTypes();
  if (types.length !== pairs.length) {
    parser.fail('mismatch in number of loop-carried values and defined values', parser.location);
  }
  return {
    arguments: pairs.map((pair, i) => ({ operand: pair.argument, type: types[i]! })),
    values: parser.resolveAll(
      pairs.map((pair) => pair.value),
      types,
      location,
    ),
    types,
  };
};

export interface Assignment {
  readonly argument: UnresolvedOperand;
  readonly value: UnresolvedOperand;
}

/** `(%a = %x, …)`. */
export const parseAssignments = (parser: OpAsmParser): readonly Assignment[] =>
  parser.list('paren', () => {
    const argument = parser.operand();
    parser.expect('=');
    return { argument, value: parser.operand() };
  });

/** `prefix(%a = %x, …)`; empty without iter args. */
export const printInitializers = (
  printer: OpAsmPrinter,
  prefix: string,
  blockArguments: readonly Value[],
  values: readonly Value[],
): void => {
  if (values.length === 0) return;
  printer.text(`${prefix}(`);
  values.forEach((value, i) => {
    const argument = blockArguments[i];
    if (argument === undefined) return;
    if (i > 0) printer.text(', ');
    printer.operand(argument);
    printer.text(' = ');
    printer.operand(value);
  });
  printer.text(')');
};
