/** The output of `sconv tune`: as text, as JSON, and as a picture. */
import { colours, document, dot, line, text } from '@sconv/csa/svg';
import type { Diagnostic } from '@sconv/diagnostics';
import { diagnosticDocument } from '@sconv/diagnostics';
import type { TuningRecord } from '@sconv/tuning';
import { isUntuned, measured } from '@sconv/tuning';
import { jsonDocument } from '../json-document.ts';
import { frame, margin, plot } from '../plot-frame.ts';
import { plural } from '../run/report.ts';
import { predictions, summaryOf } from './summary.ts';
import type { TunedWorkload } from './tune.ts';
import type { TuneTaskOutcome } from './work-units.ts';

/** A contraction by the name that the user gave. */
export interface NamedWorkload extends TunedWorkload {
  readonly name: string;
}

/** The workloads of what has a name: with a number where there are several. */
export const namedWorkloads = (name: string, workloads: readonly TunedWorkload[]): readonly NamedWorkload[] =>
  workloads.map((each, i) => ({ ...each, name: workloads.length === 1 ? name : `${name} #${i}` }));

/** All that was tuned. */
export interface TuneReport extends Pick<TuneTaskOutcome, 'fingerprint' | 'protocol'> {
  readonly core?: number | undefined;
  readonly target: string;
  readonly workloads: readonly NamedWorkload[];
  readonly isInterrupted: boolean;
}

const reasons: Readonly<Record<TuningRecord['invalidity'], string>> = {
  correct: 'measured',
  constraints: 'refused',
  compile: 'without code',
  timeout: 'too slow',
  runtime: 'failed',
  correctness: 'wrong',
};

/** Columns as wide as their widest cell; all but the first are numbers. */
const table = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .map((each) => `  ${each}\n`)
    .join('');
};

const figure = (value: number | undefined, digits: number): string =>
  value === undefined ? '' : value.toFixed(digits);

const finalsTable = (finals: readonly TuningRecord[]): string =>
  table([
    ['plan', 'µs', 'of untuned', 'of peak'],
    ...[...finals]
      .sort((a, b) => orderOf(a) - orderOf(b))
      .map((record) => {
        const seconds = measured(record, 'seconds');
        return [
          record.configuration.name,
          seconds === undefined ? (record.reason ?? '') : (seconds * 1e6).toFixed(1),
          figure(measured(record, 'ratio'), 3),
          figure(measured(record, 'peak_share'), 2),
        ];
      }),
  ]);

/** The untuned plan first, then the fastest. */
const orderOf = (record: TuningRecord): number =>
  isUntuned(record.configuration) ? -1 : (measured(record, 'ratio') ?? Infinity);

const verdict = ({ best, finals }: NamedWorkload): string => {
  if (finals.length === 0) return '  interrupted before the last comparison\n';
  if (isUntuned(best)) return '  no plan is faster than the untuned one by more than 1 %\n';
  const chosen = finals.find(({ configuration }) => configuration.name === best.name)!;
  return `  fastest: ${best.name}, in ${figure(measured(chosen, 'ratio'), 3)} of the time of the untuned plan\n`;
};

const workloadReport = (workload: NamedWorkload): string => {
  const { candidates, duplicates, counts, noisy, rankCorrelation } = summaryOf(workload);
  const parts = Object.entries(counts).map(
    ([invalidity, count]) => `${count} ${reasons[invalidity as TuningRecord['invalidity']]}`,
  );
  if (duplicates > 0) parts.push(`${duplicates} with the code of others`);
  if (noisy > 0) parts.push(`${noisy} while the machine changed its speed`);
  const correlation =
    rankCorrelation === undefined
      ? ''
      : `  predicted against measured: rank correlation ${rankCorrelation.toFixed(2)}\n`;
  return (
    `${workload.name}: ${plural(candidates, 'candidate')} in ${workload.seconds.toFixed(0)} s: ` +
    `${parts.join(', ')}\n` +
    finalsTable(workload.finals) +
    verdict(workload) +
    correlation
  );
};

export const textReport = ({ target, protocol, core, workloads, isInterrupted }: TuneReport): string =>
  `target ${target}, protocol ${protocol}, ` +
  `${core === undefined ? 'not bound to a core' : `on core ${core}`}\n` +
  workloads.map(workloadReport).join('') +
  (isInterrupted ? 'interrupted\n' : '');

/** The document of `--json`. What is unknown is null. */
export const jsonReport = (report: TuneReport, diagnostics: readonly Diagnostic[]): string =>
  jsonDocument({ ...reportDocument(report), diagnostics: diagnostics.map(diagnosticDocument) });

/** What was tuned, as a part of a document. */
export const reportDocument = (report: TuneReport) => ({
  target: report.target,
  fingerprint: report.fingerprint,
  protocol: report.protocol,
  core: report.core ?? null,
  interrupted: report.isInterrupted,
  workloads: report.workloads.map((workload) => {
    const { rankCorrelation, ...summary } = summaryOf(workload);
    return {
      name: workload.name,
      workload: workload.workload,
      best: workload.best,
      seconds: workload.seconds,
      ...summary,
      rankCorrelation: rankCorrelation ?? null,
      finals: workload.finals.map((record) => ({
        name: record.configuration.name,
        seconds: measured(record, 'seconds') ?? null,
        ratio: measured(record, 'ratio') ?? null,
        peakShare: measured(record, 'peak_share') ?? null,
        reason: record.reason ?? null,
      })),
    };
  }),
});

/** Time over that of the untuned plan, against predicted cycles. */
const drawWorkload = (workload: NamedWorkload, top: number): string => {
  const pairs = predictions(workload.records);
  const logs = pairs.map(([predicted]) => Math.log10(predicted));
  const low = Math.floor(Math.min(...logs));
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs)));
  const most = Math.min(3, Math.max(1.25, ...pairs.map(([, ratio]) => ratio)));
  const shares = [0, 0.25, 0.5, 0.75, 1];
  const { svg: axes, at } = frame(
    margin,
    `${workload.name}: time over that of the untuned plan, against predicted cycles`,
    Array.from({ length: high - low + 1 }, (_, i) => `1e${low + i}`),
    shares.map((share) => (share * most).toFixed(2)),
  );
  const dots = pairs.map(([, ratio], i) =>
    dot(...at((logs[i]! - low) / (high - low), Math.min(1, ratio / most)), 2, colours.input),
  );
  const one = at(0, 1 / most);
  const svg = axes + line(...one, one[0] + plot.width, one[1], colours.ws) + dots.join('');
  return `<g transform="translate(0 ${top})">\n${svg}</g>\n`;
};

/** A plot for each contraction with measured candidates. */
export const drawTuning = (workloads: readonly NamedWorkload[]): string => {
  const drawn = workloads.filter(({ records }) => predictions(records).length > 0);
  const height = plot.height + 2 * margin;
  const body =
    drawn.length === 0
      ? text(margin, margin, 'nothing was measured')
      : drawn.map((workload, i) => drawWorkload(workload, i * height)).join('');
  return document(plot.width + 2 * margin, height * Math.max(1, drawn.length), body, 'sconv tune');
};
