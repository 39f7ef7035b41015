/** Runs shares of a campaign in a thread of its own, so that a payload that never ends can be ended. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Campaign, Share } from './campaign.ts';
import { runShare } from './campaign.ts';
import { structuredChains } from './structured-chains.ts';

/** What a worker is started with. */
export interface WorkerTask {
  readonly share: Share;
  readonly keepTexts: number;
}

/** What a worker tells. */
export type WorkerMessage =
  | { readonly kind: 'payload'; readonly index: number }
  | { readonly kind: 'done'; readonly campaign: Campaign };

const tell = (message: WorkerMessage): void => parentPort?.postMessage(message);

const { share, keepTexts } = workerData as WorkerTask;
const campaign = runShare(structuredChains, share, {
  keepTexts,
  onPayload: (index) => tell({ kind: 'payload', index }),
});
tell({ kind: 'done', campaign });
