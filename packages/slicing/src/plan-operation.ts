/** Plans convolutions in the IR. */
import type { ConvolutionShape, UnpackedBytes } from '@sconv/csa';
import { convolution, diagnosed } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, error, mapSuccess, silenceable } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import {
  bodyOf,
  bytesOfElement,
  expectOperation,
  f32,
  f64,
  i32,
  isShaped,
  isStaticShape,
  printType,
  typeEquals,
} from '@sconv/ir';
import { elementTypeOf } from '@sconv/dialects';
import {
  batchMatvec,
  batchMmt4d,
  batchReduceMatmul,
  batchVecmat,
  conv1dNcwFcw,
  conv1dNwcWcf,
  dot,
  generic,
  genericView,
  isConvertedMultiplyAdd,
  matvec,
  mmt4d,
  vecmat,
} from '@sconv/dialects/linalg';
import type { NamedOpDefinition, StructuredOp } from '@sconv/dialects/linalg';
import {
  contractionLayout,
  contractionOf,
  convolutionForms,
  factorPositions,
  formedConvolution,
} from '@sconv/normalization';
import type {
  ContractionLayout,
  ConvolutionForm,
  ConvolutionGeometry,
  FormedConvolution,
} from '@sconv/normalization';

/** The convolution that is sliced; grouped convolutions become loops around it. */
export const convolutionName = 'linalg.conv_2d_nchw_fchw';

/** The supported convolutions. */
export const convolutionNames = [
  convolutionName,
  'linalg.conv_2d_nhwc_hwcf',
  'linalg.conv_2d_nhwc_fhwc',
  'linalg.conv_2d_nhwc_hwcf_q',
  'linalg.conv_2d_nhwc_fhwc_q',
  'linalg.conv_2d_ngchw_fgchw',
  'linalg.conv_2d_ngchw_gfchw',
  'linalg.conv_2d_ngchw_gfchw_q',
] as const;

/** The supported products of two matrices, sliced as convolutions of one tap. */
export const productNames = [
  'linalg.matmul',
  'linalg.matmul_transpose_a',
  'linalg.matmul_transpose_b',
  'linalg.quantized_matmul',
  'linalg.batch_matmul',
  'linalg.batch_matmul_transpose_a',
  'linalg.batch_matmul_transpose_b',
  'linalg.quantized_batch_matmul',
] as const;

/** The other supported contractions, made matrix products or convolutions of by reshaping their operands. */
export const contractionNames = [
  'linalg.matvec',
  'linalg.vecmat',
  'linalg.dot',
  'linalg.batch_matvec',
  'linalg.batch_vecmat',
  'linalg.batch_reduce_matmul',
  'linalg.mmt4d',
  'linalg.batch_mmt4d',
  'linalg.conv_1d_nwc_wcf',
  'linalg.conv_1d_ncw_fcw',
] as const;

const contractions: ReadonlyMap<string, NamedOpDefinition> = new Map(
  [
    matvec,
    vecmat,
    dot,
    batchMatvec,
    batchVecmat,
    batchReduceMatmul,
    mmt4d,
    batchMmt4d,
    conv1dNwcWcf,
    conv1dNcwFcw,
  ].map((definition) => [definition.name, definition]),
);

/** The supported named ops, and the generic that each is generalized to. */
export const slicedNames = [
  ...convolutionNames,
  ...productNames,
  ...contractionNames,
  'linalg.generic',
] as const;

/** The name of a supported convolution or product. */
export type ConvolutionName = (typeof slicedNames)[number];

/** A supported convolution, product or other contraction. */
interface SlicedConvolution {
  readonly view: StructuredOp;
  readonly form: ConvolutionForm;
  /** Of one that is neither a convolution nor a product as it is, how it becomes one. */
  readonly layout?: ContractionLayout;
}

/** The supported named ops with their forms. */
const namedForms: ReadonlyMap<string, { readonly named: NamedOpDefinition; readonly form: ConvolutionForm }> =
  new Map(
    convolutionForms.flatMap((form) =>
      [form.definition, form.quantized]
        .filter((named) => named !== undefined)
        .filter(({ name }) => slicedNames.some((supported) => supported === name))
        .map((named) => [named.name, { named, form }] as const),
    ),
  );

const slicedConvolution = (operation: Operation): SlicedConvolution | undefined => {
  const known = namedForms.get(operation.name);
  if (known !== undefined) return { view: known.named.view(operation), form: known.form };
  const named = contractions.get(operation.name);
  if (named === undefined && !generic.is(operation)) return undefined;
  if (!isConvertedMultiplyAdd(bodyOf(operation))) return undefined;
  const view = named?.view(operation) ?? genericView(operation);
  const form = named === undefined ? formedConvolution(view)?.form : undefined;
  if (form !== undefined) return form.kind === 'depthwise' ? undefined : { view, form };
  const contraction = contractionOf(view);
  const layout = contraction && contractionLayout(contraction);
  return layout && { view, form: layout.form, layout };
};

/** What a supported op is sliced as: its form, or that it is given, and how; undefined for any other op. */
export const slicedAs = (operation: Operation): Pick<SlicedConvolution, 'form' | 'layout'> | undefined =>
  // The name of a named op is enough: its view takes longer.
  namedForms.get(operation.name) ?? slicedConvolution(operation);

/** The form and sizes of a supported op of static shape, or those that it is given; undefined for any other op. */
export const slicedGeometry = (operation: Operation): FormedConvolution | undefined => {
  const sliced = slicedConvolution(operation);
  return sliced && (sliced.layout ?? formedConvolution(sliced.view));
};

