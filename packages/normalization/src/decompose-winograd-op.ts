/**
 * The transforms of a Winograd convolution as loops over small matrix products (upstream's
 * `populateDecomposeWinogradOpsPatterns`).
 *
 * @deviation Products start from zeros, where upstream accumulates onto uninitialized tensors; matrices have the
 * element type of the data, where upstream takes f32 for the input and misreads the numbers of other types; and the
 * direction that is not transformed is tiled by 1, where upstream's offsets run past the tensor.
 */
import { dim, identityMap, makeMap } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import {
  createConstantValue,
  createEmpty,
  createIndex,
  denseConstant,
  sliceArguments,
} from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import type { Matrix } from '@sconv/dialects/linalg';
import {
  generic,
  matmul,
  mul,
  transposedMatrix,
  winogradFilterTransform,
  winogradInputTransform,
  winogradMatrices,
  winogradOutputTransform,
  yieldOp as linalgYield,
} from '@sconv/dialects/linalg';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import { extractSlice, insertSlice } from '@sconv/dialects/tensor';
import type { DraftOperation, FloatType, Rewriter, TensorType, Value } from '@sconv/ir';
import { builder, floatAttribute, isStaticShape, tensorType } from '@sconv/ir';
import { createZeroTensor } from './winograd-op.ts';

/** A position in a tensor: where a plane starts, and its extents. */
interface Plane {
  readonly offsets: readonly MixedIndex[];
  readonly sizes: readonly number[];
}

/** What one of the three transforms does to each plane. */
interface PlaneTransform {
  /** Upper bounds of the loops. */
  readonly bounds: readonly number[];
  readonly from: (at: Rewriter, variables: readonly Value[], zero: Value) => Plane;
  readonly into: (at: Rewriter, variables: readonly Value[], zero: Value) => Plane;
  /** The sizes of a plane. */
  readonly plane: readonly [rows: number, columns: number];
  /** Multiplied from the left, if rows are transformed; from the right, transposed, if columns are. */
  readonly matrix: Matrix;
  readonly sides: readonly [rows: boolean, columns: boolean];
  readonly factor: number;
}

interface At {
  readonly rewriter: Rewriter;
  readonly operation: DraftOperation;
  readonly elementType: FloatType;
}

const createMatrix = ({ rewriter, elementType }: At, rows: Matrix): Value<TensorType> => {
  const type = tensorType([rows.length, rows[0]!.length], elementType);
  return createConstantValue(rewriter, denseConstant(rows.flat(), type), type) as Value<TensorType>;
};

const createMatmul = (at: At, lhs: Value<TensorType>, rhs: Value<TensorType>): Value<TensorType> => {
  const type = tensorType([lhs.type.shape[0]!, rhs.type.shape[1]!], at.elementType);
  const zeros = createZeroTensor(at.rewriter, type, at.operation);
  const [made] = builder(at.rewriter)(
    matmul,
    { inputs: [lhs, rhs], outputs: [zeros] },
    { resultTypes: [type] },
  );
  return made!;
};

/** The plane multiplied by a number. */
const scaled = (
  { rewriter, operation, elementType }: At,
  plane: Value<TensorType>,
  factor: number,
): Value<TensorType> => {
  const constant = createConstantValue(rewriter, floatAttribute(factor, elementType), elementType);
  const init = createEmpty(rewriter, plane.type.shape, elementType);
  const [factors] = rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: [constant], outputs: [init] },
      attributes: {
        indexingMaps: [makeMap(2, 0, []), identityMap(2)],
        iteratorTypes: ['parallel', 'parallel'],
      },
      resultTypes: [plane.type],
      location: operation.location,
      bodies: [
        {
          argumentTypes: [elementType, elementType],
          build: (body, element) => {
            body.create(linalgYield.state({ operands: { values: [element] } }));
          },
        },
      ],
    }),
  ).results;
  const [made] = builder(rewriter)(
    mul,
    { inputs: [factors!, plane], outputs: [init] },
    { resultTypes: [plane.type] },
  );
  return made!;
};

/** The transformed plane at the variables, inserted into `into`. */
const transformPlane = (
  at: At,
  source: Value<TensorType>,
  into: Value<TensorType>,
  variables: readonly Value[],
  { zero, how }: { readonly zero: Value; readonly how: PlaneTransform },
): Value<TensorType> => {
  const { rewriter, elementType } = at;
  const b = builder(rewriter);
  const slice = ({ offsets, sizes }: Plane) => {
    const { operands, attributes } = sliceArguments({ offsets, sizes, strides: sizes.map(() => 1) });
    return { ...operands, ...attributes };
  };
  let plane: Value<TensorType> = b(
    extractSlice,
    { source, ...slice(how.from(rewriter, variables, zero)) },
    { resultTypes: [tensorType(how.plane, elementType)] },
  );
  const [rows, columns] = how.sides;
  if (rows) plane = createMatmul(at, createMatrix(at, how.matrix), plane);
  if (columns) plane = createMatmul(at, plane, createMatrix(at, transposedMatrix(how.matrix)));
  const factor = how.factor ** (Number(rows) + Number(columns));
  if (factor !== 1) plane = scaled(at, plane, factor);
  return b(
    insertSlice,
    { source: plane, dest: into, ...slice(how.into(rewriter, variables, zero)) },
    { resultTypes: [into.type] },
  );
};

