/** The vocabulary of `defineOp`: specs of operands, results, attributes and regions. */
import { expectObject } from '@sconv/diagnostics';
import type { AffineMap, IntegerSet } from '@sconv/affine';
import type { OpAsmParser, OpAsmPrinter } from './assembly.ts';
import type { Attribute } from './attribute.ts';
import {
  affineMapAttribute,
  arrayAttribute,
  denseArrayAttribute,
  integerAttribute,
  integerSetAttribute,
  stringAttribute,
  symbolRefAttribute,
  typeAttribute,
  unitAttribute,
} from './attribute.ts';
import { exactNumber } from './integer-format.ts';
import type { Type } from './type.ts';
import { i1 as i1Type, i32, i64, indexType, typeEquals } from './type.ts';

/**
 * A predicate on types with its description in diagnostics: "operand #0 must be {description}, but got …". Types that
 * pass are `T`.
 */
export interface TypeConstraint<T extends Type = Type> {
  readonly description: string;
  readonly test: (type: Type) => type is T;
  /** The only valid type, if there is just one: the assembly may omit it. */
  readonly buildable?: Type;
}

/** A constraint; if `test` is a type guard, accessors return values of the narrower type. */
export function typeConstraint<T extends Type>(
  description: string,
  test: (type: Type) => type is T,
  buildable?: Type,
): TypeConstraint<T>;
export function typeConstraint(
  description: string,
  test: (type: Type) => boolean,
  buildable?: Type,
): TypeConstraint;
export function typeConstraint(
  description: string,
  test: (type: Type) => boolean,
  buildable?: Type,
): TypeConstraint {
  return {
    description,
    test: (type): type is Type => test(type),
    ...(buildable === undefined ? {} : { buildable }),
  };
}

/** Any type. */
export const anyType = typeConstraint('any type', () => true);
/** `index`. */
export const index = typeConstraint('index', (type) => type.kind === 'index', indexType);
/** `i1`. */
export const boolean = typeConstraint(
  '1-bit signless integer',
  (type) => type.kind === 'integer' && type.width === 1 && type.signedness === 'signless',
  i1Type,
);
/** A ranked tensor of any element type. */
export const anyTensor = typeConstraint('ranked tensor of any type values', (type) => type.kind === 'tensor');

/** How many values a group has: exactly one, at most one, any number. */
export type Arity = 'one' | 'optional' | 'variadic';

/** A named group of operands or results of type `T`. */
export interface ValueSpec<A extends Arity = Arity, T extends Type = Type> {
  readonly type: TypeConstraint<T>;
  readonly arity: A;
  readonly doc: string;
  /** Whether it is as large as every other variadic group (`SameVariadicOperandSize`): needs no segment sizes. */
  readonly equalSize?: boolean;
}

/** Exactly one value. */
export const one = <T extends Type>(type: TypeConstraint<T>, doc = ''): ValueSpec<'one', T> => ({
  type,
  arity: 'one',
  doc,
});
/** An optional value. */
export const optional = <T extends Type>(type: TypeConstraint<T>, doc = ''): ValueSpec<'optional', T> => ({
  type,
  arity: 'optional',
  doc,
});
/** Any number of values. */
export const variadic = <T extends Type>(type: TypeConstraint<T>, doc = ''): ValueSpec<'variadic', T> => ({
  type,
  arity: 'variadic',
  doc,
});

/** A variadic group with the same size as the operation's other variadic groups. */
export const variadicOfEqualSize = <T extends Type>(
  type: TypeConstraint<T>,
  doc = '',
): ValueSpec<'variadic', T> => ({
  ...variadic(type, doc),
  equalSize: true,
});

/** Whether an attribute is required, may be absent, or reads as a default where it is. */
export type Presence = 'required' | 'optional' | 'default';

/** An attribute of an op: how its host value `T` is decoded and encoded. */
export interface AttributeSpec<T = unknown, P extends Presence = Presence> {
  /** As in "attribute 'x' failed to satisfy constraint: {description}". */
  readonly description: string;
  readonly presence: P;
  /** For presence `default`: the value of an absent attribute; the custom form elides it. */
  readonly default?: T;
  /**
   * Whether ops created without the attribute store the default, as upstream does for `DefaultValuedAttr` (but not
   * for `DefaultValuedOptionalAttr` and `UnitAttr`).
   */
  readonly storesDefault?: boolean;
  readonly doc: string;
  /** The name in the text, if it is not the key in snake_case. */
  readonly textName?: string;
  /** The assembly of `$name` in a format, if it is not the attribute's own text. */
  readonly syntax?: AttributeSyntax;
  /** All that it may be, for an attribute that is one of a few words. */
  readonly words?: readonly string[];
  /** The host value, or undefined for an attribute of another kind. */
  decode(attribute: Attribute): T | undefined;
  encode(value: T): Attribute;
}

/** An attribute's assembly in declarative formats, if it differs from the attribute's own text. */
export interface AttributeSyntax {
  /** The attribute, or undefined if the next token does not start one. */
  parse(parser: OpAsmParser): Attribute | undefined;
  print(printer: OpAsmPrinter, attribute: Attribute): void;
}

