/** A plan's tree as a picture, whatever its form: loops as nested boxes, parts below each other. */
import type { AnyPlan, Extents, KernelNode, PlanFold } from '@sconv/plans';
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

const leafLabel = (extents: Extents<string>): string => {
  const of = (...names: readonly string[]): string =>
    names.map((name) => `${count(extents[name]!)} ${name}`).join(' × ');
  return 'windows' in extents
    ? `${of('windows', 'filters')}, ${of('channels')}`
    : `${of('rows', 'columns', 'filters')}, ${of('channels', 'tapRows', 'tapColumns')}`;
};

const decisionsLabel = ({ lanes, unroll = {}, tiles }: KernelNode<string>): string => {
  const factors = Object.entries(unroll).map(([name, factor]) => `${name} by ${count(factor!)}`);
  return (
    `vectors along ${lanes}` +
    (factors.length === 0 ? '' : `, unrolled: ${factors.join(', ')}`) +
    (tiles === undefined ? '' : `, ${count(tiles.length)} register tile${tiles.length === 1 ? '' : 's'}`)
  );
};

const fold: PlanFold<string, Draw> = {
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
  kernel: (node) => bar(colours.output, `microkernel: ${leafLabel(node.extents)}; ${decisionsLabel(node)}`),
  scalar: ({ extents }) => bar(colours.faint, `scalar code: ${leafLabel(extents)}`),
};

/** A plan as a self-contained SVG document. Deterministic. */
export const drawTree = (tree: AnyPlan): string => {
  const extents = planExtents<string>(tree);
  const { svg, height } = foldPlan<string, Draw>(tree, fold)(margin, margin, 0);
  const size = `${extents['batch']!} x ${extents['group']!} x ${leafLabel(extents)}`;
  return document(width + 2 * margin, Math.ceil(height + 2 * margin), svg, `plan of ${size}`);
};
