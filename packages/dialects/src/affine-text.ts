/** Assembly that the affine ops share: map operands, and accesses with affine indices. */
import { makeMap } from '@sconv/affine';
import type { Attribute, OpAsmParser, OpAsmPrinter, Type, UnresolvedOperand, Value } from '@sconv/ir';
import { affineMapAttribute, indexType } from '@sconv/ir';

/** `(%dim, …)[%symbol, …]`; the brackets only with symbols. */
export const parseDimsAndSymbols = (
  parser: OpAsmParser,
): { readonly operands: readonly UnresolvedOperand[]; readonly dims: number } => {
  const dims = parser.list('paren', () => parser.operand());
  const symbols = parser.peek('[') ? parser.list('square', () => parser.operand()) : [];
  return { operands: [...dims, ...symbols], dims: dims.length };
};

/** The inverse of `parseDimsAndSymbols`. */
export const printDimsAndSymbols = (
  printer: OpAsmPrinter,
  operands: readonly Value[],
  dims: number,
): void => {
  printer.text('(');
  printer.operands(operands.slice(0, dims));
  printer.text(')');
  if (operands.length === dims) return;
  printer.text('[');
  printer.operands(operands.slice(dims));
  printer.text(']');
};

/** A buffer and its indices, before the type of the buffer is known. */
export interface ParsedAccess {
  readonly buffer: UnresolvedOperand;
  /** Dimensions, then symbols. */
  readonly indices: readonly UnresolvedOperand[];
  readonly map: Attribute;
}

/** `%m[%i + 3, symbol(%n)]`. */
export const parseAccess = (parser: OpAsmParser): ParsedAccess => {
  const buffer = parser.operand();
  const { results, dims, symbols } = parser.affineMapOfSsaIds('square');
  return {
    buffer,
    indices: [...dims, ...symbols],
    map: affineMapAttribute(makeMap(dims.length, symbols.length, results)),
  };
};

/** The operands of an access to a buffer of `type`. */
export const resolveAccess = (parser: OpAsmParser, access: ParsedAccess, type: Type): readonly Value[] => [
  parser.resolve(access.buffer, type),
  ...access.indices.map((operand) => parser.resolve(operand, indexType)),
];

/** `[%i + 3, symbol(%n)]`, from a map attribute and its operands. */
export const printAccess = (
  printer: OpAsmPrinter,
  map: Attribute | undefined,
  operands: readonly Value[],
): void => {
  if (map?.kind !== 'affine-map') return;
  printer.text('[');
  printer.affineMapOfSsaIds(
    map.map.results,
    operands.slice(0, map.map.numDims),
    operands.slice(map.map.numDims),
  );
  printer.text(']');
};
