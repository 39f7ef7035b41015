/** Reads and checks the text of a scheme; what is wrong is located in the text. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, error, silenceable, success } from '@sconv/diagnostics';
import type { Contraction } from '@sconv/plans';
import type { SchemeLimits } from './check-scheme.ts';
import { schemeProblems } from './check-scheme.ts';
import type { ParseOptions } from './parse-scheme.ts';
import { locatedScheme, locationAt } from './parse-scheme.ts';
import type { Scheme, Specifier } from './scheme.ts';

/** The scheme of a text, for a contraction. Fails as `parseScheme` does, or with all `schemeProblems`, located. */
export const checkedScheme = (
  text: string,
  contraction: Contraction,
  options: ParseOptions & SchemeLimits = {},
): Diagnosed<Scheme> =>
  andThen(locatedScheme(text, options), ({ scheme, offsets }) => {
    const problems = schemeProblems(scheme, contraction, options).map(({ code, path, message }) => {
      const specifier = specifierAt(scheme, path);
      const offset = (specifier && offsets.get(specifier)) ?? 0;
      return error(code, message, locationAt(text, offset, options.file));
    });
    return problems.length === 0 ? success(scheme) : silenceable(...problems);
  });

/** The specifier at a path such as `scheme[1].parts[0].scheme[2]`; undefined for the whole scheme. */
const specifierAt = (scheme: Scheme, path: string): Specifier | undefined => {
  let [list, found]: [Scheme, Specifier | undefined] = [scheme, undefined];
  for (const [, name, index] of path.matchAll(/(scheme|parts)\[(\d+)\]/g)) {
    if (name === 'scheme') found = list[Number(index)];
    else if (found?.kind === 'Seq') list = found.parts[Number(index)]!.scheme;
  }
  return found;
};
