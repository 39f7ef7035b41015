/** What vector patterns leave unchanged; their results are compared with mlir-opt in `upstream-schedules`. */
import { printModule } from '@sconv/ir';
import { firstDifference } from '@sconv/interpreter/testing';
import { transformInterpreterPass } from '@sconv/transform';
import { describe, expect, it } from 'vitest';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';

const applied = (set: string, payload: string) =>
  transformInterpreterPass().run(
    parse(
      `module attributes {transform.with_named_sequence} {
${payload}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.${set}
  } : !transform.any_op
  transform.yield
}
}`,
      'vectors.mlir',
    ),
    { registry },
  );

const contraction = (columns: string, kind = 'add') =>
  `func.func @f(%a: vector<2x${columns}xf32>, %b: vector<${columns}x4xf32>, %c: vector<2x4xf32>) -> vector<2x4xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<${kind}>} %a, %b, %c : vector<2x${columns}xf32>, vector<${columns}x4xf32> into vector<2x4xf32>
  return %0 : vector<2x4xf32>
}`;

const outerProduct = `func.func @f(%a: vector<[2]xf32>, %b: vector<[4]xf32>, %c: vector<[2]x[4]xf32>) -> vector<[2]x[4]xf32> {
  %0 = vector.outerproduct %a, %b, %c {kind = #vector.kind<add>} : vector<[2]xf32>, vector<[4]xf32>
  return %0 : vector<[2]x[4]xf32>
}`;

const transposed = `func.func @f(%a: vector<2x[4]xf32>) -> vector<[4]x2xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<2x[4]xf32> to vector<[4]x2xf32>
  return %0 : vector<[4]x2xf32>
}`;

const reduced = `func.func @f(%a: vector<[2]x4xf32>, %c: vector<[2]xf32>) -> vector<[2]xf32> {
  %0 = vector.multi_reduction <add>, %a, %c [1] : vector<[2]x4xf32> to vector<[2]xf32>
  return %0 : vector<[2]xf32>
}`;

const masked = (
  op: string,
  type: string,
) => `func.func @f(%m: memref<4xf32>, %x: f32, %v: vector<4xf32>, %k: vector<4xi1>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.mask %k${type} { ${op} } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}`;
const read = 'vector.transfer_read %m[%c0], %x {in_bounds = [true]} : memref<4xf32>, vector<4xf32>';

const gathered = (offset: number) =>
  `func.func @f(%m: memref<4x3xf32>, %i: vector<2xindex>, %k: vector<2xi1>, %v: vector<2xf32>) -> vector<2xf32> {
  %c0 = arith.constant 0 : index
  %column = memref.subview %m[0, ${offset}] [4, 1] [1, 1] : memref<4x3xf32> to memref<4xf32, strided<[3], offset: ${offset}>>
  %0 = vector.gather %column[%c0][%i], %k, %v : memref<4xf32, strided<[3], offset: ${offset}>>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0 : vector<2xf32>
}`;

const scanned = `func.func @f(%a: vector<2x[4]xf32>, %b: vector<[4]xf32>) -> vector<2x[4]xf32> {
  %0:2 = vector.scan <add>, %a, %b {inclusive = true, reduction_dim = 0} : vector<2x[4]xf32>, vector<[4]xf32>
  return %0#0 : vector<2x[4]xf32>
}`;

const moved = `func.func @f(%m: memref<1x4xf32>, %i: index, %x: f32) -> vector<1x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%i, %c0], %x {in_bounds = [true, true]} : memref<1x4xf32>, vector<1x4xf32>
  return %0 : vector<1x4xf32>
}`;

const turned = `func.func @f(%m: memref<3x2xf32>, %k: vector<3x2xi1>, %x: f32) -> vector<2x3xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0], %x, %k {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<3x2xf32>, vector<2x3xf32>
  return %0 : vector<2x3xf32>
}`;

describe('patterns of vectors', () => {
  it.each([
    ['lower_contraction', 'a scalable sum', 'vector.contract', contraction('[3]')],
    [
      'lower_contraction lowering_strategy = dot',
      'what is no sum',
      'vector.contract',
      contraction('3', 'mul'),
    ],
    ['lower_outerproduct', 'scalable rows and columns', 'vector.outerproduct', outerProduct],
    ['lower_transpose', 'a scalable size', 'vector.transpose', transposed],
    ['lower_multi_reduction lowering_strategy = innerreduction', 'scalable rows', 'multi_reduction', reduced],
    ['transfer_permutation_patterns', 'a mask', 'vector.mask', masked(read, '')],
    ['lower_transfer', 'a mask around it', 'transfer_read', masked(read, '')],
    ['lower_gather', 'a column other than the first', 'vector.gather', gathered(1)],
    ['lower_scan', 'a scalable size', 'vector.scan', scanned],
    ['rank_reducing_subview_patterns', 'an index that may not be zero', '[%arg1, ', moved],
    ['transfer_to_scf full_unroll = true', 'a permuted mask', 'memref<3x2xf32>, vector<2x3xf32>', turned],
    ['split_transfer_full_partial split_transfer_strategy = none', 'all', 'transfer_read', turned],
    ['lower_masked_transfers', 'other values where the mask is not set', 'vector.mask', masked(read, ', %v')],
  ])('%s leaves %s', (set, _, op, payload) => {
    const result = applied(set, payload);
    expect(result.status).toBe('success');
    if (result.status === 'success') expect(printModule(result.value, { registry })).toContain(op);
  });

  it('multiplies matrices that are flattened by columns', () => {
    const payload = contraction('3');
    const result = applied('lower_contraction lowering_strategy = matmulintrinsics', payload);
    expect(result.status).toBe('success');
    if (result.status !== 'success') return;
    expect(printModule(result.value, { registry })).toContain('vector.matrix_multiply');
    expect(firstDifference(parse(payload, 'payload.mlir'), result.value)).toBeUndefined();
  });

  it('pads rows that are inserted into a vector', () => {
    const payload = `func.func @f(%m: memref<2x4xf32>, %v: vector<2x2x3xf32>, %x: f32) -> vector<2x2x3xf32> {
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_read %m[%c1, %c1], %x : memref<2x4xf32>, vector<2x3xf32>
  %1 = vector.insert %0, %v [0] : vector<2x3xf32> into vector<2x2x3xf32>
  return %1 : vector<2x2x3xf32>
}`;
    const result = applied('transfer_to_scf full_unroll = true', payload);
    expect(result.status).toBe('success');
    if (result.status === 'success')
      expect(firstDifference(parse(payload, 'payload.mlir'), result.value)).toBeUndefined();
  });

  it.each([
    'lower_transpose avx2_lowering_strategy = true',
    'rewrite_narrow_types',
    'transfer_to_scf',
    'transfer_to_scf max_transfer_rank = 0 full_unroll = true',
    'split_transfer_full_partial',
  ])('has no %s', (set) => {
    const { status, diagnostics } = applied(set, transposed);
    expect(status).toBe('definite');
    expect(diagnostics[0]?.code).toBe('transform/not-implemented');
  });
});
