/** Calls to LLVM intrinsics, and extraction of their results. */
import type { FloatType, Type } from '@sconv/ir';
import {
  defineOp,
  dialectType,
  i64ArrayAttribute,
  integerType,
  named,
  one,
  optional,
  stringAttributeKind,
  typeConstraint,
  typeEquals,
  variadic,
  vectorType,
  withDefault,
} from '@sconv/ir';
import { flagsAttribute } from './attribute-kinds.ts';
import { typeText } from './type-text.ts';

/** LLVM's float types. */
const floats: ReadonlyMap<string, FloatType> = new Map(
  (['bf16', 'f16', 'f32', 'f64', 'f80', 'f128'] as const).map((name) => [
    name,
    Object.freeze({ kind: 'float', name }),
  ]),
);

/** LLVM-compatible types: builtin ones, and those of the dialect. */
const compatible = typeConstraint('LLVM dialect-compatible type', (type) => {
  switch (type.kind) {
    case 'integer':
      return type.signedness === 'signless';
    case 'float':
      return floats.has(type.name);
    case 'vector':
      return type.shape.length === 1;
    default:
      return type.kind === 'dialect' && type.dialect === 'llvm';
  }
});

const aggregate = typeConstraint(
  'LLVM aggregate type',
  (type) => type.kind === 'dialect' && type.dialect === 'llvm' && /^(struct|array)</.test(type.body),
);

const fastmathFlags = named(
  withDefault(
    flagsAttribute(
      {
        dialect: 'llvm',
        mnemonic: 'fastmath',
        flags: ['nnan', 'ninf', 'nsz', 'arcp', 'contract', 'afn', 'reassoc'],
        all: 'fast',
        separator: ', ',
      },
      'LLVM fastmath flags',
    ),
    [],
  ),
  'fastmathFlags',
);

/** `llvm.call_intrinsic "llvm.fabs.f32"(%x) : (f32) -> f32`. */
export const callIntrinsic = defineOp({
  name: 'llvm.call_intrinsic',
  summary: 'a call of an intrinsic function of LLVM',
  operands: { args: variadic(compatible) },
  results: { results: optional(compatible) },
  attributes: { intrin: stringAttributeKind, fastmathFlags },
  assembly: { format: '$intrin `(` $args `)` `:` functional-type($args, $results) attr-dict' },
  *verify({ attributes: { intrin } }) {
    if (!intrin.startsWith('llvm.')) yield "intrinsic name must start with 'llvm.'";
  },
});

/** Parses a type nested in another type of the dialect, where the prefix `!llvm.` is elided. */
const typeOf = (text: string): Type => {
  const integer = /^i(\d+)$/.exec(text);
  if (integer !== null) return integerType(Number(integer[1]));
  const float = floats.get(text);
  if (float !== undefined) return float;
  const vector = /^vector<(\[?)(\d+)\]?x([^<>]*)>$/.exec(text);
  return vector === null
    ? dialectType('llvm', text)
    : vectorType([Number(vector[2])], typeOf(vector[3]!), [vector[1] !== '']);
};

/** Splits a list at the commas outside brackets. */
const partsOf = (list: string): readonly string[] => {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if ('<([{'.includes(character)) depth += 1;
    if ('>)]}'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return list.trim() === '' ? [] : parts.map((part) => part.trim());
};

/** The type at an index of a struct or array, or an error message. */
const elementAt = (type: Type, index: number): Type | string => {
  const body = type.kind === 'dialect' && type.dialect === 'llvm' ? type.body : '';
  const array = /^array<\s*(\d+)\s*x\s*(.*)>$/s.exec(body);
  const members = /^struct<(?:"(?:[^"\\]|\\.)*",\s*)?(?:packed\s*)?\((.*)\)>$/s.exec(body);
  if (array === null && members === null)
    return `expected LLVM IR structure/array type, got: '${typeText(type)}'`;
  const parts = members === null ? undefined : partsOf(members[1]!);
  const size = parts?.length ?? Number(array?.[1]);
  if (index < 0 || index >= size) return `position out of bounds: ${index}`;
  return typeOf(parts?.[index] ?? array![2]!);
};

/** The type at a position in nested structs and arrays, or an error message. */
const typeAt = (container: Type, position: readonly number[]): Type | string =>
  position.reduce<Type | string>(
    (type, index) => (typeof type === 'string' ? type : elementAt(type, index)),
    container,
  );

/** `!llvm.struct<(f32, i32)>`: the result type of intrinsics with several results. */
export const structOf = (members: readonly Type[]): Type =>
  dialectType(
    'llvm',
    `struct<(${members.map((member) => typeText(member).replace(/^!llvm\./, '')).join(', ')})>`,
  );

/** `llvm.extractvalue %s[1] : !llvm.struct<(f32, i32)>`. */
export const extractvalue = defineOp({
  name: 'llvm.extractvalue',
  summary: 'a member of a structure or array',
  operands: { container: one(aggregate) },
  results: { res: one(compatible) },
  attributes: { position: i64ArrayAttribute },
  traits: ['pure'],
  inferResultTypes: ([container], { position }) => {
    if (container === undefined || position === undefined) return undefined;
    const type = typeAt(container.type, i64ArrayAttribute.decode(position) ?? []);
    return typeof type === 'string' ? undefined : [type];
  },
  assembly: {
    parse: (parser) => {
      const operand = parser.operand();
      const position = parser.list('square', () => parser.exactInteger());
      const attributes = parser.optionalAttrDict();
      const type = parser.colonType();
      const result = typeAt(type, position);
      if (typeof result === 'string') return parser.fail(result);
      return {
        operands: [parser.resolve(operand, type)],
        resultTypes: [result],
        attributes: { ...attributes, position: i64ArrayAttribute.encode(position) },
      };
    },
    print: (printer, operation) => {
      const { position } = operation.attributes;
      const numbers = position === undefined ? undefined : i64ArrayAttribute.decode(position);
      printer.text(' ');
      printer.operands(operation.operands);
      printer.text(`[${(numbers ?? []).join(', ')}]`);
      printer.optionalAttrDict(operation, ['position']);
      printer.text(' : ');
      printer.types(operation.operands.map(({ type }) => type));
      // Upstream prints an empty result type.
      printer.text(' ');
    },
  },
  *verify({ operands: { container }, results: { res }, attributes: { position } }) {
    const type = typeAt(container.type, position);
    if (typeof type === 'string') yield { message: type, bare: true };
    else if (!typeEquals(type, res.type))
      yield (
        `Type mismatch: extracting from '${typeText(container.type)}' should produce ` +
        `'${typeText(type)}' but this op returns '${typeText(res.type)}'`
      );
  },
});
