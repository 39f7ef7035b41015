/** Options with a fixed set of values. */
import { unknownName } from '@sconv/diagnostics';
import { InvalidArgumentError, Option } from 'commander';

/** An option that accepts one of `names`, listed in its help; anything else is a usage error with a suggestion. */
export const nameOption = (
  flags: string,
  description: string,
  what: string,
  names: readonly string[],
): Option =>
  new Option(flags, description).choices(names).argParser((name: string): string => {
    if (names.includes(name)) return name;
    throw new InvalidArgumentError(unknownName(what, name, names));
  });
