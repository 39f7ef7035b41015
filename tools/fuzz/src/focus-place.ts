/** The buffer on which there is something to do for a step. */
import { writeVector } from './draw-vectors.ts';
import type { EffectValue, Vector } from './effect-types.ts';
import { isVector } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';

/** The shape of `%arg0` where a step is looked for. */
export const focusShape: readonly number[] = [4, 8];

/** Writes ops that a step has something to do with. */
export type Scenario = (w: EffectWriter) => void;

/** `%arg0`, with its type. */
export const buffer = (w: EffectWriter): string => `memref<4x8x${w.element}>`;

/** Writes the latest vector, or the latest scalar, to `%arg0`. */
export const writeLatest = (w: EffectWriter): void => {
  const latest = w.scope.at(-1)!;
  if (isVector(latest.type)) writeVector(w, latest as EffectValue<Vector>, '%arg0', buffer(w));
  else if (latest.type === w.element) {
    const at = w.indices(focusShape);
    w.line(`memref.store ${latest.name}, %arg0[${at}] : ${buffer(w)}`);
  }
};
