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
import { bodyOf, children, follow, printOperation, tryEdit, walk } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';
import { isTransformOp } from './define-transform-op.ts';
import { consumedOperands } from './effects.ts';
import { promisedName } from './handle-type.ts';
import { entryPoint, stagesOf } from './schedule.ts';

export interface RunOptions {
  /** Knows the ops of the script and of the payload. */
  readonly registry: Registry;
  /** The named sequence to run; `__transform_main` if not given. */
  readonly entryPoint?: string;
  /** Called after each op of the script with the payload as it then is. */
  readonly onStep?: (operation: Operation, payload: Module) => void;
  /** Called when the last op of a stage is done. */
  readonly onStage?: (stage: string, payload: Module) => void;
  /** Stops between two ops. */
  readonly signal?: AbortSignalLike;
}

/** The part of `AbortSignal` that is read. */
export interface AbortSignalLike {
  readonly aborted: boolean;
}

export interface RunResult {
  readonly module: Module;
  /** The payload operations of each handle that the sequence yields, as they are in `module`. */
  readonly yielded: readonly (readonly Operation[])[];
}

/** How deep includes and bodies may nest before it is taken for a recursion. */
const deepestNesting = 64;

/** Runs the entry point of `script` on `payload`. A silenceable failure that nothing suppresses is a definite one. */
export const runSchedule = (script: Module, payload: Module, options: RunOptions): Diagnosed<RunResult> => {
  const name = options.entryPoint ?? entryPoint;
  const sequence = findSequence(script, name);
  if (sequence === undefined) {
    return definite(
      error(
        'transform/no-entry-point',
        `could not find a nested named sequence with name: ${name}`,
        script.root.location,
      ),
    );
  }
  const run = new ScheduleRun(script, payload, options);
  const argument = bodyOf(sequence).arguments[0];
  if (argument !== undefined) run.bind(argument, [payload.root.id]);
  const result = run.runBlock(bodyOf(sequence));
  if (result.status !== 'success') return definite(...run.warnings, ...result.diagnostics);
  return success(
    { module: run.payload, yielded: result.value.map((ids) => run.operations(ids)) },
    run.warnings,
  );
};

/** The named sequence of a script with this symbol. */
export const findSequence = (script: Module, name: string): Operation | undefined =>
  children(script.root).find((operation) => {
    const symbol = operation.attributes['sym_name'];
    return (
      operation.name === 'transform.named_sequence' && symbol?.kind === 'string' && symbol.value === name
    );
  });

/** A run in progress: the payload as it is now and what each handle points to. */
export class ScheduleRun {
  readonly script: Module;
  readonly options: RunOptions;
  readonly warnings: Diagnostic[] = [];
  payload: Module;
  /** What each edit so far did to the payload's ids. */
  private readonly forwards: Forward[] = [];
  private depth = 0;
  /** Payload operation ids by the id of the script's value. */
  private readonly handles = new Map<Id, readonly Id[]>();
  /** Why a handle must not be used. */
  private readonly invalidated = new Map<Id, Note>();

  /** The op whose expansion this runs; the script's own locations mean nothing to a person then. */
  private readonly expanded: Operation | undefined;

  constructor(script: Module, payload: Module, options: RunOptions, expanded?: Operation) {
    this.expanded = expanded;
    this.script = script;
    this.payload = payload;
    this.options = options;
  }

  /** Lets a value of the script stand for payload operations. */
  bind(value: Value, ids: readonly Id[]): void {
    this.handles.set(value.id, ids);
    this.invalidated.delete(value.id);
  }

  /** What a value of the script stands for now. */
  idsOf(value: Value): readonly Id[] {
    const ids = this.handles.get(value.id);
    if (ids === undefined) throw new Error('a script value that no op has bound');
    return ids;
  }

