/**
 * A run in progress: executes the ops of a script and maintains the state (`run-state.ts`). Control-flow ops use it
 * directly.
 */
import type { Diagnosed, Diagnostic, Failed, Location, Note } from '@sconv/diagnostics';
import { andThen, definite, error, mapSuccess, remark, success, warning } from '@sconv/diagnostics';
import type { Block, Id, Module, Operation, Registry, Value } from '@sconv/ir';
import { modelOf, noForward } from '@sconv/ir';
import { applyStep } from './apply-step.ts';
import { consumedIn } from './consumed-arguments.ts';
import { consumedProblem, invalidatedBy } from './consumed-payload.ts';
import { consumedOperands } from './effects.ts';
import { expandStep } from './expand-step.ts';
import type { FailureMode } from './failure-mode.ts';
import type { Replacements } from './follow-payload.ts';
import { findSequence } from './find-sequence.ts';
import { followHandle, followPayload, replacementsIn } from './follow-payload.ts';
import { promisedName, unfitParam } from './handle-type.ts';
import { invalidatedMessage, invalidHandleError } from './invalidated-handle.ts';
import { hasBehaviour, isTransformOp } from './is-transform-op.ts';
import { notImplemented } from './not-implemented.ts';
import type { Payload, ResolvedPayload } from './payload.ts';
import { emptyPayload, idsIn, operationsPayload, payloadKindOf, sizeOf } from './payload.ts';
import type { StepPlace } from './relocate.ts';
import { relocated, relocatedAll } from './relocate.ts';
import { operationsWith, resolvePayload } from './resolve-payload.ts';
import { deepestNesting, mostItems, mostSteps } from './run-limits.ts';
import type { AbortSignalLike } from './run-options.ts';
import type { EditList, Invalidation, PayloadEdit, RunState, TrackedPayload } from './run-state.ts';
import { RunStateCell } from './run-state.ts';
import { groupNames } from './script.ts';
import type { GroupStart, Tracer } from './tracer.ts';

const tooDeep = (operation: Operation): Failed =>
  definite(
    error('transform/nesting', `sequences nest deeper than ${deepestNesting} levels`, operation.location),
  );

/** The environment of a run. */
export interface RunContext {
  /** Contains the ops of the script and of the payload. */
  readonly registry: Registry;
  readonly signal?: AbortSignalLike | undefined;
  readonly tracer?: Tracer | undefined;
  /** The root of the payload, if not the module's. */
  readonly root?: Id | undefined;
  /** Receives the output of `transform.print`. */
  readonly print?: ((text: string) => void) | undefined;
}

/** A run in progress: the current payload and the bindings of script values. */
export class ScheduleRun {
  readonly script: Module;
  readonly context: RunContext;
  /** The op whose expansion this runs; the script's own locations are then meaningless to the user. */
  readonly expanded: Operation | undefined;
  private readonly cell: RunStateCell;
  private depth: number;
  private steps = 0;
  /** Which arguments of a body its ops consume: bodies run again and again. */
  private readonly consumed = new Map<Block, readonly boolean[]>();

  constructor(script: Module, payload: Module, context: RunContext, expanded?: Operation, depth = 0) {
    this.expanded = expanded;
    this.depth = depth;
    this.script = script;
    this.context = context;
    this.cell = new RunStateCell(payload);
  }

  // --- The state -------------------------------------------------------------------------------------------------

  /** The current payload. */
  get payload(): Module {
    return this.cell.now.payload;
  }

  get warnings(): readonly Diagnostic[] {
    return this.cell.now.warnings;
  }

  /** The edits of this run, if needed: by a trace, or by the run that this is an expansion of. */
  get edits(): EditList | undefined {
    return this.cell.now.edits;
  }

  /** The current state, for reading; it changes as the run proceeds. */
  get now(): RunState {
    return this.cell.now;
  }

  /** Saves the current state, to be restored on failure. */
  get state(): RunState {
    return this.cell.keep();
  }

