/** Equal ops of a payload as calls of one function, so that each is scheduled, compiled and emitted once. */
import type { Id, Module, Registry } from '@sconv/ir';
import { walk } from '@sconv/ir';
import { outlineEqual } from '@sconv/tiling';
import type { OutlinedPayload } from './compile-payload.ts';
import type { PlannedConvolution } from './target-schedule.ts';

/** The payload with equal ops outlined; each of these has the plans of the one that stands for it. */
export const outlinePayload = (payload: Module, registry: Registry): OutlinedPayload => {
  const { module, originals } = outlineEqual(payload, registry);
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
