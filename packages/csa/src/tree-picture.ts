/** A plan's tree as a picture, whatever its form: loops as nested boxes, parts below each other. */
import type { ConvolutionDimension, Extents, Plan, PlanFold } from '@sconv/plans';
import { foldPlan, planExtents } from '@sconv/plans';
import { box, colours, document, text } from './svg.ts';
import { count } from './units.ts';

const margin = 28;
const width = 640;
const inset = 16;
const row = 26;
const gap = 6;

/** The fills of nested loops, outermost first; further ones have the last. */
const shades = ['#f5f7fa', '#eaeff5', '#dfe7f0', '#d4dfea'] as const;

interface Drawn {
  readonly svg: string;
  readonly height: number;
}

/** Draws a node from its upper left corner on, nested in so many loops. */
type Draw = (x: number, y: number, depth: number) => Drawn;

/** The right edge of what is nested in so many loops. */
const rightAt = (depth: number): number => margin + width - depth * inset;

const bar =
  (fill: string, label: string): Draw =>
  (x, y, depth) => ({
    svg:
      box(x, y, rightAt(depth) - x, row, { fill, radius: 4 }) +
      text(x + 10, y + 17, label, { fill: colours.paper }),
    height: row,
  });

/** Nodes below each other. */
const stacked =
  (nodes: readonly Draw[]): Draw =>
  (x, y, depth) => {
    let [svg, height] = ['', 0];
    for (const node of nodes) {
      const drawn = node(x, y + height, depth);
      svg += drawn.svg;
      height += drawn.height + gap;
    }
    return { svg, height: height - gap };
  };

const titled =
  (title: string, body: Draw): Draw =>
  (x, y, depth) => {
    const inner = body(x, y + row, depth);
    return { svg: text(x, y + 17, title, { fill: colours.faint }) + inner.svg, height: row + inner.height };
  };

const leafLabel = ({ windows, filters, channels }: Extents): string =>
  `${count(windows)} windows × ${count(filters)} filters, ${count(channels)} channels`;

const fold: PlanFold<ConvolutionDimension, Draw> = {
  loop:
    ({ dimension, step, count: times }, body) =>
    (x, y, depth) => {
      const inner = body(x + inset, y + row + gap, depth + 1);
      const height = row + gap + inner.height + inset;
      const right = rightAt(depth);
      return {
        svg:
          box(x, y, right - x, height, {
            fill: shades[Math.min(depth, shades.length - 1)]!,
            stroke: colours.line,
            radius: 6,
          }) +
          text(x + 10, y + 18, `${dimension}, by ${count(step)}`, { bold: true }) +
          text(right - 10, y + 18, `× ${count(times)}`, { anchor: 'end', fill: colours.faint }) +
          inner.svg,
        height,
      };
    },
  split: ({ dimension, parts }, bodies) =>
    stacked(bodies.map((body, i) => titled(`${count(parts[i]!.size)} ${dimension}:`, body))),
  pack: ({ operand, tiles }, body) =>
    stacked([
      bar(
        operand === 'input' ? colours.input : colours.filter,
        `pack ${count(tiles)} tile${tiles === 1 ? '' : 's'} of the ${operand}`,
      ),
      body,
    ]),
  kernel: ({ lanes, extents }) =>
    bar(colours.output, `microkernel: ${leafLabel(extents)}; vectors along ${lanes}`),
  scalar: ({ extents }) => bar(colours.faint, `scalar code: ${leafLabel(extents)}`),
};

/** A plan as a self-contained SVG document. Deterministic. */
export const drawTree = (tree: Plan): string => {
  const { batch, group, ...others } = planExtents(tree);
  const { svg, height } = foldPlan(tree, fold)(margin, margin, 0);
  const size = `${batch} x ${group} x ${leafLabel({ batch, group, ...others })}`;
  return document(width + 2 * margin, Math.ceil(height + 2 * margin), svg, `plan of ${size}`);
};
