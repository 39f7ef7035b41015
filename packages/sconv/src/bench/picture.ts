/** The picture of a benchmark: per row the shares of the peak, and the other sides in comparison. */
import { printShape } from '@sconv/csa';
import { box, colours, document, dot, line, text } from '@sconv/csa/svg';
import type { Group, Row, SideFigures } from './figures.ts';

const rowHeight = 18;
const labelWidth = 330;
const plotWidth = 420;
const margin = 20;
const legendWidth = 160;
const palette = [colours.input, colours.filter, colours.output, colours.ws, colours.faint] as const;

const colourOf = (names: readonly string[], name: string): string =>
  palette[names.indexOf(name) % palette.length]!;

/** GFLOP/s, or calls per second if the work is unknown. */
const speedOf = ({ gflops, seconds }: SideFigures): number => gflops ?? 1 / seconds.median;

const namesOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap(({ sides }) => sides.map(({ name }) => name))),
];

/** The speeds of one row: a dot per side, with a line over the middle half of its samples. */
const drawRow = (row: Row, y: number, names: readonly string[], greatest: number): string => {
  const x = (speed: number): number => margin + labelWidth + (plotWidth * speed) / greatest;
  const label = row.shape === null ? row.name : printShape(row.shape);
  let svg = text(margin, y + 4, label, { size: 11 });
  for (const side of row.sides) {
    const speed = speedOf(side);
    const { median, low, high } = side.seconds;
    const colour = colourOf(names, side.name);
    svg += line(x((speed * median) / high), y, x(Math.min(greatest, (speed * median) / low)), y, colour);
    svg += dot(x(speed), y, 4, colour);
  }
  return svg;
};

const drawGroup = (group: Group, top: number): { readonly svg: string; readonly bottom: number } => {
  const names = namesOf(group.rows);
  const unit = group.rows.some(({ flop }) => flop === null) ? 'calls per s' : 'GFLOP/s';
  const greatest = Math.max(...group.rows.flatMap(({ sides }) => sides.map(speedOf)), 1e-9);
  const heading = [group.set, group.filters === null ? '' : `filters: ${group.filters}`]
    .filter((part) => part !== '')
    .join(', ');
  let svg = text(margin, top + 14, heading, { size: 14, bold: true });
  names.forEach((name, i) => {
    const x = margin + i * legendWidth;
    svg += box(x, top + 26, 12, 12, { fill: colourOf(names, name) });
    svg += text(x + 16, top + 36, name, { size: 11 });
  });
  const first = top + 64;
  const bottom = first + group.rows.length * rowHeight;
  for (const fraction of [0, 0.25, 0.5, 0.75, 1]) {
    const x = margin + labelWidth + plotWidth * fraction;
    svg += line(x, first - 10, x, bottom - 6, colours.line);
    svg += text(x, bottom + 8, (greatest * fraction).toPrecision(3), { size: 10, anchor: 'middle' });
  }
  svg += text(margin, bottom + 8, unit, { size: 11, fill: colours.faint });
  group.rows.forEach((row, i) => {
    svg += drawRow(row, first + i * rowHeight, names, greatest);
  });
  return { svg, bottom: bottom + 24 };
};

/** All groups, stacked, as an SVG document. */
export const drawBenchmark = (groups: readonly Group[]): string => {
  let top = margin;
  let body = '';
  for (const group of groups) {
    const { svg, bottom } = drawGroup(group, top);
    body += svg;
    top = bottom + margin;
  }
  return document(margin * 2 + labelWidth + plotWidth + 40, top, body, 'sconv bench');
};
