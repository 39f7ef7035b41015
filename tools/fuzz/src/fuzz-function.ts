/** Runs each cleanup pass on random functions, and compares what they compute before and after. */
import { unwrap } from '@sconv/diagnostics';
import type { Module, Pass } from '@sconv/ir';
import { parseModule, printModule, verify } from '@sconv/ir';
import type { RuntimeValue } from '@sconv/interpreter';
import { defaultRegistry as registry } from 'sconv';
import type { Campaign, CampaignOptions, FoundFault, Share } from './campaign.ts';
import { noCampaign, runEach } from './campaign.ts';
import { cleanupPasses, passLabel, passScript } from './cleanup-passes.ts';
import { differs, drawArguments, outcomeOf } from './compare-functions.ts';
import { drawFunction } from './draw-function.ts';
import { thrownText } from './run-text.ts';
import type { Fault } from './fault.ts';
import { randomOf } from './random.ts';
import type { Drawn } from './statistics.ts';
import { noStatistics } from './statistics.ts';

/** A random function, its arguments and results. */
interface Sample {
  readonly module: Module;
  readonly values: readonly RuntimeValue[];
  readonly outcome: ReturnType<typeof outcomeOf>;
}

/** Function `index` of a seed, as text. */
export const functionText = (seed: number, index: number): string => drawFunction(randomOf(seed, index)).text;

/** Function `index` of a seed, or why it is invalid. */
const sampleOf = (seed: number, index: number): Sample | Fault => {
  const random = randomOf(seed, index);
  const drawn = drawFunction(random);
  const parsed = parseModule(drawn.text, { registry });
  const wrong = (message = ''): Fault => ({ kind: 'payload', transform: undefined, message });
  if (parsed.status !== 'success') return wrong(parsed.diagnostics[0]?.message);
  const errors = verify(parsed.value, registry);
  if (errors.length > 0) return wrong(errors[0]?.message);
  const values = drawArguments(random, drawn);
  return { module: parsed.value, values, outcome: outcomeOf(parsed.value, values) };
};

/** What is wrong with a pass's result, and whether the pass changed the function. */
const checkPass = (
  { module, values, outcome }: Sample,
  pass: Pass,
): { readonly isChanged: boolean; readonly fault?: Fault } => {
  const fault = (kind: Fault['kind'], message: string) => ({
    isChanged: true,
    fault: { kind, transform: passLabel(pass), message },
  });
  try {
    const after = unwrap(pass.run(module, { registry }));
    const errors = verify(after, registry);
    if (errors.length > 0) return fault('invalid', errors[0]!.message);
    const isChanged = printModule(after, { registry }) !== printModule(module, { registry });
    // What cannot be executed before, such as a division by zero, may be anything afterwards.
    if (!('results' in outcome)) return { isChanged };
    const now = outcomeOf(after, values);
    if (!('results' in now)) {
      // Operations hoisted out of loops that never run may make indices that the interpreter cannot represent.
      return now.problem.includes('[interpreter/overflow]') ? { isChanged } : fault('result', now.problem);
    }
    return differs(outcome.results, now.results)
      ? fault('result', `${outcome.results.join(', ')}\nbecame ${now.results.join(', ')}`)
      : { isChanged };
  } catch (thrown) {
    return fault('throw', thrownText(thrown));
  }
};

/** Runs all cleanup passes on function `index` of a seed. */
export const fuzzFunction = (
  seed: number,
  index: number,
  passes: readonly Pass[] = cleanupPasses,
): Campaign => {
  const payload = functionText(seed, index);
  const found = (fault: Fault, script = ''): FoundFault => ({
    seed,
    index,
    times: 1,
    fault,
    payload,
    dynamicSizes: [],
    script,
  });
  const sample = sampleOf(seed, index);
  if (!('module' in sample)) return { ...noCampaign, faults: [found(sample)] };
  const checks = passes.map((pass) => ({ pass, ...checkPass(sample, pass) }));
  const steps: Record<string, Drawn> = {};
  for (const { pass, isChanged } of checks) steps[passLabel(pass)] = { drawn: 1, applied: isChanged ? 1 : 0 };
  const features = 'results' in sample.outcome ? 'executed' : 'not executed';
  return {
    statistics: { ...noStatistics, payloads: 1, steps, features: { [features]: 1 } },
    faults: checks.flatMap(({ pass, fault }) =>
      fault === undefined ? [] : [found(fault, passScript(pass))],
    ),
    texts: [],
  };
};

/** Runs the functions of a share. */
export const runFunctions = (share: Share, options: Omit<CampaignOptions, 'keepTexts'>): Campaign =>
  runEach(share, options, (index) => fuzzFunction(share.seed, index));
