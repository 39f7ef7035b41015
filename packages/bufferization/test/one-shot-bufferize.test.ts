import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { bufferizeModule } from '../src/index.ts';
import { bufferized, parse, registry } from './support.ts';

describe('what operations become', () => {
  it('keeps the operations that it does not have to replace', () => {
    const module = parse(`func.func @scalars(%x: f32) -> f32 {
  return %x : f32
}
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}`);
    const [scalars] = module.root.regions[0]!.blocks[0]!.operations;
    const after = unwrap(bufferizeModule(module, { registry }));
    expect(after.root.regions[0]!.blocks[0]!.operations[0]).toBe(scalars);
    expect(unwrap(bufferizeModule(after, { registry }))).toBe(after);
  });
});

/** ST Listing 8, reduced: packed filters for all tiles, a packed input tile, a microkernel, its slice inserted back. */
const packedNest = `func.func @conv(%in: tensor<1x8x12xf32>, %filters: tensor<4x8xf32>, %out: tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %flat = tensor.collapse_shape %out [[0], [1], [2, 3]] : tensor<1x4x3x4xf32> into tensor<1x4x12xf32>
  %all = scf.for %n = %c0 to %c1 step %c1 iter_args(%acc = %flat) -> (tensor<1x4x12xf32>) {
    %rows = tensor.extract_slice %acc[%n, 0, 0] [1, 4, 12] [1, 1, 1] : tensor<1x4x12xf32> to tensor<1x4x12xf32>
    %e0 = tensor.empty() : tensor<2x8x2xf32>
    %packed = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e0 : tensor<2x8x2xf32>) {
    ^bb0(%o: f32):
      %t = linalg.index 0 : index
      %c = linalg.index 1 : index
      %f = linalg.index 2 : index
      %row = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%t, %f)
      %x = tensor.extract %filters[%row, %c] : tensor<4x8xf32>
      linalg.yield %x : f32
    } -> tensor<2x8x2xf32>
    %tiles = scf.for %w = %c0 to %c12 step %c4 iter_args(%a1 = %rows) -> (tensor<1x4x12xf32>) {
      %e1 = tensor.empty() : tensor<1x8x4xf32>
      %window = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e1 : tensor<1x8x4xf32>) {
      ^bb0(%o: f32):
        %b = linalg.index 0 : index
        %c = linalg.index 1 : index
        %d = linalg.index 2 : index
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%d, %w)
        %x = tensor.extract %in[%b, %c, %at] : tensor<1x8x12xf32>
        linalg.yield %x : f32
      } -> tensor<1x8x4xf32>
      %inner = scf.for %f = %c0 to %c4 step %c2 iter_args(%a2 = %a1) -> (tensor<1x4x12xf32>) {
        %number = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%f)
        %tile = tensor.extract_slice %packed[%number, 0, 0] [1, 8, 2] [1, 1, 1] : tensor<2x8x2xf32> to tensor<8x2xf32>
        %part = tensor.extract_slice %a2[0, %f, %w] [1, 2, 4] [1, 1, 1] : tensor<1x4x12xf32> to tensor<1x2x4xf32>
        %k = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%window, %tile : tensor<1x8x4xf32>, tensor<8x2xf32>) outs(%part : tensor<1x2x4xf32>) attrs = {microkernel} {
        ^bb0(%x: f32, %y: f32, %o: f32):
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %o, %p : f32
          linalg.yield %s : f32
        } -> tensor<1x2x4xf32>
        %back = tensor.insert_slice %k into %a2[0, %f, %w] [1, 2, 4] [1, 1, 1] : tensor<1x2x4xf32> into tensor<1x4x12xf32>
        scf.yield %back : tensor<1x4x12xf32>
      }
      scf.yield %inner : tensor<1x4x12xf32>
    }
    %whole = tensor.insert_slice %tiles into %acc[%n, 0, 0] [1, 4, 12] [1, 1, 1] : tensor<1x4x12xf32> into tensor<1x4x12xf32>
    scf.yield %whole : tensor<1x4x12xf32>
  }
  %0 = tensor.expand_shape %all [[0], [1], [2, 3]] output_shape [1, 4, 3, 4] : tensor<1x4x12xf32> into tensor<1x4x3x4xf32>
  return %0 : tensor<1x4x3x4xf32>
}`;

