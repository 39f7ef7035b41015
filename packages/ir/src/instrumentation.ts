/**
 * Looking at a pipeline while it runs: the IR after its passes, and the time that they take.
 */
import type { PassRun } from './pass.ts';
import type { PrintOptions } from './printer.ts';
import { printModule } from './printer.ts';

export interface PrintAfterOptions extends PrintOptions {
  /** Only after passes that changed the module; false by default. */
  readonly onlyChanges?: boolean;
}

/** An `onAfterPass` that writes the IR after each pass, under a line that names the pass, as `mlir-opt` does. */
export const printAfterPasses =
  (write: (text: string) => void, options: PrintAfterOptions) =>
  ({ pass, before, after }: PassRun): void => {
    if (options.onlyChanges === true && after?.root === before.root) return;
    const title = after === undefined ? `${pass.name} Failed` : pass.name;
    write(`// -----// IR Dump After ${title} //----- //\n${printModule(after ?? before, options)}\n`);
  };

const rule = `===${'-'.repeat(73)}===`;

/** The seconds that each pass took and its share of all, in the order of the runs. */
export const timingReport = (runs: readonly PassRun[]): string => {
  const total = runs.reduce((sum, run) => sum + run.milliseconds, 0);
  const line = (milliseconds: number, name: string): string => {
    const share = total === 0 ? 100 : (100 * milliseconds) / total;
    return `  ${(milliseconds / 1000).toFixed(4).padStart(8)} (${share.toFixed(1).padStart(5)}%)  ${name}`;
  };
  return [
    rule,
    '                         ... Execution time report ...',
    rule,
    `  Total Execution Time: ${(total / 1000).toFixed(4)} seconds`,
    '',
    '  ----Wall Time----  ----Name----',
    ...runs.map((run) => line(run.milliseconds, run.pass.name)),
    line(total, 'Total'),
    '',
  ].join('\n');
};