/** A type-erased attribute spec. */
export interface AnyAttributeSpec extends Omit<AttributeSpec, 'decode' | 'encode'> {
  decode(attribute: Attribute): unknown;
  /** Throws on a value of another kind. */
  encode(value: unknown): Attribute;
}

/** An attribute kind, to be refined with `optionalAttribute`, `withDefault` and `named`. */
export const attributeKind = <T>(
  description: string,
  decode: (attribute: Attribute) => T | undefined,
  encode: (value: T) => Attribute,
): AttributeSpec<T, 'required'> => ({ description, presence: 'required', doc: '', decode, encode });

/** `spec`, for an attribute that may be absent. */
export const optionalAttribute = <T>(spec: AttributeSpec<T>): AttributeSpec<T, 'optional'> => ({
  ...spec,
  presence: 'optional',
});

/** Ops created without it store `value`: upstream's `DefaultValuedAttr`. */
export const withDefault = <T>(spec: AttributeSpec<T>, value: T): AttributeSpec<T, 'default'> => ({
  ...spec,
  presence: 'default',
  default: value,
  storesDefault: true,
});

/** Ops without it read as `value`, without storing it: upstream's `DefaultValuedOptionalAttr`. */
export const withImplicitDefault = <T>(spec: AttributeSpec<T>, value: T): AttributeSpec<T, 'default'> => ({
  ...spec,
  presence: 'default',
  default: value,
});

/** `spec` with its own assembly in formats. */
export const withSyntax = <T, P extends Presence>(
  spec: AttributeSpec<T, P>,
  syntax: AttributeSyntax,
): AttributeSpec<T, P> => ({ ...spec, syntax });

/** `spec` with another name in the text. */
export const named = <T, P extends Presence>(
  spec: AttributeSpec<T, P>,
  textName: string,
): AttributeSpec<T, P> => ({
  ...spec,
  textName,
});

/** `spec` with a sentence for the docs. */
export const documented = <T, P extends Presence>(
  spec: AttributeSpec<T, P>,
  doc: string,
): AttributeSpec<T, P> => ({
  ...spec,
  doc,
});

/** Any attribute, as it is. */
export const anyAttribute = attributeKind<Attribute>(
  'any attribute',
  (attribute) => attribute,
  (value) => value,
);

/** An integer of one type, exact as a number; formats print only the number. */
const integerKind = (description: string, type: Type): AttributeSpec<number, 'required'> =>
  withSyntax(
    attributeKind<number>(
      description,
      (attribute) =>
        attribute.kind === 'integer' && typeEquals(attribute.type, type)
          ? exactNumber(attribute.value)
          : undefined,
      (value) => integerAttribute(value, type),
    ),
    {
      parse: (parser) => parser.optionalAttribute(type),
      print: (printer, attribute) => {
        printer.attributeWithoutType(attribute);
      },
    },
  );

/** An `i32` integer, as a number. */
export const i32Attribute = integerKind('32-bit signless integer attribute', i32);
/** An `i64` integer, as a number. */
export const i64Attribute = integerKind('64-bit signless integer attribute', i64);
/** An `index` integer, as a number. */
export const indexAttribute = integerKind('index attribute', indexType);

/** The values of `spec` that pass `test`; `suffix` is appended to the description, as upstream does. */
export const constrained = <T, P extends Presence>(
  spec: AttributeSpec<T, P>,
  suffix: string,
  test: (value: T) => boolean,
): AttributeSpec<T, P> => {
  expectObject('the kind of an attribute', spec);
  return {
    ...spec,
    description: `${spec.description} ${suffix}`,
    decode: (attribute) => {
      const value = spec.decode(attribute);
      return value !== undefined && test(value) ? value : undefined;
    },
  };
};

/** An integer attribute that is at least `minimum`. */
export const atLeast = <P extends Presence>(
  spec: AttributeSpec<number, P>,
  minimum: number,
): AttributeSpec<number, P> =>
  constrained(spec, `whose minimum value is ${minimum}`, (value) => value >= minimum);

/** An integer attribute that is at most `maximum`. */
export const atMost = <P extends Presence>(
  spec: AttributeSpec<number, P>,
  maximum: number,
): AttributeSpec<number, P> =>
  constrained(spec, `whose maximum value is ${maximum}`, (value) => value <= maximum);

/** An integer attribute above 0. */
export const positive = <P extends Presence>(spec: AttributeSpec<number, P>): AttributeSpec<number, P> =>
  constrained(spec, 'whose value is positive', (value) => value > 0);

/** `true` or `false`, as a boolean. */
export const boolAttribute = attributeKind<boolean>(
  'bool attribute',
  (attribute) =>
    attribute.kind === 'integer' && attribute.type.kind === 'integer' && attribute.type.width === 1
      ? attribute.value !== 0n
      : undefined,
  (value) =>
    integerAttribute(value ? 1 : 0, Object.freeze({ kind: 'integer', width: 1, signedness: 'signless' })),
);

