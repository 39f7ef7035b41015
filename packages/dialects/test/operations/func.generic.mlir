"builtin.module"() <{sym_name = "outer"}> ({
  "builtin.module"() <{sym_name = "inner"}> ({
  ^bb0:
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {x.y}], function_type = (f32, tensor<4xf32>) -> (f32, index), res_attrs = [{x.z = 1 : i32}, {}], sym_name = "declared", sym_visibility = "private"}> ({
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "nested", sym_visibility = "nested"}> ({
    "func.return"() : () -> ()
  }) {x.flag} : () -> ()
  "func.func"() <{arg_attrs = [{x.y = 2 : i64}, {}], function_type = (f32, i1) -> (f32, i1), sym_name = "two", sym_visibility = "public"}> ({
  ^bb0(%arg6: f32, %arg7: i1):
    "func.return"(%arg6, %arg7) : (f32, i1) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, i1, () -> ()) -> (), sym_name = "calls"}> ({
  ^bb0(%arg3: f32, %arg4: i1, %arg5: () -> ()):
    %3:2 = "func.call"(%arg3, %arg4) <{callee = @two}> : (f32, i1) -> (f32, i1)
    "func.call"() <{callee = @nested}> : () -> ()
    %4 = "func.constant"() <{value = @nested}> : () -> (() -> ())
    "func.call_indirect"(%4) : (() -> ()) -> ()
    %5 = "func.constant"() <{value = @two}> : () -> ((f32, i1) -> (f32, i1))
    %6:2 = "func.call_indirect"(%5, %arg3, %arg4) {x.tag} : ((f32, i1) -> (f32, i1), f32, i1) -> (f32, i1)
    %7 = "builtin.unrealized_conversion_cast"(%arg3) : (f32) -> i32
    %8:2 = "builtin.unrealized_conversion_cast"(%7) : (i32) -> (i16, i16)
    %9 = "builtin.unrealized_conversion_cast"() : () -> f32
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i1, f32, i32) -> f32, sym_name = "blocks"}> ({
  ^bb0(%arg0: i1, %arg1: f32, %arg2: i32):
    "cf.assert"(%arg0) <{msg = "not \22so\22"}> : (i1) -> ()
    "cf.cond_br"(%arg0, %arg1)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, f32) -> ()
  ^bb1(%0: f32):  // 2 preds: ^bb0, ^bb2
    "cf.br"(%0, %arg0)[^bb3] : (f32, i1) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb2
    "cf.switch"(%arg2, %arg1, %arg0, %arg1)[^bb3, ^bb1, ^bb2] <{case_operand_segments = array<i32: 1, 0>, case_values = dense<[42, -7]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 2, 1>}> : (i32, f32, i1, f32) -> ()
  ^bb3(%1: f32, %2: i1):  // 2 preds: ^bb1, ^bb2
    "func.return"(%1) : (f32) -> ()
  }) : () -> ()
}) {dialect.tag = "x"} : () -> ()
