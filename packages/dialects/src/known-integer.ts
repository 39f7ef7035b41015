/** The integers that a verifier knows: constants of any dialect. */
import type { Value, VerifyContext } from '@sconv/ir';
import { constantLike, integerOf } from '@sconv/ir';

/** The integer that a value is; undefined if it is not constant. */
export const knownInteger = (context: VerifyContext, value: Value): number | undefined => {
  const definition = context.definitionOf(value);
  // A block argument is defined by its block.
  if (definition === undefined || !('name' in definition)) return undefined;
  return integerOf(context.modelOf(definition, constantLike)?.value(definition));
};
