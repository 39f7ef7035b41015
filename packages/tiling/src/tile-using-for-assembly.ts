/** The text of `transform.structured.tile_using_for`: `%t tile_sizes [%size, 0, 4] interchange = [1, 0, 2] : …`. */
import type {
  Attributes,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  ParsedOperation,
  UnresolvedOperand,
} from '@sconv/ir';
import { denseArrayAttribute, DYNAMIC, i1 } from '@sconv/ir';

export const parseTileUsingFor = (parser: OpAsmParser): ParsedOperation => {
  const operands: UnresolvedOperand[] = [parser.operand()];
  parser.expect('tile_sizes');
  const sizes = parser.list('square', () => {
    const operand = parser.optionalOperand();
    if (operand === undefined) return parser.exactInteger();
    operands.push(operand);
    return DYNAMIC;
  });
  let attributes: Attributes = {
    static_sizes: denseArrayAttribute(sizes),
    scalable_sizes: denseArrayAttribute(
      sizes.map(() => false),
      i1,
    ),
  };
  if (parser.accept('interchange')) {
    parser.expect('=');
    const interchange = parser.list('square', () => parser.exactInteger());
    attributes = { ...attributes, interchange: denseArrayAttribute(interchange) };
  }
  const extra = parser.optionalAttrDict();
  parser.expect(':');
  const types = parser.functionalType();
  return {
    operands: parser.resolveAll(operands, types.inputs, parser.here()),
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
  const [target, ...dynamicSizes] = operation.operands;
  printer.operands([target!]);
  printer.text(' tile_sizes [');
  let next = 0;
  for (const [i, size] of numbers('static_sizes').entries()) {
    if (i > 0) printer.text(', ');
    if (Number(size) === DYNAMIC) printer.operands([dynamicSizes[next++]!]);
    else printer.text(String(size));
  }
  printer.text(']');
  const interchange = numbers('interchange');
  if (interchange.length > 0) printer.text(` interchange = [${interchange.join(', ')}]`);
  printer.optionalAttrDict(operation, ['static_sizes', 'interchange', 'scalable_sizes']);
  printer.text(' : ');
  printer.functionalType(
    operation.operands.map((operand) => operand.type),
    operation.results.map((result) => result.type),
  );
};
