import { describe, expect, it } from 'vitest';
import type { Subject } from '../src/index.ts';
import { copiesFor, temperatures, timeSubject } from '../src/index.ts';
import { whyNot } from '../src/measure-block.ts';

/** Code that computes one element, the first `working` times that it is called; each call takes a second. */
const subject = (working: number) => {
  let now = 0;
  let calls = 0;
  const results = [0, 0];
  const code: Subject = {
    copies: results.length,
    call: (copy) => {
      now += 1;
      calls += 1;
      if (calls <= working) results[copy] = 1;
    },
    reset: (copy) => {
      results[copy] = 0;
    },
    wrong: (copy) => ({ wrong: results[copy] === 1 ? 0 : 1, elements: 1 }),
    output: (copy) => results[copy],
    dispose: () => undefined,
  };
  return { code, clock: () => now };
};

describe.each(temperatures)('%s runs', (temperature) => {
  const timed = (working: number) => {
    const { code, clock } = subject(working);
    return timeSubject(code, { temperature, runs: 3, clock, flush: () => undefined });
  };

  it('take what calls take, and look at what they leave', async () => {
    expect(await timed(Infinity)).toMatchObject({ seconds: [1, 1, 1], calls: 1, wrong: 0 });
  });

  it('find out code that has stopped to compute', async () => {
    // One call to warm up, and one on each copy.
    expect((await timed(3)).wrong).toBe(1);
  });
});

it('cold runs have as many copies as two caches hold, from 2 to 20', () => {
  const bytes = [1, 999, 1000, 3000, 100_000];
  expect(bytes.map((each) => copiesFor('cold', each, 10_000))).toEqual([20, 20, 20, 7, 2]);
  expect(copiesFor('warm', 1, 10_000)).toBe(1);
});

it('what takes too long is told with the time that it had', () => {
  expect(whyNot({ kind: 'late', limit: 1.25, elapsed: 2 })).toBe('it takes more than 1.3 s');
});
