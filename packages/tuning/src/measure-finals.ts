/** The last comparison: the best plans and the untuned one, in turns, each time in a fresh process. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type { Entry, Measuring } from './measure-block.ts';
import { measureCode, recordOf, untunedRecord, whyNot } from './measure-block.ts';
import type { Outcome } from './measuring-process.ts';
import type { TuningRecord } from './record.ts';
import { median } from './statistics.ts';

/** Turns of each plan: an odd number, whose median is one of them. */
const rounds = 5;

const limitSeconds = 600;

type MeasuredOutcome = Extract<Outcome, { readonly kind: 'measured' }>;

/**
 * The records of a comparison, the untuned plan's first. Its figures are medians over the turns: the seconds, and the
 * ratios of each turn. Ends with the turn that is begun before `until`, in the seconds of `performance.now`. Fails with
 * `tuning/untuned` if the untuned plan cannot be measured; none if the signal came.
 */
export const measureFinals = async (
  measuring: Measuring,
  entries: readonly Entry[],
  until: number,
  onDone: (done: number, of: number) => void,
): Promise<Diagnosed<readonly TuningRecord[]>> => {
  const { measurer, reference, signal } = measuring;
  const codes = [reference, ...entries.map(({ code }) => code)];
  const turns: MeasuredOutcome[][] = codes.map(() => []);
  const failures = new Map<number, Outcome>();
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0 && performance.now() / 1000 > until) break;
    for (let turn = 0; turn < codes.length; turn += 1) {
      // Rotated, so that no plan always follows the same one.
      const at = (round + turn) % codes.length;
      onDone(round * codes.length + turn, rounds * codes.length);
      if (failures.has(at)) continue;
      measurer.renew();
      const outcome = await measureCode(measuring, 'final', codes[at]!, limitSeconds);
      if (signal?.aborted === true) return success([]);
      if (outcome.kind === 'measured') turns[at]!.push(outcome);
      else if (at === 0) {
        const message = `the plan without tuning cannot be measured: ${whyNot(outcome)}`;
        return definite(error('tuning/untuned', message, unknownLocation));
      } else failures.set(at, outcome);
    }
  }
  const probed = await measurer.ask({ kind: 'peak' }, limitSeconds);
  const [untunedTurns] = turns as [MeasuredOutcome[], ...MeasuredOutcome[][]];
  const untunedSeconds = untunedTurns.map(({ seconds }) => median(seconds));
  const peak = probed.kind === 'peak' ? probed.peak : undefined;
  const timestamp = new Date().toISOString();
  return success(
    codes.map((code, at) => {
      const failure = failures.get(at);
      const ofTurns = turns[at]!;
      const medians = ofTurns.map(({ seconds }) => median(seconds));
      const outcome = failure ?? joined(ofTurns, medians);
      // A ratio is of the two times of a turn, so that both are of the same speed of the machine.
      const ratios = medians.map((seconds, turn) => seconds / untunedSeconds[turn]!);
      const won = ratios.filter((ratio) => ratio < 1).length / ratios.length;
      const between = { seconds: median(medians) / median(ratios), peak, isNoisy: false };
      const record =
        at === 0
          ? untunedRecord(measuring, outcome, between)
          : recordOf(measuring, 'final', entries[at - 1]!.candidate, code.seconds, outcome, between);
      const measurements =
        record.invalidity === 'correct'
          ? [...record.measurements, { name: 'won', value: won, unit: '' }]
          : record.measurements;
      return { ...record, measurements, timestamp };
    }),
  );
};

/** The turns as one outcome, whose runs are the medians of the turns. */
const joined = (turns: readonly MeasuredOutcome[], seconds: readonly number[]): Outcome => {
  const [first] = turns as readonly [MeasuredOutcome];
  return { ...first, seconds, calls: 1, elapsed: turns.reduce((sum, { elapsed }) => sum + elapsed, 0) };
};
