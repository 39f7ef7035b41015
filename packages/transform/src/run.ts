/**
 * The transform interpreter: applies a schedule to a payload, op by op. The payload is a value, so an op that fails
 * leaves it as the very object that it was.
 *
 * @deviation Upstream keeps what the earlier targets of a silenceably failing op went through; here an op changes all of
 * its targets or none.
 */
import type { Diagnosed, Diagnostic, Failed, Note } from '@sconv/diagnostics';
import { definite, error, silenceable, success, warning } from '@sconv/diagnostics';
import type { Block, Forward, Id, Module, Operation, Registry, Value } from '@sconv/ir';
import {
  bodyOf,
  children,
  findOperation,
  follow,
  printOperation,
  symbolNameOf,
  tryEdit,
  walk,
} from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { isTransformOp } from './define-transform-op.ts';
import { consumedOperands, operandGroups } from './effects.ts';
import { promisedName } from './handle-type.ts';
import type { Schedule } from './schedule.ts';
import { entryPoint, stagesOf } from './script.ts';

/** How a schedule is run, and what is told of it. */
export interface RunOptions {
  /** Knows the ops of the script and of the payload. */
  readonly registry: Registry;
  /** The named sequence to run; `__transform_main` if not given. */
  readonly entryPoint?: string;
  /** Called after each op of the script, not of its expansions, with the payload as it then is. */
  readonly onStep?: (operation: Operation, payload: Module) => void;
  /** Called for each payload operation that an op of the script has expanded for, when that op has succeeded. */
  readonly onExpand?: (expansion: Expansion) => void;
  /** Called when the last op of a stage is done; an op with several targets goes through its stages for each. */
  readonly onStage?: (stage: string, payload: Module) => void;
  /** Stops between two ops. */
  readonly signal?: AbortSignalLike;
}

/** What an op became for one of its targets. */
export interface Expansion {
  readonly operation: Operation;
  /** As it was before. */
  readonly target: Operation;
  readonly schedule: Schedule;
}

/** The part of `AbortSignal` that is read. */
export interface AbortSignalLike {
  readonly aborted: boolean;
}

/** What a schedule made. */
export interface RunResult {
  readonly module: Module;
  /** The payload operations of each handle that the sequence yields, as they are in `module`. */
  readonly yielded: readonly (readonly Operation[])[];
}

/** What stands for each operation that was replaced or erased. */
type Replacements = Forward['operations'];

/** Payload operations of several handles. */
type Payloads = readonly (readonly Id[])[];

/** Payload operations that are followed through every edit. */
export interface TrackedPayload {
  readonly ids: readonly Id[];
}

/** What a handle stands for. */
interface Binding extends TrackedPayload {
  readonly value: Value;
}

/** How deep includes and bodies may nest before it is taken for a recursion. */
const deepestNesting = 64;

/** Runs the entry point of `script` on `payload`. A silenceable failure that nothing suppresses is a definite one. */
export const runSchedule = (script: Module, payload: Module, options: RunOptions): Diagnosed<RunResult> => {
  const name = options.entryPoint ?? entryPoint;
  const sequence = findSequence(script, name);
  if (sequence === undefined) {
    const message = `could not find a nested named sequence with name: ${name}`;
    return definite(error('transform/no-entry-point', message, script.root.location));
  }
  const [body] = sequence.regions[0]!.blocks;
  if (body === undefined) {
    const message = `the sequence '@${name}' has no body`;
    return definite(error('transform/no-entry-point', message, sequence.location));
  }
  if (body.arguments.length > 1) {
    const message = `the entry point takes the payload's root alone, but has ${body.arguments.length} arguments`;
    return definite(error('transform/entry-arguments', message, sequence.location));
  }
  const run = new ScheduleRun(script, payload, options);
  for (const root of body.arguments) run.bind(root, [payload.root.id]);
  const result = run.runBlock(body);
  if (result.status !== 'success') return definite(...run.warnings, ...result.diagnostics);
  return success(
    { module: run.payload, yielded: result.value.map((ids) => run.operations(ids)) },
    run.warnings,
  );
};

/** The named sequence of a script with this symbol. */
export const findSequence = (script: Module, name: string): Operation | undefined =>
  children(script.root).find(
    (operation) => operation.name === 'transform.named_sequence' && symbolNameOf(operation) === name,
  );

