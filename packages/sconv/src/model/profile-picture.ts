/** The picture of a profile: a bar for each part of a model, the longest first. */
import { box, colours, document, text } from '@sconv/csa/svg';
import { milliseconds, plural } from '../run/report.ts';
import type { PartTime } from './profile-model.ts';
import { belowHalf, boundShare, secondsOf } from './profile-model.ts';

/** What is written above the bars. */
export interface ProfileHeading {
  readonly title: string;
  readonly loadSeconds: number;
  readonly firstCallSeconds: number;
  /** Of a call of the whole, after the first. */
  readonly seconds: number;
}

const rowHeight = 18;
const barHeight = 12;
const labelWidth = 330;
const barWidth = 380;
const figuresWidth = 260;
const margin = 20;
const headingHeight = 96;
const width = 2 * margin + labelWidth + barWidth + figuresWidth;

/** Of more, the rest are one bar. */
const mostRows = 40;

const colourOf = { arithmetic: colours.input, memory: colours.filter } as const;
const boundNames = { arithmetic: 'peak', memory: 'bandwidth' } as const;

/** The end of a name says more than its beginning, which many share. */
const shortened = (name: string, most: number): string =>
  name.length <= most ? name : `…${name.slice(name.length - most + 1)}`;

const labelOf = ({ nodes, operations }: PartTime): string => {
  const [first = operations[0] ?? '', ...others] = nodes;
  const more = others.length === 0 ? '' : ` +${others.length}`;
  return `${shortened(first, 50 - more.length)}${more}`;
};

/** A bar as long as the time, filled as far as the least time that it could take. */
const drawBar = (y: number, seconds: number, filled: number, colour: string, most: number): string => {
  const x = margin + labelWidth;
  const length = (part: number): number => Math.max(1, (barWidth * part) / most);
  return (
    box(x, y, length(seconds), barHeight, { fill: colours.paper, stroke: colour }) +
    box(x, y, length(Math.min(seconds, filled)), barHeight, { fill: colour })
  );
};

const drawRow = (y: number, label: string, bar: string, figures: string, isSlow: boolean): string =>
  text(margin, y + barHeight - 2, label, { size: 11, bold: isSlow }) +
  bar +
  text(width - margin - figuresWidth + 12, y + barHeight - 2, figures, { size: 11, bold: isSlow });

/** The parts as an SVG document: by time, with their share of it, and of what bounds them. */
export const drawProfile = (
  parts: readonly PartTime[],
  { title, loadSeconds, firstCallSeconds, seconds }: ProfileHeading,
): string => {
  const sum = secondsOf(parts);
  const sorted = [...parts].sort((a, b) => b.seconds - a.seconds);
  const shown = sorted.slice(0, sorted.length > mostRows ? mostRows - 1 : mostRows);
  const others = sorted.slice(shown.length);
  const most = Math.max(...shown.map((part) => part.seconds), secondsOf(others), 1e-9);
  const slow = new Set(belowHalf(parts));
  const shareText = (time: number): string =>
    `${milliseconds(time)} ms, ${((100 * time) / sum).toFixed(1)} %`;
  let body = text(margin, margin + 12, title, { size: 15, bold: true });
  body += text(
    margin,
    margin + 32,
    `load ${milliseconds(loadSeconds)} ms, first call ${milliseconds(firstCallSeconds)} ms, then ` +
      `${milliseconds(seconds)} ms a call; its parts, one after the other: ${milliseconds(sum)} ms`,
    { size: 11 },
  );
  (['arithmetic', 'memory'] as const).forEach((by, i) => {
    const x = margin + i * 340;
    body += box(x, margin + 44, 24, barHeight, { stroke: colourOf[by] });
    body += box(x, margin + 44, 12, barHeight, { fill: colourOf[by] });
    body += text(x + 30, margin + 54, `time, filled: the least by the ${boundNames[by]} of this machine`, {
      size: 11,
    });
  });
  body += text(
    margin,
    margin + 74,
    `bold: below half of that, ${plural(slow.size, 'part')}, ` +
      `${((100 * secondsOf([...slow])) / Math.max(sum, 1e-12)).toFixed(1)} % of the time`,
    { size: 11 },
  );
  const rows = shown.map((part) => (y: number): string => {
    const { bound } = part;
    const reached = `${(100 * boundShare(part)).toFixed(0)} % of ${boundNames[bound.by]}`;
    const bar = drawBar(y, part.seconds, bound.seconds, colourOf[bound.by], most);
    return drawRow(y, labelOf(part), bar, `${shareText(part.seconds)}, ${reached}`, slow.has(part));
  });
  if (others.length > 0) {
    const time = secondsOf(others);
    rows.push((y) =>
      drawRow(
        y,
        plural(others.length, 'other part'),
        drawBar(y, time, 0, colours.faint, most),
        shareText(time),
        false,
      ),
    );
  }
  const top = margin + headingHeight;
  rows.forEach((draw, i) => {
    body += draw(top + i * rowHeight);
  });
  return document(width, top + rows.length * rowHeight + margin, body, title);
};
