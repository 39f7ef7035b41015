/** Small modules that together cover each path through the backend; `test/code` holds the resulting code. */
import { macroKernelText } from './macro-kernel.ts';
import type { Convolution, Tiling } from './macro-kernel.ts';

const convolution: Convolution = {
  batch: 1,
  channels: 2,
  filters: 4,
  output: [5, 7],
  kernel: [2, 3],
  stride: [1, 1],
  dilation: [1, 1],
};
const tiling: Tiling = { windows: 4, filters: 2, outerWindows: 8, outerChannels: 2 };

const indexArithmetic = `
func.func @unknown(%a: index, %b: index) -> (index, index, index, index) {
  %c5 = arith.constant 5 : index
  %sum = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1 - 7)>(%a, %b)
  %floor = arith.floordivsi %a, %c5 : index
  %ceil = arith.ceildivsi %a, %c5 : index
  %mod = affine.apply affine_map<(d0) -> (d0 mod 5)>(%a)
  return %sum, %floor, %ceil, %mod : index, index, index, index
}
func.func @ranges(%m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %s = arith.addi %i, %i : index
    %d = arith.subi %s, %c1 : index
    %p = arith.muli %i, %c4 : index
    %f = arith.floordivsi %p, %c16 : index
    %e = arith.ceildivsi %i, %c4 : index
    %q = arith.divsi %i, %c4 : index
    %u = arith.divui %i, %c4 : index
    %r = arith.remsi %i, %c4 : index
    %v = arith.remui %i, %c4 : index
    %x = affine.min affine_map<(d0) -> (d0 + 4, 13)>(%i)
    %y = affine.max affine_map<(d0, d1) -> (d0 - 4, d1, 2)>(%i, %d)
    memref.store %d, %m[%s] : memref<64xindex>
    memref.store %e, %m[%p] : memref<64xindex>
    memref.store %q, %m[%f] : memref<64xindex>
    memref.store %u, %m[%r] : memref<64xindex>
    memref.store %v, %m[%x] : memref<64xindex>
    memref.store %y, %m[%i] : memref<64xindex>
    %below = arith.divsi %d, %c4 : index
    memref.store %below, %m[%i] : memref<64xindex>
  }
  return
}`;

const loops = `
func.func @bounds(%n: index, %s: index, %m: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %s {
    memref.store %x, %m[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %i to %c4 step %c4 {
      memref.store %x, %m[%j] : memref<16xf32>
    }
  }
  return
}
func.func @carried(%n: index, %a: f32, %b: i64, %m: memref<16xf32>) -> (f32, i64, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %k = %c0, %v = %m) -> (f32, i64, index, memref<16xf32>) {
    %e = memref.load %v[%k] : memref<16xf32>
    %z = arith.addf %x, %e : f32
    %l = arith.addi %k, %c1 : index
    scf.yield %z, %y, %l, %v : f32, i64, index, memref<16xf32>
  }
  memref.store %r#0, %r#3[%c0] : memref<16xf32>
  return %r#0, %r#1, %r#2 : f32, i64, index
}
func.func @branches(%c: i1, %a: index, %b: index) -> index {
  %r = scf.if %c -> (index) {
    %s = arith.addi %a, %b : index
    scf.yield %s : index
  } else {
    scf.yield %b : index
  }
  return %r : index
}`;

const generic = (maps: readonly string[], iterators: string, operands: string, body: string): string =>
  `linalg.generic {indexing_maps = [${maps.map((map) => `affine_map<${map}>`).join(', ')}], iterator_types = [${iterators}]} ${operands} {\n${body}\n}`;

const vectors = `
func.func @rows(%a: memref<3x6xf32>, %b: memref<3xf32>, %s: f32, %o: memref<3x6xf32>) {
  ${generic(
    ['(d0, d1) -> (d0, d1)', '(d0, d1) -> (d0)', '(d0, d1) -> ()', '(d0, d1) -> (d0, d1)'],
    '"parallel", "parallel"',
    'ins(%a, %b, %s : memref<3x6xf32>, memref<3xf32>, f32) outs(%o : memref<3x6xf32>)',
    `^bb0(%x: f32, %y: f32, %z: f32, %w: f32):
      %two = arith.constant 2.0 : f32
      %p = arith.mulf %x, %y : f32
      %q = arith.divf %p, %z : f32
      %n = arith.negf %q : f32
      %m = arith.subf %n, %w : f32
      %r = arith.minimumf %m, %two : f32
      linalg.yield %r : f32`,
  )}
  return
}
func.func @strided(%a: memref<4x8xf32>, %o: memref<4x4xf32>, %t: memref<4x4xf32>) {
  ${generic(
    ['(d0, d1) -> (d0, d1 * 2)', '(d0, d1) -> (d0, d1)'],
    '"parallel", "parallel"',
    'ins(%a : memref<4x8xf32>) outs(%o : memref<4x4xf32>)',
    '^bb0(%x: f32, %w: f32):\nlinalg.yield %x : f32',
  )}
  ${generic(
    ['(d0, d1) -> (d1, d0)', '(d0, d1) -> (d0, d1)'],
    '"parallel", "parallel"',
    'ins(%o : memref<4x4xf32>) outs(%t : memref<4x4xf32>)',
    '^bb0(%x: f32, %w: f32):\nlinalg.yield %x : f32',
  )}
  return
}
func.func @loaded(%a: memref<9xf32>, %o: memref<7xf32>) {
  ${generic(
    ['(d0) -> (d0)'],
    '"parallel"',
    'outs(%o : memref<7xf32>)',
    `^bb0(%w: f32):
      %c1 = arith.constant 1 : index
      %i = linalg.index 0 : index
      %j = arith.addi %i, %c1 : index
      %x = memref.load %a[%j] : memref<9xf32>
      %y = arith.maximumf %x, %w : f32
      linalg.yield %y : f32`,
  )}
  return
}
func.func @filled(%o: memref<6xf32>, %w: memref<6xf64>, %n: memref<2x3xi8>) {
  %x = arith.constant 1.5 : f32
  %y = arith.constant 2.5 : f64
  %z = arith.constant 3 : i8
  linalg.fill ins(%x : f32) outs(%o : memref<6xf32>)
  linalg.fill ins(%y : f64) outs(%w : memref<6xf64>)
  linalg.fill ins(%z : i8) outs(%n : memref<2x3xi8>)
  return
}
func.func @reduced(%a: memref<2x4xf32>, %b: memref<4x3xf32>, %o: memref<2x3xf32>) {
  linalg.matmul ins(%a, %b : memref<2x4xf32>, memref<4x3xf32>) outs(%o : memref<2x3xf32>)
  return
}`;

