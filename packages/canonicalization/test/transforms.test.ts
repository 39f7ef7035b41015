/** The passes of this package as schedule steps. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

const apply = scriptTester(transforms, { difference: firstDifference, attachments: patternSets });
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
