/** The passes of this package as schedule steps. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, { difference: firstDifference, attachments: patternSets });
/** For what the interpreter does not execute, or only for some sizes. */
const applyUnchecked = scriptTester(transforms, { attachments: patternSets });
const one = '!transform.any_op';
const found = `%f = transform.structured.match ops{["func.func"]} in %root : (${one}) -> ${one}`;

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

  it.each([
    ['a part of a tensor', 'tensor<4x3xf32>', '4, 3'],
    ['perhaps a part of a tensor', 'tensor<1x?xf32>', '1, %n'],
  ])('keeps what is inserted into %s, which is inserted then', (_, type, sizes) => {
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

  it('expands atomic updates, that to a value too', () => {
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
      'of a dimension that there is not',
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

  it('leaves what is around a target that is not isolated', () => {
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

  it('keeps the handles to what it rewrites', () => {
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
      'greedy pattern application failed',
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

describe('transform.apply_licm', () => {
  it('transform/no-loop', () => {
    const { diagnostics } = apply(payload, `${found}\ntransform.apply_licm to %f : ${one}`);
    expect(diagnostics).toContain('transform applied to the wrong op kind [transform/no-loop]');
  });
});

describe('transform.apply_dce', () => {
  it('erases what only the unused used, in regions too, and keeps effects', () => {
    const { text } = apply(
      `func.func @f(%x: i32, %m: memref<4xi32>, %i: index, %c: i1) -> i32 {
  %0 = arith.muli %x, %x : i32
  memref.store %0, %m[%i] : memref<4xi32>
  scf.if %c {
    %1 = arith.addi %0, %x : i32
    %2 = arith.addi %1, %x : i32
  }
  %3 = memref.load %m[%i] : memref<4xi32>
  return %x : i32
}`,
      `${found}\ntransform.apply_dce to %f : ${one}`,
    );
    expect(text).toContain('memref.store');
    expect(text).not.toMatch(/arith.addi|memref.load|scf.if/);
  });
});

describe('transform.affine.simplify_bounded_affine_ops', () => {
  const bounded = `func.func @f(%n: index, %x: i32) -> (index, index, index) {
  %c16 = arith.constant 16 : index
  %0 = arith.remui %n, %c16 : index
  %1 = affine.min affine_map<()[s0] -> (30, 40 - s0)>()[%0]
  %2 = affine.min affine_map<()[s0] -> (8, s0 + 1)>()[%0]
  %3 = affine.min affine_map<()[s0, s1] -> (s0 + s1, s1 + 16)>()[%0, %n]
  %4 = arith.addi %x, %x : i32
  return %1, %2, %3 : index, index, index
}`;
  const simplified = (names: readonly string[], values: string, upper = 16) =>
    apply(
      bounded,
      `%t = transform.structured.match ops{[${names.map((name) => `"${name}"`).join(', ')}]} in %root : (${one}) -> ${one}
%v = transform.structured.match ops{["${values}"]} in %root : (${one}) -> ${one}
transform.affine.simplify_bounded_affine_ops %t with [%v : ${one}] within [0] and [${upper}] : ${one}`,
    );

  it('decides what the bounds decide', () => {
    const { text } = simplified(['affine.min'], 'arith.remui', 11);
    expect(text).toContain('arith.constant 30');
    expect(text).toContain('affine_map<()[s0] -> (8, s0 + 1)>');
    expect(text).toContain('affine.apply affine_map<()[s0, s1] -> (s0 + s1)>');
  });

  it('does not take the upper bound for one of the values', () => {
    expect(simplified(['affine.min'], 'arith.remui', 11).text).not.toContain('(-s0 + 40, 30)');
    expect(simplified(['affine.min'], 'arith.remui', 12).text).toContain('(-s0 + 40, 30)');
  });

  it.each([
    ['transform/bounded-value', ['affine.min'], 'arith.addi', 'single-result index-typed ops'],
    ['transform/not-extreme', ['arith.addi'], 'arith.remui', 'target must be affine.min or affine.max'],
    ['transform/bounded-target', ['affine.min'], 'affine.min', 'target op result must not be constrainted'],
  ])('%s', (code, names, values, message) => {
    const { status, diagnostics } = simplified(names, values);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`${message} [${code}]`);
  });
});

describe('transform.structured.hoist_redundant_vector_transfers', () => {
  const script = `${found}
%0 = transform.structured.hoist_redundant_vector_transfers %f : (${one}) -> ${one}`;
  const loop = (body: string, before = ''): string => `func.func @f(%m: memref<8xf32>, %x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  ${before}
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
    ${body}
  }
  return
}`;
  const sum = '%1 = arith.addf %0, %x : vector<4xf32>';
  const write = (at: string, value = '%1'): string =>
    `vector.transfer_write ${value}, %m[${at}] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>`;
  const before = (text: string, a: string, b: string): boolean => text.indexOf(a) < text.indexOf(b);

  it.each([
    ['moves a pair', `${sum}\n${write('%c0')}`, true],
    ['passes an access beside it', `${sum}\n${write('%c0')}\n${write('%c4')}`, true],
    ['keeps what overlaps', `${sum}\n${write('%c0')}\n${write('%c1')}`, false],
    [
      'keeps what another op may read',
      `${sum}\n${write('%c0')}\n%v = memref.load %m[%c0] : memref<8xf32>`,
      false,
    ],
    ['keeps what is written to another place', `${sum}\n${write('%c1')}`, false],
  ])('%s', (_, body, moves) => {
    const { text } = apply(loop(body), script);
    expect(before(text, 'transfer_read', 'scf.for')).toBe(moves);
    expect(text.includes('iter_args')).toBe(moves);
  });

  it('moves a read that nothing is written beside, out of one loop', () => {
    const { text } = apply(loop('%s = vector.reduction <add>, %0 : vector<4xf32> into f32'), script);
    expect(before(text, 'transfer_read', 'scf.for')).toBe(true);
  });

  it('keeps a read beside a write to a view', () => {
    const view = `%v = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>`;
    const body = 'vector.transfer_write %x, %v[%c0] : vector<4xf32>, memref<4xf32, strided<[1]>>';
    expect(before(apply(loop(body, view), script).text, 'transfer_read', 'scf.for')).toBe(false);
  });

  it('refuses what is no function', () => {
    const { diagnostics } = apply(loop(''), script.replace('%f :', '%root :'));
    expect(diagnostics).toContain('transform applied to the wrong op kind [hoist-transfers/no-function]');
  });
});

describe('transform.loop.hoist_loop_invariant_subsets', () => {
  const script = `%l = transform.structured.match ops{["scf.for"]} in %root : (${one}) -> ${one}
transform.loop.hoist_loop_invariant_subsets %l : ${one}
transform.annotate %l "seen" : ${one}`;
  const carried = (body: string, type = 'tensor<8x8xf32>') =>
    `func.func @f(%t: ${type}, %n: index, %k: index, %v: vector<8xf32>, %x: f32) -> ${type} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %t) -> (${type}) {
    ${body}
    scf.yield %last : ${type}
  }
  return %r : ${type}
}`;
  const type = 'tensor<8x8xf32>';
  const read = (name: string, from: string, at: string, size = '2, 4') =>
    `%${name} = tensor.extract_slice %${from}[${at}] [${size}] [1, 1] : ${type} to tensor<${size.replace(', ', 'x')}xf32>`;
  const write = (name: string, value: string, into: string, at: string, size = '2, 4') =>
    `%${name} = tensor.insert_slice %${value} into %${into}[${at}] [${size}] [1, 1] : tensor<${size.replace(', ', 'x')}xf32> into ${type}`;
  const sum = (name: string, a: string, b: string) =>
    `%${name} = linalg.add ins(%${a}, %${b} : tensor<2x4xf32>, tensor<2x4xf32>) outs(%${a} : tensor<2x4xf32>) -> tensor<2x4xf32>`;

  it.each([
    [
      'two parts that are apart',
      [
        read('a', 's', '1, 0'),
        read('b', 's', '1, 4'),
        sum('c', 'a', 'b'),
        write('d', 'c', 's', '1, 0'),
        sum('e', 'b', 'b'),
        write('last', 'e', 'd', '1, 4'),
      ],
      2,
    ],
    [
      'a part beside one that each iteration chooses',
      [
        read('a', 's', '0, 4'),
        read('b', 's', '%i, 0'),
        sum('c', 'a', 'b'),
        write('d', 'c', 's', '0, 4'),
        write('last', 'c', 'd', '%i, 0'),
      ],
      1,
    ],
    [
      'parts that overlap',
      [read('a', 's', '1, 0'), read('b', 's', '2, 0'), sum('c', 'a', 'b'), write('last', 'c', 's', '1, 0')],
      0,
    ],
    ['a part that moves', [read('a', 's', '%i, 0'), sum('c', 'a', 'a'), write('last', 'c', 's', '%i, 0')], 0],
    [
      'a part that is read after it is written',
      [
        `%e = tensor.empty() : tensor<2x4xf32>`,
        `%z = linalg.fill ins(%x : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>`,
        write('d', 'z', 's', '1, 0'),
        read('a', 'd', '1, 0'),
        sum('c', 'a', 'a'),
        write('last', 'c', 'd', '5, 0'),
      ],
      0,
    ],
    [
      'a tensor that is used as a whole',
      [
        read('a', 's', '1, 0'),
        sum('c', 'a', 'a'),
        write('d', 'c', 's', '1, 0'),
        `%last = linalg.copy ins(%s : ${type}) outs(%d : ${type}) -> ${type}`,
      ],
      0,
    ],
    [
      'a vector',
      [
        `%a = vector.transfer_read %s[%k, %c0], %x {in_bounds = [true]} : ${type}, vector<8xf32>`,
        `%b = arith.addf %a, %v : vector<8xf32>`,
        `%last = vector.transfer_write %b, %s[%k, %c0] {in_bounds = [true]} : vector<8xf32>, ${type}`,
      ],
      1,
    ],
    [
      'a vector that may leave the tensor',
      [
        `%a = vector.transfer_read %s[%k, %k], %x : ${type}, vector<8xf32>`,
        `%b = arith.addf %a, %v : vector<8xf32>`,
        `%last = vector.transfer_write %b, %s[%k, %k] : vector<8xf32>, ${type}`,
      ],
      0,
    ],
    [
      'a part beside what an inner loop updates',
      [
        read('a', 's', '1, 0'),
        sum('c', 'a', 'a'),
        write('d', 'c', 's', '1, 0'),
        `%last = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %d) -> (${type}) {
      ${read('p', 'u', '1, 4')}
      ${sum('q', 'p', 'p')}
      ${write('w', 'q', 'u', '1, 4')}
      scf.yield %w : ${type}
    }`,
      ],
      1,
    ],
  ] as const)('%s', (_, body, hoisted) => {
    const nested = body.some((line) => line.includes('scf.for'));
    const used = nested
      ? `%l = transform.structured.match ops{["scf.for"]} in %root : (${one}) -> ${one}
%inner, %outer = transform.split_handle %l : (${one}) -> (${one}, ${one})
transform.loop.hoist_loop_invariant_subsets %outer : ${one}`
      : script;
    const { status, text } = apply(carried(body.join('\n    ')), used);
    expect(status).toBe('success');
    const loop = /scf\.for %\w+ = .*iter_args\((.*)\) ->/.exec(text)![1]!;
    expect(loop.split(', ').length - 1).toBe(hoisted);
  });

  it('fails for what is no loop', () => {
    const { diagnostics } = apply(
      carried('%last = tensor.empty() : tensor<8x8xf32>'),
      script.replace('scf.for', 'tensor.empty'),
    );
    expect(diagnostics).toContain('transform applied to the wrong op kind [hoist-subsets/no-loop]');
  });
});

describe('transform.structured.hoist_redundant_vector_broadcasts', () => {
  const loop = (init: string, end: string, at: string, yielded = '%b') =>
    `func.func @f(%v: vector<3x4xf32>, %row: vector<4xf32>, %n: index, %y: vector<4xf32>) -> vector<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant dense<1.0> : vector<3x4xf32>
  %w = vector.broadcast %row : vector<4xf32> to vector<3x4xf32>
  %r = scf.for %i = %c0 to ${end} step %c1 iter_args(%x = ${init}) -> (vector<3x4xf32>) {
    %e = vector.extract %x[${at}] : vector<4xf32> from vector<3x4xf32>
    %s = arith.addf %e, %y : vector<4xf32>
    %b = vector.broadcast %s : vector<4xf32> to vector<3x4xf32>
    scf.yield ${yielded} : vector<3x4xf32>
  }
  return %r : vector<3x4xf32>
}`;
  it.each([
    ['a loop with iterations', loop('%v', '%c3', '1'), true],
    ['a loop perhaps without, from a broadcast', loop('%w', '%n', '1'), true],
    ['a loop perhaps without, from one number', loop('%z', '%n', '2'), true],
    ['a loop perhaps without', loop('%v', '%n', '1'), false],
    ['a row that each iteration chooses', loop('%v', '%c3', '%i'), false],
    ['what is not yielded', loop('%v', '%c3', '1', '%w'), false],
  ])('%s', (_, module, isHoisted) => {
    const { status, text } = apply(
      module,
      `${found}\n%0 = transform.structured.hoist_redundant_vector_broadcasts %f : (${one}) -> ${one}`,
    );
    expect(status).toBe('success');
    expect(/iter_args\(.*\) -> \(vector<4xf32>\)/.test(text)).toBe(isHoisted);
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

describe('transform.memref.erase_dead_alloc_and_stores', () => {
  const script = `${found}\ntransform.memref.erase_dead_alloc_and_stores %f : (${one}) -> ()`;
  const transfers = (...lines: readonly string[]): string => `func.func @f(
  %m: memref<8xf32>, %x: vector<4xf32>, %y: vector<4xf32>, %mask: vector<4xi1>, %c: i1, %f: f32
) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  ${lines.join('\n')}
  return %r : vector<4xf32>
}`;
  const write = (value: string, at: string): string =>
    `vector.transfer_write ${value}, %m[${at}] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>`;
  const read = '%r = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<4xf32>';
  const maybe = (line: string): string => `scf.if %c {\n${line}\n}`;

  it.each([
    ['what was written there', [write('%x', '%c0'), read], 0, 1],
    ['the last that was written there', [write('%x', '%c0'), write('%y', '%c0'), read], 0, 1],
    ['past what is beside', [write('%x', '%c0'), write('%y', '%c4'), read], 0, 2],
    ['not past what overlaps', [write('%x', '%c0'), write('%y', '%c1'), read], 1, 2],
    ['not past what may overwrite', [write('%x', '%c0'), maybe(write('%y', '%c0')), read], 1, 2],
    ['not past a store', [write('%x', '%c0'), 'memref.store %f, %m[%c0] : memref<8xf32>', read], 1, 1],
    ['not what is written under a mask', [write('%x', '%c0').replace(']', '], %mask'), read], 1, 1],
    [
      'and leaves what is read before it is overwritten',
      [write('%x', '%c1'), read, write('%y', '%c1')],
      1,
      2,
    ],
    ['and leaves what may not be overwritten', [write('%x', '%c4'), read, maybe(write('%y', '%c4'))], 1, 2],
    [
      'and drops what is written in a branch before',
      [maybe(write('%x', '%c4')), read, write('%y', '%c4')],
      1,
      1,
    ],
  ] as const)('reads %s', (_, lines, reads, writes) => {
    const { text, diagnostics } = apply(transfers(...lines), script);
    expect(diagnostics).toBe('');
    expect(text.split('transfer_read').length - 1).toBe(reads);
    expect(text.split('transfer_write').length - 1).toBe(writes);
  });

  it.each([
    ['is only written', 'memref.store %f, %b[%i] : memref<4xf32>', true],
    [
      'is written through a view',
      '%v = memref.subview %b[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>\nmemref.store %f, %v[%i] : memref<2xf32, strided<[1], offset: 1>>',
      true,
    ],
    [
      'is read through a view',
      '%v = memref.subview %b[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>\n%0 = memref.load %v[%i] : memref<2xf32, strided<[1], offset: 1>>',
      false,
    ],
    ['is passed on', 'func.call @g(%b) : (memref<4xf32>) -> ()', false],
    ['has a region work on it', 'linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)', false],
  ])('of a buffer that %s', (_, use, goes) => {
    const { text } = apply(
      `func.func private @g(memref<4xf32>)
func.func @f(%f: f32) {
  %i = arith.constant 1 : index
  %b = memref.alloc() : memref<4xf32>
  ${use}
  memref.dealloc %b : memref<4xf32>
  return
}`,
      script,
    );
    expect(text.includes('memref.alloc')).toBe(!goes);
  });

  it('keeps a buffer that is returned', () => {
    const payload = `func.func @f(%f: f32) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
  return %b : memref<4xf32>
}`;
    expect(apply(payload, script).text).toContain('memref.alloc');
  });
});
