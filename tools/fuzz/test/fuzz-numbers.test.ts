/** Numbers near the ends of words and doubles are exact, or refused. */
import { expect, it } from 'vitest';
import { addCampaigns, noCampaign } from '../src/campaign.ts';
import { fuzzNumbers } from '../src/fuzz-numbers.ts';

it('no number throws, prints what does not parse, or changes what is computed', () => {
  const { faults, statistics } = Array.from({ length: 400 }, (_, index) => fuzzNumbers(1, index)).reduce(
    addCampaigns,
    noCampaign,
  );
  expect(faults.map(({ fault }) => fault)).toEqual([]);
  const steps = Object.values(statistics.steps);
  expect(steps.length).toBeGreaterThan(60);
  expect(steps.reduce((sum, { applied }) => sum + applied, 0)).toBeGreaterThan(80);
});