describe('a packed and tiled nest (ST Listing 8)', () => {
  it('needs the packed tiles and no copy, and writes the output where it is', () => {
    const { text, allocations, copies, diagnostics } = bufferized(packedNest);
    expect(diagnostics).toBe('');
    expect({ allocations, copies }).toEqual({ allocations: 2, copies: 0 });
    expect(text).toMatchInlineSnapshot(`
      "func.func @conv(%arg0: memref<1x8x12xf32>, %arg1: memref<4x8xf32>, %arg2: memref<1x4x3x4xf32>) {
        %collapse_shape = memref.collapse_shape %arg2 [[0], [1], [2, 3]] : memref<1x4x3x4xf32> into memref<1x4x12xf32>
        %alloc = memref.alloc() {alignment = 64 : i64} : memref<2x8x2xf32>
        %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<1x8x4xf32>
        scf.for %arg3 = %c0 to %c1 step %c1 {
          %subview = memref.subview %collapse_shape[%arg3, 0, 0] [1, 4, 12] [1, 1, 1] : memref<1x4x12xf32> to memref<1x4x12xf32, strided<[48, 12, 1], offset: ?>>
          linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%alloc : memref<2x8x2xf32>) {
          ^bb0(%out: f32):
            %0 = linalg.index 0 : index
            %1 = linalg.index 1 : index
            %2 = linalg.index 2 : index
            %3 = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%0, %2)
            %4 = memref.load %arg1[%3, %1] : memref<4x8xf32>
            linalg.yield %4 : f32
          }
          scf.for %arg4 = %c0 to %c12 step %c4 {
            linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%alloc_0 : memref<1x8x4xf32>) {
            ^bb0(%out: f32):
              %0 = linalg.index 0 : index
              %1 = linalg.index 1 : index
              %2 = linalg.index 2 : index
              %3 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%2, %arg4)
              %4 = memref.load %arg0[%0, %1, %3] : memref<1x8x12xf32>
              linalg.yield %4 : f32
            }
            scf.for %arg5 = %c0 to %c4 step %c2 {
              %0 = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%arg5)
              %subview_1 = memref.subview %alloc[%0, 0, 0] [1, 8, 2] [1, 1, 1] : memref<2x8x2xf32> to memref<8x2xf32, strided<[2, 1], offset: ?>>
              %subview_2 = memref.subview %subview[0, %arg5, %arg4] [1, 2, 4] [1, 1, 1] : memref<1x4x12xf32, strided<[48, 12, 1], offset: ?>> to memref<1x2x4xf32, strided<[48, 12, 1], offset: ?>>
              linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_0, %subview_1 : memref<1x8x4xf32>, memref<8x2xf32, strided<[2, 1], offset: ?>>) outs(%subview_2 : memref<1x2x4xf32, strided<[48, 12, 1], offset: ?>>) attrs =  {microkernel} {
              ^bb0(%in: f32, %in_3: f32, %out: f32):
                %1 = arith.mulf %in, %in_3 : f32
                %2 = arith.addf %out, %1 : f32
                linalg.yield %2 : f32
              }
            }
          }
        }
        return
      }"
    `);
  });

  it('allocates in the iterations where allocations are not hoisted', () => {
    const { text } = bufferized(packedNest, { hoistAllocations: false });
    const depths = text
      .split('\n')
      .filter((line) => line.includes('memref.alloc('))
      .map((line) => line.search(/\S/));
    expect(depths).toEqual([4, 6]);
  });

  it('keeps the marks of the microkernel', () => {
    expect(bufferized(packedNest).text).toContain('attrs =  {microkernel}');
  });
});
