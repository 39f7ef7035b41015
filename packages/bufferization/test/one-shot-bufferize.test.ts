import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { oneShotBufferize } from '../src/index.ts';
import { bufferized, parse } from './support.ts';

describe('what operations become', () => {
  it.each([
    [
      'a slice is a view',
      `func.func @f(%t: tensor<4x8xf32>, %i: index) -> f32 {
  %0 = tensor.extract_slice %t[%i, 2] [2, 3] [1, 2] : tensor<4x8xf32> to tensor<2x3xf32>
  %1 = tensor.extract %0[%i, %i] : tensor<2x3xf32>
  return %1 : f32
}`,
      `func.func @f(%arg0: memref<4x8xf32>, %arg1: index) -> f32 {
  %subview = memref.subview %arg0[%arg1, 2] [2, 3] [1, 2] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 2], offset: ?>>
  %0 = memref.load %subview[%arg1, %arg1] : memref<2x3xf32, strided<[8, 2], offset: ?>>
  return %0 : f32
}`,
    ],
    [
      'a slice of lower rank keeps the strides of the dimensions that stay, and collapses',
      `func.func @f(%t: tensor<4x2x3x5xf32>, %i: index) -> f32 {
  %0 = tensor.extract_slice %t[%i, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : tensor<4x2x3x5xf32> to tensor<2x3x5xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %2 = tensor.extract %1[%i, %i] : tensor<6x5xf32>
  return %2 : f32
}`,
      `func.func @f(%arg0: memref<4x2x3x5xf32>, %arg1: index) -> f32 {
  %subview = memref.subview %arg0[%arg1, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : memref<4x2x3x5xf32> to memref<2x3x5xf32, strided<[15, 5, 1], offset: ?>>
  %collapse_shape = memref.collapse_shape %subview [[0, 1], [2]] : memref<2x3x5xf32, strided<[15, 5, 1], offset: ?>> into memref<6x5xf32, strided<[5, 1], offset: ?>>
  %0 = memref.load %collapse_shape[%arg1, %arg1] : memref<6x5xf32, strided<[5, 1], offset: ?>>
  return %0 : f32
}`,
    ],
    [
      'a slice whose rows are apart is brought together before it collapses',
      `func.func @f(%t: tensor<4x8xf32>, %i: index) -> f32 {
  %0 = tensor.extract_slice %t[0, 0] [4, 3] [1, 1] : tensor<4x8xf32> to tensor<4x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %2 = tensor.extract %1[%i] : tensor<12xf32>
  return %2 : f32
}`,
      `func.func @f(%arg0: memref<4x8xf32>, %arg1: index) -> f32 {
  %subview = memref.subview %arg0[0, 0] [4, 3] [1, 1] : memref<4x8xf32> to memref<4x3xf32, strided<[8, 1]>>
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x3xf32>
  memref.copy %subview, %alloc : memref<4x3xf32, strided<[8, 1]>> to memref<4x3xf32>
  %collapse_shape = memref.collapse_shape %alloc [[0, 1]] : memref<4x3xf32> into memref<12xf32>
  %0 = memref.load %collapse_shape[%arg1] : memref<12xf32>
  return %0 : f32
}`,
    ],
    [
      'reshaping back gives the buffer itself',
      `func.func @f(%t: tensor<2x3xf32>, %x: f32) -> tensor<2x3xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}`,
      `func.func @f(%arg0: memref<2x3xf32>, %arg1: f32) {
  %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] : memref<2x3xf32> into memref<6xf32>
  linalg.fill ins(%arg1 : f32) outs(%collapse_shape : memref<6xf32>)
  return
}`,
    ],
    [
      'an element is stored, a size is asked of the buffer',
      `func.func @f(%t: tensor<?xf32>, %i: index, %x: f32) -> (tensor<?xf32>, index) {
  %0 = tensor.insert %x into %t[%i] : tensor<?xf32>
  %1 = tensor.dim %0, %i : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, index
}`,
      `func.func @f(%arg0: memref<?xf32>, %arg1: index, %arg2: f32) -> index {
  memref.store %arg2, %arg0[%arg1] : memref<?xf32>
  %dim = memref.dim %arg0, %arg1 : memref<?xf32>
  return %dim : index
}`,
    ],
    [
      'a tensor of undefined content is an allocation',
      `func.func @f(%n: index, %x: f32) -> tensor<?x4xf32> {
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}`,
      `func.func @f(%arg0: index, %arg1: f32) -> memref<?x4xf32> {
  %alloc = memref.alloc(%arg0) {alignment = 64 : i64} : memref<?x4xf32>
  linalg.fill ins(%arg1 : f32) outs(%alloc : memref<?x4xf32>)
  return %alloc : memref<?x4xf32>
}`,
    ],
    [
      'elements given one by one are stored, a splat fills',
      `func.func @f(%x: f32, %y: f32) -> (tensor<1x2xf32>, tensor<4xf32>) {
  %0 = tensor.from_elements %x, %y : tensor<1x2xf32>
  %1 = tensor.splat %x : tensor<4xf32>
  return %0, %1 : tensor<1x2xf32>, tensor<4xf32>
}`,
      `func.func @f(%arg0: f32, %arg1: f32) -> (memref<1x2xf32>, memref<4xf32>) {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x2xf32>
  memref.store %arg0, %alloc[%c0, %c0_0] : memref<1x2xf32>
  memref.store %arg1, %alloc[%c0_1, %c1] : memref<1x2xf32>
  %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  linalg.fill ins(%arg0 : f32) outs(%alloc_2 : memref<4xf32>)
  return %alloc, %alloc_2 : memref<1x2xf32>, memref<4xf32>
}`,
    ],
    [
      'a computed tensor and a margin are structured operations',
      `func.func @f(%t: tensor<3xf32>, %x: f32) -> tensor<6xf32> {
  %0 = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index):
    %e = tensor.extract %t[%i] : tensor<3xf32>
    tensor.yield %e : f32
  } : tensor<3xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}`,
      `func.func @f(%arg0: memref<3xf32>, %arg1: f32) -> memref<6xf32> {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<6xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%alloc : memref<6xf32>) {
  ^bb0(%out: f32):
    %0 = linalg.index 0 : index
    %1 = memref.load %arg0[%0] : memref<3xf32>
    linalg.yield %1 : f32
  }
  %subview = memref.subview %alloc[1] [3] [1] : memref<6xf32> to memref<3xf32, strided<[1], offset: 1>>
  memref.copy %arg0, %subview : memref<3xf32> to memref<3xf32, strided<[1], offset: 1>>
  return %alloc : memref<6xf32>
}`,
    ],
    [
      'buffers that the program names are used as they are',
      `func.func @f(%m: memref<4xf32>, %x: f32) {
  %0 = bufferization.to_tensor %m restrict writable : memref<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}`,
      `func.func @f(%arg0: memref<4xf32>, %arg1: f32) {
  linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<4xf32>)
  return
}`,
    ],
    [
      'alloc_tensor copies, to_memref hands out the buffer',
      `func.func @f(%t: tensor<4xf32>, %x: f32) -> (memref<4xf32>, tensor<4xf32>) {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %1 = bufferization.to_memref %0 : memref<4xf32>
  return %1, %t : memref<4xf32>, tensor<4xf32>
}`,
      `func.func @f(%arg0: memref<4xf32>, %arg1: f32) -> memref<4xf32> {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
  return %alloc : memref<4xf32>
}`,
    ],
  ])('%s', (_, before, after) => {
    const { text, diagnostics } = bufferized(before);
    expect(diagnostics).toBe('');
    expect(text).toBe(after);
  });

  it('makes one global of equal constants, and copies what is written or returned', () => {
    const { text } = bufferized(`func.func @f(%i: index, %x: f32) -> (f32, tensor<2xf32>, tensor<2xf32>) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  %1 = tensor.insert %x into %b[%i] : tensor<2xf32>
  return %0, %1, %a : f32, tensor<2xf32>, tensor<2xf32>
}
memref.global "private" constant @__constant_2xf32 : memref<1xf32> = dense<0.0>`);
    expect(text).toMatchInlineSnapshot(`
      "memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
      func.func @f(%arg0: index, %arg1: f32) -> (f32, memref<2xf32>, memref<2xf32>) {
        %0 = memref.get_global @__constant_2xf32_0 : memref<2xf32>
        %1 = memref.get_global @__constant_2xf32_0 : memref<2xf32>
        %2 = memref.load %0[%arg0] : memref<2xf32>
        %alloc = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
        memref.copy %1, %alloc : memref<2xf32> to memref<2xf32>
        memref.store %arg1, %alloc[%arg0] : memref<2xf32>
        %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
        memref.copy %0, %alloc_0 : memref<2xf32> to memref<2xf32>
        return %2, %alloc, %alloc_0 : f32, memref<2xf32>, memref<2xf32>
      }
      memref.global "private" constant @__constant_2xf32 : memref<1xf32> = dense<0.000000e+00>"
    `);
  });

  it('keeps the operations that it does not have to replace', () => {
    const module = parse(`func.func @scalars(%x: f32) -> f32 {
  return %x : f32
}
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}`);
    const [scalars] = module.root.regions[0]!.blocks[0]!.operations;
    const after = unwrap(oneShotBufferize(module));
    expect(after.root.regions[0]!.blocks[0]!.operations[0]).toBe(scalars);
    expect(unwrap(oneShotBufferize(after))).toBe(after);
  });
});