  restore(state: RunState): void {
    this.cell.restore(state);
    this.context.tracer?.restored?.();
  }

  /** Restores an earlier payload in the middle of an op that has not changed handles yet. */
  takeBack(payload: Module, edits: EditList | undefined): void {
    const state = this.cell.mutable;
    state.payload = payload;
    state.edits = edits;
    this.context.tracer?.restored?.();
  }

  /** Resets the list of edits. */
  forgetEdits(): void {
    this.cell.mutable.edits = undefined;
  }

  /** Binds a script value to payload. */
  bind(value: Value, payload: Payload): void {
    const before = this.now.handles.get(value.id)?.payload;
    this.context.tracer?.rebound?.({ value, before, after: payload });
    this.cell.setHandle(value, payload);
    this.cell.mutable.invalidated.delete(value.id);
  }

  /** The current payload of a script value. */
  payloadOf(value: Value): Payload {
    const binding = this.cell.now.handles.get(value.id);
    if (binding === undefined) throw new Error('a script value that no op has bound');
    return binding.payload;
  }

  /** The ids of the operations or values that a script value refers to; empty for a parameter. */
  idsOf(value: Value): readonly Id[] {
    return idsIn(this.payloadOf(value));
  }

  /** The payload operations with these ids. */
  operations(ids: readonly Id[]): readonly Operation[] {
    return operationsWith(this.payload, ids, this.context.registry);
  }

  /** Resolves a payload in the current module. */
  resolve(payload: Payload): ResolvedPayload {
    return resolvePayload(this.payload, payload, this.context.registry);
  }

  /** The script values that refer to any of these payload operations or values. */
  holdersOf(ids: Iterable<Id>): ReadonlySet<Id> {
    return this.cell.holdersOf(ids);
  }

  /** Whether a script value refers to this payload operation or value. */
  isHeld(id: Id): boolean {
    return this.cell.isHeld(id);
  }

  /** The root of the payload. */
  get rootPayload(): Payload {
    return operationsPayload([this.context.root ?? this.payload.root.id]);
  }

  /** Runs `body`, which may request tracking of payload while it runs. */
  tracking<T>(body: (track: (payload: Payload) => TrackedPayload) => T): T {
    const { cell } = this;
    const mine: TrackedPayload[] = [];
    try {
      return body((payload) => {
        const tracked: TrackedPayload = {
          get payload() {
            return cell.now.tracked.get(tracked) ?? payload;
          },
        };
        mine.push(tracked);
        cell.mutable.tracked.set(tracked, payload);
        return tracked;
      });
    } finally {
      for (const tracked of mine) cell.mutable.tracked.delete(tracked);
    }
  }

  /** Warns that a script op did less than expected. */
  warn(operation: Operation, code: string, message: string, notes: readonly Note[] = []): void {
    this.warnAll([warning(code, message, (this.expanded ?? operation).location, notes)]);
  }

  /** Emits a remark that the script requests. */
  remark(code: string, message: string, location: Location, notes: readonly Note[] = []): void {
    this.warnAll([remark(code, message, location, notes)]);
  }

  warnAll(warnings: readonly Diagnostic[]): void {
    if (warnings.length === 0) return;
    this.cell.mutable.warnings.push(...warnings);
    this.context.tracer?.warned?.(warnings);
  }

  // --- Steps -----------------------------------------------------------------------------------------------------

  /** Runs the ops of a block; returns the payload of its terminator operands. */
  runBlock(block: Block, failures: FailureMode = 'propagate'): Diagnosed<readonly Payload[]> {
    return mapSuccess(this.runOperations(block.operations, failures), (yielded) => yielded ?? []);
  }

  /** Runs ops of a block up to its terminator; returns the payload of the terminator operands, if it is among them. */
  runOperations(
    operations: readonly Operation[],
    failures: FailureMode = 'propagate',
  ): Diagnosed<readonly Payload[] | undefined> {
    return this.context.tracer === undefined
      ? this.runAll(operations, failures)
      : this.runGroups(operations, failures, 0);
  }

