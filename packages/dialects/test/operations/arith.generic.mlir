"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "constants"}> ({
    %115 = "arith.constant"() <{value = 42 : i32}> : () -> i32
    %116 = "arith.constant"() <{value = -1 : index}> : () -> index
    %117 = "arith.constant"() <{value = true}> : () -> i1
    %118 = "arith.constant"() <{value = 1.500000e+00 : f16}> : () -> f16
    %119 = "arith.constant"() <{value = dense<[1, 2]> : vector<2xi32>}> : () -> vector<2xi32>
    %120 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %121 = "arith.constant"() <{value = 3 : i8}> {x.tag} : () -> i8
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32, i32, index, vector<4xi8>) -> (), sym_name = "integers"}> ({
  ^bb0(%arg17: i32, %arg18: i32, %arg19: index, %arg20: vector<4xi8>):
    %91 = "arith.addi"(%arg17, %arg18) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %92 = "arith.addi"(%arg17, %arg18) <{overflowFlags = #arith.overflow<nsw, nuw>}> : (i32, i32) -> i32
    %93 = "arith.subi"(%arg19, %arg19) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %94 = "arith.muli"(%arg20, %arg20) <{overflowFlags = #arith.overflow<nuw>}> : (vector<4xi8>, vector<4xi8>) -> vector<4xi8>
    %95 = "arith.shli"(%arg17, %arg18) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
    %96 = "arith.divsi"(%arg17, %arg18) : (i32, i32) -> i32
    %97 = "arith.divui"(%arg17, %arg18) : (i32, i32) -> i32
    %98 = "arith.ceildivsi"(%arg17, %arg18) : (i32, i32) -> i32
    %99 = "arith.ceildivui"(%arg17, %arg18) : (i32, i32) -> i32
    %100 = "arith.floordivsi"(%arg17, %arg18) : (i32, i32) -> i32
    %101 = "arith.remsi"(%arg17, %arg18) : (i32, i32) -> i32
    %102 = "arith.remui"(%arg17, %arg18) : (i32, i32) -> i32
    %103 = "arith.andi"(%arg17, %arg18) : (i32, i32) -> i32
    %104 = "arith.ori"(%arg17, %arg18) : (i32, i32) -> i32
    %105 = "arith.xori"(%arg17, %arg18) : (i32, i32) -> i32
    %106 = "arith.shrsi"(%arg17, %arg18) : (i32, i32) -> i32
    %107 = "arith.shrui"(%arg17, %arg18) : (i32, i32) -> i32
    %108 = "arith.maxsi"(%arg17, %arg18) : (i32, i32) -> i32
    %109 = "arith.maxui"(%arg17, %arg18) : (i32, i32) -> i32
    %110 = "arith.minsi"(%arg17, %arg18) : (i32, i32) -> i32
    %111 = "arith.minui"(%arg17, %arg18) {x.tag} : (i32, i32) -> i32
    %112:2 = "arith.addui_extended"(%arg17, %arg18) : (i32, i32) -> (i32, i1)
    %113:2 = "arith.mulsi_extended"(%arg17, %arg18) : (i32, i32) -> (i32, i32)
    %114:2 = "arith.mului_extended"(%arg20, %arg20) : (vector<4xi8>, vector<4xi8>) -> (vector<4xi8>, vector<4xi8>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, tensor<4xf64>, i1) -> (), sym_name = "floats"}> ({
  ^bb0(%arg14: f32, %arg15: tensor<4xf64>, %arg16: i1):
    %80 = "arith.addf"(%arg14, %arg14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %81 = "arith.subf"(%arg14, %arg14) <{fastmath = #arith.fastmath<fast>}> : (f32, f32) -> f32
    %82 = "arith.mulf"(%arg15, %arg15) <{fastmath = #arith.fastmath<nnan,contract>}> : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %83 = "arith.divf"(%arg14, %arg14) <{fastmath = #arith.fastmath<arcp>}> : (f32, f32) -> f32
    %84 = "arith.remf"(%arg14, %arg14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %85 = "arith.maximumf"(%arg14, %arg14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %86 = "arith.minimumf"(%arg14, %arg14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %87 = "arith.maxnumf"(%arg14, %arg14) <{fastmath = #arith.fastmath<nsz>}> : (f32, f32) -> f32
    %88 = "arith.minnumf"(%arg14, %arg14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %89 = "arith.negf"(%arg14) <{fastmath = #arith.fastmath<reassoc,afn>}> : (f32) -> f32
    %90 = "arith.select"(%arg16, %arg14, %arg14) : (i1, f32, f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32, index, f32, tensor<4xi32>, tensor<4xi1>, vector<4xf32>) -> (), sym_name = "comparisons"}> ({
  ^bb0(%arg8: i32, %arg9: index, %arg10: f32, %arg11: tensor<4xi32>, %arg12: tensor<4xi1>, %arg13: vector<4xf32>):
    %53 = "arith.cmpi"(%arg8, %arg8) <{predicate = 0 : i64}> : (i32, i32) -> i1
    %54 = "arith.cmpi"(%arg8, %arg8) <{predicate = 1 : i64}> : (i32, i32) -> i1
    %55 = "arith.cmpi"(%arg8, %arg8) <{predicate = 2 : i64}> : (i32, i32) -> i1
    %56 = "arith.cmpi"(%arg8, %arg8) <{predicate = 3 : i64}> : (i32, i32) -> i1
    %57 = "arith.cmpi"(%arg9, %arg9) <{predicate = 4 : i64}> : (index, index) -> i1
    %58 = "arith.cmpi"(%arg8, %arg8) <{predicate = 5 : i64}> : (i32, i32) -> i1
    %59 = "arith.cmpi"(%arg8, %arg8) <{predicate = 6 : i64}> : (i32, i32) -> i1
    %60 = "arith.cmpi"(%arg11, %arg11) <{predicate = 7 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %61 = "arith.cmpi"(%arg8, %arg8) <{predicate = 8 : i64}> : (i32, i32) -> i1
    %62 = "arith.cmpi"(%arg8, %arg8) <{predicate = 9 : i64}> : (i32, i32) -> i1
    %63 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 0 : i64}> : (f32, f32) -> i1
    %64 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 1 : i64}> : (f32, f32) -> i1
    %65 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
    %66 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 3 : i64}> : (f32, f32) -> i1
    %67 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1
    %68 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 5 : i64}> : (f32, f32) -> i1
    %69 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 6 : i64}> : (f32, f32) -> i1
    %70 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 7 : i64}> : (f32, f32) -> i1
    %71 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 8 : i64}> : (f32, f32) -> i1
    %72 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<nnan>, predicate = 9 : i64}> : (f32, f32) -> i1
    %73 = "arith.cmpf"(%arg13, %arg13) <{fastmath = #arith.fastmath<none>, predicate = 10 : i64}> : (vector<4xf32>, vector<4xf32>) -> vector<4xi1>
    %74 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 11 : i64}> : (f32, f32) -> i1
    %75 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 12 : i64}> : (f32, f32) -> i1
    %76 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 13 : i64}> : (f32, f32) -> i1
    %77 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 14 : i64}> : (f32, f32) -> i1
    %78 = "arith.cmpf"(%arg10, %arg10) <{fastmath = #arith.fastmath<none>, predicate = 15 : i64}> : (f32, f32) -> i1
    %79 = "arith.select"(%arg12, %arg11, %arg11) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32, index, f32, f64, memref<4xi32>) -> (), sym_name = "casts"}> ({
  ^bb0(%arg3: i32, %arg4: index, %arg5: f32, %arg6: f64, %arg7: memref<4xi32>):
    %39 = "arith.extsi"(%arg3) : (i32) -> i64
    %40 = "arith.extui"(%arg3) : (i32) -> i64
    %41 = "arith.trunci"(%arg3) : (i32) -> i8
    %42 = "arith.index_cast"(%arg3) : (i32) -> index
    %43 = "arith.index_castui"(%arg4) : (index) -> i64
    %44 = "arith.sitofp"(%arg3) : (i32) -> f32
    %45 = "arith.uitofp"(%arg3) : (i32) -> f64
    %46 = "arith.fptosi"(%arg5) : (f32) -> i32
    %47 = "arith.fptoui"(%arg5) : (f32) -> i8
    %48 = "arith.bitcast"(%arg5) : (f32) -> i32
    %49 = "arith.extf"(%arg5) : (f32) -> f64
    %50 = "arith.truncf"(%arg6) : (f64) -> f32
    %51 = "arith.truncf"(%arg6) <{roundingmode = 0 : i32}> : (f64) -> bf16
    %52 = "arith.index_cast"(%arg7) : (memref<4xi32>) -> memref<4xindex>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, i32, tensor<4xf32>) -> (), sym_name = "functions"}> ({
  ^bb0(%arg0: f32, %arg1: i32, %arg2: tensor<4xf32>):
    %0 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %1 = "math.ceil"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %2 = "math.floor"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %3 = "math.trunc"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %4 = "math.round"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %5 = "math.roundeven"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %6 = "math.sqrt"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %7 = "math.rsqrt"(%arg0) <{fastmath = #arith.fastmath<fast>}> : (f32) -> f32
    %8 = "math.cbrt"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %9 = "math.exp"(%arg2) <{fastmath = #arith.fastmath<none>}> : (tensor<4xf32>) -> tensor<4xf32>
    %10 = "math.exp2"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %11 = "math.expm1"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %12 = "math.log"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %13 = "math.log2"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %14 = "math.log10"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %15 = "math.log1p"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %16 = "math.sin"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %17 = "math.cos"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %18 = "math.tan"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %19 = "math.asin"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %20 = "math.acos"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %21 = "math.atan"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %22 = "math.sinh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %23 = "math.cosh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %24 = "math.tanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %25 = "math.asinh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %26 = "math.acosh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %27 = "math.atanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %28 = "math.erf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    %29 = "math.atan2"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %30 = "math.copysign"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %31 = "math.powf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %32 = "math.ctlz"(%arg1) : (i32) -> i32
    %33 = "math.cttz"(%arg1) : (i32) -> i32
    %34 = "math.ctpop"(%arg1) : (i32) -> i32
    %35 = "math.absi"(%arg1) : (i32) -> i32
    %36 = "math.ipowi"(%arg1, %arg1) : (i32, i32) -> i32
    %37 = "math.fpowi"(%arg0, %arg1) <{fastmath = #arith.fastmath<none>}> : (f32, i32) -> f32
    %38 = "math.fma"(%arg0, %arg0, %arg0) <{fastmath = #arith.fastmath<contract>}> : (f32, f32, f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
