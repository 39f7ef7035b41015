/**
 * One-dimensional convolutions and poolings on vectors, as upstream's `Conv1DGenerator`: each operand is read whole,
 * the filter is unrolled along its width, and the windows too where they have a stride; each step is a contraction,
 * an outer product, a product of channels or, of a pooling, the combination of its body.
 *
 *     for each kw, w:  result[:, w, :] += input[:, stride * w + dilation * kw, :] * filter[kw]
 */
import { dim, identityMap, makeMap } from '@sconv/affine';
import {
  createConstantValue,
  createDims,
  createIndex,
  elementTypeOf,
  indexValue,
  zeroOf,
} from '@sconv/dialects';
import { addi, extf, extsi, muli, sitofp } from '@sconv/dialects/arith';
import type { StructuredOp } from '@sconv/dialects/linalg';
import {
  broadcast,
  contract,
  createMask,
  extract,
  extractStridedSlice,
  fma,
  insertStridedSlice,
  outerproduct,
  shapeCast,
  shuffle,
  transferRead,
  transferWrite,
} from '@sconv/dialects/vector';
import type { Builder, DraftOperation, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder, DYNAMIC, i1, typeEquals, vectorType } from '@sconv/ir';
import type { ConvolutionPlan, Step } from './convolution-forms.ts';
import { planConvolution } from './convolution-forms.ts';
import { createLoopSizes } from './loop-sizes.ts';
import { createMasked } from './masking.ts';
import { transposed } from './transposed.ts';

export interface ConvolutionOptions {
  readonly vectorSizes: readonly number[];
  readonly scalableSizes: readonly boolean[];
  /** Whether columns and channels of a depthwise convolution are flattened into one dimension. */
  readonly flatten: boolean;
}

/** Replaces a convolution by vector ops; returns whether it is supported. */
export const vectorizeConvolution = (
  rewriter: Rewriter,
  operation: DraftOperation,
  view: StructuredOp,
  options: ConvolutionOptions,
): boolean => {
  const plan = planConvolution(rewriter, operation, view);
  if (plan === undefined || !haveKnownSizes(view, plan, options)) return false;
  rewriter.scoped(() => {
    rewriter.setInsertionPointBefore(operation);
    // As upstream, although a convolution does not use them.
    createLoopSizes(rewriter, view);
    const made = new Convolution(rewriter, view, plan, options).run();
    rewriter.replaceOperation(operation, made);
  });
  return true;
};

const shapeOf = (type: Type): readonly number[] => ('shape' in type ? type.shape : []);

/** All dimensions are static; for a depthwise convolution the channel size may be given instead. */
const haveKnownSizes = (
  { inputs, outputs }: StructuredOp,
  { isDepthwise, order }: ConvolutionPlan,
  { vectorSizes, flatten }: ConvolutionOptions,
): boolean => {
  const shapes = [...inputs, ...outputs].map(({ type }) => shapeOf(type));
  const isDynamic = (shape: readonly number[]): boolean => shape.includes(DYNAMIC);
  if (!shapes.some(isDynamic)) return true;
  return (
    isDepthwise &&
    order === 'nwc' &&
    !flatten &&
    vectorSizes.length > 0 &&
    !shapes.some((shape) => isDynamic(shape.slice(0, -1)))
  );
};

/** `{n, w, c}`, or the columns alone. */
const ones = (count: number): readonly number[] => Array<number>(count).fill(1);

class Convolution {
  private readonly rewriter: Rewriter;
  private readonly b: Builder;
  private readonly input: Value;
  private readonly filter: Value;
  private readonly output: Value;
  private readonly plan: ConvolutionPlan;
  private readonly flatten: boolean;
  /** Sizes: images, output columns, input channels, filter columns, output channels. */
  private readonly n: number;
  private readonly w: number;
  private readonly c: number;
  private readonly kw: number;
  private readonly f: number;
  /** Columns per step: all, or one with a stride. */
  private readonly columns: number;
  private readonly scalable: boolean;
  /** Whether the number of channels is dynamic. */
  private readonly isPartial: boolean;