  /** Runs steps as a group in traces. */
  group<T>(group: GroupStart, body: () => Diagnosed<T>): Diagnosed<T> {
    const { tracer } = this.context;
    return tracer === undefined ? body() : tracer.group(this, group, body);
  }

  /** Runs ops; adjacent ones whose locations share a name form a group. The outer `level` names are already open. */
  private runGroups(
    operations: readonly Operation[],
    failures: FailureMode,
    level: number,
  ): Diagnosed<readonly Payload[] | undefined> {
    let start = 0;
    while (start < operations.length) {
      const name = groupNames(operations[start]!.location)[level];
      let end = start + 1;
      while (end < operations.length && groupNames(operations[end]!.location)[level] === name) end += 1;
      const part = operations.slice(start, end);
      const result =
        name === undefined
          ? this.runAll(part, failures)
          : this.group({ role: 'stage', name }, () => this.runGroups(part, failures, level + 1));
      if (result.status !== 'success' || result.value !== undefined) return result;
      start = end;
    }
    return success(undefined);
  }

  private runAll(
    operations: readonly Operation[],
    failures: FailureMode,
  ): Diagnosed<readonly Payload[] | undefined> {
    const { tracer, signal } = this.context;
    for (const operation of operations) {
      if (operation.name === 'transform.yield') {
        return (
          this.checkHandles(operation) ?? success(operation.operands.map((value) => this.payloadOf(value)))
        );
      }
      if (signal?.aborted === true) {
        return definite(error('transform/aborted', 'the schedule was aborted', operation.location));
      }
      this.steps += 1;
      if (this.steps > mostSteps) {
        const message = `the schedule has run ${mostSteps} steps, and is not at its end`;
        return definite(error('transform/steps', message, operation.location));
      }
      const body = (): Diagnosed<undefined> => this.checkHandles(operation) ?? this.step(operation);
      const result = tracer === undefined ? body() : tracer.step(this, operation, body);
      if (result.status === 'success') continue;
      if (result.status === 'definite' || failures === 'propagate') return result;
      this.bindNothing(operation.results);
    }
    return success(undefined);
  }

  /**
   * Runs a region of a script op; fails on excessive nesting. Operands whose block arguments are consumed in `block`
   * are invalid afterwards, even if they are empty.
   */
  nested(operation: Operation, body: () => Diagnosed<undefined>, block?: Block): Diagnosed<undefined> {
    if (this.depth >= deepestNesting) return tooDeep(operation);
    this.depth += 1;
    try {
      const result = body();
      if (block !== undefined && result.status !== 'definite') this.invalidateConsumed(operation, block);
      return result;
    } finally {
      this.depth -= 1;
    }
  }

  /** Handles with payload are already invalidated along with it; this covers empty handles. */
  private invalidateConsumed(operation: Operation, block: Block): void {
    const { registry } = this.context;
    const consumed =
      this.consumed.get(block) ??
      consumedIn(block, {
        modelOf: (each, asked) => modelOf(registry, asked, each),
        lookupSymbol: (name) => findSequence(this.script, name),
      });
    this.consumed.set(block, consumed);
    operation.operands.forEach(({ id }, position) => {
      if (consumed[position] !== true || this.now.invalidated.has(id)) return;
      const message = invalidatedMessage(position);
      this.invalidate(id, {
        reason: 'consumed',
        note: { message, location: operation.location },
        notes: [],
      });
    });
  }

