/** Frames: where a function's activation keeps its values. */
import type { Type } from '@sconv/ir';
import { isNumberType } from './element.ts';
import type { RuntimeValue, ShapedValue } from './value.ts';

/**
 * The SSA values of one activation of a function. Scalars held as numbers have slots in `numbers`, everything else in
 * `objects`.
 */
export interface Frame {
  readonly numbers: Float64Array;
  readonly objects: (bigint | ShapedValue | undefined)[];
  /** The activation's results, once it has returned. */
  results: readonly RuntimeValue[];
}

/** Stores a value to a slot of a frame. */
export const store = (frame: Frame, slot: number, value: RuntimeValue): void => {
  if (typeof value === 'number') frame.numbers[slot] = value;
  else frame.objects[slot] = value;
};

/** Loads a value of `type` from a slot. */
export const load = (frame: Frame, slot: number, type: Type): RuntimeValue =>
  isNumberType(type) ? frame.numbers[slot]! : frame.objects[slot]!;
