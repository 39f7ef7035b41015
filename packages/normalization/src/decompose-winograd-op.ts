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
  extractSliceState,
  insertSliceState,
  unitStrideSlice,
} from '@sconv/dialects';
import { apply } from '@sconv/dialects/affine';
import type { Matrix, WinogradMatrices } from '@sconv/dialects/linalg';
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
  const from = unitStrideSlice(how.from(rewriter, variables, zero));
  let plane = rewriter.createValue(
    extractSliceState(source, from, tensorType(how.plane, elementType)),
  ) as Value<TensorType>;
  const [rows, columns] = how.sides;
  if (rows) plane = createMatmul(at, createMatrix(at, how.matrix), plane);
  if (columns) plane = createMatmul(at, plane, createMatrix(at, transposedMatrix(how.matrix)));
  const factor = how.factor ** (Number(rows) + Number(columns));
  if (factor !== 1) plane = scaled(at, plane, factor);
  const place = unitStrideSlice(how.into(rewriter, variables, zero));
  return rewriter.createValue(insertSliceState(plane, into, place)) as Value<TensorType>;
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

type Sides = PlaneTransform['sides'];
type PlaneAt = PlaneTransform['from'];

/** Filters `[F, KH, KW, C]` become `[alphaH, alphaW, C, F]`. */
const filterTransform = (
  filters: readonly number[],
  [alphaH, alphaW]: readonly number[],
  { filter }: WinogradMatrices,
): PlaneTransform => {
  const [count, height, width, channels] = filters as readonly [number, number, number, number];
  return {
    bounds: [count, channels],
    from: (_at, [f, c], zero) => ({ offsets: [f!, zero, zero, c!], sizes: [1, height, width, 1] }),
    into: (_at, [f, c], zero) => ({ offsets: [zero, zero, c!, f!], sizes: [alphaH!, alphaW!, 1, 1] }),
    plane: [height, width],
    matrix: filter,
    sides: [height !== 1, width !== 1],
    factor: 1,
  };
};

/** The planes of `[alphaH, alphaW, tilesH, tilesW, N, C]`, and the windows of `[N, H, W, C]` that belong to them. */
interface Tiles extends Pick<PlaneTransform, 'bounds' | 'plane' | 'sides'> {
  readonly planeAt: PlaneAt;
  readonly windowAt: PlaneAt;
}

/** Windows have `extent` elements along the sides that are transformed. Undefined if the sizes do not fit together. */
const tilesOf = (
  tiled: readonly number[],
  image: readonly number[],
  { m, r }: { readonly m: number; readonly r: number },
  sides: Sides,
  extent: number,
): Tiles | undefined => {
  const [alphaH, alphaW, ...bounds] = tiled as readonly [number, number, number, number, number, number];
  const [tilesH, tilesW] = bounds;
  const fit = [tilesH, tilesW].every((tiles, i) =>
    sides[i] === true
      ? tiled[i] === m + r - 1 && image[i + 1] === (tiles - 1) * m + extent
      : tiled[i] === 1 && image[i + 1] === tiles,
  );
  if (!fit) return undefined;
  const [stepH, stepW] = [tilesH, tilesW].map((tiles, i) => (sides[i] === true || tiles <= 1 ? m : 1));
  const window = sides.map((isTransformed) => (isTransformed ? extent : 1));
  return {
    bounds,
    plane: [alphaH, alphaW],
    sides,
    planeAt: (_at, [h, w, n, c]) => ({
      offsets: [0, 0, h!, w!, n!, c!],
      sizes: [alphaH, alphaW, 1, 1, 1, 1],
    }),
    windowAt: (at, [h, w, n, c]) => ({
      offsets: [n!, startOf(at, h!, stepH!), startOf(at, w!, stepW!), c!],
      sizes: [1, ...window, 1],
    }),
  };
};

/** The sizes of a static tensor of floating-point numbers. */
const sizesOf = ({ type }: Value): readonly number[] | undefined =>
  type.kind === 'tensor' && isStaticShape(type) && type.elementType.kind === 'float' ? type.shape : undefined;

/** How an op transforms planes; undefined if its tensors are not static or there are no matrices for it. */
const planeTransformOf = (operation: DraftOperation): PlaneTransform | undefined => {
  const definition = [winogradFilterTransform, winogradInputTransform, winogradOutputTransform].find((each) =>
    each.is(operation),
  );
  const [source, result] = operation.operands.map(sizesOf);
  if (definition === undefined || source === undefined || result === undefined) return undefined;
  const minimal = definition.attributes(operation);
  const { m, r } = minimal;
  const matrices = winogradMatrices(m, r);
  if (matrices === undefined) return undefined;
  if (definition === winogradFilterTransform) return filterTransform(source, result, matrices);
  if (definition === winogradInputTransform) {
    const tiles = tilesOf(result, source, minimal, [source[1] !== 1, source[2] !== 1], m + r - 1);
    return (
      tiles && { ...tiles, from: tiles.windowAt, into: tiles.planeAt, matrix: matrices.input, factor: 1 }
    );
  }
  const tiles = tilesOf(source, result, minimal, [source[0] !== 1, source[1] !== 1], m);
  const { output: matrix, factor } = matrices;
  return tiles && { ...tiles, from: tiles.planeAt, into: tiles.windowAt, matrix, factor };
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
      'expected a transform of F(2, 3), F(4, 3) or F(2, 5) of static tensors of floating-point ' +
        `numbers, got '${operation.name}'`,
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
