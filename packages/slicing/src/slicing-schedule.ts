/** A schedule that keeps the plan it was recorded from. */
import type { Schedule } from '@sconv/transform';
import type { PackedPanels, SlicedAs } from './sconv-schedule.ts';
import { plannedSchedule } from './sconv-schedule.ts';
import type { PlannedShape } from './stored-plan.ts';

/** A plan's schedule, with the plan. */
export interface SlicingSchedule extends Schedule {
  readonly plan: PlannedShape;
}

/** The schedule of a plan, for the convolution that it was made for, or for each of its groups. */
export const slicingSchedule = (
  plan: PlannedShape,
  as: SlicedAs,
  panels?: PackedPanels,
  pairs?: boolean,
): SlicingSchedule => ({
  ...plannedSchedule(plan.tree, as, panels, pairs),
  plan,
});

/** Whether a schedule, such as the expansion of a `transform.structured.sconv`, was recorded from a plan. */
export const isSlicingSchedule = (schedule: Schedule): schedule is SlicingSchedule => 'plan' in schedule;
