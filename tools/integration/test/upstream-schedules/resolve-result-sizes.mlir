#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d0)>
module attributes {transform.with_named_sequence} {
  func.func @structured(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> (index, index, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x?xi32>
    %n = tensor.dim %b, %c1 : tensor<?x?xi32>
    %e = tensor.empty(%n, %m) : tensor<?x?xi32>
    %e1 = tensor.empty(%m) : tensor<?x4xi32>
    %z = arith.constant 0 : i32
    %0 = linalg.fill ins(%z : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
    %x = linalg.fill ins(%z : i32) outs(%e1 : tensor<?x4xi32>) -> tensor<?x4xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%0 : tensor<?x?xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %5 = arith.addi %in, %out : i32
      linalg.yield %5 : i32
    } -> tensor<?x?xi32>
    %2 = tensor.dim %1, %c0 : tensor<?x?xi32>
    %3 = tensor.dim %1, %c1 : tensor<?x?xi32>
    %4 = tensor.dim %x, %c0 : tensor<?x4xi32>
    return %2, %3, %4 : index, index, index
  }
  func.func @shapes(%a: tensor<?x4xi32>) -> (index, index, index, index, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %0 = tensor.pad %a low[3, 1] high[2, 5] {
    ^bb0(%i: index, %j: index):
      tensor.yield %z : i32
    } : tensor<?x4xi32> to tensor<?x10xi32>
    %1 = tensor.dim %0, %c0 : tensor<?x10xi32>
    %2 = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xi32> into tensor<?xi32>
    %3 = tensor.dim %2, %c0 : tensor<?xi32>
    %4 = tensor.concat dim(0) %a, %a : (tensor<?x4xi32>, tensor<?x4xi32>) -> tensor<?x4xi32>
    %5 = tensor.dim %4, %c0 : tensor<?x4xi32>
    %c2 = arith.constant 2 : index
    %d = tensor.dim %a, %c0 : tensor<?x4xi32>
    %p = arith.muli %d, %c2 : index
    %6 = tensor.expand_shape %2 [[0, 1]] output_shape [%p, 2] : tensor<?xi32> into tensor<?x2xi32>
    %7 = tensor.dim %6, %c0 : tensor<?x2xi32>
    %z_t = tensor.from_elements %z : tensor<1x1xi32>
    %8 = tensor.insert_slice %z_t into %a[0, 0] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<?x4xi32>
    %9 = tensor.dim %8, %c0 : tensor<?x4xi32>
    return %1, %3, %5, %7, %9 : index, index, index, index, index
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
    } : !transform.any_op
    transform.yield
  }
}
