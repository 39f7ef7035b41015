/**
 * The vocabulary of `defineOp`: what an operand, result, attribute or region of an operation may be.
 */
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
 * A predicate on types with the words that a diagnostic uses for it: "operand #0 must be {description}, but got …". What
 * passes is a `T`.
 */
export interface TypeConstraint<T extends Type = Type> {
  readonly description: string;
  readonly test: (type: Type) => type is T;
  /** The only type that fits, if there is just one: the assembly need not say it. */
  readonly buildable?: Type;
}

/** A constraint; where `test` narrows its argument, accessors give values of the narrower type. */
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

export const anyType = typeConstraint('any type', () => true);
export const index = typeConstraint('index', (type) => type.kind === 'index', indexType);
/** `i1`. */
export const boolean = typeConstraint(
  '1-bit signless integer',
  (type) => type.kind === 'integer' && type.width === 1 && type.signedness === 'signless',
  i1Type,
);
export const anyTensor = typeConstraint('ranked tensor of any type values', (type) => type.kind === 'tensor');
export const anyMemRef = typeConstraint('memref of any type values', (type) => type.kind === 'memref');

export type Arity = 'one' | 'optional' | 'variadic';

/** A named group of operands or results, whose types are all `T`. */
export interface ValueSpec<A extends Arity = Arity, T extends Type = Type> {
  readonly type: TypeConstraint<T>;
  readonly arity: A;
  readonly doc: string;
  /** Whether it has as many values as every other variadic group (`SameVariadicOperandSize`), so that none is counted. */
  readonly equalSize?: boolean;
}

/** Exactly one value. */
export const one = <T extends Type>(type: TypeConstraint<T>, doc = ''): ValueSpec<'one', T> => ({
  type,
  arity: 'one',
  doc,
});
/** One value or none. */
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

/** A variadic group that has as many values as the other variadic groups of its operation. */
export const variadicOfEqualSize = <T extends Type>(
  type: TypeConstraint<T>,
  doc = '',
): ValueSpec<'variadic', T> => ({
  ...variadic(type, doc),
  equalSize: true,
});

export type Presence = 'required' | 'optional' | 'default';

/** An attribute of an op: how the host value `T` is read from and written to the IR. */
export interface AttributeSpec<T = unknown, P extends Presence = Presence> {
  /** As in "attribute 'x' failed to satisfy constraint: {description}". */
  readonly description: string;
  readonly presence: P;
  /** For presence `default`. An op without the attribute reads as this; the custom form elides it. */
  readonly default?: T;
  /**
   * Whether an op that is made without the attribute gets the default written into it, as upstream does for
   * `DefaultValuedAttr` (and not for `DefaultValuedOptionalAttr` and `UnitAttr`).
   */
  readonly storesDefault?: boolean;
  readonly doc: string;
  /** The name in the text, where it is not the key in snake_case. */
  readonly textName?: string;
  /** How it is written where a format says `$name`, if that is not the attribute's own text. */
  readonly syntax?: AttributeSyntax;
  /** The host value, or undefined if the attribute is of another kind. */
  decode(attribute: Attribute): T | undefined;
  encode(value: T): Attribute;
}

/** The text of an attribute in a declarative format, where it differs from that of the attribute alone. */
export interface AttributeSyntax {
  /** The attribute, or undefined if the next token does not begin one. */
  parse(parser: OpAsmParser): Attribute | undefined;
  print(printer: OpAsmPrinter, attribute: Attribute): void;
}

/** An attribute spec whose host type is not known. */
export interface AnyAttributeSpec extends Omit<AttributeSpec, 'decode' | 'encode'> {
  decode(attribute: Attribute): unknown;
  encode(value: never): Attribute;
}

/** An attribute kind, to be refined with `optionalAttribute`, `withDefault` and `named`. */
export const attributeKind = <T>(
  description: string,
  decode: (attribute: Attribute) => T | undefined,
  encode: (value: T) => Attribute,
): AttributeSpec<T, 'required'> => ({ description, presence: 'required', doc: '', decode, encode });

