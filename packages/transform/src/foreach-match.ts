/** `transform.collect_matching` and `transform.foreach_match`: apply named matchers to every operation under a root. */
import type { Diagnosed, Failed, Note } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import type { Block, Id, Operation, Type, Value, VerifyContext, VerifyProblem } from '@sconv/ir';
import { bare, terminatorOf, unitAttributeKind, walkPostOrder } from '@sconv/ir';
import { sameKind } from './body-problem.ts';
import { argumentStatuses } from './consumed-arguments.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { consumes, produces, producesAny, reads, readsAny } from './handle-specs.ts';
import { directives } from './directives.ts';
import { findSequence } from './find-sequence.ts';
import { handleType } from './handle-type.ts';
import { noteAt } from './inspect.ts';
import type { Payload } from './payload.ts';
import { emptyPayload, joinPayloads, operationsPayload, sizeOf } from './payload.ts';
import type { TrackedPayload } from './run-state.ts';
import type { ScheduleRun } from './schedule-run.ts';
import { sequenceType } from './sequence-type.ts';
import { symbolList, symbolPath } from './symbol-attributes.ts';

/** The body of a named sequence. */
const bodyOfSequence = (run: ScheduleRun, operation: Operation, name: string): Diagnosed<Block> => {
  const body = findSequence(run.script, name)?.regions[0]?.blocks[0];
  if (body !== undefined) return success(body);
  const message = `unresolved external symbol @${name}`;
  return definite(error('transform/external-sequence', message, operation.location));
};

/** Runs the body of a matcher; returns what it yields. */
const runMatcher = (
  run: ScheduleRun,
  operation: Operation,
  body: Block,
  given: readonly Payload[],
): Diagnosed<readonly Payload[]> =>
  andThen(run.bindAll(operation, body.arguments, given), () => run.runBlock(body));

/** The type of a named sequence, and the declared effects on its arguments. */
const signatureOf = (symbol: Operation | undefined) => {
  const type = symbol && sequenceType(symbol);
  return type && { type, statuses: argumentStatuses(symbol) };
};

function* collectErrors(
  symbol: Operation | undefined,
  name: string,
  results: readonly Value[],
): Generator<string> {
  const matching = signatureOf(symbol);
  const yielded = matching?.type.results ?? [];
  const other = results.findIndex(({ type }, i) => yielded[i] !== undefined && !sameKind(type, yielded[i]));
  if (matching === undefined) yield `unresolved matcher symbol @${name}`;
  else if (matching.type.inputs.length !== 1 || !handleType.test(matching.type.inputs[0]!))
    yield 'expected the matcher to take one operation handle argument';
  else if (matching.statuses[0]?.isReadOnly !== true)
    yield 'expected the matcher argument to be marked readonly';
  else if (yielded.length !== results.length)
    yield `expected the matcher to yield as many values as op has results (${results.length}), got ${yielded.length}`;
  else if (other >= 0) yield `mismatching type interfaces for matcher result and op result #${other}`;
}

/** The first position at which types refer to payload of different kinds; -1 if there is none. */
const otherKind = (types: readonly Type[], wanted: readonly Type[]): number =>
  types.findIndex((type, i) => !sameKind(type, wanted[i]!));

/** Errors of a matcher and its action. */
function* pairErrors(
  { operands, results }: Operation,
  matcherName: string,
  actionName: string,
  context: VerifyContext,
): Generator<VerifyProblem> {
  const matching = signatureOf(context.lookupSymbol(matcherName));
  const acting = signatureOf(context.lookupSymbol(actionName));
  const fail = (message: string): VerifyProblem => ({ message, bare: true });
  if (matching === undefined) {
    yield fail(`unresolved matcher symbol @${matcherName}`);
    return;
  }
  if (acting === undefined) {
    yield fail(`unresolved action symbol @${actionName}`);
    return;
  }
  const { inputs } = matching.type;
  if (inputs.length !== operands.length) {
    yield fail(
      `the number of operands (${operands.length}) doesn't match the number of matcher arguments ` +
        `(${inputs.length}) for @${matcherName}`,
    );
    return;
  }
  const consumed = matching.statuses.findIndex(({ isConsumed }) => isConsumed);
  if (consumed >= 0) yield `does not expect matcher symbol to consume its operand #${consumed}`;
  const operand = otherKind(typesOf(operands), inputs);
  if (operand >= 0)
    yield fail(
      `mismatching type interfaces for operand and matcher argument #${operand} of matcher @${matcherName}`,
    );
  const [given, taken] = [matching.type.results, acting.type.inputs];
  if (given.length !== taken.length) {
    yield fail(
      `mismatching number of matcher results and action arguments between @${matcherName} ` +
        `(${given.length}) and @${actionName} (${taken.length})`,
    );
    return;
  }
  const argument = otherKind(given, taken);
  if (argument >= 0)
    yield fail(
      `mismatching type interfaces for matcher result and action argument #${argument}of matcher ` +
        `@${matcherName} and action @${actionName}`,
    );
  const [forwarded, yielded] = [typesOf(results).slice(1), acting.type.results];
  if (yielded.length !== forwarded.length) {
    yield fail(
      `the number of action results (${yielded.length}) for @${actionName} doesn't match the number ` +
        `of extra op results (${forwarded.length})`,
    );
    return;
  }
  const result = otherKind(yielded, forwarded);
  if (result >= 0)
    yield fail(
      `mismatching type interfaces for action result #${result} of action @${actionName} and op result`,
    );
}

