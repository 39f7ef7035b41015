// ST Listing 8 after bufferization, on the convolution of Listing 1 with the plan of the paper: IS, Nc 32, K2 32, K3 87,
// microkernel 16x8; the 57 windows of the remainder are scalar.
func.func @conv(%input: memref<1x32x152x152xf32>, %weights: memref<256x32x3x3xf32>, %output: memref<1x256x75x75xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c5568 = arith.constant 5568 : index
  %c1392 = arith.constant 1392 : index
  %c256 = arith.constant 256 : index
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %flat = memref.collapse_shape %input [[0], [1], [2, 3]] : memref<1x32x152x152xf32> into memref<1x32x23104xf32>
  %out = memref.collapse_shape %output [[0], [1], [2, 3]] : memref<1x256x75x75xf32> into memref<1x256x5625xf32>
  %main = memref.subview %out[0, 0, 0] [1, 256, 5568] [1, 1, 1] : memref<1x256x5625xf32> to memref<1x256x5568xf32, strided<[1440000, 5625, 1]>>
  scf.for %n = %c0 to %c1 step %c1 {
  scf.for %nc = %c0 to %c32 step %c32 {
  scf.for %k3 = %c0 to %c5568 step %c1392 {
  scf.for %k2 = %c0 to %c256 step %c256 {
    %outer = memref.subview %main[%n, %k2, %k3] [1, 256, 1392] [1, 1, 1] : memref<1x256x5568xf32, strided<[1440000, 5625, 1]>> to memref<1x256x1392xf32, strided<[1440000, 5625, 1], offset: ?>>
    %pf = memref.alloc() {alignment = 64 : i64} : memref<32x32x3x3x8xf32>
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%pf : memref<32x32x3x3x8xf32>) {
    ^bb0(%o: f32):
      %a0 = linalg.index 0 : index
      %a1 = linalg.index 1 : index
      %a2 = linalg.index 2 : index
      %a3 = linalg.index 3 : index
      %a4 = linalg.index 4 : index
      %fi = affine.apply affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 + s0)>(%a0, %a4)[%k2]
      %ci = arith.addi %a1, %nc : index
      %e = memref.load %weights[%fi, %ci, %a2, %a3] : memref<256x32x3x3xf32>
      linalg.yield %e : f32
    }
    scf.for %iw = %c0 to %c1392 step %c16 {
      %pi = memref.alloc() {alignment = 64 : i64} : memref<1x32x3x3x16xf32>
      linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%pi : memref<1x32x3x3x16xf32>) {
      ^bb0(%o: f32):
        %b0 = linalg.index 0 : index
      %b1 = linalg.index 1 : index
      %b2 = linalg.index 2 : index
      %b3 = linalg.index 3 : index
      %b4 = linalg.index 4 : index
        %wi = affine.apply affine_map<(d0, d1)[s0, s1] -> (d0 * 16 + d1 + s0 + s1)>(%b0, %b4)[%k3, %iw]
        %ch = arith.addi %b1, %nc : index
        %ei = affine.apply affine_map<(d0, d1, d2) -> (((d0 floordiv 75) * 2 + d1 * 1) * 152 + ((d0 mod 75) * 2 + d2 * 1))>(%wi, %b2, %b3)
      %e = memref.load %flat[%n, %ch, %ei] : memref<1x32x23104xf32>
        linalg.yield %e : f32
      }
      scf.for %it = %c0 to %c16 step %c16 {
        %ti = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%it)
        %wp = memref.subview %pi[%ti, 0, 0, 0, 0] [1, 32, 3, 3, 16] [1, 1, 1, 1, 1] : memref<1x32x3x3x16xf32> to memref<1x32x3x3x16xf32, strided<[4608, 144, 48, 16, 1], offset: ?>>
        %wm = memref.collapse_shape %wp [[0], [1, 2, 3], [4]] : memref<1x32x3x3x16xf32, strided<[4608, 144, 48, 16, 1], offset: ?>> into memref<1x288x16xf32, strided<[4608, 16, 1], offset: ?>>
        %ww = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%iw, %it)
        scf.for %if = %c0 to %c256 step %c8 {
          %tf = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%if)
          %fp = memref.subview %pf[%tf, 0, 0, 0, 0] [1, 32, 3, 3, 8] [1, 1, 1, 1, 1] : memref<32x32x3x3x8xf32> to memref<1x32x3x3x8xf32, strided<[2304, 72, 24, 8, 1], offset: ?>>
          %fm = memref.collapse_shape %fp [[0, 1, 2, 3], [4]] : memref<1x32x3x3x8xf32, strided<[2304, 72, 24, 8, 1], offset: ?>> into memref<288x8xf32, strided<[8, 1], offset: ?>>
          %tile = memref.subview %outer[0, %if, %ww] [1, 8, 16] [1, 1, 1] : memref<1x256x1392xf32, strided<[1440000, 5625, 1], offset: ?>> to memref<1x8x16xf32, strided<[1440000, 5625, 1], offset: ?>>
          linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%wm, %fm : memref<1x288x16xf32, strided<[4608, 16, 1], offset: ?>>, memref<288x8xf32, strided<[8, 1], offset: ?>>) outs(%tile : memref<1x8x16xf32, strided<[1440000, 5625, 1], offset: ?>>) attrs = {microkernel} {
          ^bb0(%a: f32, %b: f32, %o: f32):
            %m = arith.mulf %a, %b : f32
            %s = arith.addf %m, %o : f32
            linalg.yield %s : f32
          }
        }
      }
      memref.dealloc %pi : memref<1x32x3x3x16xf32>
    }
    memref.dealloc %pf : memref<32x32x3x3x8xf32>
  }
  }
  }
  }
  %rest = memref.subview %out[0, 0, 5568] [1, 256, 57] [1, 1, 1] : memref<1x256x5625xf32> to memref<1x256x57xf32, strided<[1440000, 5625, 1], offset: 5568>>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%weights : memref<256x32x3x3xf32>) outs(%rest : memref<1x256x57xf32, strided<[1440000, 5625, 1], offset: 5568>>) {
    ^bb0(%b: f32, %o: f32):
      %x0 = linalg.index 0 : index
      %x1 = linalg.index 1 : index
      %x2 = linalg.index 2 : index
      %x3 = linalg.index 3 : index
      %x4 = linalg.index 4 : index
      %x5 = linalg.index 5 : index
      %wr = affine.apply affine_map<(d0) -> (d0 + 5568)>(%x2)
      %vi = affine.apply affine_map<(d0, d1, d2) -> (((d0 floordiv 75) * 2 + d1 * 1) * 152 + ((d0 mod 75) * 2 + d2 * 1))>(%wr, %x4, %x5)
      %v = memref.load %flat[%x0, %x3, %vi] : memref<1x32x23104xf32>
      %m = arith.mulf %v, %b : f32
      %s = arith.addf %m, %o : f32
      linalg.yield %s : f32
  }
  return
}
