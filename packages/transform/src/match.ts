/** `transform.structured.match`: handles to payload operations by name and by attributes. */
import type { Attributes, Id, OpAsmParser, OpAsmPrinter, Operation, ParsedOperation } from '@sconv/ir';
import {
  anyAttribute,
  arrayAttribute,
  arrayOf,
  attributeEquals,
  optionalAttribute,
  stringAttributeKind,
  walk,
} from '@sconv/ir';
import { defineTransformOp, produces, reads } from './define-transform-op.ts';

const parseMatch = (parser: OpAsmParser): ParsedOperation => {
  let attributes: Attributes = {};
  if (parser.accept('ops')) {
    const names = parser.list('brace', () => parser.attribute());
    // ops{["a", "b"]}: one array attribute between the braces.
    attributes = { ...attributes, ops: names[0] ?? arrayAttribute([]) };
  }
  if (parser.accept('attributes')) {
    attributes = { ...attributes, op_attrs: parser.attribute() };
  }
  parser.expect('in');
  const target = parser.operand();
  const extra = parser.optionalAttrDict();
  parser.expect(':');
  const types = parser.functionalType();
  return {
    operands: parser.resolveAll([target], types.inputs, parser.here()),
    resultTypes: types.results,
    attributes: { ...attributes, ...extra },
  };
};

const printMatch = (printer: OpAsmPrinter, operation: Operation): void => {
  const { ops, op_attrs: opAttributes } = operation.attributes;
  if (ops !== undefined) {
    printer.text(' ops{');
    printer.attribute(ops);
    printer.text('}');
  }
  if (opAttributes !== undefined) {
    printer.text(' attributes ');
    printer.attribute(opAttributes);
  }
  printer.text(' in ');
  printer.operands(operation.operands);
  printer.optionalAttrDict(operation, ['ops', 'op_attrs']);
  printer.text(' : ');
  printer.functionalType(
    operation.operands.map((operand) => operand.type),
    operation.results.map((result) => result.type),
  );
};

const matches = (operation: Operation, names: readonly string[] | undefined, wanted: Attributes): boolean =>
  (names === undefined || names.includes(operation.name)) &&
  Object.entries(wanted).every(([name, attribute]) => {
    const found = operation.attributes[name];
    return found !== undefined && attributeEquals(found, attribute);
  });

/** Operations at or below the target, in the order in which they stand. */
export const match = defineTransformOp({
  name: 'transform.structured.match',
  summary: 'Matches payload operations below the target by name and by attributes.',
  operands: { target: reads('where to look; the target itself may match') },
  attributes: {
    ops: optionalAttribute(arrayOf(stringAttributeKind, 'string array attribute')),
    opAttrs: optionalAttribute(anyAttribute),
  },
  results: { results: produces('the operations that match') },
  assembly: { parse: parseMatch, print: printMatch },
  // Looks at the payload as it stands; an edit would thaw every function.
  interpret: (run, operation, { ops, opAttrs }) => {
    const wanted = opAttrs?.kind === 'dictionary' ? opAttrs.entries : {};
    const found = new Set<Id>();
    for (const root of run.operations(run.idsOf(operation.operands[0]!))) {
      for (const each of walk(root)) if (matches(each, ops, wanted)) found.add(each.id);
    }
    return run.bindResults(operation, [[...found]]);
  },
});