/** ST Listing 8 in small: packed filters for all tiles, a packed tile of the input, a microkernel, its slice put back. */
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

describe('function boundaries', () => {
  const identity = `func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}`;

  it('drops returned arguments, or keeps them', () => {
    expect(bufferized(identity).text).toBe(
      'func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {\n  return\n}',
    );
    expect(bufferized(identity, { dropEquivalentBufferResults: false }).text).toContain(
      'return %arg1, %arg0 : memref<4xf32>, memref<4xf32>',
    );
  });

  it.each([
    ['identity-layout-map', 'memref<2x3xf32>', 'memref<1x3xf32>', 1],
    [
      'fully-dynamic-layout-map',
      'memref<2x3xf32, strided<[?, ?], offset: ?>>',
      'memref<1x3xf32, strided<[?, ?], offset: ?>>',
      0,
    ],
    [
      'infer-layout-map',
      'memref<2x3xf32, strided<[?, ?], offset: ?>>',
      'memref<1x3xf32, strided<[?, ?], offset: ?>>',
      0,
    ],
  ] as const)('takes and gives buffers of %s', (functionBoundaryTypeConversion, input, result, copies) => {
    const outcome = bufferized(
      `func.func @f(%t: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %0 = tensor.extract_slice %t[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
func.func private @external(tensor<2x3xf32>)`,
      { functionBoundaryTypeConversion },
    );
    expect(outcome.text).toContain(`@f(%arg0: ${input}) -> ${result}`);
    expect(outcome.text).toContain(`func.func private @external(${input})`);
    expect(outcome.copies).toBe(copies);
  });

  it('leaves the types of functions and casts inside', () => {
    const { text, diagnostics } = bufferized(
      `func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f2(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f2(tensor<4xf32>) -> tensor<4xf32>`,
      { bufferizeFunctionBoundaries: false },
    );
    expect(diagnostics).toBe('');
    expect(text).toMatchInlineSnapshot(`
      "func.func @f(%arg0: tensor<4xf32>, %arg1: f32) -> tensor<4xf32> {
        %0 = bufferization.to_memref %arg0 : memref<4xf32, strided<[?], offset: ?>>
        %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
        linalg.fill ins(%arg1 : f32) outs(%alloc : memref<4xf32>)
        %1 = bufferization.to_tensor %alloc restrict : memref<4xf32>
        %2 = call @f2(%1) : (tensor<4xf32>) -> tensor<4xf32>
        %3 = bufferization.to_memref %2 : memref<4xf32>
        %4 = bufferization.to_tensor %3 restrict : memref<4xf32>
        return %4 : tensor<4xf32>
      }
      func.func private @f2(tensor<4xf32>) -> tensor<4xf32>"
    `);
  });

  it('forgets what was said to bufferization and keeps other attributes', () => {
    const { text } = bufferized(
      `func.func @f(%a: tensor<4xf32> {bufferization.writable = false, llvm.noalias}, %b: tensor<4xf32> {bufferization.writable = true}, %x: f32) -> (tensor<4xf32> {test.mark}, tensor<4xf32> {test.other}) {
  %0 = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0, %b : tensor<4xf32>, tensor<4xf32>
}`,
    );
    expect(text).toContain(
      'func.func @f(%arg0: memref<4xf32> {llvm.noalias}, %arg1: memref<4xf32>, %arg2: f32) -> (memref<4xf32> {test.mark})',
    );
    expect(text).toContain('outs(%alloc : memref<4xf32>)');
  });

  it('gives no buffer twice', () => {
    const outcome = bufferized(`func.func @f(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.splat %x : tensor<4xf32>
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}`);
    expect(outcome.copies).toBe(1);
    expect(outcome.text).toContain('return %alloc, %alloc_0 : memref<4xf32>, memref<4xf32>');
  });
});

