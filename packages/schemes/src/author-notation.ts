/**
 * The notation of the files of TT's authors: innermost first, with other letters and without lengths of vectors, as in
 * `[V f; U (2, f); ULambda y; T (64, c); Hoist_vars [c]; Lambda_apply y [((Iter 1), (Arg 8)); ((Iter 2), (Arg 10))]]`.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success, unknownLocation, unknownName } from '@sconv/diagnostics';
import type { Notation } from './notation.ts';
import { isInnermostFirst, readOperand, vector } from './notation.ts';
import { isProductScheme, lettersOf } from './dimensions.ts';
import { leafFrom } from './leaf.ts';
import type { Scheme, SequenceSpecifier, Specifier } from './scheme.ts';
import { SchemeSyntaxError } from './scheme-reader.ts';

/** The authors' `f`, `c`, `x`, `y`, `w`, `h` are TT's `k`, `c`, `w`, `h`, `s`, `r`. */
const dimensions: ReadonlyMap<string, string> = new Map([
  ['f', 'k'],
  ['x', 'w'],
  ['y', 'h'],
  ['w', 's'],
  ['h', 'r'],
]);

const letters: ReadonlyMap<string, string> = new Map([...dimensions].map(([letter, own]) => [own, letter]));

/** The dimension of a letter; others, such as those of a matrix product, are the same. */
const dimensionOfLetter = (letter: string): string => dimensions.get(letter) ?? letter;

const letterOfDimension = (dimension: string): string => letters.get(dimension) ?? dimension;

/** The words of the authors' files that have a meaning here. */
const authorWords = ['V', 'U', 'ULambda', 'T', 'TLambda', 'R', 'P', 'Lambda_apply', 'Hoist_vars'] as const;

/** `Hoist_vars [c]`, which is no specifier: sums are in registers over these loops. */
interface Hoist {
  readonly dimensions: readonly string[];
  readonly offset: number;
}

/** `V f`, `U (2, f)`, `ULambda y`, …, of which V decides which end is the inner one. */
export const readAuthorList = (notation: Notation): Scheme => {
  const { reader, offsets } = notation;
  const letter = (): string => dimensionOfLetter(reader.name('a dimension'));
  const bracketed = <T>(read: () => T): T => {
    const isBracketed = reader.takes('(');
    const value = read();
    if (isBracketed) reader.expect(')');
    return value;
  };
  const counted = (word: string): number =>
    bracketed(() => {
      reader.expect(word);
      return reader.number('a number');
    });
  const tiled = (kind: 'T' | 'U'): Specifier =>
    bracketed(() => {
      const count = reader.number('a number of iterations');
      reader.expect(',');
      return { kind, dimension: letter(), count };
    });
  const part = () =>
    bracketed(() => {
      const count = counted('Iter');
      reader.expect(',');
      return { count, size: counted('Arg') };
    });
  const variables = new Map<string, string>();
  /** The variable of a dimension: the authors' files have none, but one `lambda` a dimension. */
  const variableOf = (dimension: string): string => {
    const known = variables.get(dimension) ?? (variables.size === 0 ? 'b' : `b${variables.size + 1}`);
    variables.set(dimension, known);
    return known;
  };
  const applied = (kind: 'T' | 'U'): Specifier => {
    const dimension = letter();
    return { kind, dimension, count: variableOf(dimension) };
  };
  const read = (word: (typeof authorWords)[number], offset: number): Specifier | Hoist => {
    switch (word) {
      case 'V':
        return vector(notation, letter(), undefined);
      case 'U':
      case 'T':
        return tiled(word);
      case 'ULambda':
        return applied('U');
      case 'TLambda':
        return applied('T');
      case 'R':
        return { kind: word, dimension: letter() };
      case 'P':
        return { kind: word, operand: readOperand(reader) };
      case 'Hoist_vars':
        return { dimensions: reader.list(';', letter), offset };
      case 'Lambda_apply': {
        const dimension = letter();
        const parts = reader.list(';', part);
        return { kind: 'lambda', dimension, variable: variableOf(dimension), parts };
      }
    }
  };
  const entries = reader.list(';', () => {
    const offset = reader.offset();
    const name = reader.name('a specifier');
    const word = authorWords.find((each) => each === name);
    if (word === undefined) throw new SchemeSyntaxError(offset, unknownName('specifier', name, authorWords));
    const entry = read(word, offset);
    if ('kind' in entry) offsets.set(entry, offset);
    return entry;
  });
  const isSpecifier = (entry: Specifier | Hoist): entry is Specifier => 'kind' in entry;
  const scheme = entries.filter(isSpecifier);
  // Without vectors, as the authors' files do.
  const isReversed = isInnermostFirst(scheme) || !scheme.some(({ kind }) => kind === 'V');
  const ordered = isReversed ? entries.toReversed() : entries;
  for (const [i, entry] of ordered.entries())
    if (!isSpecifier(entry)) checkHoist(entry, ordered.slice(i + 1).filter(isSpecifier));
  return isReversed ? scheme.toReversed() : scheme;
};

