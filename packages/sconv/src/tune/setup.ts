/** What all code of a workload is measured with; sent to the processes that measure. */
import type { RunValue } from '@sconv/backend';
import type { Target } from '@sconv/targets';
import type { ClockName } from '../bench/clock.ts';

/** Plain data. */
export interface Setup {
  readonly functionName: string;
  readonly target: Target;
  /** The elements of the outputs of a right call; undefined until they are known. */
  readonly expected: readonly RunValue[] | undefined;
  /** Positions of the arguments that are bound beforehand. */
  readonly bound: readonly number[];
  readonly clock: ClockName;
  /** Bytes of the last cache. */
  readonly cacheBytes: number;
}
