/** Prints types as MLIR does. */
import type { AliasLookup } from './attribute-printer.ts';
import { printAttribute } from './attribute-printer.ts';
import type { Type } from './type.ts';
import { DYNAMIC } from './dynamic.ts';

/** The text of a type; `aliases` names the attributes in it. */
export const printType = (type: Type, aliases?: AliasLookup): string => {
  switch (type.kind) {
    case 'index':
    case 'none':
      return type.kind;
    case 'integer':
      return `${type.signedness === 'signed' ? 's' : type.signedness === 'unsigned' ? 'u' : ''}i${type.width}`;
    case 'float':
      return type.name;
    case 'complex':
      return `complex<${printType(type.elementType, aliases)}>`;
    case 'tuple':
      return `tuple<${printTypes(type.elements, aliases)}>`;
    case 'function':
      return printFunctionalType(type.inputs, type.results, aliases);
    case 'tensor': {
      const encoding = type.encoding === undefined ? '' : `, ${printAttribute(type.encoding, { aliases })}`;
      return `tensor<${printShape(type.shape)}${printType(type.elementType, aliases)}${encoding}>`;
    }
    case 'unranked-tensor':
      return `tensor<*x${printType(type.elementType, aliases)}>`;
    case 'memref': {
      const attributes = [type.layout, type.memorySpace]
        .filter((attribute) => attribute !== undefined)
        .map((attribute) => `, ${printAttribute(attribute, { aliases, inList: true })}`);
      return `memref<${printShape(type.shape)}${printType(type.elementType, aliases)}${attributes.join('')}>`;
    }
    case 'unranked-memref': {
      const space =
        type.memorySpace === undefined
          ? ''
          : `, ${printAttribute(type.memorySpace, { aliases, inList: true })}`;
      return `memref<*x${printType(type.elementType, aliases)}${space}>`;
    }
    case 'vector': {
      const sizes = type.shape.map((size, i) => (type.scalable[i] === true ? `[${size}]x` : `${size}x`));
      return `vector<${sizes.join('')}${printType(type.elementType, aliases)}>`;
    }
    case 'dialect':
      return printDialectSymbol('!', type.dialect, type.body);
  }
};

/** Comma-separated. */
export const printTypes = (types: readonly Type[], aliases?: AliasLookup): string =>
  types.map((type) => printType(type, aliases)).join(', ');

/** `type`, or `(types)` unless there is exactly one that is not a function type. */
export const printResultTypes = (types: readonly Type[], aliases?: AliasLookup): string => {
  const [first] = types;
  return types.length === 1 && first !== undefined && first.kind !== 'function'
    ? printType(first, aliases)
    : `(${printTypes(types, aliases)})`;
};

/** `(types) -> types`. */
export const printFunctionalType = (
  inputs: readonly Type[],
  results: readonly Type[],
  aliases?: AliasLookup,
): string => `(${printTypes(inputs, aliases)}) -> ${printResultTypes(results, aliases)}`;

/** Sizes, each with its `x`. */
const printShape = (shape: readonly number[]): string =>
  shape.map((size) => (size === DYNAMIC ? '?x' : `${size}x`)).join('');

/** `#dialect.body` if the body starts with a name, else `#dialect<body>`. */
export const printDialectSymbol = (sigil: '#' | '!', dialect: string, body: string): string => {
  const name = /^[A-Za-z][\w.]*/.exec(body)?.[0];
  const isPretty = name !== undefined && (name === body || (body[name.length] === '<' && body.endsWith('>')));
  return isPretty ? `${sigil}${dialect}.${body}` : `${sigil}${dialect}<${body}>`;
};
