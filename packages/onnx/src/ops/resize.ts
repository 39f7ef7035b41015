/** `Resize` and `Upsample`: a dimension at a time, from a few places of the input each, by weights known at import. */
import { dim } from '@sconv/affine';
import { indexCast } from '@sconv/dialects/arith';
import { index as indexOp } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { TensorType, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { constantOfNumbers, countOf, numbersOf } from '../constant.ts';
import type { ElementType } from '../element-type.ts';
import { int64 } from '../element-type.ts';
import type { OnnxNode } from '../node.ts';
import type { Operand } from '../operand.ts';
import { checkedShape, computed, constantOperand } from '../operations.ts';
import { invalid, printSizes, unsupported } from '../problem.ts';
import { ScalarOps } from '../scalar-ops.ts';

type Tensor = Value<TensorType>;

/** How a dimension is resized. */
interface Axis {
  readonly input: number;
  readonly output: number;
  /** Output over input, as the model gives it: not always the ratio of the sizes. */
  readonly scale: number;
}

/** For each output the places that it is computed from, and their weights. */
interface Taps {
  readonly places: readonly (readonly number[])[];
  readonly weights: readonly (readonly number[])[];
}

/** Wider tensors get no tables of places. */
const longestTable = 2 ** 16;

/** `Upsample` is `Resize` with scales, asymmetric, and rounded down. */
export const resize = (node: OnnxNode): Operand => {
  const operand = node.input(0);
  const { type, shape } = operand;
  if (type.kind !== 'float' && node.text('mode', 'nearest') !== 'nearest')
    unsupported(`elements of type ${type.name}`);
  const axes = resizedAxes(node, operand);
  const result = checkedShape(axes.map(({ output }) => output));
  if (countOf(shape) === 0 || countOf(result) === 0)
    invalid(`makes ${printSizes(result)} of ${printSizes(shape)}`);
  if (result.some((size) => size > longestTable)) unsupported(`a tensor of ${printSizes(result)}`);
  const taps = axes.map((axis) => (isUnchanged(axis) ? undefined : tapsOf(node, axis)));
  return computed(type, result, () =>
    taps.reduce<Tensor>((value, each, i) => {
      if (each === undefined) return value;
      const factor = repetition(each, shape[i]!);
      return factor === undefined
        ? combined(node, type, value, i, each)
        : repeated(node, type, value, i, factor);
    }, operand.value()),
  );
};

const isUnchanged = ({ input, output, scale }: Axis): boolean => input === output && scale === 1;

/** The dimensions of the input, with their new sizes. */
const resizedAxes = (node: OnnxNode, { shape }: Operand): readonly Axis[] => {
  const rank = shape.length;
  const isOld = node.op === 'Upsample' || node.opset < 11;
  const listed = (position: number, what: string): readonly number[] | undefined => {
    const given = node.optional(position);
    if (given === undefined || given.shape[0] === 0) return undefined;
    const constant = node.constant(position, what);
    return constant.shape.length === 1
      ? numbersOf(constant)
      : invalid(`has ${what} of ${printSizes(constant.shape)}`);
  };
  const scales = isOld ? (node.floats('scales') ?? listed(1, 'scales')) : listed(2, 'scales');
  const sizes = isOld ? undefined : listed(3, 'sizes');
  if ((scales === undefined) === (sizes === undefined)) invalid('needs either scales or sizes');
  const order = (node.ints('axes') ?? shape.map((_, i) => i)).map((axis) => node.axis(axis, rank));
  const given = (sizes ?? scales)!;
  if (given.length !== order.length || given.some((each) => !(each > 0)))
    invalid(`resizes ${printSizes(shape)} by ${given.join(', ')}`);
  const policy = node.text('keep_aspect_ratio_policy', 'stretch');
  const ratios = sizes?.map((size, k) => size / shape[order[k]!]!);
  const kept =
    ratios === undefined || policy === 'stretch'
      ? undefined
      : policy === 'not_larger'
        ? Math.min(...ratios)
        : Math.max(...ratios);
  return shape.map((input, i) => {
    const k = order.indexOf(i);
    if (k < 0) return { input, output: input, scale: 1 };
    if (kept !== undefined) return { input, output: Math.round(kept * input), scale: kept };
    if (sizes !== undefined) return { input, output: sizes[k]!, scale: sizes[k]! / input };
    const scale = scales![k]!;
    return { input, output: Math.floor(input * scale), scale };
  });
};

/** The coordinate in the input that an output lies at. */
const coordinate = (node: OnnxNode, at: number, { input, output, scale }: Axis): number => {
  const mode =
    node.op === 'Upsample' || node.opset < 11
      ? 'asymmetric'
      : node.text('coordinate_transformation_mode', 'half_pixel');
  switch (mode) {
    case 'half_pixel':
      return (at + 0.5) / scale - 0.5;
    case 'half_pixel_symmetric': {
      // The center of the output lies at that of the input, also where sizes were rounded.
      const adjustment = output / (scale * input);
      return (input / 2) * (1 - adjustment) + (at + 0.5) / scale - 0.5;
    }
    case 'pytorch_half_pixel':
      return output > 1 ? (at + 0.5) / scale - 0.5 : 0;
    case 'asymmetric':
      return at / scale;
    case 'align_corners':
      // The length before it is rounded down: so are the standard's examples computed.
      return output === 1 ? 0 : (at * (input - 1)) / (scale * input - 1);
    case 'tf_half_pixel_for_nn':
      return (at + 0.5) / scale;
    case 'tf_crop_and_resize':
      return unsupported(`coordinate_transformation_mode ${mode}`);
    default:
      return invalid(`has coordinate_transformation_mode '${mode}'`);
  }
};

/** A coordinate as an index. */
const rounded = (node: OnnxNode, at: number): number => {
  const mode =
    node.op === 'Upsample' || node.opset < 11 ? 'floor' : node.text('nearest_mode', 'round_prefer_floor');
  switch (mode) {
    case 'floor':
      return Math.floor(at);
    case 'ceil':
      return Math.ceil(at);
    case 'round_prefer_floor':
      return Math.ceil(at - 0.5);
    case 'round_prefer_ceil':
      return Math.floor(at + 0.5);
    default:
      return invalid(`has nearest_mode '${mode}'`);
  }
};

const tapsOf = (node: OnnxNode, axis: Axis): Taps => {
  const mode = node.text('mode', 'nearest');
  if (node.flag('antialias') && axis.scale < 1 && mode !== 'nearest') unsupported('antialias');
  const each = Array.from({ length: axis.output }, (_, i) => {
    const at = coordinate(node, i, axis);
    if (mode === 'nearest') return [[rounded(node, at), 1]] as const;
    const [start, fraction] = [Math.floor(at), at - Math.floor(at)];
    if (mode === 'linear')
      return [
        [start, 1 - fraction],
        [start + 1, fraction],
      ] as const;
    if (mode !== 'cubic') return invalid(`has mode '${mode}'`);
    return cubicTaps(node, start, fraction, axis.input);
  });
  const inside = (place: number): number => Math.min(Math.max(place, 0), axis.input - 1);
  return {
    places: each.map((taps) => taps.map(([place]) => inside(place))),
    weights: each.map((taps) => taps.map(([, weight]) => weight)),
  };
};

/** Keys' cubic of four places around a coordinate. */
const cubicTaps = (
  node: OnnxNode,
  start: number,
  t: number,
  size: number,
): readonly (readonly [number, number])[] => {
  const a = node.float('cubic_coeff_a', -0.75);
  const near = (x: number): number => ((a + 2) * x - (a + 3)) * x * x + 1;
  const far = (x: number): number => ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  const taps = [
    [start - 1, far(t + 1)],
    [start, near(t)],
    [start + 1, near(1 - t)],
    [start + 2, far(2 - t)],
  ] as const;
  if (!node.flag('exclude_outside')) return taps;
  const weights = taps.map(([place, weight]) => (place >= 0 && place < size ? weight : 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return taps.map(([place], i) => [place, weights[i]! / total]);
};

/** How often each element is repeated, if that is all; undefined otherwise. */
const repetition = ({ places, weights }: Taps, input: number): number | undefined => {
  const factor = places.length / input;
  if (!Number.isInteger(factor)) return undefined;
  const isRepeated = places.every(
    ([place], i) => place === Math.floor(i / factor) && weights[i]!.length === 1,
  );
  return isRepeated ? factor : undefined;
};

const repeated = (
  { emitter }: OnnxNode,
  type: ElementType,
  value: Tensor,
  axis: number,
  factor: number,
): Tensor => {
  const { shape } = value.type;
  const form = shape.toSpliced(axis + 1, 0, factor);
  const at = shape.map((_, i) => dim(i <= axis ? i : i + 1));
  const wide = emitter.parallel(type, form, [{ value, at }], (_, x) => x);
  return emitter.reshape(wide, shape.with(axis, shape[axis]! * factor));
};

const combined = (
  node: OnnxNode,
  type: ElementType,
  value: Tensor,
  axis: number,
  { places, weights }: Taps,
): Tensor => {
  const { emitter } = node;
  const shape = value.type.shape.with(axis, places.length);
  const count = places[0]?.length ?? 0;
  const table = (of: ElementType, numbers: readonly number[]) => ({
    value: constantOperand(emitter, constantOfNumbers(of, [numbers.length], numbers)).value(),
    at: [dim(axis)],
  });
  const each = Array.from({ length: count }, (_, k) => k);
  const indices = each.map((k) =>
    table(
      int64,
      places.map((taps) => taps[k]!),
    ),
  );
  if (count === 1)
    return emitter.parallel(type, shape, indices, (b, place) => {
      const at = shape.map((_, i) =>
        i === axis ? b(indexCast, { in: place }, { resultTypes: [indexType] }) : b(indexOp, { dim: i }),
      );
      return b(extract, { tensor: value, indices: at });
    });
  const factors = each.map((k) =>
    table(
      type,
      weights.map((taps) => taps[k]!),
    ),
  );
  return emitter.parallel(type, shape, [...indices, ...factors], (b, ...elements) => {
    const ops = new ScalarOps(b, type);
    const parts = each.map((k) => {
      const at = shape.map((_, i) =>
        i === axis
          ? b(indexCast, { in: elements[k]! }, { resultTypes: [indexType] })
          : b(indexOp, { dim: i }),
      );
      return ops.mul(b(extract, { tensor: value, indices: at }), elements[k + count]!);
    });
    return parts.reduce((sum, part) => ops.add(sum, part));
  });
};