/** A run in progress: the payload as it is now and what each handle points to. */
export class ScheduleRun {
  readonly script: Module;
  readonly options: RunOptions;
  readonly warnings: Diagnostic[] = [];
  payload: Module;
  /** The op whose expansion this runs; the script's own locations mean nothing to a person then. */
  private readonly expanded: Operation | undefined;
  /** What replaced each payload operation in the edits so far; an id is replaced once, for it is never given again. */
  private readonly replaced = new Map<Id, readonly Id[]>();
  private depth = 0;
  /** By the id of the script's value. */
  private readonly handles = new Map<Id, Binding>();
  private readonly tracked = new Set<{ ids: readonly Id[] }>();
  /** Why a handle must not be used. */
  private readonly invalidated = new Map<Id, Note>();

  constructor(script: Module, payload: Module, options: RunOptions, expanded?: Operation) {
    this.expanded = expanded;
    this.script = script;
    this.payload = payload;
    this.options = options;
  }

  /** Lets a value of the script stand for payload operations. */
  bind(value: Value, ids: readonly Id[]): void {
    this.handles.set(value.id, { value, ids });
    this.invalidated.delete(value.id);
  }

  /** Runs `body`, which may ask for payload operations to be followed while it runs. */
  tracking<T>(body: (track: (ids: readonly Id[]) => TrackedPayload) => T): T {
    const mine: { ids: readonly Id[] }[] = [];
    try {
      return body((ids) => {
        const tracked = { ids };
        mine.push(tracked);
        this.tracked.add(tracked);
        return tracked;
      });
    } finally {
      for (const tracked of mine) this.tracked.delete(tracked);
    }
  }

  /** Says that an op of the script did less than a person would expect. */
  warn(operation: Operation, code: string, message: string, notes: readonly Note[] = []): void {
    this.warnings.push(warning(code, message, (this.expanded ?? operation).location, notes));
  }

  /** What a value of the script stands for now. */
  idsOf(value: Value): readonly Id[] {
    const binding = this.handles.get(value.id);
    if (binding === undefined) throw new Error('a script value that no op has bound');
    return binding.ids;
  }

  /** The payload operations with these ids. */
  operations(ids: readonly Id[]): readonly Operation[] {
    return ids.flatMap((id) => findOperation(this.payload, id, this.options.registry) ?? []);
  }