/** `"…"`, as a string. */
export const stringAttributeKind = withSyntax(
  attributeKind<string>(
    'string attribute',
    (attribute) => (attribute.kind === 'string' ? attribute.value : undefined),
    stringAttribute,
  ),
  {
    parse: (parser) => {
      const value = parser.optionalString();
      return value === undefined ? undefined : stringAttribute(value);
    },
    print: (printer, attribute) => {
      printer.attributeWithoutType(attribute);
    },
  },
);

/** `array<i64: 1, 2>` of integers that are exact as numbers; formats print `[1, 2]`. */
export const i64ArrayAttribute = withSyntax(
  attributeKind<readonly number[]>(
    'i64 dense array attribute',
    (attribute) => {
      if (attribute.kind !== 'dense-array' || !typeEquals(attribute.elementType, i64)) return undefined;
      const values = attribute.values.map(exactNumber);
      return values.every((value) => value !== undefined) ? values : undefined;
    },
    (values) => denseArrayAttribute(values),
  ),
  {
    parse: (parser) =>
      parser.peek('[')
        ? denseArrayAttribute(parser.list('square', () => parser.exactInteger()))
        : parser.optionalAttribute(),
    print: (printer, attribute) => {
      printer.text(attribute.kind === 'dense-array' ? `[${attribute.values.join(', ')}]` : '');
    },
  },
);

/** Present or not. */
export const unitAttributeKind: AttributeSpec<boolean, 'default'> = {
  description: 'unit attribute',
  presence: 'default',
  default: false,
  doc: '',
  decode: (attribute) => (attribute.kind === 'unit' ? true : undefined),
  encode: () => unitAttribute,
};

/** A type attribute, as the type. */
export const typeAttributeKind = attributeKind<Type>(
  'any type attribute',
  (attribute) => (attribute.kind === 'type' ? attribute.type : undefined),
  typeAttribute,
);

/** A flat `@name`. */
export const symbolRefAttributeKind = withSyntax(
  attributeKind<string>(
    'flat symbol reference attribute',
    (attribute) =>
      attribute.kind === 'symbol-ref' && attribute.nested.length === 0 ? attribute.root : undefined,
    (value) => symbolRefAttribute(value),
  ),
  {
    parse: (parser) => {
      const name = parser.optionalSymbolName();
      return name === undefined ? undefined : symbolRefAttribute(name);
    },
    print: (printer, attribute) => {
      printer.attribute(attribute);
    },
  },
);

/** `affine_map<…>`, as the map. */
export const affineMapAttributeKind = attributeKind<AffineMap>(
  'AffineMap attribute',
  (attribute) => (attribute.kind === 'affine-map' ? attribute.map : undefined),
  affineMapAttribute,
);

/** `affine_set<…>`, as the set. */
export const integerSetAttributeKind = attributeKind<IntegerSet>(
  'IntegerSet attribute',
  (attribute) => (attribute.kind === 'integer-set' ? attribute.set : undefined),
  integerSetAttribute,
);

/** An array of elements of one kind; `description` is upstream's. */
export const arrayOf = <T>(
  element: AttributeSpec<T>,
  description: string,
): AttributeSpec<readonly T[], 'required'> => {
  // An op's maps and iterator types are read far more often than they change.
  const decoded = new WeakMap<Attribute, readonly T[]>();
  const decode = (attribute: Attribute): readonly T[] | undefined => {
    if (attribute.kind !== 'array') return undefined;
    const values: T[] = [];
    for (const item of attribute.elements) {
      const value = element.decode(item);
      if (value === undefined) return undefined;
      values.push(value);
    }
    decoded.set(attribute, Object.freeze(values));
    return values;
  };
  return attributeKind(
    description,
    (attribute) => decoded.get(attribute) ?? decode(attribute),
    (values) => arrayAttribute(values.map((value) => element.encode(value))),
  );
};

/**
 * Properties that the verifier, the parser and generic passes read.
 *
 * `pure`: side-effect free and speculatable. `recursive-effects`: its effects include those of its body.
 * `associative`: up to rounding. `graph-region`: no dominance inside. `single-block`: each region has at most one
 * block. `no-terminator`: its blocks need none. `symbol-table`, `symbol`: as in MLIR. `cast`: changes the types of
 * its operands (upstream: `CastOpInterface`). `automatic-allocation-scope`: stack allocations in its regions end with
 * it. `affine-scope`: values at the top level of its regions are valid symbols of affine maps in it. `restricts-body`:
 * what is in it computes less there than elsewhere, so that it neither folds to values nor equals what is outside.
 * `irdl`: an IRDL file defines it for upstream, where such an op has no properties: the generic form lists all
 * attributes as `{…}`, and the sizes of operand groups as `operand_segment_sizes`.
 */
export type Trait =
  | 'terminator'
  | 'isolated-from-above'
  | 'pure'
  | 'recursive-effects'
  | 'commutative'
  | 'associative'
  | 'graph-region'
  | 'single-block'
  | 'no-terminator'
  | 'symbol-table'
  | 'symbol'
  | 'return-like'
  | 'same-operands-type'
  | 'same-operands-and-result-type'
  | 'elementwise'
  | 'cast'
  | 'automatic-allocation-scope'
  | 'affine-scope'
  | 'irdl'
  | 'restricts-body';
