/** A schedule that remembers what plan it was recorded from. */
import type { SlicingPlan } from '@sconv/csa';
import type { ConvolutionForm } from '@sconv/normalization';
import type { Schedule } from '@sconv/transform';
import type { PackedPanels } from './sconv-schedule.ts';
import { plannedSchedule } from './sconv-schedule.ts';

/** The schedule of a plan, with it. */
export interface SlicingSchedule extends Schedule {
  readonly plan: SlicingPlan;
}

/** The schedule of a plan, for the convolution that it was made of, or for each group of that. */
export const slicingSchedule = (
  plan: SlicingPlan,
  kind: ConvolutionForm['kind'],
  panels?: PackedPanels,
): SlicingSchedule => ({
  ...plannedSchedule(plan.tree, kind, panels),
  plan,
});

/** Whether a schedule, such as the one that a `transform.structured.sconv` became, was recorded from a plan. */
export const isSlicingSchedule = (schedule: Schedule): schedule is SlicingSchedule => 'plan' in schedule;
