/** `transform.structured.match`: matches payload operations by their properties. */
import { definite, didYouMean, error } from '@sconv/diagnostics';
import { enumAttribute, isTileable, loopLike } from '@sconv/dialects';
import { isStructured } from '@sconv/dialects/linalg';
import type { DictionaryAttribute, Id, Operation, Registry, Type, Value } from '@sconv/ir';
import {
  arrayOf,
  attributeEquals,
  attributeKind,
  modelOf,
  optionalAttribute,
  typeAttributeKind,
  typeEquals,
  walk,
  walkPostOrder,
} from '@sconv/ir';
import type { RecordOptions } from './define-transform-op.ts';
import { stringsAttribute } from './attribute-kinds.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { produces, reads } from './handle-specs.ts';
import type { Handle } from './handle.ts';
import { opHandleType } from './handle-type.ts';
import { operationsPayload } from './payload.ts';
import type { ScheduleRun } from './schedule-run.ts';

/** In the order of upstream's enum. */
const interfaceNames = ['LinalgOp', 'TilingInterface', 'LoopLikeInterface'] as const;

type InterfaceName = (typeof interfaceNames)[number];

/** The match criteria; omitted ones match anything. */
export interface MatchOptions<N extends string = string> {
  /** Op names. */
  readonly ops?: readonly N[] | undefined;
  /** An interface that they implement. */
  readonly interface?: InterfaceName | undefined;
  /** Attributes with these values. */
  readonly opAttrs?: DictionaryAttribute | undefined;
  /** The type of their only result. */
  readonly filterResultType?: Type | undefined;
  /** The types of their operands; a single one applies to all. */
  readonly filterOperandTypes?: readonly Type[] | undefined;
}

const implementsInterface = (operation: Operation, name: InterfaceName, registry: Registry): boolean => {
  switch (name) {
    case 'LinalgOp':
      return isStructured(registry, operation);
    case 'TilingInterface':
      return isTileable(registry, operation);
    case 'LoopLikeInterface':
      return modelOf(registry, loopLike, operation) !== undefined;
  }
};

/** Whether values have these types; a single type applies to all. */
const haveTypes = (values: readonly Value[], types: readonly Type[]): boolean =>
  values.every(({ type }, i) => typeEquals(type, types.length === 1 ? types[0]! : types[i]!));

/** Whether an operation matches, regardless of its operands. */
const matches = (operation: Operation, wanted: MatchOptions, registry: Registry): boolean => {
  const { ops, interface: asked, opAttrs, filterResultType } = wanted;
  const { results, attributes } = operation;
  return (
    ops?.includes(operation.name) !== false &&
    (asked === undefined || implementsInterface(operation, asked, registry)) &&
    Object.entries(opAttrs?.entries ?? {}).every(([name, attribute]) => {
      const found = attributes[name];
      return found !== undefined && attributeEquals(found, attribute);
    }) &&
    (filterResultType === undefined ||
      (results.length === 1 && typeEquals(results[0]!.type, filterResultType)))
  );
};

/** Warns that a match found nothing; suggests names, and lists those that exist. */
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

/** The most op names that a message lists. */
const mostListed = 20;

const matchOp = defineTransformOp({
  name: 'transform.structured.match',
  summary:
    'Matches payload operations at or below the target by name, interface, attributes and types, in post-order.',
  operands: { target: reads('where to look; the target itself may match') },
  attributes: {
    ops: optionalAttribute(stringsAttribute),
    interface: optionalAttribute(enumAttribute(interfaceNames, 32)),
    opAttrs: optionalAttribute(dictionaryKind),
    filterResultType: optionalAttribute(typeAttributeKind),
    filterOperandTypes: optionalAttribute(arrayOf(typeAttributeKind, 'type array attribute')),
  },
  results: { results: produces('the operations that match') },
  failures: {
    'transform/match-operand-types': {
      mode: 'definite',
      when: '`filter_operand_types` lists several types, and an operation has a different number of operands',
    },
  },
  assembly: {
    format: `(\`ops\` \`{\` $ops^ \`}\`)?
      (\`interface\` \`{\` $interface^ \`}\`)?
      (\`attributes\` $op_attrs^)?
      (\`filter_result_type\` \`=\` $filter_result_type^)?
      (\`filter_operand_types\` \`=\` $filter_operand_types^)?
      \`in\` $target attr-dict \`:\` functional-type($target, results)`,
  },
  // Only inspects the payload; an edit would thaw every function.
  interpret: (run, operation, wanted) => {
    const roots = run.operations(run.idsOf(operation.operands[0]!));
    const { registry } = run.context;
    const found = new Set<Id>();
    for (const root of roots) {
      for (const each of walkPostOrder(root)) {
        if (!matches(each, wanted, registry)) continue;
        const { filterOperandTypes: types } = wanted;
        if (types !== undefined && types.length !== 1 && types.length !== each.operands.length) {
          const message =
            `${types.length} types cannot be those of ${each.operands.length} operands: filter by a ` +
            'name, or by one type';
          const note = { message: 'payload operation', location: each.location };
          return definite(error('transform/match-operand-types', message, operation.location, [note]));
        }
        if (types === undefined || haveTypes(each.operands, types)) found.add(each.id);
      }
    }
    // An empty name list intentionally matches nothing; an empty target has been warned about at its origin.
    if (found.size === 0 && wanted.ops?.length !== 0 && roots.length > 0) {
      warnOfNothing(run, operation, roots, wanted.ops);
    }
    return run.bindResults(operation, [operationsPayload([...found])]);
  },
});

/**
 * Matches operations at or below the target, in post-order. The handle is typed by the requested names; a single name
 * also becomes its type in the script.
 */
export const match = Object.assign(
  <const N extends string = string>(
    operands: { readonly target: Handle },
    wanted: MatchOptions<N> = {},
    options?: RecordOptions,
  ): { readonly results: Handle<N> } => {
    // The op reports what is no operand or no option.
    const ops: unknown = { ...wanted }.ops;
    const [name, ...others] = new Set(Array.isArray(ops) ? (ops as readonly string[]) : []);
    return matchOp(
      operands,
      wanted,
      name === undefined || others.length > 0 ? options : { resultTypes: [opHandleType(name)], ...options },
    ) as { readonly results: Handle<N> };
  },
  { definition: matchOp.definition },
);
