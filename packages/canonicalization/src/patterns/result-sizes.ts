/**
 * The patterns `memref.resolve_ranked_shaped_type_result_dims`: a size of a result becomes sizes of the operands
 * (upstream's `ReifyRankedShapedTypeOpInterface`).
 */
import type { AffineExpr } from '@sconv/affine';
import { constant, dim as dimension, makeMap, symbol } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { applyFolded, indexValue, mixedIndices, mixedSizes, sizeOrDim } from '@sconv/dialects';
import { allocTensor } from '@sconv/dialects/bufferization';
import { softmax, structured } from '@sconv/dialects/linalg';
import * as memref from '@sconv/dialects/memref';
import * as tensor from '@sconv/dialects/tensor';
import type { DraftOperation, OpDefinition, RewritePattern, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, isShaped } from '@sconv/ir';
import { dynamicPosition, integerConstant, onOp } from '../match.ts';

/** The size of a dimension of the first result of an op; undefined if it cannot be computed from the operands. */
type SizeOf = (rewriter: Rewriter, operation: DraftOperation, position: number) => MixedIndex | undefined;

const shapeOf = ({ type }: Value): readonly number[] => (isShaped(type) ? type.shape : []);

/** The operand that the op takes as the size of a dynamic dimension. */
const ofOperand: SizeOf = (_rewriter, { operands, results: [result] }, position) =>
  operands[dynamicPosition(shapeOf(result!), position)];

const ofOperandOf =
  (which: number): SizeOf =>
  (rewriter, { operands }, position) =>
    sizeOrDim(rewriter, operands[which]!, position);

/** The sizes of a slice; dimensions that it drops have known sizes. */
const ofSlice: SizeOf = (_rewriter, operation, position) =>
  mixedSizes(operation).filter((size) => typeof size !== 'number')[
    dynamicPosition(shapeOf(operation.results[0]!), position)
  ];

const ofPad: SizeOf = (rewriter, operation, position) => {
  const { low, high } = tensor.mixedPadding(operation);
  const sum = makeMap(1, 2, [dimension(0).add(symbol(0)).add(symbol(1))]);
  const extent = sizeOrDim(rewriter, operation.operands[0]!, position);
  return applyFolded(rewriter, sum, [extent, low[position]!, high[position]!]);
};

const ofConcat: SizeOf = (rewriter, operation, position) => {
  const { operands } = operation;
  const fixed = operands.map((operand) => shapeOf(operand)[position]!);
  if (position !== tensor.concat.attributes(operation).dim)
    return fixed.find((size) => size !== DYNAMIC) ?? sizeOrDim(rewriter, operands[0]!, position);
  const sum = operands.map((_, i): AffineExpr => dimension(i)).reduce((all, each) => all.add(each));
  const sizes = operands.map((operand) => sizeOrDim(rewriter, operand, position));
  return applyFolded(rewriter, makeMap(operands.length, 0, [sum]), sizes);
};

const ofCollapse: SizeOf = (rewriter, operation, position) => {
  const [source] = operation.operands;
  const group = tensor.collapseShape.attributes(operation).reassociation[position] ?? [];
  const sizes = group.map((each) => sizeOrDim(rewriter, source!, each));
  const product = sizes.map((_, i): AffineExpr => symbol(i)).reduce((all, each) => all.mul(each));
  return applyFolded(rewriter, makeMap(0, sizes.length, [product]), sizes);
};

/**
 * The size of an expanded dimension: that of its group, divided by the other sizes.
 *
 * @deviation With several dynamic sizes in a group, upstream computes a wrong one; the op's own operand is taken here.
 */
const ofExpand: SizeOf = (rewriter, operation, position) => {
  const [source] = operation.operands;
  const shape = shapeOf(operation.results[0]!);
  const { reassociation, staticOutputShape } = tensor.expandShape.attributes(operation);
  const place = reassociation.findIndex((group) => group.includes(position));
  const others = (reassociation[place] ?? []).filter((each) => each !== position).map((each) => shape[each]!);
  if (others.includes(DYNAMIC) || others.includes(0))
    return mixedIndices(operation.operands.slice(1), staticOutputShape)[position];
  const divided = symbol(0).floorDiv(constant(others.reduce((product, size) => product * size, 1)));
  return applyFolded(rewriter, makeMap(0, 1, [divided]), [sizeOrDim(rewriter, source!, place)]);
};

const ofView: SizeOf = (_rewriter, operation, position) =>
  mixedIndices(operation.operands.slice(1), memref.expandShape.attributes(operation).staticOutputShape)[
    position
  ];

const ofAllocation: SizeOf = (rewriter, operation, position) => {
  const { dynamicSizes, copy } = allocTensor.operands(operation);
  if (copy !== undefined) return sizeOrDim(rewriter, copy, position);
  return dynamicSizes[dynamicPosition(shapeOf(operation.results[0]!), position)];
};

const bySource: Readonly<Record<string, SizeOf>> = {
  [tensor.empty.name]: ofOperand,
  [tensor.extractSlice.name]: ofSlice,
  [tensor.insertSlice.name]: ofOperandOf(1),
  [tensor.pack.name]: ofOperandOf(1),
  [tensor.unpack.name]: ofOperandOf(1),
  [softmax.name]: ofOperandOf(0),
  [tensor.pad.name]: ofPad,
  [tensor.concat.name]: ofConcat,
  [tensor.collapseShape.name]: ofCollapse,
  [tensor.expandShape.name]: ofExpand,
  [memref.expandShape.name]: ofView,
  [allocTensor.name]: ofAllocation,
};

/**
 * A size of a result of a structured op: that of the first operand dimension that the same iterations index.
 *
 * @deviation If a result is indexed by a sum, upstream adds up the sizes, which is one too many for each further term;
 * the size of the destination is taken here.
 */
const ofStructured = (
  rewriter: Rewriter,
  operation: DraftOperation,
  result: number,
  position: number,
): MixedIndex | undefined => {
  const view = structured(rewriter.registry, operation);
  const init = view?.outputs[result];
  if (view === undefined || init === undefined) return undefined;
  const index = view.indexingMaps[view.inputs.length + result]!.results[position];
  if (index?.kind !== 'dim') return sizeOrDim(rewriter, init, position);
  const operands = [...view.inputs, ...view.outputs];
  for (const [i, operand] of operands.entries()) {
    const at = view.indexingMaps[i]!.results.findIndex(
      (each) => each.kind === 'dim' && each.position === index.position,
    );
    if (at < 0) continue;
    return i < view.inputs.length ? sizeOrDim(rewriter, operand, at) : sizeOrDim(rewriter, init, position);
  }
  return undefined;
};

const resolve = (definition: OpDefinition): RewritePattern =>
  onOp(definition, 'size-of-result', (rewriter, operation) => {
    const [source, index] = operation.operands;
    const made = source === undefined ? undefined : rewriter.definingOperation(source);
    const position = integerConstant(rewriter, index);
    if (source === undefined || made === undefined || position === undefined) return;
    if (shapeOf(source)[position] !== DYNAMIC) return;
    const result = made.results.findIndex(({ id }) => id === source.id);
    const size =
      bySource[made.name]?.(rewriter, made, position) ?? ofStructured(rewriter, made, result, position);
    if (size !== undefined) rewriter.replaceOperation(operation, [indexValue(rewriter, size)]);
  });

export const resultSizePatterns: readonly RewritePattern[] = [resolve(memref.dim), resolve(tensor.dim)];
