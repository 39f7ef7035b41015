/** Structured ops through vectorization and each lowering of vectors: all that executes them agrees. */
import type { Artifact, RunValue } from '@sconv/backend';
import type { Diagnostic } from '@sconv/diagnostics';
import { DiagnosticError } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { parseModule } from '@sconv/ir';
import type { Target } from '@sconv/targets';
import { compileModuleSync, defaultRegistry as registry } from 'sconv';
import type { Campaign, Share } from './campaign.ts';
import { addCampaigns, noCampaign } from './campaign.ts';
import type { DrawnLowering } from './draw-lowering.ts';
import { drawLowering } from './draw-lowering.ts';
import { drawPayload } from './draw-payload.ts';
import type { Numbers } from './execution.ts';
import { difference } from './execution.ts';
import type { Fault } from './fault.ts';
import { compareNatively } from './native-batch.ts';
import { filledArray } from './native-sample.ts';
import type { PayloadSpec } from './payload-spec.ts';
import { operandsOf } from './payload-spec.ts';
import { payloadFeatures } from './payload-features.ts';
import { payloadText } from './payload-text.ts';
import type { Random } from './random.ts';
import { randomOf } from './random.ts';
import { printed, rendered, thrownText } from './run-text.ts';
import { checkModule, Session } from './session.ts';
import { noStatistics } from './statistics.ts';

/** Refusals by name. */
const declined: ReadonlySet<string> = new Set([
  'wasm/unsupported',
  'wasm/function-too-large',
  'native/unsupported',
]);

/** A payload and a schedule for it, and what must come out. */
interface Lowered {
  readonly index: number;
  readonly payload: string;
  readonly script: string;
  readonly session: Session;
  /** On buffers. */
  readonly bufferized: Module;
}

/** A payload whose sizes the types tell: backends run no other function. */
const drawStatic = (random: Random): PayloadSpec => {
  for (;;) {
    const payload = drawPayload(random);
    const isStatic = payload.ops.every((op) =>
      operandsOf(op).every(({ dynamic }) => !dynamic.includes(true)),
    );
    if (isStatic) return payload;
  }
};

/** The same kind of number everywhere: indices are 64-bit words natively. */
const plain = (numbers: Numbers): Numbers =>
  numbers.map((value) =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value,
  );

/** How a function's results differ from the interpreter's; of two calls, since state of the first may remain. */
const differs =
  ({ values, expected }: Session) =>
  (artifact: Artifact, name: string): string | undefined => {
    const signature = artifact.functions.find((each) => each.name === name)!;
    for (const run of ['', 'in the second run: ']) {
      const given = values.map(({ numbers }, i): RunValue => {
        const parameter = signature.parameters[i]!;
        return parameter.kind === 'scalar' ? numbers[0]! : filledArray(numbers, parameter);
      });
      const results = artifact
        .run(name, ...given)
        .map((value) => plain(typeof value === 'object' ? Array.from<number | bigint>(value) : [value]));
      const buffers = given
        .filter((value) => typeof value === 'object')
        .map((value) => plain(Array.from<number | bigint>(value)));
      const wrong = difference({ results, buffers }, expected.map(plain));
      if (wrong !== undefined) return run + wrong;
    }
    return undefined;
  };

/** What a lowering makes of a payload: code, a refusal by name, or a fault. */
type Outcome = { readonly lowered: Lowered } | { readonly refused: string } | { readonly fault: Fault };

const faulty = (kind: Fault['kind'], transform: string | undefined, message: string): Outcome => ({
  fault: { kind, transform, message },
});

const refusedOrFaulty = (kind: Fault['kind'], diagnostics: readonly Diagnostic[]): Outcome => {
  const { code, message } = diagnostics.find(({ severity }) => severity === 'error')!;
  return declined.has(code)
    ? { refused: `${code}: ${message}` }
    : faulty(kind, undefined, rendered(diagnostics));
};

