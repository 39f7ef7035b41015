/** `transform.named_sequence`, `transform.yield` and `transform.include`: the structure of a script. */
import type { Location } from '@sconv/diagnostics';
import { andThen, definite, error, success } from '@sconv/diagnostics';
import type { FunctionType, Operation, Type, VerifyContext, VerifyProblem } from '@sconv/ir';
import { bare, implement, printType, symbolRefAttributeKind, typeEquals, walk } from '@sconv/ir';
import { sameKind } from './body-problem.ts';
import { sequenceType } from './sequence-type.ts';
import { functionAssembly, functionAttributes, verifyFunction } from '@sconv/dialects';
import { callSite } from './call-site.ts';
import { castToAny } from './cast.ts';
import { argumentStatuses, calledErrors, consumedPositions, statusErrors } from './consumed-arguments.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { producesAny, readsAny } from './handle-specs.ts';
import type { FailureMode } from './failure-mode.ts';
import { failureModeAttribute } from './failure-mode.ts';
import { findSequence } from './find-sequence.ts';
import type { ScriptValue } from './handle.ts';
import { recorderOf } from './handle.ts';
import { deepestNesting } from './run-limits.ts';
import type { Yields } from './yields.ts';
import { inForm, itemsOf } from './yields.ts';

/**
 * Errors of a sequence's terminator.
 *
 * @deviation A sequence without declared results may yield: a run returns what its entry point yields.
 */
function* terminatorErrors({ operands }: Operation, results: readonly Type[]): Generator<string> {
  if (results.length === 0) return;
  if (operands.length !== results.length)
    yield 'expected terminator to have as many operands as the parent op has results';
  for (const [i, { type }] of operands.entries()) {
    if (!typeEquals(type, results[i]!))
      yield (
        `the type of the terminator operand #${i} must match the type of the corresponding parent op ` +
        `result ('${printType(type)}' vs '${printType(results[i]!)}')`
      );
  }
}

/** Errors of an include's operands and results, against the type of the sequence. */
function* includeErrors({ operands, results }: Operation, type: FunctionType): Generator<VerifyProblem> {
  const otherOperand = operands.findIndex(
    (operand, i) => !typeEquals(operand.type, type.inputs[i] ?? operand.type),
  );
  const otherResult = results.findIndex(
    (result, i) => !sameKind(result.type, type.results[i] ?? result.type),
  );
  if (operands.length !== type.inputs.length) yield* bare(['incorrect number of operands for callee']);
  else if (otherOperand >= 0) {
    const [expected, given] = [type.inputs[otherOperand]!, operands[otherOperand]!.type].map((each) =>
      printType(each),
    );
    yield (
      `operand type mismatch: expected operand type '${expected!}', but provided '${given!}' for ` +
      `operand number ${otherOperand}`
    );
  } else if (results.length !== type.results.length) yield* bare(['incorrect number of results for callee']);
  else if (otherResult >= 0) {
    yield (
      `type of result #${otherResult} must implement the same transform dialect interface as the ` +
      'corresponding callee result'
    );
  }
}

/**
 * Whether a sequence may include itself, transitively: a script value can only have one binding at a time. What nests
 * deeper than a run allows is not looked at.
 */
const includesItself = (sequence: Operation, context: VerifyContext): boolean => {
  const reached = new Set<Operation>();
  let level: readonly Operation[] = [sequence];
  for (let depth = 0; depth <= deepestNesting && level.length > 0; depth += 1) {
    const next: Operation[] = [];
    for (const { name, attributes } of level.flatMap((each) => [...walk(each)])) {
      const target = attributes['target'];
      if (name !== 'transform.include' || target?.kind !== 'symbol-ref') continue;
      const included = context.lookupSymbol(target.root);
      if (included === sequence) return true;
      if (included === undefined || reached.has(included)) continue;
      reached.add(included);
      next.push(included);
    }
    level = next;
  }
  return false;
};

const namedSequenceOp = defineTransformOp({
  name: 'transform.named_sequence',
  summary: 'Named transform sequence that can be included elsewhere.',
  attributes: functionAttributes,
  regions: ['body'],
  traits: ['symbol', 'isolated-from-above', 'single-block'],
  assembly: functionAssembly('transform.yield'),
  *verify(declared, context) {
    const { operation, attributes } = declared;
    yield* verifyFunction(declared);
    yield* bare(statusErrors(operation, context));
    const { results } = attributes.functionType;
    const terminator = operation.regions[0]?.blocks[0]?.operations.at(-1);
    if (terminator !== undefined) {
      for (const message of terminatorErrors(terminator, results))
        yield { message, bare: true, operation: terminator };
    }
    if (includesItself(operation, context)) yield* bare(['recursion not allowed in named sequences']);
  },
  // Defining a sequence has no effect; it runs as the entry point or when included.
  interpret: () => success(undefined),
});

/** The terminator of transform regions. */
export const yieldOp = defineTransformOp({
  name: 'transform.yield',
  summary: 'Yields operation handles from a transform IR region.',
  operands: { operands: readsAny('what the region yields') },
  traits: ['terminator'],
  assembly: { format: 'operands attr-dict (`:` type($operands)^)?' },
  interpret: () => success(undefined),
});

