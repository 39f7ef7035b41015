/** The command `sconv-opt`: reads MLIR, runs passes or a schedule, writes MLIR, as `mlir-opt` does. */
import type { Console } from './console.ts';
import { badUsage, guarded, processConsole } from './console.ts';
import { optionsHelp, parseArguments } from './opt/arguments.ts';
import { runOpt } from './opt/driver.ts';
import { knownPasses } from './opt/passes.ts';
import { version } from './version.ts';

const helpText = (): string =>
  [
    'Usage: sconv-opt [options] [file]',
    '       sconv-opt -transform=schedule.mlir payload.mlir',
    '',
    'Reads MLIR from a file, or from the standard input, runs passes in the order in which they are given, and writes',
    'the result. Options start with one dash or two; their values follow an equals sign.',
    '',
    'Options:',
    optionsHelp(),
    '  --help                                  show this',
    '  --version                               show the version',
    '',
    'Passes:',
    ...knownPasses.flatMap(({ name, summary, options }) => [
      `  ${`--${name}`.padEnd(40)}${summary}`,
      ...Object.entries(options).map(([option, { help: meaning, texts }]) => {
        const choice = texts === undefined ? '' : `: ${texts.join(', ')}`;
        return `    ${`=${option}`.padEnd(38)}${meaning}${choice}`;
      }),
    ]),
    '',
  ].join('\n');

/** Runs the command with these arguments; the exit code. */
export const main = (words: readonly string[], output: Console = processConsole): Promise<number> =>
  guarded(output, () => {
    const parsed = parseArguments(words);
    switch (parsed.kind) {
      case 'help':
        output.out(helpText());
        return 0;
      case 'version':
        output.out(`sconv-opt ${version()}\n`);
        return 0;
      case 'error':
        output.err(`sconv-opt: ${parsed.message}; see sconv-opt --help\n`);
        return badUsage;
      case 'run':
        return runOpt(parsed.values, output);
    }
  });
