/** The iterations of loop nests as a picture: points, their tiles, and arrows to what depends on them. */
import { arrow, box, colours, document, dot, text } from '@sconv/csa/svg';
import type { Int } from '@sconv/presburger';
import { lexmin, pairs, points, toSet } from '@sconv/presburger';
import type { Dependence, Legality, Statement } from '@sconv/presburger/dependences';

const margin = 40;
/** Between two iterations, and between two nests, in pixels. */
const step = 24;
const gap = 48;
/** Iterations of a nest, and dependences between two, that a picture has. */
const mostPoints = 4096;

type Page = readonly [x: number, y: number];

/** What a picture is drawn from. */
export interface NestPicture {
  readonly statements: readonly Statement[];
  readonly dependences: readonly Dependence[];
  /** Sizes of tiles, 0 for none. */
  readonly tile: readonly number[];
  readonly legality: Legality | undefined;
}

/** Why there is no picture. */
export interface NoPicture {
  readonly why: string;
}

const dependenceColours = { flow: colours.input, anti: colours.filter, output: colours.output } as const;

/** One nest: its iterations, and where they are on the page. */
interface Panel {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly at: (point: readonly Int[]) => Page;
}

/**
 * The picture as an SVG document, the outer loop to the right, the inner one upwards; of each iteration an arrow leads
 * to the first that depends on it. Only nests of one or two loops, with numbers as bounds, have one. Errors:
 * `PresburgerError`s of unbounded sets, and of those with more than 4,096 points.
 */
export const drawNests = ({ statements, dependences, tile, legality }: NestPicture): string | NoPicture => {
  const domains = statements.map(({ domain }) => toSet(domain));
  if (domains.some(({ space }) => space.dims.length < 1 || space.dims.length > 2))
    return { why: 'a picture has nests of one or two loops' };
  const symbols = [...new Set(domains.flatMap(({ space }) => space.symbols))];
  if (symbols.length > 0) return { why: `a picture needs numbers for ${symbols.join(', ')}` };
  const panels: Panel[] = [];
  let left = margin;
  for (const domain of domains) {
    const panel = drawDomain(points(domain, mostPoints), domain.space.dims, tile, left);
    panels.push(panel);
    left += panel.width + gap;
  }
  const arrows = dependences.flatMap(({ kind, source, target, pairs: all }) => {
    const length = all.space.inputs.length;
    return points(pairs(lexmin(all)), mostPoints).map((pair) =>
      arrowBetween(
        panels[source]!.at(pair.slice(0, length)),
        panels[target]!.at(pair.slice(length)),
        dependenceColours[kind],
      ),
    );
  });
  const wrong =
    legality?.legal === false
      ? arrowBetween(
          panels[legality.dependence.source]!.at(legality.source),
          panels[legality.dependence.target]!.at(legality.target),
          colours.ws,
        )
      : '';
  const height = Math.max(...panels.map((panel) => panel.height));
  const key = Object.entries(dependenceColours)
    .map(([kind, fill], i) => text(margin + 64 * i, height + 24, kind, { fill, size: 11 }))
    .join('');
  const broken =
    wrong === '' ? '' : text(margin + 192, height + 24, 'broken', { fill: colours.ws, size: 11 });
  const body = panels.map(({ svg }) => svg).join('') + arrows.join('') + wrong + key + broken;
  return document(Math.max(left - gap + margin, 320), height + margin, body, 'iterations and dependences');
};

/** From one dot to the other. */
const arrowBetween = ([x1, y1]: Page, [x2, y2]: Page, stroke: string): string => {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(4 * (x2 - x1)) / length, (4 * (y2 - y1)) / length];
  return arrow(x1 + dx, y1 + dy, x2 - dx, y2 - dy, stroke);
};

/** The ends of a tile within the nest; of a loop without tiles, all of it. */
const tileEdges = (tile: string, size: number, first: number, last: number): readonly [number, number] =>
  tile === ''
    ? [first, last]
    : [Math.max(first, Number(tile) * size), Math.min(last, Number(tile) * size + size - 1)];

const drawDomain = (
  iterations: readonly (readonly Int[])[],
  [across = '', upwards]: readonly string[],
  [wide = 0, high = 0]: readonly number[],
  left: number,
): Panel => {
  const places = iterations.map(([x = 0, y = 0]): Page => [Number(x), Number(y)]);
  const edges = (of: readonly number[]) =>
    of.length === 0 ? ([0, 0] as const) : ([Math.min(...of), Math.max(...of)] as const);
  const [firstX, lastX] = edges(places.map(([x]) => x));
  const [firstY, lastY] = edges(places.map(([, y]) => y));
  const [width, height] = [(lastX - firstX) * step, (lastY - firstY) * step];
  const onPage = (x: number, y: number): Page => [
    left + (x - firstX) * step,
    margin + height - (y - firstY) * step,
  ];
  const tiles = new Set(
    places.map(([x, y]) => `${wide > 0 ? Math.floor(x / wide) : ''},${high > 0 ? Math.floor(y / high) : ''}`),
  );
  const isTiled = wide > 0 || high > 0;
  const outlines = [...(isTiled ? tiles : [])].map((tile) => {
    const [tileX = '', tileY = ''] = tile.split(',');
    const [x, right] = tileEdges(tileX, wide, firstX, lastX);
    const [y, top] = tileEdges(tileY, high, firstY, lastY);
    const [x1, y1] = onPage(x - 0.4, top + 0.4);
    const [x2, y2] = onPage(right + 0.4, y - 0.4);
    return box(x1, y1, x2 - x1, y2 - y1, { stroke: colours.line, fill: '#f5f7fa', radius: 4 });
  });
  const dots = places.map(([x, y]) => dot(...onPage(x, y), 3, colours.ink));
  const faint = { fill: colours.faint, size: 11 } as const;
  const below = margin + height + 18;
  const labels =
    text(left, below, String(firstX), { ...faint, anchor: 'middle' }) +
    text(left + width, below, String(lastX), { ...faint, anchor: 'middle' }) +
    text(left + width + 14, margin + height + 4, across, faint) +
    (upwards === undefined
      ? ''
      : text(left - 12, margin + height + 4, String(firstY), { ...faint, anchor: 'end' }) +
        text(left - 12, margin + 4, String(lastY), { ...faint, anchor: 'end' }) +
        text(left, margin - 16, upwards, { ...faint, anchor: 'middle' }));
  return {
    svg: outlines.join('') + dots.join('') + labels,
    width: width + 24,
    height: height + margin + step,
    at: ([x = 0, y = 0]) => onPage(Number(x), Number(y)),
  };
};
