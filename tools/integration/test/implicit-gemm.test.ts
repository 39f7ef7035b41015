/**
 * The schedules of "Convolution in IREE" as examples: after each step, the IR has the structure of its slides, in the
 * syntax of LLVM 19, and computes the same.
 */
import { readFileSync } from 'node:fs';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import type { Module } from '@sconv/ir';
import { printModule } from '@sconv/ir';
import { runSchedule } from '@sconv/transform';
import { describe, expect, it } from 'vitest';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';

const example = (name: string): string =>
  readFileSync(new URL(`../../../examples/${name}.mlir`, import.meta.url), 'utf8');

const payload = example('convolution');

/** The same convolution, small enough to interpret. */
const small = [
  ['2x64x130x130', '2x32x10x10'],
  ['32x64x3x3', '32x32x3x3'],
  ['2x32x128x128', '2x32x8x8'],
].reduce((text, [from, to]) => text.replaceAll(from!, to!), payload);

/** A schedule up to this op, and the rest of its line. */
const upTo = (schedule: string, end: string): string => {
  const at = schedule.indexOf(end);
  if (at < 0) throw new Error(`there is no '${end}'`);
  return `${schedule.slice(0, schedule.indexOf('\n', at))}\n transform.yield\n }\n}`;
};

const after = (text: string, script: string): Module =>
  unwrap(runSchedule(parse(script, 'schedule.mlir'), parse(text, 'payload.mlir'), { registry })).module;

const print = (module: Module): string => printModule(module, { registry });

const implicit = example('implicit-gemm');
const patterns = `transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
    } {apply_cse} : !transform.any_op`;
const step = (end: string): string =>
  upTo(implicit, end).replace('\n transform.yield', `\n${patterns}\n transform.yield`);