const typesOf = (values: readonly Value[]): readonly Type[] => values.map(({ type }) => type);

/** `transform.collect_matching`: collects what a named matcher yields for each operation under the root. */
export const collectMatching = defineTransformOp({
  name: 'transform.collect_matching',
  summary: 'Collects what a named matcher yields for each operation under the root.',
  operands: { root: reads('where to look') },
  attributes: { matcher: symbolPath },
  results: { results: producesAny('what the matcher yields') },
  assembly: { format: '$matcher `in` $root attr-dict `:` functional-type($root, $results)' },
  failures: {
    'transform/external-sequence': { mode: 'definite', when: 'the matcher has no body' },
    'transform/matched-several': {
      mode: 'silenceable',
      when: 'a result that the matcher yields for an operation is empty, or refers to several',
    },
  },
  verify: ({ results, attributes }, context) =>
    bare(collectErrors(context.lookupSymbol(attributes.matcher), attributes.matcher, results.results)),
  interpret: (run, operation, { matcher }) =>
    run.nested(operation, () =>
      andThen(bodyOfSequence(run, operation, matcher), (body) => {
        const found = operation.results.map((): Payload[] => []);
        for (const id of operationsUnder(run, operation.operands[0]!)) {
          const matched = runMatcher(run, operation, body, [operationsPayload([id])]);
          if (matched.status === 'definite') return matched;
          if (matched.status !== 'success') continue;
          for (const [i, payload] of matched.value.entries()) {
            const size = sizeOf(payload);
            if (size !== 1) {
              const message = `result #${i}, associated with ${size} payload objects, expected 1`;
              return silenceable(error('transform/matched-several', message, operation.location));
            }
            found[i]!.push(payload);
          }
        }
        return run.bindResults(
          operation,
          operation.results.map(({ type }, i) => joinPayloads(type, found[i]!)),
        );
      }),
    ),
});

/** `transform.foreach_match`: applies the action of the first matching matcher to each operation under the root. */
export const foreachMatch = defineTransformOp({
  name: 'transform.foreach_match',
  summary: 'Applies the action of the first matching matcher to each operation under the root.',
  operands: {
    root: consumes('where to look'),
    forwardedInputs: readsAny('additional arguments of the matchers'),
  },
  attributes: {
    restrictRoot: unitAttributeKind,
    flattenResults: unitAttributeKind,
    matchers: symbolList,
    actions: symbolList,
  },
  results: { updated: produces('the root'), forwardedOutputs: producesAny('what the actions yield') },
  assembly: {
    format:
      'oilist(`restrict_root` $restrict_root | `flatten_results` $flatten_results) `in` $root (`,` ' +
      '$forwardedInputs^)? custom<ForeachMatchSymbols>($matchers, $actions) attr-dict `:` ' +
      'functional-type(operands, results)',
    directives,
  },
  resultName: ({ results }) => results.map((_, i) => (i === 0 ? 'updated_root' : 'yielded')),
  *verify({ operation, attributes: { matchers, actions } }, context) {
    if (matchers.length !== actions.length) yield 'expected the same number of matchers and actions';
    else if (matchers.length === 0) yield 'expected at least one match/action pair';
    else if (new Set(matchers).size !== matchers.length) yield 'matchers are expected to be unique';
    else for (const [i, name] of matchers.entries()) yield* pairErrors(operation, name, actions[i]!, context);
  },
  failures: {
    'transform/external-sequence': { mode: 'definite', when: 'a matcher or an action has no body' },
    'transform/actions-failed': {
      mode: 'silenceable',
      when: 'an action fails silenceably; the other operations are still processed, and all changes are kept',
    },
    'transform/unflattened': {
      mode: 'definite',
      when: 'a result that an action yields is empty or refers to several, and `flatten_results` is not set',
    },
  },
  interpret: (run, operation, { matchers, actions, restrictRoot, flattenResults }) => {
    const [root] = operation.operands;
    const pairs = collect(matchers.entries(), ([i, matcher]) =>
      andThen(bodyOfSequence(run, operation, matcher), (match) =>
        mapSuccess(bodyOfSequence(run, operation, actions[i]!), (act) => ({ match, act, name: actions[i]! })),
      ),
    );
    return andThen(pairs, (bodies) =>
      run.nested(operation, () =>
        run.consuming(operation, [root!], () =>
          run.tracking((track) =>
            new ForeachMatch(run, operation, bodies, flattenResults, track).apply(restrictRoot),
          ),
        ),
      ),
    );
  },
});

