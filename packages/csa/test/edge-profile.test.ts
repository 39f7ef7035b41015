import { expect, it } from 'vitest';
import { edgeProfile } from '../src/edge-profile.ts';
import { parseShape, slice } from '../src/index.ts';
import type { Span } from '../src/slicing-nest.ts';

/** 2 channels of 4x6, 5 filters of 1x1: 24 windows, of which 16 B lines hold four elements. */
const sliced = slice(parseShape('1x2x4x6,5x2x1x1'), { windows: 8, filters: 4 });
const profileOf = (windows: Span, filters: Span) =>
  edgeProfile(sliced, { channels: { from: 0, to: 2 }, windows, filters }, 100, 16);

it('tells what the last filter reads and writes', () => {
  expect(profileOf({ from: 0, to: 24 }, { from: 4, to: 5 })).toMatchInlineSnapshot(`
    {
      "accesses": 144,
      "reuses": [
        {
          "from": 4,
          "strided": [
            {
              "lines": 2,
              "run": 1,
              "stride": 96,
            },
          ],
          "to": 4,
          "touches": 23,
        },
        {
          "from": 4,
          "own": {
            "lines": 2,
            "run": 1,
            "stride": 96,
          },
          "to": 4,
          "touches": 30,
        },
        {
          "from": 5.5,
          "to": 5.5,
          "touches": 6,
        },
        {
          "from": 19,
          "own": {
            "lines": 12,
            "run": 6,
            "stride": 96,
          },
          "to": 19,
          "touches": 0,
        },
        {
          "from": 100,
          "to": 119,
          "touches": 12,
        },
        {
          "from": Infinity,
          "to": Infinity,
          "touches": 1,
        },
        {
          "from": Infinity,
          "to": Infinity,
          "touches": 6,
        },
      ],
    }
  `);
});

it('tells what the last windows read and write', () => {
  expect(profileOf({ from: 16, to: 24 }, { from: 0, to: 4 })).toMatchInlineSnapshot(`
    {
      "accesses": 192,
      "reuses": [
        {
          "from": 4,
          "strided": [
            {
              "lines": 2,
              "run": 1,
              "stride": 96,
            },
          ],
          "to": 4,
          "touches": 28,
        },
        {
          "from": 4,
          "own": {
            "lines": 2,
            "run": 1,
            "stride": 96,
          },
          "to": 4,
          "touches": 40,
        },
        {
          "from": 5.5,
          "to": 5.5,
          "touches": 0,
        },
        {
          "from": 9,
          "own": {
            "lines": 6,
            "run": 3,
            "stride": 96,
          },
          "to": 9,
          "touches": 18,
        },
        {
          "from": Infinity,
          "to": Infinity,
          "touches": 6,
        },
        {
          "from": 100,
          "to": 109,
          "touches": 4,
        },
        {
          "from": Infinity,
          "to": Infinity,
          "touches": 8,
        },
      ],
    }
  `);
});
