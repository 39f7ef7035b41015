/** Runs single passes and transforms on random functions with effects, and compares what they compute. */
import type { Diagnostic } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { findOperation, operationsIn, parseModule, printModule, printType, verify } from '@sconv/ir';
import { isTransformOp } from '@sconv/transform';
import { defaultRegistry as registry } from 'sconv';
import type { Campaign, CampaignOptions, FoundFault, Share } from './campaign.ts';
import { addCampaigns, noCampaign, runEach } from './campaign.ts';
import type { DrawnEffects } from './draw-effects.ts';
import { drawEffects } from './draw-effects.ts';
import { focuses } from './draw-focus.ts';
import type { EffectInput, EffectOutcome } from './effect-inputs.ts';
import { drawInput, effectRunner, inputKinds, isComparable, outcomeDifference } from './effect-inputs.ts';
import type { EffectStep } from './effect-steps.ts';
import { drawEffectStep, keptNames } from './effect-steps.ts';
import { typesOf } from './execution.ts';
import type { Fault, FaultKind } from './fault.ts';
import { signatureOf } from './fault.ts';
import type { Random } from './random.ts';
import { randomOf } from './random.ts';
import { reduceModule } from './reduce-module.ts';
import { rendered, runText, thrownText } from './run-text.ts';
import { isSameModule } from './same-module.ts';
import type { Drawn } from './statistics.ts';
import { noStatistics } from './statistics.ts';

/** Steps for each payload: each is applied to the payload itself. */
const stepsPerPayload = 4;

/** The share of steps after which the module is printed and read again, as other campaigns do after each. */
const printedShare = 0.06;

/** The share of payloads that are drawn for their first step, and with it. */
const focusShare = 0.4;

/** A payload of a seed, and the step that it is drawn for; what follows is drawn from `random`. */
const drawPayload = (
  random: Random,
): { readonly drawn: DrawnEffects; readonly focus: string | undefined } => {
  const focus = random.chance(focusShare) ? random.pick(Object.keys(focuses)) : undefined;
  return { drawn: drawEffects(random, focus), focus };
};

/** The payload of a seed, as text. */
export const effectsText = (seed: number, index: number): string =>
  drawPayload(randomOf(seed, index)).drawn.text;

/** An input, and what the payload computes from it. */
interface DefinedRun {
  readonly input: EffectInput;
  readonly outcome: EffectOutcome;
}

/** The inputs for which the payload is defined. */
const definedRuns = (module: Module, inputs: readonly EffectInput[]): readonly DefinedRun[] => {
  const execute = effectRunner(module);
  return inputs.flatMap((input) => {
    const run = execute(input);
    return run.status === 'success' ? [{ input, outcome: run.value }] : [];
  });
};

/** What became of a step. */
type Checked =
  | { readonly status: 'fault'; readonly fault: Fault }
  | { readonly status: 'refused'; readonly code: string }
  | { readonly status: 'applied' | 'unchanged'; readonly module: Module };

/** A code of a failure that a step declares. */
const isDeclared = ({ names, pass }: EffectStep, status: string, { code }: Diagnostic): boolean => {
  if (pass !== undefined) return !/internal|invalid-ir/.test(code);
  if (code.startsWith('transform/')) return true;
  return names.some((name) => {
    const definition = registry.operations.get(name);
    return (
      definition !== undefined &&
      isTransformOp(definition) &&
      definition.transform.failures[code]?.mode === status
    );
  });
};

/** Handles that lost ops which are still there. */
const lostHandles = (
  before: Module,
  after: Module,
  [func = [], kept]: readonly (readonly number[])[],
): string | undefined => {
  if (func.length === 0) return 'the handle to the function is empty';
  if (kept === undefined) return undefined;
  const lost = [...idsOf(before, keptNames)].filter(
    (id) => !kept.includes(id) && findOperation(after, id, registry) !== undefined,
  );
  return lost.length === 0 ? undefined : `a handle lost ${lost.length} ops that are still there`;
};

function* idsOf(module: Module, names: readonly string[]): Generator<number> {
  const visit = function* (operation: Module['root']): Generator<number> {
    if (names.includes(operation.name)) yield operation.id;
    for (const { blocks } of operation.regions)
      for (const { operations } of blocks) for (const each of operations) yield* visit(each);
  };
  yield* visit(module.root);
}

/** Failures of the interpreter that say nothing about a step. */
const unexecuted: ReadonlySet<string> = new Set(['interpreter/overflow', 'interpreter/unsupported-type']);

