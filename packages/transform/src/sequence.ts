/** `transform.sequence`: inline steps with a failure mode. */
import { andThen } from '@sconv/diagnostics';
import type { AssemblyDirective } from '@sconv/ir';
import { bodyOf } from '@sconv/ir';
import { defineTransformOp } from './define-transform-op.ts';
import { producesAny, readsAny, readsOptional } from './handle-specs.ts';
import type { FailureMode } from './failure-mode.ts';
import { failureModeAttribute } from './failure-mode.ts';
import type { ScriptValue } from './handle.ts';
import { recorderOf } from './handle.ts';
import { doubleConsumeErrors, topLevelErrors, yieldsResults } from './body-problem.ts';
import type { RecordBody, Yields } from './yields.ts';
import { inForm, itemsOf } from './yields.ts';

/** `%root, %more : type, type`; several types are parenthesized. */
const boundOperands: AssemblyDirective = {
  parse: (parser, parsed) => {
    const operands =
      parser.peek('->') || parser.peek('failures') ? [] : parser.commaSeparated(() => parser.operand());
    if (operands.length === 0) return;
    parser.expect(':');
    const types = parser.peek('(')
      ? parser.list('paren', () => parser.type())
      : parser.commaSeparated(() => parser.type());
    parsed.operands.set('root', operands.slice(0, 1));
    parsed.operandTypes.set('root', types.slice(0, 1));
    parsed.operands.set('extraBindings', operands.slice(1));
    parsed.operandTypes.set('extraBindings', types.slice(1));
  },
  print: (printer, { operands }) => {
    if (operands.length === 0) return;
    printer.operands(operands);
    printer.text(operands.length === 1 ? ' : ' : ' : (');
    printer.types(operands.map(({ type }) => type));
    if (operands.length > 1) printer.text(')');
  },
};

const sequenceOp = defineTransformOp({
  name: 'transform.sequence',
  summary: 'Contains a sequence of other transform ops to apply.',
  isMatcher: true,
  operands: {
    root: readsOptional('bound to the first argument of the body; defaults to the root of the payload'),
    extraBindings: readsAny('bound to the other arguments'),
  },
  attributes: { failurePropagationMode: failureModeAttribute },
  results: { results: producesAny('what the body yields') },
  regions: ['body'],
  traits: ['single-block'],
  implicitTerminator: 'transform.yield',
  defaultDialect: 'transform',
  assembly: {
    format: `custom<BoundOperands>($root, $extraBindings)
      (\`->\` type($results)^)? \`failures\` \`(\` $failure_propagation_mode \`)\` attr-dict-with-keyword $body`,
    directives: { BoundOperands: boundOperands },
  },
  *verify({ operation }, context) {
    yield* topLevelErrors(operation, context);
    const body = bodyOf(operation);
    yield* doubleConsumeErrors(operation, body, context);
    if (!yieldsResults(body, operation))
      yield 'expects the types of the terminator operands to match the types of the result';
  },
  interpret: (run, operation, { failurePropagationMode }) => {
    const body = bodyOf(operation);
    return run.nested(
      operation,
      () => {
        const { operands } = operation;
        const payloads =
          operands.length === 0 ? [run.rootPayload] : operands.map((operand) => run.payloadOf(operand));
        return andThen(
          andThen(run.bindAll(operation, body.arguments, payloads), () =>
            run.runBlock(body, failurePropagationMode),
          ),
          (yielded) => run.bindResults(operation, yielded),
        );
      },
      body,
    );
  },
});

const record = <R extends Yields>(
  targets: ScriptValue | readonly ScriptValue[],
  body: (...items: never) => R,
  failures: FailureMode,
): R => {
  const operands = itemsOf(targets);
  const [root, ...extraBindings] = operands.map(({ value }) => value);
  const { form, values } = recorderOf(operands).recordBodies(
    sequenceOp.definition,
    sequenceOp.definition.state({
      operands: { root, extraBindings },
      attributes: { failurePropagationMode: failures },
      resultTypes: [],
    }),
    { bodies: [body], isolated: false },
  );
  return inForm(form, values) as R;
};

/** Records a `transform.sequence`: `body` records steps on one or several targets. Returns what they yield. */
export const sequence: RecordBody & { readonly definition: typeof sequenceOp.definition } = Object.assign(
  <R extends Yields>(targets: ScriptValue | readonly ScriptValue[], body: (...items: never) => R): R =>
    record(targets, body, 'propagate'),
  { definition: sequenceOp.definition },
);

/**
 * A `sequence` with `failures(suppress)`: a silenceable failure of an op is silent, changes so far stay, its results
 * are empty, and the next op runs.
 */
export const suppress: RecordBody = <R extends Yields>(
  targets: ScriptValue | readonly ScriptValue[],
  body: (...items: never) => R,
): R => record(targets, body, 'suppress');
