/**
 * Named convolutions and poolings. Iteration dimensions are numbered as upstream; `2+5` indexes by `stride * d2 +
 * dilation * d5`.
 */
import { multiplyAdd, pool, quantizedMultiplyAdd } from './linalg-body.ts';
import { contraction, windowed } from './linalg-named.ts';

// Without strides and dilations.
export const conv1d = contraction('conv_1d', 'pr', ['0+1', '1', '0'], multiplyAdd);
export const conv2d = contraction('conv_2d', 'pprr', ['0+2 1+3', '2 3', '0 1'], multiplyAdd);
export const conv3d = contraction('conv_3d', 'ppprrr', ['0+3 1+4 2+5', '3 4 5', '0 1 2'], multiplyAdd);

export const conv1dNwcWcf = windowed('conv_1d_nwc_wcf', 'ppprr', ['0 1+3 4', '3 4 2', '0 1 2'], multiplyAdd);
export const conv1dNcwFcw = windowed('conv_1d_ncw_fcw', 'ppprr', ['0 3 2+4', '1 3 4', '0 1 2'], multiplyAdd);

export const conv2dNhwcHwcf = windowed(
  'conv_2d_nhwc_hwcf',
  'pppprrr',
  ['0 1+4 2+5 6', '4 5 6 3', '0 1 2 3'],
  multiplyAdd,
);
export const conv2dNhwcFhwc = windowed(
  'conv_2d_nhwc_fhwc',
  'pppprrr',
  ['0 1+4 2+5 6', '3 4 5 6', '0 1 2 3'],
  multiplyAdd,
);
export const conv2dNhwcHwcfQ = windowed(
  'conv_2d_nhwc_hwcf_q',
  'pppprrr',
  ['0 1+4 2+5 6', '4 5 6 3', '', '', '0 1 2 3'],
  quantizedMultiplyAdd,
);
export const conv2dNhwcFhwcQ = windowed(
  'conv_2d_nhwc_fhwc_q',
  'pppprrr',
  ['0 1+4 2+5 6', '3 4 5 6', '', '', '0 1 2 3'],
  quantizedMultiplyAdd,
);
/** Dimensions: n, f, oh, ow, c, kh, kw. */
export const conv2dNchwFchw = windowed(
  'conv_2d_nchw_fchw',
  'pppprrr',
  ['0 4 2+5 3+6', '1 4 5 6', '0 1 2 3'],
  multiplyAdd,
);
export const conv2dNgchwFgchw = windowed(
  'conv_2d_ngchw_fgchw',
  'ppppprrr',
  ['0 1 5 3+6 4+7', '2 1 5 6 7', '0 1 2 3 4'],
  multiplyAdd,
);
export const conv2dNgchwGfchw = windowed(
  'conv_2d_ngchw_gfchw',
  'ppppprrr',
  ['0 1 5 3+6 4+7', '1 2 5 6 7', '0 1 2 3 4'],
  multiplyAdd,
);
export const conv2dNgchwGfchwQ = windowed(
  'conv_2d_ngchw_gfchw_q',
  'ppppprrr',
  ['0 1 5 3+6 4+7', '1 2 5 6 7', '', '', '0 1 2 3 4'],
  quantizedMultiplyAdd,
);

export const conv3dNdhwcDhwcf = windowed(
  'conv_3d_ndhwc_dhwcf',
  'ppppprrrr',
  ['0 1+5 2+6 3+7 8', '5 6 7 8 4', '0 1 2 3 4'],
  multiplyAdd,
);
export const conv3dNdhwcDhwcfQ = windowed(
  'conv_3d_ndhwc_dhwcf_q',
  'ppppprrrr',
  ['0 1+5 2+6 3+7 8', '5 6 7 8 4', '', '', '0 1 2 3 4'],
  quantizedMultiplyAdd,
);
export const conv3dNcdhwFcdhw = windowed(
  'conv_3d_ncdhw_fcdhw',
  'ppppprrrr',
  ['0 8 1+5 2+6 3+7', '4 8 5 6 7', '0 4 1 2 3'],
  multiplyAdd,
);

export const depthwiseConv1dNwcWc = windowed(
  'depthwise_conv_1d_nwc_wc',
  'pppr',
  ['0 1+3 2', '3 2', '0 1 2'],
  multiplyAdd,
);
export const depthwiseConv1dNcwCw = windowed(
  'depthwise_conv_1d_ncw_cw',
  'pppr',
  ['0 2 1+3', '2 3', '0 2 1'],
  multiplyAdd,
);
export const depthwiseConv1dNwcWcm = windowed(
  'depthwise_conv_1d_nwc_wcm',
  'ppppr',
  ['0 1+4 2', '4 2 3', '0 1 2 3'],
  multiplyAdd,
);
export const depthwiseConv2dNhwcHwc = windowed(
  'depthwise_conv_2d_nhwc_hwc',
  'pppprr',
  ['0 1+4 2+5 3', '4 5 3', '0 1 2 3'],
  multiplyAdd,
);
export const depthwiseConv2dNchwChw = windowed(
  'depthwise_conv_2d_nchw_chw',
  'pppprr',
  ['0 3 1+4 2+5', '3 4 5', '0 3 1 2'],
  multiplyAdd,
);
export const depthwiseConv2dNhwcHwcQ = windowed(
  'depthwise_conv_2d_nhwc_hwc_q',
  'pppprr',
  ['0 1+4 2+5 3', '4 5 3', '', '', '0 1 2 3'],
  quantizedMultiplyAdd,
);
export const depthwiseConv2dNhwcHwcm = windowed(
  'depthwise_conv_2d_nhwc_hwcm',
  'ppppprr',
  ['0 1+5 2+6 3', '5 6 3 4', '0 1 2 3 4'],
  multiplyAdd,
);
export const depthwiseConv2dNhwcHwcmQ = windowed(
  'depthwise_conv_2d_nhwc_hwcm_q',
  'ppppprr',
  ['0 1+5 2+6 3', '5 6 3 4', '', '', '0 1 2 3 4'],
  quantizedMultiplyAdd,
);
export const depthwiseConv3dNdhwcDhwc = windowed(
  'depthwise_conv_3d_ndhwc_dhwc',
  'pppprrrp',
  ['0 1+4 2+5 3+6 7', '4 5 6 7', '0 1 2 3 7'],
  multiplyAdd,
);
export const depthwiseConv3dNcdhwCdhw = windowed(
  'depthwise_conv_3d_ncdhw_cdhw',
  'pppprrrp',
  ['0 7 1+4 2+5 3+6', '7 4 5 6', '0 7 1 2 3'],
  multiplyAdd,
);
export const depthwiseConv3dNdhwcDhwcm = windowed(
  'depthwise_conv_3d_ndhwc_dhwcm',
  'ppppprrrp',
  ['0 1+5 2+6 3+7 8', '5 6 7 8 4', '0 1 2 3 8 4'],
  multiplyAdd,
);

