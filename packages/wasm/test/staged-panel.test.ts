import { describe, expect, it } from 'vitest';
import type { Panel } from '../src/staged-panel.ts';
import { gatherRows, stagePanel } from '../src/staged-panel.ts';

/** The source words of a panel, in its order. */
const wordsOf = ({ lanes, laneStride, dimensions }: Panel): readonly number[] => {
  const [dimension, ...rest] = dimensions;
  const starts =
    dimension === undefined
      ? Array.from({ length: lanes }, (_, lane) => [(lane * laneStride) / 4])
      : Array.from({ length: dimension.extent }, (_, i) =>
          wordsOf({ lanes, laneStride, dimensions: rest }).map((word) => word + (i * dimension.stride) / 4),
        );
  return starts.flat();
};

const panels: readonly (readonly [string, Panel, number])[] = [
  [
    'all channels of filters',
    {
      lanes: 8,
      laneStride: 720,
      dimensions: [
        { extent: 20, stride: 36 },
        { extent: 3, stride: 12 },
        { extent: 3, stride: 4 },
      ],
    },
    5760,
  ],
  ['some channels of filters', { lanes: 8, laneStride: 7200, dimensions: [{ extent: 90, stride: 4 }] }, 360],
  ['every ninth word', { lanes: 4, laneStride: 3600, dimensions: [{ extent: 100, stride: 36 }] }, 4],
  ['every second word', { lanes: 4, laneStride: 3600, dimensions: [{ extent: 100, stride: 8 }] }, 796],
  ['columns of a matrix', { lanes: 16, laneStride: 4, dimensions: [{ extent: 50, stride: 4000 }] }, 64],
  ['one lane', { lanes: 1, laneStride: 4, dimensions: [{ extent: 70, stride: 400 }] }, 4],
  ['one word', { lanes: 1, laneStride: 4, dimensions: [] }, 4],
  ['windows that overlap', { lanes: 5, laneStride: 4, dimensions: [{ extent: 3, stride: 4 }] }, 28],
  ['a word for all lanes', { lanes: 4, laneStride: 0, dimensions: [{ extent: 3, stride: 40 }] }, 84],
];

describe('a panel that is gathered', () => {
  it.each(panels)('%s', (_name, panel, rowBytes) => {
    const { rows, panel: staged } = stagePanel(panel);
    expect(rows.rowBytes).toBe(rowBytes);
    const source = Int32Array.from({ length: 100_000 }, (_, i) => i);
    const place = new Int32Array(rows.bytes / 4 + 1).fill(-1);
    gatherRows(rows, source, 7, place, 0);
    expect(place.at(-1)).toBe(-1);
    expect(wordsOf(staged).map((word) => place[word])).toEqual(wordsOf(panel).map((word) => word + 7));
  });

  it('has long rows in different sets of a cache', () => {
    const { rows } = stagePanel({ lanes: 16, laneStride: 4096, dimensions: [{ extent: 1024, stride: 4 }] });
    expect(rows).toEqual({
      loops: [{ extent: 16, stride: 4096 }],
      rowBytes: 4096,
      pitch: 4160,
      bytes: 66_560,
    });
  });
});
