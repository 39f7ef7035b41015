/** `Resize` and `Upsample`: a dimension at a time, from a few places of the input each, by weights known at import. */
import { dim } from '@sconv/affine';
import { indexCast } from '@sconv/dialects/arith';
import { index as indexOp } from '@sconv/dialects/linalg';
import { extract } from '@sconv/dialects/tensor';
import type { TensorType, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { constantOfNumbers, countOf, numbersOf } from '../constant.ts';
import type { ElementType } from '../element-type.ts';
import { boolean, int64 } from '../element-type.ts';
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
  /** The part of the input that is resized, where that is cropped: from 0, its first element, to 1, its last. */
  readonly crop?: readonly [number, number];
}

/** For each output the places that it is computed from, and their weights. */
interface Taps {
  readonly places: readonly (readonly number[])[];
  readonly weights: readonly (readonly number[])[];
  /** Whether an output lies outside of the input. */
  readonly isOutside: readonly boolean[];
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
  return computed(type, result, () => {
    const inside = taps.reduce<Tensor>((value, each, i) => {
      if (each === undefined) return value;
      const factor = repetition(each, shape[i]!);
      return factor === undefined
        ? combined(node, type, value, i, each)
        : repeated(node, type, value, i, factor);
    }, operand.value());
    return extrapolated(node, type, inside, taps);
  });
};

const isUnchanged = ({ input, output, scale, crop }: Axis): boolean =>
  input === output && scale === 1 && (crop === undefined || (crop[0] === 0 && crop[1] === 1));

/** The tensor with another value where outputs lie outside of the cropped input. */
const extrapolated = (
  node: OnnxNode,
  type: ElementType,
  value: Tensor,
  taps: readonly (Taps | undefined)[],
): Tensor => {
  const masks = taps.flatMap((each, i) =>
    each?.isOutside.includes(true) === true
      ? [
          {
            value: constantOperand(
              node.emitter,
              constantOfNumbers(boolean, [each.isOutside.length], each.isOutside.map(Number)),
            ).value(),
            at: [dim(i)],
          },
        ]
      : [],
  );
  if (masks.length === 0) return value;
  return node.emitter.parallel(type, value.type.shape, [{ value }, ...masks], (b, x, ...outside) => {
    const ops = new ScalarOps(b, type);
    const other = ops.constant(node.float('extrapolation_value', 0));
    return outside.reduce((result, each) => ops.select(each, other, result), x);
  });
};

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
  const region =
    modeOf(node) === 'tf_crop_and_resize' ? (listed(1, 'roi') ?? invalid('lacks its roi')) : undefined;
  if (region !== undefined && region.length !== 2 * order.length)
    invalid(`has a roi of ${region.length} numbers for ${order.length} dimensions`);
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
    const crop = region && ([region[k]!, region[k + order.length]!] as const);
    const cropped = crop === undefined ? {} : { crop };
    if (kept !== undefined) return { input, output: Math.round(kept * input), scale: kept, ...cropped };
    if (sizes !== undefined) return { input, output: sizes[k]!, scale: sizes[k]! / input, ...cropped };
    const scale = scales![k]!;
    const part = crop === undefined ? 1 : crop[1] - crop[0];
    return { input, output: Math.floor(input * part * scale), scale, ...cropped };
  });
};

/** How coordinates of the output become those of the input. */
const modeOf = (node: OnnxNode): string =>
  node.op === 'Upsample' || node.opset < 11
    ? 'asymmetric'
    : node.text('coordinate_transformation_mode', 'half_pixel');

/** The coordinate in the input that an output lies at. */
const coordinate = (node: OnnxNode, at: number, { input, output, scale, crop = [0, 1] }: Axis): number => {
  const mode = modeOf(node);
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
    case 'tf_crop_and_resize': {
      const [start, end] = crop;
      const along = output > 1 ? start + (at * (end - start)) / (output - 1) : (start + end) / 2;
      return along * (input - 1);
    }
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
  const coordinates = Array.from({ length: axis.output }, (_, i) => coordinate(node, i, axis));
  const each = coordinates.map((at) =>
    mode === 'nearest' ? ([[rounded(node, at), 1]] as const) : kernelTaps(node, mode, at, axis),
  );
  const inside = (place: number): number => Math.min(Math.max(place, 0), axis.input - 1);
  return {
    places: each.map((taps) => taps.map(([place]) => inside(place))),
    weights: each.map((taps) => taps.map(([, weight]) => weight)),
    isOutside: coordinates.map((at) => axis.crop !== undefined && (at < 0 || at > axis.input - 1)),
  };
};

/** More places for an output are a reduction, not an interpolation. */
const mostTaps = 128;

/** The places around a coordinate, and their weights: more of them where a smaller result is not to alias. */
const kernelTaps = (
  node: OnnxNode,
  mode: string,
  at: number,
  { scale, input }: Axis,
): readonly (readonly [number, number])[] => {
  const kernel = kernels[mode] ?? invalid(`has mode '${mode}'`);
  const stretch = node.flag('antialias') ? Math.min(scale, 1) : 1;
  const first = Math.floor(-kernel.reach / stretch) + 1;
  if (2 - 2 * first > mostTaps) unsupported(`antialias of ${2 - 2 * first} elements`);
  const start = Math.floor(at);
  const coefficient = node.float('cubic_coeff_a', -0.75);
  const excludesOutside = node.flag('exclude_outside');
  const taps = Array.from({ length: 2 - 2 * first }, (_, i) => {
    const place = start + first + i;
    const isLeftOut = excludesOutside && (place < 0 || place >= input);
    const weight = isLeftOut ? 0 : kernel.weight(Math.abs(place - at) * stretch, coefficient);
    return [place, weight] as const;
  });
  if (stretch === 1 && !excludesOutside) return taps;
  const total = taps.reduce((sum, [, weight]) => sum + weight, 0);
  return taps.map(([place, weight]) => [place, weight / total]);
};

/** Weights by the distance from a coordinate, and how far they reach; the cubic is Keys'. */
const kernels: Readonly<
  Record<string, { readonly reach: number; readonly weight: (distance: number, a: number) => number }>
> = {
  linear: { reach: 1, weight: (x) => Math.max(0, 1 - x) },
  cubic: {
    reach: 2,
    weight: (x, a) => {
      if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
      return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
    },
  },
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
