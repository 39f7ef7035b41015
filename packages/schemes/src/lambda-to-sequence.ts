/** `lambda` as `Seq` (TT §6.1). */
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success, unknownLocation } from '@sconv/diagnostics';
import { sizeProblem } from './check-structure.ts';
import type { Scheme, Specifier } from './scheme.ts';

/**
 * The same scheme with a `Seq` in place of each `lambda`, whose schemes are what is inside of the `lambda`, with the
 * size in place of the variable. It grows with the product of the parts of nested ones: fails with `scheme/size` for
 * too many.
 */
export const lambdaToSequence = (scheme: Scheme): Diagnosed<Scheme> => {
  const large = sizeProblem(scheme);
  return large === undefined
    ? success(sequenced(scheme, new Map()))
    : silenceable(error(large.code, large.message, unknownLocation));
};

const sequenced = (scheme: Scheme, variables: ReadonlyMap<string, number>): Scheme => {
  const specifiers: Specifier[] = [];
  for (const [i, specifier] of scheme.entries()) {
    switch (specifier.kind) {
      case 'T':
      case 'U': {
        const size = variables.get(String(specifier.count));
        specifiers.push(size === undefined ? specifier : { ...specifier, count: size });
        break;
      }
      case 'lambda': {
        const { dimension, variable } = specifier;
        const parts = specifier.parts.map(({ count, size }) => ({
          count,
          scheme: sequenced(scheme.slice(i + 1), new Map([...variables, [variable, size]])),
        }));
        return [...specifiers, { kind: 'Seq', dimension, parts }];
      }
      case 'Seq': {
        const parts = specifier.parts.map(({ count, scheme: inner }) => ({
          count,
          scheme: sequenced(inner, variables),
        }));
        specifiers.push({ ...specifier, parts });
        break;
      }
      default:
        specifiers.push(specifier);
    }
  }
  return specifiers;
};
