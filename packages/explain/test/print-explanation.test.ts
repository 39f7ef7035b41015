import { describe, expect, it } from 'vitest';
import { printExplanation } from '../src/index.ts';
import { generic, recorded, tiled } from './support/runs.ts';

describe('the explanation of a run', () => {
  it('has the steps, what each changed, and the handles', () => {
    expect(printExplanation(recorded(tiled))).toMatchInlineSnapshot(`
      "1 %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op  schedule.mlir:3:13
        %conv: linalg.conv_2d_nchw_fchw
      2 %generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op  schedule.mlir:4:12
        + #map = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
        + #map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
        + #map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
        @conv
        -     %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x2x7x8xf32>, tensor<4x2x3x3xf32>) outs(%arg2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>  // %conv
        +     %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x7x8xf32>, tensor<4x2x3x3xf32>) outs(%arg2 : tensor<1x4x5x6xf32>) {  // %generic
        +     ^bb0(%in: f32, %in_0: f32, %out: f32):
        +       %1 = arith.mulf %in, %in_0 : f32
        +       %2 = arith.addf %out, %1 : f32
        +       linalg.yield %2 : f32
        +     } -> tensor<1x4x5x6xf32>
        ~     return [-%0-]{+%0+} : tensor<1x4x5x6xf32>
        %conv: invalid from here on: nothing was found that it could stand for after this transform.structured.generalize, schedule.mlir:4:12
        %generic: linalg.generic
      3 %tiled, %loops:2 = transform.structured.tile_using_for %generic tile_sizes [0, 2, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)  schedule.mlir:5:20
        @conv
        -     %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x7x8xf32>, tensor<4x2x3x3xf32>) outs(%arg2 : tensor<1x4x5x6xf32>) {  // %generic
        -     ^bb0(%in: f32, %in_0: f32, %out: f32):
        -       %1 = arith.mulf %in, %in_0 : f32
        -       %2 = arith.addf %out, %1 : f32
        -       linalg.yield %2 : f32
        -     } -> tensor<1x4x5x6xf32>
        +     %c0 = arith.constant 0 : index
        +     %c4 = arith.constant 4 : index
        +     %c2 = arith.constant 2 : index
        +     %0 = scf.for %arg3 = %c0 to %c4 step %c2 iter_args(%arg4 = %arg2) -> (tensor<1x4x5x6xf32>) {  // %loops#0
        +       %c0_0 = arith.constant 0 : index
        +       %c6 = arith.constant 6 : index
        +       %c3 = arith.constant 3 : index
        +       %1 = scf.for %arg5 = %c0_0 to %c6 step %c3 iter_args(%arg6 = %arg4) -> (tensor<1x4x5x6xf32>) {  // %loops#1
        +         %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, %arg5] [1, 2, 7, 5] [1, 1, 1, 1] : tensor<1x2x7x8xf32> to tensor<1x2x7x5xf32>
        +         %extracted_slice_1 = tensor.extract_slice %arg1[%arg3, 0, 0, 0] [2, 2, 3, 3] [1, 1, 1, 1] : tensor<4x2x3x3xf32> to tensor<2x2x3x3xf32>
        +         %extracted_slice_2 = tensor.extract_slice %arg6[0, %arg3, 0, %arg5] [1, 2, 5, 3] [1, 1, 1, 1] : tensor<1x4x5x6xf32> to tensor<1x2x5x3xf32>
        +         %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%extracted_slice, %extracted_slice_1 : tensor<1x2x7x5xf32>, tensor<2x2x3x3xf32>) outs(%extracted_slice_2 : tensor<1x2x5x3xf32>) {  // %tiled
        +         ^bb0(%in: f32, %in_3: f32, %out: f32):
        +           %3 = arith.mulf %in, %in_3 : f32
        +           %4 = arith.addf %out, %3 : f32
        +           linalg.yield %4 : f32
        +         } -> tensor<1x2x5x3xf32>
        +         %inserted_slice = tensor.insert_slice %2 into %arg6[0, %arg3, 0, %arg5] [1, 2, 5, 3] [1, 1, 1, 1] : tensor<1x2x5x3xf32> into tensor<1x4x5x6xf32>
        +         scf.yield %inserted_slice : tensor<1x4x5x6xf32>
        +       }
        +       scf.yield %1 : tensor<1x4x5x6xf32>
        +     }
        ~     return [-%0-]{+%0+} : tensor<1x4x5x6xf32>
        %generic: invalid from here on: nothing was found that it could stand for after this transform.structured.tile_using_for, schedule.mlir:5:20
        %tiled: linalg.generic
        %loops#0: scf.for
        %loops#1: scf.for
      "
    `);
  });

  it('says what did not apply and why, what was taken back, and folds what changed nothing', () => {
    const lines = `${generic}
%funcs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
transform.alternatives %funcs : !transform.any_op {
^bb0(%f: !transform.any_op):
  %a = transform.structured.match ops{["linalg.generic"]} in %f : (!transform.any_op) -> !transform.any_op
  transform.test.rename %a "arith.addf" "arith.subf" : !transform.any_op
  %t, %l = transform.structured.tile_using_for %a tile_sizes [0, 3] {exact} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
}, {
^bb0(%f: !transform.any_op):
  %a = transform.structured.match ops{["linalg.generic"]} in %f : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["arith.addf"]} in %f : (!transform.any_op) -> !transform.any_op
}`;
    expect(printExplanation(recorded(lines))).toMatchInlineSnapshot(`
      "1 %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op  schedule.mlir:3:13
        %conv: linalg.conv_2d_nchw_fchw
      2 %generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op  schedule.mlir:4:12
        + #map = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
        + #map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
        + #map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
        @conv
        -     %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x2x7x8xf32>, tensor<4x2x3x3xf32>) outs(%arg2 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>  // %conv
        +     %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x7x8xf32>, tensor<4x2x3x3xf32>) outs(%arg2 : tensor<1x4x5x6xf32>) {  // %generic
        +     ^bb0(%in: f32, %in_0: f32, %out: f32):
        +       %1 = arith.mulf %in, %in_0 : f32
        +       %2 = arith.addf %out, %1 : f32
        +       linalg.yield %2 : f32
        +     } -> tensor<1x4x5x6xf32>
        ~     return [-%0-]{+%0+} : tensor<1x4x5x6xf32>
        %conv: invalid from here on: nothing was found that it could stand for after this transform.structured.generalize, schedule.mlir:4:12
        %generic: linalg.generic
      3 %funcs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op  schedule.mlir:5:10
        %funcs: func.func
      4 transform.alternatives %funcs : !transform.any_op {  schedule.mlir:6:1
        5 alternative 0  (did not apply, taken back)
          6 %a = transform.structured.match ops{["linalg.generic"]} in %f : (!transform.any_op) -> !transform.any_op  schedule.mlir:8:8
            %a: linalg.generic
          7 transform.test.rename %a "arith.addf" "arith.subf" : !transform.any_op  schedule.mlir:9:3
            @conv
            -       %2 = arith.addf %out, %1 : f32
            +       %2 = arith.subf %out, %1 : f32
            ~       linalg.yield [-%2-]{+%2+} : f32
          8 %t, %l = transform.structured.tile_using_for %a tile_sizes [0, 3] {exact} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)  schedule.mlir:10:12  (did not apply)
            did not apply: tile size 3 does not divide dimension 1 of extent 4: split it first [tile/remainder]
              payload.mlir:2:8: payload op
              payload.mlir:2:8: as it is now: %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x7x8xf32>, tensor<4x2x3x3xf32>) outs(%arg2 : tensor<1x4x5x6xf32>) { ^bb0(%in: f32, %in_0: f32, %out: f32):   %1 = arith.mulf %in, %in_0 : f32   %2 = arith.subf %out, %1 : f32   linalg.yield %2 : f32 } -> tensor<1x4x5x6xf32>
            %generic: invalid from here on: invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them, schedule.mlir:10:12
            %a: invalid from here on: invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them, schedule.mlir:10:12
        9 alternative 1
          10-11 2 transform.structured.match: no change
      "
    `);
  });

  it('is filtered by step, op and function', () => {
    const run = recorded(tiled);
    expect(printExplanation(run, { steps: [1, 1] })).toMatchInlineSnapshot(`
      "1 %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op  schedule.mlir:3:13
        %conv: linalg.conv_2d_nchw_fchw
      "
    `);
    const loops = printExplanation(run, { op: 'scf.*', function: 'conv' });
    expect(loops.split('\n').filter((line) => !line.includes('scf.'))).toMatchInlineSnapshot(`
      [
        "3 %tiled, %loops:2 = transform.structured.tile_using_for %generic tile_sizes [0, 2, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)  schedule.mlir:5:20",
        "  @conv",
        "  +       }",
        "  +     }",
        "",
      ]
    `);
    expect(printExplanation(run, { function: 'other' })).toBe('');
  });

  it('is painted by the kind of each line', () => {
    const run = recorded(tiled);
    const painted = printExplanation(run, { paint: (kind, text) => `${kind}|${text}` });
    const lines = painted.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(line.indexOf('|') + 1)).join('\n')).toBe(
      printExplanation(run).trimEnd(),
    );
    const kinds = (start: RegExp) =>
      new Set(
        lines
          .filter((line) => start.test(line.slice(line.indexOf('|') + 1)))
          .map((line) => line.split('|')[0]),
      );
    expect(kinds(/^\d/)).toEqual(new Set(['step']));
    expect(kinds(/^ +- /)).toEqual(new Set(['removed']));
    expect(kinds(/^ +\+ /)).toEqual(new Set(['added']));
    expect(kinds(/^ +~ /)).toEqual(new Set(['changed']));
    expect(kinds(/^ +%/)).toEqual(new Set(['handle']));
  });
});
