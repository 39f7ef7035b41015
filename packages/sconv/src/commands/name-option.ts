/** Options whose value is one of some names. */
import { unknownName } from '@sconv/diagnostics';
import { InvalidArgumentError, Option } from 'commander';

/** An option that takes one of `names`, which its help lists; another is bad usage, with a suggestion. */
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
