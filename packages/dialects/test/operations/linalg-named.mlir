module {
  func.func @matmul(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.matmul ins(%arg0, %arg1 : tensor<2x4xf32>, tensor<4x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @matmul_transpose_a(%arg0: tensor<4x2xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.matmul_transpose_a ins(%arg0, %arg1 : tensor<4x2xf32>, tensor<4x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @matmul_transpose_b(%arg0: tensor<2x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.matmul_transpose_b ins(%arg0, %arg1 : tensor<2x4xf32>, tensor<3x4xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @quantized_matmul(%arg0: tensor<2x4xi8>, %arg1: tensor<4x3xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = linalg.quantized_matmul ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x4xi8>, tensor<4x3xi8>, i32, i32) outs(%arg4 : tensor<2x3xi32>) -> tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
  func.func @mmt4d(%arg0: tensor<2x4x2x4xf32>, %arg1: tensor<3x4x3x4xf32>, %arg2: tensor<2x3x2x3xf32>) -> tensor<2x3x2x3xf32> {
    %0 = linalg.mmt4d ins(%arg0, %arg1 : tensor<2x4x2x4xf32>, tensor<3x4x3x4xf32>) outs(%arg2 : tensor<2x3x2x3xf32>) -> tensor<2x3x2x3xf32>
    return %0 : tensor<2x3x2x3xf32>
  }
  func.func @batch_mmt4d(%arg0: tensor<2x3x2x3x2xf32>, %arg1: tensor<2x4x2x4x2xf32>, %arg2: tensor<2x3x4x3x4xf32>) -> tensor<2x3x4x3x4xf32> {
    %0 = linalg.batch_mmt4d ins(%arg0, %arg1 : tensor<2x3x2x3x2xf32>, tensor<2x4x2x4x2xf32>) outs(%arg2 : tensor<2x3x4x3x4xf32>) -> tensor<2x3x4x3x4xf32>
    return %0 : tensor<2x3x4x3x4xf32>
  }
  func.func @batch_matmul(%arg0: tensor<2x3x2xf32>, %arg1: tensor<2x2x4xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<2x3x2xf32>, tensor<2x2x4xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @batch_matmul_transpose_a(%arg0: tensor<2x2x3xf32>, %arg1: tensor<2x2x4xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.batch_matmul_transpose_a ins(%arg0, %arg1 : tensor<2x2x3xf32>, tensor<2x2x4xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @batch_matmul_transpose_b(%arg0: tensor<2x3x2xf32>, %arg1: tensor<2x4x2xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.batch_matmul_transpose_b ins(%arg0, %arg1 : tensor<2x3x2xf32>, tensor<2x4x2xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @quantized_batch_matmul(%arg0: tensor<2x3x2xi8>, %arg1: tensor<2x2x4xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
    %0 = linalg.quantized_batch_matmul ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x3x2xi8>, tensor<2x2x4xi8>, i32, i32) outs(%arg4 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
    return %0 : tensor<2x3x4xi32>
  }
  func.func @batch_reduce_matmul(%arg0: tensor<2x3x2xf32>, %arg1: tensor<2x2x4xf32>, %arg2: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = linalg.batch_reduce_matmul ins(%arg0, %arg1 : tensor<2x3x2xf32>, tensor<2x2x4xf32>) outs(%arg2 : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
  func.func @matvec(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2xf32>) -> tensor<2xf32> {
    %0 = linalg.matvec ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<3xf32>) outs(%arg2 : tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @vecmat(%arg0: tensor<3xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<2xf32>) -> tensor<2xf32> {
    %0 = linalg.vecmat ins(%arg0, %arg1 : tensor<3xf32>, tensor<3x2xf32>) outs(%arg2 : tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @batch_matvec(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.batch_matvec ins(%arg0, %arg1 : tensor<2x3x4xf32>, tensor<2x4xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @batch_vecmat(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.batch_vecmat ins(%arg0, %arg1 : tensor<2x4xf32>, tensor<2x4x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @dot(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = linalg.dot ins(%arg0, %arg1 : tensor<2xf32>, tensor<2xf32>) outs(%arg2 : tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @conv_1d(%arg0: tensor<4xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2xf32>) -> tensor<2xf32> {
    %0 = linalg.conv_1d ins(%arg0, %arg1 : tensor<4xf32>, tensor<3xf32>) outs(%arg2 : tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @conv_2d(%arg0: tensor<5x4xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.conv_2d ins(%arg0, %arg1 : tensor<5x4xf32>, tensor<4x2xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @conv_3d(%arg0: tensor<3x5x7xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.conv_3d ins(%arg0, %arg1 : tensor<3x5x7xf32>, tensor<2x3x4xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @conv_1d_nwc_wcf(%arg0: tensor<2x4x3xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x4x3xf32>, tensor<2x3x4xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @conv_1d_ncw_fcw(%arg0: tensor<2x2x6xf32>, %arg1: tensor<3x2x3xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x2x6xf32>, tensor<3x2x3xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @conv_2d_nhwc_hwcf(%arg0: tensor<2x5x7x2xf32>, %arg1: tensor<3x4x2x2xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x5x7x2xf32>, tensor<3x4x2x2xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @conv_2d_nhwc_fhwc(%arg0: tensor<2x5x7x2xf32>, %arg1: tensor<2x3x4x2xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x5x7x2xf32>, tensor<2x3x4x2xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @conv_2d_nhwc_hwcf_q(%arg0: tensor<2x5x7x2xi8>, %arg1: tensor<3x4x2x2xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
    %0 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x5x7x2xi8>, tensor<3x4x2x2xi8>, i32, i32) outs(%arg4 : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    return %0 : tensor<2x3x4x2xi32>
  }
  func.func @conv_2d_nhwc_fhwc_q(%arg0: tensor<2x5x7x2xi8>, %arg1: tensor<2x3x4x2xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
    %0 = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x5x7x2xi8>, tensor<2x3x4x2xi8>, i32, i32) outs(%arg4 : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    return %0 : tensor<2x3x4x2xi32>
  }
  func.func @conv_2d_nchw_fchw(%arg0: tensor<2x3x7x3xf32>, %arg1: tensor<3x3x4x2xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x3x7x3xf32>, tensor<3x3x4x2xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @conv_2d_ngchw_fgchw(%arg0: tensor<2x3x4x3x5xf32>, %arg1: tensor<4x3x4x2x3xf32>, %arg2: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
    %0 = linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x3x4x3x5xf32>, tensor<4x3x4x2x3xf32>) outs(%arg2 : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    return %0 : tensor<2x3x4x2x3xf32>
  }
  func.func @conv_2d_ngchw_gfchw(%arg0: tensor<2x3x4x3x5xf32>, %arg1: tensor<3x4x4x2x3xf32>, %arg2: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
    %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x3x4x3x5xf32>, tensor<3x4x4x2x3xf32>) outs(%arg2 : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    return %0 : tensor<2x3x4x2x3xf32>
  }
  func.func @conv_2d_ngchw_gfchw_q(%arg0: tensor<2x3x4x3x5xi8>, %arg1: tensor<3x4x4x2x3xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32> {
    %0 = linalg.conv_2d_ngchw_gfchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x3x4x3x5xi8>, tensor<3x4x4x2x3xi8>, i32, i32) outs(%arg4 : tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>
    return %0 : tensor<2x3x4x2x3xi32>
  }
  func.func @conv_3d_ndhwc_dhwcf(%arg0: tensor<2x6x5x4x4xf32>, %arg1: tensor<4x2x3x4x3xf32>, %arg2: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
    %0 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1 : tensor<2x6x5x4x4xf32>, tensor<4x2x3x4x3xf32>) outs(%arg2 : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    return %0 : tensor<2x3x4x2x3xf32>
  }
  func.func @conv_3d_ndhwc_dhwcf_q(%arg0: tensor<2x6x5x4x4xi8>, %arg1: tensor<4x2x3x4x3xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32> {
    %0 = linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x6x5x4x4xi8>, tensor<4x2x3x4x3xi8>, i32, i32) outs(%arg4 : tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>
    return %0 : tensor<2x3x4x2x3xi32>
  }
  func.func @conv_3d_ncdhw_fcdhw(%arg0: tensor<2x4x6x5x4xf32>, %arg1: tensor<3x4x4x2x3xf32>, %arg2: tensor<2x3x3x4x2xf32>) -> tensor<2x3x3x4x2xf32> {
    %0 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1 : tensor<2x4x6x5x4xf32>, tensor<3x4x4x2x3xf32>) outs(%arg2 : tensor<2x3x3x4x2xf32>) -> tensor<2x3x3x4x2xf32>
    return %0 : tensor<2x3x3x4x2xf32>
  }
  func.func @depthwise_conv_1d_nwc_wc(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x4x4xf32>, tensor<2x4xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @depthwise_conv_1d_ncw_cw(%arg0: tensor<2x4x4xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
    %0 = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x4x4xf32>, tensor<4x2xf32>) outs(%arg2 : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    return %0 : tensor<2x4x3xf32>
  }
  func.func @depthwise_conv_1d_nwc_wcm(%arg0: tensor<2x5x4xf32>, %arg1: tensor<3x4x2xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x5x4xf32>, tensor<3x4x2xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @depthwise_conv_2d_nhwc_hwc(%arg0: tensor<2x5x7x2xf32>, %arg1: tensor<3x4x2xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x5x7x2xf32>, tensor<3x4x2xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @depthwise_conv_2d_nchw_chw(%arg0: tensor<2x2x5x7xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32> {
    %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x2x5x7xf32>, tensor<2x3x4xf32>) outs(%arg2 : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
    return %0 : tensor<2x2x3x4xf32>
  }
  func.func @depthwise_conv_2d_nhwc_hwc_q(%arg0: tensor<2x5x7x2xi8>, %arg1: tensor<3x4x2xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
    %0 = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x5x7x2xi8>, tensor<3x4x2xi8>, i32, i32) outs(%arg4 : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    return %0 : tensor<2x3x4x2xi32>
  }
  func.func @depthwise_conv_2d_nhwc_hwcm(%arg0: tensor<2x6x5x2xf32>, %arg1: tensor<4x2x2x3xf32>, %arg2: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
    %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x6x5x2xf32>, tensor<4x2x2x3xf32>) outs(%arg2 : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    return %0 : tensor<2x3x4x2x3xf32>
  }
  func.func @depthwise_conv_2d_nhwc_hwcm_q(%arg0: tensor<2x6x5x2xi8>, %arg1: tensor<4x2x2x3xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32> {
    %0 = linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x6x5x2xi8>, tensor<4x2x2x3xi8>, i32, i32) outs(%arg4 : tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>
    return %0 : tensor<2x3x4x2x3xi32>
  }
  func.func @depthwise_conv_3d_ndhwc_dhwc(%arg0: tensor<2x5x7x3x3xf32>, %arg1: tensor<3x4x2x3xf32>, %arg2: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
    %0 = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1 : tensor<2x5x7x3x3xf32>, tensor<3x4x2x3xf32>) outs(%arg2 : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    return %0 : tensor<2x3x4x2x3xf32>
  }
  func.func @depthwise_conv_3d_ncdhw_cdhw(%arg0: tensor<2x3x5x7x3xf32>, %arg1: tensor<3x3x4x2xf32>, %arg2: tensor<2x3x3x4x2xf32>) -> tensor<2x3x3x4x2xf32> {
    %0 = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1 : tensor<2x3x5x7x3xf32>, tensor<3x3x4x2xf32>) outs(%arg2 : tensor<2x3x3x4x2xf32>) -> tensor<2x3x3x4x2xf32>
    return %0 : tensor<2x3x3x4x2xf32>
  }
  func.func @depthwise_conv_3d_ndhwc_dhwcm(%arg0: tensor<2x6x5x4x4xf32>, %arg1: tensor<4x2x3x4x3xf32>, %arg2: tensor<2x3x4x2x4x3xf32>) -> tensor<2x3x4x2x4x3xf32> {
    %0 = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1 : tensor<2x6x5x4x4xf32>, tensor<4x2x3x4x3xf32>) outs(%arg2 : tensor<2x3x4x2x4x3xf32>) -> tensor<2x3x4x2x4x3xf32>
    return %0 : tensor<2x3x4x2x4x3xf32>
  }
  func.func @pooling_nhwc_sum(%arg0: tensor<2x5x7x2xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x5x7x2xf32>, tensor<3x4xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @pooling_nchw_sum(%arg0: tensor<2x3x6x5xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x3x6x5xf32>, tensor<3x4xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @pooling_nhwc_max(%arg0: tensor<2x5x7x2xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x5x7x2xf32>, tensor<3x4xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @pooling_nhwc_max_unsigned(%arg0: tensor<2x5x7x2xi32>, %arg1: tensor<3x4xi32>, %arg2: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
    %0 = linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x5x7x2xi32>, tensor<3x4xi32>) outs(%arg2 : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    return %0 : tensor<2x3x4x2xi32>
  }
  func.func @pooling_nchw_max(%arg0: tensor<2x3x6x5xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x3x6x5xf32>, tensor<3x4xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @pooling_nhwc_min(%arg0: tensor<2x5x7x2xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32> {
    %0 = linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x5x7x2xf32>, tensor<3x4xf32>) outs(%arg2 : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    return %0 : tensor<2x3x4x2xf32>
  }
  func.func @pooling_nhwc_min_unsigned(%arg0: tensor<2x5x7x2xi32>, %arg1: tensor<3x4xi32>, %arg2: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
    %0 = linalg.pooling_nhwc_min_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x5x7x2xi32>, tensor<3x4xi32>) outs(%arg2 : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    return %0 : tensor<2x3x4x2xi32>
  }
  func.func @pooling_nwc_sum(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x4x4xf32>, tensor<2xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @pooling_ncw_sum(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x3x5xf32>, tensor<2xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @pooling_nwc_max(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x4x4xf32>, tensor<2xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @pooling_nwc_max_unsigned(%arg0: tensor<2x4x4xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
    %0 = linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x4x4xi32>, tensor<2xi32>) outs(%arg2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
    return %0 : tensor<2x3x4xi32>
  }
  func.func @pooling_ncw_max(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x3x5xf32>, tensor<2xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @pooling_nwc_min(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = linalg.pooling_nwc_min {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x4x4xf32>, tensor<2xf32>) outs(%arg2 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @pooling_nwc_min_unsigned(%arg0: tensor<2x4x4xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
    %0 = linalg.pooling_nwc_min_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x4x4xi32>, tensor<2xi32>) outs(%arg2 : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
    return %0 : tensor<2x3x4xi32>
  }
  func.func @pooling_ndhwc_sum(%arg0: tensor<2x6x5x4x3xf32>, %arg1: tensor<4x2x3xf32>, %arg2: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
    %0 = linalg.pooling_ndhwc_sum {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1 : tensor<2x6x5x4x3xf32>, tensor<4x2x3xf32>) outs(%arg2 : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    return %0 : tensor<2x3x4x2x3xf32>
  }
  func.func @pooling_ndhwc_max(%arg0: tensor<2x6x5x4x3xf32>, %arg1: tensor<4x2x3xf32>, %arg2: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
    %0 = linalg.pooling_ndhwc_max {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1 : tensor<2x6x5x4x3xf32>, tensor<4x2x3xf32>) outs(%arg2 : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    return %0 : tensor<2x3x4x2x3xf32>
  }
  func.func @pooling_ndhwc_min(%arg0: tensor<2x6x5x4x3xf32>, %arg1: tensor<4x2x3xf32>, %arg2: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
    %0 = linalg.pooling_ndhwc_min {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1 : tensor<2x6x5x4x3xf32>, tensor<4x2x3xf32>) outs(%arg2 : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    return %0 : tensor<2x3x4x2x3xf32>
  }
  func.func @fill(%arg0: f32, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.fill ins(%arg0 : f32) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @copy(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.copy ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @elemwise_unary(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.elemwise_unary ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @elemwise_binary(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.elemwise_binary ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @fill_rng_2d(%arg0: f64, %arg1: f64, %arg2: i32, %arg3: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.fill_rng_2d ins(%arg0, %arg1, %arg2 : f64, f64, i32) outs(%arg3 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @exp(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.exp ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @log(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.log ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @abs(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.abs ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @ceil(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.ceil ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @floor(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.floor ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @negf(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.negf ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @reciprocal(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.reciprocal ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @round(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.round ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @sqrt(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.sqrt ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @rsqrt(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.rsqrt ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @square(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.square ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @tanh(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.tanh ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @erf(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.erf ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @add(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.add ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @sub(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.sub ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @mul(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.mul ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @div(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.div ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @div_unsigned(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>, %arg2: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = linalg.div_unsigned ins(%arg0, %arg1 : tensor<2x3xi32>, tensor<2x3xi32>) outs(%arg2 : tensor<2x3xi32>) -> tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
  func.func @max(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.max ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @min(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.min ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @powf(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.powf ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg2 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @select(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.select ins(%arg0, %arg1, %arg2 : tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg3 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
