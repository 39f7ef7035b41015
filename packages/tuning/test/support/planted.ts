/** A machine whose code takes the times that it says, and a session to tune on it. */
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type {
  Asked,
  Candidate,
  CompiledCode,
  Measurer,
  Outcome,
  Tuning,
  TuningRecord,
} from '../../src/index.ts';

/** A plan of one window after another: `count` of them tells plans apart. */
export const planOf = (count: number): NonNullable<Candidate['plan']> => ({
  kind: 'loop',
  dimension: 'windows',
  step: 1,
  count,
  body: { kind: 'scalar', extents: { batch: 1, group: 1, channels: 1, windows: 1, filters: 1 } },
});

export const candidate = (name: string, count: number): Candidate => ({ name, plan: planOf(count) });

/** What a process does with code: seconds of a call, or another outcome. */
export type Planted = number | Outcome;

export const outcome = (seconds: number, runs = 20): Outcome => ({
  kind: 'measured',
  seconds: Array<number>(runs).fill(seconds),
  calls: 1,
  framework: 0,
  validation: 0,
  elapsed: 1000,
});

/** Answers by the name of the code; the `turn`-th answer of each is that of its list, the last one from then on. */
export const plantedMeasurer = (
  planted: Readonly<Record<string, Planted | readonly Planted[]>>,
  peaks: readonly number[] = [1e9],
): Measurer & { readonly asked: readonly string[]; readonly renewals: () => number } => {
  const asked: string[] = [];
  let renewals = 0;
  let peak = 0;
  return {
    core: undefined,
    asked,
    renewals: () => renewals,
    renew: () => {
      renewals += 1;
    },
    close: () => undefined,
    ask: (question: Asked): Promise<Outcome> => {
      if (question.kind === 'peak') {
        peak += 1;
        return Promise.resolve({
          kind: 'peak',
          peak: peaks[Math.min(peak, peaks.length) - 1],
          elapsed: 0,
        });
      }
      const name = question.emitted as string;
      const turn = asked.filter((each) => each === name).length;
      asked.push(name);
      const given = planted[name]!;
      const answers = Array.isArray(given) ? (given as readonly Planted[]) : [given as Planted];
      const answer = answers[Math.min(turn, answers.length - 1)]!;
      const runs = question.kind === 'measure' ? question.runs : 1;
      return Promise.resolve(typeof answer === 'number' ? outcome(answer, runs) : answer);
    },
  };
};

export const key = { workload: 'w', fingerprint: 'f', generator: 'g', protocol: '1 cold' } as const;

/** A session with candidates whose code is their name, and the records that it writes. */
export const session = (
  candidates: readonly Candidate[],
  measurer: Measurer,
  others: Partial<Tuning> = {},
): Tuning & { readonly written: TuningRecord[] } => {
  const waiting = [...candidates];
  const written: TuningRecord[] = [];
  return {
    key,
    compile: ({ name }): Promise<Diagnosed<CompiledCode>> =>
      Promise.resolve(success({ emitted: name, digest: name, seconds: 0 })),
    propose: (_, count) => waiting.splice(0, count),
    measurer,
    temperature: 'cold',
    operations: undefined,
    budget: { kind: 'candidates', count: 100 },
    known: new Map(),
    writer: {
      add: (records) => {
        written.push(...records);
        return success(undefined);
      },
      close: () => undefined,
    },
    written,
    ...others,
  };
};
