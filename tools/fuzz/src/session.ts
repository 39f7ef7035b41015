/**
 * The oracle: a payload and the steps that it has gone through. After each step the IR is verified, executed and compared
 * with the execution of the payload. It knows nothing of where payloads and steps come from.
 */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { render } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { parseModule, printModule, verify, walk } from '@sconv/ir';
import { isTransformOp, runSchedule } from '@sconv/transform';
import { defaultRegistry as registry } from 'sconv';
import type { ArgumentData, Numbers, Subject } from './execution.ts';
import { argumentsOf, execute, functionOf, problemOf } from './execution.ts';
import type { Fault, FaultKind } from './fault.ts';
import type { HandleName, Step } from './script.ts';
import { rootHandle, scriptText } from './script.ts';

/** A handle that may still be used, and what it stands for. */
export interface LiveHandle extends HandleName {
  readonly operations: readonly Operation[];
}

/** What a generator of steps may look at. */
export interface View {
  readonly module: Module;
  readonly handles: readonly LiveHandle[];
  /** Handles that were consumed: using one is refused. */
  readonly dead: readonly HandleName[];
}

/** What came of a step. */
export type Attempt =
  | { readonly status: 'applied' }
  /** With the codes of its errors. */
  | { readonly status: 'refused'; readonly codes: readonly string[] }
  | { readonly status: 'fault'; readonly fault: Fault };

/** What a script did to the payload. */
interface Run {
  readonly result: Diagnosed<{
    readonly module: Module;
    readonly yielded: readonly (readonly Operation[])[];
  }>;
  /** The payload after each op that succeeded. */
  readonly stages: readonly { readonly transform: string; readonly module: Module }[];
}

/** A step that is tried: what the run gave, or the fault that shows. */
type Trial = { readonly run: Run } | { readonly fault: Fault };

export const printed = (module: Module): string => printModule(module, { registry });

const rendered = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics.map((diagnostic) => render(diagnostic)).join('\n');

/** What a thrown value says, with the innermost frames. */
export const thrownText = (thrown: unknown): string =>
  thrown instanceof Error
    ? `${thrown.name}: ${thrown.message}\n${(thrown.stack ?? '').split('\n').slice(1, 6).join('\n')}`
    : String(thrown);

/** The codes that a step may fail with: its own, those of its body, and the interpreter's. */
const declaredCodes = (step: Step): ReadonlySet<string> => {
  const definition = registry.operations.get(step.transform);
  const own =
    definition !== undefined && isTransformOp(definition) ? Object.keys(definition.transform.failures) : [];
  return new Set([...own, ...(step.body?.steps ?? []).flatMap((inner) => [...declaredCodes(inner)])]);
};

const isDeclared = (code: string, declared: ReadonlySet<string>): boolean =>
  declared.has(code) || code.startsWith('transform/');

/** The operands that a step, or its body, consumes. */
const consumedOperands = (step: Step): readonly HandleName[] => {
  const definition = registry.operations.get(step.transform);
  if (definition === undefined || !isTransformOp(definition)) return [];
  // What a body consumes may be anything that its operands stand for.
  if (step.body !== undefined) return step.operands;
  return definition.transform.effects[0] === 'consumes' ? step.operands : [];
};

/** Verifies and executes one form of a payload. */
export const checkModule = (
  module: Module,
  values: readonly ArgumentData[],
  expected: readonly Numbers[],
): { readonly kind: 'invalid' | 'result'; readonly message: string } | undefined => {
  const errors = verify(module, registry);
  if (errors.length > 0) return { kind: 'invalid', message: rendered(errors) };
  const problem = problemOf(execute(module, values), expected);
  return problem === undefined ? undefined : { kind: 'result', message: problem };
};

export class Session {
  readonly subject: Subject;
  readonly payload: Module;
  readonly values: readonly ArgumentData[];
  /** The results of the payload as it was. */
  readonly expected: readonly Numbers[];
  /** The steps that were applied. */
  readonly steps: Step[] = [];
  /** The payload after them. */
  module: Module;
  private handles: readonly LiveHandle[];
  private readonly dead: HandleName[] = [];
  /** How many ops of the script have been checked. */
  private checked = 0;

  private constructor(
    subject: Subject,
    payload: Module,
    values: readonly ArgumentData[],
    expected: readonly Numbers[],
  ) {
    this.subject = subject;
    this.payload = payload;
    this.module = payload;
    this.values = values;
    this.expected = expected;
    this.handles = [{ ...rootHandle, operations: [payload.root] }];
  }

