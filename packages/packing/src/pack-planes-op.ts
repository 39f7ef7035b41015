/**
 * Depthwise convolutions and poolings, plane by plane. Each plane of the input is packed within its padding; windows
 * that are `stride` apart read each `stride`-th row and column, which are packed apart from the others, as a phase:
 * what a tap reads for a row of windows is contiguous. The padding is stored once, before the loops.
 *
 *     %padded = tensor.pad %x …                  %margin = linalg.fill ins(%padding) outs(%empty)
 *     linalg.depthwise_conv_2d_nchw_chw          scf.for %c … iter_args(%out, %planes = %margin)
 *       ins(%padded, %k) outs(%out)         →      tensor.insert_slice %x[…, %c, …] into %planes …    (each phase)
 *                                                  linalg.generic ins(%planes, %k[%c]) outs(%out[…, %c, …])
 *
 * With `flat`, all windows of a plane are one row, and those between its edges are computed for nothing. Sums have the
 * same terms in the same order.
 */
import type { AffineExpr } from '@sconv/affine';
import { constant, dim, makeMap, substitute } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import {
  createCollapse,
  createConstantValue,
  createEmpty,
  createExpand,
  createFill,
  createGenericLike,
  createIndex,
  eraseUnused,
  extractSliceState,
  insertSliceState,
  scalarOp,
  sliceAtOrigin,
  unitStrideSlice,
  zeroOf,
} from '@sconv/dialects';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { fill, structured } from '@sconv/dialects/linalg';
import { forOp, yieldOp } from '@sconv/dialects/scf';
import type { DraftOperation, Registry, Rewriter, TensorType, Value } from '@sconv/ir';
import { builder, indexType, isStaticShape, modelOf, tensorType } from '@sconv/ir';
import type { PlaneSource } from './plane-source.ts';
import { paddingOf, placeInSource, planeSource } from './plane-source.ts';
import type { Phases, WindowAxis } from './window-axis.ts';
import { insideSource, phasesOf, tapIn, windowAxis } from './window-axis.ts';

/** How planes are packed. */
export interface PlaneOptions {
  /** Whether the windows of a plane are one row; false by default. */
  readonly flat?: boolean | undefined;
  /** Planes that are packed at once, a divisor of the channels; by default as many as have 2048 elements. */
  readonly planes?: number | undefined;
}

/** Elements of planes that are packed at once, if one has no more. */
const mostElements = 2048;

/** A depthwise convolution or pooling on tensors, and its packed planes. */
interface Planes extends StructuredOp {
  readonly operation: DraftOperation;
  readonly channel: number;
  readonly rows: WindowAxis;
  readonly columns: WindowAxis;
  readonly images: number;
  readonly channels: number;
  readonly output: Value<TensorType>;
  readonly source: PlaneSource;
  readonly down: Phases;
  readonly across: Phases;
  /** Planes packed at once. */
  readonly count: number;
  readonly flat: boolean;
}

/** An image, and the first channel of the planes. */
type Place = readonly [MixedIndex, MixedIndex];

/**
 * Replaces a depthwise convolution or pooling on tensors, whose rows and columns are innermost, by loops over its
 * packed planes; returns the sums of one. A `tensor.pad` of rows and columns before it is packed with them, and erased
 * if nothing else reads it. Fails with `pack-planes/target` for another op, and with `pack-planes/planes` where so many
 * do not divide its channels.
 */
export const packPlanesOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  options: PlaneOptions = {},
): Diagnosed<DraftOperation> => {
  const planes = matchPlanes(rewriter, operation, options);
  if (typeof planes === 'string')
    return silenceableError(
      'pack-planes/target',
      `expected a depthwise convolution or pooling: ${planes}`,
      operation,
    );
  if (planes.channels % planes.count !== 0)
    return silenceableError(
      'pack-planes/planes',
      `${planes.count} planes at once do not divide the ${planes.channels} channels`,
      operation,
    );
  return success(createPlanes(rewriter, planes));
};

