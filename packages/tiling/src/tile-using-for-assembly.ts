/** The text of `transform.structured.tile_using_for`: `%t tile_sizes [4, 0, 4] interchange = [1, 0, 2] : …`. */
import type { Attributes, OpAsmParser, OpAsmPrinter, Operation, ParsedOperation } from '@sconv/ir';
import { denseArrayAttribute, i1 } from '@sconv/ir';

const integers = (parser: OpAsmParser): readonly number[] =>
  parser.list('square', () => {
    const at = parser.here();
    if (parser.optionalOperand() !== undefined)
      parser.fail('tile sizes given by handles are not supported', at);
    return parser.exactInteger();
  });

export const parseTileUsingFor = (parser: OpAsmParser): ParsedOperation => {
  const target = parser.operand();
  parser.expect('tile_sizes');
  const sizes = integers(parser);
  let attributes: Attributes = {
    static_sizes: denseArrayAttribute(sizes),
    scalable_sizes: denseArrayAttribute(
      sizes.map(() => false),
      i1,
    ),
  };
  if (parser.accept('interchange')) {
    parser.expect('=');
    attributes = { ...attributes, interchange: denseArrayAttribute(integers(parser)) };
  }
  const extra = parser.optionalAttrDict();
  parser.expect(':');
  const types = parser.functionalType();
  return {
    operands: parser.resolveAll([target], types.inputs, parser.here()),
    resultTypes: types.results,
    attributes: { ...attributes, ...extra },
  };
};

export const printTileUsingFor = (printer: OpAsmPrinter, operation: Operation): void => {
  const numbers = (name: string): readonly (number | bigint | boolean)[] => {
    const attribute = operation.attributes[name];
    return attribute?.kind === 'dense-array' ? attribute.values : [];
  };
  printer.text(' ');
  printer.operands(operation.operands);
  printer.text(` tile_sizes [${numbers('static_sizes').join(', ')}]`);
  const interchange = numbers('interchange');
  if (interchange.length > 0) printer.text(` interchange = [${interchange.join(', ')}]`);
  printer.optionalAttrDict(operation, ['static_sizes', 'interchange', 'scalable_sizes']);
  printer.text(' : ');
  printer.functionalType(
    operation.operands.map((operand) => operand.type),
    operation.results.map((result) => result.type),
  );
};