/** A schedule of these steps. */
const sequence = (...steps: readonly string[]): string => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    ${steps.join('\n    ')}
    transform.yield
  }
}`;

const any = '!transform.any_op';
const match = (name: string, root = '%root'): string =>
  `transform.structured.match ops{["${name}"]} in ${root} : (${any}) -> ${any}`;

/** What the slides propagate a packing through: an elementwise op, packed in both dimensions, in the other order. */
const packedElementwise = `func.func @elementwise(%arg: tensor<128x256xi32>, %dest: tensor<16x4x16x32xi32>) -> tensor<16x4x16x32xi32> {
  %init = tensor.empty() : tensor<128x256xi32>
  %twice = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%arg : tensor<128x256xi32>) outs(%init : tensor<128x256xi32>) {
  ^bb0(%in: i32, %out: i32):
    %sum = arith.addi %in, %in : i32
    linalg.yield %sum : i32
  } -> tensor<128x256xi32>
  %pack = tensor.pack %twice outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 32]
    into %dest : tensor<128x256xi32> -> tensor<16x4x16x32xi32>
  return %pack : tensor<16x4x16x32xi32>
}`;

/** The slides' steps, and what they show of the IR after each, in order. */
type Stage = readonly [string, string, readonly string[]];

const convolutionStages: readonly Stage[] = [
  [
    'dimension types of the convolution',
    sequence(
      `%conv = ${match('linalg.conv_2d_nchw_fchw')}`,
      `%generic = transform.structured.generalize %conv : (${any}) -> ${any}`,
    ),
    [
      'affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>',
      'affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>',
      'affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>',
      'indexing_maps = [#map, #map1, #map2]',
      'iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]',
      'ins(%arg0, %arg1 : tensor<2x64x130x130xf32>, tensor<32x64x3x3xf32>)',
      'arith.mulf %in, %in_0 : f32',
      'arith.addf %out, ',
      'linalg.yield',
      '-> tensor<2x32x128x128xf32>',
    ],
  ],
  [
    'loops of the convolution',
    sequence(
      `%buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root : (${any}) -> ${any}`,
      `%conv = ${match('linalg.conv_2d_nchw_fchw', '%buffers')}`,
      `%loops = transform.structured.convert_to_loops %conv : (${any}) -> ${any}`,
      `%func = ${match('func.func', '%buffers')}`,
      `transform.apply_patterns to %func { transform.apply_patterns.canonicalization } {apply_cse} : ${any}`,
    ),
    [
      'affine_map<(d0, d1) -> (d0 + d1)>',
      'memref.alloc() {alignment = 64 : i64} : memref<2x32x128x128xf32>',
      'scf.for %arg2 = %c0 to %c2 step %c1 {',
      'scf.for %arg3 = %c0 to %c32 step %c1 {',
      'scf.for %arg4 = %c0 to %c128 step %c1 {',
      'scf.for %arg5 = %c0 to %c128 step %c1 {',
      'scf.for %arg6 = %c0 to %c64 step %c1 {',
      'scf.for %arg7 = %c0 to %c3 step %c1 {',
      'scf.for %arg8 = %c0 to %c3 step %c1 {',
      'affine.apply #map(%arg4, %arg7)',
      'affine.apply #map(%arg5, %arg8)',
      'tensor.extract %arg0[%arg2, %arg6, ',
      'tensor.extract %arg1[%arg3, %arg6, %arg7, %arg8] : tensor<32x64x3x3xf32>',
      'memref.load %alloc[%arg2, %arg3, %arg4, %arg5] : memref<2x32x128x128xf32>',
      'arith.mulf',
      'arith.addf',
      '%alloc[%arg2, %arg3, %arg4, %arg5] : memref<2x32x128x128xf32>',
      'bufferization.to_tensor %alloc : memref<2x32x128x128xf32>',
    ],
  ],
  [
    'Img2Col and GEMM',
    upTo(implicit, '%img2col'),
    [
      'affine_map<(d0) -> (d0 floordiv 9)>',
      'affine_map<(d0) -> ((d0 mod 9) floordiv 3)>',
      'affine_map<(d0) -> (d0 mod 3)>',
      'affine_map<(d0) -> (d0 floordiv 128)>',
      'affine_map<(d0) -> (d0 mod 128)>',
      'affine_map<(d0, d1) -> (d0 floordiv 128 + (d1 mod 9) floordiv 3)>',
      'affine_map<(d0, d1) -> (d0 + d1 - (d0 floordiv 128) * 128 - (d1 floordiv 3) * 3)>',
      'affine_map<(d0, d1, d2, d3) -> (d1, d3)>',
      'affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>',
      'affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>',
      'tensor.collapse_shape %arg1 [[0], [1, 2, 3]] : tensor<32x64x3x3xf32> into tensor<32x576xf32>',
      'tensor.empty() : tensor<2x576x16384xf32>',
      'iterator_types = ["parallel", "parallel", "parallel"]} outs(',
      'linalg.index 0',
      'linalg.index 1',
      'linalg.index 2',
      ': tensor<2x64x130x130xf32>',
      '} -> tensor<2x576x16384xf32>',
      'iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, ',
      ': tensor<32x576xf32>, tensor<2x576x16384xf32>)',
      '} -> tensor<2x32x16384xf32>',
      'tensor.expand_shape',
      '[[0], [1], [2, 3]] output_shape [2, 32, 128, 128] : tensor<2x32x16384xf32> into tensor<2x32x128x128xf32>',
    ],
  ],
  [
    'tiled, with fill and gather fused',
    step('%gather_tile'),
    [
      'tensor.collapse_shape %arg1 [[0], [1, 2, 3]] : tensor<32x64x3x3xf32> into tensor<32x576xf32>',
      'scf.forall (%arg2, %arg3, %arg4) in (2, 1, 512) shared_outs(',
      '[32, 576] [1, 1] : tensor<32x576xf32> to tensor<32x576xf32>',
      '[1, 576, 32] [1, 1, 1] : tensor<2x576x16384xf32> to tensor<1x576x32xf32>',
      'tensor.extract %arg0[',
      '} -> tensor<1x576x32xf32>',
      'linalg.fill',
      '-> tensor<1x32x32xf32>',
      ': tensor<32x576xf32>, tensor<1x576x32xf32>) outs(',
      '} -> tensor<1x32x32xf32>',
      'scf.forall.in_parallel',
      '[1, 32, 32] [1, 1, 1] : tensor<1x32x32xf32> into tensor<2x32x16384xf32>',
      'tensor.expand_shape',
    ],
  ],
  [
    'reduction tiled, filters promoted',
    implicit,
    [
      'scf.forall (%arg2, %arg3, %arg4) in (2, 1, 512) shared_outs(',
      'tensor.empty() : tensor<1x32x32xf32>',
      'linalg.fill',
      'scf.for %arg6 = %c0 to %c576 step %c32 iter_args(',
      '[32, 32] [1, 1] : tensor<32x576xf32> to tensor<32x32xf32>',
      'tensor.extract %arg0[',
      '} -> tensor<1x32x32xf32>',
      'nofold low[0, 0] high[0, 0]',
      'ins(%padded, ',
      ': tensor<32x32xf32>, tensor<1x32x32xf32>) outs(%arg7 : tensor<1x32x32xf32>)',
      'scf.yield',
      'scf.forall.in_parallel',
      'tensor.expand_shape',
    ],
  ],
  [
    'NCHW packed to NHWC',
    example('nchw-to-nhwc'),
    [
      'tensor.empty() : tensor<2x1x130x130x64xf32>',
      'tensor.pack %arg0 inner_dims_pos = [1] inner_tiles = [64] into',
      ': tensor<2x64x130x130xf32> -> tensor<2x1x130x130x64xf32>',
      'tensor.pack %arg1 inner_dims_pos = [1, 0] inner_tiles = [64, 32] into',
      ': tensor<32x64x3x3xf32> -> tensor<1x1x3x3x64x32xf32>',
      'into tensor<2x130x130x64xf32>',
      'into tensor<3x3x64x32xf32>',
      'linalg.fill',
      '-> tensor<2x128x128x32xf32>',
      ': tensor<2x130x130x64xf32>, tensor<3x3x64x32xf32>) outs(',
      ': tensor<2x128x128x32xf32> into tensor<2x1x128x128x32xf32>',
      'inner_dims_pos = [1] inner_tiles = [32] into',
      ': tensor<2x1x128x128x32xf32> -> tensor<2x32x128x128xf32>',
    ],
  ],
];

/** The slides' example of propagation, of upstream's tests. */
const propagation: Stage = [
  'a packing propagated through an elementwise op',
  sequence(
    `%func = ${match('func.func')}`,
    `transform.apply_patterns to %func { transform.apply_patterns.linalg.data_layout_propagation } : ${any}`,
  ),
  [
    'affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>',
    'tensor.empty() : tensor<16x4x16x32xi32>',
    'tensor.pack %arg0 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 32] into',
    ': tensor<128x256xi32> -> tensor<16x4x16x32xi32>',
    'indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%pack',
    'outs(%arg1 : tensor<16x4x16x32xi32>)',
    'arith.addi %in, %in : i32',
    'linalg.yield',
    '-> tensor<16x4x16x32xi32>',
    'return %1 : tensor<16x4x16x32xi32>',
  ],
];

/** With the payload of each. */
const stages: readonly (readonly [...Stage, string])[] = [
  ...convolutionStages.map((stage) => [...stage, payload] as const),
  [...propagation, packedElementwise],
];

describe.each(stages)('%s', (_, script, shown, before) => {
  it('has the structure of the slides', () => {
    const text = print(after(before, script));
    let at = 0;
    for (const part of shown) {
      const found = text.indexOf(part, at);
      expect({ part, isThere: found >= 0 }).toEqual({ part, isThere: true });
      at = found;
    }
  });

  it('computes the same', () => {
    // Blocks of 32 channels, for 64.
    const fitting = script.replace('0, 0, 64, 0, 0]', '0, 0, 32, 0, 0]');
    const executed = before === payload ? small : before;
    expect(firstDifference(parse(executed, 'payload.mlir'), after(executed, fitting))).toBeUndefined();
  });
});

it.skipIf(!hasMlirOpt)('is what mlir-opt-19 reads, verifies and prints', () => {
  const printed = stages.map(([, script, , before]) => print(after(before, script)).trim());
  expect(mlirOpt(printed).map((text) => text.trim())).toEqual(printed);
});
