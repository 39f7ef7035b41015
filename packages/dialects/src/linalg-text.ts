/** Assembly shared by all structured ops: `ins(%a, %b : t, t) outs(%c : t)`. */
import type { Attributes, OpAsmParser, OpAsmPrinter, Operation, Value } from '@sconv/ir';
import { denseArrayAttribute, i32, valuesBetween } from '@sconv/ir';

const parseGroup = (parser: OpAsmParser, word: string): readonly Value[] => {
  if (!parser.accept(word)) return [];
  parser.expect('(');
  const location = parser.here();
  const operands = parser.operandList();
  const types = parser.colonTypeList();
  parser.expect(')');
  return parser.resolveAll(operands, types, location);
};

/** Attributes, inputs and outputs. */
export interface StructuredParts {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly operands: readonly Value[];
  /** With `operandSegmentSizes`, unless `segments` is false. */
  readonly attributes: Attributes;
}

/** `{…} ins(…) outs(…)`; `segments`: whether the op stores the number of inputs. */
export const parseStructuredParts = (parser: OpAsmParser, segments = true): StructuredParts => {
  const attributes = parser.optionalAttrDict();
  const inputs = parseGroup(parser, 'ins');
  const outputs = parseGroup(parser, 'outs');
  return {
    inputs,
    outputs,
    operands: [...inputs, ...outputs],
    attributes: segments
      ? { ...attributes, operandSegmentSizes: denseArrayAttribute([inputs.length, outputs.length], i32) }
      : attributes,
  };
};

/** The inputs and outputs of a structured op, by its segments; without segments, the last operand is the output. */
export const inputsAndOutputs = (
  operation: Operation,
): { readonly inputs: readonly Value[]; readonly outputs: readonly Value[] } => {
  const { operands, name } = operation;
  const sizes = operation.attributes['operandSegmentSizes'];
  const inputs =
    sizes?.kind === 'dense-array'
      ? Number(sizes.values[0])
      : name === 'linalg.reduce'
        ? operands.length / 2
        : operands.length - 1;
  return { inputs: valuesBetween(operands, 0, inputs), outputs: valuesBetween(operands, inputs) };
};

const printGroup = (printer: OpAsmPrinter, word: string, values: readonly Value[]): void => {
  if (values.length === 0) return;
  printer.text(` ${word}(`);
  printer.operands(values);
  printer.text(' : ');
  printer.types(values.map((value) => value.type));
  printer.text(')');
};

/** ` ins(…) outs(…)`. */
export const printStructuredParts = (printer: OpAsmPrinter, operation: Operation): void => {
  const { inputs, outputs } = inputsAndOutputs(operation);
  printGroup(printer, 'ins', inputs);
  printGroup(printer, 'outs', outputs);
};