/** Applies a step: the new module, a refusal, or a fault. */
const applied = (module: Module, step: EffectStep): Module | Checked => {
  const fault = (kind: FaultKind, message: string): Checked => ({
    status: 'fault',
    fault: { kind, transform: step.names.join(' + '), message },
  });
  const refusal = (status: string, diagnostics: readonly Diagnostic[]): Checked => {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const isWrong = errors.length === 0 || errors.some((error) => !isDeclared(step, status, error));
    return isWrong
      ? fault(
          'undeclared',
          `${status}: ${errors.map(({ code }) => code).join(', ')}: ${rendered(diagnostics)}`,
        )
      : { status: 'refused', code: errors[0]!.code };
  };
  try {
    if (step.pass !== undefined) {
      const result = step.pass(module);
      return result.status === 'success' ? result.value : refusal(result.status, result.diagnostics);
    }
    const trial = runText(step.script(module, step.keeps), {
      payload: module,
      registry,
      transform: step.names[0]!,
    });
    if ('fault' in trial) {
      // Some options are refused as a script is verified.
      const isRefused = trial.fault.kind === 'script' && trial.fault.message.includes('[verify/');
      return isRefused ? { status: 'refused', code: 'verify' } : { status: 'fault', fault: trial.fault };
    }
    const { result, payload } = trial.run;
    if (result.status !== 'success') {
      const refused = refusal(result.status, result.diagnostics);
      const isLost = refused.status === 'refused' && refused.code === 'transform/lost-payload';
      if (payload === module || isLost || refused.status === 'fault') return refused;
      return fault('changed', 'a step that failed left another payload');
    }
    const lost = step.keeps ? lostHandles(module, payload, result.value) : undefined;
    return lost === undefined ? payload : fault('handle', lost);
  } catch (thrown) {
    return fault('throw', thrownText(thrown));
  }
};

/** Why the printed module is not read as what it is; undefined if it is. */
const printingProblem = (module: Module): string | undefined => {
  const text = printModule(module, { registry });
  const parsed = parseModule(text, { registry, fileName: 'printed.mlir' });
  if (parsed.status !== 'success') return `${rendered(parsed.diagnostics)}\n${text}`;
  const again = printModule(parsed.value, { registry });
  return again === text ? undefined : `prints as\n${again}\ninstead of\n${text}`;
};

/** Applies a step, and checks the result; whether it is read as it is printed if `isPrinted`. */
const checkStep = (
  module: Module,
  step: EffectStep,
  runs: readonly DefinedRun[],
  isPrinted = true,
): Checked => {
  const after = applied(module, step);
  if ('status' in after) return after;
  const fault = (kind: FaultKind, message: string): Checked => ({
    status: 'fault',
    fault: { kind, transform: step.names.join(' + '), message },
  });
  try {
    if (isSameModule(module, after)) return { status: 'unchanged', module };
    const errors = verify(after, registry);
    if (errors.length > 0) return fault('invalid', rendered(errors));
    const execute = effectRunner(after);
    for (const { input, outcome } of step.assumes === true ? [] : runs) {
      if (!isComparable(after, input)) continue;
      const run = execute(input);
      if (run.status !== 'success') {
        // Operations hoisted out of loops that never run may make indices that the interpreter cannot represent.
        // The interpreter has no view of bytes as f16, which promoted buffers are.
        if (run.diagnostics.some(({ code }) => unexecuted.has(code))) continue;
        // What a transform has not been able to retype, as upstream.
        if (operationsIn(after.root).some(({ name }) => name === 'builtin.unrealized_conversion_cast'))
          continue;
        return fault('result', rendered(run.diagnostics));
      }
      const difference = outcomeDifference(outcome, run.value, step.reorders);
      if (difference !== undefined) return fault('result', difference);
    }
    const problem = isPrinted ? printingProblem(after) : undefined;
    return problem === undefined ? { status: 'applied', module: after } : fault('round-trip', problem);
  } catch (thrown) {
    return fault('throw', thrownText(thrown));
  }
};

/** What of a step has applied: of several pattern sets it is not known which. */
const appliedNames = (module: Module, step: EffectStep, checked: Checked): readonly string[] => {
  if (checked.status !== 'applied')
    return checked.status === 'unchanged' && isReading(step) ? step.names : [];
  if (step.names.length === 1) return step.names;
  if (step.baseline === undefined) return step.names.slice(0, 1);
  const trial = runText(step.baseline(module), { payload: module, registry, transform: step.names[0]! });
  const isSame = 'run' in trial && isSameModule(trial.run.payload, checked.module);
  return isSame ? step.names.slice(0, 1) : step.names;
};