  constructor(rewriter: Rewriter, view: StructuredOp, plan: ConvolutionPlan, options: ConvolutionOptions) {
    this.rewriter = rewriter;
    this.b = builder(rewriter);
    [this.input, this.filter] = view.inputs as [Value, Value];
    this.output = view.outputs[0]!;
    this.plan = plan;
    this.flatten = options.flatten;
    const result = shapeOf(this.output.type);
    const kernel = shapeOf(this.filter.type);
    const isPool = plan.step.kind === 'pool';
    const isPlanar = plan.order === 'ncw';
    const [n, w, f] =
      plan.order === 'w'
        ? [0, result[0]!, 0]
        : [result[0]!, result[isPlanar ? 2 : 1]!, result[isPlanar ? 1 : 2]!];
    const channels = plan.isDepthwise ? kernel[1]! : plan.order === 'w' ? 0 : isPool ? f : kernel[1]!;
    this.isPartial = channels === DYNAMIC;
    this.n = n;
    this.w = w;
    this.c = this.isPartial ? options.vectorSizes[2]! : channels;
    this.f = this.isPartial ? this.c : f;
    this.kw = isPlanar && !isPool ? kernel[2]! : kernel[0]!;
    this.scalable = this.isPartial && (options.scalableSizes[2] ?? false);
    this.columns = plan.stride === 1 ? this.w : 1;
  }

  run(): readonly Value[] {
    return this.plan.isDepthwise ? this.depthwise() : this.dense();
  }

  /** The vector type of `shape`, whose last dimension may be scalable. */
  private vectorLike(shape: readonly number[], source: Value): VectorType {
    const scalable = shape.map((_, i) => this.scalable && i === shape.length - 1);
    return vectorType(shape, elementTypeOf(source.type), scalable);
  }

  /** The input columns that all windows cover, as upstream counts them. */
  private get width(): number {
    const { stride, dilation, order } = this.plan;
    return order === 'w'
      ? this.w + this.kw - 1
      : (this.w - 1) * stride + 1 + ((this.kw - 1) * dilation + 1) - 1;
  }

  private dense(): readonly Value[] {
    const { order, step } = this.plan;
    const { n, c, f, w, kw } = this;
    const shapes = {
      w: [[this.width], [kw], [w]],
      nwc: [[n, this.width, c], step.kind === 'pool' ? [kw] : [kw, c, f], [n, w, f]],
      ncw: [[n, c, this.width], step.kind === 'pool' ? [kw] : [f, c, kw], [n, f, w]],
    }[order];
    const zero = createIndex(this.rewriter, 0);
    let input = this.read(this.input, shapes[0]!, zero);
    let filter = step.kind === 'pool' ? undefined : this.read(this.filter, shapes[1]!, zero);
    let result = this.read(this.output, shapes[2]!, zero);
    if (order === 'ncw') {
      input = transposed(this.rewriter, input, [0, 2, 1]);
      filter = filter && transposed(this.rewriter, filter, [2, 1, 0]);
      result = transposed(this.rewriter, result, [0, 2, 1]);
    }
    const { inputs, filters, results } = this.parts(input, filter, result, f);
    for (let k = 0; k < kw; k++) {
      for (const i of results.keys()) {
        results[i] = this.combined(inputs[k * results.length + i]!, filters[k], results[i]!);
      }
    }
    result = this.inserted(results, result);
    if (order === 'ncw') result = transposed(this.rewriter, result, [0, 2, 1]);
    return this.write(result, zero);
  }

