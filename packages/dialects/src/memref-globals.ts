/** Global buffers of a module, and references to them. */
import type {
  Attribute,
  DenseElementsAttribute,
  DenseResourceAttribute,
  MemRefType,
  Type,
  VerifyProblem,
} from '@sconv/ir';
import {
  bare,
  anyAttribute,
  attributeKind,
  defineOp,
  i64Attribute,
  isStaticShape,
  one,
  optionalAttribute,
  printAttribute,
  stringAttributeKind,
  symbolRefAttributeKind,
  tensorType,
  typeAttribute,
  typeEquals,
  unitAttribute,
  unitAttributeKind,
} from '@sconv/ir';
import { symbolName } from './attribute-kinds.ts';
import { isPowerOfTwo, staticMemref } from './constraints.ts';
import { typeText } from './type-text.ts';

const memrefTypeAttribute = attributeKind<MemRefType>(
  'memref type attribute',
  (attribute) => (attribute.kind === 'type' && attribute.type.kind === 'memref' ? attribute.type : undefined),
  typeAttribute,
);

/** The tensor type of a global's initial value. */
const initialValueType = ({ shape, elementType }: MemRefType): Type => tensorType(shape, elementType);

function* globalErrors(
  type: MemRefType,
  value: Attribute | undefined,
  given: number | undefined,
): Generator<VerifyProblem> {
  if (!isStaticShape(type)) {
    yield `type should be static shaped memref, but got '${typeText(type)}'`;
  } else if (value !== undefined && value.kind !== 'unit' && !isElements(value)) {
    yield `initial value should be a unit or elements attribute, but got ${printAttribute(value)}`;
  } else if (hasElements(value) && !typeEquals(value.type, initialValueType(type))) {
    yield (
      `initial value expected to be of type '${typeText(initialValueType(type))}', but was of type ` +
      `'${typeText(value.type)}'`
    );
  } else if (given !== undefined && !isPowerOfTwo(BigInt(given))) {
    yield* bare([`alignment attribute value ${BigInt.asUintN(64, BigInt(given))} is not a power of 2`]);
  }
}

/** Elements that this IR can read. */
const hasElements = (
  value: Attribute | undefined,
): value is DenseElementsAttribute | DenseResourceAttribute =>
  value?.kind === 'dense-elements' || value?.kind === 'dense-resource';

/** Elements, be they only carried (`sparse<…>`). */
const isElements = (value: Attribute): boolean => hasElements(value) || value.kind === 'opaque';

/** `memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>`. */
export const global = defineOp({
  name: 'memref.global',
  summary: 'a buffer of the module',
  attributes: {
    symName: symbolName,
    symVisibility: optionalAttribute(stringAttributeKind),
    type: memrefTypeAttribute,
    initialValue: optionalAttribute(anyAttribute),
    constant: unitAttributeKind,
    alignment: optionalAttribute(i64Attribute),
  },
  traits: ['symbol'],
  verify: ({ attributes: { type, initialValue, alignment: given } }) =>
    globalErrors(type, initialValue, given),
  assembly: {
    format:
      '($sym_visibility^)? (`constant` $constant^)? $sym_name `:` ' +
      'custom<GlobalMemrefOpTypeAndInitialValue>($type, $initial_value) attr-dict',
    directives: {
      GlobalMemrefOpTypeAndInitialValue: {
        parse: (parser, parsed) => {
          const type = parser.type();
          if (type.kind !== 'memref' || !isStaticShape(type))
            return parser.fail(
              `type should be static shaped memref, but got '${typeText(type)}'`,
              parser.location,
            );
          parsed.attributes.set('type', typeAttribute(type));
          if (!parser.accept('=')) return;
          parsed.attributes.set(
            'initial_value',
            parser.accept('uninitialized') ? unitAttribute : parser.attribute(initialValueType(type)),
          );
        },
        print: (printer, operation) => {
          const { type, initial_value: value } = operation.attributes;
          if (type?.kind === 'type') printer.type(type.type);
          if (value === undefined) return;
          printer.text(' = ');
          if (value.kind === 'unit') printer.text('uninitialized');
          else printer.attributeWithoutType(value);
        },
      },
    },
  },
});

/** `memref.get_global @c : memref<2xf32>`. */
export const getGlobal = defineOp({
  name: 'memref.get_global',
  summary: 'a buffer of the module by its name',
  results: { result: one(staticMemref) },
  attributes: { name: symbolRefAttributeKind },
  traits: ['pure'],
  assembly: { format: '$name `:` type($result) attr-dict' },
  *verify({ attributes: { name }, results: { result } }, context) {
    const symbol = context.lookupSymbol(name);
    const type = symbol?.name === 'memref.global' ? symbol.attributes['type'] : undefined;
    if (type?.kind !== 'type') {
      yield `'${name}' does not reference a valid global memref`;
    } else if (!typeEquals(type.type, result.type)) {
      yield (
        `result type '${typeText(result.type)}' does not match type '${typeText(type.type)}' of the ` +
        `global memref @${name}`
      );
    }
  },
});
