/**
 * The body of every convolution and matrix product, `out + a * b` in f32, recognized so that its rows run without a
 * closure per operation. Computes exactly what `arith.mulf` and `arith.addf` do, including rounding.
 */
import { isMultiplyAdd } from '@sconv/dialects/linalg';
import type { Block } from '@sconv/ir';
import { f32, typeEquals } from '@sconv/ir';
import type { NumberArray } from './element.ts';

/** The elements of both inputs and of the output. */
export type MultiplyAddData = readonly [NumberArray, NumberArray, NumberArray];

/** Whether a body is just `yield(out + a * b)` in f32. */
export const isF32MultiplyAdd = (block: Block): boolean =>
  isMultiplyAdd(block) && block.arguments.every(({ type }) => typeEquals(type, f32));

/** A row of the innermost loop: number of points, and the operands' strides. */
export interface Row {
  readonly count: number;
  readonly steps: Int32Array;
}

/** Runs a row from the given positions of both inputs and the output. */
export const multiplyAddRow = (
  { count, steps }: Row,
  [a, b, out]: MultiplyAddData,
): ((positions: Int32Array) => void) => {
  const [aStep, bStep, outStep] = [steps[0]!, steps[1]!, steps[2]!];
  return (positions) => {
    let i = positions[0]!;
    let j = positions[1]!;
    let k = positions[2]!;
    for (let n = 0; n < count; n++) {
      out[k] = Math.fround(out[k]! + Math.fround(a[i]! * b[j]!));
      i += aStep;
      j += bStep;
      k += outStep;
    }
  };
};