describe('calls', () => {
  const callee = `func.func private @put(%t: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
`;

  it('use the buffer that the callee changed', () => {
    const { text } = bufferized(`func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> f32 {
  %0 = call @put(%t, %i, %x) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}
${callee}`);
    expect(text).toContain('call @put(%arg0, %arg1, %arg2) : (memref<4xf32>, index, f32) -> ()');
    expect(text).toContain('memref.load %arg0[%arg1]');
  });

  it('copy an operand that is read afterwards and that the callee writes', () => {
    const { text, copies } = bufferized(`${callee}func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> f32 {
  %0 = call @put(%t, %i, %x) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1 : f32
}`);
    expect(copies).toBe(1);
    expect(text).toContain('call @put(%alloc, %arg1, %arg2)');
    expect(text).toContain('memref.load %arg0[%arg1]');
  });

  it('bring a part into the layout of the boundary, and back', () => {
    const { text } =
      bufferized(`${callee}func.func @f(%t: tensor<8x2xf32>, %i: index, %x: f32) -> tensor<8x2xf32> {
  %0 = tensor.extract_slice %t[0, 1] [4, 1] [2, 1] : tensor<8x2xf32> to tensor<4xf32>
  %1 = call @put(%0, %i, %x) : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %t[0, 1] [4, 1] [2, 1] : tensor<4xf32> into tensor<8x2xf32>
  return %2 : tensor<8x2xf32>
}`);
    expect(text.split('\n').slice(4)).toEqual([
      'func.func @f(%arg0: memref<8x2xf32>, %arg1: index, %arg2: f32) {',
      '  %subview = memref.subview %arg0[0, 1] [4, 1] [2, 1] : memref<8x2xf32> to memref<4xf32, strided<[4], offset: 1>>',
      '  %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>',
      '  memref.copy %subview, %alloc : memref<4xf32, strided<[4], offset: 1>> to memref<4xf32>',
      '  call @put(%alloc, %arg1, %arg2) : (memref<4xf32>, index, f32) -> ()',
      '  memref.copy %alloc, %subview : memref<4xf32> to memref<4xf32, strided<[4], offset: 1>>',
      '  return',
      '}',
    ]);
  });

  it('assume that an unknown function reads, writes and returns everything', () => {
    const { copies } = bufferized(`func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = call @g(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %t[%i] : tensor<4xf32>
  return %1 : f32
}`);
    expect(copies).toBe(1);
  });
});

