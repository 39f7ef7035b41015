/** A process in which a peer loads a model and calls it for the first time. */
import { readFileSync } from 'node:fs';
import { messageOf } from '../reason.ts';
import type { PeerAnswer, PeerTask } from './model-peer.ts';
import { timeStart } from './model-peer.ts';

/** Answers the parent process's one message. */
export const servePeerStart = (): void => {
  const answer = (said: PeerAnswer): void => {
    process.send?.(said);
  };
  process.once('message', (task: PeerTask) => {
    Promise.resolve()
      .then(() => timeStart(task, readFileSync(task.path)))
      .then(answer, (problem: unknown) => {
        answer({ problem: messageOf(problem) });
      });
  });
  process.on('disconnect', () => {
    process.exit();
  });
};
