/** The entry points of a library: what they are called, and the values that they take. */
import type { FunctionSignature, ScalarSignature } from '@sconv/backend';

/** C's types of scalars. */
export const scalarTypes: Readonly<Record<ScalarSignature['type'], string>> = {
  f32: 'float',
  f64: 'double',
  i32: 'int32_t',
  i64: 'int64_t',
};

/**
 * What a symbol spells out of a name: what is no letter, digit or `_`; a `_` that would look like the beginning of
 * that; and the last `_` of names that are the header's own.
 */
const spelled = /[^A-Za-z0-9_]|_(?=x[0-9a-f]+_)|(?<=_kept\d+)_(?=bytes$)|(?<=^streaming)_(?=bytes$)/gu;

/** The symbol of a function, different for each name: letters, digits and `_`; other characters as `_x…_`. */
export const symbolOf = (name: string): string =>
  `sconv_${name.replaceAll(spelled, (each) => `_x${each.codePointAt(0)!.toString(16)}_`)}`;

/** The name of the threaded stub. */
export const threadedSymbolOf = (name: string): string => `threaded_${symbolOf(name)}`;

/** How many values koffi passes, one of which may be the pool of threads. */
const mostValues = 63;

/** Whether a function is called with its values in an array: those of a model have the weights of all its layers. */
export const takesWords = ({ signature: { parameters, results }, kept }: TakenValues): boolean =>
  parameters.length + results.length + 2 * kept.length + 1 > mostValues;

/** What decides which values an entry point takes. */
export interface TakenValues {
  readonly signature: Pick<FunctionSignature, 'parameters' | 'results'>;
  readonly kept: readonly unknown[];
}

/** The symbol of the entry point that takes an array of the values that another symbol takes one by one. */
export const wordsSymbolOf = (symbol: string): string => `words_${symbol}`;

/** C's types of the values that a stub takes, in their order. */
export const valueTypes = ({ signature: { parameters, results }, kept }: TakenValues): readonly string[] => [
  ...parameters.map((each) => (each.kind === 'buffer' ? 'void *' : scalarTypes[each.type])),
  ...results.map(() => 'void *'),
  ...kept.flatMap(() => ['void *', 'int32_t']),
  'void *',
];
