"builtin.module"() ({
  "func.func"() <{function_type = (index, i1, f32, tensor<8xf32>, i32) -> f32, sym_name = "scf"}> ({
  ^bb0(%arg0: index, %arg1: i1, %arg2: f32, %arg3: tensor<8xf32>, %arg4: i32):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    "scf.for"(%0, %arg0, %1) ({
    ^bb0(%arg26: index):
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "scf.for"(%arg4, %arg4, %arg4) ({
    ^bb0(%arg25: i32):
      "scf.yield"() : () -> ()
    }) {x.tag} : (i32, i32, i32) -> ()
    %2:2 = "scf.for"(%0, %arg0, %1, %arg2, %arg3) ({
    ^bb0(%arg22: index, %arg23: f32, %arg24: tensor<8xf32>):
      "scf.yield"(%arg23, %arg24) : (f32, tensor<8xf32>) -> ()
    }) : (index, index, index, f32, tensor<8xf32>) -> (f32, tensor<8xf32>)
    "scf.if"(%arg1) ({
      "scf.yield"() : () -> ()
    }, {
    }) : (i1) -> ()
    "scf.if"(%arg1) ({
      "scf.yield"() : () -> ()
    }, {
      "scf.execute_region"() ({
        "scf.yield"() : () -> ()
      }) : () -> ()
      "scf.yield"() : () -> ()
    }) : (i1) -> ()
    %3 = "scf.if"(%arg1) ({
      "scf.yield"(%arg2) : (f32) -> ()
    }, {
      "scf.yield"(%arg2) : (f32) -> ()
    }) : (i1) -> f32
    %4:2 = "scf.while"(%arg2, %arg4) ({
    ^bb0(%arg20: f32, %arg21: i32):
      "scf.condition"(%arg1, %arg21, %arg20) : (i1, i32, f32) -> ()
    }, {
    ^bb0(%arg18: i32, %arg19: f32):
      "scf.yield"(%arg19, %arg18) : (f32, i32) -> ()
    }) {x.tag} : (f32, i32) -> (i32, f32)
    "scf.while"() ({
      "scf.condition"(%arg1) : (i1) -> ()
    }, {
      "scf.yield"() : () -> ()
    }) : () -> ()
    %5 = "scf.execute_region"() ({
      "cf.cond_br"(%arg1, %arg2)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, f32) -> ()
    ^bb1:  // pred: ^bb0
      "cf.br"(%arg2)[^bb2] : (f32) -> ()
    ^bb2(%12: f32):  // 2 preds: ^bb0, ^bb1
      "scf.yield"(%12) : (f32) -> ()
    }) : () -> f32
    %6 = "scf.index_switch"(%arg0) <{cases = array<i64: 2, -5>}> ({
      "scf.yield"(%arg2) : (f32) -> ()
    }, {
      "scf.yield"(%arg2) : (f32) -> ()
    }, {
      "scf.yield"(%arg2) : (f32) -> ()
    }) : (index) -> f32
    "scf.index_switch"(%arg0) <{cases = array<i64>}> ({
      "scf.yield"() : () -> ()
    }) : (index) -> ()
    %7:2 = "scf.index_switch"(%arg0) <{cases = array<i64: 1>}> ({
      "scf.yield"(%arg2, %arg4) : (f32, i32) -> ()
    }, {
      "scf.yield"(%arg2, %arg4) : (f32, i32) -> ()
    }) {x.tag} : (index) -> (f32, i32)
    "scf.parallel"(%0, %0, %arg0, %arg0, %1, %1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
    ^bb0(%arg16: index, %arg17: index):
      "scf.reduce"() : () -> ()
    }) : (index, index, index, index, index, index) -> ()
    %8:2 = "scf.parallel"(%0, %arg0, %1, %arg2, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 1, 2>}> ({
    ^bb0(%arg11: index):
      "scf.reduce"(%arg2, %arg4) ({
      ^bb0(%arg14: f32, %arg15: f32):
        "scf.reduce.return"(%arg14) : (f32) -> ()
      }, {
      ^bb0(%arg12: i32, %arg13: i32):
        "scf.reduce.return"(%arg13) : (i32) -> ()
      }) : (f32, i32) -> ()
    }) {x.tag} : (index, index, index, f32, i32) -> (f32, i32)
    "scf.forall"(%arg0) <{mapping = [#gpu.thread<x>], operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    ^bb0(%arg10: index):
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : (index) -> ()
    %9 = "scf.forall"(%arg0, %arg3) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0, 0>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: 2, -9223372036854775808>}> ({
    ^bb0(%arg7: index, %arg8: index, %arg9: tensor<8xf32>):
      %11 = "tensor.extract_slice"(%arg9, %arg7) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<8xf32>, index) -> tensor<1xf32>
      "scf.forall.in_parallel"() ({
        "tensor.parallel_insert_slice"(%11, %arg9, %arg7) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xf32>, tensor<8xf32>, index) -> ()
      }) : () -> ()
    }) : (index, tensor<8xf32>) -> tensor<8xf32>
    %10 = "scf.forall"(%1, %arg0, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, staticLowerBound = array<i64: -9223372036854775808>, staticStep = array<i64: 2>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    ^bb0(%arg5: index, %arg6: tensor<8xf32>):
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> ()
    }) : (index, index, tensor<8xf32>) -> tensor<8xf32>
    "func.return"(%5) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
