/** Recognises contractions: sums of products of two operands, named or generic. */
import type { StructuredOp } from '@sconv/dialects/linalg';
import { bytesOfElement, isShaped, isStaticShape, printType } from '@sconv/ir';
import type { Contraction, ContractionOperand } from '@sconv/plans';

/** The inputs of a structured op that depend on the iteration: all but the zero points of a quantized one. */
export const factorPositions = ({ inputs, indexingMaps }: StructuredOp): readonly number[] =>
  inputs.flatMap(({ type }, i) =>
    i >= 2 && !isShaped(type) && indexingMaps[i]!.results.length === 0 ? [] : [i],
  );

/**
 * The contraction that a structured op on tensors of static shape computes, if its body multiplies and adds; its
 * dimensions are `d0`, `d1` …; undefined for an op of another structure.
 */
export const contractionOf = (view: StructuredOp): Contraction | undefined => {
  const { inputs, outputs, indexingMaps, iteratorTypes, loopRanges } = view;
  const factors = factorPositions(view);
  if (factors.length !== 2 || outputs.length !== 1) return undefined;
  const operand = (name: string, position: number): ContractionOperand | undefined => {
    const { type } = [...inputs, ...outputs][position]!;
    const bytes = type.kind === 'tensor' ? bytesOfElement(type.elementType) : undefined;
    if (bytes === undefined || type.kind !== 'tensor' || !isStaticShape(type)) return undefined;
    return { name, map: indexingMaps[position]!, sizes: type.shape, bytes };
  };
  const left = operand('left', factors[0]!);
  const right = operand('right', factors[1]!);
  const output = operand('output', inputs.length);
  const result = outputs[0]!.type;
  if (left === undefined || right === undefined || output === undefined || !isShaped(result))
    return undefined;
  return {
    dimensions: loopRanges.map((extent, i) => ({
      name: `d${i}`,
      extent,
      iterator: iteratorTypes[i]!,
    })),
    operands: [left, right, output],
    elementType: printType(result.elementType),
  };
};