/** Sums stay in registers over the loops of a microkernel, and over no others. */
const checkHoist = ({ dimensions, offset }: Hoist, below: Scheme): void => {
  const { reduced } = lettersOf(below);
  const kernel = below.findIndex(({ kind }) => kind === 'U' || kind === 'V');
  const loops = below.slice(0, kernel < 0 ? below.length : kernel);
  const between = loops.flatMap((each) => ('dimension' in each ? [each.dimension] : []));
  const named = isProductScheme(below) ? (dimension: string) => dimension : letterOfDimension;
  const [message] = [
    ...dimensions
      .filter((each) => !reduced.includes(each))
      .map((each) => `${named(each)} is not summed over`),
    ...dimensions
      .filter((each) => !between.includes(each))
      .map((each) => `there is no loop over ${named(each)} between this and the microkernel`),
    ...between
      .filter((each) => !dimensions.includes(each))
      .map((each) => `the loop over ${named(each)} is between this and the microkernel: hoist over it, too`),
    ...(leafFrom(below, reduced) > 0
      ? ['these are no loops of a microkernel, over which sums can be kept']
      : []),
  ];
  if (message !== undefined) throw new SchemeSyntaxError(offset, message);
};

/**
 * A scheme in the notation of TT's authors, innermost first; `parseScheme` reads it. Lengths of vectors are lost.
 * Packings, for which they have no word, are `P input`; for `Seq` it fails with `scheme/notation`.
 */
export const printAuthorScheme = (scheme: Scheme): Diagnosed<string> => {
  const isProduct = isProductScheme(scheme);
  const letter = isProduct ? (dimension: string) => dimension : letterOfDimension;
  const entries: string[] = [];
  for (const [i, specifier] of scheme.entries()) {
    const hoisted = hoistedAt(scheme, i);
    if (hoisted.length > 0) entries.push(`Hoist_vars [${hoisted.map(letter).join('; ')}]`);
    if (specifier.kind === 'Seq') {
      const message = 'the files of the authors have no word for Seq: print it as it is';
      return silenceable(error('scheme/notation', message, unknownLocation));
    }
    entries.push(authorText(specifier, letter));
  }
  return success(`[${entries.toReversed().join('; ')}]`);
};

/** The dimensions of the loops of the microkernel, if the outermost of them stands here. */
const hoistedAt = (scheme: Scheme, at: number): readonly string[] => {
  const from = leafFrom(scheme, lettersOf(scheme).reduced);
  const loops = from === at ? scheme.slice(from).filter(({ kind }) => kind === 'T' || kind === 'R') : [];
  return [...new Set(loops.flatMap((each) => ('dimension' in each ? [each.dimension] : [])))];
};

const authorText = (
  specifier: Exclude<Specifier, SequenceSpecifier>,
  letter: (dimension: string) => string,
): string => {
  if (specifier.kind === 'P') return `P ${specifier.operand}`;
  const own = letter(specifier.dimension);
  switch (specifier.kind) {
    case 'R':
    case 'V':
      return `${specifier.kind} ${own}`;
    case 'T':
    case 'U':
      return typeof specifier.count === 'string'
        ? `${specifier.kind}Lambda ${own}`
        : `${specifier.kind} (${specifier.count}, ${own})`;
    case 'lambda': {
      const parts = specifier.parts.map(({ count, size }) => `((Iter ${count}), (Arg ${size}))`);
      return `Lambda_apply ${own} [${parts.join('; ')}]`;
    }
  }
};
