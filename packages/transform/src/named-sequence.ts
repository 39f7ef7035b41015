/** `transform.named_sequence`, `transform.yield` and `transform.include`: how a script is put together. */
import { andThen, definite, error, success } from '@sconv/diagnostics';
import type { OpAsmParser, OpAsmPrinter, Operation, ParsedOperation } from '@sconv/ir';
import {
  anyAttribute,
  arrayAttribute,
  bodyOf,
  dictionaryAttribute,
  functionType,
  functionTypeOf,
  optionalAttribute,
  stringAttribute,
  stringAttributeKind,
  symbolRefAttributeKind,
  typeAttribute,
  typeAttributeKind,
} from '@sconv/ir';
import { defineTransformOp, producesAll, readsAll } from './define-transform-op.ts';
import { findSequence } from './run.ts';

const parseNamedSequence = (parser: OpAsmParser): ParsedOperation => {
  const name = parser.symbolName();
  const parameters = parser.list('paren', () => parser.argument());
  const results = parser.optionalArrowTypeList();
  const extra = parser.optionalAttrDictWithKeyword();
  const region = parser.optionalRegion(parameters);
  const argumentAttributes = parameters.some(
    (parameter) => Object.keys(parameter.attributes ?? {}).length > 0,
  )
    ? {
        arg_attrs: arrayAttribute(
          parameters.map((parameter) => dictionaryAttribute(parameter.attributes ?? {})),
        ),
      }
    : {};
  return {
    attributes: {
      ...extra,
      ...argumentAttributes,
      sym_name: stringAttribute(name),
      function_type: typeAttribute(
        functionType(
          parameters.map((parameter) => parameter.type),
          results,
        ),
      ),
    },
    regions: [region === undefined ? { blocks: [] } : parser.ensureTerminator(region, 'transform.yield')],
  };
};

const printNamedSequence = (printer: OpAsmPrinter, operation: Operation): void => {
  const symbol = operation.attributes['sym_name'];
  const type = functionTypeOf(operation.attributes['function_type']);
  const body = operation.regions[0]!;
  const argumentAttributes = operation.attributes['arg_attrs'];
  printer.text(' ');
  printer.symbolName(symbol?.kind === 'string' ? symbol.value : '');
  printer.text('(');
  (type?.inputs ?? []).forEach((input, i) => {
    if (i > 0) printer.text(', ');
    const argument = body.blocks[0]?.arguments[i];
    if (argument === undefined) printer.type(input);
    else printer.argument(argument);
    const attributes = argumentAttributes?.kind === 'array' ? argumentAttributes.elements[i] : undefined;
    if (attributes?.kind === 'dictionary') printer.attributes(attributes.entries);
  });
  printer.text(')');
  printer.optionalArrowTypeList(type?.results ?? []);
  printer.optionalAttrDictWithKeyword(operation, [
    'sym_name',
    'function_type',
    'arg_attrs',
    'sym_visibility',
  ]);
  if (body.blocks.length === 0) return;
  printer.text(' ');
  printer.region(body, { printEntryArguments: false, printTerminator: true });
};

/** A sequence that can be the entry point of a script or be included in another. */
export const namedSequence = defineTransformOp({
  name: 'transform.named_sequence',
  summary: 'Named transform sequence that can be included elsewhere.',
  attributes: {
    symName: stringAttributeKind,
    functionType: typeAttributeKind,
    argAttrs: optionalAttribute(anyAttribute),
  },
  regions: ['body'],
  traits: ['symbol', 'isolated-from-above', 'single-block'],
  assembly: { parse: parseNamedSequence, print: printNamedSequence },
  // Defining a sequence does nothing; it runs when it is the entry point or included.
  interpret: () => success(undefined),
});

/** The terminator of transform regions: which handles they yield. */
export const yieldOp = defineTransformOp({
  name: 'transform.yield',
  summary: 'Yields operation handles from a transform IR region.',
  operands: { operands: readsAll('handles that the region yields') },
  traits: ['terminator'],
  assembly: { format: 'operands attr-dict (`:` type($operands)^)?' },
  interpret: () => success(undefined),
});

const suppresses = (operation: Operation): boolean => {
  const mode = operation.attributes['failure_propagation_mode'];
  return mode?.kind === 'string' && mode.value === 'suppress';
};

/** Runs a named sequence of the script with these handles. */
export const include = defineTransformOp({
  name: 'transform.include',
  summary: 'Includes a named transform sequence.',
  operands: { operands: readsAll('bound to the arguments of the sequence') },
  attributes: { target: symbolRefAttributeKind },
  results: { results: producesAll('what the sequence yields') },
  failures: {
    'transform/include-unknown': { mode: 'definite', when: 'the script has no named sequence of this name' },
    'transform/include-arity': { mode: 'definite', when: 'the sequence takes another number of handles' },
    'transform/nesting': { mode: 'definite', when: 'sequences include each other without end' },
  },
  assembly: {
    parse: (parser) => {
      const target = parser.attribute();
      const handling = parser.keyword();
      if (handling !== 'failures') parser.fail("expected 'failures'");
      const mode = parser.list('paren', () => parser.keyword())[0] ?? '';
      if (mode !== 'propagate' && mode !== 'suppress') parser.fail("expected 'propagate' or 'suppress'");
      const operands = parser.list('paren', () => parser.operand());
      const attributes = parser.optionalAttrDict();
      parser.expect(':');
      const types = parser.functionalType();
      return {
        operands: parser.resolveAll(operands, types.inputs, parser.here()),
        resultTypes: types.results,
        attributes: { ...attributes, target, failure_propagation_mode: stringAttribute(mode) },
      };
    },
    print: (printer, operation) => {
      const mode = operation.attributes['failure_propagation_mode'];
      printer.text(' ');
      printer.attribute(operation.attributes['target']!);
      printer.text(` failures(${mode?.kind === 'string' ? mode.value : 'propagate'}) (`);
      printer.operands(operation.operands);
      printer.text(')');
      printer.optionalAttrDict(operation, ['target', 'failure_propagation_mode']);
      printer.text(' : ');
      printer.functionalType(
        operation.operands.map((operand) => operand.type),
        operation.results.map((result) => result.type),
      );
    },
  },
  interpret: (run, operation, { target }) => {
    const sequence = findSequence(run.script, target);
    if (sequence === undefined) {
      return definite(
        error('transform/include-unknown', `no named sequence '@${target}'`, operation.location),
      );
    }
    const body = bodyOf(sequence);
    if (body.arguments.length !== operation.operands.length) {
      const message = `'@${target}' takes ${body.arguments.length} handles, but is included with ${operation.operands.length}`;
      return definite(error('transform/include-arity', message, operation.location));
    }
    return run.nested(operation, () => {
      body.arguments.forEach((argument, i) => run.bind(argument, run.idsOf(operation.operands[i]!)));
      const result = run.runBlock(body);
      if (result.status === 'silenceable' && suppresses(operation)) {
        return run.bindResults(
          operation,
          operation.results.map(() => []),
        );
      }
      return andThen(result, (yielded) => run.bindResults(operation, yielded));
    });
  },
});
