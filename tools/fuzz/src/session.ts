/**
 * The oracle: a payload and the steps applied to it. After each step the IR is verified, executed and compared with the
 * original. Independent of how payloads and steps are generated.
 */
import type { Failed } from '@sconv/diagnostics';
import type { Id, Module, Operation, Registry } from '@sconv/ir';
import { findOperation, parseModule, verify, walk } from '@sconv/ir';
import { isTransformOp } from '@sconv/transform';
import { defaultRegistry } from 'sconv';
import type { ArgumentData, Numbers, Subject } from './execution.ts';
import { argumentsOf, execute, functionOf, problemOf } from './execution.ts';
import type { Fault, FaultKind } from './fault.ts';
import type { HandleName, Step } from './script.ts';
import { rootHandle, scriptText } from './script.ts';
import type { Trial } from './run-text.ts';
import { rendered, runText, thrownText } from './run-text.ts';

/** A live handle, and its payload. */
export interface LiveHandle extends HandleName {
  readonly operations: readonly Operation[];
}

/** What a step generator may inspect. */
export interface View {
  readonly module: Module;
  readonly handles: readonly LiveHandle[];
  /** Consumed handles: using one is refused. */
  readonly dead: readonly HandleName[];
}

/** The outcome of a step. */
export type Attempt =
  | { readonly status: 'applied' }
  /** With the codes of its errors. */
  | { readonly status: 'refused'; readonly codes: readonly string[] }
  | { readonly status: 'fault'; readonly fault: Fault };

/** The declared failures of a step and its body: modes by code. */
const declaredFailures = (
  step: Step,
  registry: Registry,
): ReadonlyMap<string, 'silenceable' | 'definite'> => {
  const definition = registry.operations.get(step.transform);
  const own =
    definition !== undefined && isTransformOp(definition)
      ? Object.entries(definition.transform.failures).map(([code, { mode }]) => [code, mode] as const)
      : [];
  return new Map([
    ...own,
    ...(step.body?.steps ?? []).flatMap((inner) => [...declaredFailures(inner, registry)]),
  ]);
};

/** The operands that a step or its body consumes. */
const consumedOperands = (step: Step, registry: Registry): readonly HandleName[] => {
  const definition = registry.operations.get(step.transform);
  if (definition === undefined || !isTransformOp(definition)) return [];
  // A body may consume any payload of its operands.
  if (step.body !== undefined) return step.operands;
  return definition.transform.effects[0] === 'consumes' ? step.operands : [];
};

/** Verifies and executes one form of a payload. */
export const checkModule = (
  module: Module,
  registry: Registry,
  values: readonly ArgumentData[],
  expected: readonly Numbers[],
): { readonly kind: 'invalid' | 'result'; readonly message: string } | undefined => {
  const errors = verify(module, registry);
  if (errors.length > 0) return { kind: 'invalid', message: rendered(errors) };
  const problem = problemOf(execute(module, values), expected);
  return problem === undefined ? undefined : { kind: 'result', message: problem };
};

export class Session {
  readonly registry: Registry;
  readonly payload: Module;
  readonly values: readonly ArgumentData[];
  /** The results of the original payload. */
  readonly expected: readonly Numbers[];
  /** The applied steps. */
  readonly steps: Step[] = [];
  /** The payload after them. */
  module: Module;
  private handles: readonly LiveHandle[];
  private readonly dead: HandleName[] = [];

  private constructor(
    registry: Registry,
    payload: Module,
    values: readonly ArgumentData[],
    expected: readonly Numbers[],
  ) {
    this.registry = registry;
    this.payload = payload;
    this.module = payload;
    this.values = values;
    this.expected = expected;
    this.handles = [{ ...rootHandle, operations: [payload.root] }];
  }

  /** Parses, verifies and executes a payload. */
  static start(subject: Subject, registry: Registry = defaultRegistry): Session | Fault {
    const wrong = (message: string): Fault => ({ kind: 'payload', transform: undefined, message });
    try {
      const parsed = parseModule(subject.payload, { registry, fileName: 'payload.mlir' });
      if (parsed.status !== 'success') return wrong(rendered(parsed.diagnostics));
      const module = parsed.value;
      const errors = verify(module, registry);
      if (errors.length > 0 || functionOf(module) === undefined) return wrong(rendered(errors));
      const values = argumentsOf(module, subject);
      const outcome = execute(module, values);
      if (outcome.status !== 'success') return wrong(rendered(outcome.diagnostics));
      return new Session(registry, module, values, outcome.value.results);
    } catch (thrown) {
      return { kind: 'throw', transform: undefined, message: thrownText(thrown) };
    }
  }

