/**
 * The body of every convolution and matrix product, `out + a * b` in f32, recognised so that its rows run without a
 * closure for each operation. It computes what `arith.mulf` and `arith.addf` compute, roundings included.
 */
import type { Block } from '@sconv/ir';
import type { NumberArray } from './element.ts';

/** Which operands are multiplied and which accumulates. */
export interface MultiplyAccumulate {
  readonly a: number;
  readonly b: number;
  readonly accumulator: number;
}

/** The operands of a body that is nothing but `yield(out + a * b)` in f32; undefined for any other. */
export const matchMultiplyAccumulate = (block: Block, inputs: number): MultiplyAccumulate | undefined => {
  const [multiply, add, terminator] = block.operations;
  if (block.operations.length !== 3 || multiply?.name !== 'arith.mulf' || add?.name !== 'arith.addf')
    return undefined;
  const { id: product, type } = multiply.results[0]!;
  if (type.kind !== 'float' || type.name !== 'f32') return undefined;
  const position = (id: number | undefined): number =>
    block.arguments.findIndex((argument) => argument.id === id);
  const [a, b] = [position(multiply.operands[0]?.id), position(multiply.operands[1]?.id)];
  const [lhs, rhs] = [add.operands[0]?.id, add.operands[1]?.id];
  if ((lhs === product) === (rhs === product)) return undefined;
  const accumulator = position(lhs === product ? rhs : lhs);
  const yields = terminator?.operands.length === 1 && terminator.operands[0]?.id === add.results[0]?.id;
  if (!yields || a < 0 || b < 0 || a >= inputs || b >= inputs || accumulator !== inputs) return undefined;
  return { a, b, accumulator };
};

/** A row of the innermost loop: how many points, and what each adds to the operands' positions. */
export interface Row {
  readonly count: number;
  readonly steps: Int32Array;
}

/** Runs a row from the given positions of the operands on; `data` are the operands' elements. */
export const multiplyAccumulateRow = (
  { a, b, accumulator }: MultiplyAccumulate,
  { count, steps }: Row,
  data: readonly NumberArray[],
): ((positions: Int32Array) => void) => {
  const [aData, bData, out] = [data[a]!, data[b]!, data[accumulator]!];
  const [aStep, bStep, outStep] = [steps[a]!, steps[b]!, steps[accumulator]!];
  return (positions) => {
    let i = positions[a]!;
    let j = positions[b]!;
    let k = positions[accumulator]!;
    for (let n = 0; n < count; n++) {
      out[k] = Math.fround(out[k]! + Math.fround(aData[i]! * bData[j]!));
      i += aStep;
      j += bStep;
      k += outStep;
    }
  };
};
