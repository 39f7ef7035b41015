/** cse on functions. */
import { describe, expect, it } from 'vitest';
import { cse } from '../src/index.ts';
import { apply, found, one } from './support/apply-script.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'the same twice',
    arguments: '%a: i32, %b: i32',
    results: 'i32',
    before: `
      %0 = arith.addi %a, %b : i32
      %1 = arith.addi %b, %a : i32
      %2 = arith.muli %0, %1 : i32
      return %2 : i32`,
    after: `
      %0 = arith.addi %arg0, %arg1 : i32
      %1 = arith.muli %0, %0 : i32
      return %1 : i32`,
  },
  {
    name: 'in a body, what was computed around it',
    arguments: '%c: i1, %a: i32',
    results: 'i32',
    before: `
      %0 = arith.muli %a, %a : i32
      %1 = scf.if %c -> (i32) {
        %2 = arith.muli %a, %a : i32
        scf.yield %2 : i32
      } else {
        %3 = arith.addi %a, %a : i32
        scf.yield %3 : i32
      }
      %4 = arith.addi %a, %a : i32
      %5 = arith.subi %0, %1 : i32
      %6 = arith.subi %5, %4 : i32
      return %6 : i32`,
    after: `
      %0 = arith.muli %arg1, %arg1 : i32
      %1 = scf.if %arg0 -> (i32) {
        scf.yield %0 : i32
      } else {
        %5 = arith.addi %arg1, %arg1 : i32
        scf.yield %5 : i32
      }
      %2 = arith.addi %arg1, %arg1 : i32
      %3 = arith.subi %0, %1 : i32
      %4 = arith.subi %3, %2 : i32
      return %4 : i32`,
  },
  {
    name: 'reads between which nothing is written',
    arguments: '%m: memref<4xi32>, %n: memref<4xi32>',
    results: '(i32, i32)',
    before: `
      %c0 = arith.constant 0 : index
      %0 = memref.load %m[%c0] : memref<4xi32>
      %1 = memref.load %m[%c0] : memref<4xi32>
      %2 = arith.addi %0, %1 : i32
      memref.store %2, %n[%c0] : memref<4xi32>
      %3 = memref.load %m[%c0] : memref<4xi32>
      return %2, %3 : i32, i32`,
    after: `
      %c0 = arith.constant 0 : index
      %0 = memref.load %arg0[%c0] : memref<4xi32>
      %1 = arith.addi %0, %0 : i32
      memref.store %1, %arg1[%c0] : memref<4xi32>
      %2 = memref.load %arg0[%c0] : memref<4xi32>
      return %1, %2 : i32, i32`,
  },
  {
    name: 'bodies that do the same',
    arguments: '%c: i1, %a: i32',
    results: '(i32, i32)',
    before: `
      %0 = scf.if %c -> (i32) {
        %1 = arith.muli %a, %a : i32
        scf.yield %1 : i32
      } else {
        scf.yield %a : i32
      }
      %2 = scf.if %c -> (i32) {
        %3 = arith.muli %a, %a : i32
        scf.yield %3 : i32
      } else {
        scf.yield %a : i32
      }
      return %0, %2 : i32, i32`,
    after: `
      %0 = scf.if %arg0 -> (i32) {
        %1 = arith.muli %arg1, %arg1 : i32
        scf.yield %1 : i32
      } else {
        scf.yield %arg1 : i32
      }
      return %0, %0 : i32, i32`,
  },
  {
    name: 'along the blocks that always come first',
    arguments: '%c: i1, %a: i32',
    results: 'i32',
    before: `
      %0 = arith.muli %a, %a : i32
      cf.cond_br %c, ^bb1, ^bb2
      ^bb1:
      %1 = arith.muli %a, %a : i32
      cf.br ^bb3(%1 : i32)
      ^bb2:
      %2 = arith.addi %a, %a : i32
      cf.br ^bb3(%2 : i32)
      ^bb3(%x: i32):
      %3 = arith.addi %a, %a : i32
      %4 = arith.addi %3, %x : i32
      %5 = arith.addi %4, %0 : i32
      return %5 : i32`,
    after: `
        %0 = arith.muli %arg1, %arg1 : i32
        cf.cond_br %arg0, ^bb1, ^bb2
      ^bb1:  // pred: ^bb0
        cf.br ^bb3(%0 : i32)
      ^bb2:  // pred: ^bb0
        %1 = arith.addi %arg1, %arg1 : i32
        cf.br ^bb3(%1 : i32)
      ^bb3(%2: i32):  // 2 preds: ^bb1, ^bb2
        %3 = arith.addi %arg1, %arg1 : i32
        %4 = arith.addi %3, %2 : i32
        %5 = arith.addi %4, %0 : i32
        return %5 : i32`,
  },
  {
    name: 'not under a mask, where less is computed',
    arguments: '%t: tensor<4xf32>, %k: vector<4xi1>',
    results: '(vector<4xf32>, vector<4xf32>)',
    before: `
      %c0 = arith.constant 0 : index
      %cst = arith.constant 7.000000e+00 : f32
      %0 = vector.transfer_read %t[%c0], %cst {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
      %1 = vector.mask %k { vector.transfer_read %t[%c0], %cst {in_bounds = [true]} : tensor<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
      %2 = vector.mask %k { vector.transfer_read %t[%c0], %cst {in_bounds = [true]} : tensor<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
      %3 = arith.addf %1, %2 : vector<4xf32>
      return %0, %3 : vector<4xf32>, vector<4xf32>`,
    after: `
      %c0 = arith.constant 0 : index
      %cst = arith.constant 7.000000e+00 : f32
      %0 = vector.transfer_read %arg0[%c0], %cst {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
      %1 = vector.mask %arg1 { vector.transfer_read %arg0[%c0], %cst {in_bounds = [true]} : tensor<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
      %2 = arith.addf %1, %1 : vector<4xf32>
      return %0, %2 : vector<4xf32>, vector<4xf32>`,
  },
];

testRows('cse', cse(), rows);

describe('handles to what is merged', () => {
  const payload = `func.func @f(%x: f32, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.fill ins(%x : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}`;
  it.each([
    ['apply_cse', `transform.apply_cse to %f : ${one}`],
    ['apply_patterns', `transform.apply_patterns to %f {} {apply_cse} : ${one}`],
  ])('refer to what stands in for it: %s', (_, step) => {
    const script = `${found}
%fills = transform.structured.match ops{["linalg.fill"]} in %root : (${one}) -> ${one}
%first, %second = transform.split_handle %fills : (${one}) -> (${one}, ${one})
${step}
transform.annotate %first "first" : ${one}
transform.annotate %second "second" : ${one}`;
    const { diagnostics, text } = apply(payload, script);
    expect(diagnostics).toBe('');
    expect(text.match(/linalg.fill/g)).toHaveLength(1);
    expect(text).toContain('linalg.fill {first, second}');
  });
});
