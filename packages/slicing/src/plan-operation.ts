/** Plans for convolutions in the IR. */
import type { ConvolutionShape, CsaError, SlicingPlan } from '@sconv/csa';
import { convolution } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success, warning } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import { f32, f64, isShaped, isStaticShape, printType, typeEquals } from '@sconv/ir';
import { convolutionForms, formedConvolution } from '@sconv/normalization';
import type { ConvolutionForm, ConvolutionGeometry } from '@sconv/normalization';

/** What slicing is about; grouped convolutions are loops around it. */
export const convolutionName = 'linalg.conv_2d_nchw_fchw';

/** What is sliced. */
export const convolutionNames = [
  convolutionName,
  'linalg.conv_2d_nhwc_hwcf',
  'linalg.conv_2d_nhwc_fhwc',
  'linalg.conv_2d_ngchw_fgchw',
  'linalg.conv_2d_ngchw_gfchw',
] as const;

/** The name of an op that is sliced. */
export type ConvolutionName = (typeof convolutionNames)[number];

const isConvolutionName = (name: string): name is ConvolutionName =>
  convolutionNames.some((each) => each === name);

/** The form of a named convolution that is sliced; undefined for any other op. */
export const slicedForm = ({ name }: Operation): ConvolutionForm | undefined =>
  isConvolutionName(name) ? convolutionForms.find(({ definition }) => definition.name === name) : undefined;

/** Elements of convolutions that are sliced: all operands have the same. */
const elementTypes = [
  { name: 'f32', type: f32 },
  { name: 'f64', type: f64 },
] as const;

/** How `planOperation` fails before it plans. */
export const shapeFailures = {
  'sconv/not-a-convolution': {
    mode: 'silenceable',
    when: 'a target is none of these convolutions, or not on tensors',
  },
  'sconv/dynamic-shape': { mode: 'silenceable', when: 'a size is not known statically' },
  'sconv/element-type': {
    mode: 'silenceable',
    when: 'the elements of the operands are not all f32, or all f64',
  },
} as const;

/**
 * The plan that `plan` makes for a convolution in the IR, for one of its groups, with its warnings. A failure stands at the convolution; a
 * `CsaError` of `plan` is one.
 */
export const planOperation = <P extends Pick<SlicingPlan, 'warnings'>>(
  operation: Operation,
  plan: (shape: ConvolutionShape) => P,
): Diagnosed<P> => {
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
  const view = slicedForm(operation)?.definition.view(operation);
  const geometry = view && formedConvolution(view)?.geometry;
  if (geometry === undefined) {
    return silenceable(
      error(
        'sconv/not-a-convolution',
        `expected one of ${convolutionNames.join(', ')} on tensors, got '${operation.name}'`,
        operation.location,
      ),
    );
  }
  const [elementType] = elementTypes.filter(({ type }) =>
    operation.operands.some(
      (operand) => isShaped(operand.type) && typeEquals(operand.type.elementType, type),
    ),
  );
  const other = operation.operands.find(
    ({ type }) =>
      !isShaped(type) || elementType === undefined || !typeEquals(type.elementType, elementType.type),
  );
  if (elementType === undefined || other !== undefined) {
    return silenceable(
      error(
        'sconv/element-type',
        `expected operands of element type f32, or all of f64, got ${printType(other!.type)}`,
        operation.location,
      ),
    );
  }
  try {
    const made = plan(shapeOf(geometry, elementType.name));
    return success(
      made,
      made.warnings.map(({ code, message }) => warning(code, message, operation.location)),
    );
  } catch (problem) {
    if (!isCsaError(problem)) throw problem;
    return silenceable(error(problem.code, problem.message, operation.location));
  }
};

/**
 * The shape of a group of a convolution in the IR. MLIR lets an output be smaller than its input allows; the rows and columns
 * that no window reaches are then left out, so that the shape has the windows that the IR has.
 */
const shapeOf = ({ groups, ...whole }: ConvolutionGeometry, elementType: 'f32' | 'f64'): ConvolutionShape => {
  const geometry = {
    ...whole,
    elementType,
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

/** Whether planning has thrown this because of what it was given. */
export const isCsaError = (problem: unknown): problem is CsaError =>
  problem instanceof Error && problem.name === 'CsaError';
