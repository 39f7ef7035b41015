/** Tuning of planted code, for the scripts next to it. */
import { setTimeout } from 'node:timers/promises';
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

/** Answers at once what the process would have measured, if a round took a nanosecond. */
export const simulatedMeasurer = () => ({
  core: undefined,
  ask: async (question) => {
    await setTimeout(1);
    if (question.kind === 'peak') return { kind: 'peak', peak: undefined, elapsed: 0 };
    const seconds = Array(question.runs).fill(question.emitted * 1e-9);
    return { kind: 'measured', seconds, calls: 1, framework: 0, validation: 0, elapsed: 1 };
  },
  renew: () => undefined,
  close: () => undefined,
});

/** Tunes over code that takes so many rounds, beside the untuned code. */
export const tunePlanted = (rounds, untunedRounds, { workload = 'planted', ...others }) => {
  const candidates = rounds.map((each, i) => ({ name: String(each), plan: planOf(i + 1) }));
  return tuneWorkload({
    key: { workload, fingerprint: 'this machine', generator: 'none', protocol: '1 cold' },
    compile: async ({ name, plan }) => {
      const code = plan === null ? untunedRounds : Number(name);
      return success({ emitted: code, digest: name, seconds: 0 });
    },
    propose: (_, count) => candidates.splice(0, count),
    temperature: 'cold',
    operations: undefined,
    budget: { kind: 'candidates', count: rounds.length },
    known: new Map(),
    writer: noRecords,
    ...others,
  });
};
