"builtin.module"() ({
  "func.func"() <{function_type = (i64, i32, vector<4xi64>) -> (), sym_name = "pointers"}> ({
  ^bb0(%arg0: i64, %arg1: i32, %arg2: vector<4xi64>):
    %0 = "llvm.inttoptr"(%arg0) : (i64) -> !llvm.ptr
    %1 = "llvm.inttoptr"(%arg1) : (i32) -> !llvm.ptr<3>
    %2 = "llvm.inttoptr"(%arg2) : (vector<4xi64>) -> !llvm.vec<4 x ptr>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
