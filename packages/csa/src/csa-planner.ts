/** Convolution Slicing Analysis as a planner. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, error, silenceable, success, unknownLocation, warning } from '@sconv/diagnostics';
import type { Planner } from '@sconv/plans';
import { convolutionOf } from './contraction.ts';
import { CsaError } from './errors.ts';
import type { ConvolutionPlan, KernelChoice, PlanOptions, PlanWarning } from './plan.ts';
import { planForTarget } from './plan.ts';

/** The result of a function of this package as a value: a `CsaError` is a failure, at an unknown location. */
export const diagnosed = <T>(run: () => T): Diagnosed<T> => {
  try {
    return success(run());
  } catch (problem) {
    if (!(problem instanceof CsaError)) throw problem;
    return silenceable(error(problem.code, problem.message, unknownLocation));
  }
};

/** A plan as a value, with its warnings. */
export const diagnosedPlan = <P extends { readonly warnings: readonly PlanWarning[] }>(
  plan: () => P,
): Diagnosed<P> =>
  andThen(diagnosed(plan), (made) =>
    success(
      made,
      made.warnings.map(({ code, message }) => warning(code, message, unknownLocation)),
    ),
  );

/**
 * Plans convolutions by `planForTarget`. Fails with `csa/not-a-convolution` for another contraction, and with the code
 * of the `CsaError` for sizes that are too large, or an impossible target or option.
 */
export const csaPlanner =
  (options: PlanOptions = {}): Planner<KernelChoice, ConvolutionPlan> =>
  (problem, target) =>
    andThen(
      diagnosed(() => convolutionOf(problem)),
      (shape) =>
        shape === undefined
          ? silenceable(error('csa/not-a-convolution', 'expected a convolution', unknownLocation))
          : diagnosedPlan(() => planForTarget(shape, target, options)),
    );
