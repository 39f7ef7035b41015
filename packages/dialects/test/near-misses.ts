/** Operations with one thing changed: a size, a type, an extra operand, a missing attribute. */
import type { Attributes, Block, Module, Operation, Type, Value } from '@sconv/ir';
import {
  bodyOf,
  denseArrayAttribute,
  functionType,
  i32,
  indexType,
  isShaped,
  printType,
  typeAttribute,
  walk,
} from '@sconv/ir';
import { memoizedMaps } from '../src/linalg-view.ts';
import { nearAttributes, nearTypes, replaced } from './near-values.ts';

/** A change, in words, and the changed module. */
export interface NearMiss {
  readonly change: string;
  readonly module: Module;
}

type Change = readonly [change: string, operation: Operation];

const without = (attributes: Attributes, name: string): Attributes => {
  const { [name]: _, ...rest } = attributes;
  return rest;
};

const location = { kind: 'unknown' } as const;

/** The values defined outside that `operation` uses, deduplicated. */
const valuesFromOutside = (operation: Operation): readonly Value[] => {
  const inside = [...walk(operation)];
  const own = new Set(
    inside.flatMap(({ results, regions }) =>
      [...results, ...regions.flatMap(({ blocks }) => blocks.flatMap((block) => block.arguments))].map(
        ({ id }) => id,
      ),
    ),
  );
  const outside = inside.flatMap(({ operands }) => operands).filter(({ id }) => !own.has(id));
  return [...new Map(outside.map((value) => [value.id, value])).values()];
};

/** A function around `operation` with the values that it uses as arguments. */
const inFunctionOfItsOwn = (operation: Operation, like: Operation, nextId: number): Operation => {
  const values = valuesFromOutside(operation);
  const end: Operation = {
    id: nextId,
    name: 'func.return',
    operands: [],
    results: [],
    attributes: {},
    regions: [],
    successors: [],
    location,
  };
  const block: Block = { id: nextId + 1, arguments: values, operations: [operation, end] };
  return {
    ...like,
    attributes: {
      sym_name: { kind: 'string', value: 'near' },
      function_type: typeAttribute(
        functionType(
          values.map(({ type }) => type),
          [],
        ),
      ),
    },
    regions: [{ blocks: [block] }],
  };
};

/** Drops memoized maps of named operations, which would have to change with the attributes. */
const withoutMemos = (operation: Operation): Operation => ({
  ...operation,
  attributes: without(operation.attributes, memoizedMaps),
  regions: operation.regions.map(({ blocks }) => ({
    blocks: blocks.map((block) => ({ ...block, operations: block.operations.map(withoutMemos) })),
  })),
});

/**
 * The operations of a module, each in its own module and as the only op in its function; symbols that they may refer
 * to stay. Functions with several blocks stay whole.
 */
export const isolate = (
  module: Module,
): readonly { readonly operation: Operation; readonly module: Module }[] => {
  const top = bodyOf(withoutMemos(module.root)).operations;
  return top.flatMap((operation) => {
    const body = operation.name === 'func.func' ? operation.regions[0]?.blocks : undefined;
    const alone = (focus: Operation, around: Operation) => {
      const isReferring = Object.values(focus.attributes).some(({ kind }) => kind === 'symbol-ref');
      const others = isReferring
        ? top.filter((other) => other !== operation && other.name !== 'builtin.module')
        : [];
      const operations = [...others, around];
      return {
        operation: focus,
        module: {
          root: {
            ...module.root,
            attributes: {},
            regions: [{ blocks: [{ ...bodyOf(module.root), operations }] }],
          },
          nextId: module.nextId + 2,
        },
      };
    };
    if (body?.length !== 1) return [alone(operation, operation)];
    return body[0]!.operations
      .slice(0, -1)
      .map((focus) => alone(focus, inFunctionOfItsOwn(focus, operation, module.nextId)));
  });
};

/** Segment sizes with one operand less or more in the group of operand `i`, if the op stores them. */
const resized = ({ attributes }: Operation, i: number, by: 1 | -1): Attributes => {
  const segments = attributes['operandSegmentSizes'];
  if (segments?.kind !== 'dense-array') return attributes;
  const sizes = segments.values.map(Number);
  let end = 0;
  const group = sizes.findIndex((size) => i < (end += size));
  return {
    ...attributes,
    operandSegmentSizes: denseArrayAttribute(replaced(sizes, group, sizes[group]! + by), i32),
  };
};

const rankOf = (type: Type): number => (isShaped(type) ? type.shape.length : 1);

const attributeChangesOf = (operation: Operation): readonly Change[] =>
  Object.entries(operation.attributes).flatMap(([name, attribute]) => [
    [`no ${name}`, { ...operation, attributes: without(operation.attributes, name) }] as const,
    ...nearAttributes(attribute).map(
      (near, i) =>
        [`${name} ~${i}`, { ...operation, attributes: { ...operation.attributes, [name]: near } }] as const,
    ),
  ]);