  private depthwise(): readonly Value[] {
    const { n, c, w, kw, columns } = this;
    const zero = createIndex(this.rewriter, 0);
    const input = this.read(this.input, [n, this.width, c], zero);
    const filter = this.read(this.filter, [kw, c], zero);
    const result = this.read(this.output, [n, w, c], zero);
    const { inputs, filters, results } = this.parts(input, filter, result, c);
    for (let k = 0; k < kw; k++) {
      for (const i of results.keys()) {
        const whole = results[i]!.type;
        const flat = (value: Value<VectorType>): Value<VectorType> =>
          this.flatten ? this.cast(value, vectorType([n, columns * c], value.type.elementType)) : value;
        const part = flat(inputs[k * results.length + i]!);
        const sum = this.multiplied(part, filters[k]!, flat(results[i]!));
        results[i] = this.flatten ? this.cast(sum, whole) : sum;
      }
    }
    return this.write(this.inserted(results, result), zero);
  }

  private cast(source: Value<VectorType>, type: VectorType): Value<VectorType> {
    return this.b(shapeCast, { source }, { resultTypes: [type] });
  }

  // --- Reading, writing, parts ---

  /** A mask of the valid channels, if their number is dynamic. */
  private maskOf(source: Value, shape: readonly number[]): Value | undefined {
    if (!this.isPartial) return undefined;
    const bounds = createDims(this.rewriter, source).map((size) => indexValue(this.rewriter, size));
    const { scalable } = this.vectorLike(shape, source);
    return this.b(createMask, { bounds }, { resultTypes: [vectorType(shape, i1, scalable)] });
  }

  private read(source: Value, shape: readonly number[], zero: Value): Value<VectorType> {
    const type = this.vectorLike(shape, source);
    const padding = createConstantValue(this.rewriter, zeroOf(type.elementType)!, type.elementType);
    const mask = this.maskOf(source, shape);
    const [vector] = createMasked(this.rewriter, mask, [type], (b, isMasked) => [
      b(
        transferRead,
        {
          source,
          indices: shape.map(() => zero),
          padding,
          permutationMap: identityMap(shape.length),
          inBounds: shape.map(() => isMasked),
        },
        { resultTypes: [type] },
      ),
    ]);
    return vector as Value<VectorType>;
  }

  private write(vector: Value<VectorType>, zero: Value): readonly Value[] {
    const { output } = this;
    const { shape } = vector.type;
    const resultTypes = output.type.kind === 'tensor' ? [output.type] : [];
    return createMasked(this.rewriter, this.maskOf(output, shape), resultTypes, (b, isMasked) => {
      const made = b(
        transferWrite,
        {
          vector,
          source: output,
          indices: shape.map(() => zero),
          permutationMap: identityMap(shape.length),
          inBounds: shape.map(() => isMasked),
        },
        { resultTypes },
      );
      return made === undefined ? [] : [made];
    });
  }

  /** The vectors that the steps read and write, with `channels` channels in the result. */
  private parts(
    input: Value<VectorType>,
    filter: Value<VectorType> | undefined,
    result: Value<VectorType>,
    channels: number,
  ) {
    const { kw, w, columns } = this;
    const { stride, dilation, order } = this.plan;
    const starts = Array.from({ length: w / columns }, (_, i) => i * columns);
    const taps = Array.from({ length: kw }, (_, i) => i);
    const at = (position: number): readonly number[] => (order === 'w' ? [position] : [0, position, 0]);
    const box = (count: number): readonly number[] => (order === 'w' ? [columns] : [this.n, columns, count]);
    const inputs = taps.flatMap((k) =>
      starts.map((start) =>
        this.sliced(input, at(order === 'w' ? start + k : start * stride + k * dilation), box(this.c)),
      ),
    );
    const filters = taps.flatMap((k): readonly Value[] =>
      filter === undefined ? [] : [this.b(extract, { vector: filter, staticPosition: [k] })],
    );
    const results = starts.map((start) => this.sliced(result, at(start), box(channels)));
    return { inputs, filters, results };
  }

