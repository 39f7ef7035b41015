/** Attribute kinds shared by several dialects, with their assembly: enums, flags, reassociations. */
import type { Attribute, AttributeSpec } from '@sconv/ir';
import {
  arrayAttribute,
  attributeKind,
  dialectAttribute,
  documented,
  i32,
  i64,
  integerAttribute,
  stringAttribute,
  typeEquals,
  withSyntax,
} from '@sconv/ir';

/** Whether a word needs no quotes. */
const isBareWord = (word: string): boolean => /^[A-Za-z_][\w$.]*$/.test(word);

/** An integer attribute with named values, from `first` on; formats print the names as bare words where possible. */
export const enumAttribute = <W extends string>(
  words: readonly W[],
  width: 32 | 64,
  first = 0,
): AttributeSpec<W, 'required'> => {
  const type = width === 32 ? i32 : i64;
  const encode = (word: W): Attribute => integerAttribute(words.indexOf(word) + first, type);
  const decode = (attribute: Attribute): W | undefined =>
    attribute.kind === 'integer' && typeEquals(attribute.type, type)
      ? words[Number(attribute.value) - first]
      : undefined;
  const spec = withSyntax(
    documented(
      attributeKind(
        `allowed ${width}-bit signless integer cases: ${words.map((_, i) => i + first).join(', ')}`,
        decode,
        encode,
      ),
      `one of ${words.map((word) => `\`${word}\``).join(', ')}`,
    ),
    {
      parse: (parser) => {
        const written = parser.optionalString();
        const word = words.find((candidate) =>
          written === undefined ? isBareWord(candidate) && parser.accept(candidate) : candidate === written,
        );
        return word === undefined ? undefined : encode(word);
      },
      print: (printer, attribute) => {
        const word = decode(attribute) ?? '';
        if (isBareWord(word)) printer.text(word);
        else printer.string(word);
      },
    },
  );
  return { ...spec, words };
};

/** An enum attribute of a dialect, `#dialect.mnemonic<word>`. */
export const dialectEnumAttribute = <W extends string>(
  dialect: string,
  mnemonic: string,
  words: readonly W[],
): AttributeSpec<W, 'required'> =>
  attributeKind(
    `allowed 32-bit signless integer cases: ${words.map((_, i) => i).join(', ')}`,
    (attribute) =>
      attribute.kind === 'dialect' && attribute.dialect === dialect
        ? words.find((word) => attribute.body === `${mnemonic}<${word}>`)
        : undefined,
    (word) => dialectAttribute(dialect, `${mnemonic}<${word}>`),
  );

/** A set of flags, printed as `#dialect.mnemonic<a, b>`; host value: the flags in the order of their declaration. */
export interface FlagSet {
  readonly dialect: string;
  readonly mnemonic: string;
  /** Least significant bit first. */
  readonly flags: readonly string[];
  /** Names that stand for all flags together. */
  readonly all?: string;
  /** The separator between two flags. */
  readonly separator: string;
}

const flagText = (set: FlagSet, flags: readonly string[]): string => {
  if (flags.length === 0) return 'none';
  if (set.all !== undefined && set.flags.every((flag) => flags.includes(flag))) return set.all;
  return set.flags.filter((flag) => flags.includes(flag)).join(set.separator);
};

const readFlags = (set: FlagSet, words: readonly string[]): readonly string[] | undefined => {
  if (words.length === 1 && words[0] === 'none') return [];
  if (set.all !== undefined && words.includes(set.all)) return set.flags;
  return words.every((word) => set.flags.includes(word))
    ? set.flags.filter((flag) => words.includes(flag))
    : undefined;
};

/** The flags named by the text `mnemonic<a, b>` of an attribute. */
const flagsIn = (set: FlagSet, body: string): readonly string[] | undefined =>
  body.startsWith(`${set.mnemonic}<`) && body.endsWith('>')
    ? readFlags(
        set,
        body
          .slice(set.mnemonic.length + 1, -1)
          .split(',')
          .map((word) => word.trim()),
      )
    : undefined;

/** The canonical text of an attribute of this set; undefined if `body` is not one. */
export const flagsBody = (set: FlagSet, body: string): string | undefined => {
  const flags = flagsIn(set, body);
  return flags === undefined ? undefined : `${set.mnemonic}<${flagText(set, flags)}>`;
};

/** The attribute kind of a `FlagSet`; formats print `<a, b>`. */
export const flagsAttribute = (
  set: FlagSet,
  description: string,
): AttributeSpec<readonly string[], 'required'> => {
  const encode = (flags: readonly string[]): Attribute =>
    dialectAttribute(set.dialect, `${set.mnemonic}<${flagText(set, flags)}>`);
  const decode = (attribute: Attribute): readonly string[] | undefined =>
    attribute.kind === 'dialect' && attribute.dialect === set.dialect
      ? flagsIn(set, attribute.body)
      : undefined;
  return withSyntax(attributeKind(description, decode, encode), {
    parse: (parser) => {
      if (!parser.peek('<')) return undefined;
      const words = parser.list('angle', () => parser.keyword());
      const flags = readFlags(set, words);
      return flags === undefined ? parser.fail(`expected ${set.mnemonic} flags`) : encode(flags);
    },
    print: (printer, attribute) => {
      printer.text(`<${flagText(set, decode(attribute) ?? [])}>`);
    },
  });
};

/** The symbol name that an operation defines, printed as `@name`. */
export const symbolName: AttributeSpec<string, 'required'> = withSyntax(
  attributeKind(
    'string attribute',
    (attribute) => (attribute.kind === 'string' ? attribute.value : undefined),
    stringAttribute,
  ),
  {
    parse: (parser) => {
      const name = parser.optionalSymbolName();
      return name === undefined ? undefined : stringAttribute(name);
    },
    print: (printer, attribute) => {
      printer.symbolName(attribute.kind === 'string' ? attribute.value : '');
    },
  },
);

/** The groups of a reshape: `[[0, 1], [2]]`. */
export type Reassociation = readonly (readonly number[])[];

const readGroup = (attribute: Attribute): readonly number[] | undefined => {
  if (attribute.kind !== 'array') return undefined;
  const positions = attribute.elements.map((element) =>
    element.kind === 'integer' ? Number(element.value) : NaN,
  );
  return positions.some(Number.isNaN) ? undefined : positions;
};

/** `[[0, 1], [2]]`, an array of arrays of i64. */
export const reassociationAttribute: AttributeSpec<Reassociation, 'required'> = attributeKind(
  'Array of 64-bit integer array attributes',
  (attribute) => {
    if (attribute.kind !== 'array') return undefined;
    const groups = attribute.elements.map(readGroup);
    return groups.every((group) => group !== undefined) ? groups : undefined;
  },
  (groups) =>
    arrayAttribute(
      groups.map((group) => arrayAttribute(group.map((position) => integerAttribute(position, i64)))),
    ),
);
