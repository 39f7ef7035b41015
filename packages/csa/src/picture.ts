/**
 * A plan as a picture: the loop nest in its layers (SC Figure 5), what fills each cache (SC Figure 4), and the
 * predicted cost of both schedules over each parameter.
 */

import { costCurves, type CostCurve } from './cost-curves.ts';
import { explain, type Explanation } from './explain.ts';
import type { LoopNode, LoopTreeNode } from './loop-tree.ts';
import type { Plan } from './plan.ts';
import { box, colours, document, dot, line, polyline, text } from './svg.ts';
import type { MachineCaches } from './tiling.ts';
import { count, percent, short, size } from './units.ts';

const margin = 28;
const width = 1120;
const nestWidth = 600;
const nestTop = 108;
const layerHeight = 30;
const inset = 16;

const shades = ['#f5f7fa', '#e9edf2', '#dde4ec', '#d1dae5', '#c5d0de', '#b9c7d7'] as const;

interface Drawn {
  readonly svg: string;
  readonly bottom: number;
}

const loopLabel = (loop: LoopNode, plan: Plan): string => {
  const range = `${loop.dimension} ${count(loop.from)} … ${count(loop.to - 1)}`;
  switch (loop.layer) {
    case 5:
      return `${range} by Nc = ${loop.step}`;
    case 4:
      return `${range} by ${count(loop.step)}: K3 = ${plan.loops.fragments[0]?.k3 ?? plan.k3} tiles`;
    case 3:
      return `${range} by ${count(loop.step)}: K2 = ${plan.loops.fragments[0]?.k2 ?? plan.k2} tiles`;
    case 2:
    case 1:
      return `${range} by ${loop.step}: one tile`;
    default:
      return `${range} by ${loop.step}`;
  }
};

/** One node and what is in it, as nested boxes. */
const drawNode = (node: LoopTreeNode, plan: Plan, x: number, y: number, depth: number): Drawn => {
  const right = margin + nestWidth - depth * inset;
  const boxWidth = right - x;
  const fill = shades[Math.min(depth, shades.length - 1)] ?? colours.paper;
  switch (node.kind) {
    case 'loop': {
      let inner = '';
      let bottom = y + layerHeight;
      for (const child of node.body) {
        const drawn = drawNode(child, plan, x + inset, bottom, depth + 1);
        inner += drawn.svg;
        bottom = drawn.bottom + 6;
      }
      bottom += 6;
      const times = Math.ceil((node.to - node.from) / node.step);
      const layer = node.layer === undefined ? '' : `${node.layer}`;
      return {
        svg:
          box(x, y, boxWidth, bottom - y, { fill, stroke: colours.line, radius: 6 }) +
          text(x + 10, y + 20, layer, { size: 14, bold: true }) +
          text(x + 30, y + 20, loopLabel(node, plan)) +
          text(right - 10, y + 20, `× ${count(times)}`, { anchor: 'end', fill: colours.faint }) +
          inner,
        bottom,
      };
    }
    case 'pack': {
      const colour = node.operand === 'input' ? colours.input : colours.filter;
      const what = node.operand === 'input' ? 'input' : 'filter';
      const tiles = `${count(node.tiles)} ${what} tile${node.tiles === 1 ? '' : 's'}`;
      return {
        svg:
          box(x, y, boxWidth, 26, { fill: colour, radius: 4 }) +
          text(x + 10, y + 17, `pack ${tiles} as ${node.shape.join(' × ')}`, { fill: colours.paper }) +
          text(right - 10, y + 17, `${size(node.bytes)}, stays in ${node.level.toUpperCase()}`, {
            anchor: 'end',
            fill: colours.paper,
          }),
        bottom: y + 26,
      };
    }
    case 'microkernel':
      return {
        svg:
          box(x, y, boxWidth, 30, { fill: colours.output, radius: 4 }) +
          text(
            x + 10,
            y + 20,
            `microkernel: ${node.windows} windows × ${node.filters} filters, ${count(node.channels)} channels`,
            { fill: colours.paper, bold: true },
          ),
        bottom: y + 30,
      };
    case 'edge':
      return {
        svg: text(x, y + 18, `${count(node.windows)} windows × ${count(node.filters)} filters, not packed`),
        bottom: y + 26,
      };
  }
};