  /** The payload operations with these ids. */
  operations(ids: readonly Id[]): readonly Operation[] {
    if (ids.length === 0) return [];
    const wanted = new Set(ids);
    const found = new Map<Id, Operation>();
    for (const operation of walk(this.payload.root)) {
      if (wanted.has(operation.id)) found.set(operation.id, operation);
      if (found.size === wanted.size) break;
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Runs the ops of a block; the payload ids of each operand of its terminator. */
  runBlock(block: Block): Diagnosed<readonly (readonly Id[])[]> {
    for (const [i, operation] of block.operations.entries()) {
      if (operation.name === 'transform.yield')
        return success(operation.operands.map((value) => this.idsOf(value)));
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

  /** Follows every handle through an edit of the payload. */
  private follow(forward: Forward): void {
    this.forwards.push(forward);
    if (forward.operations.size === 0) return;
    for (const [value, ids] of this.handles) {
      if (!ids.some((id) => forward.operations.has(id))) continue;
      this.handles.set(value, [...new Set(ids.flatMap((id) => follow(forward.operations, id)))]);
    }
  }

  private step(operation: Operation): Diagnosed<undefined> {
    const definition = this.options.registry.operations.get(operation.name);
    if (definition === undefined || !isTransformOp(definition)) {
      return definite(
        error(
          'transform/not-a-transform',
          `'${operation.name}' is not a transform operation`,
          operation.location,
        ),
      );
    }
    for (const operand of operation.operands) {
      const reason = this.invalidated.get(operand.id);
      if (reason !== undefined) {
        return definite(
          error(
            'transform/invalidated-handle',
            'op uses a handle invalidated by a previously executed transform op',
            operation.location,
            [reason],
          ),
        );
      }
    }
    const consumed = consumedOperands(definition, operation);
    const invalid = this.invalidatedBy(consumed);
    const result = this.perform(operation, definition);
    if (result.status !== 'success') return result;
    for (const value of invalid) {
      this.invalidated.set(value, {
        message: `invalidated by this ${operation.name}`,
        location: operation.location,
      });
    }
    return result;
  }

  /** The handles that point to the payload of `consumed`, or below it. */
  private invalidatedBy(consumed: readonly Value[]): readonly Id[] {
    if (consumed.length === 0) return [];
    const gone = new Set(
      this.operations(consumed.flatMap((value) => this.idsOf(value))).flatMap((operation) =>
        [...walk(operation)].map((each) => each.id),
      ),
    );
    return [
      ...consumed.map((value) => value.id),
      ...[...this.handles].filter(([, ids]) => ids.some((id) => gone.has(id))).map(([value]) => value),
    ];
  }

  private perform(operation: Operation, definition: TransformOpDefinition): Diagnosed<undefined> {
    const { apply, expand, interpret } = definition.transform.behaviour;
    if (interpret !== undefined)
      return interpret(this, operation, definition.transform.readAttributes(operation));
    if (expand !== undefined) return this.expandEach(operation, definition);
    if (apply === undefined) throw new Error(`${definition.name} has no behaviour`);
    const groups = payloadGroups(definition, operation, (value) => this.idsOf(value));
    const edited = tryEdit(this.payload, (rewriter) => {
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
          warn: (code, message, notes = []) =>
            this.warnings.push(warning(code, message, (this.expanded ?? operation).location, notes)),
        },
        payload,
        definition.transform.readAttributes(operation),
      );
      if (result.status !== 'success') return result;
      return success(flatResults(definition, result.value), result.diagnostics);
    });
    if (edited.status !== 'success') return this.relocate(operation, edited);
    this.warnings.push(...edited.diagnostics);
    this.payload = edited.value.module;
    this.follow(edited.value.forward);
    return this.bindResults(operation, edited.value.results);
  }

  /** Runs the expansion of each target in turn, all or none; the results are joined. */
  private expandEach(operation: Operation, definition: TransformOpDefinition): Diagnosed<undefined> {
    const before = this.payload;
    const joined: Id[][] = operation.results.map(() => []);
    const forwards: Forward[] = [];
    for (const id of this.idsOf(operation.operands[0]!)) {
      const result = this.expandOne(operation, definition, id);
      if (result.status !== 'success') {
        this.payload = before;
        return result;
      }
      forwards.push(...result.value.forwards);
      result.value.yielded.forEach((ids, i) => joined[i]!.push(...ids));
    }
    for (const forward of forwards) this.follow(forward);
    return this.bindResults(operation, joined);
  }

  private expandOne(
    operation: Operation,
    definition: TransformOpDefinition,
    id: Id,
  ): Diagnosed<{ readonly forwards: readonly Forward[]; readonly yielded: readonly (readonly Id[])[] }> {
    const target = this.operations([id])[0];
    if (target === undefined) return success({ forwards: [], yielded: [] });
    const attributes = definition.transform.readAttributes(operation);
    const expansion = definition.transform.behaviour.expand!(target, attributes, this.payload);
    if (expansion.status !== 'success') return this.relocate(operation, expansion);
    this.warnings.push(...expansion.diagnostics);
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
    nested.bind(body.arguments[0]!, [id]);
    const result = nested.runBlock(body);
    this.warnings.push(...nested.warnings);
    if (result.status !== 'success') return result;
    this.payload = nested.payload;
    return success({ forwards: nested.forwards, yielded: result.value });
  }

  /** Lets the results of a script op stand for payload operations; fails where a result's type promises others. */
  bindResults(operation: Operation, payloads: readonly (readonly Id[])[]): Diagnosed<undefined> {
    if (payloads.length !== operation.results.length) {
      return definite(
        error(
          'transform/result-count',
          `'${operation.name}' produces ${payloads.length} handles, but ${operation.results.length} are bound`,
          operation.location,
        ),
      );
    }
    for (const [i, result] of operation.results.entries()) {
      const promised = promisedName(result.type);
      const other = this.operations(payloads[i]!).find(
        (each) => promised !== undefined && each.name !== promised,
      );
      if (other !== undefined) {
        return definite(
          error(
            'transform/handle-type',
            `incompatible payload operation name, expected ${promised ?? ''}, got ${other.name}`,
            operation.location,
            [{ message: 'payload operation', location: other.location }],
          ),
        );
      }
      this.bind(result, payloads[i]!);
    }
    return success(undefined);
  }

  /** Runs a region that an op of the script stands for; fails where such runs nest without end. */
  nested(operation: Operation, body: () => Diagnosed<undefined>): Diagnosed<undefined> {
    if (this.depth >= deepestNesting) {
      return definite(
        error('transform/nesting', `sequences nest deeper than ${deepestNesting} levels`, operation.location),
      );
    }
    this.depth += 1;
    try {
      return body();
    } finally {
      this.depth -= 1;
    }
  }

  /** The failure of an op's own code as a person should see it: first the transform op, then the payload op. */
  private relocate(operation: Operation, failed: Failed): Failed {
    const targets = this.operations(operation.operands.flatMap((operand) => this.idsOf(operand)));
    const location = this.expanded?.location ?? operation.location;
    const step = [`in step '${operation.name}'`, ...stagesOf(operation).slice(0, 1)].join(' of stage ');
    const diagnostics = failed.diagnostics.map((diagnostic) => {
      const target = targets.find((each) => each.location === diagnostic.location);
      return {
        ...diagnostic,
        location,
        notes: [
          ...(this.expanded === undefined ? [] : [{ message: step, location }]),
          { message: 'payload op', location: diagnostic.location },
          ...diagnostic.notes,
          ...(target === undefined ? [] : [asItIsNow(target, this.options.registry)]),
        ],
      };
    });
    return failed.status === 'silenceable' ? silenceable(...diagnostics) : definite(...diagnostics);
  }
}

/** For each operand group the payload ids of each of its handles. */
const payloadGroups = (
  definition: TransformOpDefinition,
  operation: Operation,
  idsOf: (value: Value) => readonly Id[],
): readonly (readonly (readonly Id[])[])[] => {
  // A transform op has at most one variadic operand group, so the sizes follow from the count.
  const fixed = definition.operandSpecs.filter((spec) => spec.arity === 'one').length;
  let next = 0;
  return definition.operandSpecs.map((spec) => {
    const size = spec.arity === 'one' ? 1 : operation.operands.length - fixed;
    const group = operation.operands.slice(next, next + size);
    next += size;
    return group.map(idsOf);
  });
};

const flatResults = (
  definition: TransformOpDefinition,
  results: Readonly<Record<string, readonly Operation[] | readonly (readonly Operation[])[]>>,
): readonly (readonly Id[])[] =>
  definition.resultSpecs.flatMap((spec) => {
    const payload = results[spec.name] ?? [];
    const lists = spec.arity === 'one' ? [payload] : payload;
    return (lists as readonly (readonly Operation[])[]).map((list) => list.map((operation) => operation.id));
  });

/** A note that shows a payload operation as it looks now. */
const asItIsNow = (operation: Operation, registry: Registry): Note => ({
  message: `as it is now: ${printOperation(operation, { registry })}`,
  location: operation.location,
});