const memory = `
memref.global "private" constant @table : memref<3xf32> = dense<[1.0, 2.0, 4.0]>
func.func @views(%m: memref<4x6xf32>, %i: index, %o: memref<2x3xf32>) -> f32 {
  %s = memref.subview %m[%i, 1] [2, 3] [1, 2] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 2], offset: ?>>
  memref.copy %s, %o : memref<2x3xf32, strided<[6, 2], offset: ?>> to memref<2x3xf32>
  %flat = memref.collapse_shape %o [[0, 1]] : memref<2x3xf32> into memref<6xf32>
  %wide = memref.expand_shape %flat [[0, 1]] output_shape [3, 2] : memref<6xf32> into memref<3x2xf32>
  %t = memref.get_global @table : memref<3xf32>
  %c1 = arith.constant 1 : index
  %x = memref.load %t[%i] : memref<3xf32>
  %y = memref.load %wide[%i, %c1] : memref<3x2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
func.func @scopes(%o: memref<20xf32>, %c: i1) {
  %a = memref.alloc() : memref<20xf32>
  memref.copy %o, %a : memref<20xf32> to memref<20xf32>
  scf.if %c {
    %b = memref.alloca() : memref<20xf32>
    memref.copy %a, %b : memref<20xf32> to memref<20xf32>
    memref.copy %b, %o : memref<20xf32> to memref<20xf32>
  } else {
    %b = memref.alloc() : memref<20xf32>
    memref.copy %a, %b : memref<20xf32> to memref<20xf32>
    memref.copy %b, %o : memref<20xf32> to memref<20xf32>
    memref.dealloc %b : memref<20xf32>
  }
  memref.dealloc %a : memref<20xf32>
  return
}
func.func @packed(%o: memref<3x2xf32>) {
  %w = memref.get_global @table : memref<3xf32>
  %p = memref.alloc() : memref<3x2xf32>
  ${generic(
    ['(d0, d1) -> (d0, d1)'],
    '"parallel", "parallel"',
    'outs(%p : memref<3x2xf32>)',
    `^bb0(%x: f32):
      %i = linalg.index 0 : index
      %v = memref.load %w[%i] : memref<3xf32>
      linalg.yield %v : f32`,
  )}
  memref.copy %p, %o : memref<3x2xf32> to memref<3x2xf32>
  return
}`;

const numbers = `
func.func @integers(%a: i8, %b: i8, %c: i64, %d: i64, %e: i1) -> (i8, i8, i8, i64, i1, i1) {
  %0 = arith.addi %a, %b : i8
  %1 = arith.divsi %a, %b : i8
  %2 = arith.shrui %a, %b : i8
  %3 = arith.floordivsi %c, %d : i64
  %4 = arith.cmpi ult, %a, %b : i8
  %5 = arith.cmpi slt, %e, %4 : i1
  return %0, %1, %2, %3, %4, %5 : i8, i8, i8, i64, i1, i1
}
func.func @conversions(%a: i8, %b: i64, %c: f32, %d: index, %e: i1) -> (i64, i16, f64, i8, index, i32, f32) {
  %0 = arith.extui %a : i8 to i64
  %1 = arith.trunci %b : i64 to i16
  %2 = arith.extf %c : f32 to f64
  %3 = arith.fptosi %c : f32 to i8
  %4 = arith.index_cast %b : i64 to index
  %5 = arith.extsi %e : i1 to i32
  %6 = arith.uitofp %e : i1 to f32
  return %0, %1, %2, %3, %4, %5, %6 : i64, i16, f64, i8, index, i32, f32
}
func.func @choices(%c: i1, %a: f64, %b: f64, %i: index, %j: index) -> (f64, index) {
  %p = arith.cmpf uge, %a, %b : f64
  %q = arith.andi %c, %p : i1
  %0 = arith.select %q, %a, %b : f64
  %1 = arith.select %c, %i, %j : index
  return %0, %1 : f64, index
}`;

/** By name. */
export const codeExamples: Readonly<Record<string, string>> = {
  'index-arithmetic': indexArithmetic,
  loops,
  vectors,
  memory,
  numbers,
  'macro-kernel': macroKernelText(convolution, tiling),
  'macro-kernel-strided': macroKernelText(
    { ...convolution, stride: [2, 2], output: [4, 4] },
    { ...tiling, windowTiles: 2, outerWindows: 16, delinearized: true },
  ),
};
