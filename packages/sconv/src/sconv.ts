/** The command `sconv`: shows what becomes of a convolution, and how fast it is. */
import type { Diagnostic } from '@sconv/diagnostics';
import { error, unknownLocation } from '@sconv/diagnostics';
import { Command, CommanderError } from 'commander';
import { affineCommand } from './commands/affine.ts';
import { benchCommand } from './commands/bench.ts';
import { buildCommand } from './commands/build.ts';
import { convbenchCommand } from './commands/convbench.ts';
import { csaCommand } from './commands/csa.ts';
import { explainCommand } from './commands/explain.ts';
import { importCommand } from './commands/import.ts';
import { kernelsCommand } from './commands/kernels.ts';
import { runCommand } from './commands/run.ts';
import { scheduleCommand } from './commands/schedule.ts';
import { schemeCommand } from './commands/scheme.ts';
import { tuneCommand } from './commands/tune.ts';
import { targetsCommand } from './commands/targets.ts';
import type { Console } from './console.ts';
import { badUsage, failed, guarded, processConsole } from './console.ts';
import { failureDocument } from './json-document.ts';
import { verboseOption } from './commands/verbose-option.ts';
import { version } from './version.ts';

/** Applies the program's settings to a command and its subcommands; `addCommand` does not. */
const inherit = (command: Command, from: Command): void => {
  command.copyInheritedSettings(from);
  for (const child of command.commands) inherit(child, command);
};

/** The program; reports the exit code of completed work to `onExit`. */
const program = (output: Console, onExit: (code: number) => void): Command => {
  const root = new Command('sconv')
    .description('Sliced Convolution: plan and run convolutions written in MLIR.')
    .version(version())
    .showHelpAfterError('(see --help)')
    // `tune` has options that its subcommands have, too.
    .enablePositionalOptions()
    .configureOutput({ writeOut: output.out, writeErr: output.err })
    .exitOverride();
  const commands = [
    runCommand(onExit, output),
    buildCommand(onExit, output),
    importCommand(onExit, output),
    scheduleCommand(onExit, output),
    explainCommand(onExit, output),
    benchCommand(onExit, output),
    convbenchCommand(onExit, output),
    tuneCommand(onExit, output),
    csaCommand(onExit, output),
    schemeCommand(onExit, output),
    affineCommand(onExit, output),
    targetsCommand(output.out),
    kernelsCommand(onExit, output),
  ];
  for (const command of commands) {
    inherit(command, root);
    root.addCommand(command);
  }
  return root;
};

/** The exit code for commander's errors: it uses 1 for usage errors, which here means that the work failed. */
const exitCodeOf = ({ code, exitCode }: CommanderError): number =>
  exitCode === failed && code !== 'commander.error' ? badUsage : exitCode;

/** With `--json`, failures without a document of their own get one with their diagnostics. */
const withDocument = async (
  words: readonly string[],
  output: Console,
  work: (output: Console) => Promise<number>,
): Promise<number> => {
  if (!words.includes('--json')) return work(output);
  const diagnostics: Diagnostic[] = [];
  const written: string[] = [];
  const code = await work({
    ...output,
    out: (text) => {
      written.push(text);
      output.out(text);
    },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  if (code !== 0 && written.length === 0) output.out(failureDocument(diagnostics));
  return code;
};

/** Runs the command with these arguments; returns the exit code. */
export const main = (words: readonly string[], console: Console = processConsole): Promise<number> =>
  withDocument(words, { ...console, verbose: words.includes(verboseOption[0]) }, (output) =>
    run(words, output),
  );

const run = (words: readonly string[], output: Console): Promise<number> =>
  guarded(output, async () => {
    let exitCode = 0;
    const command = program(output, (code) => {
      exitCode = code;
    });
    if (words.length === 0) {
      output.err(command.helpInformation());
      return badUsage;
    }
    try {
      await command.parseAsync(words, { from: 'user' });
    } catch (problem) {
      if (problem instanceof CommanderError) {
        const message = problem.message.replace(/^error: /, '');
        output.onDiagnostic?.(error('sconv/usage', message, unknownLocation));
        return exitCodeOf(problem);
      }
      throw problem;
    }
    return exitCode;
  });