/** The nest of the first fragment, without the loops over groups and batch if they run once. */
const drawNest = (plan: Plan): Drawn => {
  const strip = (nodes: readonly LoopTreeNode[]): readonly LoopTreeNode[] => {
    const [only] = nodes;
    return only?.kind === 'loop' && only.layer === undefined && only.to === 1 ? strip(only.body) : nodes;
  };
  const [fragment] = plan.loops.fragments;
  const nodes = strip((fragment ?? plan.loops.edges[0])?.body ?? []);
  let svg = '';
  let bottom = nestTop;
  for (const node of nodes) {
    const drawn = drawNode(node, plan, margin, bottom, 0);
    svg += drawn.svg;
    bottom = drawn.bottom;
  }
  const others = plan.loops.fragments.length - 1;
  const notes = [
    fragment === undefined ? 'smaller than one tile: no macro-kernel' : '',
    others > 0 ? `${others} more fragment${others === 1 ? '' : 's'} with the remainders of K2, K3, Nc` : '',
    plan.loops.edges.length > 0 && fragment !== undefined
      ? `${plan.loops.edges.length} edge${plan.loops.edges.length === 1 ? '' : 's'} of less than a tile`
      : '',
  ].filter((note) => note !== '');
  svg += text(margin, bottom + 20, notes.join('; '), { fill: colours.faint });
  return { svg, bottom: bottom + 28 };
};

const drawCaches = ({ caches }: Explanation): Drawn => {
  const left = margin + nestWidth + 36;
  const barWidth = width - margin - left;
  let svg = '';
  let y = nestTop;
  for (const { level, fills, bytes, room } of caches) {
    svg += text(left, y + 12, level.toUpperCase(), { size: 14, bold: true });
    svg += text(left + barWidth, y + 12, `${size(bytes)} of ${size(room)}, ${percent(bytes / room)}`, {
      anchor: 'end',
    });
    const scale = barWidth / Math.max(bytes, room);
    let x = left;
    svg += box(left, y + 20, room * scale, 22, { fill: shades[0], stroke: colours.line });
    for (const fill of fills) {
      svg += box(x, y + 20, fill.bytes * scale, 22, { fill: colours[fill.what] });
      x += fill.bytes * scale;
    }
    const parts = fills.map((fill) => `${count(fill.tiles)} ${fill.what} ${size(fill.bytes)}`);
    svg += text(left, y + 58, parts.join('  +  '), { size: 11, fill: colours.faint });
    y += 82;
  }
  let x = left;
  for (const what of ['input', 'filter', 'output'] as const) {
    svg += box(x, y, 12, 12, { fill: colours[what] }) + text(x + 18, y + 11, `${what} tiles`);
    x += 100;
  }
  return { svg, bottom: y + 20 };
};

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One chart: cycles over a parameter, both axes logarithmic in value and linear in cycles from the least. */
const drawChart = (title: string, curves: readonly CostCurve[], frame: Frame): string => {
  const points = curves.flatMap((curve) => curve.points);
  const values = points.map(({ value }) => value);
  const cycles = points.map((point) => point.cycles);
  const most = Math.max(...cycles);
  const least = Math.min(...cycles);
  const largest = Math.max(...values, 2);
  // A flat curve lies in the middle, not on an axis.
  const spread = most > least ? most - least : Math.max(1, most * 0.1);
  const low = most > least ? least - 0.08 * spread : least - spread;
  const high = most + 0.08 * spread;
  const atX = (value: number): number => frame.x + (frame.width * Math.log2(value)) / Math.log2(largest);
  const atY = (value: number): number => frame.y + (frame.height * (high - value)) / (high - low);
  let svg = text(frame.x, frame.y - 12, title, { bold: true });
  if (points.length === 0)
    return svg + text(frame.x, frame.y + 20, 'no valid tiling', { fill: colours.faint });
  svg += line(frame.x, frame.y, frame.x, frame.y + frame.height, colours.line);
  svg += line(frame.x, frame.y + frame.height, frame.x + frame.width, frame.y + frame.height, colours.line);
  for (const tick of most > least ? [most, least] : [most]) {
    svg += line(frame.x - 4, atY(tick), frame.x, atY(tick), colours.line);
    svg += text(frame.x - 8, atY(tick) + 4, short(tick), { size: 11, anchor: 'end', fill: colours.faint });
  }
  const steps = Math.floor(Math.log2(largest));
  const every = Math.max(1, Math.ceil(steps / 5));
  for (let power = 0; power <= steps; power += every) {
    const x = atX(2 ** power);
    svg += line(x, frame.y + frame.height, x, frame.y + frame.height + 4, colours.line);
    svg += text(x, frame.y + frame.height + 17, String(2 ** power), {
      size: 11,
      anchor: 'middle',
      fill: colours.faint,
    });
  }
  for (const curve of curves) {
    const colour = colours[curve.schedule];
    svg += polyline(
      curve.points.map((point) => [atX(point.value), atY(point.cycles)]),
      colour,
    );
    for (const point of curve.points) {
      svg += dot(atX(point.value), atY(point.cycles), point.value === curve.chosen ? 6 : 2, colour);
    }
  }
  return svg;
};

