/** The output of `sconv bench --models`: a table in text or Markdown, and a JSON document. */
import type { Diagnostic } from '@sconv/diagnostics';
import { diagnosticDocument } from '@sconv/diagnostics';
import { jsonDocument } from '../json-document.ts';
import { version } from '../version.ts';
import type { ModelRow, StartFigures } from './bench-models.ts';
import { hasFailed } from './bench-models.ts';
import { geometricMean } from './statistics.ts';
import type { Table } from './table.ts';
import { markdownTable, plainTable, short } from './table.ts';
import type { ThisMachine } from './this-machine.ts';
import { machineText } from './this-machine.ts';

export interface ModelsReport {
  readonly conditions: ThisMachine & {
    readonly target: string;
    /** The other runtime; null where there is none. */
    readonly peer: string | null;
    /** Processes of each model, and samples of each side in each of them. */
    readonly starts: number;
    readonly samples: number;
  };
  readonly models: readonly ModelRow[];
  /** Whether it stopped before everything was measured. */
  readonly interrupted: boolean;
}

/** The geometric mean of the other runtime's times over ours; null without any. */
const meanOf = ({ models }: ModelsReport): number | null =>
  geometricMean(models.flatMap((row) => (hasFailed(row) || row.peer === null ? [] : [row.peer.ratio]))) ??
  null;

const none = '-';

const nameOf = (path: string): string => path.replace(/^.*[\\/]/, '').replace(/\.onnx$/, '');

const cells = ({ loadSeconds, firstCallSeconds, seconds }: StartFigures): readonly string[] =>
  [loadSeconds, firstCallSeconds, seconds].map((each) => short(1000 * each));

const tableOf = (report: ModelsReport): Table => {
  const { conditions, models } = report;
  const { peer } = conditions;
  const others = peer === null ? [] : [`${peer}: load`, 'first call', 'a call', 'ratio', 'off by'];
  const columns = ['model', 'load', 'first call', 'a call', ...others];
  const rows = models.map((row) => {
    if (hasFailed(row)) return [nameOf(row.model), 'failed', ...columns.slice(2).map(() => none)];
    const off = row.peer?.difference?.toExponential(1) ?? 'infinite';
    const theirs =
      row.peer === null
        ? others.map(() => none)
        : [...cells(row.peer), row.peer.ratio.toFixed(2), row.peer.agrees ? off : `${off} !`];
    return [nameOf(row.model), ...cells(row), ...theirs];
  });
  const mean = meanOf(report);
  const last = columns.map((column) =>
    column === 'model' ? 'geometric mean' : column === 'ratio' ? (mean ?? 0).toFixed(2) : '',
  );
  return { heading: '', columns, rows: mean === null || models.length < 2 ? rows : [...rows, last] };
};

const conditionLines = ({ conditions, models, interrupted }: ModelsReport): readonly string[] => {
  const { target, peer, starts, samples } = conditions;
  const found = models.flatMap((row) => (hasFailed(row) || row.peer === null ? [] : [row.peer]))[0];
  const beside = peer === null ? '' : ', in turns with the other; ratio: its time over ours';
  return [
    ...(interrupted ? ['Interrupted: these are the models that were finished.'] : []),
    `${machineText(conditions)}, one thread, target ${target}`,
    [`sconv ${version()}`, ...(found === undefined ? [] : [`${found.name} ${found.version}`])].join(', '),
    `milliseconds, ${starts === 1 ? 'one process' : `medians of ${starts} processes`} of each side; ` +
      'load: from the bytes of the file until it can be called; ' +
      `a call: median of ${samples} samples${beside}`,
    ...(found === undefined
      ? []
      : [
          'off by: of the largest element of an output, or of 1 for probabilities; ! where that is more than allowed',
        ]),
  ];
};

/** The report as text. */
export const modelsText = (report: ModelsReport): string =>
  [...conditionLines(report), '', ...plainTable(tableOf(report)), ''].join('\n');

/** The report as Markdown, for documentation. */
export const modelsMarkdown = (report: ModelsReport): string =>
  [
    '# Figures of `sconv bench --models`',
    '',
    ...conditionLines(report).map((line) => `- ${line}`),
    '',
    ...markdownTable(tableOf(report)),
    '',
  ].join('\n');

/** The document of `--json`. */
export const modelsJson = (report: ModelsReport, diagnostics: readonly Diagnostic[] = []): string =>
  jsonDocument({
    ...report,
    models: report.models.map((row) =>
      hasFailed(row) ? { model: row.model, failed: row.failed } : { ...row, failed: null },
    ),
    geometricMean: meanOf(report),
    diagnostics: diagnostics.map(diagnosticDocument),
  });
