/** The line of what a tuner does. */
import type { Progress } from '@sconv/tuning';

const stageNames: Readonly<Record<Progress['stage'], string>> = {
  compile: 'compiling',
  screen: 'measuring',
  confirm: 'measuring the best again',
  final: 'comparing the last ones',
};

/** One line of what is done, with the time that is left. */
export const progressText = (name: string, { stage, done, of, best, secondsLeft }: Progress): string => {
  const count = of === undefined ? `${done}` : `${done}/${of}`;
  const gain = best < 1 ? `, best ${best.toFixed(3)} of untuned` : '';
  const left = secondsLeft === undefined ? '' : `, ${Math.ceil(secondsLeft)} s left`;
  return `${name}: ${stageNames[stage]} ${count}${gain}${left}`;
};
