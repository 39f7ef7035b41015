/** Attributes of the vector dialect. */
import type { Attribute, AttributeSpec, Type } from '@sconv/ir';
import { arrayOf, boolAttribute, dialectAttribute, i64Attribute, withSyntax } from '@sconv/ir';
import { dialectEnumAttribute } from './attribute-kinds.ts';
import type { CombiningKind } from './combining-kinds.ts';
import { combinerName, combiningKinds } from './combining-kinds.ts';
import { isSignlessInteger } from './constraints.ts';

/** `#vector.mnemonic<word>`, which formats print as `<word>`. */
const wordIn = <W extends string>(
  mnemonic: string,
  words: readonly W[],
  enumeration: string,
): AttributeSpec<W, 'required'> => {
  const spec = dialectEnumAttribute('vector', mnemonic, words);
  const parse = (word: string): Attribute | undefined =>
    words.some((known) => known === word) ? dialectAttribute('vector', `${mnemonic}<${word}>`) : undefined;
  return withSyntax(spec, {
    parse: (parser) => {
      const whole = parser.peek('<') ? undefined : parser.optionalAttribute();
      if (whole !== undefined) return whole;
      parser.expect('<');
      const location = parser.here();
      const attribute =
        parse(parser.keyword()) ??
        parser.fail(`expected ::mlir::vector::${enumeration} to be one of: ${words.join(', ')}`, location);
      parser.expect('>');
      return attribute;
    },
    print: (printer, attribute) => {
      printer.text(`<${spec.decode(attribute) ?? ''}>`);
    },
  });
};

/** `#vector.kind<add>`. */
export const kindAttribute = wordIn('kind', combiningKinds, 'CombiningKind');
/** The text that `vector.print` appends. */
export const punctuationAttribute = wordIn(
  'punctuation',
  ['no_punctuation', 'newline', 'comma', 'open', 'close'],
  'PrintPunctuation',
);

export type VectorIteratorType = 'parallel' | 'reduction';
const iteratorType = dialectEnumAttribute<VectorIteratorType>('vector', 'iterator_type', [
  'parallel',
  'reduction',
]);
/** The iterator type with this name: `"parallel"` in the custom form. */
export const iteratorTypeOf = (word: string): Attribute | undefined =>
  word === 'parallel' || word === 'reduction' ? iteratorType.encode(word) : undefined;
/** `[#vector.iterator_type<parallel>]`. */
export const vectorIteratorTypes = arrayOf(iteratorType, 'Iterator type should be an enum.');

/** `[0, 1]`, an array of i64. */
export const integersAttribute = arrayOf(i64Attribute, '64-bit integer array attribute');
/** `[true, false]`. */
export const booleansAttribute = arrayOf(boolAttribute, '1-bit boolean array attribute');

/** Whether a kind applies to elements of a type. */
export const combines = (kind: CombiningKind, type: Type): boolean => combinerName(kind, type) !== undefined;

/** Whether an integer type is signed or unsigned rather than signless. */
export const hasSignedness = (type: Type): boolean => type.kind === 'integer' && !isSignlessInteger(type);
