/** Tuning of planted code, for the scripts next to it. */
import { fileURLToPath } from 'node:url';
import { success } from '@sconv/diagnostics';
import { noRecords, startMeasurer, tuneWorkload } from '@sconv/tuning';

/** A plan that is told apart from others by its count. */
const planOf = (count) => ({
  kind: 'loop',
  dimension: 'windows',
  step: 1,
  count,
  body: { kind: 'scalar', extents: { batch: 1, group: 1, channels: 1, windows: 1, filters: 1 } },
});

export const plantedMeasurer = () =>
  startMeasurer({ file: fileURLToPath(new URL('planted-worker.mjs', import.meta.url)), setup: {} });

/** Tunes over code that takes so many rounds, beside the untuned code. */
export const tunePlanted = (rounds, untunedRounds, { measurer, known = new Map(), writer = noRecords }) => {
  const candidates = rounds.map((each, i) => ({ name: String(each), plan: planOf(i + 1) }));
  return tuneWorkload({
    key: { workload: 'planted', fingerprint: 'this machine', generator: 'none', protocol: '1 cold' },
    compile: async ({ name, plan }) => {
      const code = plan === null ? untunedRounds : Number(name);
      return success({ emitted: code, digest: name, seconds: 0 });
    },
    propose: (_, count) => candidates.splice(0, count),
    measurer,
    temperature: 'cold',
    operations: undefined,
    budget: { kind: 'candidates', count: rounds.length },
    known,
    writer,
  });
};
