/**
 * Packs one operand of a tile (ST §4, task 4a): a `linalg.generic` stores its elements in the order in which the
 * microkernel reads them, at the earliest point where the tile's data is known.
 */
import type { AffineExpr } from '@sconv/affine';
import { dim, isIdentity, makeMap, substitute, usedDims } from '@sconv/affine';
import {
  applyComposed,
  constantIndexOf,
  conversionTo,
  createIterations,
  createSlice,
  elementSource,
  eraseUnused,
  runsAtLeastOnce,
} from '@sconv/dialects';
import type { ElementConversion, ElementSource, MapApplication } from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import { constant, trunci } from '@sconv/dialects/arith';
import { generic, index, genericView, yieldOp } from '@sconv/dialects/linalg';
import { forBounds, forOp } from '@sconv/dialects/scf';
import { empty, extract } from '@sconv/dialects/tensor';
import type { DraftOperation, Id, Rewriter, TensorType, Value } from '@sconv/ir';
import { bodyOf, isStaticShape, tensorType, terminatorOf, typeEquals } from '@sconv/ir';

/** How the last dimension of a packed tensor is split. */
export interface PackedPanels {
  /** The panel size, which divides the dimension. */
  readonly width: number;
  /** The position of the panel index among the dimensions. */
  readonly at: number;
}

/** How an operand is packed. */
export interface OperandPacking {
  /** How the last dimension is split. */
  readonly panels?: PackedPanels | undefined;
  /** How elements are converted. */
  readonly conversion?: ElementConversion;
  /** How much longer rows of the last dimension are in memory than they are packed; default: 0. */
  readonly margin?: number;
}

/**
 * Packs the elements that `operation` reads from `source` into a tensor over the iteration dimensions `order`. The
 * packing is placed before the outermost loop around the op that it does not depend on. Throws if the elements depend
 * on any other dimension.
 */
export const packOperand = (
  rewriter: Rewriter,
  operation: DraftOperation,
  source: ElementSource,
  order: readonly number[],
  { panels, conversion, margin = 0 }: OperandPacking = {},
): DraftOperation => {
  const { loopRanges } = genericView(operation);
  const point = invariantPoint(rewriter, operation, [
    source.tensor,
    ...source.outer,
    ...(conversion === undefined ? [] : outerValuesOf(conversion)),
  ]);
  return rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(point);
    return createPacking(rewriter, {
      type: tensorType(
        packedShape(
          order.map((dimension) => loopRanges[dimension]!),
          panels,
        ),
        conversion?.result.type ?? (source.tensor.type as TensorType).elementType,
      ),
      tensor: source.tensor,
      ...(conversion === undefined ? {} : { conversion }),
      indices: packedIndices(source, loopRanges.length, order, panels),
      margin,
      location: operation.location,
    });
  });
};

const packedShape = (sizes: readonly number[], panels: PackedPanels | undefined): readonly number[] =>
  panels === undefined
    ? sizes
    : [...sizes.slice(0, -1), panels.width].toSpliced(panels.at, 0, sizes.at(-1)! / panels.width);

/** The iteration dimensions of `order` as functions of the packed dimensions. */
const unpacked = (order: readonly number[], panels: PackedPanels | undefined): readonly AffineExpr[] => {
  if (panels === undefined) return order.map((_, position) => dim(position));
  const { width, at } = panels;
  const kept = order.map((_, position) => dim(position < at ? position : position + 1));
  return kept.with(-1, dim(at).mul(width).add(kept.at(-1)!));
};

/** Rewrites a source's indices over the op's iterations as indices over the packed dimensions. */
const packedIndices = (
  { indices, outer }: ElementSource,
  rank: number,
  order: readonly number[],
  panels: PackedPanels | undefined,
): readonly MapApplication[] => {
  const packed = Array.from({ length: rank }, (_, dimension) => order.indexOf(dimension));
  if (indices.some((expr) => usedDims(expr).some((position) => packed[position] === -1)))
    throw new Error('an element depends on a dimension that is not packed');
  const iterations = unpacked(order, panels);
  const packedRank = order.length + (panels === undefined ? 0 : 1);
  const dims = [
    ...packed.map((position) => iterations[position]),
    ...outer.map((_, i) => dim(packedRank + i)),
  ];
  return indices.map((expr) => ({
    map: makeMap(packedRank + outer.length, 0, [substitute(expr, { dims })]),
    operands: outer,
  }));
};

/** The values that the steps of a conversion use from outside, besides the element. */
export const outerValuesOf = ({ element, steps }: ElementConversion): readonly Value[] => {
  const made = new Set<Id>([element.id, ...steps.flatMap(({ results }) => results.map(({ id }) => id))]);
  return steps.flatMap(({ operands }) => operands.filter(({ id }) => !made.has(id)));
};

/** A packing: at each index of `type` it stores the converted element of `tensor` at `indices`. */
export interface PackingSpec {
  readonly type: TensorType;
  readonly tensor: Value;
  /** Maps over the indices of `type`, then `operands`. */
  readonly indices: readonly MapApplication[];
  /** From another body; its steps are cloned, and the result is truncated if `type` has narrower integers. */
  readonly conversion?: ElementConversion;
  /** How much longer rows of the last dimension are in memory; default: 0. What is there is not written. */
  readonly margin?: number;
  readonly location: DraftOperation['location'];
}

