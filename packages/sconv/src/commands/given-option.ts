/** Options that the command line gives, as opposed to their defaults. */
import type { Command } from 'commander';

/** The first of these options, by name in camel case, that is given: as it is written, e.g. `--peers-from`. */
export const givenOption = (command: Command, names: readonly string[]): string | undefined => {
  const given = command.options.find(
    (option) =>
      names.includes(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  return given?.long ?? undefined;
};
