/** What both notations of schemes share. */
import { unknownName } from '@sconv/diagnostics';
import type { PackedSpecifier, Scheme, Specifier, Vectorized } from './scheme.ts';
import type { SchemeReader } from './scheme-reader.ts';
import { SchemeSyntaxError } from './scheme-reader.ts';

/** A text that is read. */
export interface Notation {
  readonly reader: SchemeReader;
  /** Where specifiers stand in it, by identity. */
  readonly offsets: Map<Specifier, number>;
  /** The length of vectors whose length the text does not say. */
  readonly lanes: number | undefined;
}

/** Schemes in schemes in schemes: more of them are no code, but a stack that overflows. */
export const deepest = 32;

const isInnermost = (specifier: Specifier | undefined): boolean =>
  specifier?.kind === 'V' || specifier?.kind === 'Seq';

/** Whether vectors, or the schemes of a sequence, stand at the beginning of a list, and not at its end. */
export const isInnermostFirst = (specifiers: Scheme): boolean =>
  isInnermost(specifiers[0]) && !isInnermost(specifiers.at(-1));

/** Vectors of the length that the text says, or else of that which came with it. */
export const vector = (
  { reader, lanes }: Notation,
  dimension: string,
  count: number | undefined,
): Vectorized => {
  const length = count ?? lanes;
  if (length !== undefined) return { kind: 'V', dimension, count: length };
  const message = `expected the length of vectors, as in V(${dimension},16): none was given with the text either`;
  throw new SchemeSyntaxError(reader.offset(), message);
};

const operands = ['input', 'filters'] as const;

export const readOperand = (reader: SchemeReader): PackedSpecifier['operand'] => {
  const offset = reader.offset();
  const name = reader.name('an operand');
  const operand = operands.find((each) => each === name);
  if (operand === undefined) throw new SchemeSyntaxError(offset, unknownName('operand', name, operands));
  return operand;
};
