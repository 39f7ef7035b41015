/**
 * A run in progress: goes through the ops of a script and keeps the state (`run-state.ts`). Ops that are control flow work
 * with it directly.
 */
import type { Diagnosed, Diagnostic, Failed, Note } from '@sconv/diagnostics';
import { definite, error, success, warning } from '@sconv/diagnostics';
import type { Block, Edit, Id, Module, Operation, Value } from '@sconv/ir';
import { noForward } from '@sconv/ir';
import { applyStep } from './apply-step.ts';
import { consumedProblem, invalidatedBy } from './consumed-payload.ts';
import { consumedOperands } from './effects.ts';
import { expandStep } from './expand-step.ts';
import type { Replacements } from './follow-payload.ts';
import { addReplacements, followPayload, noReplacements } from './follow-payload.ts';
import { promisedName } from './handle-type.ts';
import { isTransformOp } from './is-transform-op.ts';
import type { Payload, ResolvedPayload } from './payload.ts';
import { idsIn, payloadKindOf } from './payload.ts';
import type { StepPlace } from './relocate.ts';
import { relocated, relocatedAll } from './relocate.ts';
import { operationsWith, resolvePayload } from './resolve-payload.ts';
import type { RunOptions } from './run-options.ts';
import type { RunState, TrackedPayload } from './run-state.ts';
import { RunStateCell } from './run-state.ts';
import { stagesOf } from './script.ts';

/** How deep includes and bodies may nest before it is taken for a recursion. */
const deepestNesting = 64;

/** A run in progress: the payload as it is now and what each value of the script stands for. */
export class ScheduleRun {
  readonly script: Module;
  readonly options: RunOptions;
  /** The op whose expansion this runs; the script's own locations mean nothing to a person then. */
  readonly expanded: Operation | undefined;
  private readonly cell: RunStateCell;
  private depth = 0;

  constructor(script: Module, payload: Module, options: RunOptions, expanded?: Operation) {
    this.expanded = expanded;
    this.script = script;
    this.options = options;
    this.cell = new RunStateCell(payload);
  }

  // --- The state -------------------------------------------------------------------------------------------------

  /** The payload as it is now. */
  get payload(): Module {
    return this.cell.now.payload;
  }

  get warnings(): readonly Diagnostic[] {
    return this.cell.now.warnings;
  }

  /** The state as it is now, to be restored when what comes next has failed. */
  get state(): RunState {
    return this.cell.keep();
  }

  restore(state: RunState): void {
    this.cell.restore(state);
  }

  /** Lets a value of the script stand for payload. */
  bind(value: Value, payload: Payload): void {
    const { handles, invalidated } = this.cell.mutable;
    handles.set(value.id, { value, payload });
    invalidated.delete(value.id);
  }

  /** What a value of the script stands for now. */
  payloadOf(value: Value): Payload {
    const binding = this.cell.now.handles.get(value.id);
    if (binding === undefined) throw new Error('a script value that no op has bound');
    return binding.payload;
  }

  /** The ids of the operations or values that a value of the script stands for now; none for a parameter. */
  idsOf(value: Value): readonly Id[] {
    return idsIn(this.payloadOf(value));
  }

  /** The payload operations with these ids. */
  operations(ids: readonly Id[]): readonly Operation[] {
    return operationsWith(this.payload, ids, this.options.registry);
  }

  /** What a payload names now. */
  resolve(payload: Payload): ResolvedPayload {
    return resolvePayload(this.payload, payload, this.options.registry);
  }

  /** Runs `body`, which may ask for payload to be followed while it runs. */
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

  /** Says that an op of the script did less than a person would expect. */
  warn(operation: Operation, code: string, message: string, notes: readonly Note[] = []): void {
    this.warnAll([warning(code, message, (this.expanded ?? operation).location, notes)]);
  }

  warnAll(warnings: readonly Diagnostic[]): void {
    if (warnings.length > 0) this.cell.mutable.warnings.push(...warnings);
  }

  // --- Steps -----------------------------------------------------------------------------------------------------

  /** Runs the ops of a block; the payload of each operand of its terminator. */
  runBlock(block: Block): Diagnosed<readonly Payload[]> {
    for (const [i, operation] of block.operations.entries()) {
      const unusable = this.checkHandles(operation);
      if (unusable !== undefined) return unusable;
      if (operation.name === 'transform.yield') {
        return success(operation.operands.map((value) => this.payloadOf(value)));
      }
      if (this.options.signal?.aborted === true) {
        return definite(error('transform/aborted', 'the schedule was aborted', operation.location));
      }
      const result = this.step(operation);
      if (result.status !== 'success') return result;
      this.options.onStep?.(operation, this.payload);
      const next = block.operations[i + 1];
      const goingOn = next === undefined ? [] : stagesOf(next);
      for (const stage of stagesOf(operation)) {
        if (!goingOn.includes(stage)) this.options.onStage?.(stage, this.payload);
      }
    }
    return success([]);
  }

  /** Runs a region that an op of the script stands for; fails where such runs nest without end. */
  nested(operation: Operation, body: () => Diagnosed<undefined>): Diagnosed<undefined> {
    if (this.depth >= deepestNesting) {
      const message = `sequences nest deeper than ${deepestNesting} levels`;
      return definite(error('transform/nesting', message, operation.location));
    }
    this.depth += 1;
    try {
      return body();
    } finally {
      this.depth -= 1;
    }
  }