/** The supported accumulator types: those that a microkernel computes in. */
const sumTypes = [
  { name: 'f32', type: f32 },
  { name: 'f64', type: f64 },
  { name: 'i32', type: i32 },
] as const;

type SumType = (typeof sumTypes)[number]['name'];

/** The failures of `planOperation` before planning. */
export const shapeFailures = {
  'sconv/not-a-convolution': {
    mode: 'silenceable',
    when: 'a target is not one of the supported convolutions or products, or not on tensors',
  },
  'sconv/dynamic-shape': { mode: 'silenceable', when: 'a size is not known statically' },
  'sconv/element-type': {
    mode: 'silenceable',
    when: 'the output is not of f32, f64 or i32, or the operands are wider than it',
  },
} as const;

/** A convolution in the IR: the shape of one of its groups, or iterations of the loops around it, and their number. */
export interface GroupedShape {
  readonly shape: ConvolutionShape;
  readonly groups: number;
}

/** The failures of a planner, located at the convolution: it does not know where that is. */
const located = <T>(result: Diagnosed<T>, { location }: Operation): Diagnosed<T> => ({
  ...result,
  diagnostics: result.diagnostics.map((each) =>
    each.location.kind === 'unknown' ? { ...each, location } : each,
  ),
});

/** Plans a convolution in the IR with `plan`, for one of its groups; keeps the warnings. */
export const planOperation = <P>(
  operation: Operation,
  plan: (shape: ConvolutionShape) => Diagnosed<P>,
): Diagnosed<P> => andThen(convolutionShape(operation), ({ shape }) => located(plan(shape), operation));

/** The shape of a convolution in the IR; fails for what is none, with the `shapeFailures`. */
export const convolutionShape = (operation: Operation): Diagnosed<GroupedShape> => {
  expectOperation('what is planned', operation);
  const dynamic = operation.operands.find(({ type }) => isShaped(type) && !isStaticShape(type));
  if (dynamic !== undefined) {
    return silenceable(
      error(
        'sconv/dynamic-shape',
        `expected operands of static shape, got ${printType(dynamic.type)}: a plan needs all sizes`,
        operation.location,
      ),
    );
  }
  const sliced = slicedConvolution(operation);
  const formed = sliced && (sliced.layout ?? formedConvolution(sliced.view));
  if (sliced === undefined || formed === undefined) {
    return silenceable(
      error(
        'sconv/not-a-convolution',
        `expected one of ${[...convolutionNames, ...productNames, ...contractionNames].join(', ')} on tensors, or a ` +
          `linalg.generic that multiplies and adds, got '${operation.name}'`,
        operation.location,
      ),
    );
  }
  const { view, layout } = sliced;
  const sums = elementTypeOf(view.outputs[0]!.type);
  const sumType = sumTypes.find(({ type }) => typeEquals(type, sums));
  if (sumType === undefined || !isConvertedMultiplyAdd(bodyOf(operation))) {
    const types = operation.operands.map(({ type }) => printType(elementTypeOf(type))).join(', ');
    return silenceable(
      error(
        'sconv/element-type',
        `expected sums of f32, f64 or i32, and operands that are extended to that, got ${types}`,
        operation.location,
      ),
    );
  }
  const { geometry, form } = formed;
  const bytes = unpackedBytes(view, layout?.factors ?? form.operands);
  const groups = layout === undefined ? geometry.groups : iterationsOf(layout, view);
  return mapSuccess(
    located(
      diagnosed(() => shapeOf(geometry, sumType.name, bytes)),
      operation,
    ),
    (shape) => ({ shape, groups }),
  );
};

/**
 * The shape of one group of a convolution in the IR. MLIR allows an output smaller than the input implies; rows and
 * columns that no window reaches are then dropped, so that the shape has the windows of the IR.
 */
const shapeOf = (
  { groups, ...whole }: ConvolutionGeometry,
  elementType: SumType,
  unpacked: UnpackedBytes,
): ConvolutionShape => {
  const geometry = {
    ...whole,
    elementType,
    unpackedBytes: unpacked,
    inputChannels: whole.inputChannels / groups,
    filters: whole.filters / groups,
  };
  const { outputHeight, outputWidth, filterHeight, filterWidth, strides, dilations } = geometry;
  const shape = convolution(geometry);
  if (shape.outputHeight === outputHeight && shape.outputWidth === outputWidth) return shape;
  const reach = (windows: number, stride: number, size: number, dilation: number) =>
    (windows - 1) * stride + (size - 1) * dilation + 1;
  return convolution({
    ...geometry,
    inputHeight: reach(outputHeight, strides.h, filterHeight, dilations.h),
    inputWidth: reach(outputWidth, strides.w, filterWidth, dilations.w),
  });
};

/** How often the loops around a contraction run. */
const iterationsOf = ({ outer }: ContractionLayout, { loopRanges }: StructuredOp): number =>
  outer.reduce((all, dimension) => all * loopRanges[dimension]!, 1);

/** Bytes per element before packing, of the factors at these positions. */
const unpackedBytes = (view: StructuredOp, positions: readonly [number, number]): UnpackedBytes => {
  const factors = factorPositions(view);
  const [input, filters] = positions.map((position) =>
    bytesOfElement(elementTypeOf(view.inputs[factors[position]!]!.type)),
  );
  return { input: input!, filters: filters! };
};
