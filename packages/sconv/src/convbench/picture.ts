/** The picture of records: the speed of each dataset's rows (as in ST Figure 5), compared with the cost model. */
import { colours, document, dot, polyline, text } from '@sconv/csa/svg';
import type { Point } from '../plot-frame.ts';
import { frame, margin, plot } from '../plot-frame.ts';
import type { Entry } from './records.ts';
import { datasetOf } from './summary.ts';

const palette = [colours.input, colours.filter, colours.output, colours.ws] as const;

/** Shares of the peak, or GFLOP/s without one, of each dataset's rows, sorted from slowest to fastest. */
const drawSpeeds = (left: number, datasets: readonly (readonly [string, readonly Entry[]])[]): string => {
  const all = datasets.flatMap(([, entries]) => entries);
  const hasPeak = all.some(({ peakShare }) => peakShare !== undefined);
  const speedOf = ({ peakShare, gflops }: Entry): number | undefined => (hasPeak ? peakShare : gflops);
  const greatest = hasPeak ? 1 : Math.max(1, ...all.map((entry) => speedOf(entry) ?? 0));
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const { svg: axes, at } = frame(
    left,
    hasPeak
      ? 'share of the peak, rows from the slowest to the fastest'
      : 'GFLOP/s, rows from the slowest to the fastest',
    ticks.map((part) => `${100 * part} %`),
    ticks.map((part) => (part * greatest).toPrecision(2)),
  );
  let svg = axes;
  datasets.forEach(([dataset, entries], i) => {
    const speeds = entries.flatMap((entry) => speedOf(entry) ?? []).sort((a, b) => a - b);
    const colour = palette[i % palette.length]!;
    // As many points as can be distinguished.
    const points = Array.from(
      { length: Math.min(200, speeds.length) },
      (_, step, count = Math.min(200, speeds.length)) => {
        const part = count === 1 ? 0 : step / (count - 1);
        return at(part, Math.min(1, speeds[Math.round(part * (speeds.length - 1))]! / greatest));
      },
    );
    svg += polyline(points, colour);
    svg += text(left + 10 + i * 100, margin - 8, dataset, { size: 11, fill: colour });
  });
  return svg;
};

/** Measured times over predicted cycles, both from 10^a to 10^b. */
const drawPredictions = (
  left: number,
  datasets: readonly (readonly [string, readonly Entry[]])[],
): string => {
  const pairsOf = (entries: readonly Entry[]): readonly Point[] =>
    entries.flatMap(({ predictedCycles, seconds }) =>
      predictedCycles === undefined || seconds === undefined || predictedCycles <= 0
        ? []
        : [[Math.log10(predictedCycles), Math.log10(seconds * 1e6)] as const],
    );
  const all = datasets.flatMap(([, entries]) => pairsOf(entries));
  const range = (axis: 0 | 1): readonly [number, number] => {
    const values = all.map((pair) => pair[axis]);
    const low = Math.floor(Math.min(...values));
    return [low, Math.max(low + 1, Math.ceil(Math.max(...values)))];
  };
  const [[x0, x1], [y0, y1]] = [range(0), range(1)];
  const decades = (from: number, to: number): readonly string[] =>
    Array.from({ length: to - from + 1 }, (_, i) => `1e${from + i}`);
  const { svg: axes, at } = frame(
    left,
    'µs of a call against predicted cycles',
    decades(x0, x1),
    decades(y0, y1),
  );
  let svg = axes;
  datasets.forEach(([, entries], i) => {
    for (const [x, y] of pairsOf(entries))
      svg += dot(...at((x - x0) / (x1 - x0), (y - y0) / (y1 - y0)), 1.2, palette[i % palette.length]!);
  });
  return svg;
};

/** Both plots side by side, of the timed rows; each convolution once. */
export const drawRecords = (entries: readonly Entry[]): string => {
  const timed = [...new Map(entries.map((entry) => [entry.shape, entry])).values()].filter(
    ({ seconds }) => seconds !== undefined,
  );
  const names = [...new Set(timed.map(datasetOf))];
  const datasets = names.map((name) => [name, timed.filter((entry) => datasetOf(entry) === name)] as const);
  const second = 2 * margin + plot.width + 24;
  const body =
    timed.length === 0
      ? text(margin, margin, 'nothing was timed')
      : drawSpeeds(margin, datasets) + drawPredictions(second, datasets);
  return document(second + plot.width + margin, plot.height + 2 * margin, body, 'sconv convbench');
};
