/** The last comparison: the best plans and the untuned one, in turns, each time in a fresh process. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type { Entry, Measuring, SecondsLeft } from './measure-block.ts';
import { measureCode, recordOf, untunedRecord, whyNot } from './measure-block.ts';
import type { Outcome } from './measuring-process.ts';
import type { TuningRecord } from './record.ts';
import { median } from './statistics.ts';
import { now } from './work-clock.ts';

/**
 * Turns of each plan: an odd number, whose median is one of them. Without time for so many there are three, of fewer
 * plans: one turn says little.
 */
const rounds = 5;
const leastRounds = 3;

const limitSeconds = 600;

type MeasuredOutcome = Extract<Outcome, { readonly kind: 'measured' }>;

/**
 * The records of a comparison, the untuned plan's first. Its figures are medians over the turns: the seconds, and the
 * ratios of each turn. Without time for all plans the first ones are compared, one at least, and three times. Fails
 * with `tuning/untuned` if the untuned plan cannot be measured; none if the signal came.
 */
export const measureFinals = async (
  measuring: Measuring,
  entries: readonly Entry[],
  left: SecondsLeft,
  onDone: (done: number, of: number) => void,
): Promise<Diagnosed<readonly TuningRecord[]>> => {
  const { measurer, reference, signal, lock } = measuring;
  const all = [reference, ...entries.map(({ code }) => code)];
  const turns: MeasuredOutcome[][] = all.map(() => []);
  const failures = new Map<number, Outcome>();
  let count = all.length;
  let took = 0;
  for (let round = 0; round < rounds && (round < leastRounds || took <= left()); round += 1) {
    const failed = await lock.measuring(async () => {
      const start = now();
      for (let turn = 0; turn < count; turn += 1) {
        // Rotated, so that no plan always follows the same one.
        const at = (round + turn) % count;
        onDone(round * count + turn, rounds * count);
        if (failures.has(at)) continue;
        measurer.renew();
        const outcome = await measureCode(measuring, 'final', all[at]!, limitSeconds);
        if (signal?.aborted === true) return undefined;
        if (outcome.kind === 'measured') turns[at]!.push(outcome);
        else if (at === 0) return outcome;
        else failures.set(at, outcome);
        if (round === 0 && at === 0)
          count = Math.min(count, Math.max(2, Math.floor(left() / (now() - start) / leastRounds)));
      }
      took = now() - start;
      return undefined;
    });
    if (signal?.aborted === true) return success([]);
    if (failed === undefined) continue;
    const message = `the plan without tuning cannot be measured: ${whyNot(failed)}`;
    return definite(error('tuning/untuned', message, unknownLocation));
  }
  const codes = all.slice(0, count);
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
