/** The output of `sconv bench`: tables in text or Markdown, and a JSON document. */
import { printShape } from '@sconv/csa';
import type { Diagnostic } from '@sconv/diagnostics';
import { diagnosticDocument } from '@sconv/diagnostics';
import { jsonDocument } from '../json-document.ts';
import { shapeDocument } from '../run/report.ts';
import type { ClockName } from './clock.ts';
import type { Group, Means, Row, SideFigures } from './figures.ts';
import { disturbedFrom, isDisturbed, meansOf } from './figures.ts';
import type { Spread } from './statistics.ts';
import type { Table } from './table.ts';
import { markdownTable, plainTable, short } from './table.ts';
import type { ThisMachine } from './this-machine.ts';
import { machineText } from './this-machine.ts';

/** The measuring conditions. */
export interface Conditions extends ThisMachine {
  /** Names and versions, ours first. */
  readonly sides: readonly { readonly name: string; readonly version: string }[];
  /** Requested peers that are unavailable, and why. */
  readonly missing: readonly { readonly name: string; readonly reason: string }[];
  readonly clock: ClockName;
  /** Samples per side. */
  readonly samples: number;
  /** Whether inputs come padded; otherwise every side pads. */
  readonly padding: 'included' | 'applied';
}

export interface Report {
  readonly conditions: Conditions;
  readonly groups: readonly Group[];
  /** Whether it stopped before everything was measured. */
  readonly interrupted: boolean;
}

const number = (value: number, digits: number): string => value.toFixed(digits);

const time = (seconds: number): string =>
  seconds >= 1e-3 ? `${short(seconds * 1e3)} ms` : `${short(seconds * 1e6)} µs`;

/** A median and its quartiles. */
const spread = ({ median, low, high }: Spread): string =>
  `${number(median, 2)} (${number(low, 2)}-${number(high, 2)})`;

/** Half the interquartile range, in per cent of the median. */
const deviation = ({ median, low, high }: Spread): string => `±${number((50 * (high - low)) / median, 0)} %`;

const none = '-';

/** With low arithmetic intensity, the share of the bandwidth is shown next to that of the peak. */
const shares = ({ peakShare, bandwidthShare }: SideFigures): string =>
  [
    peakShare === null ? none : number(peakShare.median, 2),
    ...(bandwidthShare === null ? [] : [`bw ${number(bandwidthShare.median, 2)}`]),
  ].join(', ');

const filterHeadings = {
  bound: 'filters bound',
  arguments: 'filters as arguments',
} as const;

const headingOf = ({ set, filters }: Group): string =>
  [set, ...(filters === null ? [] : [filterHeadings[filters]])].filter((part) => part !== '').join(', ');

/** A side as table columns. */
interface Side {
  readonly name: string;
  readonly isFirst: boolean;
  /** Ours, and schedules of a payload, are shown with speed; others only with their ratio. */
  readonly isFull: boolean;
}

/** The sides of a group, in measuring order: one may have failed on the first row. */
const sidesOf = ({ rows }: Group, { sides: measured }: Conditions): readonly Side[] => {
  const order = measured.map(({ name }) => name);
  const found = rows.flatMap(({ sides, failed }) => [...sides, ...failed].map(({ name }) => name));
  const names = new Set([...order.filter((name) => found.includes(name)), ...found]);
  const full = new Set(
    rows.flatMap(({ sides }) => sides.filter(({ how }) => how !== null).map(({ name }) => name)),
  );
  return [...names].map((name, i) => ({ name, isFirst: i === 0, isFull: i === 0 || full.has(name) }));
};

/** The cells of one side: time, speed and share if it is full, and for all but the first the ratio. */
const cells = ({ isFirst, isFull }: Side, full: readonly string[], ratio: string): readonly string[] => [
  ...(isFull ? full : []),
  ...(isFirst ? [] : [ratio]),
];

const figureCells = (row: Row, side: Side): readonly string[] => {
  const figures = row.sides.find(({ name }) => name === side.name);
  if (figures === undefined) return cells(side, ['failed', none, none], none);
  const { seconds, gflops, ratio } = figures;
  const mark = isDisturbed(figures) ? ' !' : '';
  return cells(
    side,
    [
      `${time(seconds.median)} ${deviation(seconds)}${mark}`,
      gflops === null ? none : short(gflops),
      shares(figures),
    ],
    ratio === null ? none : `${spread(ratio)}${mark}`,
  );
};

