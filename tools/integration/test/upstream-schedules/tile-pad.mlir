module attributes {transform.with_named_sequence} {
  func.func @both_ends(%a: tensor<7x5xf32>, %v: f32) -> tensor<13x9xf32> {
    %0 = tensor.pad %a low[4, 1] high[2, 3] {
    ^bb0(%i: index, %j: index):
      tensor.yield %v : f32
    } : tensor<7x5xf32> to tensor<13x9xf32>
    return %0 : tensor<13x9xf32>
  }
  func.func @only_high(%a: tensor<6x5xf32>) -> tensor<6x9xf32> {
    %v = arith.constant 2.0 : f32
    %0 = tensor.pad %a nofold low[0, 0] high[0, 4] {
    ^bb0(%i: index, %j: index):
      tensor.yield %v : f32
    } : tensor<6x5xf32> to tensor<6x9xf32>
    return %0 : tensor<6x9xf32>
  }
  func.func @dynamic(%a: tensor<?x3xi32>, %low: index, %high: index, %v: i32) -> tensor<?x?xi32> {
    %0 = tensor.pad %a low[2, %low] high[%high, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %v : i32
    } : tensor<?x3xi32> to tensor<?x?xi32>
    return %0 : tensor<?x?xi32>
  }
  func.func @nothing_to_pad(%a: tensor<0x5xf32>, %v: f32) -> tensor<4x6xf32> {
    %0 = tensor.pad %a low[1, 0] high[3, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %v : f32
    } : tensor<0x5xf32> to tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %1, %l:2 = transform.structured.tile_using_for %0 tile_sizes [3, 4] interchange = [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
