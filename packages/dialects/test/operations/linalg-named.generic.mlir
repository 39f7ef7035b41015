#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> ()>
#map6 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#map7 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>
#map8 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d3, d4, d6)>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d5, d6)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d4, d5)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> ()>
#map18 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#map19 = affine_map<(d0, d1) -> (d0, d1)>
#map20 = affine_map<(d0, d1) -> (d1)>
#map21 = affine_map<(d0, d1) -> (d0)>
#map22 = affine_map<(d0, d1) -> (d1, d0)>
#map23 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map24 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map25 = affine_map<(d0) -> (d0)>
#map26 = affine_map<(d0) -> ()>
#map27 = affine_map<(d0, d1) -> (d0 + d1)>
#map28 = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>
#map29 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map30 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map31 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 + d3, d1 + d4, d2 + d5)>
#map32 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>
#map33 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>
#map34 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d4)>
#map35 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
#map36 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#map37 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2 + d4)>
#map38 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
#map39 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
#map40 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
#map41 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
#map42 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
#map43 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> ()>
#map44 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
#map45 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#map46 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d5, d3 + d6, d4 + d7)>
#map47 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d2, d1, d5, d6, d7)>
#map48 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4)>
#map49 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1, d2, d5, d6, d7)>
#map50 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> ()>
#map51 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1 + d5, d2 + d6, d3 + d7, d8)>
#map52 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d5, d6, d7, d8, d4)>
#map53 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d2, d3, d4)>
#map54 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> ()>
#map55 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d8, d1 + d5, d2 + d6, d3 + d7)>
#map56 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d4, d8, d5, d6, d7)>
#map57 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d4, d1, d2, d3)>
#map58 = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
#map59 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map60 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1 + d3)>
#map61 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1)>
#map62 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4, d2)>
#map63 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d2, d3)>
#map64 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map65 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
#map66 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
#map67 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map68 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1 + d4, d2 + d5)>
#map69 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d2)>
#map70 = affine_map<(d0, d1, d2, d3, d4, d5) -> ()>
#map71 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d3)>
#map72 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d3, d4)>
#map73 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3, d4)>
#map74 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 + d4, d2 + d5, d3 + d6, d7)>
#map75 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d4, d5, d6, d7)>
#map76 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d7)>
#map77 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d7, d1 + d4, d2 + d5, d3 + d6)>
#map78 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d7, d4, d5, d6)>
#map79 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d7, d1, d2, d3)>
#map80 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d2, d3, d8, d4)>
#map81 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map82 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>
#map83 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map84 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 + d3)>
#map85 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 + d5, d2 + d6, d3 + d7, d4)>
#map86 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d5, d6, d7)>
#map87 = affine_map<(d0, d1) -> ()>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "matmul"}> ({
  ^bb0(%arg520: tensor<2x4xf32>, %arg521: tensor<4x3xf32>, %arg522: tensor<2x3xf32>):
    %272 = "linalg.matmul"(%arg520, %arg521, %arg522) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg523: f32, %arg524: f32, %arg525: f32):
      %273 = "arith.mulf"(%arg523, %arg524) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %274 = "arith.addf"(%arg525, %273) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%274) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map, #map1, #map2]} : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%272) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x2xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "matmul_transpose_a"}> ({
  ^bb0(%arg514: tensor<4x2xf32>, %arg515: tensor<4x3xf32>, %arg516: tensor<2x3xf32>):
    %269 = "linalg.matmul_transpose_a"(%arg514, %arg515, %arg516) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg517: f32, %arg518: f32, %arg519: f32):
      %270 = "arith.mulf"(%arg517, %arg518) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %271 = "arith.addf"(%arg519, %270) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%271) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map3, #map1, #map2]} : (tensor<4x2xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%269) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "matmul_transpose_b"}> ({
  ^bb0(%arg508: tensor<2x4xf32>, %arg509: tensor<3x4xf32>, %arg510: tensor<2x3xf32>):
    %266 = "linalg.matmul_transpose_b"(%arg508, %arg509, %arg510) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg511: f32, %arg512: f32, %arg513: f32):
      %267 = "arith.mulf"(%arg511, %arg512) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %268 = "arith.addf"(%arg513, %267) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%268) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map, #map4, #map2]} : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%266) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4xi8>, tensor<4x3xi8>, i32, i32, tensor<2x3xi32>) -> tensor<2x3xi32>, sym_name = "quantized_matmul"}> ({
  ^bb0(%arg498: tensor<2x4xi8>, %arg499: tensor<4x3xi8>, %arg500: i32, %arg501: i32, %arg502: tensor<2x3xi32>):
    %259 = "linalg.quantized_matmul"(%arg498, %arg499, %arg500, %arg501, %arg502) <{operandSegmentSizes = array<i32: 4, 1>}> ({
    ^bb0(%arg503: i8, %arg504: i8, %arg505: i32, %arg506: i32, %arg507: i32):
      %260 = "arith.extsi"(%arg503) : (i8) -> i32
      %261 = "arith.subi"(%260, %arg505) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %262 = "arith.extsi"(%arg504) : (i8) -> i32
      %263 = "arith.subi"(%262, %arg506) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %264 = "arith.muli"(%261, %263) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %265 = "arith.addi"(%arg507, %264) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%265) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map, #map1, #map5, #map5, #map2]} : (tensor<2x4xi8>, tensor<4x3xi8>, i32, i32, tensor<2x3xi32>) -> tensor<2x3xi32>
    "func.return"(%259) : (tensor<2x3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x2x4xf32>, tensor<3x4x3x4xf32>, tensor<2x3x2x3xf32>) -> tensor<2x3x2x3xf32>, sym_name = "mmt4d"}> ({
  ^bb0(%arg492: tensor<2x4x2x4xf32>, %arg493: tensor<3x4x3x4xf32>, %arg494: tensor<2x3x2x3xf32>):
    %256 = "linalg.mmt4d"(%arg492, %arg493, %arg494) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg495: f32, %arg496: f32, %arg497: f32):
      %257 = "arith.mulf"(%arg495, %arg496) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %258 = "arith.addf"(%arg497, %257) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%258) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map6, #map7, #map8]} : (tensor<2x4x2x4xf32>, tensor<3x4x3x4xf32>, tensor<2x3x2x3xf32>) -> tensor<2x3x2x3xf32>
    "func.return"(%256) : (tensor<2x3x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x2x3x2xf32>, tensor<2x4x2x4x2xf32>, tensor<2x3x4x3x4xf32>) -> tensor<2x3x4x3x4xf32>, sym_name = "batch_mmt4d"}> ({
  ^bb0(%arg486: tensor<2x3x2x3x2xf32>, %arg487: tensor<2x4x2x4x2xf32>, %arg488: tensor<2x3x4x3x4xf32>):
    %253 = "linalg.batch_mmt4d"(%arg486, %arg487, %arg488) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg489: f32, %arg490: f32, %arg491: f32):
      %254 = "arith.mulf"(%arg489, %arg490) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %255 = "arith.addf"(%arg491, %254) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%255) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map9, #map10, #map11]} : (tensor<2x3x2x3x2xf32>, tensor<2x4x2x4x2xf32>, tensor<2x3x4x3x4xf32>) -> tensor<2x3x4x3x4xf32>
    "func.return"(%253) : (tensor<2x3x4x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x2xf32>, tensor<2x2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "batch_matmul"}> ({
  ^bb0(%arg480: tensor<2x3x2xf32>, %arg481: tensor<2x2x4xf32>, %arg482: tensor<2x3x4xf32>):
    %250 = "linalg.batch_matmul"(%arg480, %arg481, %arg482) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg483: f32, %arg484: f32, %arg485: f32):
      %251 = "arith.mulf"(%arg483, %arg484) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %252 = "arith.addf"(%arg485, %251) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%252) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map12, #map13, #map14]} : (tensor<2x3x2xf32>, tensor<2x2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%250) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x2x3xf32>, tensor<2x2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "batch_matmul_transpose_a"}> ({
  ^bb0(%arg474: tensor<2x2x3xf32>, %arg475: tensor<2x2x4xf32>, %arg476: tensor<2x3x4xf32>):
    %247 = "linalg.batch_matmul_transpose_a"(%arg474, %arg475, %arg476) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg477: f32, %arg478: f32, %arg479: f32):
      %248 = "arith.mulf"(%arg477, %arg478) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %249 = "arith.addf"(%arg479, %248) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%249) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map15, #map13, #map14]} : (tensor<2x2x3xf32>, tensor<2x2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%247) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x2xf32>, tensor<2x4x2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "batch_matmul_transpose_b"}> ({
  ^bb0(%arg468: tensor<2x3x2xf32>, %arg469: tensor<2x4x2xf32>, %arg470: tensor<2x3x4xf32>):
    %244 = "linalg.batch_matmul_transpose_b"(%arg468, %arg469, %arg470) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg471: f32, %arg472: f32, %arg473: f32):
      %245 = "arith.mulf"(%arg471, %arg472) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %246 = "arith.addf"(%arg473, %245) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%246) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map12, #map16, #map14]} : (tensor<2x3x2xf32>, tensor<2x4x2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%244) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x2xi8>, tensor<2x2x4xi8>, i32, i32, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>, sym_name = "quantized_batch_matmul"}> ({
  ^bb0(%arg458: tensor<2x3x2xi8>, %arg459: tensor<2x2x4xi8>, %arg460: i32, %arg461: i32, %arg462: tensor<2x3x4xi32>):
    %237 = "linalg.quantized_batch_matmul"(%arg458, %arg459, %arg460, %arg461, %arg462) <{operandSegmentSizes = array<i32: 4, 1>}> ({
    ^bb0(%arg463: i8, %arg464: i8, %arg465: i32, %arg466: i32, %arg467: i32):
      %238 = "arith.extsi"(%arg463) : (i8) -> i32
      %239 = "arith.subi"(%238, %arg465) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %240 = "arith.extsi"(%arg464) : (i8) -> i32
      %241 = "arith.subi"(%240, %arg466) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %242 = "arith.muli"(%239, %241) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %243 = "arith.addi"(%arg467, %242) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%243) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map12, #map13, #map17, #map17, #map14]} : (tensor<2x3x2xi8>, tensor<2x2x4xi8>, i32, i32, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
    "func.return"(%237) : (tensor<2x3x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x2xf32>, tensor<2x2x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>, sym_name = "batch_reduce_matmul"}> ({
  ^bb0(%arg452: tensor<2x3x2xf32>, %arg453: tensor<2x2x4xf32>, %arg454: tensor<3x4xf32>):
    %234 = "linalg.batch_reduce_matmul"(%arg452, %arg453, %arg454) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg455: f32, %arg456: f32, %arg457: f32):
      %235 = "arith.mulf"(%arg455, %arg456) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %236 = "arith.addf"(%arg457, %235) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%236) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map12, #map13, #map18]} : (tensor<2x3x2xf32>, tensor<2x2x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%234) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<2xf32>, sym_name = "matvec"}> ({
  ^bb0(%arg446: tensor<2x3xf32>, %arg447: tensor<3xf32>, %arg448: tensor<2xf32>):
    %231 = "linalg.matvec"(%arg446, %arg447, %arg448) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg449: f32, %arg450: f32, %arg451: f32):
      %232 = "arith.mulf"(%arg449, %arg450) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %233 = "arith.addf"(%arg451, %232) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%233) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map19, #map20, #map21]} : (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%231) : (tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xf32>, tensor<3x2xf32>, tensor<2xf32>) -> tensor<2xf32>, sym_name = "vecmat"}> ({
  ^bb0(%arg440: tensor<3xf32>, %arg441: tensor<3x2xf32>, %arg442: tensor<2xf32>):
    %228 = "linalg.vecmat"(%arg440, %arg441, %arg442) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg443: f32, %arg444: f32, %arg445: f32):
      %229 = "arith.mulf"(%arg443, %arg444) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %230 = "arith.addf"(%arg445, %229) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%230) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map20, #map22, #map21]} : (tensor<3xf32>, tensor<3x2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%228) : (tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "batch_matvec"}> ({
  ^bb0(%arg434: tensor<2x3x4xf32>, %arg435: tensor<2x4xf32>, %arg436: tensor<2x3xf32>):
    %225 = "linalg.batch_matvec"(%arg434, %arg435, %arg436) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg437: f32, %arg438: f32, %arg439: f32):
      %226 = "arith.mulf"(%arg437, %arg438) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %227 = "arith.addf"(%arg439, %226) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%227) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map23, #map, #map2]} : (tensor<2x3x4xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%225) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<2x4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "batch_vecmat"}> ({
  ^bb0(%arg428: tensor<2x4xf32>, %arg429: tensor<2x4x3xf32>, %arg430: tensor<2x3xf32>):
    %222 = "linalg.batch_vecmat"(%arg428, %arg429, %arg430) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg431: f32, %arg432: f32, %arg433: f32):
      %223 = "arith.mulf"(%arg431, %arg432) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %224 = "arith.addf"(%arg433, %223) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%224) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map, #map24, #map2]} : (tensor<2x4xf32>, tensor<2x4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%222) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> tensor<f32>, sym_name = "dot"}> ({
  ^bb0(%arg422: tensor<2xf32>, %arg423: tensor<2xf32>, %arg424: tensor<f32>):
    %219 = "linalg.dot"(%arg422, %arg423, %arg424) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg425: f32, %arg426: f32, %arg427: f32):
      %220 = "arith.mulf"(%arg425, %arg426) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %221 = "arith.addf"(%arg427, %220) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%221) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map25, #map25, #map26]} : (tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%219) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<2xf32>, sym_name = "conv_1d"}> ({
  ^bb0(%arg416: tensor<4xf32>, %arg417: tensor<3xf32>, %arg418: tensor<2xf32>):
    %216 = "linalg.conv_1d"(%arg416, %arg417, %arg418) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg419: f32, %arg420: f32, %arg421: f32):
      %217 = "arith.mulf"(%arg419, %arg420) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %218 = "arith.addf"(%arg421, %217) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%218) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map27, #map20, #map21]} : (tensor<4xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%216) : (tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x4xf32>, tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "conv_2d"}> ({
  ^bb0(%arg410: tensor<5x4xf32>, %arg411: tensor<4x2xf32>, %arg412: tensor<2x3xf32>):
    %213 = "linalg.conv_2d"(%arg410, %arg411, %arg412) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg413: f32, %arg414: f32, %arg415: f32):
      %214 = "arith.mulf"(%arg413, %arg414) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %215 = "arith.addf"(%arg415, %214) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%215) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map28, #map29, #map30]} : (tensor<5x4xf32>, tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%213) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5x7xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "conv_3d"}> ({
  ^bb0(%arg404: tensor<3x5x7xf32>, %arg405: tensor<2x3x4xf32>, %arg406: tensor<2x3x4xf32>):
    %210 = "linalg.conv_3d"(%arg404, %arg405, %arg406) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg407: f32, %arg408: f32, %arg409: f32):
      %211 = "arith.mulf"(%arg407, %arg408) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %212 = "arith.addf"(%arg409, %211) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%212) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map31, #map32, #map33]} : (tensor<3x5x7xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%210) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x3xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "conv_1d_nwc_wcf"}> ({
  ^bb0(%arg398: tensor<2x4x3xf32>, %arg399: tensor<2x3x4xf32>, %arg400: tensor<2x3x4xf32>):
    %207 = "linalg.conv_1d_nwc_wcf"(%arg398, %arg399, %arg400) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg401: f32, %arg402: f32, %arg403: f32):
      %208 = "arith.mulf"(%arg401, %arg402) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %209 = "arith.addf"(%arg403, %208) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%209) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map34, #map35, #map36]} : (tensor<2x4x3xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%207) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x2x6xf32>, tensor<3x2x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "conv_1d_ncw_fcw"}> ({
  ^bb0(%arg392: tensor<2x2x6xf32>, %arg393: tensor<3x2x3xf32>, %arg394: tensor<2x3x4xf32>):
    %204 = "linalg.conv_1d_ncw_fcw"(%arg392, %arg393, %arg394) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg395: f32, %arg396: f32, %arg397: f32):
      %205 = "arith.mulf"(%arg395, %arg396) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %206 = "arith.addf"(%arg397, %205) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%206) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map37, #map38, #map36]} : (tensor<2x2x6xf32>, tensor<3x2x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%204) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xf32>, tensor<3x4x2x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "conv_2d_nhwc_hwcf"}> ({
  ^bb0(%arg386: tensor<2x5x7x2xf32>, %arg387: tensor<3x4x2x2xf32>, %arg388: tensor<2x3x4x2xf32>):
    %201 = "linalg.conv_2d_nhwc_hwcf"(%arg386, %arg387, %arg388) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg389: f32, %arg390: f32, %arg391: f32):
      %202 = "arith.mulf"(%arg389, %arg390) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %203 = "arith.addf"(%arg391, %202) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%203) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map39, #map40, #map41]} : (tensor<2x5x7x2xf32>, tensor<3x4x2x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%201) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xf32>, tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "conv_2d_nhwc_fhwc"}> ({
  ^bb0(%arg380: tensor<2x5x7x2xf32>, %arg381: tensor<2x3x4x2xf32>, %arg382: tensor<2x3x4x2xf32>):
    %198 = "linalg.conv_2d_nhwc_fhwc"(%arg380, %arg381, %arg382) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg383: f32, %arg384: f32, %arg385: f32):
      %199 = "arith.mulf"(%arg383, %arg384) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %200 = "arith.addf"(%arg385, %199) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%200) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map39, #map42, #map41]} : (tensor<2x5x7x2xf32>, tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%198) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xi8>, tensor<3x4x2x2xi8>, i32, i32, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>, sym_name = "conv_2d_nhwc_hwcf_q"}> ({
  ^bb0(%arg370: tensor<2x5x7x2xi8>, %arg371: tensor<3x4x2x2xi8>, %arg372: i32, %arg373: i32, %arg374: tensor<2x3x4x2xi32>):
    %191 = "linalg.conv_2d_nhwc_hwcf_q"(%arg370, %arg371, %arg372, %arg373, %arg374) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 4, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg375: i8, %arg376: i8, %arg377: i32, %arg378: i32, %arg379: i32):
      %192 = "arith.extsi"(%arg375) : (i8) -> i32
      %193 = "arith.subi"(%192, %arg377) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %194 = "arith.extsi"(%arg376) : (i8) -> i32
      %195 = "arith.subi"(%194, %arg378) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %196 = "arith.muli"(%193, %195) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %197 = "arith.addi"(%arg379, %196) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%197) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map39, #map40, #map43, #map43, #map41]} : (tensor<2x5x7x2xi8>, tensor<3x4x2x2xi8>, i32, i32, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    "func.return"(%191) : (tensor<2x3x4x2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xi8>, tensor<2x3x4x2xi8>, i32, i32, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>, sym_name = "conv_2d_nhwc_fhwc_q"}> ({
  ^bb0(%arg360: tensor<2x5x7x2xi8>, %arg361: tensor<2x3x4x2xi8>, %arg362: i32, %arg363: i32, %arg364: tensor<2x3x4x2xi32>):
    %184 = "linalg.conv_2d_nhwc_fhwc_q"(%arg360, %arg361, %arg362, %arg363, %arg364) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 4, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg365: i8, %arg366: i8, %arg367: i32, %arg368: i32, %arg369: i32):
      %185 = "arith.extsi"(%arg365) : (i8) -> i32
      %186 = "arith.subi"(%185, %arg367) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %187 = "arith.extsi"(%arg366) : (i8) -> i32
      %188 = "arith.subi"(%187, %arg368) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %189 = "arith.muli"(%186, %188) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %190 = "arith.addi"(%arg369, %189) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%190) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map39, #map42, #map43, #map43, #map41]} : (tensor<2x5x7x2xi8>, tensor<2x3x4x2xi8>, i32, i32, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    "func.return"(%184) : (tensor<2x3x4x2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x7x3xf32>, tensor<3x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "conv_2d_nchw_fchw"}> ({
  ^bb0(%arg354: tensor<2x3x7x3xf32>, %arg355: tensor<3x3x4x2xf32>, %arg356: tensor<2x3x4x2xf32>):
    %181 = "linalg.conv_2d_nchw_fchw"(%arg354, %arg355, %arg356) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg357: f32, %arg358: f32, %arg359: f32):
      %182 = "arith.mulf"(%arg357, %arg358) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %183 = "arith.addf"(%arg359, %182) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%183) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map44, #map45, #map41]} : (tensor<2x3x7x3xf32>, tensor<3x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%181) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x4x3x5xf32>, tensor<4x3x4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>, sym_name = "conv_2d_ngchw_fgchw"}> ({
  ^bb0(%arg348: tensor<2x3x4x3x5xf32>, %arg349: tensor<4x3x4x2x3xf32>, %arg350: tensor<2x3x4x2x3xf32>):
    %178 = "linalg.conv_2d_ngchw_fgchw"(%arg348, %arg349, %arg350) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg351: f32, %arg352: f32, %arg353: f32):
      %179 = "arith.mulf"(%arg351, %arg352) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %180 = "arith.addf"(%arg353, %179) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%180) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map46, #map47, #map48]} : (tensor<2x3x4x3x5xf32>, tensor<4x3x4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    "func.return"(%178) : (tensor<2x3x4x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x4x3x5xf32>, tensor<3x4x4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>, sym_name = "conv_2d_ngchw_gfchw"}> ({
  ^bb0(%arg342: tensor<2x3x4x3x5xf32>, %arg343: tensor<3x4x4x2x3xf32>, %arg344: tensor<2x3x4x2x3xf32>):
    %175 = "linalg.conv_2d_ngchw_gfchw"(%arg342, %arg343, %arg344) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg345: f32, %arg346: f32, %arg347: f32):
      %176 = "arith.mulf"(%arg345, %arg346) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %177 = "arith.addf"(%arg347, %176) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%177) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map46, #map49, #map48]} : (tensor<2x3x4x3x5xf32>, tensor<3x4x4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    "func.return"(%175) : (tensor<2x3x4x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x4x3x5xi8>, tensor<3x4x4x2x3xi8>, i32, i32, tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>, sym_name = "conv_2d_ngchw_gfchw_q"}> ({
  ^bb0(%arg332: tensor<2x3x4x3x5xi8>, %arg333: tensor<3x4x4x2x3xi8>, %arg334: i32, %arg335: i32, %arg336: tensor<2x3x4x2x3xi32>):
    %168 = "linalg.conv_2d_ngchw_gfchw_q"(%arg332, %arg333, %arg334, %arg335, %arg336) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 4, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg337: i8, %arg338: i8, %arg339: i32, %arg340: i32, %arg341: i32):
      %169 = "arith.extsi"(%arg337) : (i8) -> i32
      %170 = "arith.subi"(%169, %arg339) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %171 = "arith.extsi"(%arg338) : (i8) -> i32
      %172 = "arith.subi"(%171, %arg340) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %173 = "arith.muli"(%170, %172) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %174 = "arith.addi"(%arg341, %173) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%174) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map46, #map49, #map50, #map50, #map48]} : (tensor<2x3x4x3x5xi8>, tensor<3x4x4x2x3xi8>, i32, i32, tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>
    "func.return"(%168) : (tensor<2x3x4x2x3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x6x5x4x4xf32>, tensor<4x2x3x4x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>, sym_name = "conv_3d_ndhwc_dhwcf"}> ({
  ^bb0(%arg326: tensor<2x6x5x4x4xf32>, %arg327: tensor<4x2x3x4x3xf32>, %arg328: tensor<2x3x4x2x3xf32>):
    %165 = "linalg.conv_3d_ndhwc_dhwcf"(%arg326, %arg327, %arg328) <{dilations = dense<1> : tensor<3xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<3xi64>}> ({
    ^bb0(%arg329: f32, %arg330: f32, %arg331: f32):
      %166 = "arith.mulf"(%arg329, %arg330) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %167 = "arith.addf"(%arg331, %166) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%167) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map51, #map52, #map53]} : (tensor<2x6x5x4x4xf32>, tensor<4x2x3x4x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    "func.return"(%165) : (tensor<2x3x4x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x6x5x4x4xi8>, tensor<4x2x3x4x3xi8>, i32, i32, tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>, sym_name = "conv_3d_ndhwc_dhwcf_q"}> ({
  ^bb0(%arg316: tensor<2x6x5x4x4xi8>, %arg317: tensor<4x2x3x4x3xi8>, %arg318: i32, %arg319: i32, %arg320: tensor<2x3x4x2x3xi32>):
    %158 = "linalg.conv_3d_ndhwc_dhwcf_q"(%arg316, %arg317, %arg318, %arg319, %arg320) <{dilations = dense<1> : tensor<3xi64>, operandSegmentSizes = array<i32: 4, 1>, strides = dense<1> : tensor<3xi64>}> ({
    ^bb0(%arg321: i8, %arg322: i8, %arg323: i32, %arg324: i32, %arg325: i32):
      %159 = "arith.extsi"(%arg321) : (i8) -> i32
      %160 = "arith.subi"(%159, %arg323) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %161 = "arith.extsi"(%arg322) : (i8) -> i32
      %162 = "arith.subi"(%161, %arg324) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %163 = "arith.muli"(%160, %162) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %164 = "arith.addi"(%arg325, %163) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%164) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map51, #map52, #map54, #map54, #map53]} : (tensor<2x6x5x4x4xi8>, tensor<4x2x3x4x3xi8>, i32, i32, tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>
    "func.return"(%158) : (tensor<2x3x4x2x3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x6x5x4xf32>, tensor<3x4x4x2x3xf32>, tensor<2x3x3x4x2xf32>) -> tensor<2x3x3x4x2xf32>, sym_name = "conv_3d_ncdhw_fcdhw"}> ({
  ^bb0(%arg310: tensor<2x4x6x5x4xf32>, %arg311: tensor<3x4x4x2x3xf32>, %arg312: tensor<2x3x3x4x2xf32>):
    %155 = "linalg.conv_3d_ncdhw_fcdhw"(%arg310, %arg311, %arg312) <{dilations = dense<1> : tensor<3xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<3xi64>}> ({
    ^bb0(%arg313: f32, %arg314: f32, %arg315: f32):
      %156 = "arith.mulf"(%arg313, %arg314) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %157 = "arith.addf"(%arg315, %156) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%157) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map55, #map56, #map57]} : (tensor<2x4x6x5x4xf32>, tensor<3x4x4x2x3xf32>, tensor<2x3x3x4x2xf32>) -> tensor<2x3x3x4x2xf32>
    "func.return"(%155) : (tensor<2x3x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "depthwise_conv_1d_nwc_wc"}> ({
  ^bb0(%arg304: tensor<2x4x4xf32>, %arg305: tensor<2x4xf32>, %arg306: tensor<2x3x4xf32>):
    %152 = "linalg.depthwise_conv_1d_nwc_wc"(%arg304, %arg305, %arg306) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg307: f32, %arg308: f32, %arg309: f32):
      %153 = "arith.mulf"(%arg307, %arg308) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %154 = "arith.addf"(%arg309, %153) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%154) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map58, #map59, #map14]} : (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%152) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf32>, tensor<4x2xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>, sym_name = "depthwise_conv_1d_ncw_cw"}> ({
  ^bb0(%arg298: tensor<2x4x4xf32>, %arg299: tensor<4x2xf32>, %arg300: tensor<2x4x3xf32>):
    %149 = "linalg.depthwise_conv_1d_ncw_cw"(%arg298, %arg299, %arg300) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg301: f32, %arg302: f32, %arg303: f32):
      %150 = "arith.mulf"(%arg301, %arg302) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %151 = "arith.addf"(%arg303, %150) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%151) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map60, #map29, #map61]} : (tensor<2x4x4xf32>, tensor<4x2xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    "func.return"(%149) : (tensor<2x4x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x4xf32>, tensor<3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "depthwise_conv_1d_nwc_wcm"}> ({
  ^bb0(%arg292: tensor<2x5x4xf32>, %arg293: tensor<3x4x2xf32>, %arg294: tensor<2x3x4x2xf32>):
    %146 = "linalg.depthwise_conv_1d_nwc_wcm"(%arg292, %arg293, %arg294) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg295: f32, %arg296: f32, %arg297: f32):
      %147 = "arith.mulf"(%arg295, %arg296) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %148 = "arith.addf"(%arg297, %147) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%148) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map62, #map63, #map64]} : (tensor<2x5x4xf32>, tensor<3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%146) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xf32>, tensor<3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "depthwise_conv_2d_nhwc_hwc"}> ({
  ^bb0(%arg286: tensor<2x5x7x2xf32>, %arg287: tensor<3x4x2xf32>, %arg288: tensor<2x3x4x2xf32>):
    %143 = "linalg.depthwise_conv_2d_nhwc_hwc"(%arg286, %arg287, %arg288) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg289: f32, %arg290: f32, %arg291: f32):
      %144 = "arith.mulf"(%arg289, %arg290) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %145 = "arith.addf"(%arg291, %144) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%145) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map65, #map66, #map67]} : (tensor<2x5x7x2xf32>, tensor<3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%143) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x2x5x7xf32>, tensor<2x3x4xf32>, tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>, sym_name = "depthwise_conv_2d_nchw_chw"}> ({
  ^bb0(%arg280: tensor<2x2x5x7xf32>, %arg281: tensor<2x3x4xf32>, %arg282: tensor<2x2x3x4xf32>):
    %140 = "linalg.depthwise_conv_2d_nchw_chw"(%arg280, %arg281, %arg282) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg283: f32, %arg284: f32, %arg285: f32):
      %141 = "arith.mulf"(%arg283, %arg284) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %142 = "arith.addf"(%arg285, %141) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%142) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map68, #map32, #map69]} : (tensor<2x2x5x7xf32>, tensor<2x3x4xf32>, tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
    "func.return"(%140) : (tensor<2x2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xi8>, tensor<3x4x2xi8>, i32, i32, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>, sym_name = "depthwise_conv_2d_nhwc_hwc_q"}> ({
  ^bb0(%arg270: tensor<2x5x7x2xi8>, %arg271: tensor<3x4x2xi8>, %arg272: i32, %arg273: i32, %arg274: tensor<2x3x4x2xi32>):
    %133 = "linalg.depthwise_conv_2d_nhwc_hwc_q"(%arg270, %arg271, %arg272, %arg273, %arg274) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 4, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg275: i8, %arg276: i8, %arg277: i32, %arg278: i32, %arg279: i32):
      %134 = "arith.extsi"(%arg275) : (i8) -> i32
      %135 = "arith.subi"(%134, %arg277) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %136 = "arith.extsi"(%arg276) : (i8) -> i32
      %137 = "arith.subi"(%136, %arg278) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %138 = "arith.muli"(%135, %137) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %139 = "arith.addi"(%arg279, %138) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%139) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map65, #map66, #map70, #map70, #map67]} : (tensor<2x5x7x2xi8>, tensor<3x4x2xi8>, i32, i32, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    "func.return"(%133) : (tensor<2x3x4x2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x6x5x2xf32>, tensor<4x2x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>, sym_name = "depthwise_conv_2d_nhwc_hwcm"}> ({
  ^bb0(%arg264: tensor<2x6x5x2xf32>, %arg265: tensor<4x2x2x3xf32>, %arg266: tensor<2x3x4x2x3xf32>):
    %130 = "linalg.depthwise_conv_2d_nhwc_hwcm"(%arg264, %arg265, %arg266) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg267: f32, %arg268: f32, %arg269: f32):
      %131 = "arith.mulf"(%arg267, %arg268) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %132 = "arith.addf"(%arg269, %131) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%132) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map71, #map72, #map73]} : (tensor<2x6x5x2xf32>, tensor<4x2x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    "func.return"(%130) : (tensor<2x3x4x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x6x5x2xi8>, tensor<4x2x2x3xi8>, i32, i32, tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>, sym_name = "depthwise_conv_2d_nhwc_hwcm_q"}> ({
  ^bb0(%arg254: tensor<2x6x5x2xi8>, %arg255: tensor<4x2x2x3xi8>, %arg256: i32, %arg257: i32, %arg258: tensor<2x3x4x2x3xi32>):
    %123 = "linalg.depthwise_conv_2d_nhwc_hwcm_q"(%arg254, %arg255, %arg256, %arg257, %arg258) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 4, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg259: i8, %arg260: i8, %arg261: i32, %arg262: i32, %arg263: i32):
      %124 = "arith.extsi"(%arg259) : (i8) -> i32
      %125 = "arith.subi"(%124, %arg261) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %126 = "arith.extsi"(%arg260) : (i8) -> i32
      %127 = "arith.subi"(%126, %arg262) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %128 = "arith.muli"(%125, %127) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %129 = "arith.addi"(%arg263, %128) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%129) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map71, #map72, #map43, #map43, #map73]} : (tensor<2x6x5x2xi8>, tensor<4x2x2x3xi8>, i32, i32, tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>
    "func.return"(%123) : (tensor<2x3x4x2x3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x3x3xf32>, tensor<3x4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>, sym_name = "depthwise_conv_3d_ndhwc_dhwc"}> ({
  ^bb0(%arg248: tensor<2x5x7x3x3xf32>, %arg249: tensor<3x4x2x3xf32>, %arg250: tensor<2x3x4x2x3xf32>):
    %120 = "linalg.depthwise_conv_3d_ndhwc_dhwc"(%arg248, %arg249, %arg250) <{dilations = dense<1> : tensor<3xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<3xi64>}> ({
    ^bb0(%arg251: f32, %arg252: f32, %arg253: f32):
      %121 = "arith.mulf"(%arg251, %arg252) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %122 = "arith.addf"(%arg253, %121) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%122) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map74, #map75, #map76]} : (tensor<2x5x7x3x3xf32>, tensor<3x4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    "func.return"(%120) : (tensor<2x3x4x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x5x7x3xf32>, tensor<3x3x4x2xf32>, tensor<2x3x3x4x2xf32>) -> tensor<2x3x3x4x2xf32>, sym_name = "depthwise_conv_3d_ncdhw_cdhw"}> ({
  ^bb0(%arg242: tensor<2x3x5x7x3xf32>, %arg243: tensor<3x3x4x2xf32>, %arg244: tensor<2x3x3x4x2xf32>):
    %117 = "linalg.depthwise_conv_3d_ncdhw_cdhw"(%arg242, %arg243, %arg244) <{dilations = dense<1> : tensor<3xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<3xi64>}> ({
    ^bb0(%arg245: f32, %arg246: f32, %arg247: f32):
      %118 = "arith.mulf"(%arg245, %arg246) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %119 = "arith.addf"(%arg247, %118) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%119) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map77, #map78, #map79]} : (tensor<2x3x5x7x3xf32>, tensor<3x3x4x2xf32>, tensor<2x3x3x4x2xf32>) -> tensor<2x3x3x4x2xf32>
    "func.return"(%117) : (tensor<2x3x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x6x5x4x4xf32>, tensor<4x2x3x4x3xf32>, tensor<2x3x4x2x4x3xf32>) -> tensor<2x3x4x2x4x3xf32>, sym_name = "depthwise_conv_3d_ndhwc_dhwcm"}> ({
  ^bb0(%arg236: tensor<2x6x5x4x4xf32>, %arg237: tensor<4x2x3x4x3xf32>, %arg238: tensor<2x3x4x2x4x3xf32>):
    %114 = "linalg.depthwise_conv_3d_ndhwc_dhwcm"(%arg236, %arg237, %arg238) <{dilations = dense<1> : tensor<3xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<3xi64>}> ({
    ^bb0(%arg239: f32, %arg240: f32, %arg241: f32):
      %115 = "arith.mulf"(%arg239, %arg240) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %116 = "arith.addf"(%arg241, %115) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%116) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map51, #map52, #map80]} : (tensor<2x6x5x4x4xf32>, tensor<4x2x3x4x3xf32>, tensor<2x3x4x2x4x3xf32>) -> tensor<2x3x4x2x4x3xf32>
    "func.return"(%114) : (tensor<2x3x4x2x4x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "pooling_nhwc_sum"}> ({
  ^bb0(%arg230: tensor<2x5x7x2xf32>, %arg231: tensor<3x4xf32>, %arg232: tensor<2x3x4x2xf32>):
    %112 = "linalg.pooling_nhwc_sum"(%arg230, %arg231, %arg232) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg233: f32, %arg234: f32, %arg235: f32):
      %113 = "arith.addf"(%arg235, %arg233) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%113) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map65, #map81, #map67]} : (tensor<2x5x7x2xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%112) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x6x5xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "pooling_nchw_sum"}> ({
  ^bb0(%arg224: tensor<2x3x6x5xf32>, %arg225: tensor<3x4xf32>, %arg226: tensor<2x3x4x2xf32>):
    %110 = "linalg.pooling_nchw_sum"(%arg224, %arg225, %arg226) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg227: f32, %arg228: f32, %arg229: f32):
      %111 = "arith.addf"(%arg229, %arg227) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%111) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map82, #map81, #map67]} : (tensor<2x3x6x5xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%110) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "pooling_nhwc_max"}> ({
  ^bb0(%arg218: tensor<2x5x7x2xf32>, %arg219: tensor<3x4xf32>, %arg220: tensor<2x3x4x2xf32>):
    %108 = "linalg.pooling_nhwc_max"(%arg218, %arg219, %arg220) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg221: f32, %arg222: f32, %arg223: f32):
      %109 = "arith.maximumf"(%arg223, %arg221) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%109) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map65, #map81, #map67]} : (tensor<2x5x7x2xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%108) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xi32>, tensor<3x4xi32>, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>, sym_name = "pooling_nhwc_max_unsigned"}> ({
  ^bb0(%arg212: tensor<2x5x7x2xi32>, %arg213: tensor<3x4xi32>, %arg214: tensor<2x3x4x2xi32>):
    %106 = "linalg.pooling_nhwc_max_unsigned"(%arg212, %arg213, %arg214) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg215: i32, %arg216: i32, %arg217: i32):
      %107 = "arith.maxui"(%arg217, %arg215) : (i32, i32) -> i32
      "linalg.yield"(%107) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map65, #map81, #map67]} : (tensor<2x5x7x2xi32>, tensor<3x4xi32>, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    "func.return"(%106) : (tensor<2x3x4x2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x6x5xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "pooling_nchw_max"}> ({
  ^bb0(%arg206: tensor<2x3x6x5xf32>, %arg207: tensor<3x4xf32>, %arg208: tensor<2x3x4x2xf32>):
    %104 = "linalg.pooling_nchw_max"(%arg206, %arg207, %arg208) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg209: f32, %arg210: f32, %arg211: f32):
      %105 = "arith.maximumf"(%arg211, %arg209) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%105) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map82, #map81, #map67]} : (tensor<2x3x6x5xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%104) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>, sym_name = "pooling_nhwc_min"}> ({
  ^bb0(%arg200: tensor<2x5x7x2xf32>, %arg201: tensor<3x4xf32>, %arg202: tensor<2x3x4x2xf32>):
    %102 = "linalg.pooling_nhwc_min"(%arg200, %arg201, %arg202) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg203: f32, %arg204: f32, %arg205: f32):
      %103 = "arith.minimumf"(%arg205, %arg203) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%103) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map65, #map81, #map67]} : (tensor<2x5x7x2xf32>, tensor<3x4xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
    "func.return"(%102) : (tensor<2x3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x7x2xi32>, tensor<3x4xi32>, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>, sym_name = "pooling_nhwc_min_unsigned"}> ({
  ^bb0(%arg194: tensor<2x5x7x2xi32>, %arg195: tensor<3x4xi32>, %arg196: tensor<2x3x4x2xi32>):
    %100 = "linalg.pooling_nhwc_min_unsigned"(%arg194, %arg195, %arg196) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg197: i32, %arg198: i32, %arg199: i32):
      %101 = "arith.minui"(%arg199, %arg197) : (i32, i32) -> i32
      "linalg.yield"(%101) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map65, #map81, #map67]} : (tensor<2x5x7x2xi32>, tensor<3x4xi32>, tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
    "func.return"(%100) : (tensor<2x3x4x2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "pooling_nwc_sum"}> ({
  ^bb0(%arg188: tensor<2x4x4xf32>, %arg189: tensor<2xf32>, %arg190: tensor<2x3x4xf32>):
    %98 = "linalg.pooling_nwc_sum"(%arg188, %arg189, %arg190) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg191: f32, %arg192: f32, %arg193: f32):
      %99 = "arith.addf"(%arg193, %arg191) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%99) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map58, #map83, #map14]} : (tensor<2x4x4xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%98) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x5xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "pooling_ncw_sum"}> ({
  ^bb0(%arg182: tensor<2x3x5xf32>, %arg183: tensor<2xf32>, %arg184: tensor<2x3x4xf32>):
    %96 = "linalg.pooling_ncw_sum"(%arg182, %arg183, %arg184) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg185: f32, %arg186: f32, %arg187: f32):
      %97 = "arith.addf"(%arg187, %arg185) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%97) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map84, #map83, #map14]} : (tensor<2x3x5xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%96) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "pooling_nwc_max"}> ({
  ^bb0(%arg176: tensor<2x4x4xf32>, %arg177: tensor<2xf32>, %arg178: tensor<2x3x4xf32>):
    %94 = "linalg.pooling_nwc_max"(%arg176, %arg177, %arg178) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg179: f32, %arg180: f32, %arg181: f32):
      %95 = "arith.maximumf"(%arg181, %arg179) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%95) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map58, #map83, #map14]} : (tensor<2x4x4xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%94) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xi32>, tensor<2xi32>, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>, sym_name = "pooling_nwc_max_unsigned"}> ({
  ^bb0(%arg170: tensor<2x4x4xi32>, %arg171: tensor<2xi32>, %arg172: tensor<2x3x4xi32>):
    %92 = "linalg.pooling_nwc_max_unsigned"(%arg170, %arg171, %arg172) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg173: i32, %arg174: i32, %arg175: i32):
      %93 = "arith.maxui"(%arg175, %arg173) : (i32, i32) -> i32
      "linalg.yield"(%93) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map58, #map83, #map14]} : (tensor<2x4x4xi32>, tensor<2xi32>, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
    "func.return"(%92) : (tensor<2x3x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x5xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "pooling_ncw_max"}> ({
  ^bb0(%arg164: tensor<2x3x5xf32>, %arg165: tensor<2xf32>, %arg166: tensor<2x3x4xf32>):
    %90 = "linalg.pooling_ncw_max"(%arg164, %arg165, %arg166) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg167: f32, %arg168: f32, %arg169: f32):
      %91 = "arith.maximumf"(%arg169, %arg167) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%91) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map84, #map83, #map14]} : (tensor<2x3x5xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%90) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "pooling_nwc_min"}> ({
  ^bb0(%arg158: tensor<2x4x4xf32>, %arg159: tensor<2xf32>, %arg160: tensor<2x3x4xf32>):
    %88 = "linalg.pooling_nwc_min"(%arg158, %arg159, %arg160) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg161: f32, %arg162: f32, %arg163: f32):
      %89 = "arith.minimumf"(%arg163, %arg161) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%89) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map58, #map83, #map14]} : (tensor<2x4x4xf32>, tensor<2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    "func.return"(%88) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x4xi32>, tensor<2xi32>, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>, sym_name = "pooling_nwc_min_unsigned"}> ({
  ^bb0(%arg152: tensor<2x4x4xi32>, %arg153: tensor<2xi32>, %arg154: tensor<2x3x4xi32>):
    %86 = "linalg.pooling_nwc_min_unsigned"(%arg152, %arg153, %arg154) <{dilations = dense<1> : tensor<1xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg155: i32, %arg156: i32, %arg157: i32):
      %87 = "arith.minui"(%arg157, %arg155) : (i32, i32) -> i32
      "linalg.yield"(%87) : (i32) -> ()
    }) {linalg.memoized_indexing_maps = [#map58, #map83, #map14]} : (tensor<2x4x4xi32>, tensor<2xi32>, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
    "func.return"(%86) : (tensor<2x3x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x6x5x4x3xf32>, tensor<4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>, sym_name = "pooling_ndhwc_sum"}> ({
  ^bb0(%arg146: tensor<2x6x5x4x3xf32>, %arg147: tensor<4x2x3xf32>, %arg148: tensor<2x3x4x2x3xf32>):
    %84 = "linalg.pooling_ndhwc_sum"(%arg146, %arg147, %arg148) <{dilations = dense<1> : tensor<3xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<3xi64>}> ({
    ^bb0(%arg149: f32, %arg150: f32, %arg151: f32):
      %85 = "arith.addf"(%arg151, %arg149) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%85) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map85, #map86, #map48]} : (tensor<2x6x5x4x3xf32>, tensor<4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    "func.return"(%84) : (tensor<2x3x4x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x6x5x4x3xf32>, tensor<4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>, sym_name = "pooling_ndhwc_max"}> ({
  ^bb0(%arg140: tensor<2x6x5x4x3xf32>, %arg141: tensor<4x2x3xf32>, %arg142: tensor<2x3x4x2x3xf32>):
    %82 = "linalg.pooling_ndhwc_max"(%arg140, %arg141, %arg142) <{dilations = dense<1> : tensor<3xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<3xi64>}> ({
    ^bb0(%arg143: f32, %arg144: f32, %arg145: f32):
      %83 = "arith.maximumf"(%arg145, %arg143) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%83) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map85, #map86, #map48]} : (tensor<2x6x5x4x3xf32>, tensor<4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    "func.return"(%82) : (tensor<2x3x4x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x6x5x4x3xf32>, tensor<4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>, sym_name = "pooling_ndhwc_min"}> ({
  ^bb0(%arg134: tensor<2x6x5x4x3xf32>, %arg135: tensor<4x2x3xf32>, %arg136: tensor<2x3x4x2x3xf32>):
    %80 = "linalg.pooling_ndhwc_min"(%arg134, %arg135, %arg136) <{dilations = dense<1> : tensor<3xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<3xi64>}> ({
    ^bb0(%arg137: f32, %arg138: f32, %arg139: f32):
      %81 = "arith.minimumf"(%arg139, %arg137) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%81) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map85, #map86, #map48]} : (tensor<2x6x5x4x3xf32>, tensor<4x2x3xf32>, tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    "func.return"(%80) : (tensor<2x3x4x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "fill"}> ({
  ^bb0(%arg130: f32, %arg131: tensor<2x3xf32>):
    %79 = "linalg.fill"(%arg130, %arg131) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg132: f32, %arg133: f32):
      "linalg.yield"(%arg132) : (f32) -> ()
    }) : (f32, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%79) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "copy"}> ({
  ^bb0(%arg126: tensor<2x3xf32>, %arg127: tensor<2x3xf32>):
    %78 = "linalg.copy"(%arg126, %arg127) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg128: f32, %arg129: f32):
      "linalg.yield"(%arg128) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%78) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "elemwise_unary"}> ({
  ^bb0(%arg122: tensor<2x3xf32>, %arg123: tensor<2x3xf32>):
    %76 = "linalg.elemwise_unary"(%arg122, %arg123) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg124: f32, %arg125: f32):
      %77 = "math.exp"(%arg124) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%77) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%76) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "elemwise_binary"}> ({
  ^bb0(%arg116: tensor<2x3xf32>, %arg117: tensor<2x3xf32>, %arg118: tensor<2x3xf32>):
    %74 = "linalg.elemwise_binary"(%arg116, %arg117, %arg118) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg119: f32, %arg120: f32, %arg121: f32):
      %75 = "arith.addf"(%arg119, %arg120) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%75) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%74) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f64, f64, i32, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "fill_rng_2d"}> ({
  ^bb0(%arg108: f64, %arg109: f64, %arg110: i32, %arg111: tensor<2x3xf32>):
    %45 = "linalg.fill_rng_2d"(%arg108, %arg109, %arg110, %arg111) <{operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg112: f64, %arg113: f64, %arg114: i32, %arg115: f32):
      %46 = "arith.constant"() <{value = 2147483647 : i64}> : () -> i64
      %47 = "arith.sitofp"(%46) : (i64) -> f64
      %48 = "linalg.index"() <{dim = 1 : i64}> : () -> index
      %49 = "arith.index_cast"(%48) : (index) -> i32
      %50 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %51 = "arith.index_cast"(%50) : (index) -> i32
      %52 = "arith.addi"(%51, %arg114) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %53 = "arith.constant"() <{value = 1103515245 : i64}> : () -> i64
      %54 = "arith.trunci"(%53) : (i64) -> i32
      %55 = "arith.muli"(%52, %54) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %56 = "arith.constant"() <{value = 12345 : i64}> : () -> i64
      %57 = "arith.trunci"(%56) : (i64) -> i32
      %58 = "arith.addi"(%55, %57) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %59 = "arith.addi"(%49, %58) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %60 = "arith.constant"() <{value = 1103515245 : i64}> : () -> i64
      %61 = "arith.trunci"(%60) : (i64) -> i32
      %62 = "arith.muli"(%59, %61) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %63 = "arith.constant"() <{value = 12345 : i64}> : () -> i64
      %64 = "arith.trunci"(%63) : (i64) -> i32
      %65 = "arith.addi"(%62, %64) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %66 = "arith.sitofp"(%65) : (i32) -> f64
      %67 = "arith.addf"(%47, %66) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %68 = "arith.subf"(%arg113, %arg112) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %69 = "arith.constant"() <{value = 2.3283063999999999E-10 : f64}> : () -> f64
      %70 = "arith.mulf"(%68, %69) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %71 = "arith.mulf"(%67, %70) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %72 = "arith.addf"(%71, %arg112) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %73 = "arith.truncf"(%72) : (f64) -> f32
      "linalg.yield"(%73) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map87, #map87, #map87, #map19]} : (f64, f64, i32, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%45) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "exp"}> ({
  ^bb0(%arg104: tensor<2x3xf32>, %arg105: tensor<2x3xf32>):
    %43 = "linalg.exp"(%arg104, %arg105) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg106: f32, %arg107: f32):
      %44 = "math.exp"(%arg106) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%44) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%43) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "log"}> ({
  ^bb0(%arg100: tensor<2x3xf32>, %arg101: tensor<2x3xf32>):
    %41 = "linalg.log"(%arg100, %arg101) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg102: f32, %arg103: f32):
      %42 = "math.log"(%arg102) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%42) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%41) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "abs"}> ({
  ^bb0(%arg96: tensor<2x3xf32>, %arg97: tensor<2x3xf32>):
    %39 = "linalg.abs"(%arg96, %arg97) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg98: f32, %arg99: f32):
      %40 = "math.absf"(%arg98) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%40) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%39) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "ceil"}> ({
  ^bb0(%arg92: tensor<2x3xf32>, %arg93: tensor<2x3xf32>):
    %37 = "linalg.ceil"(%arg92, %arg93) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg94: f32, %arg95: f32):
      %38 = "math.ceil"(%arg94) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%38) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%37) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "floor"}> ({
  ^bb0(%arg88: tensor<2x3xf32>, %arg89: tensor<2x3xf32>):
    %35 = "linalg.floor"(%arg88, %arg89) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg90: f32, %arg91: f32):
      %36 = "math.floor"(%arg90) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%36) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%35) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "negf"}> ({
  ^bb0(%arg84: tensor<2x3xf32>, %arg85: tensor<2x3xf32>):
    %33 = "linalg.negf"(%arg84, %arg85) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg86: f32, %arg87: f32):
      %34 = "arith.negf"(%arg86) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%34) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%33) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "reciprocal"}> ({
  ^bb0(%arg80: tensor<2x3xf32>, %arg81: tensor<2x3xf32>):
    %30 = "linalg.reciprocal"(%arg80, %arg81) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg82: f32, %arg83: f32):
      %31 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
      %32 = "arith.divf"(%31, %arg82) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%32) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%30) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "round"}> ({
  ^bb0(%arg76: tensor<2x3xf32>, %arg77: tensor<2x3xf32>):
    %28 = "linalg.round"(%arg76, %arg77) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg78: f32, %arg79: f32):
      %29 = "math.round"(%arg78) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%29) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%28) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "sqrt"}> ({
  ^bb0(%arg72: tensor<2x3xf32>, %arg73: tensor<2x3xf32>):
    %26 = "linalg.sqrt"(%arg72, %arg73) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg74: f32, %arg75: f32):
      %27 = "math.sqrt"(%arg74) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%27) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%26) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "rsqrt"}> ({
  ^bb0(%arg68: tensor<2x3xf32>, %arg69: tensor<2x3xf32>):
    %24 = "linalg.rsqrt"(%arg68, %arg69) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg70: f32, %arg71: f32):
      %25 = "math.rsqrt"(%arg70) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%25) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%24) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "square"}> ({
  ^bb0(%arg64: tensor<2x3xf32>, %arg65: tensor<2x3xf32>):
    %22 = "linalg.square"(%arg64, %arg65) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg66: f32, %arg67: f32):
      %23 = "arith.mulf"(%arg66, %arg66) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%23) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%22) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "tanh"}> ({
  ^bb0(%arg60: tensor<2x3xf32>, %arg61: tensor<2x3xf32>):
    %20 = "linalg.tanh"(%arg60, %arg61) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg62: f32, %arg63: f32):
      %21 = "math.tanh"(%arg62) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%21) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%20) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "erf"}> ({
  ^bb0(%arg56: tensor<2x3xf32>, %arg57: tensor<2x3xf32>):
    %18 = "linalg.erf"(%arg56, %arg57) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg58: f32, %arg59: f32):
      %19 = "math.erf"(%arg58) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%19) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%18) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "add"}> ({
  ^bb0(%arg50: tensor<2x3xf32>, %arg51: tensor<2x3xf32>, %arg52: tensor<2x3xf32>):
    %16 = "linalg.add"(%arg50, %arg51, %arg52) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg53: f32, %arg54: f32, %arg55: f32):
      %17 = "arith.addf"(%arg53, %arg54) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%17) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%16) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "sub"}> ({
  ^bb0(%arg44: tensor<2x3xf32>, %arg45: tensor<2x3xf32>, %arg46: tensor<2x3xf32>):
    %14 = "linalg.sub"(%arg44, %arg45, %arg46) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg47: f32, %arg48: f32, %arg49: f32):
      %15 = "arith.subf"(%arg47, %arg48) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%15) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%14) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "mul"}> ({
  ^bb0(%arg38: tensor<2x3xf32>, %arg39: tensor<2x3xf32>, %arg40: tensor<2x3xf32>):
    %12 = "linalg.mul"(%arg38, %arg39, %arg40) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg41: f32, %arg42: f32, %arg43: f32):
      %13 = "arith.mulf"(%arg41, %arg42) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%13) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%12) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "div"}> ({
  ^bb0(%arg32: tensor<2x3xf32>, %arg33: tensor<2x3xf32>, %arg34: tensor<2x3xf32>):
    %10 = "linalg.div"(%arg32, %arg33, %arg34) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg35: f32, %arg36: f32, %arg37: f32):
      %11 = "arith.divf"(%arg35, %arg36) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%11) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%10) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>, sym_name = "div_unsigned"}> ({
  ^bb0(%arg26: tensor<2x3xi32>, %arg27: tensor<2x3xi32>, %arg28: tensor<2x3xi32>):
    %8 = "linalg.div_unsigned"(%arg26, %arg27, %arg28) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg29: i32, %arg30: i32, %arg31: i32):
      %9 = "arith.divui"(%arg29, %arg30) : (i32, i32) -> i32
      "linalg.yield"(%9) : (i32) -> ()
    }) : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    "func.return"(%8) : (tensor<2x3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "max"}> ({
  ^bb0(%arg20: tensor<2x3xf32>, %arg21: tensor<2x3xf32>, %arg22: tensor<2x3xf32>):
    %6 = "linalg.max"(%arg20, %arg21, %arg22) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg23: f32, %arg24: f32, %arg25: f32):
      %7 = "arith.maximumf"(%arg23, %arg24) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%7) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%6) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "min"}> ({
  ^bb0(%arg14: tensor<2x3xf32>, %arg15: tensor<2x3xf32>, %arg16: tensor<2x3xf32>):
    %4 = "linalg.min"(%arg14, %arg15, %arg16) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32, %arg19: f32):
      %5 = "arith.minimumf"(%arg17, %arg18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%5) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%4) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "powf"}> ({
  ^bb0(%arg8: tensor<2x3xf32>, %arg9: tensor<2x3xf32>, %arg10: tensor<2x3xf32>):
    %2 = "linalg.powf"(%arg8, %arg9, %arg10) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg11: f32, %arg12: f32, %arg13: f32):
      %3 = "math.powf"(%arg11, %arg12) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%3) : (f32) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%2) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "select"}> ({
  ^bb0(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<2x3xf32>):
    %0 = "linalg.select"(%arg0, %arg1, %arg2, %arg3) <{operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg4: i1, %arg5: f32, %arg6: f32, %arg7: f32):
      %1 = "arith.select"(%arg4, %arg5, %arg6) : (i1, f32, f32) -> f32
      "linalg.yield"(%1) : (f32) -> ()
    }) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
