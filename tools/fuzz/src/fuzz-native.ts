/** Runs functions natively and in the interpreter: every operation of the dialects, many functions a library. */
import type { Artifact } from '@sconv/backend';
import { render } from '@sconv/diagnostics';
import type { Diagnostic } from '@sconv/diagnostics';
import { nativeBackend } from '@sconv/native';
import type { Target } from '@sconv/targets';
import { defaultRegistry as registry } from 'sconv';
import type { Campaign, FoundFault, Share } from './campaign.ts';
import { addCampaigns, noCampaign } from './campaign.ts';
import { drawNative } from './draw-native.ts';
import type { Fault } from './fault.ts';
import type { Sample } from './native-sample.ts';
import { compareNatively } from './native-batch.ts';
import { difference, namesIn, operationOf, sampleOf } from './native-sample.ts';
import { onWasm } from './on-wasm.ts';
import { randomOf } from './random.ts';
import { noStatistics } from './statistics.ts';

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

/** What differs of programs that are built as one library. */
const compare = async (
  seed: number,
  samples: readonly Sample[],
  target: Target,
): Promise<readonly FoundFault[]> => {
  const subjects = samples.map((sample) => ({
    sample,
    text: sample.program.text,
    differs: (artifact: Artifact, name: string) => difference(artifact, name, sample),
  }));
  return (await compareNatively(subjects, target)).map(({ subject: { sample }, kind, message }) =>
    fault(seed, sample, { kind, transform: operationOf(sample), message }),
  );
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
