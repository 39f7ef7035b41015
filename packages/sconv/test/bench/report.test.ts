import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/bench/report.ts';
import { jsonReport, markdownReport, textReport } from '../../src/bench/report.ts';
import { rowOf, sideOf } from './rows.ts';

const report: Report = {
  conditions: {
    date: '2026-01-31',
    cpu: 'a CPU',
    cores: 2,
    node: '20.1.0',
    v8: '11.3',
    sides: [
      { name: 'sconv', version: '1.2.3' },
      { name: 'peer', version: '4.5.6' },
    ],
    missing: [{ name: 'other', reason: 'not installed' }],
    clock: 'wall',
    samples: 3,
    padding: 'included',
  },
  groups: [
    {
      set: 'a-set',
      filters: 'bound',
      rows: [
        rowOf(
          [
            sideOf('sconv', { how: 'IS 16x4', seconds: 2e-3, gflops: 40, peakShare: 0.8 }),
            sideOf('peer', { seconds: 4e-3, gflops: 20, peakShare: 0.4, ratio: 2 }),
          ],
          { name: 'first' },
        ),
        rowOf(
          [
            sideOf('sconv', {
              how: 'WS 8x4',
              seconds: 5e-6,
              gflops: 10,
              peakShare: 0.2,
              bandwidthShare: 0.5,
            }),
          ],
          { name: 'second', flopPerByte: 1.5, failed: [{ name: 'peer', reason: 'no room' }] },
        ),
      ],
    },
  ],
  interrupted: false,
};

describe('the report', () => {
  it('is a table for a person', () => {
    expect(textReport(report)).toMatchInlineSnapshot(`
      "2026-01-31, a CPU, 2 cores, Node 20.1.0, V8 11.3, one thread
      sconv 1.2.3, peer 4.5.6
      without other: not installed
      medians of 3 samples a side, in turns, with quartiles; ratios are of times, round by round; padding included in the input

      a-set, filters bound
      name            shape            MFLOP  flop per byte  plan     sconv          GFLOP/s  of peak        peer / sconv
      first           1x2x8x8,4x2x3x3  2.00   12.5           IS 16x4  2.00 ms ±10 %  40.0     0.80           2.00 (1.80-2.20)
      second          1x2x8x8,4x2x3x3  2.00   1.50           WS 8x4   5.00 µs ±10 %  10.0     0.20, bw 0.50  -
      geometric mean  2 rows                                                         20.0     0.40           2.00
      sconv is 2.00 times as fast as peer (geometric mean), at least 2.00; slower on 0 of 1
      peer failed on 1x2x8x8,4x2x3x3: no room
      "
    `);
  });
  it('is Markdown for a page', () => {
    expect(markdownReport(report)).toMatchInlineSnapshot(`
      "# Figures of \`sconv bench\`

      - 2026-01-31, a CPU, 2 cores, Node 20.1.0, V8 11.3, one thread
      - sconv 1.2.3, peer 4.5.6
      - without other: not installed
      - medians of 3 samples a side, in turns, with quartiles; ratios are of times, round by round; padding included in the input

      ## a-set, filters bound

      | name | shape | MFLOP | flop per byte | plan | sconv | GFLOP/s | of peak | peer / sconv |
      | --- | --- | --- | --- | --- | --- | --- | --- | --- |
      | first | 1x2x8x8,4x2x3x3 | 2.00 | 12.5 | IS 16x4 | 2.00 ms ±10 % | 40.0 | 0.80 | 2.00 (1.80-2.20) |
      | second | 1x2x8x8,4x2x3x3 | 2.00 | 1.50 | WS 8x4 | 5.00 µs ±10 % | 10.0 | 0.20, bw 0.50 | - |
      | geometric mean | 2 rows |  |  |  |  | 20.0 | 0.40 | 2.00 |

      - sconv is 2.00 times as fast as peer (geometric mean), at least 2.00; slower on 0 of 1
      - peer failed on 1x2x8x8,4x2x3x3: no room
      "
    `);
  });
  it('has ours first, where it failed on the first row too', () => {
    const rows = [
      rowOf([sideOf('peer', {})], { failed: [{ name: 'sconv', reason: 'no code' }] }),
      rowOf([sideOf('sconv', { how: 'IS 16x4' }), sideOf('peer', { ratio: 3 })]),
    ];
    const text = textReport({ ...report, groups: [{ set: '', filters: 'bound', rows }] });
    expect(text).toMatch(/ sconv +GFLOP\/s +of peak +peer \/ sconv$/m);
    expect(text).toContain(
      'sconv is 3.00 times as fast as peer (geometric mean), at least 3.00; slower on 0 of 1',
    );
  });
  it('marks what was disturbed', () => {
    const rows = [
      rowOf([sideOf('sconv', { how: 'IS 16x4' }), sideOf('peer', { ratio: 3, leastSeconds: 5e-4 })]),
    ];
    const text = textReport({ ...report, groups: [{ set: '', filters: 'bound', rows }] });
    expect(text).toMatch(/^! marks a side that was disturbed/m);
    expect(text).toMatch(/ 1\.00 ms ±10 % .* 3\.00 \(2\.70-3\.30\) !$/m);
    expect(textReport(report)).not.toContain('!');
  });
  it('says that it was interrupted', () => {
    expect(textReport({ ...report, interrupted: true })).toMatch(/^Interrupted/);
  });
  it('is JSON with the means of each side', () => {
    expect(JSON.parse(jsonReport(report))).toMatchObject({
      version: 1,
      interrupted: false,
      groups: [
        {
          set: 'a-set',
          filters: 'bound',
          means: [
            { name: 'sconv', rows: 2, ratio: null },
            { name: 'peer', rows: 1, leastRatio: 2, slowerRows: 0 },
          ],
          rows: [
            { name: 'first', shape: { text: '1x2x8x8,4x2x3x3' }, threads: 1, failed: [] },
            { name: 'second', failed: [{ name: 'peer', reason: 'no room' }] },
          ],
        },
      ],
      diagnostics: [],
    });
  });
});
