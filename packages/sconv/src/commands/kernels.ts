/** `sconv kernels`: measures the microkernels' speed on this machine, and shows which are worth combining. */
import { kernelShares, kernelUnrolls, keptKernels } from '@sconv/targets';
import { Command, InvalidArgumentError } from 'commander';
import type { Console } from '../console.ts';
import { badUsage, failed, progressOf, reportAll } from '../console.ts';
import { jsonDocument } from '../json-document.ts';
import { drawFamily, familyTable } from '../kernels/family-table.ts';
import type { MeasuredFamily } from '../kernels/measure-family.ts';
import { measureFamily } from '../kernels/measure-family.ts';
import type { MeasuredSpeeds } from '../kernels/measure-speeds.ts';
import { measureKernelSpeeds } from '../kernels/measure-speeds.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import { writeFile } from '../write-file.ts';
import { parseCount } from './count-option.ts';
import { targetOf, targetOption } from './target-option.ts';

interface MeasureCommandOptions {
  readonly relaxed?: true;
  readonly families?: true;
  readonly target: string;
  readonly taps: readonly number[];
  readonly samples?: number;
  readonly json?: true;
}

/** A table of shares of the peak: windows down, filters across. */
const table = ({ speeds, shares, peak }: MeasuredSpeeds): string => {
  const columns = Math.max(...shares.map(({ length }) => length));
  const line = (first: string, cells: readonly string[]): string =>
    `${first.padStart(7)}${cells.map((cell) => cell.padStart(6)).join('')}\n`;
  const numbers = Array.from({ length: columns }, (_, i) => String(i + 1));
  return [
    `share of the peak, ${peak} GFLOP/s, in steps of register tiles: windows down, filters across\n`,
    line('', numbers),
    ...shares.map((row, i) =>
      line(
        String((i + 1) * speeds.lanes),
        row.map((share) => share.toFixed(2)),
      ),
    ),
    `a pass takes ${speeds.passCycles.always} cycles, and ${speeds.passCycles.each} for each vector of its outputs\n`,
    `a multiplication and an addition in scalar code take ${speeds.scalarCycles} cycles\n`,
  ].join('');
};

const legend = 'vectors of filters down, heights across; * above 85 % of the best';

const measuredTable = ({ target, peak, best, kernels, deep }: MeasuredFamily): string =>
  [
    `${target}: percent of the best kernel; ${legend}\n`,
    `over the channels that fit half of L1; the best has ${best.cached} of the peak of ${peak} GFLOP/s\n`,
    familyTable(kernels.grids),
    `over 512 channels; the best has ${best.deep} of the peak\n`,
    familyTable(deep),
  ].join('');

/** Taps of unrolled classes. */
const parseTaps = (text: string): readonly number[] => {
  const taps = text.split(',').map(Number);
  if (taps.every((tap) => [3, 5, 7].includes(tap))) return taps;
  throw new InvalidArgumentError('some of 3, 5 and 7, such as 3,5');
};

/** Measures what is asked for; returns the exit code. */
const measureKernels = async (
  { relaxed, families, target, taps, samples, json }: MeasureCommandOptions,
  output: Console,
): Promise<number> => {
  const progress = progressOf(output);
  const onProgress = (done: number, all: number): void => {
    const ofFamilies = done < all ? `compiling class ${done + 1} of ${all}` : 'measuring all in turns';
    progress.say(families === true ? ofFamilies : `register tile ${done} of ${all}`);
  };
  const common = { onProgress, ...(samples === undefined ? {} : { samples }) };
  if (families !== true) {
    const measured = await measureKernelSpeeds({ ...common, relaxed: relaxed === true });
    progress.end();
    output.out(json === true ? jsonDocument(measured) : table(measured));
    return 0;
  }
  const measured = await measureFamily(targetOf(target), { ...common, unrolls: kernelUnrolls(taps) });
  progress.end();
  reportAll(output, measured.diagnostics, []);
  if (measured.status !== 'success') return failed;
  output.out(json === true ? jsonDocument(measured.value) : measuredTable(measured.value));
  return 0;
};

interface ShowOptions {
  readonly target: string;
  readonly svg?: string;
  readonly json?: true;
}

/** Shows the kernels of a target; returns the exit code. */
const showKernels = ({ target: name, svg, json }: ShowOptions, output: Console): number => {
  const target = targetOf(name);
  // Every target with code has vectors.
  const shares = kernelShares(target)!;
  if (svg !== undefined) {
    const written = writeFile(svg, drawFamily(shares, target.name));
    reportAll(output, written.diagnostics, []);
    if (written.status !== 'success') return failed;
  }
  const { source, fingerprint } = shares;
  const { classes } = keptKernels(shares);
  const heading = `${target.name}: percent of the best kernel; ${legend}\n`;
  const origin = fingerprint === undefined ? `${source}\n` : `${source}\non ${fingerprint}\n`;
  output.out(
    json === true
      ? jsonDocument({ target: target.name, ...shares, classes })
      : heading + origin + familyTable(shares.grids),
  );
  return 0;
};

/** The commands `kernels measure` and `kernels show`. */
export const kernelsCommand = (onExit: (code: number) => void, output: Console): Command => {
  const measure = new Command('measure')
    .description(
      'measure the register tiles of the WebAssembly microkernels on this machine; with --json the table that ' +
        'plans are chosen by, the field speeds of a target. With --families the kernels that read operands in ' +
        'place, each alone: the field kernels of a target',
    )
    .option('--relaxed', 'with the fused multiply-add of relaxed SIMD')
    .option('--families', 'the kernels of a target that read operands where they lie')
    .addOption(targetOption())
    .option('--taps <list>', 'taps of the classes that unroll them: some of 3, 5, 7', parseTaps, [3])
    .option('--samples <n>', 'samples of each loop (default: 61, with --families 15)', parseCount)
    .option('--json', 'one JSON document');
  measure.action(async (options: MeasureCommandOptions) => {
    const { relaxed, families, target } = options;
    const given = (name: string): boolean => measure.getOptionValueSource(name) === 'cli';
    if (families === true && relaxed === true)
      measure.error('error: --relaxed cannot be given with --families: say --target wasm-relaxed', {
        exitCode: badUsage,
      });
    if (families !== true && (given('target') || given('taps')))
      measure.error('error: --target and --taps go with --families only', { exitCode: badUsage });
    if ((relaxed === true || target === 'wasm-relaxed') && !enableRelaxedSimd())
      measure.error('error: this engine has no relaxed SIMD', { exitCode: failed });
    onExit(await measureKernels(options, output));
  });
  const show = new Command('show')
    .description(
      'show which kernels that read operands in place are worth combining: measured where a table is shipped, else ' +
        'estimated',
    )
    .addOption(targetOption())
    .option('--svg <file>', 'draw them')
    .option('--json', 'one JSON document')
    .action((options: ShowOptions) => {
      onExit(showKernels(options, output));
    });
  return new Command('kernels')
    .description('the microkernels that are generated, and their speed')
    .addCommand(measure)
    .addCommand(show);
};