  private sliced(
    vector: Value<VectorType>,
    offsets: readonly number[],
    sizes: readonly number[],
  ): Value<VectorType> {
    const type = vectorType(sizes, vector.type.elementType, vector.type.scalable);
    const strides = ones(sizes.length);
    return this.b(extractStridedSlice, { vector, offsets, sizes, strides }, { resultTypes: [type] });
  }

  private inserted(parts: readonly Value<VectorType>[], result: Value<VectorType>): Value<VectorType> {
    return parts.reduce(
      (dest, source, i) =>
        this.b(
          insertStridedSlice,
          {
            source,
            dest,
            offsets: this.plan.order === 'w' ? [i * this.columns] : [0, i * this.columns, 0],
            strides: ones(source.type.shape.length),
          },
          { resultTypes: [dest.type] },
        ),
      result,
    );
  }

  // --- Steps ---

  private combined(
    input: Value<VectorType>,
    filter: Value | undefined,
    acc: Value<VectorType>,
  ): Value<VectorType> {
    const { order, step } = this.plan;
    if (step.kind === 'pool') return this.pooled(step, input, acc);
    if (order === 'w')
      return this.b(
        outerproduct,
        { lhs: input, rhs: filter!, acc, kind: 'add' },
        { resultTypes: [acc.type] },
      );
    const [n, w, f, c] = [dim(0), dim(1), dim(2), dim(3)];
    return this.b(
      contract,
      {
        lhs: this.promoted(input, acc.type),
        rhs: this.promoted(filter as Value<VectorType>, acc.type),
        acc,
        indexingMaps: [makeMap(4, 0, [n, w, c]), makeMap(4, 0, [c, f]), makeMap(4, 0, [n, w, f])],
        iteratorTypes: ['parallel', 'parallel', 'parallel', 'reduction'],
        kind: 'add',
      },
      { resultTypes: [acc.type] },
    ) as Value<VectorType>;
  }

  private pooled(
    { combiner, cast }: Extract<Step, { kind: 'pool' }>,
    input: Value<VectorType>,
    acc: Value<VectorType>,
  ): Value<VectorType> {
    const make = (name: string, operands: readonly Value[]): Value<VectorType> =>
      this.rewriter.createValue({
        name,
        operands,
        resultTypes: [acc.type],
      }) as Value<VectorType>;
    return make(combiner, [cast === undefined ? input : make(cast, [input]), acc]);
  }

  /** Multiplies channel-wise and adds the accumulator. */
  private multiplied(part: Value<VectorType>, filter: Value, acc: Value<VectorType>): Value<VectorType> {
    const lhs = this.promoted(part, acc.type);
    let source = filter as Value<VectorType>;
    if (this.flatten) {
      const count = acc.type.shape[1]!;
      const mask = Array.from({ length: count }, (_, i) => i % this.c);
      const type = vectorType([count], source.type.elementType);
      source = this.b(shuffle, { v1: source, v2: source, mask }, { resultTypes: [type] });
    }
    const type = vectorType(acc.type.shape, source.type.elementType, acc.type.scalable);
    const repeated = this.b(broadcast, { source }, { resultTypes: [type] });
    const rhs = this.promoted(repeated, acc.type);
    if (acc.type.elementType.kind === 'float') return this.b(fma, { lhs, rhs, acc });
    const product: Value = this.b(muli, { lhs, rhs });
    return this.b(addi, { lhs: product, rhs: acc }) as Value<VectorType>;
  }

  /** A vector extended to the element type of the result. */
  private promoted(value: Value<VectorType>, { elementType }: VectorType): Value<VectorType> {
    const { shape, scalable, elementType: own } = value.type;
    if (typeEquals(own, elementType)) return value;
    const definition = own.kind === 'float' ? extf : elementType.kind === 'float' ? sitofp : extsi;
    return this.b(
      definition,
      { in: value },
      { resultTypes: [vectorType(shape, elementType, scalable)] },
    ) as Value<VectorType>;
  }
}