describe('what cannot be bufferized', () => {
  it.each([
    [
      'an operation without a known effect on buffers',
      `func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}`,
      "test.mlir:2:8: error: 'tensor.concat' cannot be bufferized: it has no known effect on buffers [bufferize/unsupported-op]",
    ],
    [
      'arithmetic on tensors',
      `func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}`,
      "'arith.addf' cannot be bufferized",
    ],
    [
      'a tensor without a rank',
      `func.func @f(%a: tensor<2xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %a : tensor<2xf32> to tensor<*xf32>
  return %0 : tensor<*xf32>
}`,
      "'tensor.cast' cannot be bufferized: it has a tensor without a rank",
    ],
    [
      'a tensor of a buffer that others may use',
      `func.func @f(%m: memref<2xf32>) -> tensor<2xf32> {
  %0 = bufferization.to_tensor %m : memref<2xf32>
  return %0 : tensor<2xf32>
}`,
      "it is not marked 'restrict'",
    ],
    [
      'tensors in a loop that is not scf.for',
      `func.func @f(%t: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %0 = scf.while (%a = %t) : (tensor<2xf32>) -> tensor<2xf32> {
    scf.condition(%c) %a : tensor<2xf32>
  } do {
  ^bb0(%a: tensor<2xf32>):
    scf.yield %a : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}`,
      "'scf.while' cannot be bufferized",
    ],
    [
      'tensors inside an operation that it does not know',
      `func.func @f(%t: tensor<2xf32>, %n: index) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    %0 = tensor.extract %t[%i] : tensor<2xf32>
    scf.reduce
  }
  return
}`,
      "'tensor.extract' cannot be bufferized: it uses tensors inside a 'scf.parallel'",
    ],
    [
      'functions that call each other in a circle',
      `func.func @f(%t: tensor<2xf32>) {
  call @g(%t) : (tensor<2xf32>) -> ()
  return
}
func.func @g(%t: tensor<2xf32>) {
  call @f(%t) : (tensor<2xf32>) -> ()
  return
}`,
      'test.mlir:1:1: error: @f hands tensors to functions that call each other in a circle [bufferize/recursive-call]',
    ],
    [
      'a function of tensors as a value',
      `func.func @f() {
  %0 = constant @g : (tensor<2xf32>) -> ()
  return
}
func.func private @g(tensor<2xf32>)`,
      "'func.constant' cannot be bufferized: it uses a function of tensors as a value",
    ],
    [
      'a carried tensor that is replaced by one of another size',
      `func.func @f(%t: tensor<?xf32>, %n: index, %c0: index, %c1: index) -> tensor<?xf32> {
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %1 = tensor.empty(%i) : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}`,
      'iteration argument #0 is not updated in place and may change its size [bufferize/loop-carried-size]',
    ],
  ])('%s', (_, text, message) => {
    const { status, diagnostics } = bufferized(text);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(message);
  });

  it('leaves the module as it was', () => {
    const module = parse(`func.func @ok(%t: tensor<2xf32>) -> tensor<2xf32> {
  return %t : tensor<2xf32>
}
func.func @bad(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}`);
    const before = JSON.stringify(module, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(oneShotBufferize(module).status).toBe('definite');
    expect(
      JSON.stringify(module, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).toBe(before);
  });
});
