// Functions, calls, branches and what stands between tensors and buffers.

func.func @laid_out(%t: tensor<?xf32> {bufferization.buffer_layout = affine_map<(d0) -> (2 * d0)>}, %i: index) -> f32 {
  %0 = tensor.extract %t[%i] : tensor<?xf32>
  return %0 : f32
}
func.func @callee(%t: tensor<?xf32>, %u: tensor<4x4xf32>, %i: index) -> (tensor<?xf32>, tensor<2x2xf32>) {
  %c = arith.constant 1.0 : f32
  %0 = tensor.insert %c into %t[%i] : tensor<?xf32>
  %1 = tensor.extract_slice %u[%i, %i] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return %0, %1 : tensor<?xf32>, tensor<2x2xf32>
}
func.func private @ext(tensor<?xf32>) -> f32
func.func @caller(%t: tensor<?xf32>, %u: tensor<4x4xf32> {bufferization.writable = false}, %i: index) -> (f32, f32, tensor<2x2xf32>) {
  %0:2 = call @callee(%t, %u, %i) : (tensor<?xf32>, tensor<4x4xf32>, index) -> (tensor<?xf32>, tensor<2x2xf32>)
  %3 = call @ext(%0#0) : (tensor<?xf32>) -> f32
  %2 = tensor.extract %0#0[%i] : tensor<?xf32>
  return %2, %3, %0#1 : f32, f32, tensor<2x2xf32>
}
func.func @sel(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32) {
  %s = arith.select %c, %a, %b : tensor<4xf32>
  %w = tensor.insert %f into %s[%i] : tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  return %w, %x : tensor<4xf32>, f32
}
func.func @sw(%k: index, %a: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  %s = scf.index_switch %k -> tensor<4xf32>
  case 1 { %w = tensor.insert %f into %a[%i] : tensor<4xf32> 
   scf.yield %w : tensor<4xf32> }
  default { scf.yield %a : tensor<4xf32> }
  return %s : tensor<4xf32>
}
func.func @reshape(%a: tensor<4x4xf32>, %s: tensor<1xindex>, %i: index) -> (tensor<16xf32>, tensor<?xf32>) {
  %r = tensor.reshape %a(%s) : (tensor<4x4xf32>, tensor<1xindex>) -> tensor<?xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  return %c, %r : tensor<16xf32>, tensor<?xf32>
}
func.func @cfg(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  cf.cond_br %c, ^one(%a : tensor<4xf32>), ^two
^two:
  %w = tensor.insert %f into %b[%i] : tensor<4xf32>
  cf.br ^one(%w : tensor<4xf32>)
^one(%x: tensor<4xf32>):
  return %x : tensor<4xf32>
}
func.func @loop(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  cf.br ^head(%a : tensor<4xf32>)
^head(%x: tensor<4xf32>):
  %w = tensor.insert %f into %x[%i] : tensor<4xf32>
  cf.cond_br %c, ^head(%w : tensor<4xf32>), ^end
^end:
  return %x : tensor<4xf32>
}
func.func @swap(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = scf.for %j = %i to %n step %i iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
func.func @mat(%a: tensor<4xf32>, %m: memref<4xf32>) {
  bufferization.materialize_in_destination %a in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @al(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = bufferization.alloc_tensor() copy(%a) : tensor<?xf32>
  bufferization.dealloc_tensor %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