  /**
   * Runs the expansion of an op on the payload of this run, which then continues with the result. Its edits follow
   * those of this run.
   */
  runExpansion<T>(
    operation: Operation,
    script: Module,
    body: (expansion: ScheduleRun) => Diagnosed<T>,
  ): Diagnosed<{ readonly value: T; readonly edits: EditList | undefined }> {
    if (this.depth >= deepestNesting) return tooDeep(operation);
    const expansion = new ScheduleRun(script, this.payload, this.context, operation, this.depth + 1);
    expansion.cell.mutable.edits = this.edits;
    const result = body(expansion);
    if (expansion.warnings.length > 0) this.cell.mutable.warnings.push(...expansion.warnings);
    if (result.status !== 'success') return result;
    const { edits } = expansion;
    const state = this.cell.mutable;
    state.payload = expansion.payload;
    if (this.keepsEdits) state.edits = edits;
    return success({ value: result.value, edits }, result.diagnostics);
  }

  /** Binds the results of a script op; fails if a result's type promises other payload. */
  bindResults(operation: Operation, payloads: readonly Payload[]): Diagnosed<undefined> {
    if (payloads.length !== operation.results.length) {
      const message =
        `'${operation.name}' produces ${payloads.length} handles, but ${operation.results.length} are ` +
        'bound';
      return definite(error('transform/result-count', message, operation.location));
    }
    return this.bindAll(operation, operation.results, payloads);
  }

  /** Binds script values to empty payload. */
  private bindNothing(values: readonly Value[]): void {
    for (const value of values) this.bind(value, emptyPayload(value.type));
  }

  /** Binds script values; fails if a value's type promises other payload, or if there is too much of it. */
  bindAll(
    operation: Operation,
    values: readonly Value[],
    payloads: readonly Payload[],
  ): Diagnosed<undefined> {
    for (const [i, value] of values.entries()) {
      const payload = payloads[i]!;
      const wrong = this.brokenPromise(operation, value, payload);
      if (wrong !== undefined) return wrong;
      this.bind(value, payload);
    }
    return success(undefined);
  }

  /** Commits an edit made by `operation`. */
  changed(operation: Operation, module: Module, edit: PayloadEdit): void {
    if (edit.forward === noForward) return;
    const state = this.cell.mutable;
    state.payload = module;
    if (this.keepsEdits)
      state.edits = { forward: edit.forward, successors: edit.successors, before: state.edits };
    this.follow(operation, replacementsIn(edit));
  }

  private get keepsEdits(): boolean {
    return this.expanded !== undefined || this.context.tracer !== undefined;
  }

  /** Updates every handle after replacements by `operation`; one that lost payload becomes invalid. */
  follow(operation: Operation, replaced: Replacements): void {
    if (replaced.operations.size === 0 && replaced.values.size === 0) return;
    const { tracked } = this.cell.mutable;
    for (const [key, payload] of tracked) tracked.set(key, followPayload(payload, replaced));
    const holders = new Set(this.holdersOf(replaced.operations.keys()));
    for (const id of this.holdersOf(replaced.values.keys())) holders.add(id);
    for (const id of holders) {
      const { value, payload: before } = this.now.handles.get(id)!;
      const { payload: after, lost } = followHandle(before, replaced);
      const other = lost === undefined && after !== before ? this.notPromised(value, after) : undefined;
      if (lost !== undefined || other !== undefined) {
        const message = `nothing was found that it could stand for after this ${operation.name}`;
        const notes = lost?.notes ?? [{ message: `replaced by ${other!.name}`, location: other!.location }];
        this.invalidate(id, { reason: 'lost', note: { message, location: operation.location }, notes });
      } else if (after !== before) {
        this.cell.setHandle(value, after);
        this.context.tracer?.rebound?.({ value, before, after });
      }
    }
  }

  /** The failure of an op's core as presented to the user: first the transform op, then the payload op. */
  relocated(operation: Operation, failed: Failed): Failed {
    return relocated(this.placeOf(operation), failed);
  }

  relocatedAll(operation: Operation, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    return diagnostics.length === 0 ? [] : relocatedAll(this.placeOf(operation), diagnostics);
  }

  private placeOf(operation: Operation): StepPlace {
    const targets = operation.operands
      .map((operand) => this.resolve(this.payloadOf(operand)))
      .flatMap((payload) => (payload.kind === 'operations' ? payload.operations : []));
    const { payload, expanded } = this;
    return { operation, expanded, payload, targets, registry: this.context.registry };
  }

