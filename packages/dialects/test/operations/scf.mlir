module {
  func.func @scf(%arg0: index, %arg1: i1, %arg2: f32, %arg3: tensor<8xf32>, %arg4: i32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg5 = %c0 to %arg0 step %c1 {
    }
    scf.for %arg5 = %arg4 to %arg4 step %arg4  : i32 {
    } {x.tag}
    %0:2 = scf.for %arg5 = %c0 to %arg0 step %c1 iter_args(%arg6 = %arg2, %arg7 = %arg3) -> (f32, tensor<8xf32>) {
      scf.yield %arg6, %arg7 : f32, tensor<8xf32>
    }
    scf.if %arg1 {
    }
    scf.if %arg1 {
    } else {
      scf.execute_region {
        scf.yield
      }
    }
    %1 = scf.if %arg1 -> (f32) {
      scf.yield %arg2 : f32
    } else {
      scf.yield %arg2 : f32
    }
    %2:2 = scf.while (%arg5 = %arg2, %arg6 = %arg4) : (f32, i32) -> (i32, f32) {
      scf.condition(%arg1) %arg6, %arg5 : i32, f32
    } do {
    ^bb0(%arg5: i32, %arg6: f32):
      scf.yield %arg6, %arg5 : f32, i32
    } attributes {x.tag}
    scf.while : () -> () {
      scf.condition(%arg1)
    } do {
      scf.yield
    }
    %3 = scf.execute_region -> f32 {
      cf.cond_br %arg1, ^bb1, ^bb2(%arg2 : f32)
    ^bb1:  // pred: ^bb0
      cf.br ^bb2(%arg2 : f32)
    ^bb2(%9: f32):  // 2 preds: ^bb0, ^bb1
      scf.yield %9 : f32
    }
    %4 = scf.index_switch %arg0 -> f32 
    case 2 {
      scf.yield %arg2 : f32
    }
    case -5 {
      scf.yield %arg2 : f32
    }
    default {
      scf.yield %arg2 : f32
    }
    scf.index_switch %arg0 
    default {
    }
    %5:2 = scf.index_switch %arg0 {x.tag} -> f32, i32 
    case 1 {
      scf.yield %arg2, %arg4 : f32, i32
    }
    default {
      scf.yield %arg2, %arg4 : f32, i32
    }
    scf.parallel (%arg5, %arg6) = (%c0, %c0) to (%arg0, %arg0) step (%c1, %c1) {
      scf.reduce 
    }
    %6:2 = scf.parallel (%arg5) = (%c0) to (%arg0) step (%c1) init (%arg2, %arg4) -> (f32, i32) {
      scf.reduce(%arg2, %arg4 : f32, i32) {
      ^bb0(%arg6: f32, %arg7: f32):
        scf.reduce.return %arg6 : f32
      }, {
      ^bb0(%arg6: i32, %arg7: i32):
        scf.reduce.return %arg7 : i32
      }
    } {x.tag}
    scf.forall (%arg5) in (%arg0) {
    } {mapping = [#gpu.thread<x>]}
    %7 = scf.forall (%arg5, %arg6) in (2, %arg0) shared_outs(%arg7 = %arg3) -> (tensor<8xf32>) {
      %extracted_slice = tensor.extract_slice %arg7[%arg5] [1] [1] : tensor<8xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %extracted_slice into %arg7[%arg5] [1] [1] : tensor<1xf32> into tensor<8xf32>
      }
    }
    %8 = scf.forall (%arg5) = (%c1) to (%arg0) step (2) shared_outs(%arg6 = %arg3) -> (tensor<8xf32>) {
      scf.forall.in_parallel {
      }
    }
    return %3 : f32
  }
}
