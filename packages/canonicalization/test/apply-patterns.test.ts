/** `transform.apply_patterns`, and pattern sets without a test of their own. */
import { describe, expect, it } from 'vitest';
import { apply, applyUnchecked, found, one } from './support/apply-script.ts';

const payload = `func.func @f(%x: i32, %m: memref<4xi32>) -> i32 {
  %i = arith.constant 1 : index
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  %v = memref.subview %m[1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>
  %1 = memref.load %v[%i] : memref<2xi32, strided<[1], offset: 1>>
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}`;
const reads = `func.func @f(%m: memref<4xi32>) -> i32 {
  %c1 = arith.constant 1 : index
  %v = memref.subview %m[1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>
  %1 = memref.load %v[%c1] : memref<2xi32, strided<[1], offset: 1>>
  return %1 : i32
}`;
const slices = `func.func @f(%x: tensor<9x8xf32>, %d: tensor<4x8xf32>, %i: index) -> (tensor<3xf32>, tensor<4x8xf32>) {
  %0 = tensor.extract_slice %x[1, 2] [4, 6] [2, 1] : tensor<9x8xf32> to tensor<4x6xf32>
  %1 = tensor.extract_slice %0[2, 1] [1, 3] [1, 2] : tensor<4x6xf32> to tensor<3xf32>
  %e = tensor.empty() : tensor<1x3xf32>
  %2 = tensor.insert_slice %1 into %e[0, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<1x3xf32>
  %3 = tensor.insert_slice %2 into %d[1, 4] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<4x8xf32>
  return %1, %3 : tensor<3xf32>, tensor<4x8xf32>
}`;
const merged =
  /extract_slice %arg0\[5, 3\] \[1, 3\] \[2, 2\].*\n.*insert_slice %extracted_slice into %arg1\[1, 4\] \[1, 3\] \[1, 1\]/;

const unnecessary = `#map = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<4xf32>, %u: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%a, %u, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %1 = arith.addf %x, %z : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`;

/** Adds the input to a sum that begins with the same tensor. */
const doubled = (type: string): string => `#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%c: ${type}<4xf32>, %e: ${type}<4x3xf32>) ${type === 'tensor' ? '-> tensor<4xf32>' : ''} {
  ${type === 'tensor' ? '%0 =' : ''} linalg.generic {indexing_maps = [#row, affine_map<(d0, d1) -> (d0, d1)>, #row], iterator_types = ["parallel", "reduction"]} ins(%c, %e : ${type}<4xf32>, ${type}<4x3xf32>) outs(%c : ${type}<4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.addf %x, %o : f32
    linalg.yield %1 : f32
  } ${type === 'tensor' ? '-> tensor<4xf32>\n return %0 : tensor<4xf32>' : '\nreturn'}
}`;

