import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule } from '@sconv/ir';
import { createInterpreter } from '../src/index.ts';

const registry = createRegistry(payloadDialects);

/** What a function without arguments returns, or the code of its failure. */
const run = (text: string): unknown => {
  const module = unwrap(parseModule(text, { registry }));
  const result = createInterpreter(module).run('f', []);
  return result.status === 'success' ? result.value : result.diagnostics[0]!.code;
};

/** Packs the elements 1, 2, 3 of a buffer of i8 into one of i32, from index `first` on. */
const packing = (first: number, conversion: string, sizes: string, values: string, types: string): string => `
  memref.global "private" constant @data : memref<3xi8> = dense<[1, 2, 3]>
  func.func @f() -> (i32, i32) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %n = arith.constant ${first} : index
    %z = arith.constant 10 : i32
    %p = arith.constant 7 : i8
    %s = memref.get_global @data : memref<3xi8>
    %t = memref.alloc() : memref<2xi32>
    "kernel.pack"(%s, %t, %n${values}) {${conversion}, map = affine_map<(d0, d1) -> (d0 + d1)>,
      operand_segment_sizes = array<i32: 1, 1, 1, ${sizes}>} : (memref<3xi8>, memref<2xi32>, index${types}) -> ()
    %a = memref.load %t[%0] : memref<2xi32>
    %b = memref.load %t[%1] : memref<2xi32>
    return %a, %b : i32, i32
  }`;
const extending = 'conversion = ["arith.extsi"], types = [i32]';
const subtracting = 'conversion = ["arith.extsi", "arith.subi"], types = [i32, i32]';
const tests = 'tests = affine_map<(d0, d1) -> (d0 + d1)>, bounds = array<i64: 3>';

describe('kernel.pack', () => {
  it.each([
    ['extends', packing(1, extending, '0, 0', '', ''), [2, 3]],
    ['subtracts', packing(0, subtracting, '1, 0', ', %z', ', i32'), [-9, -8]],
    ['pads', packing(2, `${extending}, ${tests}`, '0, 1', ', %p', ', i8'), [3, 7]],
    ['reads in bounds', packing(2, extending, '0, 0', '', ''), 'interpreter/out-of-bounds'],
    [
      'converts what it can',
      packing(0, 'conversion = ["arith.extf"], types = [i32]', '0, 0', '', ''),
      'interpreter/unsupported-type',
    ],
  ])('%s', (_, text, expected) => {
    expect(run(text)).toEqual(expected);
  });
});

describe('kernel.contract', () => {
  /** Windows of two of the elements 1, 2, 3, by the filter 10, 1; on a condition, from 100 on. */
  const windows = (condition: string): string => `
  memref.global "private" constant @data : memref<3xi32> = dense<[1, 2, 3]>
  memref.global "private" constant @filter : memref<2x1xi32> = dense<[[10], [1]]>
  func.func @f() -> (i32, i32) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %p = arith.constant ${condition}
    %v = arith.constant 100 : i32
    %s = memref.get_global @data : memref<3xi32>
    %w = memref.get_global @filter : memref<2x1xi32>
    %t = memref.alloc() : memref<1x2xi32>
    linalg.fill ins(%v : i32) outs(%t : memref<1x2xi32>)
    %n = arith.constant 200 : i32
    "kernel.contract"(%s, %w, %t, %n, %p) {lanes = 1, maps = [affine_map<(d0, d1, d2) -> (d1 + d2)>,
      affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
      operand_segment_sizes = array<i32: 1, 1, 1, 1, 1>} : (memref<3xi32>, memref<2x1xi32>, memref<1x2xi32>, i32, i1) -> ()
    %a = memref.load %t[%0, %0] : memref<1x2xi32>
    %b = memref.load %t[%0, %1] : memref<1x2xi32>
    return %a, %b : i32, i32
  }`;

  it.each([
    ['true', [212, 223]],
    ['false', [112, 123]],
  ])('starts where the condition is %s', (condition, expected) => {
    expect(run(windows(condition))).toEqual(expected);
  });
});