const matchPlanes = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { flat = false, planes }: PlaneOptions,
): Planes | string => {
  const { registry } = rewriter;
  const view = structured(registry, operation);
  if (view?.body === undefined || operation.results.length !== 1)
    return 'it is no structured op with a result';
  const { inputs, outputs, indexingMaps, iteratorTypes, loopRanges } = view;
  const [input, ...others] = inputs;
  const isKnown = ({ type }: Value): boolean =>
    type.kind === 'tensor' && isStaticShape(type) && zeroOf(type.elementType) !== undefined;
  if (input === undefined || ![...inputs, ...outputs].every(isKnown))
    return 'its operands are not all tensors of numbers, of known sizes';
  if (loopRanges.some((range) => range < 1)) return 'it computes nothing';
  const written = indexingMaps.at(-1)!.results.map((expr) => (expr.kind === 'dim' ? expr.position : -1));
  const reduced = iteratorTypes.flatMap((type, i) => (type === 'reduction' ? [i] : []));
  if (
    new Set(written).size !== 4 ||
    written.includes(-1) ||
    iteratorTypes.length !== 6 ||
    reduced.length !== 2
  )
    return 'it has no windows of two dimensions';
  const [image, channel, row, column] = written as [number, number, number, number];
  const [ofImage, ofChannel, ofRow, ofColumn] = indexingMaps[0]!.results;
  const isLoop = (expr: AffineExpr | undefined, loop: number): boolean =>
    expr?.kind === 'dim' && expr.position === loop;
  if (!isLoop(ofImage, image) || !isLoop(ofChannel, channel)) return 'its channels are not around its rows';
  const rows = windowAxis(ofRow!, row, reduced, loopRanges);
  const columns = windowAxis(ofColumn!, column, reduced, loopRanges);
  if (rows === undefined || columns === undefined || rows.tap >= columns.tap)
    return 'its windows have no rows and columns, or columns before rows';
  const shared = [channel, rows.tap, columns.tap];
  const isShared = others.every((_, i) =>
    indexingMaps[i + 1]!.results.every((expr) => expr.kind === 'dim' && shared.includes(expr.position)),
  );
  if (!isShared) return 'it reads more than its input in each window';
  if (!view.body.operations.slice(0, -1).every((each) => isComputed(registry, each)))
    return 'its body does more than compute, or may trap';
  const source = planeSource(rewriter, input as Value<TensorType>);
  if (!flat && source.padding === undefined && rows.stride === 1 && columns.stride === 1)
    return 'all that it reads is contiguous where it lies';
  const [down, across] = [phasesOf(rows), phasesOf(columns)];
  // What is computed behind the last row reads one more.
  const height = down.size + (flat && across.size > columns.windows ? 1 : 0);
  const elements = down.count * across.count * height * across.size;
  const channels = loopRanges[channel]!;
  return {
    ...view,
    ...{ operation, channel, rows, columns, channels, source, across, flat },
    images: loopRanges[image]!,
    output: outputs[0] as Value<TensorType>,
    down: { ...down, size: height },
    count: planes ?? planesAtOnce(channels, elements),
  };
};

const isComputed = (registry: Registry, operation: Pick<DraftOperation, 'name'>): boolean => {
  const scalar = modelOf(registry, scalarOp, operation);
  return operation.name === 'arith.constant' || (scalar !== undefined && !('traps' in scalar));
};

/** The largest divisor of the channels whose planes are not too large. */
const planesAtOnce = (channels: number, elements: number): number => {
  let count = Math.max(1, Math.min(channels, Math.floor(mostElements / elements)));
  while (channels % count !== 0) count -= 1;
  return count;
};

const createPlanes = (rewriter: Rewriter, planes: Planes): DraftOperation => {
  const { operation, inputs, output, source, down, across, count, images, channels, flat } = planes;
  rewriter.setInsertionPointBefore(operation);
  const start = flat ? filledWith(rewriter, output) : undefined;
  const shape = [count, down.count, across.count, down.size, across.size];
  const margin = createFill(
    rewriter,
    paddingOf(rewriter, source),
    createEmpty(rewriter, shape, source.tensor.type.elementType),
    operation.location,
  );
  let sums = operation;
  const carried = [start?.destination ?? output, margin.results[0]!] as const;
  const [result] = createLoop(rewriter, images, 1, carried, (image, ofImage) =>
    createLoop(rewriter, channels, count, ofImage, (channel, [out, packed]) => {
      const at = [image, channel] as const;
      const filled = packPhases(rewriter, planes, at, packed);
      const values = [filled, ...inputs.slice(1).map((_, i) => channelsOf(rewriter, planes, i + 1, channel))];
      const created = flat
        ? createFlatSums(rewriter, planes, values, start?.value ?? windowsIn(rewriter, planes, at, out))
        : createRowSums(rewriter, planes, values, windowsIn(rewriter, planes, at, out));
      sums = created.sums;
      return [rewriter.createValue(insertSliceState(created.windows, out, boxOf(planes, at))), filled];
    }),
  );
  rewriter.replaceOperation(operation, [result], [sums]);
  for (const value of [inputs[0]!, output]) eraseUnused(rewriter, value);
  return sums;
};

