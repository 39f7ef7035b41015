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

/** Runs the payloads of a share. */
export const runShare = <P>(
  distribution: Distribution<P>,
  share: Share,
  options: CampaignOptions,
): Campaign => {
  const { seed, from, to } = share;
  const { keepTexts, onPayload } = options;
  let campaign = noCampaign;
  for (let index = from; index < to; index++) {
    onPayload?.(index);
    const result = fuzzPayload(distribution, seed, index);
    const isKept = keepTexts > 0 && index % keepTexts === 0;
    const isKnown =
      result.fault !== undefined &&
      campaign.faults.some(({ fault }) => signatureOf(fault) === signatureOf(result.fault!));
    campaign = addCampaigns(campaign, {
      statistics: statisticsOf(result, distribution),
      texts: isKept ? result.texts : [],
      faults:
        result.fault === undefined ? [] : [foundFault(distribution, result, share.seed, index, isKnown)],
    });
  }
  return campaign;
};

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
