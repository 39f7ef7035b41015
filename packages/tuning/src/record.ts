/**
 * What is known of a plan, measured or not: a line of JSON with the field names of Kernel Tuner's T4 schema for
 * results, and what tells records apart.
 */
import type { AnyPlan } from '@sconv/plans';

/** The stages of measuring: each is of fewer candidates, and more exact. */
export const stages = ['screen', 'confirm', 'final'] as const;
export type Stage = (typeof stages)[number];

/** T4's word for what is wrong with a configuration; `correct` if nothing is. */
export const invalidities = [
  'correct',
  'constraints',
  'compile',
  'timeout',
  'runtime',
  'correctness',
] as const;
export type Invalidity = (typeof invalidities)[number];

/** A figure, by name and unit. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** What is chosen of a schedule that leaves choices open: the position of an option, by the name of its choice. */
export type ScheduleSelection = Readonly<Record<string, number>>;

/** A plan by name, or a selection without a plan; null alone is what is taken without a tuner. */
export interface Configuration {
  readonly name: string;
  readonly plan: AnyPlan | null;
  readonly selection?: ScheduleSelection;
}

/** Whether it is what is taken without a tuner. */
export const isUntuned = ({ plan, selection }: Pick<Configuration, 'plan' | 'selection'>): boolean =>
  plan === null && selection === undefined;

/** Which records are of the same measurement: one of these counts. */
export interface RecordKey {
  /** `workloadText` of the contraction. */
  readonly workload: string;
  /** The machine, and what compiles for it: `printFingerprint`. */
  readonly fingerprint: string;
  /** A hash of the code generator. */
  readonly generator: string;
  /** How times are taken, such as `1 cold wall arguments`. */
  readonly protocol: string;
  readonly stage: Stage;
  readonly configuration: Configuration;
}

/** A record. Times are in seconds. */
export interface TuningRecord extends RecordKey {
  readonly schema_version: '1.0.0';
  /** ISO 8601. */
  readonly timestamp: string;
  /** The names of the measurements that are minimised. */
  readonly objectives: readonly string[];
  readonly times: {
    readonly compilation_time: number;
    /** Of each run. */
    readonly runtimes: readonly number[];
    /** Starting the process and filling its arrays. */
    readonly framework: number;
    readonly search_algorithm: number;
    /** Checking the output. */
    readonly validation: number;
  };
  readonly invalidity: Invalidity;
  /** The share of the output's elements that are right; 1 if that was not found out. */
  readonly correctness: number;
  readonly measurements: readonly Measurement[];
  /** Why it is not `correct`. */
  readonly reason?: string;
  /** Whether the machine changed its speed meanwhile, also when this was measured again. */
  readonly noisy?: true;
}

/** The untuned plan of a record. */
export const untuned: Configuration = { name: 'untuned', plan: null };

/** The value of a measurement of a record; undefined if it has none. */
export const measured = ({ measurements }: TuningRecord, name: string): number | undefined =>
  measurements.find((each) => each.name === name)?.value;

/** A plan has to be faster than the untuned one by more than this, and in so many of the turns: that wins ties. */
const tieUpTo = 0.01;
const leastWon = 0.8;

/**
 * The time of a record's plan over the untuned one's in the last comparison, if that was a gain and not a tie;
 * undefined otherwise.
 */
export const gainOf = (record: TuningRecord): number | undefined => {
  const ratio = measured(record, 'ratio');
  const isGain =
    record.stage === 'final' &&
    record.invalidity === 'correct' &&
    !isUntuned(record.configuration) &&
    ratio !== undefined &&
    ratio < 1 - tieUpTo &&
    (measured(record, 'won') ?? 0) >= leastWon;
  return isGain ? ratio : undefined;
};

/** The key of a record as text, by the plan itself and not by its name. */
export const keyText = ({
  workload,
  fingerprint,
  generator,
  protocol,
  stage,
  configuration,
}: RecordKey): string =>
  JSON.stringify([
    workload,
    fingerprint,
    generator,
    protocol,
    stage,
    canonical(configuration.selection ?? configuration.plan),
  ]);

/** With the fields of objects in the order of their names. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, canonical(each)]),
  );
};

/** Configurations choose the same if this is the same, whatever their names. */
export const choiceKey = ({ plan, selection }: Pick<Configuration, 'plan' | 'selection'>): string =>
  selection === undefined ? planKey(plan) : JSON.stringify(canonical(selection));

/** Plans are equal if this is. */
export const planKey = (plan: AnyPlan | null): string => JSON.stringify(canonical(plan));

export const printRecord = (record: TuningRecord): string => `${JSON.stringify(record)}\n`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNumber = (value: unknown): boolean => typeof value === 'number';

const isListOf = (value: unknown, is: (each: unknown) => boolean): boolean =>
  Array.isArray(value) && (value as unknown[]).every(is);

const isTimes = (value: unknown): boolean =>
  isObject(value) &&
  isListOf(value['runtimes'], isNumber) &&
  ['compilation_time', 'framework', 'search_algorithm', 'validation'].every((name) => isNumber(value[name]));

const isMeasurement = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  typeof value['value'] === 'number' &&
  typeof value['unit'] === 'string';

const isConfiguration = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  (value['plan'] === null || isObject(value['plan'])) &&
  (value['selection'] === undefined ||
    (isObject(value['selection']) && Object.values(value['selection']).every(isNumber)));

const isOneOf = (value: unknown, words: readonly string[]): boolean => words.some((word) => word === value);

/** Whether a parsed line is a record. Its plan is checked where it is used, for the contraction that it is of. */
export const isRecord = (value: unknown): value is TuningRecord =>
  isObject(value) &&
  value['schema_version'] === '1.0.0' &&
  ['workload', 'fingerprint', 'generator', 'protocol', 'timestamp'].every(
    (name) => typeof value[name] === 'string',
  ) &&
  isOneOf(value['stage'], stages) &&
  isOneOf(value['invalidity'], invalidities) &&
  isConfiguration(value['configuration']) &&
  isTimes(value['times']) &&
  isNumber(value['correctness']) &&
  isListOf(value['objectives'], (name) => typeof name === 'string') &&
  isListOf(value['measurements'], isMeasurement);
