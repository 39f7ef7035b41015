/** Families of microkernels as text and as a picture: TT's Figure 7. */
import { box, colours, document, text } from '@sconv/csa/svg';
import type { KernelGrid, KernelShares, KernelUnroll } from '@sconv/targets';
import { keptShare } from '@sconv/targets';

/** `plain`, `c 2`, `s 3`, `r 3`, `r 3 s 3`: what is unrolled, in TT's letters. */
const unrollLabel = ({ channels, tapRows, tapColumns }: KernelUnroll): string => {
  const parts = Object.entries({ c: channels, r: tapRows, s: tapColumns }).filter(([, steps]) => steps > 1);
  return parts.map(([letter, steps]) => `${letter} ${steps}`).join(' ') || 'plain';
};

/** Percent of the best: vectors down, heights across, and a star behind those that are kept. */
export const familyTable = (grids: readonly KernelGrid[]): string =>
  grids
    .map(({ unroll, shares }) => {
      const tallest = Math.max(...shares.map(({ length }) => length));
      const heights = Array.from({ length: tallest }, (_, i) => `${i + 1} `.padStart(4));
      const rows = shares.map((row, i) => {
        const cells = row.map((share) =>
          `${Math.round(100 * share)}${share >= keptShare ? '*' : ' '}`.padStart(4),
        );
        return `${String(i + 1).padStart(7)}${cells.join('')}`;
      });
      return [unrollLabel(unroll).padEnd(7) + heights.join(''), ...rows].map((line) => line.trimEnd());
    })
    .flat()
    .map((line) => `${line}\n`)
    .join('');

const [cellWidth, cellHeight, margin, top] = [28, 15, 24, 64] as const;
const kept = '#c0392b';

/** White to the colour of outputs, as TT's figure goes from dark to bright. */
const shade = (share: number): string => {
  const from = [255, 255, 255];
  const to = [1, 3, 5].map((at) => parseInt(colours.output.slice(at, at + 2), 16));
  const mixed = from.map((value, i) => Math.round(value + (to[i]! - value) * share ** 2));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};

/** A grid for each unrolling, vectors across and heights upwards; kept kernels are framed. */
export const drawFamily = ({ grids, source, fingerprint }: KernelShares, target: string): string => {
  const tallest = Math.max(...grids.flatMap(({ shares }) => shares.map(({ length }) => length)));
  const widest = Math.max(...grids.map(({ shares }) => shares.length));
  const panel = widest * cellWidth + margin;
  const bottom = top + tallest * cellHeight;
  let svg = text(margin, 22, `${target}: percent of the best kernel, framed from ${100 * keptShare} % on`, {
    size: 14,
    bold: true,
  });
  svg += text(margin, 38, fingerprint === undefined ? source : `${source}; ${fingerprint}`, {
    size: 10,
    fill: colours.faint,
  });
  grids.forEach(({ unroll, shares }, i) => {
    const left = margin + i * panel;
    svg += text(left, top - 8, unrollLabel(unroll), { size: 11 });
    const cells = shares.flatMap((row, j) => row.map((share, k) => ({ share, column: j, height: k + 1 })));
    // Frames lie over the cells beside them.
    for (const { share, column, height } of cells.sort((a, b) => a.share - b.share)) {
      const [x, y] = [left + column * cellWidth, bottom - height * cellHeight];
      svg += box(x, y, cellWidth, cellHeight, {
        fill: shade(share),
        stroke: share >= keptShare ? kept : colours.line,
      });
      const percent = String(Math.round(100 * share));
      svg += text(x + cellWidth / 2, y + cellHeight - 4, percent, { size: 9, anchor: 'middle' });
    }
    for (let column = 0; column < shares.length; column += 1)
      svg += text(left + (column + 0.5) * cellWidth, bottom + 14, String(column + 1), {
        size: 10,
        anchor: 'middle',
      });
  });
  for (let height = 5; height <= tallest; height += 5)
    svg += text(margin - 4, bottom - (height - 1) * cellHeight - 4, String(height), {
      size: 9,
      anchor: 'end',
    });
  svg += text(margin, bottom + 30, 'vectors of filters across, height upwards', {
    size: 10,
    fill: colours.faint,
  });
  return document(margin + grids.length * panel, bottom + 44, svg, `kernels of ${target}`);
};