type Carried = readonly [Value, Value];

/** A loop over `extent` by `step` that carries the output and the planes; none for a single iteration. */
const createLoop = (
  rewriter: Rewriter,
  extent: number,
  step: number,
  carried: Carried,
  build: (at: MixedIndex, carried: Carried) => Carried,
): Carried => {
  if (extent === step) return build(0, carried);
  const types = carried.map(({ type }) => type);
  const bounds = {
    lowerBound: createIndex(rewriter, 0),
    upperBound: createIndex(rewriter, extent),
    step: createIndex(rewriter, step),
  };
  const body = {
    argumentTypes: [indexType, ...types],
    build: (b: ReturnType<typeof builder>, at: Value, out: Value, packed: Value): void => {
      b(yieldOp, { results: build(at, [out, packed]) });
    },
  };
  const loop = { resultTypes: types, bodies: [body] };
  const results: unknown = builder(rewriter)(forOp, { ...bounds, initArgs: carried }, loop);
  return results as Carried;
};

/** Stores what the source has of each phase; around it is padding. */
const packPhases = (rewriter: Rewriter, planes: Planes, at: Place, into: Value): Value => {
  const { source, rows, columns, down, across, count } = planes;
  const [image, channel] = placeInSource(rewriter, source, at);
  const { shape, elementType } = source.tensor.type;
  let packed = into;
  for (const row of down.used)
    for (const column of across.used) {
      const lines = insideSource(rows, row, down.size, source.low[0], shape[2]!);
      const elements = insideSource(columns, column, across.size, source.low[1], shape[3]!);
      if (lines.count === 0 || elements.count === 0) continue;
      const sizes = [count, lines.count, elements.count];
      const read = extractSliceState(
        source.tensor,
        {
          offsets: [image, channel, lines.from, elements.from],
          sizes: [1, ...sizes],
          strides: [1, 1, rows.stride, columns.stride],
        },
        tensorType(sizes, elementType),
      );
      const place = unitStrideSlice({
        offsets: [0, row, column, lines.to, elements.to],
        sizes: [count, 1, 1, lines.count, elements.count],
      });
      packed = rewriter.createValue(insertSliceState(rewriter.createValue(read), packed, place));
    }
  return packed;
};

/** The part of another input that belongs to the channels from here on. */
const channelsOf = (rewriter: Rewriter, planes: Planes, input: number, first: MixedIndex): Value => {
  const { inputs, indexingMaps, channel, count } = planes;
  const { shape, elementType } = inputs[input]!.type as TensorType;
  const { results } = indexingMaps[input]!;
  const isChannel = (i: number): boolean => {
    const expr = results[i]!;
    return expr.kind === 'dim' && expr.position === channel;
  };
  if (!shape.some((_, i) => isChannel(i))) return inputs[input]!;
  const sizes = shape.map((size, i) => (isChannel(i) ? count : size));
  const box = unitStrideSlice({ offsets: shape.map((_, i) => (isChannel(i) ? first : 0)), sizes });
  return rewriter.createValue(extractSliceState(inputs[input]!, box, tensorType(sizes, elementType)));
};

/** The windows of the planes in the output. */
const boxOf = ({ count, rows, columns }: Planes, [image, channel]: Place) =>
  unitStrideSlice({ offsets: [image, channel, 0, 0], sizes: [1, count, rows.windows, columns.windows] });

const windowsIn = (rewriter: Rewriter, planes: Planes, at: Place, out: Value): Value => {
  const { count, rows, columns, output } = planes;
  const type = tensorType([count, rows.windows, columns.windows], output.type.elementType);
  return rewriter.createValue(extractSliceState(out, boxOf(planes, at), type));
};