  /** Runs the ops of a block; the payload ids of each operand of its terminator. */
  runBlock(block: Block): Diagnosed<Payloads> {
    for (const [i, operation] of block.operations.entries()) {
      const unusable = this.checkHandles(operation);
      if (unusable !== undefined) return unusable;
      if (operation.name === 'transform.yield') {
        return success(operation.operands.map((value) => this.idsOf(value)));
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

  /** Lets the results of a script op stand for payload operations; fails where a result's type promises others. */
  bindResults(operation: Operation, payloads: Payloads): Diagnosed<undefined> {
    if (payloads.length !== operation.results.length) {
      const message = `'${operation.name}' produces ${payloads.length} handles, but ${operation.results.length} are bound`;
      return definite(error('transform/result-count', message, operation.location));
    }
    return this.bindAll(operation, operation.results, payloads);
  }

  /** Lets values of the script stand for payload operations; fails where a value's type promises others. */
  bindAll(operation: Operation, values: readonly Value[], payloads: Payloads): Diagnosed<undefined> {
    for (const [i, value] of values.entries()) {
      const ids = payloads[i]!;
      const other = this.operations(ids).find((each) => !keepsPromise(value, each));
      if (other !== undefined) {
        const message = `incompatible payload operation name, expected ${promisedName(value.type)!}, got ${other.name}`;
        const note = { message: 'payload operation', location: other.location };
        return definite(error('transform/handle-type', message, operation.location, [note]));
      }
      this.bind(value, ids);
    }
    return success(undefined);
  }

  /** A failure if an operand's handle was consumed, or its payload with another. */
  private checkHandles(operation: Operation): Failed | undefined {
    for (const operand of operation.operands) {
      const reason = this.invalidated.get(operand.id);
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
    const repeated = this.repeatedPayload(consumed);
    if (repeated !== undefined) {
      const message = 'a handle passed as consumed operand points to a payload op more than once';
      const note = { message: 'repeated payload op', location: repeated.location };
      return definite(error('transform/repeated-payload', message, operation.location, [note]));
    }
    const inner = this.nestedPayload(consumed);
    if (inner !== undefined) {
      const message = 'a handle passed as consumed operand points to a payload op inside of another one';
      const note = { message: 'nested payload op', location: inner.location };
      return definite(error('transform/nested-payload', message, operation.location, [note]));
    }
    const invalid = this.invalidatedBy(consumed);
    const results =
      expand === undefined ? this.applyAll(operation, definition) : this.expandEach(operation, definition);
    if (results.status !== 'success') return results;
    // Before the results are bound: one of them may be a value that an earlier run of this op bound.
    for (const value of invalid) {
      this.invalidated.set(value, {
        message: `invalidated by this ${operation.name}`,
        location: operation.location,
      });
    }
    return this.bindResults(operation, results.value);
  }

  /** A payload operation that stands twice in what is consumed. */
  private repeatedPayload(consumed: readonly Value[]): Operation | undefined {
    const ids = consumed.flatMap((value) => this.idsOf(value));
    const repeated = ids.find((id, i) => ids.indexOf(id) !== i);
    return repeated === undefined ? undefined : this.operations([repeated])[0];
  }

  /** A payload operation of what is consumed that stands below another: it would be gone when its turn comes. */
  private nestedPayload(consumed: readonly Value[]): Operation | undefined {
    const ids = new Set(consumed.flatMap((value) => this.idsOf(value)));
    if (ids.size < 2) return undefined;
    for (const operation of this.operations([...ids])) {
      for (const below of walk(operation)) {
        if (below.id !== operation.id && ids.has(below.id)) return below;
      }
    }
    return undefined;
  }

  /** The handles that point to the payload of `consumed`, or below it. */
  private invalidatedBy(consumed: readonly Value[]): readonly Id[] {
    if (consumed.length === 0) return [];
    const gone = new Set<Id>();
    for (const operation of this.operations(consumed.flatMap((value) => this.idsOf(value)))) {
      for (const each of walk(operation)) gone.add(each.id);
    }
    return [
      ...consumed.map((value) => value.id),
      ...[...this.handles].filter(([, { ids }]) => ids.some((id) => gone.has(id))).map(([value]) => value),
    ];
  }

  /** Runs the op on all its targets in one edit. */
  private applyAll(operation: Operation, definition: TransformOpDefinition): Diagnosed<Payloads> {
    const { apply } = definition.transform.behaviour;
    if (apply === undefined) throw new Error(`${definition.name} has no behaviour`);
    const groups = operandGroups(definition, operation).map((group) =>
      group.map((value) => this.idsOf(value)),
    );
    const warnings: Diagnostic[] = [];
    const { location } = this.expanded ?? operation;
    const edited = tryEdit(this.payload, this.options, (rewriter) => {
      const payload = Object.fromEntries(
        definition.operandSpecs.map((spec, i) => {
          const lists = groups[i]!.map((ids) => ids.map((id) => rewriter.find(id)));
          return [spec.name, spec.arity === 'one' ? lists[0]! : lists];
        }),
      );
      const result = apply(
        {
          rewriter,
          location: operation.location,
          resultCount: operation.results.length,
          warn: (code, message, notes = []) => warnings.push(warning(code, message, location, notes)),
        },
        payload,
        definition.transform.readAttributes(operation),
      );
      if (result.status !== 'success') return result;
      // A later target may have replaced what an earlier one made.
      const results = flatResults(definition, result.value);
      return success(
        results.map((operations) => operations.flatMap((each) => rewriter.standsFor(each))),
        result.diagnostics,
      );
    });
    if (edited.status !== 'success') return this.relocate(operation, edited);
    this.warnings.push(...warnings, ...this.relocateAll(operation, edited.diagnostics));
    this.payload = edited.value.module;
    const { forward, results } = edited.value;
    this.follow(operation, forward.operations);
    return success(results);
  }

  /** Runs the expansion of each target in turn, all or none; the results are joined. */
  private expandEach(operation: Operation, definition: TransformOpDefinition): Diagnosed<Payloads> {
    const before = this.payload;
    const replaced = new Map<Id, readonly Id[]>();
    const joined: Id[][] = operation.results.map(() => []);
    const expansions: Expansion[] = [];
    for (const id of this.idsOf(operation.operands[0]!)) {
      const [target] = this.operations(follow(replaced, id));
      if (target === undefined) continue;
      const result = this.expandOne(operation, definition, target);
      if (result.status !== 'success') {
        this.payload = before;
        return result;
      }
      expansions.push({ operation, target, schedule: result.value.schedule });
      for (const [each, to] of result.value.replaced) replaced.set(each, to);
      joined.forEach((ids, i) => ids.push(...(result.value.yielded[i] ?? [])));
    }
    this.follow(operation, replaced);
    for (const expansion of expansions) this.options.onExpand?.(expansion);
    return success(joined.map((ids) => ids.flatMap((id) => follow(replaced, id))));
  }

  private expandOne(
    operation: Operation,
    definition: TransformOpDefinition,
    target: Operation,
  ): Diagnosed<{
    readonly replaced: Replacements;
    readonly yielded: Payloads;
    readonly schedule: Schedule;
  }> {
    const attributes = definition.transform.readAttributes(operation);
    const expansion = definition.transform.behaviour.expand!(target, attributes, this.payload);
    if (expansion.status !== 'success') return this.relocate(operation, expansion);
    this.warnings.push(...this.relocateAll(operation, expansion.diagnostics));
    const { onStage, registry, signal } = this.options;
    const nested = new ScheduleRun(
      expansion.value.module,
      this.payload,
      {
        registry,
        ...(onStage === undefined ? {} : { onStage }),
        ...(signal === undefined ? {} : { signal }),
      },
      operation,
    );
    const body = bodyOf(findSequence(expansion.value.module, entryPoint)!);
    nested.bind(body.arguments[0]!, [target.id]);
    const result = nested.runBlock(body);
    this.warnings.push(...nested.warnings);
    if (result.status !== 'success') return result;
    this.payload = nested.payload;
    return success({ replaced: nested.replaced, yielded: result.value, schedule: expansion.value });
  }

  /**
   * Follows every handle through the edits that `operation` made. What stands for a payload op now may be of another name
   * than a handle's type promises; such a handle must not be used any more.
   */
  private follow(operation: Operation, replaced: Replacements): void {
    for (const [id, to] of replaced) this.replaced.set(id, to);
    for (const payload of this.tracked) payload.ids = followAll(replaced, payload.ids);
    for (const [id, { value, ids }] of this.handles) {
      if (!ids.some((each) => replaced.has(each))) continue;
      const followed = followAll(replaced, ids);
      const kept = this.operations(followed).filter((each) => keepsPromise(value, each));
      this.handles.set(id, { value, ids: kept.map((each) => each.id) });
      if (kept.length < followed.length && !this.invalidated.has(id)) {
        const message = `its payload was replaced by this ${operation.name}, by what its type does not promise`;
        this.invalidated.set(id, { message, location: operation.location });
      }
    }
  }

  /** The failure of an op's own code as a person should see it: first the transform op, then the payload op. */
  private relocate(operation: Operation, failed: Failed): Failed {
    const diagnostics = this.relocateAll(operation, failed.diagnostics);
    return failed.status === 'silenceable' ? silenceable(...diagnostics) : definite(...diagnostics);
  }

  private relocateAll(operation: Operation, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    if (diagnostics.length === 0) return [];
    const targets = this.operations(operation.operands.flatMap((operand) => this.idsOf(operand)));
    const { location } = this.expanded ?? operation;
    const step = [`in step '${operation.name}'`, ...stagesOf(operation).slice(0, 1)].join(' of stage ');
    return diagnostics.map((diagnostic) => {
      // Parts of one op share its location; which of them is meant is then not known.
      const [target, ...others] = targets.filter((each) => each.location === diagnostic.location);
      return {
        ...diagnostic,
        location,
        notes: [
          ...(this.expanded === undefined ? [] : [{ message: step, location }]),
          { message: 'payload op', location: diagnostic.location },
          ...diagnostic.notes,
          ...(target === undefined || others.length > 0 || diagnostic.severity !== 'error'
            ? []
            : [asItIsNow(target, this.payload, this.options.registry)]),
        ],
      };
    });
  }
}

/** What became of payload operations, each once. */
const followAll = (replaced: Replacements, ids: readonly Id[]): readonly Id[] => [
  ...new Set(ids.flatMap((id) => follow(replaced, id))),
];

/** Whether a payload operation has the name that the type of a handle promises. */
const keepsPromise = ({ type }: Value, operation: Operation): boolean => {
  const promised = promisedName(type);
  return promised === undefined || promised === operation.name;
};

const flatResults = (
  definition: TransformOpDefinition,
  results: Readonly<Record<string, readonly Operation[] | readonly (readonly Operation[])[]>>,
): readonly (readonly Operation[])[] =>
  definition.resultSpecs.flatMap((spec) => {
    const payload = results[spec.name] ?? [];
    const lists = spec.arity === 'one' ? [payload] : payload;
    return lists as readonly (readonly Operation[])[];
  });

/** A note that shows a payload operation as it looks now. */
const asItIsNow = (operation: Operation, payload: Module, registry: Registry): Note => ({
  message: `as it is now: ${printOperation(operation, { registry }, payload.root)}`,
  location: operation.location,
});
