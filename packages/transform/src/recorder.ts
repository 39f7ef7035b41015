/** Collects the ops of a schedule while its callback runs, and rejects consumed handles. */
import type { Location } from '@sconv/diagnostics';
import { describeValue, DiagnosticError, error } from '@sconv/diagnostics';
import type { Attribute, DraftBlock, Id, OperationState, Rewriter, Type, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { callSite } from './call-site.ts';
import { castToAny } from './cast.ts';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { consumedOperands } from './effects.ts';
import type { Handle, Param, ParamValue, ScriptValue } from './handle.ts';
import { scriptValueOf } from './handle.ts';
import { match } from './match.ts';
import type { NamedSequence } from './named-sequence.ts';
import { yieldOp } from './named-sequence.ts';
import { constantParam, paramAttribute } from './param.ts';
import type { RecordedSequence, ScriptRecording } from './script-recording.ts';
import { inGroups } from './script.ts';
import type { Yielded } from './yields.ts';
import { yieldedOf } from './yields.ts';

/** Records the operations of a schedule; `Root` lists the possible names of the payload's root. */
export interface Recorder<Root extends string = string> {
  /** The root of the payload; in a sequence or an alternative, its first argument. */
  readonly root: Handle<Root>;
  /** Matches payload operations with these names below the root, in textual order. */
  match<const N extends string>(...names: readonly [N, ...N[]]): Handle<N>;
  /** A constant parameter. */
  param(value: number): Param<number>;
  param(value: string): Param<string>;
  param(value: boolean): Param<boolean>;
  param(value: Attribute): Param<Attribute>;
  /** Runs `body`; the ops that it records form a group with this name in traces, carried by their locations. */
  stage<T>(name: string, body: () => T): T;
  /**
   * Runs `body`; the ops that it records are located at `place`, not their call sites: for helpers that record many.
   */
  at<T>(place: Location, body: () => T): T;
  /** Appends an operation; returns its results. */
  record(
    definition: TransformOpDefinition,
    state: OperationState<Rewriter>,
    helper?: Location,
  ): readonly ScriptValue[];
  /** Appends an operation with bodies; returns its results, in the form in which the bodies yield. */
  recordBodies(definition: TransformOpDefinition, state: OperationState<Rewriter>, bodies: Bodies): Yielded;
  /** The sequence as recorded in this script for parameters of these types; recorded on first use. */
  recordSequence(sequence: NamedSequence, types: readonly Type[]): RecordedSequence;
  /** Marks values as consumed: later uses are errors. */
  consume(values: readonly ScriptValue[], by: string): void;
  /** The handle or parameter for a value of the script, such as a body argument. */
  handle(value: Value): ScriptValue;
}

/** The bodies of an operation; the arguments of each correspond to its operands. */
export interface Bodies {
  readonly bodies: readonly ((...values: never) => unknown)[];
  /** Whether they may only use their arguments. */
  readonly isolated: boolean;
}

/** The op that consumed a value, and where. */
interface Consumption {
  readonly by: string;
  readonly at: Location;
}

/** A body without its terminator. */
interface RecordedBody {
  readonly block: DraftBlock;
  readonly recorder: ScheduleRecorder;
  readonly yielded: Yielded;
}

/** The recorder of a sequence, and of nested bodies that may use outer values. */
export class ScheduleRecorder<Root extends string = string> implements Recorder<Root> {
  private readonly script: ScriptRecording;
  private readonly entry: DraftBlock;
  /** The block that operations are appended to. */
  private block: DraftBlock;
  private readonly consumed = new Map<Id, Consumption>();
  /** The open stages, outermost first. */
  private stages: readonly string[] = [];
  private place: Location | undefined;

  constructor(script: ScriptRecording, entry: DraftBlock) {
    this.script = script;
    this.entry = entry;
    this.block = entry;
  }

  get root(): Handle<Root> {
    return this.handle(this.entry.arguments[0]!) as Handle<Root>;
  }

  handle(value: Value): ScriptValue {
    return scriptValueOf(value, this);
  }

  match<const N extends string>(...names: readonly [N, ...N[]]): Handle<N> {
    return match({ target: this.root }, { ops: names }).results;
  }

  param<T extends ParamValue>(value: T): Param<T> {
    const { attribute, type } = paramAttribute(value);
    const { definition } = constantParam;
    const state = definition.state<Rewriter>({ attributes: { value: attribute }, resultTypes: [type] });
    const [param] = this.record(definition, state);
    return param as Param<T>;
  }

  stage<T>(name: string, body: () => T): T {
    return this.inStages([...this.stages, name], body);
  }

  at<T>(place: Location, body: () => T): T {
    const outer = this.place;
    this.place = place;
    try {
      return body();
    } finally {
      this.place = outer;
    }
  }

  record(
    definition: TransformOpDefinition,
    state: OperationState<Rewriter>,
    helper?: Location,
  ): readonly ScriptValue[] {
    const location = state.location ?? this.here(helper);
    for (const operand of state.operands) this.checkUsable(operand, definition.name, location);
    const { rewriter } = this.script;
    rewriter.setInsertionPointToEnd(this.block);
    const operation = rewriter.create(state, inGroups(this.stages, location));
    for (const operand of consumedOperands(definition, operation)) {
      this.consumed.set(operand.id, { by: definition.name, at: location });
    }
    return operation.results.map((value) => this.handle(value));
  }

  recordBodies(
    definition: TransformOpDefinition,
    state: OperationState<Rewriter>,
    { bodies, isolated }: Bodies,
  ): Yielded {
    for (const body of bodies) {
      if (typeof (body as unknown) === 'function') continue;
      throw new TypeError(`expected a function that records the body, not ${describeValue(body)}`);
    }
    const location = state.location ?? this.here();
    const { rewriter } = this.script;
    // Recording the bodies determines the result types, but the bodies need a parent op.
    rewriter.setInsertionPointToEnd(this.block);
    const draft = rewriter.create(state, location);
    const types = state.operands.map(({ type }) => type);
    const recordAll = () => {
      try {
        const all = bodies.map((body) =>
          this.recordBody(rewriter.createBlock(rewriter.createRegion(draft), types), body, isolated),
        );
        return { recorded: all, yielded: terminated(all, location) };
      } catch (thrown) {
        // A caller that catches the error continues with a script without this op.
        rewriter.eraseOperation(draft);
        throw thrown;
      }
    };
    const { recorded, yielded } = recordAll();
    const results = this.record(definition, {
      ...state,
      location,
      resultTypes: yielded.values.map(({ value }) => value.type),
    });
    const operation = this.block.last!;
    for (const region of draft.regions) rewriter.moveRegion(region, rewriter.createRegion(operation));
    rewriter.eraseOperation(draft);
    for (const { block, recorder } of recorded) {
      block.arguments.forEach(({ id }, i) => {
        const consumption = recorder.consumed.get(id);
        if (consumption !== undefined) this.consumed.set(state.operands[i]!.id, consumption);
      });
    }
    return { form: yielded.form, values: results };
  }

  recordSequence(sequence: NamedSequence, types: readonly Type[]): RecordedSequence {
    return this.script.include(sequence, types);
  }

  consume(values: readonly ScriptValue[], by: string): void {
    const at = this.here();
    for (const { value } of values) this.consumed.set(value.id, { by, at });
  }

  /** The arguments of the sequence that ops consumed. */
  get consumedArguments(): readonly boolean[] {
    return this.entry.arguments.map(({ id }) => this.consumed.has(id));
  }

  /** What the callback of `what` returned, if it belongs to this recorder and is not consumed. */
  yielded(given: unknown, what: string): Yielded {
    const yielded = yieldedOf(given);
    if (yielded === undefined || yielded.values.some(({ recorder }) => recorder !== this)) {
      const message = `${what} yields nothing, a handle or parameter of its own, or a list of such`;
      throw new DiagnosticError([error('schedule/yield', message, this.here())]);
    }
    for (const { value } of yielded.values) {
      const before = this.consumed.get(value.id);
      if (before !== undefined) throw usedAfterConsumed(`the end of ${what}`, this.here(), before);
    }
    return yielded;
  }

  /** Appends the terminator of a block. */
  terminate(values: readonly ScriptValue[], location: Location): void {
    const operands = values.map(({ value }) => value);
    this.record(yieldOp.definition, yieldOp.definition.state({ operands: { operands }, location }));
  }

  /** Runs `body` with `block` as the insertion block. */
  appendingTo<T>(block: DraftBlock, body: () => T): T {
    const outer = this.block;
    this.block = block;
    try {
      return this.inStages([], body);
    } finally {
      this.block = outer;
    }
  }

  /** The location of the ops being recorded. */
  private here(helper?: Location): Location {
    return this.place ?? (helper === undefined ? callSite() : callSite(helper));
  }

  private inStages<T>(stages: readonly string[], body: () => T): T {
    const outer = this.stages;
    this.stages = stages;
    try {
      return body();
    } finally {
      this.stages = outer;
    }
  }

  private recordBody(block: DraftBlock, body: Bodies['bodies'][number], isolated: boolean): RecordedBody {
    const recorder = isolated ? new ScheduleRecorder(this.script, block) : this;
    const yielded = recorder.appendingTo(block, () =>
      recorder.yielded(
        (body as (...values: readonly ScriptValue[]) => unknown)(
          ...block.arguments.map((value) => recorder.handle(value)),
        ),
        'a body',
      ),
    );
    return { block, recorder, yielded };
  }

  private checkUsable(value: Value, user: string, location: Location): void {
    const before = this.consumed.get(value.id);
    if (before !== undefined) throw usedAfterConsumed(user, location, before);
  }
}

/** Terminates alternative bodies: yielded handles are cast to `any_op` if their types differ. */
const terminated = (bodies: readonly RecordedBody[], location: Location): Yielded => {
  const [first, ...others] = bodies;
  if (first === undefined) return { form: 'nothing', values: [] };
  const { form, values } = first.yielded;
  if (others.some(({ yielded }) => yielded.form !== form || yielded.values.length !== values.length)) {
    const message = 'bodies of which one is run yield different numbers of handles';
    throw new DiagnosticError([error('schedule/yield', message, location)]);
  }
  const isShared = values.map(({ value: { type } }, k) =>
    others.every(({ yielded }) => typeEquals(yielded.values[k]!.value.type, type)),
  );
  const ends = bodies.map(({ block, recorder, yielded }) =>
    recorder.appendingTo(block, () => {
      const end = yielded.values.map((each, k) =>
        isShared[k] === true || each.kind !== 'handle' ? each : castToAny(each),
      );
      recorder.terminate(end, location);
      return end;
    }),
  );
  return { form, values: ends[0]! };
};

const usedAfterConsumed = (name: string, location: Location, before: Consumption) =>
  new DiagnosticError([
    error('schedule/consumed-handle', `${name} uses a handle that ${before.by} has consumed`, location, [
      { message: `consumed here by ${before.by}`, location: before.at },
    ]),
  ]);