  /** Runs the schedule that an op was expanded to, on the payload of this run, which is then what that schedule made. */
  runExpansion<T>(
    operation: Operation,
    script: Module,
    body: (expansion: ScheduleRun) => Diagnosed<T>,
  ): Diagnosed<T> {
    const { onStage, registry, signal } = this.options;
    const options = {
      registry,
      ...(onStage === undefined ? {} : { onStage }),
      ...(signal === undefined ? {} : { signal }),
    };
    const expansion = new ScheduleRun(script, this.payload, options, operation);
    expansion.cell.mutable.edits = this.cell.now.edits;
    const result = body(expansion);
    this.warnAll(expansion.warnings);
    if (result.status !== 'success') return result;
    const state = this.cell.mutable;
    state.payload = expansion.payload;
    state.edits = expansion.cell.now.edits;
    return result;
  }

  /** Lets the results of a script op stand for payload; fails where a result's type promises other. */
  bindResults(operation: Operation, payloads: readonly Payload[]): Diagnosed<undefined> {
    if (payloads.length !== operation.results.length) {
      const message = `'${operation.name}' produces ${payloads.length} handles, but ${operation.results.length} are bound`;
      return definite(error('transform/result-count', message, operation.location));
    }
    return this.bindAll(operation, operation.results, payloads);
  }

  /** Lets values of the script stand for payload; fails where a value's type promises other. */
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

  /** Takes over what an edit by `operation` made. */
  changed(operation: Operation, { module, forward }: Edit<unknown>): void {
    if (forward === noForward) return;
    const state = this.cell.mutable;
    const { edits } = state;
    state.payload = module;
    state.edits = { forward, before: edits };
    const replaced = noReplacements();
    addReplacements(replaced, state.edits, edits);
    this.follow(operation, replaced);
  }

  /**
   * Follows every handle through what `operation` replaced. What stands for a payload op now may be of another name than a
   * handle's type promises; such a handle must not be used any more.
   */
  follow(operation: Operation, replaced: Replacements): void {
    if (replaced.operations.size === 0 && replaced.values.size === 0) return;
    const { handles, invalidated, tracked } = this.cell.mutable;
    for (const [key, payload] of tracked) tracked.set(key, followPayload(payload, replaced));
    for (const [id, { value, payload }] of handles) {
      const followed = followPayload(payload, replaced);
      if (followed === payload) continue;
      const promised = promisedName(value.type);
      const ids = idsIn(followed);
      const kept =
        promised === undefined
          ? ids
          : this.operations(ids)
              .filter(({ name }) => name === promised)
              .map((each) => each.id);
      handles.set(id, { value, payload: kept === ids ? followed : { kind: 'operations', ids: kept } });
      if (kept.length < ids.length && !invalidated.has(id)) {
        const message = `its payload was replaced by this ${operation.name}, by what its type does not promise`;
        invalidated.set(id, { message, location: operation.location });
      }
    }
  }

  /** The failure of an op's own code as a person should see it: first the transform op, then the payload op. */
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
    return { operation, expanded, payload, targets, registry: this.options.registry };
  }

  /** A failure if a value's type promises other payload than it is to stand for. */
  private brokenPromise(operation: Operation, value: Value, payload: Payload): Failed | undefined {
    const fail = (message: string, notes: readonly Note[] = []) =>
      definite(error('transform/handle-type', message, operation.location, notes));
    const kind = payloadKindOf(value.type);
    if (kind !== payload.kind) return fail(`incompatible payload, expected ${kind}, got ${payload.kind}`);
    const promised = promisedName(value.type);
    if (promised === undefined || payload.kind !== 'operations') return undefined;
    const other = this.operations(payload.ids).find(({ name }) => name !== promised);
    if (other === undefined) return undefined;
    const note = { message: 'payload operation', location: other.location };
    return fail(`incompatible payload operation name, expected ${promised}, got ${other.name}`, [note]);
  }

  /** A failure if an operand's handle was consumed, or its payload with another. */
  private checkHandles(operation: Operation): Failed | undefined {
    for (const operand of operation.operands) {
      const reason = this.cell.now.invalidated.get(operand.id);
      if (reason === undefined) continue;
      const message = 'op uses a handle invalidated by a previously executed transform op';
      return definite(error('transform/invalidated-handle', message, operation.location, [reason]));
    }
    return undefined;
  }

  private step(operation: Operation): Diagnosed<undefined> {
    const definition = this.options.registry.operations.get(operation.name);
    if (definition === undefined || !isTransformOp(definition)) {
      const message = `'${operation.name}' is not a transform operation`;
      return definite(error('transform/not-a-transform', message, operation.location));
    }
    const { interpret, expand } = definition.transform.behaviour;
    if (interpret !== undefined) {
      return interpret(this, operation, definition.transform.readAttributes(operation));
    }
    const consumed = consumedOperands(definition, operation);
    const problem = consumedProblem(this, operation, consumed);
    if (problem !== undefined) return problem;
    const invalid = invalidatedBy(this, consumed);
    const results =
      expand === undefined ? applyStep(this, operation, definition) : expandStep(this, operation, definition);
    if (results.status !== 'success') return results;
    // Before the results are bound: one of them may be a value that an earlier run of this op bound.
    for (const value of invalid) {
      this.cell.mutable.invalidated.set(value, {
        message: `invalidated by this ${operation.name}`,
        location: operation.location,
      });
    }
    return this.bindResults(operation, results.value);
  }
}
