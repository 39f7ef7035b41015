/** The side of a process that measures for another one, and may be killed by it. */
import { Worker } from 'node:worker_threads';
import type { Clock, Subject, Temperature } from './subject.ts';
import { timeSubject } from './subject.ts';

/** What a process is asked. All but `open`, which comes first, is answered. */
export type Question =
  /** What all that it measures has in common, and the process that asks. */
  | { readonly kind: 'open'; readonly setup: unknown; readonly parent: number }
  /** The output of code, for others to be compared with. */
  | { readonly kind: 'output'; readonly emitted: unknown }
  | {
      readonly kind: 'measure';
      readonly emitted: unknown;
      readonly temperature: Temperature;
      readonly runs: number;
    }
  /** Operations per second in registers, right now. */
  | { readonly kind: 'peak' };

/** What it answers: `failed` where the code cannot be loaded or a call of it fails. */
export type Answer =
  | { readonly kind: 'output'; readonly output: unknown }
  | MeasuredAnswer
  | { readonly kind: 'wrong'; readonly wrong: number; readonly elements: number; readonly when: WhenWrong }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'peak'; readonly peak: number | undefined };

/** Whether the first output was wrong, or that of the timed calls. */
export type WhenWrong = 'first' | 'timed';

export interface MeasuredAnswer {
  readonly kind: 'measured';
  /** Of a call, in each run. */
  readonly seconds: readonly number[];
  readonly calls: number;
  /** Seconds to load the code and fill its arrays, and to check the output. */
  readonly framework: number;
  readonly validation: number;
}

/** What a process does with a setup. */
export interface MeasuringSide {
  /** Throws, or rejects, for code that it cannot load. */
  readonly load: (emitted: unknown, temperature: Temperature) => Promise<Subject>;
  readonly clock: Clock;
  readonly flush: () => void;
  /** May be promised. */
  readonly peak?: () => number | undefined | Promise<number | undefined>;
}

/** Answers the questions of the process that has started this one, one at a time, until that is gone. */
export const serveMeasurements = (open: (setup: unknown) => Promise<MeasuringSide>): void => {
  let side: Promise<MeasuringSide> | undefined;
  process.on('message', (question: Question) => {
    if (question.kind === 'open') {
      endWith(question.parent);
      side = open(question.setup);
      // The first question that needs it says why.
      side.catch(() => undefined);
      return;
    }
    void answerOf(question, side).then((answer) => {
      process.send?.(answer, undefined, undefined, () => undefined);
    });
  });
  process.on('disconnect', () => {
    process.exit();
  });
  // A terminal's interrupt is sent to all processes; the parent decides what to do.
  process.on('SIGINT', () => undefined);
};

/** Ends this process soon after its parent, also while code that is measured runs without an end. */
const endWith = (parent: number): void => {
  const watch = 'setInterval(() => process.ppid === PARENT || process.kill(process.pid, "SIGKILL"), 500)';
  new Worker(watch.replace('PARENT', String(parent)), { eval: true }).unref();
};

const answerOf = async (
  question: Exclude<Question, { readonly kind: 'open' }>,
  opened: Promise<MeasuringSide> | undefined,
): Promise<Answer> => {
  try {
    const side = await opened;
    if (side === undefined) return { kind: 'failed', reason: 'nothing was set up' };
    switch (question.kind) {
      case 'peak':
        return { kind: 'peak', peak: await side.peak?.() };
      case 'output': {
        const subject = await side.load(question.emitted, 'warm');
        await subject.call(0);
        return { kind: 'output', output: subject.output(0) };
      }
      case 'measure':
        return await measure(question, side);
    }
  } catch (problem) {
    return { kind: 'failed', reason: problem instanceof Error ? problem.message : String(problem) };
  }
};

const measure = async (
  { emitted, temperature, runs }: Extract<Question, { readonly kind: 'measure' }>,
  { load, clock, flush }: MeasuringSide,
): Promise<Answer> => {
  const now = (): number => performance.now() / 1000;
  const start = now();
  const subject = await load(emitted, temperature);
  const loaded = now();
  try {
    await subject.call(0);
    const first = subject.wrong(0);
    if (first.wrong > 0) return { kind: 'wrong', ...first, when: 'first' };
    const checked = now();
    const { seconds, calls, wrong, elements } = await timeSubject(subject, {
      temperature,
      runs,
      clock,
      flush,
    });
    if (wrong > 0) return { kind: 'wrong', wrong, elements, when: 'timed' };
    return { kind: 'measured', seconds, calls, framework: loaded - start, validation: checked - loaded };
  } finally {
    subject.dispose();
  }
};
