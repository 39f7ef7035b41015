import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import { avx2 } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { nativeBackend } from '../src/index.ts';
import { nativeOps } from '../src/native-ops.ts';

const registry = createRegistry(payloadDialects);

const problemOf = (body: string, parameters = '%x: f32, %i: index, %m: memref<8xf32>') => {
  const text = `func.func @f(${parameters}) {\n${body}\nreturn\n}`;
  const module = unwrap(parseModule(text, { registry, fileName: 'in.mlir' }));
  return nativeBackend.emit(module, { target: avx2, registry }).diagnostics;
};

it('each operation of the dialects is on the list, and no other', () => {
  const all = payloadDialects.flatMap(({ operations }) => operations.map(({ name }) => name));
  expect([...nativeOps.keys()].sort()).toEqual([...new Set(all)].sort());
});

describe('what is not compiled is refused at the operation', () => {
  it.each([
    ['linalg.softmax', 'linalg.softmax dimension(0) ins(%m : memref<8xf32>) outs(%m : memref<8xf32>)', /'linalg\.softmax' is not compiled to native code: write it/],
    ['an assertion', '%c = arith.constant true\n cf.assert %c, "no"', /'cf\.assert' is not compiled to native code: a failed one/],
    ['the index dialect', '%0 = index.add %i, %i', /'index\.add' is not compiled to native code: write it/],
    [
      'matrices as lists',
      `%v = vector.splat %x : vector<4xf32>
       %0 = vector.matrix_multiply %v, %v {lhs_rows = 2 : i32, lhs_columns = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>`,
      /'vector\.matrix_multiply' is not compiled to native code: use vector\.contract/,
    ],
    ['tensors', '%0 = tensor.empty() : tensor<4xf32>', /'tensor\.empty' is not compiled to native code: bufferize/],
    ['wide integers', '%0 = arith.index_cast %i : index to i128\n %1 = arith.divsi %0, %0 : i128', /'arith\.index_cast' has integers of 128 bits/],
    ['other floats', '%0 = arith.extf %x : f32 to f128', /'arith\.extf' has numbers of type f128/],
    [
      'masks of bf16',
      `%k = vector.create_mask %i : vector<4xi1>
       %y = arith.truncf %x : f32 to bf16
       %v = vector.splat %y : vector<4xbf16>
       %0 = vector.mask %k { vector.reduction <add>, %v : vector<4xbf16> into bf16 } : vector<4xi1> -> bf16`,
      /'vector\.reduction' computes with bf16 there: extend it to f32/,
    ],
    [
      'masks of indices',
      `%k = vector.create_mask %i : vector<4xi1>
       %v = vector.splat %i : vector<4xindex>
       %0 = vector.mask %k { vector.reduction <add>, %v : vector<4xindex> into index } : vector<4xi1> -> index`,
      /'vector\.reduction' combines indices under a mask: cast/,
    ],
    [
      'masked maxima',
      `%k = vector.create_mask %i : vector<4xi1>
       %v = vector.splat %x : vector<4xf32>
       %0 = vector.mask %k { vector.reduction <maximumf>, %v, %x : vector<4xf32> into f32 } : vector<4xi1> -> f32`,
      /'vector\.reduction' is masked, with a start/,
    ],
    [
      'bits that are expanded',
      `%b = memref.alloca() : memref<8xi1>
       %k = vector.create_mask %i : vector<4xi1>
       %0 = vector.expandload %b[%i], %k, %k : memref<8xi1>, vector<4xi1>, vector<4xi1> into vector<4xi1>`,
      /'vector\.expandload' accesses elements that are not whole bytes/,
    ],
    [
      'parts at positions known at run time',
      '%v = vector.splat %x : vector<2x4xf32>\n %0 = vector.extract %v[%i] : vector<4xf32> from vector<2x4xf32>',
      /'vector\.extract' takes a vector at a position that is known at run time only/,
    ],
    [
      'parts put at positions known at run time',
      '%v = vector.splat %x : vector<2x4xf32>\n %p = vector.splat %x : vector<4xf32>\n %0 = vector.insert %p, %v[%i] : vector<4xf32> into vector<2x4xf32>',
      /'vector\.insert' puts a vector at a position that is known at run time only/,
    ],
    ['an atomic maximum, which NaN is', '%0 = memref.atomic_rmw maximumf %x, %m[%i] : (f32, memref<8xf32>) -> f32', /'memref\.atomic_rmw' has the kind 'maximumf'/],
    ['an atomic product', '%0 = memref.atomic_rmw mulf %x, %m[%i] : (f32, memref<8xf32>) -> f32', /'memref\.atomic_rmw' has the kind 'mulf'/],
    [
      'atomic bits',
      '%b = memref.alloca() : memref<8xi1>\n %t = arith.constant true\n %0 = memref.atomic_rmw ori %t, %b[%i] : (i1, memref<8xi1>) -> i1',
      /'memref\.atomic_rmw' updates single bits/,
    ],
    [
      'an atomic update by a body',
      '%0 = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {\n ^bb0(%o: f32):\n memref.atomic_yield %o : f32\n }',
      /'memref\.generic_atomic_rmw' is not compiled to native code: use memref\.atomic_rmw/,
    ],
    [
      'maxima of integers in affine loops',
      '%c = arith.constant 1 : i32\n %0 = affine.parallel (%j) = (0) to (4) reduce ("maxs") -> (i32) { affine.yield %c : i32 }',
      /'affine\.parallel' combines by 'maxs': use scf\.parallel/,
    ],
    [
      'reductions of no dimension',
      '%v = vector.splat %x : vector<4xf32>\n %0 = vector.multi_reduction <add>, %v, %v [] : vector<4xf32> to vector<4xf32>',
      /'vector\.multi_reduction' reduces no dimension: combine/,
    ],
    [
      'greatest products',
      `%v = vector.splat %x : vector<4xf32>
       %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
         iterator_types = ["reduction"], kind = #vector.kind<maxnumf>} %v, %v, %x : vector<4xf32>, vector<4xf32> into f32`,
      /'vector\.contract' combines products by 'maxnumf': lower it first/,
    ],
    [
      'products in fewer bits than their factors have',
      `%v = vector.splat %x : vector<4xf32>
       %y = arith.truncf %x : f32 to f16
       %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
         iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %y : vector<4xf32>, vector<4xf32> into f16`,
      /'vector\.contract' adds products of other elements than its factors: cast/,
    ],
    [
      'products of indices',
      `%v = vector.splat %i : vector<4xindex>
       %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
         iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %i : vector<4xindex>, vector<4xindex> into index`,
      /'vector\.contract' multiplies indices: cast/,
    ],
    [
      'masked reductions of several dimensions',
      `%k = vector.create_mask %i, %i : vector<4x4xi1>
       %v = vector.splat %x : vector<4x4xf32>
       %a = vector.splat %x : vector<4xf32>
       %0 = vector.mask %k { vector.multi_reduction <add>, %v, %a [0] : vector<4x4xf32> to vector<4xf32> } : vector<4x4xi1> -> vector<4xf32>`,
      /'vector\.multi_reduction' is masked: lower/,
    ],
    [
      'an element as a vector',
      '%v = vector.splat %x : vector<f32>\n vector.transfer_write %v, %m[%i] : vector<f32>, memref<8xf32>',
      /'vector\.transfer_write' accesses one element as a vector: use memref\.load/,
    ],
    [
      'scalable vectors beyond a buffer',
      '%v = vector.transfer_read %m[%i], %x : memref<8xf32>, vector<[4]xf32>',
      /'vector\.transfer_read' accesses a vector that is scalable/,
    ],
    [
      'several vectors of a buffer, read',
      '%b = memref.alloca() : memref<8xvector<2xf32>>\n %p = vector.splat %x : vector<2xf32>\n %0 = vector.transfer_read %b[%i], %p {in_bounds = [true]} : memref<8xvector<2xf32>>, vector<4x2xf32>',
      /'vector\.transfer_read' accesses several vectors of a buffer, or parts of them: use memref\.load/,
    ],
    [
      'several vectors of a buffer, written',
      '%b = memref.alloca() : memref<8xvector<2xf32>>\n %v = vector.splat %x : vector<4x2xf32>\n vector.transfer_write %v, %b[%i] : vector<4x2xf32>, memref<8xvector<2xf32>>',
      /'vector\.transfer_write' accesses several vectors of a buffer/,
    ],
  ])('%s', (_, body, message) => {
    const [problem] = problemOf(body);
    expect(problem).toMatchObject({ code: 'native/unsupported', message });
    expect(problem!.location).toMatchObject({ file: 'in.mlir' });
  }); // prettier-ignore
});
