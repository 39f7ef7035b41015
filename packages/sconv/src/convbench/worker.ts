/** A process that runs convolutions for another one, which outlives code that crashes. */
import { parseShape } from '@sconv/csa';
import type { Target } from '@sconv/targets';
import { targetOf } from '../commands/target-option.ts';
import { enableRelaxedSimd } from '../relaxed-simd.ts';
import type { Outcome } from './records.ts';
import { runShapes } from './run-shapes.ts';

/** What a worker is asked, one after the other. */
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

/** Answers the messages of the process that has forked this one, until it goes. */
export const serveTasks = (): void => {
  const targets = new Map<string, Target>();
  process.on('message', ({ id, shapes, target: name, samples }: Task) => {
    if (name === 'wasm-relaxed') enableRelaxedSimd();
    const target = targets.get(name) ?? targetOf(name);
    targets.set(name, target);
    void runShapes(shapes.map(parseShape), { target, samples }).then((outcomes) => {
      process.send?.({ id, outcomes } satisfies Answer);
    });
  });
  process.on('disconnect', () => {
    process.exit();
  });
  // An interrupt from the terminal goes to all processes of the group; who has asked says what becomes of it.
  process.on('SIGINT', () => undefined);
};
