import { expect, it } from 'vitest';
import type { FoundFault } from '../src/campaign.ts';
import { noCampaign, runEach } from '../src/campaign.ts';
import { progressOn } from '../src/progress.ts';

const found: FoundFault = {
  seed: 7,
  index: 3,
  times: 1,
  fault: { kind: 'result', transform: 'transform.structured.pad', message: 'why' },
  payload: '',
  dynamicSizes: [],
  script: '',
};

/** What is written, in which a `\r` begins a line anew. */
const written = (
  isTTY: boolean,
  use: (...steps: readonly [ReturnType<typeof progressOn>, (s: number) => void]) => void,
) => {
  let [text, at] = ['', 0];
  const screen = { isTTY, write: (more: string) => (text += more.replaceAll('\u001b[K', '')) };
  const progress = progressOn(screen, 400, () => at);
  use(progress, (seconds) => (at = seconds * 1000));
  return text;
};

it('a terminal shows how far a run is, and each fault', () => {
  const text = written(true, (progress, wait) => {
    wait(10);
    progress.done();
    wait(20);
    progress.done(99);
    progress.fault({ ...found, path: 'fuzz-faults/00-result' });
    wait(40);
    progress.done(200);
    progress.end();
  });
  expect(text.split('\r')).toEqual([
    '',
    '1 of 400 payloads, 0 faults, 67 min left',
    '100 of 400 payloads, 0 faults, 1 min left',
    'result at transform.structured.pad in payload 3 of seed 7: fuzz-faults/00-result\n',
    '100 of 400 payloads, 1 fault, 1 min left',
    '300 of 400 payloads, 1 fault, 14 s left',
    '',
  ]);
});

it('what is no terminal shows nothing', () => {
  const text = written(false, (progress) => {
    progress.done();
    progress.fault(found);
    progress.end();
  });
  expect(text).toBe('');
});

it('faults are told as they are found, each kind once', () => {
  const told: string[] = [];
  const { faults } = runEach(
    { seed: 7, from: 0, to: 4 },
    {
      onPayload: (index) => told.push(`payload ${index}`),
      onFault: ({ index }) => told.push(`fault of ${index}`),
    },
    (index, isKnown) => {
      if (isKnown(found.fault)) told.push('known');
      return index === 0 ? noCampaign : { ...noCampaign, faults: [{ ...found, index }] };
    },
  );
  expect(told).toEqual(['payload 0', 'payload 1', 'fault of 1', 'payload 2', 'known', 'payload 3', 'known']);
  expect(faults).toMatchObject([{ index: 1, times: 3 }]);
});
