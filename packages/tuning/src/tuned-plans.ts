/** Plans from records: what was the fastest of a contraction, where it was more than a tie. */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { unknownLocation, success, warning } from '@sconv/diagnostics';
import type { AnyPlan, Contraction } from '@sconv/plans';
import { planProblems } from '@sconv/plans';
import type { TuningRecord } from './record.ts';
import { gainOf } from './record.ts';
import { workloadText } from './workload.ts';

/** The tuned plans of a target. */
export interface TunedPlans {
  readonly kind: 'tuned-plans';
  /** The name of the target that they were measured for. */
  readonly target: string;
  /**
   * The plan of a contraction; undefined where none was faster than the untuned one, with the warning `tuning/unfit`,
   * once, for one that does not suit its contraction.
   */
  readonly planOf: (problem: Contraction) => Diagnosed<AnyPlan | undefined>;
}

/** The plans of the last comparisons among the records; of several of a contraction, the one that gained most. */
export const tunedPlans = (records: Iterable<TuningRecord>, target: string): TunedPlans => {
  const best = new Map<string, { readonly plan: AnyPlan; readonly ratio: number; readonly name: string }>();
  for (const record of records) {
    const { workload, configuration } = record;
    const ratio = gainOf(record);
    // What is chosen of a schedule is no plan.
    if (configuration.plan === null) continue;
    if (ratio === undefined || ratio >= (best.get(workload)?.ratio ?? Infinity)) continue;
    best.set(workload, { plan: configuration.plan, ratio, name: configuration.name });
  }
  const warned = new Set<string>();
  return {
    kind: 'tuned-plans',
    target,
    planOf: (problem) => {
      const workload = workloadText(problem);
      const found = best.get(workload);
      if (found === undefined) return success(undefined);
      const [wrong] = planProblems(found.plan, { contraction: problem });
      if (wrong === undefined) return success(found.plan);
      const warnings: Diagnostic[] = [];
      if (!warned.has(workload)) {
        const message =
          `the record of plan ${found.name} does not fit, and is not used: ` +
          `${wrong.path}: ${wrong.message}`;
        warnings.push(warning('tuning/unfit', message, unknownLocation));
      }
      warned.add(workload);
      return success(undefined, warnings);
    },
  };
};