/** The picture of a plan as an SVG document. The machine is the one that the plan was made for. */
export const drawPlan = (plan: Plan, machine: MachineCaches): string => {
  const explanation = explain(plan);
  const nest = drawNest(plan);
  const caches = drawCaches(explanation);
  const chartTop = Math.max(nest.bottom, caches.bottom) + 64;
  const curves = costCurves(plan, machine);
  const chartWidth = (width - 2 * margin - 3 * 64) / 3;
  const moving =
    plan.schedule === 'is' ? 'IS: filter tiles, WS: input tiles' : 'WS: input tiles, IS: filter tiles';
  const stationary =
    plan.schedule === 'is' ? 'IS: input tiles, WS: filter tiles' : 'WS: filter tiles, IS: input tiles';
  const charts = (
    [
      ['nc', 'Nc, channels'],
      ['k2', `K2, ${moving}`],
      ['k3', `K3, ${stationary}`],
    ] as const
  )
    .map(([name, title], index) =>
      drawChart(title, curves[name], {
        x: margin + 48 + index * (chartWidth + 64),
        y: chartTop,
        width: chartWidth,
        height: 150,
      }),
    )
    .join('');
  const legend = (['is', 'ws'] as const)
    .map(
      (schedule, index) =>
        dot(width - margin - 300 + index * 150, chartTop - 44, 5, colours[schedule]) +
        text(
          width - margin - 288 + index * 150,
          chartTop - 40,
          `${schedule.toUpperCase()} ${short(plan.cost[schedule])} cycles`,
        ),
    )
    .join('');
  const name = plan.schedule === 'is' ? 'input stationary' : 'weight stationary';
  const body =
    text(margin, 40, explanation.shape, { size: 20, bold: true }) +
    text(
      margin,
      66,
      `${plan.schedule.toUpperCase()}, ${name}: Nc = ${plan.nc}, K2 = ${plan.k2}, K3 = ${plan.k3}; ` +
        `microkernel ${plan.microkernel.windows}×${plan.microkernel.filters}; ` +
        `${count(explanation.tiles.calls)} calls, ${percent(explanation.inMicrokernels)} of the multiply-adds`,
      { size: 14 },
    ) +
    text(margin, nestTop - 12, 'loop nest, by layer', { bold: true }) +
    text(margin + nestWidth + 36, nestTop - 12, 'in the caches, of what tiles may use', { bold: true }) +
    nest.svg +
    caches.svg +
    text(margin, chartTop - 40, `predicted cycles (${plan.costModel}); large dots: the sizes chosen`, {
      bold: true,
    }) +
    legend +
    charts;
  return document(width, chartTop + 150 + 40, body, `${explanation.shape}: ${plan.schedule.toUpperCase()}`);
};