/** Whether a step changes nothing where it applies. */
const isReading = ({ names }: EffectStep): boolean => /get_|verify$/.test(names[0]!);

/** The type of `@f` as text. */
const signatureText = (module: Module): string => {
  const { inputs, results } = typesOf(module);
  return `${inputs.map((type) => printType(type)).join(' ')} to ${results.map((type) => printType(type)).join(' ')}`;
};

/** The fault with a smaller payload. */
const reduced = (
  module: Module,
  step: EffectStep,
  inputs: readonly EffectInput[],
  fault: Fault,
): { readonly module: Module; readonly fault: Fault } => {
  const wanted = signatureOf(fault);
  let found = fault;
  const { inputs: wantedTypes } = typesOf(module);
  const smaller = reduceModule(module, registry, (candidate) => {
    if (typesOf(candidate).inputs.length !== wantedTypes.length) return false;
    const checked = checkStep(candidate, step, definedRuns(candidate, inputs));
    if (checked.status !== 'fault' || signatureOf(checked.fault) !== wanted) return false;
    found = checked.fault;
    return true;
  });
  return { module: smaller, fault: found };
};

/** Runs random steps on payload `index` of a seed; faults whose signature is `known` are not made smaller. */
export const fuzzEffects = (
  seed: number,
  index: number,
  known: (fault: Fault) => boolean = () => false,
  keepsTexts = false,
): Campaign => {
  const random = randomOf(seed, index);
  const { drawn, focus } = drawPayload(random);
  const found = (fault: Fault, payload: string, script = ''): FoundFault => ({
    seed,
    index,
    times: 1,
    fault,
    payload,
    dynamicSizes: [],
    script,
  });
  const parsed = parseModule(drawn.text, { registry, fileName: 'payload.mlir' });
  const errors = parsed.status === 'success' ? verify(parsed.value, registry) : parsed.diagnostics;
  if (parsed.status !== 'success' || errors.length > 0)
    return {
      ...noCampaign,
      statistics: { ...noStatistics, payloads: 1 },
      faults: [found({ kind: 'payload', transform: undefined, message: rendered(errors) }, drawn.text)],
    };
  let module = parsed.value;
  const inputs = inputKinds.map((kind) => drawInput(random, drawn, kind));
  let runs = definedRuns(module, inputs);
  const features = [
    ...drawn.features,
    ...inputKinds.map(
      (kind, i) => `run: ${kind}${runs.some(({ input }) => input === inputs[i]) ? '' : ', undefined'}`,
    ),
    ...(runs.length === 0 ? ['discarded'] : []),
  ];
  let campaign: Campaign = {
    ...noCampaign,
    statistics: {
      ...noStatistics,
      payloads: 1,
      features: Object.fromEntries([...new Set(features)].map((feature) => [feature, 1])),
    },
  };
  if (runs.length === 0) return campaign;
  for (let i = 0; i < stepsPerPayload; i++) {
    const current = module;
    const step = drawEffectStep(random, module, registry, i === 0 ? focus : undefined);
    const checked = checkStep(module, step, runs, random.chance(printedShare));
    const counted: Record<string, Drawn> = {};
    for (const name of step.names) counted[name] = { drawn: 1, applied: 0 };
    for (const name of appliedNames(module, step, checked)) counted[name] = { drawn: 1, applied: 1 };
    const refused = checked.status === 'refused' ? { [checked.code]: 1 } : {};
    const faults = checked.status === 'fault' ? [checked.fault] : [];
    campaign = addCampaigns(campaign, {
      statistics: { ...noStatistics, steps: counted, refused },
      texts: keepsTexts && checked.status === 'applied' ? [printModule(checked.module, { registry })] : [],
      faults: faults.map((fault) => {
        const small = known(fault) ? { module: current, fault } : reduced(current, step, inputs, fault);
        return found(small.fault, printModule(small.module, { registry }), step.script(small.module, false));
      }),
    });
    // What a step has made is sometimes the payload of the next ones.
    if (checked.status !== 'applied' || step.assumes === true || !random.chance(0.35)) continue;
    if (signatureText(checked.module) !== signatureText(module)) continue;
    module = checked.module;
    runs = definedRuns(module, inputs);
  }
  return campaign;
};

/** Runs the payloads of a share. */
export const runEffectShare = (share: Share, options: CampaignOptions): Campaign =>
  runEach(share, options, (index, isKnown) =>
    fuzzEffects(share.seed, index, isKnown, options.keepTexts > 0 && index % options.keepTexts === 0),
  );
