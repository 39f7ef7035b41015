/** Ways to schedule the convolutions of a payload, as values. */
import type { Diagnosed } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import type { Planning, ScheduleForm, TargetSchedule } from './target-schedule.ts';

/**
 * Makes a schedule for the convolutions of a module, as `targetSchedule` does. For `compileModule({ schedule })`; some
 * are `explicitGemm`, `implicitGemm` and `nchwc`.
 */
export type Scheduler = (
  payload: Module,
  target: Target,
  planning?: Planning,
  form?: ScheduleForm,
) => Diagnosed<TargetSchedule>;
