import type { Module } from '@sconv/ir';
import { edit, operationsIn, printModule, verify } from '@sconv/ir';
import { formKernels } from '@sconv/kernels';
import { modelledSpeeds } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import type { OuterProductUnit } from '../src/index.ts';
import { lowerTiles, matrixMicrokernelOp } from '../src/index.ts';
import { parse, registry } from './support.ts';

const mma: OuterProductUnit = { extension: 'MMA', accumulators: 8, rows: 4, columns: 4 };
const sme: OuterProductUnit = { extension: 'SME', accumulators: 4, rows: 16, columns: 16 };

const microkernel = (windows: number, filters: number, steps: number, element = 'f32'): string =>
  `func.func @f(%x: memref<1x${steps}x${windows}x${element}>, %y: memref<${steps}x${filters}x${element}>) -> memref<1x${filters}x${windows}x${element}> {
    %o = memref.alloc() : memref<1x${filters}x${windows}x${element}>
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>,
      affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : memref<1x${steps}x${windows}x${element}>, memref<${steps}x${filters}x${element}>) outs(%o : memref<1x${filters}x${windows}x${element}>) {
      ^bb0(%in: ${element}, %weight: ${element}, %out: ${element}):
        %0 = arith.mulf %in, %weight : ${element}
        %1 = arith.addf %out, %0 : ${element}
        linalg.yield %1 : ${element}
    }
    return %o : memref<1x${filters}x${windows}x${element}>
  }`;

/** The same outside of a function. */
const atTop = (text: string): string =>
  text
    .replace(
      /^.*%x: (memref<[^>]*>), %y: (memref<[^>]*>)\).*$/m,
      '%x = memref.alloc() : $1\n%y = memref.alloc() : $2',
    )
    .replace(/ *return[^]*$/, '');

const lowered = (text: string, matrix: OuterProductUnit): Module => {
  const after = edit(parse(text), { registry }, (rewriter) => {
    const tiles = { bits: 128, speeds: modelledSpeeds({ registers: 32, units: 2 }), matrix };
    formKernels(rewriter, rewriter.root, { unit: { tiles } });
    lowerTiles(rewriter, rewriter.root, { bits: 128, registers: 32, matrix });
  }).module;
  expect(verify(after, registry)).toEqual([]);
  return after;
};

/** How many times each intrinsic is called, inside and outside of loops. */
const intrinsicsOf = (module: Module): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { name, attributes } of operationsIn(module.root)) {
    const { intrin } = attributes;
    if (name !== 'llvm.call_intrinsic' || intrin?.kind !== 'string') continue;
    counts[intrin.value] = (counts[intrin.value] ?? 0) + 1;
  }
  return counts;
};

describe('on MMA', () => {
  it('an accumulator holds the sums of all steps', () => {
    const text = printModule(lowered(microkernel(4, 4, 8), mma), { registry });
    expect(text.slice(text.indexOf('%9 = '), text.indexOf('%13 = '))).toMatchInlineSnapshot(`
      "%9 = scf.for %arg2 = %c0_0 to %c8 step %c1_4 iter_args(%arg3 = %8) -> (vector<512xi1>) {
            %19 = vector.load %arg1[%arg2, %c0_1] : memref<8x4xf32>, vector<4xf32>
            %20 = vector.bitcast %19 : vector<4xf32> to vector<16xi8>
            %21 = vector.load %arg0[%c0, %arg2, %c0_2] : memref<1x8x4xf32>, vector<4xf32>
            %22 = vector.bitcast %21 : vector<4xf32> to vector<16xi8>
            %23 = llvm.call_intrinsic "llvm.ppc.mma.xvf32gerpp"(%arg3, %20, %22) : (vector<512xi1>, vector<16xi8>, vector<16xi8>) -> vector<512xi1>
            scf.yield %23 : vector<512xi1>
          }
          %10 = llvm.call_intrinsic "llvm.ppc.mma.disassemble.acc"(%9) : (vector<512xi1>) -> !llvm.struct<(vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>)>
          %11 = llvm.extractvalue %10[0] : !llvm.struct<(vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>)> 
          %12 = vector.bitcast %11 : vector<16xi8> to vector<4xf32>
          vector.store %12, %alloc[%c0, %c0_3, %c0_2] : memref<1x4x4xf32>, vector<4xf32>
          "
    `);
  });

  it.each([
    ['16 x 8, all accumulators', 16, 8, [8], 8],
    ['4 x 4, one', 4, 4, [1], 1],
    ['8 x 12, six', 8, 12, [6], 6],
    ['16 x 16, in two parts', 16, 16, [8, 8], 16],
  ])('%s', (_, windows, filters, sums, products) => {
    const module = lowered(microkernel(windows, filters, 8), mma);
    const loops = operationsIn(module.root).filter(({ name }) => name === 'scf.for');
    expect(loops.map(({ results }) => results.length)).toEqual(sums);
    expect(intrinsicsOf(module)).toEqual({
      'llvm.ppc.mma.assemble.acc': products,
      'llvm.ppc.mma.xvf32gerpp': products,
      'llvm.ppc.mma.disassemble.acc': products,
    });
  });
});