/** Loops over all bounds that carry `init`, around the transform of a plane. */
const createNest = (
  at: At,
  source: Value<TensorType>,
  init: Value<TensorType>,
  how: PlaneTransform,
): DraftOperation => {
  const { rewriter } = at;
  const zero = createIndex(rewriter, 0);
  const bounds = how.bounds.map((bound) => createIndex(rewriter, bound));
  const step = createIndex(rewriter, 1);
  const enter = (inner: At, carried: Value<TensorType>, variables: readonly Value[]): DraftOperation =>
    inner.rewriter.create(
      forOp.state<Rewriter>({
        operands: { lowerBound: zero, upperBound: bounds[variables.length]!, step, initArgs: [carried] },
        resultTypes: [init.type],
        location: at.operation.location,
        bodies: [
          {
            argumentTypes: [zero.type, init.type],
            build: (body, variable, argument) => {
              const next = { ...at, rewriter: body };
              const all = [...variables, variable];
              const tensor = argument as Value<TensorType>;
              const result =
                all.length < bounds.length
                  ? enter(next, tensor, all).results[0]!
                  : transformPlane(next, source, tensor, all, { zero, how });
              body.create(yieldOp.state({ operands: { results: [result] } }));
            },
          },
        ],
      }),
    );
  return enter(at, init, []);
};

/** The first row or column of a tile. */
const startOf = (rewriter: Rewriter, tile: Value, size: number): Value =>
  builder(rewriter)(apply, { mapOperands: [tile], map: makeMap(1, 0, [dim(0).mul(size)]) });

type Shape = readonly [number, number, number, number, number, number];

/** How an op transforms planes; undefined if its tensors are not static or there are no matrices for it. */
const planeTransformOf = (operation: DraftOperation): PlaneTransform | undefined => {
  const [from, into] = operation.operands.map(({ type }) => type);
  const isKnown = [from, into].every(
    (type) => type?.kind === 'tensor' && isStaticShape(type) && type.elementType.kind === 'float',
  );
  const definition = [winogradFilterTransform, winogradInputTransform, winogradOutputTransform].find((each) =>
    each.is(operation),
  );
  if (!isKnown || definition === undefined) return undefined;
  const { m, r } = definition.attributes(operation);
  const matrices = winogradMatrices(m, r);
  if (matrices === undefined) return undefined;
  const [source, result] = [from, into].map((type) => (type as TensorType).shape) as unknown as [
    Shape,
    Shape,
  ];
  const tileSize = m + r - 1;
  if (definition === winogradFilterTransform) {
    const [filters, height, width, channels] = source;
    return {
      bounds: [filters, channels],
      from: (_at, [f, c], zero) => ({ offsets: [f!, zero, zero, c!], sizes: [1, height, width, 1] }),
      into: (_at, [f, c], zero) => ({
        offsets: [zero, zero, c!, f!],
        sizes: [result[0], result[1], 1, 1],
      }),
      plane: [height, width],
      matrix: matrices.filter,
      sides: [height !== 1, width !== 1],
      factor: 1,
    };
  }
  const [tiled, flat] = definition === winogradInputTransform ? [result, source] : [source, result];
  const [alphaH, alphaW, tilesH, tilesW, images, depth] = tiled;
  const sides: readonly [boolean, boolean] =
    definition === winogradInputTransform ? [flat[1] !== 1, flat[2] !== 1] : [alphaH !== 1, alphaW !== 1];
  if ([alphaH, alphaW].some((alpha, i) => alpha !== (sides[i] === true ? tileSize : 1))) return undefined;
  // The window of the input, or of the output, that belongs to a tile.
  const steps = [tilesH, tilesW].map((tiles, i) => (sides[i] === true || tiles <= 1 ? m : 1));
  const extent = definition === winogradInputTransform ? tileSize : m;
  const window = sides.map((isTransformed) => (isTransformed ? extent : 1));
  const needed = [tilesH, tilesW].map((tiles, i) =>
    sides[i] !== true ? tiles : definition === winogradInputTransform ? tiles * m + r - 1 : tiles * m,
  );
  if (needed.some((size, i) => size !== flat[i + 1])) return undefined;
  const inFlat: PlaneTransform['from'] = (at, [h, w, n, c]) => ({
    offsets: [n!, startOf(at, h!, steps[0]!), startOf(at, w!, steps[1]!), c!],
    sizes: [1, ...window, 1],
  });
  const inTiled: PlaneTransform['from'] = (_at, [h, w, n, c]) => ({
    offsets: [0, 0, h!, w!, n!, c!],
    sizes: [alphaH, alphaW, 1, 1, 1, 1],
  });
  const isInput = definition === winogradInputTransform;
  return {
    bounds: [tilesH, tilesW, images, depth],
    from: isInput ? inFlat : inTiled,
    into: isInput ? inTiled : inFlat,
    plane: [alphaH, alphaW],
    matrix: isInput ? matrices.input : matrices.output,
    sides,
    factor: isInput ? 1 : matrices.factor,
  };
};

/**
 * Decomposes a `linalg.winograd_filter_transform`, `…_input_transform` or `…_output_transform` of static tensors.
 * Returns the outermost loop.
 */
export const decomposeWinogradOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<DraftOperation> => {
  const how = planeTransformOf(operation);
  if (how === undefined)
    return silenceableError(
      'decompose-winograd-op/target',
      `expected a transform of F(2, 3), F(4, 3) or F(2, 5) of static tensors of floating-point numbers, got '${operation.name}'`,
      operation,
    );
  rewriter.setInsertionPointBefore(operation);
  const [source, init] = operation.operands as readonly Value<TensorType>[] as readonly [
    Value<TensorType>,
    Value<TensorType>,
  ];
  const elementType = source.type.elementType as FloatType;
  const loop = createNest({ rewriter, operation, elementType }, source, init, how);
  rewriter.replaceOperation(operation, loop.results, [loop]);
  return success(loop);
};
