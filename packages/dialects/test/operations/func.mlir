module @outer attributes {dialect.tag = "x"} {
  module @inner {
  }
  func.func private @declared(f32, tensor<4xf32> {x.y}) -> (f32 {x.z = 1 : i32}, index)
  func.func nested @nested() attributes {x.flag} {
    return
  }
  func.func public @two(%arg0: f32 {x.y = 2 : i64}, %arg1: i1) -> (f32, i1) {
    return %arg0, %arg1 : f32, i1
  }
  func.func @calls(%arg0: f32, %arg1: i1, %arg2: () -> ()) {
    %0:2 = call @two(%arg0, %arg1) : (f32, i1) -> (f32, i1)
    call @nested() : () -> ()
    %f = constant @nested : () -> ()
    call_indirect %f() : () -> ()
    %f_0 = constant @two : (f32, i1) -> (f32, i1)
    %1:2 = call_indirect %f_0(%arg0, %arg1) {x.tag} : (f32, i1) -> (f32, i1)
    %2 = builtin.unrealized_conversion_cast %arg0 : f32 to i32
    %3:2 = builtin.unrealized_conversion_cast %2 : i32 to i16, i16
    %4 = builtin.unrealized_conversion_cast to f32
    return
  }
  func.func @blocks(%arg0: i1, %arg1: f32, %arg2: i32) -> f32 {
    cf.assert %arg0, "not \22so\22"
    cf.cond_br %arg0, ^bb1(%arg1 : f32), ^bb2
  ^bb1(%0: f32):  // 2 preds: ^bb0, ^bb2
    cf.br ^bb3(%0, %arg0 : f32, i1)
  ^bb2:  // 2 preds: ^bb0, ^bb2
    cf.switch %arg2 : i32, [
      default: ^bb3(%arg1, %arg0 : f32, i1),
      42: ^bb1(%arg1 : f32),
      4294967289: ^bb2
    ]
  ^bb3(%1: f32, %2: i1):  // 2 preds: ^bb1, ^bb2
    return %1 : f32
  }
}
