/** `transform.structured.match`: handles to payload operations by name and by attributes. */
import { didYouMean } from '@sconv/diagnostics';
import type {
  Attributes,
  DictionaryAttribute,
  Id,
  OpAsmParser,
  OpAsmPrinter,
  Operation,
  ParsedOperation,
} from '@sconv/ir';
import {
  arrayOf,
  attributeEquals,
  attributeKind,
  optionalAttribute,
  stringAttributeKind,
  walk,
} from '@sconv/ir';
import type { RecordOptions } from './define-transform-op.ts';
import { defineTransformOp, produces, reads } from './define-transform-op.ts';
import type { Handle } from './handle.ts';
import { opHandleType } from './handle-type.ts';
import { operationsPayload } from './payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

const parseMatch = (parser: OpAsmParser): ParsedOperation => {
  let attributes: Attributes = {};
  if (parser.accept('ops')) {
    // ops{["a", "b"]}: one array attribute between the braces.
    parser.expect('{');
    attributes = { ...attributes, ops: parser.attribute() };
    parser.expect('}');
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

/** Says what a match that found nothing may have meant, and what there is. */
const warnOfNothing = (
  run: ScheduleRun,
  operation: Operation,
  roots: readonly Operation[],
  names: readonly string[] | undefined,
): void => {
  const present = new Set(roots.flatMap((root) => [...walk(root)].map((each) => each.name)));
  const absent = (names ?? []).filter((name) => !present.has(name));
  if (names === undefined || absent.length < names.length) {
    run.warn(operation, 'transform/no-match', 'no operation has the attributes that are asked for');
    return;
  }
  const message = absent.map((name) => `no operation is named '${name}'${didYouMean(name, present)}`);
  const listed = [...present].sort().slice(0, mostListed);
  const more = present.size > listed.length ? ` and ${present.size - listed.length} more` : '';
  const note = { message: `the payload has ${listed.join(', ')}${more}`, location: roots[0]!.location };
  run.warn(operation, 'transform/no-match', message.join(', '), [note]);
};

const dictionaryKind = attributeKind<DictionaryAttribute>(
  'dictionary of named attribute values',
  (attribute) => (attribute.kind === 'dictionary' ? attribute : undefined),
  (dictionary) => dictionary,
);

/** How many names of operations a message lists. */
const mostListed = 20;

const matchOp = defineTransformOp({
  name: 'transform.structured.match',
  summary: 'Matches payload operations below the target by name and by attributes.',
  operands: { target: reads('where to look; the target itself may match') },
  attributes: {
    ops: optionalAttribute(arrayOf(stringAttributeKind, 'string array attribute')),
    opAttrs: optionalAttribute(dictionaryKind),
  },
  results: { results: produces('the operations that match') },
  assembly: { parse: parseMatch, print: printMatch },
  // Looks at the payload as it stands; an edit would thaw every function.
  interpret: (run, operation, { ops, opAttrs }) => {
    const wanted = opAttrs?.entries ?? {};
    const roots = run.operations(run.idsOf(operation.operands[0]!));
    const found = new Set<Id>();
    for (const root of roots) {
      for (const each of walk(root)) if (matches(each, ops, wanted)) found.add(each.id);
    }
    // No names match nothing, as one may want; an empty target was warned of where it was made.
    if (found.size === 0 && ops?.length !== 0 && roots.length > 0) {
      warnOfNothing(run, operation, roots, ops);
    }
    return run.bindResults(operation, [operationsPayload([...found])]);
  },
});

/** What a match asks for. */
export interface MatchOptions<N extends string> {
  /** The names of the operations; any, if they are left out. */
  readonly ops?: readonly N[];
  /** Attributes that they have, with these values. */
  readonly opAttrs?: DictionaryAttribute;
}

/**
 * Operations at or below the target, in the order in which they stand. The handle is one to operations of the names that are
 * asked for; where that is a single name, its type in the script says so too.
 */
export const match = Object.assign(
  <const N extends string = string>(
    { target }: { readonly target: Handle },
    { ops, opAttrs }: MatchOptions<N> = {},
    options?: RecordOptions,
  ): { readonly results: Handle<N> } => {
    const [name, ...others] = new Set(ops);
    return matchOp(
      { target },
      { ...(ops === undefined ? {} : { ops }), ...(opAttrs === undefined ? {} : { opAttrs }) },
      name === undefined || others.length > 0 ? options : { resultTypes: [opHandleType(name)], ...options },
    ) as { readonly results: Handle<N> };
  },
  { definition: matchOp.definition },
);
