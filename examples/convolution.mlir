// The convolution of "Convolution in IREE" (Q. Dawkins, nod.ai): 2 images of 64 channels, 32 filters of 3 by 3.
func.func @conv_2d_nchw_fchw(%input: tensor<2x64x130x130xf32>, %filter: tensor<32x64x3x3xf32>) -> tensor<2x32x128x128xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<2x32x128x128xf32>
  %fill = linalg.fill ins(%cst : f32) outs(%empty : tensor<2x32x128x128xf32>) -> tensor<2x32x128x128xf32>
  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%input, %filter : tensor<2x64x130x130xf32>, tensor<32x64x3x3xf32>) outs(%fill : tensor<2x32x128x128xf32>) -> tensor<2x32x128x128xf32>
  return %conv : tensor<2x32x128x128xf32>
}