  /** Parses, verifies and executes a payload. */
  static start(subject: Subject): Session | Fault {
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
      return new Session(subject, module, values, outcome.value.results);
    } catch (thrown) {
      return { kind: 'throw', transform: undefined, message: thrownText(thrown) };
    }
  }

  /** What the next step can be drawn from. */
  get view(): View {
    return { module: this.module, handles: this.handles, dead: this.dead };
  }

  /** What the handles that a step produces would stand for; undefined where it would not apply. Nothing is checked. */
  probe(step: Step): readonly LiveHandle[] | undefined {
    const trial = this.run(step, []);
    return 'run' in trial && trial.run.result.status === 'success'
      ? bindHandles(step.results, trial.run.result.value.yielded)
      : undefined;
  }

  /** Applies a step to what the steps before made, and checks all that it made. */
  attempt(step: Step): Attempt {
    const kept = this.handlesAfter(step);
    const trial = this.run(step, kept);
    if ('fault' in trial) return { status: 'fault', fault: trial.fault };
    const { result, stages } = trial.run;
    if (result.status !== 'success') return this.refusal(step, result.diagnostics);
    let before = this.module;
    for (const { transform, module } of stages.slice(this.checked)) {
      if (module === before) continue;
      before = module;
      const wrong = checkGuarded(module, this.values, this.expected);
      if (wrong !== undefined) return { status: 'fault', fault: { ...wrong, transform } };
    }
    this.checked = stages.length;
    this.module = result.value.module;
    this.steps.push(step);
    this.dead.push(...this.handles.filter(({ name }) => !kept.some((each) => each.name === name)));
    this.handles = bindHandles([...kept, ...step.results], result.value.yielded);
    return { status: 'applied' };
  }

  /** The handles that a step leaves alone. */
  private handlesAfter(step: Step): readonly LiveHandle[] {
    const consumed = new Set(consumedOperands(step).map(({ name }) => name));
    const gone = new Set<number>();
    for (const { name, operations } of this.handles) {
      if (!consumed.has(name)) continue;
      for (const operation of operations) for (const { id } of walk(operation)) gone.add(id);
    }
    return this.handles.filter(
      ({ name, operations }) => !consumed.has(name) && !operations.some(({ id }) => gone.has(id)),
    );
  }

  /** Runs all steps and this one, yielding these handles and its results. */
  private run(step: Step, kept: readonly HandleName[]): Trial {
    return runText(
      scriptText([...this.steps, step], [...kept, ...step.results]),
      this.payload,
      step.transform,
    );
  }

  /** Whether a step was refused as it may be: for a declared reason, and without a change of the payload. */
  private refusal(step: Step, diagnostics: readonly Diagnostic[]): Attempt {
    const { transform } = step;
    const fault = (kind: FaultKind, message: string): Attempt => ({
      status: 'fault',
      fault: { kind, transform, message },
    });
    const codes = diagnostics.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
    const declared = declaredCodes(step);
    if (codes.length === 0 || codes.some((code) => !isDeclared(code, declared))) {
      return fault('undeclared', rendered(diagnostics));
    }
    const suppressed: Step = {
      transform: 'transform.include',
      operands: step.operands,
      attributes: {},
      results: [],
      body: {
        sequence: 'suppressed',
        suppress: true,
        parameters: step.operands.map((handle, i) => ({ ...handle, name: `suppressed${i}` })),
        steps: [
          { ...step, operands: step.operands.map((handle, i) => ({ ...handle, name: `suppressed${i}` })) },
        ],
        yields: [],
      },
    };
    const trial = this.run(suppressed, []);
    if ('fault' in trial) return { status: 'fault', fault: trial.fault };
    const { result, stages } = trial.run;
    // A definite failure is not suppressed. A body of several ops may have done some of its work.
    if (result.status === 'success' && step.body === undefined) {
      const before = stages[this.checked - 1]?.module ?? this.payload;
      if (result.value.module !== before) return fault('changed', 'a step that failed left another payload');
    }
    return { status: 'refused', codes };
  }
}

const bindHandles = (
  names: readonly HandleName[],
  payloads: readonly (readonly Operation[])[],
): readonly LiveHandle[] =>
  names.map(({ name, promises }, i) => ({ name, promises, operations: payloads[i] ?? [] }));

const checkGuarded = (...[module, values, expected]: Parameters<typeof checkModule>) => {
  try {
    return checkModule(module, values, expected);
  } catch (thrown) {
    return { kind: 'throw' as const, message: thrownText(thrown) };
  }
};

/** Runs a script given as text; `transform` is the op at which what goes wrong shows. */
export const runText = (text: string, payload: Module, transform: string): Trial => {
  const stages: { readonly transform: string; readonly module: Module }[] = [];
  try {
    const script = parseModule(text, { registry, fileName: 'script.mlir' });
    if (script.status !== 'success') {
      return { fault: { kind: 'script', transform, message: `${rendered(script.diagnostics)}\n${text}` } };
    }
    const result = runSchedule(script.value, payload, {
      registry,
      onStep: ({ name }, module) => stages.push({ transform: name, module }),
    });
    return { run: { result, stages } };
  } catch (thrown) {
    return { fault: { kind: 'throw', transform, message: thrownText(thrown) } };
  }
};