describe('on SME', () => {
  it('a microkernel is a function in streaming mode', () => {
    const module = lowered(`func.func private @sme_tile()\n${microkernel(16, 16, 8)}`, sme);
    expect(printModule(module, { registry })).toMatchInlineSnapshot(`
      "module {
        func.func private @sme_tile()
        func.func private @sme_tile_0(%arg0: memref<1x8x16xf32>, %arg1: memref<8x16xf32>, %arg2: memref<1x16x16xf32>) attributes {arm_locally_streaming, arm_new_za, passthrough = ["noinline"]} {
          %cst = arith.constant dense<true> : vector<[4]xi1>
          %c0 = arith.constant 0 : index
          %c0_0 = arith.constant 0 : index
          %c0_1 = arith.constant 0 : index
          %c0_i32 = arith.constant 0 : i32
          %c0_2 = arith.constant 0 : index
          %c16 = arith.constant 16 : index
          %c1 = arith.constant 1 : index
          scf.for %arg3 = %c0_2 to %c16 step %c1 {
            %0 = arith.index_cast %arg3 : index to i32
            %1 = arith.addi %c0_0, %arg3 : index
            %2 = vector.load %arg2[%c0, %1, %c0_1] : memref<1x16x16xf32>, vector<[4]xf32>
            llvm.call_intrinsic "llvm.aarch64.sme.write.horiz.nxv4f32"(%c0_i32, %0, %cst, %2) : (i32, i32, vector<[4]xi1>, vector<[4]xf32>) -> ()
          }
          %c0_3 = arith.constant 0 : index
          %c8 = arith.constant 8 : index
          %c1_4 = arith.constant 1 : index
          scf.for %arg3 = %c0_3 to %c8 step %c1_4 {
            %0 = vector.load %arg1[%arg3, %c0_0] : memref<8x16xf32>, vector<[4]xf32>
            %1 = vector.load %arg0[%c0, %arg3, %c0_1] : memref<1x8x16xf32>, vector<[4]xf32>
            llvm.call_intrinsic "llvm.aarch64.sme.mopa.nxv4f32"(%c0_i32, %cst, %cst, %0, %1) : (i32, vector<[4]xi1>, vector<[4]xi1>, vector<[4]xf32>, vector<[4]xf32>) -> ()
          }
          %cst_5 = arith.constant dense<0.000000e+00> : vector<[4]xf32>
          %c0_6 = arith.constant 0 : index
          %c16_7 = arith.constant 16 : index
          %c1_8 = arith.constant 1 : index
          scf.for %arg3 = %c0_6 to %c16_7 step %c1_8 {
            %0 = arith.index_cast %arg3 : index to i32
            %1 = arith.addi %c0_0, %arg3 : index
            %2 = llvm.call_intrinsic "llvm.aarch64.sme.read.horiz.nxv4f32"(%cst_5, %cst, %c0_i32, %0) : (vector<[4]xf32>, vector<[4]xi1>, i32, i32) -> vector<[4]xf32>
            vector.store %2, %arg2[%c0, %1, %c0_1] : memref<1x16x16xf32>, vector<[4]xf32>
          }
          return
        }
        func.func @f(%arg0: memref<1x8x16xf32>, %arg1: memref<8x16xf32>) -> memref<1x16x16xf32> {
          %alloc = memref.alloc() : memref<1x16x16xf32>
          call @sme_tile_0(%arg0, %arg1, %alloc) : (memref<1x8x16xf32>, memref<8x16xf32>, memref<1x16x16xf32>) -> ()
          return %alloc : memref<1x16x16xf32>
        }
      }
      "
    `);
  });

  it.each([
    ['16 x 16', 16, 16, 1],
    ['32 x 32, all accumulators', 32, 32, 4],
    ['64 x 16', 64, 16, 4],
    ['32 x 48, in two parts', 32, 48, 6],
  ])('%s', (_, windows, filters, products) => {
    const module = lowered(microkernel(windows, filters, 8), sme);
    expect(intrinsicsOf(module)).toEqual({
      'llvm.aarch64.sme.write.horiz.nxv4f32': products,
      'llvm.aarch64.sme.mopa.nxv4f32': products,
      'llvm.aarch64.sme.read.horiz.nxv4f32': products,
    });
  });
});

