/** A process that runs convolutions for its parent, which survives crashes of the code. */
import { parseShape } from '@sconv/csa';
import type { Target } from '@sconv/targets';
import { targetOf } from '../commands/target-option.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import type { Outcome } from './records.ts';
import { runShapes } from './run-shapes.ts';

/** A request to a worker; one at a time. */
export interface Task {
  readonly id: number;
  readonly shapes: readonly string[];
  readonly target: string;
  readonly samples: number;
}

export interface Answer {
  readonly id: number;
  /** Of each shape. */
  readonly outcomes: readonly Outcome[];
}

/** Answers the parent process's messages until it disconnects. */
export const serveTasks = (): void => {
  const targets = new Map<string, Target>();
  process.on('message', ({ id, shapes, target: name, samples }: Task) => {
    if (name === 'wasm-relaxed') enableRelaxedSimd();
    const target = targets.get(name) ?? targetOf(name);
    targets.set(name, target);
    void runShapes(shapes.map(parseShape), { target, samples }).then((outcomes) => {
      // A parent that is gone needs no answer.
      process.send?.({ id, outcomes } satisfies Answer, undefined, undefined, () => undefined);
    });
  });
  process.on('disconnect', () => {
    process.exit();
  });
  // A terminal interrupt goes to the whole process group; the parent decides what to do.
  process.on('SIGINT', () => undefined);
};
