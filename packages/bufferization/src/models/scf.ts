/** The scf dialect. */
import type { OpModel } from '../op-model.ts';
import { branchModel, executeRegionModel, switchModel, yieldModel } from './scf-branches.ts';
import { forModel } from './scf-for.ts';
import { forallModel } from './scf-forall.ts';
import { conditionModel, whileModel } from './scf-while.ts';

export const scfModels: Readonly<Record<string, OpModel>> = {
  'scf.for': forModel,
  'scf.while': whileModel,
  'scf.condition': conditionModel,
  'scf.if': branchModel,
  'scf.index_switch': switchModel,
  'scf.execute_region': executeRegionModel,
  'scf.yield': yieldModel,
  'scf.forall': forallModel,
  'scf.forall.in_parallel': { holdsTensors: true, bufferize: () => undefined },
};
