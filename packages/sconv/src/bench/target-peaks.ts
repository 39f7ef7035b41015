/** The peaks that a target's code is compared with. */
import type { Target } from '@sconv/targets';
import type { Clock } from './clock.ts';
import type { Peaks } from './measure-sides.ts';
import { measuredPeaks } from './measure-sides.ts';
import { nativePeak } from './native-peak.ts';
import { mixOf } from './ours.ts';

/**
 * The peaks relevant to the target; without that of native code if it does not run here, which its sides will report.
 */
export const targetPeaks = async (target: Target, clock: Clock): Promise<Peaks> => {
  const native = mixOf(target) === 'native' ? nativePeak(target, clock).catch(() => undefined) : undefined;
  return measuredPeaks(clock, await native);
};