// The second operand of a pooling only provides the window shape.
const nhwc = ['0 1+4 2+5 3', '4 5', '0 1 2 3'];
const nchw = ['0 1 2+4 3+5', '4 5', '0 1 2 3'];
const nwc = ['0 1+3 2', '3', '0 1 2'];
const ncw = ['0 1 2+3', '3', '0 1 2'];
const ndhwc = ['0 1+5 2+6 3+7 4', '5 6 7', '0 1 2 3 4'];

export const poolingNhwcSum = windowed('pooling_nhwc_sum', 'pppprr', nhwc, pool('add'));
export const poolingNchwSum = windowed('pooling_nchw_sum', 'pppprr', nchw, pool('add'));
export const poolingNhwcMax = windowed('pooling_nhwc_max', 'pppprr', nhwc, pool('max_signed'));
export const poolingNhwcMaxUnsigned = windowed(
  'pooling_nhwc_max_unsigned',
  'pppprr',
  nhwc,
  pool('max_unsigned'),
);
export const poolingNchwMax = windowed('pooling_nchw_max', 'pppprr', nchw, pool('max_signed'));
export const poolingNhwcMin = windowed('pooling_nhwc_min', 'pppprr', nhwc, pool('min_signed'));
export const poolingNhwcMinUnsigned = windowed(
  'pooling_nhwc_min_unsigned',
  'pppprr',
  nhwc,
  pool('min_unsigned'),
);
export const poolingNwcSum = windowed('pooling_nwc_sum', 'pppr', nwc, pool('add'));
export const poolingNcwSum = windowed('pooling_ncw_sum', 'pppr', ncw, pool('add'));
export const poolingNwcMax = windowed('pooling_nwc_max', 'pppr', nwc, pool('max_signed'));
export const poolingNwcMaxUnsigned = windowed('pooling_nwc_max_unsigned', 'pppr', nwc, pool('max_unsigned'));
export const poolingNcwMax = windowed('pooling_ncw_max', 'pppr', ncw, pool('max_signed'));
export const poolingNwcMin = windowed('pooling_nwc_min', 'pppr', nwc, pool('min_signed'));
export const poolingNwcMinUnsigned = windowed('pooling_nwc_min_unsigned', 'pppr', nwc, pool('min_unsigned'));
export const poolingNdhwcSum = windowed('pooling_ndhwc_sum', 'ppppprrr', ndhwc, pool('add'));
export const poolingNdhwcMax = windowed('pooling_ndhwc_max', 'ppppprrr', ndhwc, pool('max_signed'));
export const poolingNdhwcMin = windowed('pooling_ndhwc_min', 'ppppprrr', ndhwc, pool('min_signed'));

/** The convolutions. */
export const convolutions = [
  conv1d,
  conv2d,
  conv3d,
  conv1dNwcWcf,
  conv1dNcwFcw,
  conv2dNhwcHwcf,
  conv2dNhwcFhwc,
  conv2dNhwcHwcfQ,
  conv2dNhwcFhwcQ,
  conv2dNchwFchw,
  conv2dNgchwFgchw,
  conv2dNgchwGfchw,
  conv2dNgchwGfchwQ,
  conv3dNdhwcDhwcf,
  conv3dNdhwcDhwcfQ,
  conv3dNcdhwFcdhw,
  depthwiseConv1dNwcWc,
  depthwiseConv1dNcwCw,
  depthwiseConv1dNwcWcm,
  depthwiseConv2dNhwcHwc,
  depthwiseConv2dNchwChw,
  depthwiseConv2dNhwcHwcQ,
  depthwiseConv2dNhwcHwcm,
  depthwiseConv2dNhwcHwcmQ,
  depthwiseConv3dNdhwcDhwc,
  depthwiseConv3dNcdhwCdhw,
  depthwiseConv3dNdhwcDhwcm,
] as const;

/** The poolings. */
export const poolings = [
  poolingNhwcSum,
  poolingNchwSum,
  poolingNhwcMax,
  poolingNhwcMaxUnsigned,
  poolingNchwMax,
  poolingNhwcMin,
  poolingNhwcMinUnsigned,
  poolingNwcSum,
  poolingNcwSum,
  poolingNwcMax,
  poolingNwcMaxUnsigned,
  poolingNcwMax,
  poolingNwcMin,
  poolingNwcMinUnsigned,
  poolingNdhwcSum,
  poolingNdhwcMax,
  poolingNdhwcMin,
] as const;