const meanCells = (means: Means | undefined, side: Side): readonly string[] => {
  const mean = (value: number | null | undefined, digits: (value: number) => string): string =>
    value === null || value === undefined ? none : digits(value);
  const two = (value: number): string => number(value, 2);
  return cells(side, ['', mean(means?.gflops, short), mean(means?.peakShare, two)], mean(means?.ratio, two));
};

const tableOf = (group: Group, conditions: Conditions): Table => {
  const sides = sidesOf(group, conditions);
  const [first] = sides;
  const means = meansOf(group);
  const rows = group.rows.map((row) => [
    row.name,
    row.shape === null ? none : printShape(row.shape),
    row.flop === null ? none : short(row.flop / 1e6),
    row.flopPerByte === null ? none : short(row.flopPerByte),
    row.sides.find(({ name }) => name === first?.name)?.how ?? none,
    ...sides.flatMap((side) => figureCells(row, side)),
  ]);
  const mean = sides.flatMap((side) =>
    meanCells(
      means.find(({ name }) => name === side.name),
      side,
    ),
  );
  return {
    heading: headingOf(group),
    columns: [
      ...['name', 'shape', 'MFLOP', 'flop per byte', 'plan'],
      ...sides.flatMap((side) =>
        cells(side, [side.name, 'GFLOP/s', 'of peak'], `${side.name} / ${first?.name ?? ''}`),
      ),
    ],
    rows: rows.length > 1 ? [...rows, ['geometric mean', `${rows.length} rows`, '', '', '', ...mean]] : rows,
  };
};

/** The means in words. */
const meanLines = (group: Group, conditions: Conditions): readonly string[] => {
  const [first] = sidesOf(group, conditions);
  if (group.rows.length < 2 || first === undefined) return [];
  return meansOf(group).flatMap(({ name, ratio, leastRatio, comparedRows, slowerRows }) =>
    ratio === null || leastRatio === null
      ? []
      : [
          `${first.name} is ${number(ratio, 2)} times as fast as ${name} (geometric mean), ` +
            `at least ${number(leastRatio, 2)}; slower on ${slowerRows} of ${comparedRows}`,
        ],
  );
};

const failureLines = ({ rows }: Group): readonly string[] =>
  rows.flatMap(({ name, shape, failed }) =>
    failed.map(
      ({ name: side, reason }) => `${side} failed on ${shape === null ? name : printShape(shape)}: ${reason}`,
    ),
  );

const conditionLines = ({ conditions, groups, interrupted }: Report): readonly string[] => {
  const { sides, missing, clock, samples, padding } = conditions;
  return [
    ...(interrupted ? ['Interrupted: these are the rows that were finished.'] : []),
    `${machineText(conditions)}, one thread`,
    sides.map(({ name, version }) => `${name} ${version}`).join(', '),
    ...missing.map(({ name, reason }) => `without ${name}: ${reason}`),
    `${clock === 'wall' ? '' : 'processor time, '}medians of ${samples} samples a side, in turns, ` +
      'with quartiles; ratios are of times, round by round; ' +
      `padding ${padding === 'included' ? 'included in the input' : 'applied by every side'}`,
    ...(groups.some(({ rows }) => rows.some(({ sides: figures }) => figures.some(isDisturbed)))
      ? [`! marks a side that was disturbed: its median is above ${disturbedFrom} times its least time`]
      : []),
  ];
};

/** The report as text. */
export const textReport = (report: Report): string =>
  [
    ...conditionLines(report),
    ...report.groups.flatMap((group) => [
      '',
      ...plainTable(tableOf(group, report.conditions)),
      ...meanLines(group, report.conditions),
      ...failureLines(group),
    ]),
    '',
  ].join('\n');

/** The report as Markdown, for documentation. */
export const markdownReport = (report: Report): string =>
  [
    '# Figures of `sconv bench`',
    '',
    ...conditionLines(report).map((line) => `- ${line}`),
    ...report.groups.flatMap((group) => [
      '',
      ...markdownTable(tableOf(group, report.conditions)),
      '',
      ...[...meanLines(group, report.conditions), ...failureLines(group)].map((line) => `- ${line}`),
    ]),
    '',
  ].join('\n');

/** The document of `--json`. */
export const jsonReport = (
  { conditions, groups, interrupted }: Report,
  diagnostics: readonly Diagnostic[] = [],
): string =>
  jsonDocument({
    conditions,
    interrupted,
    groups: groups.map((group) => ({
      set: group.set,
      filters: group.filters,
      means: meansOf(group),
      rows: group.rows.map((row) => ({
        ...row,
        shape: row.shape === null ? null : shapeDocument(row.shape),
      })),
    })),
    diagnostics: diagnostics.map(diagnosticDocument),
  });
