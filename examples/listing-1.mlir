// A strided convolution: Listing 1 of "SConvTransform", repaired. The paper prints `dense<[1,1]>` without its type and
// leaves the module open.
module {
  func.func @conv_2d_nchw_fchw(
      %in: tensor<1x32x152x152xf32>,
      %wei: tensor<256x32x3x3xf32>,
      %out: tensor<1x256x75x75xf32>) -> tensor<1x256x75x75xf32> {
    %res = linalg.conv_2d_nchw_fchw
      {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>}
      ins(%in, %wei : tensor<1x32x152x152xf32>, tensor<256x32x3x3xf32>)
      outs(%out : tensor<1x256x75x75xf32>)
      -> tensor<1x256x75x75xf32>
    return %res : tensor<1x256x75x75xf32>
  }
}