/** A matcher and its action. */
interface Pair {
  readonly match: Block;
  readonly act: Block;
  /** The symbol of the action. */
  readonly name: string;
}

/** One application of `foreach_match`. */
class ForeachMatch {
  private readonly run: ScheduleRun;
  private readonly operation: Operation;
  private readonly pairs: readonly Pair[];
  private readonly flattenResults: boolean;
  private readonly track: (payload: Payload) => TrackedPayload;
  /** The root, then the forwarded inputs. */
  private readonly inputs: readonly TrackedPayload[];
  /** What actions have yielded, for each result but the first. */
  private readonly outputs: readonly TrackedPayload[][];
  private readonly failedActions: Note[] = [];

  constructor(
    run: ScheduleRun,
    operation: Operation,
    pairs: readonly Pair[],
    flattenResults: boolean,
    track: (payload: Payload) => TrackedPayload,
  ) {
    this.run = run;
    this.operation = operation;
    this.pairs = pairs;
    this.flattenResults = flattenResults;
    this.track = track;
    this.inputs = operation.operands.map((operand) => track(run.payloadOf(operand)));
    this.outputs = operation.results.slice(1).map(() => []);
  }

  /** The payload of the results. */
  apply(restrictRoot: boolean): Diagnosed<readonly Payload[]> {
    const { run, operation } = this;
    const [root] = operation.operands;
    const roots = new Set(run.idsOf(root!));
    // Ops created by actions are not visited.
    for (const id of operationsUnder(run, root!)) {
      if (roots.has(id) && !restrictRoot) continue;
      const [target] = run.operations([id]);
      const problem = target && this.visit(target);
      if (problem !== undefined) return problem;
    }
    if (this.failedActions.length > 0) {
      const message = 'actions failed';
      return silenceable(error('transform/actions-failed', message, operation.location, this.failedActions));
    }
    const [updated, ...forwarded] = operation.results;
    return success([
      joinPayloads(updated!.type, [this.inputs[0]!.payload]),
      ...forwarded.map(({ type }, i) =>
        joinPayloads(
          type,
          this.outputs[i]!.map(({ payload }) => payload),
        ),
      ),
    ]);
  }

  /** Runs the action of the first matcher that succeeds. */
  private visit(target: Operation): Failed | undefined {
    const { run, operation } = this;
    const given = [operationsPayload([target.id]), ...this.inputs.slice(1).map(({ payload }) => payload)];
    for (const pair of this.pairs) {
      const matched = runMatcher(run, operation, pair.match, given);
      if (matched.status === 'definite') return matched;
      if (matched.status === 'success') return this.act(pair, target, matched.value);
    }
    return undefined;
  }

  private act({ act, name }: Pair, target: Operation, matched: readonly Payload[]): Failed | undefined {
    const { run, operation } = this;
    const bound = run.bindAll(operation, act.arguments, matched);
    if (bound.status !== 'success') return bound;
    const steps = act.operations.slice(0, -1);
    for (const step of steps) {
      const result = run.runOperations([step]);
      if (result.status === 'success') continue;
      if (result.status === 'definite') return result;
      for (const value of step.results) run.bind(value, emptyPayload(value.type));
      for (const { message } of result.diagnostics) {
        this.failedActions.push(
          noteAt(`failed action: ${message}`, step),
          noteAt('when applied to this matching payload', target),
        );
      }
    }
    const yielded = terminatorOf(act).operands.map((value) => run.payloadOf(value));
    if (!this.flattenResults && yielded.some((payload) => sizeOf(payload) !== 1)) {
      const message =
        `action @${name} has results associated with multiple payload entities, but flattening was not ` +
        'requested';
      return definite(error('transform/unflattened', message, operation.location));
    }
    yielded.forEach((payload, i) => this.outputs[i]!.push(this.track(payload)));
    return undefined;
  }
}

/** The operations at or under a root, in post-order. */
const operationsUnder = (run: ScheduleRun, root: Value): readonly Id[] =>
  run.operations(run.idsOf(root)).flatMap((each) => [...walkPostOrder(each)].map(({ id }) => id));
