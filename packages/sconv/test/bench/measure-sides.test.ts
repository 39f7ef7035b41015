import { expect, it } from 'vitest';
import { measureSides } from '../../src/bench/measure-sides.ts';

/** A side on a machine whose calls take as many seconds as the sample says; the first before any sample take one. */
const measured = (secondsOf: (sample: number) => number) => {
  let now = 0;
  let sample = 0;
  const call = () => {
    now += secondsOf(sample);
  };
  const peak = () => {
    sample += 1;
    return 1;
  };
  return measureSides([{ name: 'ours', mix: 'madd', prepared: { call } }], 'ours', undefined, {
    samples: 3,
    sampleSeconds: 1,
    warmUpSeconds: 0,
    clock: () => now,
    peaks: { 'mul+add': peak, madd: peak },
  }).then((sides) => ({ seconds: sides?.[0]?.seconds.median, samples: sample }));
};

it('is enough to measure once on a quiet machine', async () => {
  expect(await measured(() => 1)).toEqual({ seconds: 1, samples: 3 });
});

it('is measured again after a disturbance', async () => {
  expect(await measured((sample) => (sample >= 1 && sample <= 3 ? 2 : 1))).toEqual({
    seconds: 1,
    samples: 6,
  });
});

it('is measured three times at most, and the least disturbed attempt counts', async () => {
  const seconds = [1, 4, 4, 4, 2, 2, 2, 3, 3, 3];
  expect(await measured((sample) => seconds[sample]!)).toEqual({ seconds: 2, samples: 9 });
});
