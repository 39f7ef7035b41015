/** Runs shares of a campaign in its own thread, which can be terminated if a payload hangs. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Campaign, Share } from './campaign.ts';
import { runShare } from './campaign.ts';
import { structuredChains } from './structured-chains.ts';

/** The input of a worker. */
export interface WorkerTask {
  readonly share: Share;
  readonly keepTexts: number;
}

/** The messages of a worker. */
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
