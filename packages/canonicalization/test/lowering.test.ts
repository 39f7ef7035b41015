/** lower-affine on the affine dialect. */
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { parseModule, printModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { lowerAffine } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { registry, testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'maps are arithmetic',
    arguments: '%a: index, %b: index',
    results: '(index, index, index)',
    before: `
      %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 4 + s0)>(%a)[%b]
      %1 = affine.apply affine_map<(d0) -> (d0 mod 3)>(%a)
      %2 = affine.apply affine_map<(d0) -> (d0 ceildiv 2)>(%a)
      return %0, %1, %2 : index, index, index`,
    after: `
      %c4 = arith.constant 4 : index
      %c0 = arith.constant 0 : index
      %c-1 = arith.constant -1 : index
      %0 = arith.cmpi slt, %arg0, %c0 : index
      %1 = arith.subi %c-1, %arg0 : index
      %2 = arith.select %0, %1, %arg0 : index
      %3 = arith.divsi %2, %c4 : index
      %4 = arith.subi %c-1, %3 : index
      %5 = arith.select %0, %4, %3 : index
      %6 = arith.addi %5, %arg1 : index
      %c3 = arith.constant 3 : index
      %7 = arith.remsi %arg0, %c3 : index
      %c0_0 = arith.constant 0 : index
      %8 = arith.cmpi slt, %7, %c0_0 : index
      %9 = arith.addi %7, %c3 : index
      %10 = arith.select %8, %9, %7 : index
      %c2 = arith.constant 2 : index
      %c0_1 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %11 = arith.cmpi sle, %arg0, %c0_1 : index
      %12 = arith.subi %c0_1, %arg0 : index
      %13 = arith.subi %arg0, %c1 : index
      %14 = arith.select %11, %12, %13 : index
      %15 = arith.divsi %14, %c2 : index
      %16 = arith.subi %c0_1, %15 : index
      %17 = arith.addi %15, %c1 : index
      %18 = arith.select %11, %16, %17 : index
      return %6, %10, %18 : index, index, index`,
  },
  {
    name: 'loops and accesses',
    arguments: '%m: memref<?xf32>, %n: index',
    before: `
      %c0 = arith.constant 0 : index
      %d = memref.dim %m, %c0 : memref<?xf32>
      affine.for %i = 1 to min affine_map<()[s0, s1] -> (s0, s1)>()[%d, %n] step 2 {
        %0 = affine.load %m[%i - 1] : memref<?xf32>
        affine.store %0, %m[%i] : memref<?xf32>
      }
      return`,
    after: `
      %c0 = arith.constant 0 : index
      %dim = memref.dim %arg0, %c0 : memref<?xf32>
      %c1 = arith.constant 1 : index
      %0 = arith.minsi %dim, %arg1 : index
      %c2 = arith.constant 2 : index
      scf.for %arg2 = %c1 to %0 step %c2 {
        %c-1 = arith.constant -1 : index
        %1 = arith.addi %arg2, %c-1 : index
        %2 = memref.load %arg0[%1] : memref<?xf32>
        memref.store %2, %arg0[%arg2] : memref<?xf32>
      }
      return`,
  },
  {
    name: 'conditions that give values',
    arguments: '%a: index, %x: f32, %y: f32',
    results: 'f32',
    before: `
      %0 = affine.if affine_set<(d0) : (d0 - 2 >= 0, 5 - d0 >= 0)>(%a) -> f32 {
        affine.yield %x : f32
      } else {
        affine.yield %y : f32
      }
      return %0 : f32`,
    after: `
      %c0 = arith.constant 0 : index
      %c-2 = arith.constant -2 : index
      %0 = arith.addi %arg0, %c-2 : index
      %1 = arith.cmpi sge, %0, %c0 : index
      %c-1 = arith.constant -1 : index
      %2 = arith.muli %arg0, %c-1 : index
      %c5 = arith.constant 5 : index
      %3 = arith.addi %2, %c5 : index
      %4 = arith.cmpi sge, %3, %c0 : index
      %5 = arith.andi %1, %4 : i1
      %6 = scf.if %5 -> (f32) {
        scf.yield %arg1 : f32
      } else {
        scf.yield %arg2 : f32
      }
      return %6 : f32`,
  },
];

testRows('lowering', lowerAffine(), rows);

it('refuses what has no form yet', () => {
  const text = `func.func @f(%m: memref<4xf32>, %x: f32) {
    affine.parallel (%i) = (0) to (4) { affine.store %x, %m[%i] : memref<4xf32> }
    return
  }`;
  const refused = lowerAffine().run(unwrap(parseModule(text, { registry })), { registry });
  expect(refused.diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "lower-affine/unsupported: 'affine.parallel' has no form without the affine dialect",
  ]);
});

it.each(['', '%size = memref.dim %m, %c0 : memref<?xf32>', '%size = memref.load %n[] : memref<index>'])(
  'expands delinearizations, with sizes that are: %s',
  (size) => {
    const text = `func.func @f(%m: memref<?xf32>, %i: index, %n: memref<index>) -> (index, index, index) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    memref.store %c3, %n[] : memref<index>
    ${size === '' ? '%size = arith.addi %c0, %c3 : index' : size}
    %j = affine.apply affine_map<(d0) -> (d0 * 7 + 5)>(%i)
    %r:3 = affine.delinearize_index %j into (%c2, %size, %c3) : index, index, index
    return %r#0, %r#1, %r#2 : index, index, index
  }`;
    const before = unwrap(parseModule(text, { registry }));
    const after = unwrap(lowerAffine().run(before, { registry }));
    expect(printModule(after, { registry })).not.toContain('affine.');
    expect(firstDifference(before, after)).toBeUndefined();
  },
);