  /** The current state, for drawing the next step. */
  get view(): View {
    return { module: this.module, handles: this.handles, dead: this.dead };
  }

  /** The payload of the handles that a step would produce; undefined if it would not apply. Nothing is checked. */
  probe(step: Step): readonly LiveHandle[] | undefined {
    const trial = this.run(step, []);
    return 'run' in trial && trial.run.result.status === 'success'
      ? this.bound(step.results, trial.run.result.value, trial.run.payload)
      : undefined;
  }

  /** Applies a step to the current state, and checks the result. */
  attempt(step: Step): Attempt {
    const kept = this.handlesAfter(step);
    const trial = this.run(step, kept);
    if ('fault' in trial) return { status: 'fault', fault: trial.fault };
    const { result, payload, stages } = trial.run;
    if (result.status !== 'success') return this.refusal(step, result, payload);
    let before = this.module;
    for (const { transform, module } of stages) {
      if (module === before) continue;
      before = module;
      const wrong = checkGuarded(module, this.registry, this.values, this.expected);
      if (wrong !== undefined) return { status: 'fault', fault: { ...wrong, transform } };
    }
    this.module = payload;
    this.steps.push(step);
    this.dead.push(...this.handles.filter(({ name }) => !kept.some((each) => each.name === name)));
    this.handles = this.bound([...kept, ...step.results], result.value, payload);
    return { status: 'applied' };
  }

  /** The handles that a step does not consume. */
  private handlesAfter(step: Step): readonly LiveHandle[] {
    const consumed = new Set(consumedOperands(step, this.registry).map(({ name }) => name));
    const gone = new Set<Id>();
    for (const { name, operations } of this.handles) {
      if (!consumed.has(name)) continue;
      for (const operation of operations) for (const { id } of walk(operation)) gone.add(id);
    }
    return this.handles.filter(
      ({ name, operations }) => !consumed.has(name) && !operations.some(({ id }) => gone.has(id)),
    );
  }

  private bound(
    names: readonly HandleName[],
    payloads: readonly (readonly Id[])[],
    module: Module,
  ): readonly LiveHandle[] {
    return names.map(({ name, promises }, i) => ({
      name,
      promises,
      operations: (payloads[i] ?? []).flatMap((id) => findOperation(module, id, this.registry) ?? []),
    }));
  }

  private usesDead({ operands }: Step): boolean {
    return operands.some(({ name }) => !this.handles.some((handle) => handle.name === name));
  }

  /**
   * Runs a step on the current payload, with its operands bound to the handles' payload; yields the kept handles and
   * its results. A step that uses a consumed handle is run after all previous steps, from the original payload.
   */
  private run(step: Step, kept: readonly HandleName[]): Trial {
    const { registry, handles } = this;
    const { transform } = step;
    const yields = [...kept, ...step.results];
    if (this.usesDead(step)) {
      const whole = scriptText([...this.steps, step], yields);
      return runText(whole, { payload: this.payload, registry, transform });
    }
    return runText(scriptText([step], yields, handles), {
      payload: this.module,
      registry,
      transform,
      handles: handles.map(({ operations }) => operations.map(({ id }) => id)),
    });
  }

  /** Whether a step was refused legitimately: for a declared reason, with the payload unchanged. */
  private refusal(step: Step, { status, diagnostics }: Failed, payload: Module): Attempt {
    const { transform, body } = step;
    const fault = (kind: FaultKind, message: string): Attempt => ({
      status: 'fault',
      fault: { kind, transform, message },
    });
    const codes = diagnostics.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
    const declared = declaredFailures(step, this.registry);
    const undeclared = codes.some((code) => {
      const mode = declared.get(code);
      return mode === undefined ? !code.startsWith('transform/') : mode !== status;
    });
    if (codes.length === 0 || undeclared) return fault('undeclared', `${status}: ${rendered(diagnostics)}`);
    // A body of several ops may have partly run; scripts that use a consumed handle ran all steps, and so did those
    // that yield a handle which lost its payload.
    const ranAll = this.usesDead(step) || codes.includes('transform/lost-payload');
    if (payload !== this.module && body === undefined && !ranAll) {
      return fault('changed', 'a step that failed left another payload');
    }
    return { status: 'refused', codes };
  }
}

const checkGuarded = (...parameters: Parameters<typeof checkModule>) => {
  try {
    return checkModule(...parameters);
  } catch (thrown) {
    return { kind: 'throw' as const, message: thrownText(thrown) };
  }
};