/** What the sums begin with, if that is one number, and the tensor that is filled with it. */
const filledWith = (
  rewriter: Rewriter,
  output: Value,
): { readonly value: Value; readonly destination: Value } | undefined => {
  const definition = rewriter.definingOperation(output);
  if (definition === undefined || !fill.is(definition)) return undefined;
  const { inputs, outputs } = structured(rewriter.registry, definition)!;
  return { value: inputs[0]!, destination: outputs[0]! };
};

/** Sums, and the windows that they are of the planes. */
interface CreatedSums {
  readonly sums: DraftOperation;
  readonly windows: Value;
}

/** The op on packed planes, with loops over channels, then windows, then taps. */
const createSums = (
  rewriter: Rewriter,
  { operation, indexingMaps, iteratorTypes, inputs, channel, rows, columns }: Planes,
  values: readonly Value[],
  into: Value,
  ofInput: readonly AffineExpr[],
): DraftOperation => {
  const rank = (into.type as TensorType).shape.length + 2;
  const loops = new Map([
    [channel, 0],
    [rows.tap, rank - 2],
    [columns.tap, rank - 1],
  ]);
  const dims = iteratorTypes.map((_, i) => (loops.has(i) ? dim(loops.get(i)!) : constant(0)));
  const others = indexingMaps
    .slice(1, inputs.length)
    .map(({ results }) => results.map((expr) => substitute(expr, { dims })));
  const written = Array.from({ length: rank - 2 }, (_, i) => dim(i));
  const sums = createGenericLike(rewriter, operation, {
    inputs: values,
    outputs: [into],
    indexingMaps: [ofInput, ...others, written].map((results) => makeMap(rank, 0, results)),
    iteratorTypes: Array.from({ length: rank }, (_, i) => (i < rank - 2 ? 'parallel' : 'reduction')),
  });
  rewriter.cloneRegion(operation.regions[0]!, sums.regions[0]!);
  return sums;
};

const createRowSums = (
  rewriter: Rewriter,
  planes: Planes,
  values: readonly Value[],
  into: Value,
): CreatedSums => {
  const [row, column] = [tapIn(planes.rows, dim(3)), tapIn(planes.columns, dim(4))];
  const indices = [dim(0), row.phase, column.phase, dim(1).add(row.behind), dim(2).add(column.behind)];
  const sums = createSums(rewriter, planes, values, into, indices);
  return { sums, windows: sums.results[0]! };
};

/** The sums of one row of windows; `start` is what all begin with, or the windows that each does. */
const createFlatSums = (
  rewriter: Rewriter,
  planes: Planes,
  [packed, ...others]: readonly Value[],
  start: Value,
): CreatedSums => {
  const { operation, output, rows, columns, down, across, count } = planes;
  const { elementType } = output.type;
  const groups = [[0], [1, 2]];
  const shape = [count, rows.windows, across.size];
  const windows = sliceAtOrigin([count, rows.windows, columns.windows]);
  const isNumber = start.type.kind !== 'tensor';
  // Windows that are computed for nothing begin with something.
  const value = isNumber ? start : createConstantValue(rewriter, zeroOf(elementType)!, elementType);
  const empty = createEmpty(rewriter, shape, elementType);
  const filled = createFill(rewriter, value, empty, operation.location).results[0]!;
  const begun = isNumber ? filled : rewriter.createValue(insertSliceState(start, filled, windows));
  const [row, column] = [tapIn(rows, dim(2)), tapIn(columns, dim(3))];
  const phase = down.size * across.size;
  const index = dim(1)
    .add(row.phase.mul(across.count * phase))
    .add(column.phase.mul(phase))
    .add(row.behind.mul(across.size))
    .add(column.behind);
  const sums = createSums(
    rewriter,
    planes,
    [createCollapse(rewriter, packed as Value<TensorType>, [[0], [1, 2, 3, 4]]), ...others],
    createCollapse(rewriter, begun as Value<TensorType>, groups),
    [dim(0), index],
  );
  const whole = createExpand(rewriter, sums.results[0] as Value<TensorType>, shape, groups);
  const type = tensorType([count, rows.windows, columns.windows], elementType);
  return { sums, windows: rewriter.createValue(extractSliceState(whole, windows, type)) };
};
