/** `sconv tune export`: the tuned plans of records as a schedule. */
import { andThen } from '@sconv/diagnostics';
import { Command } from 'commander';
import type { Console } from '../console.ts';
import { failed, reportAll } from '../console.ts';
import { exportSchedule } from '../tune/export-schedule.ts';
import { readCurrent } from '../tune/read-tuned.ts';
import { writeFile } from '../write-file.ts';
import { targetOf, targetOption } from './target-option.ts';

interface ExportOptions {
  readonly target: string;
  readonly output?: string;
}

/** Exports; returns the exit code. */
const execute = async (
  paths: readonly string[],
  { target: name, output: path }: ExportOptions,
  output: Console,
): Promise<number> => {
  const target = targetOf(name);
  const text = andThen(await readCurrent(paths, target), (records) =>
    exportSchedule([...records.values()], target),
  );
  reportAll(output, text.diagnostics, []);
  if (text.status !== 'success') return failed;
  if (path === undefined) {
    output.out(text.value);
    return 0;
  }
  const written = writeFile(path, text.value);
  reportAll(output, written.diagnostics, []);
  return written.status === 'success' ? 0 : failed;
};

/** The command `tune export RECORDS`; reports its exit code to `onExit`. */
export const tuneExportCommand = (onExit: (code: number) => void, output: Console): Command =>
  new Command('export')
    .description(
      'write the tuned plans as a schedule for --schedule: a library of transforms that match each op by name, sizes ' +
        'and types, and slice it',
    )
    .argument('<records...>', 'files of records, of this machine')
    .addOption(targetOption())
    .option('-o, --output <file>', 'the file to write; without one, the standard output')
    .action(async (paths: readonly string[], options: ExportOptions) => {
      onExit(await execute(paths, options, output));
    });
