/** Schemes from text, with failures as values. */
import type { Diagnosed, Location } from '@sconv/diagnostics';
import {
  describeValue,
  error,
  fileLocation,
  silenceable,
  success,
  unknownLocation,
} from '@sconv/diagnostics';
import type { ReadScheme } from './read-scheme.ts';
import { readScheme } from './read-scheme.ts';
import type { Scheme } from './scheme.ts';
import { SchemeSyntaxError } from './scheme-reader.ts';

/** How a text is read. */
export interface ParseOptions {
  /** The name of the text in locations; default: `scheme`. */
  readonly file?: string;
  /** The elements of vectors whose length the text does not say, as in the authors' `V f`. */
  readonly lanes?: number | undefined;
}

/** Longer texts are no schemes. */
const longest = 100_000;

/** The same as `parseScheme`, with the places of the specifiers. */
export const locatedScheme = (text: string, { file, lanes }: ParseOptions): Diagnosed<ReadScheme> => {
  const failure = (message: string, location: Location) =>
    silenceable(error('scheme/syntax', message, location));
  if (typeof (text as unknown) !== 'string')
    return failure(`expected the text of a scheme, not ${describeValue(text)}`, unknownLocation);
  if (text.length > longest)
    return failure(`${text.length} characters: a scheme has ${longest} at most`, locationAt(text, 0, file));
  try {
    return success(readScheme(text, lanes));
  } catch (problem) {
    if (!(problem instanceof SchemeSyntaxError)) throw problem;
    return failure(problem.message, locationAt(text, problem.offset, file));
  }
};

/** The line and column of an offset. */
export const locationAt = (text: string, offset: number, file = 'scheme'): Location => {
  const before = text.slice(0, offset).split('\n');
  return fileLocation(file, before.length, before.at(-1)!.length + 1);
};

/**
 * The scheme of a text: TT's notation in ASCII, which `printScheme` prints, or that of its authors' files. `V` says
 * which end is the inner one; the result is outermost first. Fails with `scheme/syntax`, at the place.
 *
 * @deviation Sums are in registers over all loops directly above a microkernel; the authors' `Hoist_vars`, which says
 * over which, is checked and adds nothing.
 */
export const parseScheme = (text: string, options: ParseOptions = {}): Diagnosed<Scheme> => {
  const read = locatedScheme(text, options);
  return read.status === 'success' ? success(read.value.scheme) : read;
};
