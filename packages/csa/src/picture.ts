/**
 * A plan as a picture: the loop nest in its layers (SC Figure 5), the contents of each cache (SC Figure 4), and the
 * predicted cost of both schedules over each parameter.
 */

import type { LoopNode, PackNode, PlanPath } from '@sconv/plans';
import { planPaths } from '@sconv/plans';
import { costCurves, type CostCurve } from './cost-curves.ts';
import { explain, type Explanation } from './explain.ts';
import type { ConvolutionPlan } from './plan.ts';
import { belowSplits, slicingNest, type Span } from './slicing-nest.ts';
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

/** A loop as drawn: its layer, and the span it covers. */
interface DrawnLoop {
  readonly loop: LoopNode;
  /** The layer of SC Figure 5 and ST Figure 3; undefined for batch and groups. */
  readonly layer: number | undefined;
  readonly span: Span;
}

const isImages = ({ dimension }: LoopNode): boolean => dimension === 'batch' || dimension === 'group';

/** The loops and packs around a leaf, outermost first; single-trip loops over groups and images are left out. */
const drawnSteps = (path: PlanPath): readonly (DrawnLoop | PackNode)[] => {
  const { nest } = belowSplits(path);
  const spans: Partial<Record<string, Span>> = {};
  const loops = nest.filter((step): step is LoopNode => step.kind === 'loop');
  let layer = loops.filter((loop) => !isImages(loop)).length;
  return nest.flatMap((step): readonly (DrawnLoop | PackNode)[] => {
    if (step.kind !== 'loop') return step.kind === 'pack' ? [step] : [];
    const size = step.step * step.count;
    // An inner loop over the same dimension starts at the outer one's position.
    const span = spans[step.dimension] ?? { from: 0, to: size };
    spans[step.dimension] = { from: 0, to: step.step };
    if (!isImages(step)) return [{ loop: step, layer: layer--, span }];
    return size === 1 ? [] : [{ loop: step, layer: undefined, span }];
  });
};

const loopLabel = ({ loop, layer, span }: DrawnLoop, path: PlanPath): string => {
  const range = `${loop.dimension} ${count(span.from)} … ${count(span.to - 1)}`;
  const nest = slicingNest(path);
  if (layer === undefined || nest === undefined) return `${range} by ${loop.step}`;
  switch (layer) {
    case 5:
      return `${range} by Nc = ${loop.step}`;
    case 4:
      return `${range} by ${count(loop.step)}: K3 = ${nest.k3} tiles`;
    case 3:
      return `${range} by ${count(loop.step)}: K2 = ${nest.k2} tiles`;
    default:
      return `${range} by ${loop.step}: one tile`;
  }
};

/** The path to draw, and its steps. */
interface Frames {
  readonly plan: ConvolutionPlan;
  readonly path: PlanPath;
  readonly steps: readonly (DrawnLoop | PackNode)[];
}

const drawLeaf = ({ leaf }: PlanPath, x: number, y: number, boxWidth: number): Drawn => {
  const { windows, filters, channels } = leaf.extents;
  if (leaf.kind === 'scalar') {
    return {
      svg: text(x, y + 18, `${count(windows)} windows × ${count(filters)} filters, not packed`),
      bottom: y + 26,
    };
  }
  return {
    svg:
      box(x, y, boxWidth, 30, { fill: colours.output, radius: 4 }) +
      text(
        x + 10,
        y + 20,
        `microkernel: ${windows} windows × ${filters} filters, ${count(channels)} channels`,
        { fill: colours.paper, bold: true },
      ),
    bottom: y + 30,
  };
};

