/** `transform.apply_registered_pass`: runs a pass on the payload of a handle. */
import { collect, definite, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import type { DraftOperation, Pass, Rewriter } from '@sconv/ir';
import { hasTrait, parsePassOptions, stringAttributeKind, withDefault } from '@sconv/ir';
import { appliedToItself, itselfFailures } from './applied-to-itself.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { consumes, produces } from './handle-specs.ts';
import { noteAt } from './inspect.ts';

/** Runs the pass on each target; its own diagnostics precede the op's failure. */
export const applyRegisteredPass = defineTransformOp({
  name: 'transform.apply_registered_pass',
  summary: 'Runs a pass on the target.',
  operands: { target: consumes('the ops to run the pass on') },
  attributes: { passName: stringAttributeKind, options: withDefault(stringAttributeKind, '') },
  results: { result: produces('the rewritten target') },
  failures: {
    ...itselfFailures,
    'transform/unknown-pass': { mode: 'definite', when: 'there is no pass of this name' },
    'transform/pass-options': { mode: 'definite', when: 'the pass does not accept the options' },
    'transform/pass-failed': {
      mode: 'silenceable',
      when: 'the pass fails on a target',
    },
    'transform/pass-target': {
      mode: 'silenceable',
      when: 'a target is not isolated from above, or is not a module and the pass runs on modules only',
    },
  },
  assembly: { format: '$pass_name `to` $target attr-dict `:` functional-type(operands, results)' },
  apply: (context, { target }, { passName, options }) => {
    const [first] = target;
    if (first === undefined) return success({ result: [] });
    const itself = appliedToItself(context, target);
    if (itself !== undefined) return itself;
    const { rewriter } = context;
    const known = rewriter.registry.passes.get(passName);
    if (known === undefined) {
      const message = `unknown pass or pass pipeline: ${passName}`;
      return definite(error('transform/unknown-pass', message, first.location));
    }
    const texts = parsePassOptions(options);
    const unknown = Object.keys(texts).find((name) => !Object.hasOwn(known.options, name));
    const pass = known.fromText(texts);
    if (pass.status !== 'success') {
      const message = `failed to add pass or pass pipeline to pipeline: ${passName}`;
      return definite(
        ...pass.diagnostics.map((each) => ({
          ...each,
          message: unknown === undefined ? each.message : `<Pass-Options-Parser>: no such option ${unknown}`,
          location: first.location,
        })),
        error('transform/pass-options', message, first.location),
      );
    }
    return mapSuccess(
      collect(target, (each) => runPass(rewriter, pass.value, each)),
      () => ({ result: target }),
    );
  },
});

const runPass = (rewriter: Rewriter, { runOn }: Pass, target: DraftOperation): Diagnosed<undefined> => {
  const isIsolated = hasTrait(rewriter.registry, target, 'isolated-from-above');
  const unsuitable = isIsolated
    ? 'an unsupported operation'
    : "an operation not marked as 'IsolatedFromAbove'";
  const result = isIsolated ? runOn?.(rewriter, target) : undefined;
  if (result?.status === 'success') return success(undefined, result.diagnostics);
  const reasons = result?.diagnostics ?? [
    error(
      'transform/pass-target',
      `'${target.name}' op trying to schedule a pass on ${unsuitable}`,
      target.location,
    ),
  ];
  const note = noteAt('target op', target);
  return silenceable(
    ...reasons,
    error('transform/pass-failed', 'pass pipeline failed', target.location, [note]),
  );
};