/** The changes of one operation; nested ones stay. */
const changesOf = (operation: Operation): readonly Change[] => {
  const { operands, results, regions } = operation;
  const change = (name: string, by: Partial<Operation>): Change => [name, { ...operation, ...by }];
  return [
    ...operands.flatMap((operand, i) => [
      change(`no operand #${i}`, { operands: replaced(operands, i), attributes: resized(operation, i, -1) }),
      change(`operand #${i} twice`, {
        operands: replaced(operands, i, operand, operand),
        attributes: resized(operation, i, 1),
      }),
    ]),
    ...results.map((_, i) => change(`no result #${i}`, { results: replaced(results, i) })),
    change('one result more', { results: [...results, oneMore(results)] }),
    ...attributeChangesOf(operation),
    ...(regions.length === 0
      ? []
      : [
          change('one region less', { regions: regions.slice(1) }),
          change('one region more', { regions: [...regions, ...regions.slice(0, 1)] }),
        ]),
    ...regions.flatMap(({ blocks: [entry, ...others] }, i) =>
      entry === undefined
        ? []
        : entryChanges(entry).map(([name, block]) =>
            change(`region #${i} ${name}`, { regions: replaced(regions, i, { blocks: [block, ...others] }) }),
          ),
    ),
  ];
};

const oneMore = (values: readonly Value[]): Value => ({ type: values.at(-1)?.type ?? indexType, id: -1 });

/** The changes of the entry block of a region, and of its terminator operands. */
const entryChanges = (block: Block): readonly (readonly [change: string, block: Block])[] => {
  const { arguments: given, operations } = block;
  const last = operations.at(-1);
  const ending = (operands: readonly Value[]): Block => ({
    ...block,
    operations: [...operations.slice(0, -1), { ...last!, operands }],
  });
  return [
    ['with an argument more', { ...block, arguments: [...given, oneMore(given)] }],
    ['with an argument less', { ...block, arguments: given.slice(0, -1) }],
    ...(last === undefined || last.operands.length === 0
      ? []
      : [
          ['ends with less', ending(last.operands.slice(1))] as const,
          ['ends with more', ending([...last.operands, ...last.operands.slice(-1)])] as const,
        ]),
  ];
};

/** `operation` and its regions, where `change` maps operations and `type` the types of values. */
const rebuilt = (
  operation: Operation,
  change: (operation: Operation) => Operation,
  type: (value: Value) => Value,
): Operation => {
  const changed = change(operation);
  const regions = changed.regions.map(({ blocks }) => ({
    blocks: blocks.map((block) => ({
      ...block,
      arguments: block.arguments.map(type),
      operations: block.operations.map((child) => rebuilt(child, change, type)),
    })),
  }));
  const inputs = regions[0]?.blocks[0]?.arguments.map((value) => value.type) ?? [];
  const isAround =
    changed.attributes['sym_name']?.kind === 'string' && changed.attributes['sym_name'].value === 'near';
  return {
    ...changed,
    operands: changed.operands.map(type),
    results: changed.results.map(type),
    regions,
    attributes: isAround
      ? { ...changed.attributes, function_type: typeAttribute(functionType(inputs, [])) }
      : changed.attributes,
  };
};

/** The values whose types are changed, each with a name; `isBrief` takes only those from outside. */
const changedValues = (operation: Operation, isBrief: boolean): readonly (readonly [string, Value])[] => {
  // The argument types of a function follow from its type.
  if (operation.name === 'func.func') return [];
  const outside = valuesFromOutside(operation).map((value, i) => [`value #${i}`, value] as const);
  if (isBrief) return outside;
  return [
    ...outside,
    ...operation.results.map((value, i) => [`result #${i}`, value] as const),
    ...operation.regions.flatMap(({ blocks: [entry] }, i) =>
      (entry?.arguments ?? []).map((value, j) => [`argument #${i}.${j}`, value] as const),
    ),
  ];
};

/** All near misses of the operation in `module`; `isBrief` tries only other operand sizes and other attributes. */
export const nearMissesOf = (module: Module, operation: Operation, isBrief: boolean): readonly NearMiss[] => {
  const keep = <T>(value: T): T => value;
  return [
    ...changedValues(operation, isBrief).flatMap(([name, { id, type }]) =>
      nearTypes(type)
        .slice(0, isBrief ? rankOf(type) : undefined)
        .map((near) => ({
          change: `${name}: ${printType(near)}`,
          module: {
            ...module,
            root: rebuilt(module.root, keep, (value) => (value.id === id ? { ...value, type: near } : value)),
          },
        })),
    ),
    ...(isBrief ? attributeChangesOf(operation) : changesOf(operation)).map(([change, changed]) => ({
      change,
      module: {
        ...module,
        root: rebuilt(module.root, (other) => (other.id === operation.id ? changed : other), keep),
      },
    })),
  ];
};
