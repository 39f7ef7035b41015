/** The report of a run: as text and as JSON. */
import type { FoundFault } from './campaign.ts';
import type { SizeComparison } from './compare-sizes.ts';
import type { Statistics } from './statistics.ts';
import { totalSteps } from './statistics.ts';

/** The results of a run. */
export interface Report {
  readonly seeds: readonly number[];
  readonly statistics: Statistics;
  readonly faults: readonly FoundFault[];
  /** Number of printed modules that mlir-opt read; undefined if not requested. */
  readonly readByMlirOpt?: number | undefined;
  /** The sizes of canonicalized functions beside those of mlir-opt; undefined if not requested. */
  readonly sizes?: SizeComparison | undefined;
  readonly seconds: number;
}

/** The document of `--json`. */
export const jsonReport = (report: Report): string => {
  const { seeds, statistics, faults, readByMlirOpt, sizes, seconds } = report;
  const document = {
    version: 1,
    seeds,
    ...statistics,
    total: totalSteps(statistics),
    faults,
    readByMlirOpt: readByMlirOpt ?? null,
    sizes: sizes ?? null,
    seconds,
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
};

const table = (rows: readonly (readonly (string | number)[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column]).length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? String(cell).padEnd(widths[column]!) : String(cell).padStart(widths[column]!),
      )
      .join('  '),
  );
};

const byCount = (counts: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(counts).sort(([, a], [, b]) => b - a);

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;

/** A table of counts, with an empty line; nothing without counts. */
const counted = (head: readonly [string, string], counts: Readonly<Record<string, number>>) =>
  Object.keys(counts).length === 0 ? [] : [...table([head, ...byCount(counts)]), ''];

const sizeLines = ({ functions, atMost, smaller, larger }: SizeComparison): readonly string[] => [
  `${atMost} of ${functions} canonicalized functions (${percent(atMost, functions)}) are at most as large as mlir-opt's, ${smaller} are smaller`,
  '',
  ...counted(['larger by', 'functions'], larger),
];

/** The report as text. */
export const textReport = (report: Report): string => {
  const { seeds, statistics, faults, readByMlirOpt, sizes, seconds } = report;
  const { drawn, applied } = totalSteps(statistics);
  const steps = Object.entries(statistics.steps).sort(([a], [b]) => a.localeCompare(b));
  const lines = [
    `${statistics.payloads} payloads of seed ${seeds.join(', ')} in ${seconds.toFixed(0)} s`,
    '',
    ...table([
      ['step', 'drawn', 'applied', ''],
      ...steps.map(([name, each]) => [name, each.drawn, each.applied, percent(each.applied, each.drawn)]),
      ['all', drawn, applied, percent(applied, drawn)],
    ]),
    '',
    ...counted(['refused as', 'steps'], statistics.refused),
    ...counted(['not on wasm because of', 'payloads'], statistics.notOnWasm),
    ...(sizes === undefined ? [] : sizeLines(sizes)),
    ...(readByMlirOpt === undefined ? [] : [`${readByMlirOpt} printed modules were read by mlir-opt`, '']),
    ...faults.flatMap(({ seed, index, times, fault, path }) => [
      `FAULT ${fault.kind}${fault.transform === undefined ? '' : ` at ${fault.transform}`}, ${times} times, first in payload ${index} of seed ${seed}`,
      ...fault.message
        .split('\n')
        .slice(0, 8)
        .map((line) => `  ${line}`),
      ...(path === undefined
        ? []
        : [`  sconv run ${path}/payload.mlir --schedule ${path}/script.mlir --check`]),
      '',
    ]),
    faults.length === 0 ? 'no fault' : `${faults.length} faults`,
    '',
  ];
  return lines.join('\n');
};
