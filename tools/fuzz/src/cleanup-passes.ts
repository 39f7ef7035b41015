/** The passes that random functions go through. */
import {
  canonicalize,
  cse,
  loopInvariantCodeMotion,
  lowerAffine,
  sccp,
  scfForLoopCanonicalization,
} from '@sconv/canonicalization';
import type { Pass } from '@sconv/ir';

export const cleanupPasses: readonly Pass[] = [
  canonicalize({ testConvergence: true }),
  canonicalize({ testConvergence: true, topDown: false }),
  canonicalize({ regionSimplify: 'aggressive' }),
  cse(),
  lowerAffine(),
  sccp(),
  loopInvariantCodeMotion(),
  scfForLoopCanonicalization(),
];

const { options: defaults = {} } = canonicalize();

/** The options that are not those of `canonicalize()`, the only one of these passes that has options. */
const optionsText = ({ options = {} }: Pass): string =>
  Object.entries(options)
    .filter(([name, value]) => value !== defaults[name])
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** The pass as in a pipeline: `canonicalize{top-down=false}`. */
export const passLabel = (pass: Pass): string => {
  const options = optionsText(pass);
  return options === '' ? pass.name : `${pass.name}{${options}}`;
};

/** A schedule that runs the pass on the module. */
export const passScript = (pass: Pass): string => passScriptOf(pass.name, optionsText(pass));

/** A schedule that runs a pass with these options on the module. */
export const passScriptOf = (name: string, options: string): string => {
  const given = options === '' ? '' : ` {options = "${options}"}`;
  return `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.apply_registered_pass "${name}" to %root${given} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
`;
};
