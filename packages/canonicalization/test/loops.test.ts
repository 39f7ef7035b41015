/** scf-for-loop-canonicalization on loops. */
import { scfForLoopCanonicalization } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'a tile that is always full',
    arguments: '%n: index',
    results: 'index',
    before: `
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c12 = arith.constant 12 : index
      %0 = scf.for %i = %c0 to %c12 step %c4 iter_args(%a = %n) -> (index) {
        %1 = affine.min affine_map<(d0) -> (4, 12 - d0)>(%i)
        %2 = arith.addi %a, %1 : index
        scf.yield %2 : index
      }
      return %0 : index`,
    after: `
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c12 = arith.constant 12 : index
      %0 = scf.for %arg1 = %c0 to %c12 step %c4 iter_args(%arg2 = %arg0) -> (index) {
        %1 = arith.addi %arg2, %c4 : index
        scf.yield %1 : index
      }
      return %0 : index`,
  },
  {
    name: 'a tile that may be cut',
    arguments: '%n: index',
    results: 'index',
    before: `
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c10 = arith.constant 10 : index
      %0 = scf.for %i = %c0 to %c10 step %c4 iter_args(%a = %n) -> (index) {
        %1 = affine.min affine_map<(d0) -> (4, 10 - d0)>(%i)
        %2 = arith.addi %a, %1 : index
        scf.yield %2 : index
      }
      return %0 : index`,
    after: `
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c10 = arith.constant 10 : index
      %0 = scf.for %arg1 = %c0 to %c10 step %c4 iter_args(%arg2 = %arg0) -> (index) {
        %1 = affine.min affine_map<(d0) -> (4, -d0 + 10)>(%arg1)
        %2 = arith.addi %arg2, %1 : index
        scf.yield %2 : index
      }
      return %0 : index`,
  },
  {
    name: 'the size of a tensor that a loop only writes',
    arguments: '%t: tensor<?xf32>, %x: f32',
    results: '(tensor<?xf32>, index)',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
        %1 = tensor.insert %x into %a[%i] : tensor<?xf32>
        scf.yield %1 : tensor<?xf32>
      }
      %2 = tensor.dim %0, %c0 : tensor<?xf32>
      return %0, %2 : tensor<?xf32>, index`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %0 = scf.for %arg2 = %c0 to %c3 step %c1 iter_args(%arg3 = %arg0) -> (tensor<?xf32>) {
        %inserted = tensor.insert %arg1 into %arg3[%arg2] : tensor<?xf32>
        scf.yield %inserted : tensor<?xf32>
      }
      %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
      return %0, %dim : tensor<?xf32>, index`,
  },
];

testRows('loops', scfForLoopCanonicalization(), rows);