  /** Fails if a value's type promises other payload than it is bound to, or if there is too much of it. */
  private brokenPromise(operation: Operation, value: Value, payload: Payload): Failed | undefined {
    const fail = (message: string, notes: readonly Note[] = []) =>
      definite(error('transform/handle-type', message, operation.location, notes));
    const kind = payloadKindOf(value.type);
    if (kind !== payload.kind) return fail(`incompatible payload, expected ${kind}, got ${payload.kind}`);
    if (sizeOf(payload) > mostItems) {
      const message = `a handle to more than ${mostItems} items`;
      return definite(error('transform/handle-size', message, operation.location));
    }
    const attribute = payload.kind === 'params' ? unfitParam(value.type, payload.attributes) : undefined;
    if (attribute !== undefined) return fail(attribute);
    const other = this.notPromised(value, payload);
    if (other === undefined) return undefined;
    const note = { message: 'payload operation', location: other.location };
    const promised = promisedName(value.type)!;
    return fail(`incompatible payload operation name expected ${promised} vs ${other.name}`, [note]);
  }

  /** A payload operation whose name differs from the one that the handle type promises. */
  private notPromised(value: Value, payload: Payload): Operation | undefined {
    const promised = promisedName(value.type);
    return promised === undefined
      ? undefined
      : this.operations(idsIn(payload)).find(({ name }) => name !== promised);
  }

  /** Fails if an operand's handle was consumed or lost, or its payload consumed through another handle. */
  private checkHandles(operation: Operation): Failed | undefined {
    for (const operand of operation.operands) {
      const invalidation = this.cell.now.invalidated.get(operand.id);
      if (invalidation !== undefined)
        return definite(invalidHandleError(this.script, operation, operand, invalidation));
    }
    return undefined;
  }

  private step(operation: Operation): Diagnosed<undefined> {
    const definition = this.context.registry.operations.get(operation.name);
    if (definition === undefined || !isTransformOp(definition)) {
      const message = `'${operation.name}' is not a transform operation`;
      return definite(error('transform/not-a-transform', message, operation.location));
    }
    const { interpret, expand } = definition.transform.behaviour;
    if (!hasBehaviour(definition)) return notImplemented(`'${operation.name}'`, operation.location);
    if (interpret !== undefined) {
      return interpret(this, operation, definition.transform.readAttributes(operation));
    }
    return this.consuming(operation, consumedOperands(definition, operation), () =>
      expand === undefined ? applyStep(this, operation, definition) : expandStep(this, operation, definition),
    );
  }

  /** Runs `body` and binds the op's results; then invalidates what the op consumes. */
  consuming(
    operation: Operation,
    consumed: readonly Value[],
    body: () => Diagnosed<readonly Payload[]>,
  ): Diagnosed<undefined> {
    const problem = consumedProblem(this, operation, consumed);
    if (problem !== undefined) return problem;
    const invalid = invalidatedBy(this, consumed);
    const results = body();
    if (results.status === 'definite') return results;
    // Before binding the results: one of them may have been bound by an earlier run of this op.
    const position = operation.operands.findIndex(({ id }) => id === consumed[0]?.id);
    for (const [value, { also, notes }] of invalid) {
      const message = `${invalidatedMessage(position)}${also}`;
      this.invalidate(value, {
        reason: 'consumed',
        note: { message, location: operation.location },
        notes,
      });
    }
    return andThen(results, (payloads) => this.bindResults(operation, payloads));
  }

  private invalidate(id: Id, invalidation: Invalidation): void {
    const binding = this.now.handles.get(id);
    if (binding !== undefined)
      this.context.tracer?.invalidated?.(binding.value, binding.payload, invalidation.note);
    this.cell.mutable.invalidated.set(id, invalidation);
    // Needs no tracking any more.
    this.cell.dropHandle(id);
  }
}
