/** The axes of plots. */
import { colours, line, text } from '@sconv/csa/svg';

/** Around each plot, and its size, in pixels. */
export const margin = 56;
export const plot = { width: 420, height: 300 };

/** A place on the page. */
export type Point = readonly [x: number, y: number];

/** Axes with labels; returns a function from 0…1 in both directions to the page. */
export const frame = (
  left: number,
  title: string,
  xLabels: readonly string[],
  yLabels: readonly string[],
): { readonly svg: string; readonly at: (x: number, y: number) => Point } => {
  const at = (x: number, y: number): Point => [left + x * plot.width, margin + (1 - y) * plot.height];
  let svg = text(left, margin - 24, title, { size: 13, bold: true });
  xLabels.forEach((label, i) => {
    const [x, y] = at(i / Math.max(1, xLabels.length - 1), 0);
    svg += line(x, y, x, y + 4, colours.line) + text(x, y + 18, label, { size: 10, anchor: 'middle' });
  });
  yLabels.forEach((label, i) => {
    const [x, y] = at(0, i / Math.max(1, yLabels.length - 1));
    svg +=
      line(x, y, x + plot.width, y, colours.line) + text(x - 6, y + 4, label, { size: 10, anchor: 'end' });
  });
  return { svg, at };
};
