/** `transform.alternatives`: the first of several bodies that does not fail. */
import { andThen, definite, error, silenceable } from '@sconv/diagnostics';
import type { Diagnostic } from '@sconv/diagnostics';
import { hasTrait } from '@sconv/ir';
import { topLevelErrors, yieldsResults } from './body-problem.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { consumesOptional, producesAny } from './handle-specs.ts';
import type { Handle } from './handle.ts';
import { recorderOf } from './handle.ts';
import { idsIn } from './payload.ts';
import type { Yields } from './yields.ts';
import { inForm } from './yields.ts';

const alternativesOp = defineTransformOp({
  name: 'transform.alternatives',
  summary: 'Attempts sequences of transforms until one succeeds.',
  operands: {
    scope: consumesOptional(
      'ops isolated from above, bound to the first argument of each body; defaults to the root of the payload',
    ),
  },
  results: { results: producesAny('what the successful body yields') },
  regions: ['alternatives...'],
  traits: ['isolated-from-above', 'single-block'],
  implicitTerminator: 'transform.yield',
  failures: {
    'transform/alternatives-scope': {
      mode: 'definite',
      when: 'an op of the scope is not isolated from above',
    },
    'transform/alternatives-failed': { mode: 'silenceable', when: 'every body fails silenceably' },
  },
  assembly: {
    format: '($scope^ `:` type($scope))? (`->` type($results)^)? attr-dict-with-keyword $alternatives',
  },
  *verify({ operation }, context) {
    yield* topLevelErrors(operation, context);
    if (!operation.regions.every(({ blocks }) => yieldsResults(blocks[0], operation)))
      yield 'expects terminator operands to have the same type as results of the operation';
  },
  interpret: (run, operation) =>
    run.nested(operation, () => {
      const { operands, regions } = operation;
      const [scope] = operands;
      const payload = scope === undefined ? run.rootPayload : run.payloadOf(scope);
      const open = run
        .operations(idsIn(payload))
        .find((each) => !hasTrait(run.context.registry, each, 'isolated-from-above'));
      if (open !== undefined) {
        const message = `only ops that are isolated from above can be alternative scopes, not ${open.name}`;
        const note = { message: 'scope', location: open.location };
        return definite(error('transform/alternatives-scope', message, operation.location, [note]));
      }
      return run.consuming(operation, operands, () => {
        const before = run.state;
        const reasons: Diagnostic[] = [];
        for (const [i, { blocks }] of regions.entries()) {
          const body = blocks[0]!;
          const result = run.group({ role: 'alternative', name: String(i) }, () =>
            andThen(run.bindAll(operation, body.arguments, [payload]), () => run.runBlock(body)),
          );
          if (result.status !== 'silenceable') return result;
          run.restore(before);
          reasons.push(...result.diagnostics);
        }
        const notes = reasons.map(({ message, location }) => ({ message, location }));
        return silenceable(
          error('transform/alternatives-failed', 'all alternatives failed', operation.location, notes),
        );
      });
    }),
});

/**
 * Records a `transform.alternatives`: tries the bodies in turn on the scope, whose ops must be isolated from above,
 * such as functions, and restores the payload in between. A body may only use its argument; `scope.recorder` has
 * `match` and `param` for it. Returns what the successful body yields.
 */
export const alternatives: RecordAlternatives & { readonly definition: typeof alternativesOp.definition } =
  Object.assign(
    <B extends readonly ((scope: never) => Yields)[]>(scope: Handle, bodies: B): ReturnType<B[number]> => {
      const { form, values } = recorderOf([scope]).recordBodies(
        alternativesOp.definition,
        alternativesOp.definition.state({
          operands: { scope: scope.value },
          resultTypes: [],
        }),
        { bodies, isolated: true },
      );
      return inForm(form, values) as ReturnType<B[number]>;
    },
    { definition: alternativesOp.definition },
  );

/** The result has one of the types that the bodies yield. */
type RecordAlternatives = <N extends string, const B extends readonly ((scope: Handle<N>) => Yields)[]>(
  scope: Handle<N>,
  bodies: B,
) => ReturnType<B[number]>;
