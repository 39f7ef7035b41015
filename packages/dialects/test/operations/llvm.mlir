module {
  func.func @pointers(%arg0: i64, %arg1: i32, %arg2: vector<4xi64>) {
    %0 = llvm.inttoptr %arg0 : i64 to !llvm.ptr
    %1 = llvm.inttoptr %arg1 : i32 to !llvm.ptr<3>
    %2 = llvm.inttoptr %arg2 : vector<4xi64> to !llvm.vec<4 x ptr>
    return
  }
  func.func @intrinsics(%arg0: vector<512xi1>, %arg1: vector<16xi8>, %arg2: i32, %arg3: vector<[4]xi1>, %arg4: vector<[4]xf32>, %arg5: f32) {
    %0 = llvm.call_intrinsic "llvm.ppc.mma.xvf32gerpp"(%arg0, %arg1, %arg1) : (vector<512xi1>, vector<16xi8>, vector<16xi8>) -> vector<512xi1>
    %1 = llvm.call_intrinsic "llvm.ppc.mma.disassemble.acc"(%0) : (vector<512xi1>) -> !llvm.struct<(vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>)>
    %2 = llvm.extractvalue %1[3] : !llvm.struct<(vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>)> 
    llvm.call_intrinsic "llvm.aarch64.sme.mopa.nxv4f32"(%arg2, %arg3, %arg3, %arg4, %arg4) : (i32, vector<[4]xi1>, vector<[4]xi1>, vector<[4]xf32>, vector<[4]xf32>) -> ()
    %3 = llvm.call_intrinsic "llvm.fabs.f32"(%arg5) : (f32) -> f32 {fastmathFlags = #llvm.fastmath<fast>}
    %4 = llvm.call_intrinsic "llvm.fabs.f32"(%arg5) : (f32) -> f32 {fastmathFlags = #llvm.fastmath<nnan, ninf, nsz>}
    %5 = llvm.call_intrinsic "llvm.other"() : () -> !llvm.struct<packed (ptr, array<2 x struct<(i1, vector<[4]xf32>)>>)>
    %6 = llvm.extractvalue %5[1, 1, 1] : !llvm.struct<packed (ptr, array<2 x struct<(i1, vector<[4]xf32>)>>)> 
    %7 = llvm.extractvalue %5[1] : !llvm.struct<packed (ptr, array<2 x struct<(i1, vector<[4]xf32>)>>)> 
    %8 = llvm.extractvalue %5[0] : !llvm.struct<packed (ptr, array<2 x struct<(i1, vector<[4]xf32>)>>)> 
    %9 = llvm.call_intrinsic "llvm.other"() : () -> !llvm.struct<"a, (b", ()>
    return
  }
  func.func @fences() {
    llvm.fence acquire
    llvm.fence syncscope("singlethread") seq_cst
    return
  }
}