export const optionalAttribute = <T>(spec: AttributeSpec<T>): AttributeSpec<T, 'optional'> => ({
  ...spec,
  presence: 'optional',
});

/** An op that is made without it gets `value`: upstream's `DefaultValuedAttr`. */
export const withDefault = <T>(spec: AttributeSpec<T>, value: T): AttributeSpec<T, 'default'> => ({
  ...spec,
  presence: 'default',
  default: value,
  storesDefault: true,
});

/** An op without it reads as `value`, but does not store it: upstream's `DefaultValuedOptionalAttr`. */
export const withImplicitDefault = <T>(spec: AttributeSpec<T>, value: T): AttributeSpec<T, 'default'> => ({
  ...spec,
  presence: 'default',
  default: value,
});

/** `spec` with its own text in formats. */
export const withSyntax = <T, P extends Presence>(
  spec: AttributeSpec<T, P>,
  syntax: AttributeSyntax,
): AttributeSpec<T, P> => ({ ...spec, syntax });

/** `spec` under another name in the text. */
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

export const anyAttribute = attributeKind<Attribute>(
  'any attribute',
  (attribute) => attribute,
  (value) => value,
);

/** An integer of one type that a number holds exactly; formats write the number alone. */
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

export const i32Attribute = integerKind('32-bit signless integer attribute', i32);
export const i64Attribute = integerKind('64-bit signless integer attribute', i64);
export const indexAttribute = integerKind('index attribute', indexType);

/** The values of `spec` that pass `test`; `suffix` is what upstream's description of the attribute adds. */
export const constrained = <T, P extends Presence>(
  spec: AttributeSpec<T, P>,
  suffix: string,
  test: (value: T) => boolean,
): AttributeSpec<T, P> => ({
  ...spec,
  description: `${spec.description} ${suffix}`,
  decode: (attribute) => {
    const value = spec.decode(attribute);
    return value !== undefined && test(value) ? value : undefined;
  },
});

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

export const boolAttribute = attributeKind<boolean>(
  'bool attribute',
  (attribute) =>
    attribute.kind === 'integer' && attribute.type.kind === 'integer' && attribute.type.width === 1
      ? attribute.value !== 0n
      : undefined,
  (value) =>
    integerAttribute(value ? 1 : 0, Object.freeze({ kind: 'integer', width: 1, signedness: 'signless' })),
);

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

/** `array<i64: 1, 2>` of integers that numbers hold exactly; formats write `[1, 2]`. */
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

export const affineMapAttributeKind = attributeKind<AffineMap>(
  'AffineMap attribute',
  (attribute) => (attribute.kind === 'affine-map' ? attribute.map : undefined),
  affineMapAttribute,
);

export const integerSetAttributeKind = attributeKind<IntegerSet>(
  'IntegerSet attribute',
  (attribute) => (attribute.kind === 'integer-set' ? attribute.set : undefined),
  integerSetAttribute,
);

/** An array whose elements are all of one kind; `description` as upstream words it. */
export const arrayOf = <T>(
  element: AttributeSpec<T>,
  description: string,
): AttributeSpec<readonly T[], 'required'> => {
  // The maps and iterators of an op are read far more often than they change.
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
 * `pure`: no side effects and speculatable. `recursive-effects`: those of the body are among its effects.
 * `associative`: it may be grouped in any way, rounding apart. `graph-region`: no dominance inside.
 * `single-block`: each region has at most one block. `no-terminator`: its blocks need none.
 * `symbol-table`, `symbol`: as in MLIR.
 * `cast`: it gives its operands other types (upstream: `CastOpInterface`).
 * `automatic-allocation-scope`: what is allocated on the stack in its regions ends with it.
 * `affine-scope`: values at the top of its regions are symbols of affine maps in it.
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
  | 'affine-scope';
