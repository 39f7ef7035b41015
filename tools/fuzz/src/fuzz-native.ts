/** Runs functions natively and in the interpreter: every operation of the dialects, many functions a library. */
import { printLocation, render } from '@sconv/diagnostics';
import type { Diagnostic, Location } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { nativeBackend } from '@sconv/native';
import type { Target } from '@sconv/targets';
import { defaultRegistry as registry } from 'sconv';
import type { Campaign, FoundFault, Share } from './campaign.ts';
import { addCampaigns, noCampaign } from './campaign.ts';
import { drawNative } from './draw-native.ts';
import type { Fault } from './fault.ts';
import type { Sample } from './native-sample.ts';
import { difference, namesIn, operationOf, rendered, sampleOf } from './native-sample.ts';
import { onWasm } from './on-wasm.ts';
import { randomOf } from './random.ts';
import { thrownText } from './run-text.ts';
import { noStatistics } from './statistics.ts';

/** The programs as one module, each with symbols of its own. */
const together = (samples: readonly Sample[]): string =>
  samples
    .map(({ program: { text } }, i) => text.replaceAll(/@([a-z]+)\b/g, (_, name: string) => `@${name}_${i}`))
    .join('\n');

const fault = (
  seed: number,
  { index, program }: Pick<Sample, 'index' | 'program'>,
  found: Fault,
): FoundFault => ({
  seed,
  index,
  times: 1,
  fault: found,
  payload: program.text,
  dynamicSizes: [],
  script: '',
});

/** What differs of programs that are built as one library; a library that cannot be built is built in halves. */
const compare = async (
  seed: number,
  samples: readonly Sample[],
  target: Target,
): Promise<readonly FoundFault[]> => {
  if (samples.length === 0) return [];
  const halves = async (): Promise<readonly FoundFault[]> => {
    const middle = samples.length >> 1;
    return [
      ...(await compare(seed, samples.slice(0, middle), target)),
      ...(await compare(seed, samples.slice(middle), target)),
    ];
  };
  const found = (sample: Sample, kind: Fault['kind'], message: string): FoundFault =>
    fault(seed, sample, { kind, transform: operationOf(sample), message });
  try {
    const parsed = parseModule(together(samples), { registry });
    if (parsed.status !== 'success') throw new Error(rendered(parsed.diagnostics));
    const emitted = nativeBackend.emit(parsed.value, { target, registry });
    if (emitted.status !== 'success')
      return samples.map((each) => found(each, 'native', rendered(emitted.diagnostics)));
    const loaded = await nativeBackend.load(emitted.value);
    if (loaded.status !== 'success') {
      const [failure] = loaded.diagnostics;
      const at = functionAt(failure!, emitted.value.functions);
      if (samples.length > 1 && at === undefined) return await halves();
      const bad = samples[at ?? 0]!;
      const rest = samples.filter((each) => each !== bad);
      return [
        found(bad, 'native', render(failure!, undefined, { details: true })),
        ...(await compare(seed, rest, target)),
      ];
    }
    const artifact = loaded.value;
    const faults = samples.flatMap((sample, i) => {
      const message = difference(artifact, `f_${i}`, sample);
      return message === undefined ? [] : [found(sample, 'result', message)];
    });
    artifact.dispose();
    return faults;
  } catch (thrown) {
    if (samples.length > 1) return halves();
    return [found(samples[0]!, 'throw', thrownText(thrown))];
  }
};

/** The number of the function whose location a diagnostic has; undefined if it is the first one's, which any failure may have. */
const functionAt = (
  { location, message }: Diagnostic,
  functions: readonly { readonly name: string; readonly location: Location }[],
): number | undefined => {
  const found = functions.find((each) => printLocation(each.location) === printLocation(location));
  const at = found === undefined ? undefined : Number(found.name.split('_')[1]);
  return at === 0 && !message.includes(' on ') ? undefined : at;
};

/** Programs a library. */
const batch = 50;

/** Compares the programs of a share, natively and on wasm; what is refused by name is counted, by operation. */
export const runNative = async ({ seed, from, to }: Share, target: Target): Promise<Campaign> => {
  let campaign = noCampaign;
  for (let start = from; start < to; start += batch) {
    const samples: Sample[] = [];
    for (let index = start; index < Math.min(to, start + batch); index++) {
      const sample = sampleOf(seed, index);
      const features: Record<string, number> = {};
      const faults: FoundFault[] = [];
      if (sample === undefined) features['not executed'] = 1;
      else if (!('program' in sample)) {
        faults.push(fault(seed, { index, program: drawNative(randomOf(seed, index)) }, sample));
      } else {
        for (const name of new Set(namesIn(sample))) features[name] = 1;
        const { refused, fault: onOther } = onWasm(sample);
        if (refused !== undefined) features[`refused on wasm: ${refused}`] = 1;
        if (onOther !== undefined) faults.push(fault(seed, sample, onOther));
        const emitted = emittedAlone(sample, target);
        if (emitted === undefined) samples.push(sample);
        else if (emitted.code === 'native/unsupported') features[`refused: ${emitted.message}`] = 1;
        else
          faults.push(
            fault(seed, sample, { kind: 'native', transform: operationOf(sample), message: render(emitted) }),
          );
      }
      campaign = addCampaigns(campaign, {
        statistics: { ...noStatistics, payloads: 1, features },
        faults,
        texts: [],
      });
    }
    const faults = await compare(seed, samples, target);
    campaign = addCampaigns(campaign, { ...noCampaign, faults });
  }
  return campaign;
};

/** Why a program is not compiled; undefined if it is. */
const emittedAlone = (sample: Sample, target: Target): Diagnostic | undefined => {
  try {
    const { status, diagnostics } = nativeBackend.emit(sample.module, { target, registry });
    return status === 'success' ? undefined : diagnostics[0];
  } catch {
    // Found again with the others.
    return undefined;
  }
};
