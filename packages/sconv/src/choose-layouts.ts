/**
 * Chooses the layouts of a module's convolutions (IREE slides, "Selecting a Data Layout"): NCHW as they are given,
 * sliced, or NCHWc, read in place. Those that are to be blocked are packed, and packings move through what is between
 * them until they meet.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import type { Module, Registry } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { biasAfterSums, fuseElementwise } from '@sconv/normalization';
import { chooseLayouts } from '@sconv/plans';
import type { Target } from '@sconv/targets';
import { blockedChoice, moduleLayouts } from './layout-graph.ts';
import { gatheringStage, packingStage, tilingStage } from './nchwc-schedule.ts';
import { defaultRegistry } from './default-registry.ts';
import { runStage, scheduleBehind } from './recorded-convolutions.ts';
import type { Scheduler } from './scheduler.ts';

/** The module with the convolutions in blocks for which that is chosen; the same if there are none. */
export const withChosenLayouts = (payload: Module, target: Target, registry: Registry): Diagnosed<Module> => {
  // A bias before the sums would have to be packed as an image.
  const { module } = edit(payload, { registry }, (rewriter) => {
    biasAfterSums(rewriter, rewriter.root);
    fuseElementwise(rewriter, rewriter.root);
  });
  const { graph, convolutions } = moduleLayouts(module, target, registry);
  const { choices } = chooseLayouts(graph);
  const stage = packingStage(
    module,
    (operation) => {
      const found = convolutions.get(operation);
      return found !== undefined && choices[found.layer] === blockedChoice ? found.blocks : undefined;
    },
    true,
  );
  return stage === undefined ? success(payload) : runStage(stage, module, registry);
};

/** The target's own schedule, and kernels for what is in blocks. */
export const inChosenLayouts: Scheduler = (payload, target, planning = {}, form = 'expanded') =>
  scheduleBehind({ payload, target, planning, form }, [
    gatheringStage,
    (module) => tilingStage(module, target, planning.registry ?? defaultRegistry),
  ]);
