/** Runs many payloads: statistics, faults by cause with a small reproducer each, and printed modules. */
import type { Distribution } from './distribution.ts';
import type { Fault } from './fault.ts';
import { signatureOf } from './fault.ts';
import type { PayloadResult } from './fuzz-payload.ts';
import { fuzzPayload } from './fuzz-payload.ts';
import { minimize } from './minimize.ts';
import { scriptText } from './script.ts';
import type { Statistics } from './statistics.ts';
import { addStatistics, noStatistics, statisticsOf } from './statistics.ts';

/** A range of payloads. */
export interface Share {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
}

/** A fault and its reproducer. */
export interface FoundFault {
  readonly seed: number;
  readonly index: number;
  /** Number of payloads that showed it. */
  readonly times: number;
  readonly fault: Fault;
  readonly payload: string;
  readonly dynamicSizes: readonly number[];
  readonly script: string;
  /** The folder of the reproducer. */
  readonly path?: string;
}

export interface Campaign {
  readonly statistics: Statistics;
  readonly faults: readonly FoundFault[];
  /** Printed modules, for other tools to read. */
  readonly texts: readonly string[];
}

export interface CampaignOptions {
  /** Keep the printed modules of every n-th payload; 0 for none. */
  readonly keepTexts: number;
  /** Called before each payload. */
  readonly onPayload?: (index: number) => void;
  /** Called for each fault that is not like one before. */
  readonly onFault?: (found: FoundFault) => void;
}

export const noCampaign: Campaign = { statistics: noStatistics, faults: [], texts: [] };

/** Merges campaigns; faults with equal signatures are one. */
export const addCampaigns = (a: Campaign, b: Campaign): Campaign => {
  const faults = new Map(a.faults.map((found) => [signatureOf(found.fault), found]));
  for (const found of b.faults) {
    const signature = signatureOf(found.fault);
    const known = faults.get(signature);
    faults.set(signature, known === undefined ? found : { ...known, times: known.times + found.times });
  }
  return {
    statistics: addStatistics(a.statistics, b.statistics),
    faults: [...faults.values()],
    texts: [...a.texts, ...b.texts],
  };
};

/** Runs the payloads of a share, one after the other: `run` is told which faults are known by now. */
export const runEach = (
  { from, to }: Share,
  { onPayload, onFault }: Pick<CampaignOptions, 'onPayload' | 'onFault'>,
  run: (index: number, isKnown: (fault: Fault) => boolean) => Campaign,
): Campaign => {
  let campaign = noCampaign;
  const known = new Set<string>();
  for (let index = from; index < to; index++) {
    onPayload?.(index);
    const result = run(index, (fault) => known.has(signatureOf(fault)));
    for (const found of result.faults) {
      const signature = signatureOf(found.fault);
      if (!known.has(signature)) onFault?.(found);
      known.add(signature);
    }
    campaign = addCampaigns(campaign, result);
  }
  return campaign;
};

/** Runs payloads through schedules. */
export const runShare = <P>(
  distribution: Distribution<P>,
  share: Share,
  options: CampaignOptions,
): Campaign =>
  runEach(share, options, (index, isKnown) => {
    const result = fuzzPayload(distribution, share.seed, index);
    const { fault } = result;
    return {
      statistics: statisticsOf(result, distribution),
      texts: options.keepTexts > 0 && index % options.keepTexts === 0 ? result.texts : [],
      faults:
        fault === undefined ? [] : [foundFault(distribution, result, share.seed, index, isKnown(fault))],
    };
  });

const foundFault = <P>(
  distribution: Distribution<P>,
  { payload, records, fault }: PayloadResult<P>,
  seed: number,
  index: number,
  isKnown: boolean,
): FoundFault => {
  const steps = records.filter(({ status }) => status !== 'refused').map(({ step }) => step);
  const whole = { payload, steps, fault: fault! };
  // One reproducer per cause is enough.
  const small = isKnown
    ? whole
    : minimize(
        distribution,
        payload,
        records.map(({ step }) => step),
        fault!,
      );
  const subject = distribution.subject(small.payload);
  return {
    seed,
    index,
    times: 1,
    fault: small.fault,
    payload: subject.payload,
    dynamicSizes: subject.dynamicSizes,
    script: scriptText(small.steps),
  };
};
