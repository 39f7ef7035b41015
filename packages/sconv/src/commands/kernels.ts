/** `sconv kernels measure`: measures the microkernels' speed on this machine. */
import { Command } from 'commander';
import type { Console } from '../console.ts';
import { failed, progressOf } from '../console.ts';
import { jsonDocument } from '../json-document.ts';
import type { MeasuredSpeeds } from '../kernels/measure-speeds.ts';
import { measureKernelSpeeds } from '../kernels/measure-speeds.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import { parseCount } from './count-option.ts';

interface KernelsOptions {
  readonly relaxed?: true;
  readonly samples: number;
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

/** The command `kernels measure`. */
export const kernelsCommand = (output: Console): Command => {
  const measure = new Command('measure')
    .description(
      'measure the register tiles of the WebAssembly microkernels on this machine; with --json the table that ' +
        'plans are chosen by, the field speeds of a target',
    )
    .option('--relaxed', 'with the fused multiply-add of relaxed SIMD')
    .option('--samples <n>', 'samples of each loop', parseCount, 61)
    .option('--json', 'one JSON document');
  measure.action(async ({ relaxed, samples, json }: KernelsOptions) => {
    if (relaxed === true && !enableRelaxedSimd()) {
      measure.error('error: this engine has no relaxed SIMD', { exitCode: failed });
    }
    const progress = progressOf(output);
    const measured = await measureKernelSpeeds({
      samples,
      relaxed: relaxed === true,
      onProgress: (done, all) => {
        progress.say(`register tile ${done} of ${all}`);
      },
    });
    progress.end();
    output.out(json === true ? jsonDocument(measured) : table(measured));
  });
  return new Command('kernels')
    .description('the microkernels that are generated for WebAssembly')
    .addCommand(measure);
};
