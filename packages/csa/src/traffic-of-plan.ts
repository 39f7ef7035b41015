/** The `traffic` model for plans of any form. */
import type { AnyPlan } from '@sconv/plans';
import type { Cost } from './cost.ts';
import { trafficOfTiling } from './cost-traffic.ts';
import { expectRecord } from './errors.ts';
import { nestProfile } from './nest-profile.ts';
import type { Hierarchy, SlicedConvolution } from './tiling.ts';

/**
 * Predicted accesses of a plan per serving level. Access counts are exact; line alignment is an expectation; every
 * level is LRU, as in the simulator. Groups and images are taken as independent: the caches are cold for each image.
 * Nests of another form than that of Convolution Slicing are priced by `nestProfile`, less exactly.
 */
export const trafficOfPlan = (sliced: SlicedConvolution, plan: AnyPlan, caches: Hierarchy): Cost => {
  expectRecord('sliced', sliced, 'shape', 'microkernel');
  expectRecord('caches', caches, 'geometry');
  return trafficOfTiling(sliced, plan, caches, nestProfile);
};
