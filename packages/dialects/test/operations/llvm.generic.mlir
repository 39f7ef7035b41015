"builtin.module"() ({
  "func.func"() <{function_type = (i64, i32, vector<4xi64>) -> (), sym_name = "pointers"}> ({
  ^bb0(%arg6: i64, %arg7: i32, %arg8: vector<4xi64>):
    %10 = "llvm.inttoptr"(%arg6) : (i64) -> !llvm.ptr
    %11 = "llvm.inttoptr"(%arg7) : (i32) -> !llvm.ptr<3>
    %12 = "llvm.inttoptr"(%arg8) : (vector<4xi64>) -> !llvm.vec<4 x ptr>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (vector<512xi1>, vector<16xi8>, i32, vector<[4]xi1>, vector<[4]xf32>, f32) -> (), sym_name = "intrinsics"}> ({
  ^bb0(%arg0: vector<512xi1>, %arg1: vector<16xi8>, %arg2: i32, %arg3: vector<[4]xi1>, %arg4: vector<[4]xf32>, %arg5: f32):
    %0 = "llvm.call_intrinsic"(%arg0, %arg1, %arg1) <{fastmathFlags = #llvm.fastmath<none>, intrin = "llvm.ppc.mma.xvf32gerpp"}> : (vector<512xi1>, vector<16xi8>, vector<16xi8>) -> vector<512xi1>
    %1 = "llvm.call_intrinsic"(%0) <{fastmathFlags = #llvm.fastmath<none>, intrin = "llvm.ppc.mma.disassemble.acc"}> : (vector<512xi1>) -> !llvm.struct<(vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>)>
    %2 = "llvm.extractvalue"(%1) <{position = array<i64: 3>}> : (!llvm.struct<(vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>)>) -> vector<16xi8>
    "llvm.call_intrinsic"(%arg2, %arg3, %arg3, %arg4, %arg4) <{fastmathFlags = #llvm.fastmath<none>, intrin = "llvm.aarch64.sme.mopa.nxv4f32"}> : (i32, vector<[4]xi1>, vector<[4]xi1>, vector<[4]xf32>, vector<[4]xf32>) -> ()
    %3 = "llvm.call_intrinsic"(%arg5) <{fastmathFlags = #llvm.fastmath<fast>, intrin = "llvm.fabs.f32"}> : (f32) -> f32
    %4 = "llvm.call_intrinsic"(%arg5) <{fastmathFlags = #llvm.fastmath<nnan, ninf, nsz>, intrin = "llvm.fabs.f32"}> : (f32) -> f32
    %5 = "llvm.call_intrinsic"() <{fastmathFlags = #llvm.fastmath<none>, intrin = "llvm.other"}> : () -> !llvm.struct<packed (ptr, array<2 x struct<(i1, vector<[4]xf32>)>>)>
    %6 = "llvm.extractvalue"(%5) <{position = array<i64: 1, 1, 1>}> : (!llvm.struct<packed (ptr, array<2 x struct<(i1, vector<[4]xf32>)>>)>) -> vector<[4]xf32>
    %7 = "llvm.extractvalue"(%5) <{position = array<i64: 1>}> : (!llvm.struct<packed (ptr, array<2 x struct<(i1, vector<[4]xf32>)>>)>) -> !llvm.array<2 x struct<(i1, vector<[4]xf32>)>>
    %8 = "llvm.extractvalue"(%5) <{position = array<i64: 0>}> : (!llvm.struct<packed (ptr, array<2 x struct<(i1, vector<[4]xf32>)>>)>) -> !llvm.ptr
    %9 = "llvm.call_intrinsic"() <{fastmathFlags = #llvm.fastmath<none>, intrin = "llvm.other"}> : () -> !llvm.struct<"a, (b", ()>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "fences"}> ({
    "llvm.fence"() <{ordering = 4 : i64}> : () -> ()
    "llvm.fence"() <{ordering = 7 : i64, syncscope = "singlethread"}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
