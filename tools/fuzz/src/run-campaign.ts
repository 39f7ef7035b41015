/** Runs a campaign in several threads under a watchdog: a payload that does not terminate is a fault. */
import { Worker } from 'node:worker_threads';
import type { Campaign, FoundFault, Share } from './campaign.ts';
import { addCampaigns, noCampaign } from './campaign.ts';
import type { Progress } from './progress.ts';
import { structuredChains } from './structured-chains.ts';
import { randomOf } from './random.ts';
import { effectsText } from './fuzz-effects.ts';
import { functionText } from './fuzz-function.ts';
import type { Subjects, WorkerMessage, WorkerTask } from './worker.ts';

export interface CampaignRequest {
  readonly subjects: Subjects;
  readonly seeds: readonly number[];
  /** Payloads per seed. */
  readonly payloads: number;
  /** Threads. */
  readonly jobs: number;
  /** Keep the printed modules of every n-th payload; 0 for none. */
  readonly keepTexts: number;
  /** Called as payloads begin and faults are found, more than once for faults that several threads find. */
  readonly progress?: Pick<Progress, 'done' | 'fault'>;
}

/** Payloads per thread start: ending the thread frees its memory. A new thread is half as fast at first. */
const shareSize = 1000;

/** Timeout of a payload, including minimisation. */
const deadline = 120_000;

const hang = (subjects: Subjects, seed: number, index: number): FoundFault => {
  const subject = {
    schedules: () => structuredChains.subject(structuredChains.payload(randomOf(seed, index))),
    functions: () => ({ payload: functionText(seed, index), dynamicSizes: [] }),
    effects: () => ({ payload: effectsText(seed, index), dynamicSizes: [] }),
    numbers: () => ({ payload: `input ${index} of --numbers --seed ${seed}`, dynamicSizes: [] }),
  }[subjects]();
  const message = `no end after ${deadline / 1000} s`;
  return {
    seed,
    index,
    times: 1,
    fault: { kind: 'hang', transform: undefined, message },
    ...subject,
    script: '',
  };
};

/** Runs one share; skips a payload that does not terminate. */
const runInThread = async (
  task: WorkerTask,
  progress: Pick<Progress, 'done' | 'fault'> | undefined,
): Promise<Campaign> => {
  const { subjects, share } = task;
  if (share.from >= share.to) return noCampaign;
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: task });
  let current = share.from;
  const outcome = await new Promise<Campaign | undefined>((resolve, reject) => {
    const late = (): void => resolve(undefined);
    let timer = setTimeout(late, deadline);
    worker.on('message', (message: WorkerMessage) => {
      clearTimeout(timer);
      if (message.kind === 'done') resolve(message.campaign);
      else {
        if (message.kind === 'fault') progress?.fault(message.found);
        else {
          current = message.index;
          progress?.done();
        }
        timer = setTimeout(late, deadline);
      }
    });
    worker.on('error', (problem) => {
      clearTimeout(timer);
      reject(problem);
    });
  });
  await worker.terminate();
  if (outcome !== undefined) return outcome;
  const found = hang(subjects, share.seed, current);
  progress?.fault(found);
  const before = await runInThread({ ...task, share: { ...share, to: current } }, undefined);
  const after = await runInThread({ ...task, share: { ...share, from: current + 1 } }, progress);
  const faults = [found];
  return addCampaigns(addCampaigns(before, after), { ...noCampaign, faults });
};

/** Runs all payloads. */
export const runCampaign = async (request: CampaignRequest): Promise<Campaign> => {
  const { subjects, seeds, payloads, jobs, keepTexts, progress } = request;
  const shares = seeds.flatMap((seed) =>
    Array.from({ length: Math.ceil(payloads / shareSize) }, (_, i): Share => {
      const from = i * shareSize;
      return { seed, from, to: Math.min(payloads, from + shareSize) };
    }),
  );
  const results: Campaign[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let share = shares[next++]; share !== undefined; share = shares[next++]) {
      const i = shares.indexOf(share);
      results[i] = await runInThread({ subjects, share, keepTexts }, progress);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results.reduce(addCampaigns, noCampaign);
};
