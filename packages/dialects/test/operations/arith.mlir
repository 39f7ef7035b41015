module {
  func.func @constants() {
    %c42_i32 = arith.constant 42 : i32
    %c-1 = arith.constant -1 : index
    %true = arith.constant true
    %cst = arith.constant 1.500000e+00 : f16
    %cst_0 = arith.constant dense<[1, 2]> : vector<2xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x2xf32>
    %c3_i8 = arith.constant {x.tag} 3 : i8
    return
  }
  func.func @integers(%arg0: i32, %arg1: i32, %arg2: index, %arg3: vector<4xi8>) {
    %0 = arith.addi %arg0, %arg1 : i32
    %1 = arith.addi %arg0, %arg1 overflow<nsw, nuw> : i32
    %2 = arith.subi %arg2, %arg2 : index
    %3 = arith.muli %arg3, %arg3 overflow<nuw> : vector<4xi8>
    %4 = arith.shli %arg0, %arg1 overflow<nsw> : i32
    %5 = arith.divsi %arg0, %arg1 : i32
    %6 = arith.divui %arg0, %arg1 : i32
    %7 = arith.ceildivsi %arg0, %arg1 : i32
    %8 = arith.ceildivui %arg0, %arg1 : i32
    %9 = arith.floordivsi %arg0, %arg1 : i32
    %10 = arith.remsi %arg0, %arg1 : i32
    %11 = arith.remui %arg0, %arg1 : i32
    %12 = arith.andi %arg0, %arg1 : i32
    %13 = arith.ori %arg0, %arg1 : i32
    %14 = arith.xori %arg0, %arg1 : i32
    %15 = arith.shrsi %arg0, %arg1 : i32
    %16 = arith.shrui %arg0, %arg1 : i32
    %17 = arith.maxsi %arg0, %arg1 : i32
    %18 = arith.maxui %arg0, %arg1 : i32
    %19 = arith.minsi %arg0, %arg1 : i32
    %20 = arith.minui %arg0, %arg1 {x.tag} : i32
    %sum, %overflow = arith.addui_extended %arg0, %arg1 : i32, i1
    %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
    %low_0, %high_1 = arith.mului_extended %arg3, %arg3 : vector<4xi8>
    return
  }
  func.func @floats(%arg0: f32, %arg1: tensor<4xf64>, %arg2: i1) {
    %0 = arith.addf %arg0, %arg0 : f32
    %1 = arith.subf %arg0, %arg0 fastmath<fast> : f32
    %2 = arith.mulf %arg1, %arg1 fastmath<nnan,contract> : tensor<4xf64>
    %3 = arith.divf %arg0, %arg0 fastmath<arcp> : f32
    %4 = arith.remf %arg0, %arg0 : f32
    %5 = arith.maximumf %arg0, %arg0 : f32
    %6 = arith.minimumf %arg0, %arg0 : f32
    %7 = arith.maxnumf %arg0, %arg0 fastmath<nsz> : f32
    %8 = arith.minnumf %arg0, %arg0 : f32
    %9 = arith.negf %arg0 fastmath<reassoc,afn> : f32
    %10 = arith.select %arg2, %arg0, %arg0 : f32
    return
  }
  func.func @comparisons(%arg0: i32, %arg1: index, %arg2: f32, %arg3: tensor<4xi32>, %arg4: tensor<4xi1>, %arg5: vector<4xf32>) {
    %0 = arith.cmpi eq, %arg0, %arg0 : i32
    %1 = arith.cmpi ne, %arg0, %arg0 : i32
    %2 = arith.cmpi slt, %arg0, %arg0 : i32
    %3 = arith.cmpi sle, %arg0, %arg0 : i32
    %4 = arith.cmpi sgt, %arg1, %arg1 : index
    %5 = arith.cmpi sge, %arg0, %arg0 : i32
    %6 = arith.cmpi ult, %arg0, %arg0 : i32
    %7 = arith.cmpi ule, %arg3, %arg3 : tensor<4xi32>
    %8 = arith.cmpi ugt, %arg0, %arg0 : i32
    %9 = arith.cmpi uge, %arg0, %arg0 : i32
    %10 = arith.cmpf false, %arg2, %arg2 : f32
    %11 = arith.cmpf oeq, %arg2, %arg2 : f32
    %12 = arith.cmpf ogt, %arg2, %arg2 : f32
    %13 = arith.cmpf oge, %arg2, %arg2 : f32
    %14 = arith.cmpf olt, %arg2, %arg2 : f32
    %15 = arith.cmpf ole, %arg2, %arg2 : f32
    %16 = arith.cmpf one, %arg2, %arg2 : f32
    %17 = arith.cmpf ord, %arg2, %arg2 : f32
    %18 = arith.cmpf ueq, %arg2, %arg2 : f32
    %19 = arith.cmpf ugt, %arg2, %arg2 fastmath<nnan> : f32
    %20 = arith.cmpf uge, %arg5, %arg5 : vector<4xf32>
    %21 = arith.cmpf ult, %arg2, %arg2 : f32
    %22 = arith.cmpf ule, %arg2, %arg2 : f32
    %23 = arith.cmpf une, %arg2, %arg2 : f32
    %24 = arith.cmpf uno, %arg2, %arg2 : f32
    %25 = arith.cmpf true, %arg2, %arg2 : f32
    %26 = arith.select %arg4, %arg3, %arg3 : tensor<4xi1>, tensor<4xi32>
    return
  }
  func.func @casts(%arg0: i32, %arg1: index, %arg2: f32, %arg3: f64, %arg4: memref<4xi32>) {
    %0 = arith.extsi %arg0 : i32 to i64
    %1 = arith.extui %arg0 : i32 to i64
    %2 = arith.trunci %arg0 : i32 to i8
    %3 = arith.index_cast %arg0 : i32 to index
    %4 = arith.index_castui %arg1 : index to i64
    %5 = arith.sitofp %arg0 : i32 to f32
    %6 = arith.uitofp %arg0 : i32 to f64
    %7 = arith.fptosi %arg2 : f32 to i32
    %8 = arith.fptoui %arg2 : f32 to i8
    %9 = arith.bitcast %arg2 : f32 to i32
    %10 = arith.extf %arg2 : f32 to f64
    %11 = arith.truncf %arg3 : f64 to f32
    %12 = arith.truncf %arg3 to_nearest_even : f64 to bf16
    %13 = arith.index_cast %arg4 : memref<4xi32> to memref<4xindex>
    return
  }
  func.func @functions(%arg0: f32, %arg1: i32, %arg2: tensor<4xf32>) {
    %0 = math.absf %arg0 : f32
    %1 = math.ceil %arg0 : f32
    %2 = math.floor %arg0 : f32
    %3 = math.trunc %arg0 : f32
    %4 = math.round %arg0 : f32
    %5 = math.roundeven %arg0 : f32
    %6 = math.sqrt %arg0 : f32
    %7 = math.rsqrt %arg0 fastmath<fast> : f32
    %8 = math.cbrt %arg0 : f32
    %9 = math.exp %arg2 : tensor<4xf32>
    %10 = math.exp2 %arg0 : f32
    %11 = math.expm1 %arg0 : f32
    %12 = math.log %arg0 : f32
    %13 = math.log2 %arg0 : f32
    %14 = math.log10 %arg0 : f32
    %15 = math.log1p %arg0 : f32
    %16 = math.sin %arg0 : f32
    %17 = math.cos %arg0 : f32
    %18 = math.tan %arg0 : f32
    %19 = math.asin %arg0 : f32
    %20 = math.acos %arg0 : f32
    %21 = math.atan %arg0 : f32
    %22 = math.sinh %arg0 : f32
    %23 = math.cosh %arg0 : f32
    %24 = math.tanh %arg0 : f32
    %25 = math.asinh %arg0 : f32
    %26 = math.acosh %arg0 : f32
    %27 = math.atanh %arg0 : f32
    %28 = math.erf %arg0 : f32
    %29 = math.atan2 %arg0, %arg0 : f32
    %30 = math.copysign %arg0, %arg0 : f32
    %31 = math.powf %arg0, %arg0 : f32
    %32 = math.ctlz %arg1 : i32
    %33 = math.cttz %arg1 : i32
    %34 = math.ctpop %arg1 : i32
    %35 = math.absi %arg1 : i32
    %36 = math.ipowi %arg1, %arg1 : i32
    %37 = math.fpowi %arg0, %arg1 : f32, i32
    %38 = math.fma %arg0, %arg0, %arg0 fastmath<contract> : f32
    return
  }
}
