/**
 * The attributes of each op that is imported, of all operator sets from 1 to 25, as the ONNX standard lists them: any
 * other is a mistake of who wrote the model, or of another runtime.
 */

const windows = 'auto_pad dilations kernel_shape pads strides';
const reduction = 'axes keepdims noop_with_empty_axes';
const axis = 'axis';

/** The names by op, separated by blanks; an op that is not listed has none. */
const attributes: Readonly<Record<string, string>> = {
  ArgMax: 'axis keepdims select_last_index',
  ArgMin: 'axis keepdims select_last_index',
  AveragePool: `${windows} ceil_mode count_include_pad`,
  BatchNormalization: 'epsilon momentum spatial training_mode is_test',
  BitShift: 'direction',
  Cast: 'to saturate round_mode',
  CastLike: 'saturate round_mode',
  Celu: 'alpha',
  Clip: 'max min',
  Concat: axis,
  Constant: 'sparse_value value value_float value_floats value_int value_ints value_string value_strings',
  ConstantOfShape: 'value',
  Conv: `${windows} group`,
  ConvInteger: `${windows} group`,
  ConvTranspose: `${windows} group output_padding output_shape`,
  CumSum: 'exclusive reverse',
  DepthToSpace: 'blocksize mode',
  DequantizeLinear: 'axis block_size output_dtype',
  Dropout: 'ratio seed is_test',
  Einsum: 'equation',
  Elu: 'alpha',
  EyeLike: 'dtype k',
  Flatten: axis,
  Gather: axis,
  GatherElements: axis,
  GatherND: 'batch_dims',
  Gelu: 'approximate',
  Gemm: 'alpha beta transA transB broadcast',
  GlobalLpPool: 'p',
  GroupNormalization: 'epsilon num_groups stash_type',
  HardSigmoid: 'alpha beta',
  Hardmax: axis,
  InstanceNormalization: 'epsilon',
  IsInf: 'detect_negative detect_positive',
  LRN: 'alpha beta bias size',
  LayerNormalization: 'axis epsilon stash_type',
  LeakyRelu: 'alpha',
  LogSoftmax: axis,
  LpNormalization: 'axis p',
  LpPool: `${windows} ceil_mode p`,
  MaxPool: `${windows} ceil_mode storage_order`,
  MeanVarianceNormalization: 'axes',
  Mod: 'fmod',
  OneHot: axis,
  Pad: 'mode pads paddings value',
  QLinearConv: `${windows} group`,
  QuantizeLinear: 'axis block_size output_dtype precision saturate',
  RMSNormalization: 'axis epsilon stash_type',
  ReduceL1: reduction,
  ReduceL2: reduction,
  ReduceLogSum: reduction,
  ReduceLogSumExp: reduction,
  ReduceMax: reduction,
  ReduceMean: reduction,
  ReduceMin: reduction,
  ReduceProd: reduction,
  ReduceSum: reduction,
  ReduceSumSquare: reduction,
  Reshape: 'allowzero shape',
  Resize:
    'antialias axes coordinate_transformation_mode cubic_coeff_a exclude_outside extrapolation_value ' +
    'keep_aspect_ratio_policy mode nearest_mode',
  Selu: 'alpha gamma',
  Shape: 'end start',
  Shrink: 'bias lambd',
  Slice: 'axes ends starts',
  Softmax: axis,
  SpaceToDepth: 'blocksize mode',
  Split: 'axis num_outputs split',
  Squeeze: 'axes',
  Swish: 'alpha',
  ThresholdedRelu: 'alpha',
  Transpose: 'perm',
  Trilu: 'upper',
  Unsqueeze: 'axes',
  Upsample: 'height_scale mode scales width_scale',
};

/** Of elementwise ops of operator sets before 7, in which `consumed_inputs` was of all. */
const oldAttributes = ['axis', 'broadcast', 'consumed_inputs'];
const firstOfToday = 7;

/** The name of an attribute that an op does not have; undefined if it has all. */
export const unknownAttribute = (op: string, opset: number, names: readonly string[]): string | undefined => {
  const known = [...(attributes[op]?.split(' ') ?? []), ...(opset < firstOfToday ? oldAttributes : [])];
  return names.find((name) => !known.includes(name));
};
