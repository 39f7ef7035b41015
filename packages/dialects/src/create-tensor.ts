/** Creates tensor ops with dynamic sizes, as upstream creates them. */
import type { Attribute, Rewriter, TensorType, Type, Value } from '@sconv/ir';
import { DYNAMIC, floatAttribute, indexType, integerAttribute, tensorType } from '@sconv/ir';
import { indexValue } from './mixed-values.ts';
import type { Reassociation } from './attribute-kinds.ts';
import { divui } from './arith-integer.ts';
import { constant } from './arith-constant.ts';
import { createIndex } from './composed-apply.ts';
import { createSizes } from './create-size.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { sliceOperands } from './mixed-indices.ts';
import { inferCollapsedType } from './reshape-types.ts';
import { staticSizes } from './slice-types.ts';
import { collapseShape, empty, expandShape, pad, yieldOp } from './tensor.ts';

/** A `tensor.empty` of these sizes. */
export const createEmpty = (
  rewriter: Rewriter,
  sizes: readonly MixedIndex[],
  elementType: Type,
): Value<TensorType> =>
  rewriter.createValue(
    empty.state({
      operands: { dynamicSizes: sliceOperands(sizes).dynamic },
      resultTypes: [tensorType(staticSizes(sizes), elementType)],
    }),
  ) as Value<TensorType>;

/** The zero of a numeric type. */
export const zeroOf = (type: Type): Attribute | undefined => {
  if (type.kind === 'float') return floatAttribute(0, type);
  return type.kind === 'integer' || type.kind === 'index' ? integerAttribute(0, type) : undefined;
};

/** A new `arith.constant`. */
export const createConstantValue = (rewriter: Rewriter, value: Attribute, type: Type): Value =>
  rewriter.createValue(constant.state({ attributes: { value }, resultTypes: [type] }));

/** A `tensor.collapse_shape` of these groups. */
export const createCollapse = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  reassociation: Reassociation,
): Value<TensorType> =>
  rewriter.createValue(
    collapseShape.state({
      operands: { src: source },
      attributes: { reassociation },
      resultTypes: [inferCollapsedType(source.type, reassociation)],
    }),
  ) as Value<TensorType>;

/** A `tensor.expand_shape` to `shape`, with at most one dynamic size per group, computed from the source's. */
export const createExpand = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  shape: readonly number[],
  reassociation: Reassociation,
): Value<TensorType> => {
  const sizes = createSizes(rewriter, source);
  const dynamic = reassociation.flatMap((group, i) => {
    if (!group.some((at) => shape[at] === DYNAMIC)) return [];
    const known = group.reduce((product, at) => (shape[at] === DYNAMIC ? product : product * shape[at]!), 1);
    const size = sizes[i]!;
    const lhs = indexValue(rewriter, size);
    const rhs = createIndex(rewriter, known);
    return known === 1
      ? [lhs]
      : [rewriter.createValue(divui.state({ operands: { lhs, rhs }, resultTypes: [indexType] }))];
  });
  return rewriter.createValue(
    expandShape.state({
      operands: { src: source, outputShape: dynamic },
      attributes: { reassociation, staticOutputShape: shape },
      resultTypes: [tensorType(shape, source.type.elementType)],
    }),
  ) as Value<TensorType>;
};

/** A `tensor.pad` with `high` padding only, and a uniform `value`; its result has type `shape`. */
export const createPad = (
  rewriter: Rewriter,
  source: Value<TensorType>,
  high: readonly MixedIndex[],
  value: Value,
  shape: readonly number[],
  nofold = false,
): Value<TensorType> => {
  const above = sliceOperands(high);
  return rewriter.createValue(
    pad.state<Rewriter>({
      operands: { source, low: [], high: above.dynamic },
      attributes: { staticLow: high.map(() => 0), staticHigh: above.static, nofold },
      resultTypes: [tensorType(shape, source.type.elementType)],
      bodies: [
        {
          argumentTypes: high.map(() => indexType),
          build: (body) => body.create(yieldOp.state({ operands: { value } })),
        },
      ],
    }),
  ) as Value<TensorType>;
};
