/** Measures prepared sides, interleaved. */
import type { Clock } from './clock.ts';
import type { SideFigures } from './figures.ts';
import { isDisturbed } from './figures.ts';
import type { InstructionMix, Prepared } from './implementation.ts';
import type { TurnOptions } from './in-turns.ts';
import { inTurns } from './in-turns.ts';
import { arithmeticPeak, streamingTime } from './machine-loops.ts';
import { spreadOf } from './statistics.ts';
import type { Work } from './workload.ts';
import { isBoundByTraffic } from './workload.ts';

/** Current flop/s of a mix; a native target's may not be measured. */
export type Peaks = Readonly<
  Record<WasmMix, () => number> & { readonly native?: (() => number) | undefined }
>;

type WasmMix = Exclude<InstructionMix, 'native'>;

/** The peak loops; WebAssembly's are created on first use. */
export const measuredPeaks = (clock: Clock, native?: () => number): Peaks => {
  const loops = new Map<WasmMix, () => number>();
  const peak = (mix: WasmMix) => (): number => {
    const loop = loops.get(mix) ?? arithmeticPeak(mix === 'madd', clock);
    loops.set(mix, loop);
    return loop();
  };
  return { 'mul+add': peak('mul+add'), madd: peak('madd'), native };
};

export interface ReadySide {
  readonly name: string;
  readonly mix: InstructionMix | undefined;
  readonly prepared: Pick<Prepared, 'call' | 'how'>;
}

export interface SideOptions extends TurnOptions {
  readonly clock: Clock;
  readonly peaks: Peaks;
}

/** The work of the sides: `flop` alone may be known, then without traffic. */
export type KnownWork = Work | Pick<Work, 'flop'> | undefined;

/** Measurements next to the samples of a side. */
interface Beside {
  readonly peaks: number[];
  readonly streams: number[];
}

/** Maximum number of attempts if the machine is busy otherwise. */
const attempts = 3;

/**
 * Measures the sides; ratios are relative to the side named `reference`, if present. Figures computed from two times
 * take both from the same round. If a side was disturbed, all are measured again, and the attempt whose most disturbed
 * side was disturbed least is kept. Undefined if the signal came before all samples were taken.
 */
export const measureSides = async (
  ...measuring: Parameters<typeof measureOnce>
): Promise<readonly SideFigures[] | undefined> => {
  let best = await measureOnce(...measuring);
  for (let attempt = 1; attempt < attempts && best?.some(isDisturbed) === true; attempt += 1) {
    const again = await measureOnce(...measuring);
    if (again === undefined) break;
    const [kept, other] = worst(again, best) < worst(best, again) ? [again, best] : [best, again];
    best = kept.map((side, i) => ({ ...side, leastSeconds: leastOf(side, other[i]!) }));
  }
  return best;
};

const leastOf = (...sides: readonly SideFigures[]): number =>
  Math.min(...sides.map(({ leastSeconds }) => leastSeconds));

/** The largest disturbance of any side, relative to its least time over both attempts. */
const worst = (sides: readonly SideFigures[], others: readonly SideFigures[]): number =>
  Math.max(...sides.map((side, i) => side.seconds.median / leastOf(side, others[i]!)));

const measureOnce = async (
  sides: readonly ReadySide[],
  reference: string,
  work: KnownWork,
  { peaks, ...turns }: SideOptions,
): Promise<readonly SideFigures[] | undefined> => {
  const stream =
    work !== undefined && 'readBytes' in work && isBoundByTraffic(work)
      ? streamingTime(work.readBytes, work.writtenBytes, turns.clock)
      : undefined;
  const notes = sides.map((): Beside => ({ peaks: [], streams: [] }));
  const timed = sides.map(({ mix, prepared }, i) => ({
    call: prepared.call,
    before: () => {
      const peak = mix === undefined ? undefined : peaks[mix];
      if (peak !== undefined) notes[i]!.peaks.push(peak());
      if (stream !== undefined) notes[i]!.streams.push(stream());
    },
  }));
  const times = await inTurns(timed, turns);
  if (times.some(({ seconds }) => seconds.length < turns.samples)) return undefined;
  const compared = times[sides.findIndex(({ name }) => name === reference)];
  return sides.map(({ name, prepared }, i): SideFigures => {
    const { seconds, leastSeconds, calls } = times[i]!;
    /** Combines the measurements of each round; null without any. */
    const byRound = (noted: readonly number[], value: (note: number, time: number) => number) =>
      noted.length === 0 ? null : spreadOf(seconds.map((time, round) => value(noted[round]!, time)));
    return {
      name,
      how: prepared.how ?? null,
      seconds: spreadOf(seconds),
      leastSeconds,
      calls,
      gflops: work === undefined ? null : work.flop / spreadOf(seconds).median / 1e9,
      peakShare:
        work === undefined ? null : byRound(notes[i]!.peaks, (peak, time) => work.flop / time / peak),
      bandwidthShare: byRound(notes[i]!.streams, (streamed, time) => streamed / time),
      ratio:
        name === reference || compared === undefined
          ? null
          : byRound(compared.seconds, (other, time) => time / other),
    };
  });
};