it.each([
  ['always', (fill: string) => fill],
  ['if it is asked for', (fill: string) => `%p = arith.constant true\nscf.if %p { ${fill} }`],
])('what sums begin with is stored beforehand: %s', (_, around) => {
  const fill = around('linalg.fill ins(%v : f32) outs(%o : memref<1x4x4xf32>)');
  const text = microkernel(4, 4, 2).replace(
    'linalg.generic',
    `%v = arith.constant 2.0 : f32\n${fill}\nlinalg.generic`,
  );
  const names = operationsIn(lowered(text, mma).root).map(({ name }) => name);
  expect(names.indexOf('linalg.fill')).toBeGreaterThan(-1);
  expect(names.indexOf('linalg.fill')).toBeLessThan(names.indexOf('vector.load'));
  expect(names.includes('scf.if')).toBe(fill.includes('scf.if'));
});

it('what fills no accumulator is computed in vectors', () => {
  const module = lowered(microkernel(6, 4, 8), mma);
  expect(intrinsicsOf(module)).toEqual({});
  expect(operationsIn(module.root).map(({ name }) => name)).toContain('vector.fma');
});

it.each([
  [
    'its sizes are no multiples',
    microkernel(16, 6, 8),
    mma,
    /16 windows and 6 filters are not whole accumulators of 4 x 4/,
  ],
  ['its parts are too large', microkernel(16, 16, 8), mma, /at once take more than 8 accumulators of 4 x 4/],
  [
    'its filters are apart',
    microkernel(16, 8, 8).replaceAll('memref<8x8xf32>', 'memref<8x8xf32, strided<[1, 8]>>'),
    mma,
    /filters are not contiguous/,
  ],
  ['its elements are others', microkernel(16, 8, 8, 'f64'), mma, /elements are not f32/],
  ['the unit is another', microkernel(16, 8, 8), { ...mma, extension: 'AMX' }, /no code for AMX/],
  ['it is in no function', atTop(microkernel(16, 16, 8)), sme, /is not in a function/],
])('is refused where %s', (_, text, matrix, message) => {
  edit(parse(text), { registry }, (rewriter) => {
    formKernels(rewriter, rewriter.root);
    const operation = rewriter.walk(rewriter.root).find(({ name }) => name === 'kernel.microkernel')!;
    const [diagnostic] = matrixMicrokernelOp(rewriter, operation, matrix).diagnostics;
    expect(diagnostic).toMatchObject({ code: 'lowering/no-matrix-tile', message });
  });
});

it('an op that is no microkernel is refused as such', () => {
  edit(parse(microkernel(16, 16, 8)), { registry }, (rewriter) => {
    const operation = rewriter.walk(rewriter.root).find(({ name }) => name === 'linalg.generic')!;
    expect(matrixMicrokernelOp(rewriter, operation, sme).diagnostics).toMatchObject([
      { code: 'lowering/no-microkernel', message: /'linalg.generic' is another op/ },
    ]);
  });
});
