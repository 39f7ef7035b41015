/** Runs native programs in processes of their own: one that ends its process is a fault. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Campaign, Share } from './campaign.ts';
import { addCampaigns, noCampaign } from './campaign.ts';
import { drawNative } from './draw-native.ts';
import { loweringText } from './fuzz-lowerings.ts';
import type { Progress } from './progress.ts';
import { randomOf } from './random.ts';
import { noStatistics } from './statistics.ts';

const run = promisify(execFile);

/** What is executed natively: single operations, or vectorized structured ops. */
export type NativeSubjects = 'native' | 'lowerings';

/** Whether programs of these subjects are executed natively. */
export const isNative = (subjects: string): subjects is NativeSubjects =>
  subjects === 'native' || subjects === 'lowerings';

/** Programs a process. */
const shareSize = 100;

const script = fileURLToPath(new URL('./native-share.js', import.meta.url));

/** Which programs, in how many processes. */
export interface NativeRequest {
  readonly subjects: NativeSubjects;
  readonly seeds: readonly number[];
  /** Programs per seed. */
  readonly payloads: number;
  readonly jobs: number;
  /** Called after each share. */
  readonly progress?: Pick<Progress, 'done' | 'fault'>;
}

/** One share; one that ends its process is cut in halves. */
const runShare = async (subjects: NativeSubjects, share: Share, cache: string): Promise<Campaign> => {
  const { seed, from, to } = share;
  try {
    const words = [script, subjects, ...[seed, from, to].map(String)];
    const env = { ...process.env, XDG_CACHE_HOME: cache };
    const { stdout } = await run(process.execPath, words, { maxBuffer: 2 ** 28, env });
    return JSON.parse(stdout) as Campaign;
  } catch (problem) {
    if (to - from > 1) {
      const middle = (from + to) >> 1;
      const before = await runShare(subjects, { seed, from, to: middle }, cache);
      return addCampaigns(before, await runShare(subjects, { seed, from: middle, to }, cache));
    }
    const { signal, message } = problem as { readonly signal?: string; readonly message: string };
    const fault = { kind: 'throw', transform: 'native', message: signal ?? message } as const;
    const { payload, script: schedule } = programText(subjects, seed, from);
    return {
      ...noCampaign,
      statistics: { ...noStatistics, payloads: 1 },
      faults: [{ seed, index: from, times: 1, fault, payload, dynamicSizes: [], script: schedule }],
    };
  }
};

const programText = (subjects: NativeSubjects, seed: number, index: number) =>
  subjects === 'lowerings'
    ? loweringText(seed, index)
    : { payload: drawNative(randomOf(seed, index)).text, script: '' };

/** Runs all programs in so many processes, with libraries in a cache that is removed. */
export const runNativeCampaign = async ({
  subjects,
  seeds,
  payloads,
  jobs,
  progress,
}: NativeRequest): Promise<Campaign> => {
  const shares = seeds.flatMap((seed) =>
    Array.from({ length: Math.ceil(payloads / shareSize) }, (_, i): Share => ({
      seed,
      from: i * shareSize,
      to: Math.min(payloads, (i + 1) * shareSize),
    })),
  );
  const cache = mkdtempSync(join(tmpdir(), 'sconv-fuzz-'));
  let campaign = noCampaign;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let share = shares[next++]; share !== undefined; share = shares[next++]) {
      const done = await runShare(subjects, share, cache);
      campaign = addCampaigns(campaign, done);
      for (const found of done.faults) progress?.fault(found);
      progress?.done(done.statistics.payloads);
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  return campaign;
};
