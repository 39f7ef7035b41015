/** The peaks that a target's code is compared with. */
import type { Target } from '@sconv/targets';
import type { Clock } from './clock.ts';
import type { Peaks } from './measure-sides.ts';
import { measuredPeaks } from './measure-sides.ts';
import { nativePeak } from './native-peak.ts';
import { mixOf } from './ours.ts';

/** The peaks that the target's code may have; without that of native code where it does not run: its sides say why. */
export const targetPeaks = async (target: Target, clock: Clock): Promise<Peaks> => {
  const native = mixOf(target) === 'native' ? nativePeak(target, clock).catch(() => undefined) : undefined;
  return measuredPeaks(clock, await native);
};
