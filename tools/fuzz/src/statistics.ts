/** The counters of a fuzzing run; those of several workers are added. */
import type { Distribution } from './distribution.ts';
import type { PayloadResult, StepRecord } from './fuzz-payload.ts';

/** How often something was drawn, and how often it applied. */
export interface Drawn {
  readonly drawn: number;
  readonly applied: number;
}

export interface Statistics {
  readonly payloads: number;
  /** Ops of schedules, including those in bodies, by transform. */
  readonly steps: Readonly<Record<string, Drawn>>;
  /** Refused steps by failure code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Payloads that did not run on WebAssembly, by refusal code. */
  readonly notOnWasm: Readonly<Record<string, number>>;
  /** Payloads by feature. */
  readonly features: Readonly<Record<string, number>>;
}

export const noStatistics: Statistics = { payloads: 0, steps: {}, refused: {}, notOnWasm: {}, features: {} };

type Counts = Readonly<Record<string, number>>;

const counts = (keys: readonly string[]): Counts => {
  const result: Record<string, number> = {};
  for (const key of keys) result[key] = (result[key] ?? 0) + 1;
  return result;
};

const sum = (a: Counts, b: Counts): Counts => {
  const result: Record<string, number> = { ...a };
  for (const [key, count] of Object.entries(b)) result[key] = (result[key] ?? 0) + count;
  return result;
};

/** A step and the steps of its body, by transform. */
const stepNames = ({ step }: Pick<StepRecord, 'step'>): readonly string[] => [
  step.transform,
  ...(step.parameter === undefined ? [] : ['transform.param.constant']),
  ...(step.body?.steps ?? []).flatMap((inner) => stepNames({ step: inner })),
];

const stepCounts = (records: readonly StepRecord[]): Statistics['steps'] => {
  const drawn = counts(records.flatMap(stepNames));
  const applied = counts(records.filter(({ status }) => status === 'applied').flatMap(stepNames));
  return Object.fromEntries(
    Object.entries(drawn).map(([name, count]) => [name, { drawn: count, applied: applied[name] ?? 0 }]),
  );
};

/** The counts of one payload. */
export const statisticsOf = <P>(
  { payload, records, notOnWasm }: PayloadResult<P>,
  { features }: Distribution<P>,
): Statistics => ({
  payloads: 1,
  steps: stepCounts(records),
  refused: counts(records.flatMap(({ codes }) => codes.slice(0, 1))),
  notOnWasm: counts(notOnWasm === undefined ? [] : [notOnWasm]),
  features: counts(features(payload)),
});

export const addStatistics = (a: Statistics, b: Statistics): Statistics => {
  const steps: Record<string, Drawn> = { ...a.steps };
  for (const [name, { drawn, applied }] of Object.entries(b.steps)) {
    const before = steps[name] ?? { drawn: 0, applied: 0 };
    steps[name] = { drawn: before.drawn + drawn, applied: before.applied + applied };
  }
  return {
    payloads: a.payloads + b.payloads,
    steps,
    refused: sum(a.refused, b.refused),
    notOnWasm: sum(a.notOnWasm, b.notOnWasm),
    features: sum(a.features, b.features),
  };
};

/** Total over all steps. */
export const totalSteps = ({ steps }: Statistics): Drawn =>
  Object.values(steps).reduce(
    (total, { drawn, applied }) => ({ drawn: total.drawn + drawn, applied: total.applied + applied }),
    { drawn: 0, applied: 0 },
  );