describe('transform.apply_patterns', () => {
  const patterns = (names: readonly string[], attributes = '') =>
    `${found}\ntransform.apply_patterns to %f {
${names.map((name) => `transform.apply_patterns.${name}`).join('\n')}
} ${attributes} : ${one}`;

  it.each([
    ['canonicalization', payload, /arith.addi %arg0, %0 : i32/],
    ['memref.fold_memref_alias_ops', reads, /memref.load %arg0\[%c2\]/],
    ['memref.extract_address_computations', reads, /memref.load %subview_0\[%c0/],
    ['memref.expand_strided_metadata', reads, /memref.reinterpret_cast/],
    ['linalg.tiling_canonicalization', reads, /memref.subview/],
    ['scf.for_loop_canonicalization', reads, /memref.subview/],
    ['tensor.merge_consecutive_insert_extract_slice', slices, merged],
    ['linalg.erase_unnecessary_inputs', unnecessary, /ins\(%arg0 : tensor<4xf32>\)[^]*addf %in, %in/],
    ['linalg.erase_unnecessary_inputs', doubled('tensor'), /ins\(%arg0, %arg1[^]*addf %in, %out/],
    ['linalg.erase_unnecessary_inputs', doubled('memref'), /ins\(%arg1 [^]*addf %out, %out/],
  ])('%s', (name, module, expected) => {
    const { status, text } = apply(module, patterns([name]));
    expect(status).toBe('success');
    expect(text).toMatch(expected);
  });

  it.each([
    ['a transfer that may leave the buffer', 'false', '[%i, %i]'],
    ['a transfer at the start of the buffer', 'true', '[%c0, %c0]'],
  ])('extract no address of %s', (_, inBounds, indices) => {
    const { status, text } = apply(
      `func.func @f(%m: memref<8x12xf32>, %i: index, %x: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m${indices}, %x {in_bounds = [${inBounds}]} : memref<8x12xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}`,
      patterns(['memref.extract_address_computations']),
    );
    expect(status).toBe('success');
    expect(text).not.toContain('memref.subview');
  });

  it('extract no address under a mask', () => {
    const { diagnostics, text } = apply(
      `func.func @f(%m: memref<8xf32>, %i: index, %x: f32, %k: vector<4xi1>) -> vector<4xf32> {
  %0 = vector.mask %k { vector.transfer_read %m[%i], %x {in_bounds = [true]} : memref<8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}`,
      patterns(['memref.extract_address_computations']),
    );
    expect(diagnostics).toBe('');
    expect(text).not.toContain('memref.subview');
  });

  it('keeps the payload of a NaN', () => {
    const { status, text } = applyUnchecked(
      `func.func @f() -> tensor<2xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    %n = arith.constant 0x7FC00001 : f32
    tensor.yield %n : f32
  } : tensor<2xf32>
  return %0 : tensor<2xf32>
}`,
      patterns(['tensor.rewrite_as_constant']),
    );
    expect(status).toBe('success');
    expect(text).toContain('dense<0x7FC00001> : tensor<2xf32>');
  });

  it.each([
    ['a part of a tensor', 'tensor<4x3xf32>', '4, 3'],
    ['perhaps a part of a tensor', 'tensor<1x?xf32>', '1, %n'],
  ])('keeps an insertion into %s that is then inserted', (_, type, sizes) => {
    const { status, text } = apply(
      `func.func @f(%1: tensor<3xf32>, %e: ${type}, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %e, %c1 : ${type}
  %2 = tensor.insert_slice %1 into %e[0, 0] [1, 3] [1, 1] : tensor<3xf32> into ${type}
  %3 = tensor.insert_slice %2 into %d[0, 4] [${sizes}] [1, 1] : ${type} into tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}`,
      patterns(['tensor.merge_consecutive_insert_extract_slice']),
    );
    expect(status).toBe('success');
    expect(text.match(/tensor.insert_slice/g)).toHaveLength(2);
  });

  it('expands atomic updates, assignments too', () => {
    const updates = `func.func @f(%m: memref<4xf32>, %n: memref<4xi32>, %x: f32, %y: i32, %i: index) -> (f32, i32) {
  %0 = memref.atomic_rmw maxnumf %x, %m[%i] : (f32, memref<4xf32>) -> f32
  %1 = memref.atomic_rmw assign %y, %n[%i] : (i32, memref<4xi32>) -> i32
  return %0, %1 : f32, i32
}`;
    expect(applyUnchecked(updates, patterns(['memref.expand_ops'])).text).toMatchInlineSnapshot(`
      "module {
        func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xi32>, %arg2: f32, %arg3: i32, %arg4: index) -> (f32, i32) {
          %0 = memref.generic_atomic_rmw %arg0[%arg4] : memref<4xf32> {
          ^bb0(%arg5: f32):
            %2 = arith.maxnumf %arg5, %arg2 : f32
            memref.atomic_yield %2 : f32
          }
          %1 = memref.generic_atomic_rmw %arg1[%arg4] : memref<4xi32> {
          ^bb0(%arg5: i32):
            memref.atomic_yield %arg3 : i32
          }
          return %0, %1 : f32, i32
        }
      }
      "
    `);
  });

  it.each([
    [
      'indexed by a sum',
      `func.func @f(%x: tensor<?x3xf32>, %d: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0 + d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x3xf32>) outs(%d : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}`,
      /tensor.dim %arg1, %c0/,
    ],
    [
      'expanded to two unknown sizes',
      `func.func @f(%x: tensor<?xf32>, %m: index, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%m, %n] : tensor<?xf32> into tensor<?x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %1 : index
}`,
      /return %arg2/,
    ],
    [
      'allocated like another tensor',
      `func.func @f(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.alloc_tensor() copy(%x) : tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}`,
      /tensor.dim %arg0, %c0/,
    ],
    [
      'of an expanded buffer',
      `func.func @f(%x: memref<?xf32>, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = memref.expand_shape %x [[0, 1]] output_shape [%m, 4] : memref<?xf32> into memref<?x4xf32>
  %1 = memref.dim %0, %c0 : memref<?x4xf32>
  return %1 : index
}`,
      /return %arg1/,
    ],
    [
      'that is a slice of fewer dimensions',
      `func.func @f(%x: tensor<?x5x?xf32>, %m: index, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %x[0, 2, 0] [%m, 1, %n] [1, 1, 1] : tensor<?x5x?xf32> to tensor<?x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %1 : index
}`,
      /return %arg2/,
    ],
    [
      'of a dimension that does not exist',
      `func.func @f(%x: tensor<?xf32>) -> index {
  %c3 = arith.constant 3 : index
  %0 = bufferization.alloc_tensor() copy(%x) : tensor<?xf32>
  %1 = tensor.dim %0, %c3 : tensor<?xf32>
  return %1 : index
}`,
      /tensor.dim %0, %c3/,
    ],
  ])('resolves the size of a result %s', (_, module, expected) => {
    const set = patterns(['memref.resolve_ranked_shaped_type_result_dims']);
    expect(applyUnchecked(module, set).text).toMatch(expected);
  });

  it('changes nothing outside a target that is not isolated', () => {
    const loop = `func.func @f(%x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %dead = arith.muli %x, %x : i32
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %x) -> (i32) {
    %1 = arith.addi %x, %zero : i32
    %2 = arith.addi %sum, %1 : i32
    scf.yield %2 : i32
  }
  return %0 : i32
}`;
    const { text } = apply(
      loop,
      `%l = transform.structured.match ops{["scf.for"]} in %root : (${one}) -> ${one}
transform.apply_patterns to %l { transform.apply_patterns.canonicalization } : ${one}`,
    );
    expect(text).toContain('arith.muli %arg0, %arg0');
    expect(text.match(/arith.addi/g)).toHaveLength(1);
  });

  it('keeps handles to rewritten operations', () => {
    const { status } = apply(
      payload,
      `%load = transform.structured.match ops{["memref.load"]} in %root : (${one}) -> ${one}
${patterns(['canonicalization'])}
transform.annotate %load "seen" : ${one}`,
    );
    expect(status).toBe('success');
  });

  it.each([
    [
      'transform/not-converged',
      patterns(['canonicalization'], '{max_num_rewrites = 0 : i64}'),
      'greedy pattern application failed: 0 rewrites are not enough to converge; rewrites of the last round: fold of arith.addi (1)',
    ],
    [
      'transform/not-implemented',
      patterns(['gpu.eliminate_barriers']),
      "'transform.apply_patterns.gpu.eliminate_barriers' is not implemented",
    ],
  ])('%s', (code, script, message) => {
    const { status, diagnostics } = apply(payload, script);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`${message} [${code}]`);
  });
});

describe('transform.apply_patterns.memref.alloc_to_alloca', () => {
  it.each([
    ['', ['memref<4xf32>', 'memref<2x4xi8>']],
    ['size_limit(16)', ['memref<2x4xi8>']],
  ])('%s', (limit, moved) => {
    const { text } = apply(
      `func.func @f(%n: index, %x: f32, %o: memref<4xf32>, %p: memref<2x4xi8>) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc() : memref<2x4xi8>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  memref.copy %p, %c : memref<2x4xi8> to memref<2x4xi8>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<2x4xi8>
  %d = memref.alloc() : memref<f32>
  memref.store %x, %d[] : memref<f32>
  return
}`,
      `${found}\ntransform.apply_patterns to %f {
  transform.apply_patterns.memref.alloc_to_alloca ${limit}
} : ${one}`,
    );
    expect([...text.matchAll(/memref\.alloca\(\) : (\S+)/g)].map(([, type]) => type)).toEqual(moved);
  });
});

it.each([
  // Rows that fill the last tile of three, a tile of their own, and columns that are not in tiles.
  [5, '1, 0', true],
  [6, '3, 0', false],
  [6, '0, 2', false],
])('takes padding of the last tile into a packing: %d rows, padded by [%s]', (rows, high, isFolded) => {
  const [below = 0, behind = 0] = high.split(', ').map(Number);
  const [padded, tiles] = [`tensor<${rows + below}x${8 + behind}xf32>`, (rows + below) / 3];
  const packed = `tensor<${tiles}x${8 + behind}x3xf32>`;
  const { text, diagnostics } = apply(
    `func.func @f(%s: tensor<${rows}x8xf32>, %c: f32) -> ${packed} {
  %p = tensor.pad %s low[0, 0] high[${high}] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<${rows}x8xf32> to ${padded}
  %e = tensor.empty() : ${packed}
  %r = tensor.pack %p inner_dims_pos = [0] inner_tiles = [3] into %e : ${padded} -> ${packed}
  return %r : ${packed}
}`,
    `${found}
transform.apply_patterns to %f { transform.apply_patterns.tensor.fold_into_pack_and_unpack } : ${one}`,
  );
  expect(diagnostics).toBe('');
  expect(text.includes('tensor.pad')).toBe(!isFolded);
});
