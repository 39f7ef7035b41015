/**
 * What the target's own schedule is given: a bias is added after the sums, chains of elementwise ops are one op each,
 * and equal ops are calls of one function, so that each is scheduled, compiled and emitted once.
 */
import type { Id, Module, Registry } from '@sconv/ir';
import { edit, walk } from '@sconv/ir';
import { biasAfterSums, fuseElementwise } from '@sconv/normalization';
import { outlineEqual } from '@sconv/tiling';
import type { OutlinedPayload } from './compile-payload.ts';
import type { PlannedConvolution } from './target-schedule.ts';

/** The payload as it is scheduled; each of the equal ops has the plans of the one that stands for it. */
export const outlinePayload = (payload: Module, registry: Registry): OutlinedPayload => {
  const fused = edit(payload, { registry }, (rewriter) => {
    biasAfterSums(rewriter, rewriter.root);
    fuseElementwise(rewriter, rewriter.root);
  }).module;
  const { module, originals } = outlineEqual(fused, registry);
  return {
    module,
    plansOf: (plans) => {
      if (originals.size === 0) return plans;
      const plansOf = new Map<Id, PlannedConvolution['plan'][]>();
      for (const { operation, plan } of plans)
        for (const id of originals.get(operation.id) ?? [operation.id])
          plansOf.set(id, [...(plansOf.get(id) ?? []), plan]);
      return [...walk(payload.root)].flatMap((operation) =>
        (plansOf.get(operation.id) ?? []).map((plan) => ({ operation, plan })),
      );
    },
  };
};