const drawPack = (pack: PackNode, frames: Frames, x: number, y: number, boxWidth: number): Drawn => {
  const { plan, path } = frames;
  const { filterHeight, filterWidth, elementBytes } = plan.shape;
  const isInput = pack.operand === 'input';
  const { windows, filters, channels } = path.leaf.extents;
  const shape = [pack.tiles, channels, filterHeight, filterWidth, isInput ? windows : filters];
  const bytes = shape.reduce((product, extent) => product * extent, elementBytes);
  // The moving operand is packed further out, for the next cache.
  const isMoving = isInput === (plan.schedule === 'ws');
  const tiles = `${count(pack.tiles)} ${isInput ? 'input' : 'filter'} tile${pack.tiles === 1 ? '' : 's'}`;
  return {
    svg:
      box(x, y, boxWidth, 26, { fill: isInput ? colours.input : colours.filter, radius: 4 }) +
      text(x + 10, y + 17, `pack ${tiles} as ${shape.join(' × ')}`, { fill: colours.paper }) +
      text(x + boxWidth - 10, y + 17, `${size(bytes)}, stays in ${isMoving ? 'L2' : 'L1'}`, {
        anchor: 'end',
        fill: colours.paper,
      }),
    bottom: y + 26,
  };
};

/** A node and its contents: loops as nested boxes, a pack above its body. */
const drawNode = (frames: Frames, index: number, x: number, y: number, depth: number): Drawn => {
  const right = margin + nestWidth - depth * inset;
  const boxWidth = right - x;
  const step = frames.steps[index];
  if (step === undefined) return drawLeaf(frames.path, x, y, boxWidth);
  if ('kind' in step) {
    const pack = drawPack(step, frames, x, y, boxWidth);
    const served = drawNode(frames, index + 1, x, pack.bottom + 6, depth);
    return { svg: pack.svg + served.svg, bottom: served.bottom };
  }
  const inner = drawNode(frames, index + 1, x + inset, y + layerHeight, depth + 1);
  const bottom = inner.bottom + 12;
  const fill = shades[Math.min(depth, shades.length - 1)] ?? colours.paper;
  return {
    svg:
      box(x, y, boxWidth, bottom - y, { fill, stroke: colours.line, radius: 6 }) +
      text(x + 10, y + 20, step.layer === undefined ? '' : `${step.layer}`, { size: 14, bold: true }) +
      text(x + 30, y + 20, loopLabel(step, frames.path)) +
      text(right - 10, y + 20, `× ${count(step.loop.count)}`, { anchor: 'end', fill: colours.faint }) +
      inner.svg,
    bottom,
  };
};

/** The nest of the first part; the others as text. */
const drawNest = (plan: ConvolutionPlan): Drawn => {
  const paths = planPaths(plan.tree);
  const [first] = paths;
  const drawn = drawNode({ plan, path: first!, steps: drawnSteps(first!) }, 0, margin, nestTop, 0);
  const isEdge = (path: PlanPath): boolean => {
    const nest = slicingNest(path);
    const { windows, filters } = plan.microkernel;
    return nest?.microkernel.windows !== windows || nest.microkernel.filters !== filters;
  };
  const edges = paths.filter(isEdge).length;
  const others = paths.length - edges - 1;
  const notes = [
    first!.leaf.kind === 'scalar' ? 'smaller than one tile: no macro-kernel' : '',
    others > 0 ? `${others} more fragment${others === 1 ? '' : 's'} with the remainders of K2, K3, Nc` : '',
    edges > 0 && !isEdge(first!) ? edgeNote(edges, plan) : '',
  ].filter((note) => note !== '');
  const svg = drawn.svg + text(margin, drawn.bottom + 20, notes.join('; '), { fill: colours.faint });
  return { svg, bottom: drawn.bottom + 28 };
};

const edgeNote = (edges: number, { edgeKind }: ConvolutionPlan): string =>
  edgeKind === 'scalar'
    ? `${edges} edge${edges === 1 ? '' : 's'} of less than a tile`
    : `${edges} part${edges === 1 ? '' : 's'} with smaller microkernels`;

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

/** One chart: cycles over a parameter; logarithmic parameter axis, linear cycle axis that starts at the minimum. */
const drawChart = (title: string, curves: readonly CostCurve[], frame: Frame): string => {
  const points = curves.flatMap((curve) => curve.points);
  const values = points.map(({ value }) => value);
  const cycles = points.map((point) => point.cycles);
  const most = Math.max(...cycles);
  const least = Math.min(...cycles);
  const largest = Math.max(...values, 2);
  // A flat curve is centred, not drawn on an axis.
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

/** A plan's picture as an SVG document. `machine` is the one that the plan was made for. */
export const drawPlan = (plan: ConvolutionPlan, machine: MachineCaches): string => {
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
