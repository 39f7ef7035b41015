import type { CostModel, CostModelName } from './cost.ts';
import { referenceCost } from './cost-reference.ts';
import { scCost } from './cost-sc.ts';
import { trafficCost } from './cost-traffic.ts';

/** The models by name. */
export const costModels: Readonly<Record<CostModelName, CostModel>> = {
  sc: scCost,
  reference: referenceCost,
  traffic: trafficCost,
};
