/** Without patterns the greedy driver gives the same as upstream's canonicalization. */
import { unwrap } from '@sconv/diagnostics';
import { applyPatternsGreedily, parseModule, printModule, tryEdit } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';

/** The lines of a function before and after. */
const cases: Readonly<Record<string, readonly [arguments_: string, before: string, after: string]>> = {
  'constants fold through chains, and come first': [
    '%a: i32',
    `%c2 = arith.constant 2 : i32
%0 = arith.addi %c2, %c2 : i32
%c3 = arith.constant 3 : i32
%1 = arith.muli %0, %c3 : i32
%2 = arith.subi %1, %a : i32
return %1, %2 : i32, i32`,
    `%c12_i32 = arith.constant 12 : i32
%0 = arith.subi %c12_i32, %arg0 : i32
return %c12_i32, %0 : i32, i32`,
  ],
  'equal constants are one, and keep the order of those that stay': [
    '%a: i32',
    `%c3 = arith.constant 3 : i32
%c2 = arith.constant 2 : i32
%c3_0 = arith.constant 3 : i32
%0 = arith.divsi %c3, %a : i32
%1 = arith.divsi %c2, %a : i32
%2 = arith.divsi %c3_0, %a : i32
return %0, %1, %2 : i32, i32, i32`,
    `%c3_i32 = arith.constant 3 : i32
%c2_i32 = arith.constant 2 : i32
%0 = arith.divsi %c3_i32, %arg0 : i32
%1 = arith.divsi %c2_i32, %arg0 : i32
%2 = arith.divsi %c3_i32, %arg0 : i32
return %0, %1, %2 : i32, i32, i32`,
  ],
  'constants go to the right, and predicates turn around': [
    '%a: i8, %x: f32',
    `%c7 = arith.constant 7 : i8
%cst = arith.constant 7.0 : f32
%0 = arith.addi %c7, %a : i8
%1 = arith.cmpi ult, %c7, %0 : i8
%2 = arith.mulf %cst, %x : f32
return %1, %2 : i1, f32`,
    `%c7_i8 = arith.constant 7 : i8
%cst = arith.constant 7.000000e+00 : f32
%0 = arith.addi %arg0, %c7_i8 : i8
%1 = arith.cmpi ugt, %0, %c7_i8 : i8
%2 = arith.mulf %arg1, %cst : f32
return %1, %2 : i1, f32`,
  ],
  'one bit is signed': [
    '',
    `%true = arith.constant true
%false = arith.constant false
%0 = arith.cmpi slt, %true, %false : i1
%1 = arith.maxsi %true, %false : i1
return %0, %1 : i1, i1`,
    `%false = arith.constant false
%true = arith.constant true
return %true, %false : i1, i1`,
  ],
  'constants leave loops, and what is unused goes': [
    '%m: memref<4xindex>, %n: index',
    `%c0 = arith.constant 0 : index
%c4 = arith.constant 4 : index
%c1 = arith.constant 1 : index
scf.for %i = %c0 to %c4 step %c1 {
  %c7 = arith.constant 7 : index
  %0 = arith.addi %i, %n : index
  %1 = arith.muli %0, %c7 : index
  memref.store %c7, %m[%i] : memref<4xindex>
}
return`,
    `%c7 = arith.constant 7 : index
%c0 = arith.constant 0 : index
%c4 = arith.constant 4 : index
%c1 = arith.constant 1 : index
scf.for %arg2 = %c0 to %c4 step %c1 {
  memref.store %c7, %arg0[%arg2] : memref<4xindex>
}
return`,
  ],
  'a loop that does nothing goes': [
    '%m: memref<4xindex>, %n: index',
    `affine.for %i = 0 to %n {
  %0 = affine.load %m[%i] : memref<4xindex>
}
%1 = memref.load %m[%n] : memref<4xindex>
%2 = memref.alloc() : memref<4xindex>
return`,
    'return',
  ],
  'maps of constants, and minima that are partly known': [
    '%n: index',
    `%c5 = arith.constant 5 : index
%0 = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%c5)[%c5]
%1 = affine.apply affine_map<(d0) -> (d0)>(%n)
%2 = affine.max affine_map<()[s0] -> (s0 mod 4, 3)>()[%c5]
return %0, %1, %2 : index, index, index`,
    `%c15 = arith.constant 15 : index
%c3 = arith.constant 3 : index
return %c15, %arg0, %c3 : index, index, index`,
  ],
  'sizes, ranks and whole slices': [
    '%t: tensor<4x?xf32>, %m: memref<4x8xf32>',
    `%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%0 = tensor.dim %t, %c0 : tensor<4x?xf32>
%1 = tensor.dim %t, %c1 : tensor<4x?xf32>
%2 = tensor.rank %t : tensor<4x?xf32>
%3 = memref.subview %m[0, 0] [4, 8] [1, 1] : memref<4x8xf32> to memref<4x8xf32>
return %0, %1, %2, %3 : index, index, index, memref<4x8xf32>`,
    `%c2 = arith.constant 2 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%dim = tensor.dim %arg0, %c1 : tensor<4x?xf32>
return %c4, %dim, %c2, %arg1 : index, index, index, memref<4x8xf32>`,
  ],
  'elements of dense constants': [
    '%t: tensor<2xi32>',
    `%a = arith.constant dense<[1, 2]> : tensor<2xi32>
%b = arith.constant dense<3> : tensor<2xi32>
%0 = arith.addi %a, %b : tensor<2xi32>
%1 = arith.subi %t, %t : tensor<2xi32>
return %0, %1 : tensor<2xi32>, tensor<2xi32>`,
    `%cst = arith.constant dense<[4, 5]> : tensor<2xi32>
%cst_0 = arith.constant dense<0> : tensor<2xi32>
return %cst, %cst_0 : tensor<2xi32>, tensor<2xi32>`,
  ],
  'what may fail at run time stays': [
    '%a: i32',
    `%c0 = arith.constant 0 : i32
%0 = arith.divsi %a, %c0 : i32
%1 = arith.muli %a, %c0 : i32
return %0, %1 : i32, i32`,
    `%c0_i32 = arith.constant 0 : i32
%0 = arith.divsi %arg0, %c0_i32 : i32
return %0, %c0_i32 : i32, i32`,
  ],
};

/** The function with these lines. */
const functionOf = (parameters: string, lines: string): string => {
  const results = /^return \S.* : (.*)$/m.exec(lines)?.[1];
  const signature = results === undefined ? '' : ` -> (${results})`;
  return `func.func @f(${parameters})${signature} {\n${lines}\n}\n`;
};

/** The lines of the function in a printed module, in the given form. */
const linesOf = (printed: string): string =>
  printed
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.slice(4))
    .join('\n');

const greedy = (text: string): string => {
  const module = unwrap(parseModule(text, { registry }));
  const { module: after } = unwrap(
    tryEdit(module, { registry }, (rewriter) => applyPatternsGreedily(rewriter, [rewriter.root], [])),
  );
  return printModule(after, { registry });
};

describe('applyPatternsGreedily', () => {
  it.each(Object.entries(cases))('%s', (_, [parameters, before, after]) => {
    expect(linesOf(greedy(functionOf(parameters, before)))).toBe(after);
  });

  it.skipIf(!hasMlirOpt)('does what mlir-opt-19 does', () => {
    const texts = Object.values(cases).map(([parameters, before]) => functionOf(parameters, before));
    const theirs = mlirOpt(texts, ['--canonicalize']).map((printed) => linesOf(printed));
    expect(theirs).toEqual(Object.values(cases).map(([, , after]) => after));
  });
});