const includeOp = defineTransformOp({
  name: 'transform.include',
  summary: 'Includes a named transform sequence.',
  isMatcher: true,
  operands: { operands: readsAny('bound to the arguments of the sequence') },
  attributes: { target: symbolRefAttributeKind, failurePropagationMode: failureModeAttribute },
  results: { results: producesAny('what the sequence yields') },
  failures: {
    'transform/include-unknown': {
      mode: 'definite',
      when: 'the script has no named sequence of this name, or it has no body',
    },
    'transform/include-arity': { mode: 'definite', when: 'the sequence takes a different number of handles' },
    'transform/nesting': {
      mode: 'definite',
      when: 'sequences nest too deeply, as when they include each other',
    },
  },
  interfaces: [
    implement(consumedPositions, ({ attributes: { target } }, context) => {
      const sequence = target?.kind === 'symbol-ref' ? context.lookupSymbol(target.root) : undefined;
      const statuses = sequence === undefined ? [] : argumentStatuses(sequence);
      return statuses.flatMap(({ isConsumed }, i) => (isConsumed ? [i] : []));
    }),
  ],
  *verify({ operation, attributes: { target } }, context) {
    const sequence = context.lookupSymbol(target);
    if (sequence === undefined) return;
    const type = sequenceType(sequence);
    if (type === undefined) yield 'does not reference a named transform sequence';
    else {
      yield* includeErrors(operation, type);
      yield* bare(calledErrors(sequence));
    }
  },
  assembly: {
    format: `$target \`failures\` \`(\` $failure_propagation_mode \`)\` \`(\` $operands \`)\` attr-dict
      \`:\` functional-type($operands, $results)`,
  },
  interpret: (run, operation, { target, failurePropagationMode }) => {
    const sequence = findSequence(run.script, target);
    const body = sequence?.regions[0]!.blocks[0];
    if (body === undefined) {
      const message =
        sequence === undefined ? `no named sequence '@${target}'` : 'unresolved external named sequence';
      return definite(error('transform/include-unknown', message, operation.location));
    }
    if (body.arguments.length !== operation.operands.length) {
      const message =
        `'@${target}' takes ${body.arguments.length} handles, but is included with ` +
        `${operation.operands.length}`;
      return definite(error('transform/include-arity', message, operation.location));
    }
    const include = () => {
      const bound = run.bindAll(
        operation,
        body.arguments,
        operation.operands.map((operand) => run.payloadOf(operand)),
      );
      return andThen(
        andThen(bound, () => run.runBlock(body, failurePropagationMode)),
        (yielded) => run.bindResults(operation, yielded),
      );
    };
    return run.nested(operation, include, body);
  },
});

/** A sequence in code: a value that is recorded into each script that includes it. */
export interface NamedSequence<
  P extends readonly ScriptValue[] = readonly ScriptValue[],
  R extends Yields = Yields,
> {
  /** Its symbol in the script. */
  readonly name: string;
  /** Where it was declared. */
  readonly location: Location;
  record(...parameters: P): R;
}

/**
 * A sequence that schedules include; its callback records like that of `schedule`, with parameters in place of a root.
 *
 *     const tile = namedSequence('tile', (target: Handle<'linalg.generic'>, size: Param<number>) => …);
 *     schedule(($) => { include(tile, [$.match('linalg.generic'), $.param(8)]); });
 *
 * In the script its handles are to any operations: what the compiler has checked is cast where it is included.
 */
export const namedSequence: DeclareSequence & { readonly definition: typeof namedSequenceOp.definition } =
  Object.assign(
    <P extends readonly ScriptValue[], R extends Yields>(
      name: string,
      record: (...parameters: P) => R,
    ): NamedSequence<P, R> => ({ name, location: callSite(), record }),
    { definition: namedSequenceOp.definition },
  );

/** First the overload whose sequence yields nothing. */
interface DeclareSequence {
  <const P extends readonly ScriptValue[]>(
    name: string,
    record: (...parameters: P) => undefined,
  ): NamedSequence<P, undefined>;
  <const P extends readonly ScriptValue[], const R extends Yields>(
    name: string,
    record: (...parameters: P) => R,
  ): NamedSequence<P, R>;
}

/**
 * Records a `transform.include` of a sequence, and the sequence itself if the script does not have it yet; returns
 * what it yields. `failures` says how silenceable failures in it are handled.
 *
 * Throws `DiagnosticError` (`schedule/sequence`) for a sequence that includes itself, and for two with one name.
 */
export const include = Object.assign(
  <const P extends readonly ScriptValue[], R extends Yields>(
    sequence: NamedSequence<P, R>,
    operands: NoInfer<P>,
    { failures = 'propagate' }: { readonly failures?: FailureMode } = {},
  ): R => {
    const items = itemsOf(operands);
    const recorder = recorderOf(items);
    const given = items.map((operand) => (operand.kind === 'handle' ? castToAny(operand) : operand));
    const { form, consumes, resultTypes } = recorder.recordSequence(
      sequence,
      given.map(({ value }) => value.type),
    );
    const { results } = includeOp(
      { operands: given },
      { target: sequence.name, failurePropagationMode: failures },
      { resultTypes },
    );
    const consumed = [...operands, ...given].filter((_, i) => consumes[i % operands.length]);
    recorder.consume(consumed, includeOp.definition.name);
    return inForm(form, results) as R;
  },
  { definition: includeOp.definition },
);
