import { describe, expect, it } from 'vitest';
import { inTurns, timeCalls } from '../../src/bench/in-turns.ts';

/** Sides that record their samples in a list. */
const noting = (names: readonly string[]) => {
  const samples: string[] = [];
  const sides = names.map((name) => ({
    call: () => undefined,
    before: () => {
      samples.push(name);
    },
  }));
  return { samples, sides };
};

describe('sides in turns', () => {
  it('begin each round with another one', async () => {
    const { samples, sides } = noting(['a', 'b', 'c']);
    await inTurns(sides, { samples: 4, sampleSeconds: 1e-6, warmUpSeconds: 0 });
    expect(samples.join('')).toBe('abcbcacababc');
  });
  it('have as many samples as asked for, of as many calls as were settled', async () => {
    const { sides } = noting(['a', 'b']);
    for (const { seconds, calls, leastSeconds } of await inTurns(sides, {
      samples: 3,
      sampleSeconds: 1e-4,
      warmUpSeconds: 0,
    })) {
      expect(seconds).toHaveLength(3);
      expect(calls).toBeGreaterThan(1);
      expect(leastSeconds).toBeLessThanOrEqual(Math.min(...seconds));
    }
  });
  it('are not repeated without end where a clock sees nothing', async () => {
    const { sides } = noting(['a']);
    const clock = (): number => 1;
    const [time] = await inTurns(sides, { samples: 1, sampleSeconds: 1e-4, warmUpSeconds: 0, clock });
    expect(time?.seconds).toEqual([0]);
    expect(time?.calls).toBeLessThan(2000);
  });
  it('end at a signal, with the rounds that are over', async () => {
    const controller = new AbortController();
    let calls = 0;
    const { sides } = noting(['a', 'b']);
    const interrupting = {
      call: () => undefined,
      before: () => {
        calls += 1;
        if (calls === 3) controller.abort();
      },
    };
    const times = await inTurns([...sides, interrupting], {
      samples: 9,
      sampleSeconds: 1e-6,
      warmUpSeconds: 0,
      signal: controller.signal,
    });
    // The third sample of the last side is the second of its round.
    expect(times.map(({ seconds }) => seconds.length)).toEqual([2, 2, 2]);
  });
});

it('a call that gives a promise is over when that is settled', async () => {
  const events: string[] = [];
  await timeCalls(async () => {
    events.push('begun');
    await Promise.resolve();
    events.push('over');
  }, 2);
  expect(events).toEqual(['begun', 'over', 'begun', 'over']);
});