/** Applies the schedule, executes what it makes, and runs that on WebAssembly. */
const lowerOn = (index: number, payload: string, { script }: DrawnLowering, session: Session): Outcome => {
  const schedule = parseModule(script, { registry, fileName: 'script.mlir' });
  if (schedule.status !== 'success') return faulty('script', undefined, rendered(schedule.diagnostics));
  const onWasm = compileModuleSync(session.payload, { schedule: schedule.value, registry });
  if (onWasm.status !== 'success') return refusedOrFaulty('wasm', onWasm.diagnostics);
  const artifact = onWasm.value;
  const { scheduled, bufferized } = artifact.stages;
  for (const [name, module] of [
    ['schedule', scheduled],
    ['bufferization', bufferized],
  ] as const) {
    const wrong = checkModule(module, registry, session.values, session.expected);
    if (wrong !== undefined) return faulty(wrong.kind, name, wrong.message);
  }
  const wrong = differs(session)(artifact, 'f');
  artifact.dispose();
  if (wrong !== undefined) return faulty('result', 'wasm', wrong);
  return { lowered: { index, payload, script, session, bufferized } };
};

/** The text of payload `index` of a seed, its schedule, and what becomes of it. */
const lower = (seed: number, index: number) => {
  const random = randomOf(seed, index);
  const spec = drawStatic(random);
  const { payload } = payloadText(spec);
  const session = Session.start({ payload, dynamicSizes: [] });
  if (!(session instanceof Session))
    return { payload, script: '', features: [], outcome: { fault: session } };
  const drawn = drawLowering(random, session.payload);
  const features = [...payloadFeatures(spec), ...drawn.features];
  const attempt = (): Outcome => {
    try {
      return lowerOn(index, payload, drawn, session);
    } catch (thrown) {
      if (thrown instanceof DiagnosticError) return refusedOrFaulty('throw', thrown.diagnostics);
      return faulty('throw', undefined, thrownText(thrown));
    }
  };
  return { payload, script: drawn.script, features, outcome: attempt() };
};

/** The payload and the schedule, for a report of one that does not end. */
export const loweringText = (
  seed: number,
  index: number,
): { readonly payload: string; readonly script: string } => {
  const random = randomOf(seed, index);
  const { payload } = payloadText(drawStatic(random));
  const parsed = parseModule(payload, { registry });
  return { payload, script: parsed.status === 'success' ? drawLowering(random, parsed.value).script : '' };
};

/** Payloads a library. */
const batch = 50;

/** Runs the payloads of a share, natively for a target if there is one; what is refused by name is counted. */
export const runLowerings = async (
  { seed, from, to }: Share,
  target: Target | undefined,
  onPayload?: (index: number) => void,
): Promise<Campaign> => {
  let campaign = noCampaign;
  const add = (index: number, payload: string, script: string, fault: Fault): void => {
    const found = { seed, index, times: 1, fault, payload, dynamicSizes: [], script };
    campaign = addCampaigns(campaign, { ...noCampaign, faults: [found] });
  };
  for (let start = from; start < to; start += batch) {
    const all: Lowered[] = [];
    for (let index = start; index < Math.min(to, start + batch); index++) {
      onPayload?.(index);
      const { payload, script, features, outcome } = lower(seed, index);
      const counts = Object.fromEntries([...new Set(features)].map((feature) => [feature, 1]));
      const notOnWasm = 'refused' in outcome ? { [outcome.refused]: 1 } : {};
      const statistics = { ...noStatistics, payloads: 1, features: counts, notOnWasm };
      campaign = addCampaigns(campaign, { ...noCampaign, statistics });
      if ('fault' in outcome) add(index, payload, script, outcome.fault);
      if ('lowered' in outcome) all.push(outcome.lowered);
    }
    if (target === undefined) continue;
    const subjects = all.map((lowered) => ({
      ...lowered,
      text: printed(lowered.bufferized, registry),
      differs: differs(lowered.session),
    }));
    for (const { subject, kind, message } of await compareNatively(subjects, target)) {
      const isRefusal = [...declined].some((code) => message.includes(code));
      if (isRefusal) {
        const statistics = { ...noStatistics, features: { [`refused: ${message.split('\n', 1)[0]!}`]: 1 } };
        campaign = addCampaigns(campaign, { ...noCampaign, statistics });
      } else add(subject.index, subject.payload, subject.script, { kind, transform: 'native', message });
    }
  }
  return campaign;
};