/** A `tensor.empty`, or a slice of one with longer rows. */
const createDestination = (rewriter: Rewriter, { type, margin = 0, location }: PackingSpec): Value => {
  const { shape, elementType } = type;
  const whole = shape.with(-1, shape.at(-1)! + margin);
  const all = rewriter.createValue(
    empty.state({
      operands: { dynamicSizes: [] },
      resultTypes: [tensorType(whole, elementType)],
      location,
    }),
  );
  return margin === 0 ? all : createSlice(rewriter, all, { offsets: shape.map(() => 0), sizes: shape });
};

/** `tensor.empty` and the `linalg.generic` that fills it, at the insertion point. */
export const createPacking = (rewriter: Rewriter, spec: PackingSpec): DraftOperation => {
  const rank = spec.type.shape.length;
  const destination = createDestination(rewriter, spec);
  return rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: [], outputs: [destination] },
      attributes: {
        indexingMaps: [
          makeMap(
            rank,
            0,
            spec.type.shape.map((_, i) => dim(i)),
          ),
        ],
        iteratorTypes: spec.type.shape.map(() => 'parallel' as const),
      },
      resultTypes: [spec.type],
      location: spec.location,
      bodies: [
        {
          argumentTypes: [spec.type.elementType],
          build: (body) => {
            const iterations = createIterations(
              body,
              rank,
              spec.indices.flatMap(({ map }) => map.results),
            );
            const indices = spec.indices.map(({ map, operands }) =>
              applyComposed(body, map, [...iterations, ...operands]),
            );
            const element = body.createValue(
              extract.state({
                operands: { tensor: spec.tensor, indices },
                resultTypes: [(spec.tensor.type as TensorType).elementType],
              }),
            );
            const value = stored(body, element, spec);
            for (const iteration of iterations) if (iteration !== undefined) eraseUnused(body, iteration);
            body.create(yieldOp.state({ operands: { values: [value] } }));
          },
        },
      ],
    }),
  );
};

/** The value stored for an element. */
const stored = (
  rewriter: Rewriter,
  element: Value,
  { conversion, type: { elementType } }: PackingSpec,
): Value => {
  const value = conversion === undefined ? element : converted(rewriter, element, conversion);
  if (typeEquals(value.type, elementType)) return value;
  return rewriter.createValue(trunci.state({ operands: { in: value }, resultTypes: [elementType] }));
};

/** Clones the steps of a conversion onto another element; returns the result. */
const converted = (rewriter: Rewriter, to: Value, { element, steps, result }: ElementConversion): Value => {
  const copies = new Map<Id, Value>([[element.id, to]]);
  for (const step of steps) rewriter.clone(step, copies);
  return copies.get(result.id)!;
};

/** What a packing reads, and how it converts it. */
export interface PackingSource extends ElementSource {
  readonly conversion: ElementConversion;
}

/**
 * What a packing reads, with each index as a map over the packing's own indices and outer values. Undefined for an op
 * not of the form that `createPacking` produces: at each index of a tensor of static shape it stores an element
 * loaded from another tensor, possibly converted, and does nothing else.
 */
export const packingSource = (rewriter: Rewriter, packing: DraftOperation): PackingSource | undefined => {
  if (!generic.is(packing)) return undefined;
  const { inputs, outputs, indexingMaps, iteratorTypes } = genericView(packing);
  const [output] = outputs;
  if (inputs.length > 0 || outputs.length !== 1) return undefined;
  if (output?.type.kind !== 'tensor' || !isStaticShape(output.type)) return undefined;
  if (!isIdentity(indexingMaps[0]!) || !iteratorTypes.every((type) => type === 'parallel')) return undefined;
  const { operations } = bodyOf(packing);
  const element = operations.find((inner) => extract.is(inner));
  if (element === undefined) return undefined;
  const last = terminatorOf(bodyOf(packing));
  const conversion = conversionTo(bodyOf(packing), last.operands[0]!);
  if (conversion.element.id !== element.results[0]!.id) return undefined;
  const steps: readonly unknown[] = conversion.steps;
  const others = operations.filter((inner) => inner !== element && inner !== last && !steps.includes(inner));
  if (!others.every((inner) => index.is(inner) || apply.is(inner) || constant.is(inner))) return undefined;
  return { ...elementSource(rewriter, packing, element), conversion };
};

/**
 * The outermost loop around `operation` in which none of `values` is defined, or `operation` itself. Does not hoist
 * out of loops that may not run: what they read may be out of bounds.
 */
export const invariantPoint = (
  rewriter: Rewriter,
  operation: DraftOperation,
  values: readonly Value[],
): DraftOperation => {
  let point = operation;
  for (
    let loop = point.parent;
    loop !== undefined &&
    forOp.is(loop) &&
    runsAtLeastOnce(forBounds(loop), (bound) => constantIndexOf(rewriter, bound)) &&
    values.every((value) => rewriter.isDefinedOutside(value, loop!));
    loop = point.parent
  ) {
    point = loop;
  }
  return point;
};
