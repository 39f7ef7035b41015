module {
  func.func @pointers(%arg0: i64, %arg1: i32, %arg2: vector<4xi64>) {
    %0 = llvm.inttoptr %arg0 : i64 to !llvm.ptr
    %1 = llvm.inttoptr %arg1 : i32 to !llvm.ptr<3>
    %2 = llvm.inttoptr %arg2 : vector<4xi64> to !llvm.vec<4 x ptr>
    return
  }
}
