/** `match.structured`: matches one structured operation with the ops of its body. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen } from '@sconv/diagnostics';
import { structured } from '@sconv/dialects/linalg';
import type { Block, Id, Operation } from '@sconv/ir';
import { bodyOf, defineOp, optionalAttribute, terminatorOf, variadic } from '@sconv/ir';
import { defineTransformOp } from './define-transform-op.ts';
import { producesAny, reads } from './handle-specs.ts';
import { directives } from './directives.ts';
import type { FailureMode } from './failure-mode.ts';
import { failureModeAttribute } from './failure-mode.ts';
import { handleType, scriptType } from './handle-type.ts';
import { matcher } from './matcher.ts';
import { emptyPayload, operationsPayload } from './payload.ts';
import type { ScheduleRun } from './schedule-run.ts';
import { noMatch, singleOperation, singleOperationFailures } from './single-payload.ts';

export const matchStructured = defineTransformOp({
  name: 'transform.match.structured',
  summary: 'Succeeds if an operation is structured and matches the body; returns what the body yields.',
  isMatcher: true,
  operands: { current: reads('one operation') },
  attributes: { failurePropagationMode: optionalAttribute(failureModeAttribute) },
  results: { outputs: producesAny('what the body yields') },
  regions: ['bodyRegion'],
  traits: ['single-block'],
  implicitTerminator: 'transform.match.structured.yield',
  failures: singleOperationFailures,
  assembly: {
    format:
      '(`failures` `(` $failure_propagation_mode^ `)`)? $current `:` ' +
      'custom<SemiFunctionType>(type($current), type($outputs)) attr-dict-with-keyword regions',
    directives,
  },
  *verify({ operation }, context) {
    const body = operation.regions[0]?.blocks[0];
    const [argument, ...others] = body?.arguments ?? [];
    const nested = body?.operations.slice(0, -1) ?? [];
    if (argument === undefined || others.length > 0) yield 'expected one body argument';
    else if (!handleType.test(argument.type))
      yield 'expected body argument to implement TransformHandleTypeInterface';
    else if (nested.some((each) => context.modelOf(each, matcher) === undefined))
      yield 'expects nested operations to implement MatchOpInterface';
  },
  interpret: (run, operation, { failurePropagationMode: mode = 'propagate' }) =>
    andThen(singleOperation(run, operation), (target) => {
      const bindEmpty = () =>
        run.bindResults(
          operation,
          operation.results.map(({ type }) => emptyPayload(type)),
        );
      if (structured(run.context.registry, target) === undefined)
        return mode === 'propagate' ? noMatch(operation, 'expected a Linalg op') : bindEmpty();
      const body = bodyOf(operation);
      return run.nested(operation, () =>
        andThen(run.bindAll(operation, body.arguments, [operationsPayload([target.id])]), () =>
          bindYielded(run, operation, body, mode),
        ),
      );
    }),
});

/** Runs the body; if a failure in it is suppressed, binds what was yielded before, or nothing. */
const bindYielded = (
  run: ScheduleRun,
  operation: Operation,
  body: Block,
  mode: FailureMode,
): Diagnosed<undefined> => {
  const unknown = new Set<Id>();
  const nested = body.operations.slice(0, -1);
  for (const [i, each] of nested.entries()) {
    const result = run.runOperations([each]);
    if (result.status === 'success') continue;
    if (result.status === 'definite' || mode === 'propagate') return result;
    for (const later of nested.slice(i)) for (const { id } of later.results) unknown.add(id);
    break;
  }
  return run.bindResults(
    operation,
    terminatorOf(body).operands.map((value) =>
      unknown.has(value.id) ? emptyPayload(value.type) : run.payloadOf(value),
    ),
  );
};

/** The terminator of `match.structured`. */
export const matchStructuredYield = defineOp({
  name: 'transform.match.structured.yield',
  summary: 'the terminator of a matcher of structured operations',
  operands: { handles: variadic(scriptType) },
  traits: ['terminator', 'return-like'],
  assembly: { format: '$handles attr-dict (`:` type($handles)^)?' },
});
