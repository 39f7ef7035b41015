/** loop-invariant-code-motion on loops. */
import { unwrap } from '@sconv/diagnostics';
import { speculatable } from '@sconv/dialects';
import {
  anyType,
  attach,
  defineOp,
  extendRegistry,
  integerOf,
  one,
  parseModule,
  printModule,
} from '@sconv/ir';
import type { Operation } from '@sconv/ir';
import { expect, it } from 'vitest';
import { loopInvariantCodeMotion } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { registry, testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'what is the same in each iteration',
    arguments: '%x: i32, %y: i32, %n: index',
    results: 'i32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
        %1 = arith.muli %x, %y : i32
        %2 = arith.addi %1, %y : i32
        %3 = arith.addi %a, %2 : i32
        scf.yield %3 : i32
      }
      return %0 : i32`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.muli %arg0, %arg1 : i32
      %1 = arith.addi %0, %arg1 : i32
      %2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (i32) {
        %3 = arith.addi %arg4, %1 : i32
        scf.yield %3 : i32
      }
      return %2 : i32`,
  },
  {
    name: 'out of several loops',
    arguments: '%x: i32, %n: index',
    results: 'i32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
        %1 = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (i32) {
          %2 = arith.muli %x, %x : i32
          %3 = arith.index_cast %i : index to i32
          %4 = arith.addi %2, %3 : i32
          %5 = arith.addi %b, %4 : i32
          scf.yield %5 : i32
        }
        scf.yield %1 : i32
      }
      return %0 : i32`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.muli %arg0, %arg0 : i32
      %1 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (i32) {
        %2 = arith.index_cast %arg2 : index to i32
        %3 = arith.addi %0, %2 : i32
        %4 = scf.for %arg4 = %c0 to %arg1 step %c1 iter_args(%arg5 = %arg3) -> (i32) {
          %5 = arith.addi %arg5, %3 : i32
          scf.yield %5 : i32
        }
        scf.yield %4 : i32
      }
      return %1 : i32`,
  },
  {
    name: 'no division by what may be zero',
    arguments: '%x: i32, %y: i32, %n: index',
    results: 'i32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : i32
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
        %1 = arith.divsi %x, %y : i32
        %2 = arith.divsi %x, %c3 : i32
        %3 = arith.addi %1, %2 : i32
        scf.yield %3 : i32
      }
      return %0 : i32`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3_i32 = arith.constant 3 : i32
      %0 = arith.divsi %arg0, %c3_i32 : i32
      %1 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (i32) {
        %2 = arith.divsi %arg0, %arg1 : i32
        %3 = arith.addi %2, %0 : i32
        scf.yield %3 : i32
      }
      return %1 : i32`,
    isNotExecuted: true,
  },
  {
    name: 'no reading of a shape',
    arguments: '%m: memref<4xi32>, %s: memref<1xindex>',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      scf.for %i = %c1 to %c5 step %c1 {
        memref.store %i, %s[%c0] : memref<1xindex>
        %0 = memref.reshape %m(%s) : (memref<4xi32>, memref<1xindex>) -> memref<?xi32>
        %1 = memref.dim %0, %c0 : memref<?xi32>
        %2 = arith.index_cast %1 : index to i32
        memref.store %2, %m[%c0] : memref<4xi32>
      }
      return`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      scf.for %arg2 = %c1 to %c5 step %c1 {
        memref.store %arg2, %arg1[%c0] : memref<1xindex>
        %reshape = memref.reshape %arg0(%arg1) : (memref<4xi32>, memref<1xindex>) -> memref<?xi32>
        %dim = memref.dim %reshape, %c0 : memref<?xi32>
        %0 = arith.index_cast %dim : index to i32
        memref.store %0, %arg0[%c0] : memref<4xi32>
      }
      return`,
    isNotExecuted: true,
  },
  {
    name: 'no reading',
    arguments: '%m: memref<4xi32>, %x: i32',
    before: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c4 step %c1 {
        %1 = memref.load %m[%c0] : memref<4xi32>
        %2 = arith.addi %1, %x : i32
        memref.store %2, %m[%c0] : memref<4xi32>
      }
      return`,
    after: `
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %arg2 = %c0 to %c4 step %c1 {
        %0 = memref.load %arg0[%c0] : memref<4xi32>
        %1 = arith.addi %0, %arg1 : i32
        memref.store %1, %arg0[%c0] : memref<4xi32>
      }
      return`,
  },
];

testRows('motion', loopInvariantCodeMotion(), rows);

/** What is above the loop, and what stays in it, of `lines` in a loop of a function on `%x: i32, %v: vector<2xi32>`. */
const moved = (lines: string, known = registry): { readonly above: string; readonly inside: string } => {
  const text = `func.func @f(%x: i32, %v: vector<2xi32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      ${lines}
    }
    return
  }`;
  const after = unwrap(
    loopInvariantCodeMotion().run(unwrap(parseModule(text, { registry: known })), { registry: known }),
  );
  const [above, inside] = printModule(after, { registry: known, localScope: true }).split('scf.for');
  return { above: above!, inside: inside! };
};

const indexDivisions = ['divs', 'ceildivs', 'floordivs', 'rems', 'divu', 'ceildivu', 'remu'];
const signedIndexDivisions = indexDivisions.filter((name) => name.endsWith('s'));
const unsignedIndexDivisions = indexDivisions.filter((name) => name.endsWith('u'));

it.each([
  [indexDivisions, 'index.constant 3', true],
  [indexDivisions, 'arith.constant 3 : index', true],
  [indexDivisions, 'index.constant 0', false],
  [indexDivisions, 'index.add %n, %n', false],
  [signedIndexDivisions, 'index.constant -1', false],
  [unsignedIndexDivisions, 'index.constant -1', true],
])('%j of the index dialect by %s is hoisted: %s', (names, divisor, isHoisted) => {
  for (const name of names) {
    const { above, inside } = moved(`%d = ${divisor}\n%q = index.${name} %n, %d`);
    expect((isHoisted ? above : inside).includes(`index.${name} `), name).toBe(true);
  }
});

const divisions = ['divsi', 'ceildivsi', 'floordivsi', 'remsi', 'divui', 'ceildivui', 'remui'];
const signedDivisions = divisions.filter((name) => name.endsWith('si'));
const unsignedDivisions = divisions.filter((name) => name.endsWith('ui'));

it.each([
  [divisions, '3', 'i32', true],
  [divisions, '0', 'i32', false],
  [signedDivisions, '-1', 'i32', false],
  [unsignedDivisions, '-1', 'i32', true],
  [divisions, 'dense<3>', 'vector<2xi32>', true],
  [divisions, 'dense<[3, 4]>', 'vector<2xi32>', true],
  [divisions, 'dense<[3, 0]>', 'vector<2xi32>', false],
  [signedDivisions, 'dense<[3, -1]>', 'vector<2xi32>', false],
  [unsignedDivisions, 'dense<[3, -1]>', 'vector<2xi32>', true],
])('%j by %s : %s is hoisted: %s', (names, divisor, type, isHoisted) => {
  const dividend = type === 'i32' ? '%x' : '%v';
  for (const name of names) {
    const { above, inside } = moved(
      `%d = arith.constant ${divisor} : ${type}\n%q = arith.${name} ${dividend}, %d : ${type}`,
    );
    expect((isHoisted ? above : inside).includes(`arith.${name}`), name).toBe(true);
  }
});

it.each([
  ['-1', false],
  ['0', true],
  ['dense<[3, -1]>', false],
])('a power with exponent %s is hoisted: %s', (exponent, isHoisted) => {
  const [type, base] = exponent.startsWith('dense') ? ['vector<2xi32>', '%v'] : ['i32', '%x'];
  const { above, inside } = moved(
    `%e = arith.constant ${exponent} : ${type}\n%p = math.ipowi ${base}, %e : ${type}`,
  );
  expect((isHoisted ? above : inside).includes('math.ipowi')).toBe(true);
});

it('asks ops of other dialects', () => {
  const root = defineOp({
    name: 'own.root',
    summary: 'a root of a number, which must not be negative',
    operands: { of: one(anyType) },
    results: { result: one(anyType) },
    traits: ['pure'],
  });
  const known = extendRegistry(registry, [{ name: 'own', operations: [root] }]);
  const asked = extendRegistry(
    known,
    [],
    [
      attach(
        speculatable,
        root.name,
        ({ operands }, constantOf) => (integerOf(constantOf(operands[0]!)) ?? -1) >= 0,
      ),
    ],
  );
  const lines = `%c4 = arith.constant 4 : i32
    %a = "own.root"(%c4) : (i32) -> i32
    %b = "own.root"(%x) : (i32) -> i32
    %t = arith.constant true
    scf.if %t {
      %c = "own.root"(%x) : (i32) -> i32
    }`;
  const hoisted = moved(lines, known);
  expect(hoisted.above.match(/own\.root/g)).toHaveLength(3);
  const { above, inside } = moved(lines, asked);
  expect(above.match(/own\.root.*/g)).toEqual(['own.root"(%c4_i32) : (i32) -> i32']);
  expect(inside.match(/own\.root.*/g)).toEqual([
    'own.root"(%arg0) : (i32) -> i32',
    'own.root"(%arg0) : (i32) -> i32',
  ]);
});

/** Whether an operation leaves a loop that ends at `end`, where it comes after another. */
const leaves = (line: string, end: string, before = ''): boolean => {
  const text = `func.func private @other()
  func.func @g(%n: index, %j: index, %x: f32, %v: vector<4xf32>, %t: tensor<4xf32>, %d: tensor<?xf32>, %e: tensor<?xf32>,
      %p: tensor<2x2xf32>, %q: tensor<2x2x4x8xf32>, %o: tensor<8x16xf32>, %m: memref<4xf32>, %s: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %k = %c0 to %c3 step %c1 {
      scf.for %i = %c0 to ${end} step %c1 {
        ${before}
        ${line}
        memref.store %x, %m[%c0] : memref<4xf32>
      }
    }
    return
  }`;
  const { root } = unwrap(
    loopInvariantCodeMotion().run(unwrap(parseModule(text, { registry })), { registry }),
  );
  const last = (operation: Operation | undefined, name: string): Operation | undefined =>
    operation?.regions[0]?.blocks[0]?.operations.findLast((each) => each.name === name);
  const loop = last(last(last(root, 'func.func'), 'scf.for'), 'scf.for');
  const [name = ''] = /[a-z]+\.[a-z_]+/.exec(line)!;
  return last(loop, name) === undefined;
};

it.each([
  ['tensor.extract %t[INDEX] : tensor<4xf32>', '%c3', '%j'],
  ['tensor.insert %x into %t[INDEX] : tensor<4xf32>', '%k', '%j'],
  ['tensor.extract %d[INDEX] : tensor<?xf32>', '', '%c0'],
  ['tensor.extract_slice %t[INDEX] [2] [1] : tensor<4xf32> to tensor<2xf32>', '%k', '%c3'],
  ['tensor.extract_slice %t[1] [INDEX] [1] : tensor<4xf32> to tensor<?xf32>', '%c3', '%j'],
  ['tensor.extract_slice %t[0] [2] [INDEX] : tensor<4xf32> to tensor<2xf32>', '%c3', '%n'],
  [
    'tensor.insert_slice %p into %o[0, INDEX] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<8x16xf32>',
    '%k',
    '%j',
  ],
  [
    'tensor.pad %t low[INDEX] high[0] {\n^bb0(%a: index):\ntensor.yield %x : f32\n} : tensor<4xf32> to tensor<?xf32>',
    '%k',
    '%j',
  ],
  [
    'tensor.pad %t low[-1] high[INDEX] {\n^bb0(%a: index):\ntensor.yield %x : f32\n} : tensor<4xf32> to tensor<?xf32>',
    '',
    '%k',
  ],
  ['tensor.empty(INDEX) : tensor<?xf32>', '%k', '%j'],
  ['tensor.splat %x[INDEX] : tensor<?xf32>', '%k', '%j'],
  ['tensor.dim %t, INDEX : tensor<4xf32>', '%c0', '%k'],
  ['memref.dim %m, INDEX : memref<4xf32>', '%c0', '%k'],
  ['tensor.cast INDEX : tensor<?xf32> to tensor<4xf32>', '', '%d'],
  ['tensor.cast INDEX : tensor<4xf32> to tensor<?xf32>', '%t', ''],
  ['memref.cast INDEX : memref<?xf32> to memref<4xf32>', '', '%s'],
  ['memref.cast INDEX : memref<4xf32> to memref<?xf32, strided<[1]>>', '%m', ''],
  ['memref.cast INDEX : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>', '%s', ''],
  ['memref.subview %m[INDEX] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>', '%k', '%j'],
  ['arith.addf INDEX : tensor<?xf32>', '%d, %d', ''],
  ['arith.mulf %d, INDEX : tensor<?xf32>', '', '%e'],
  ['vector.extract %v[INDEX] : f32 from vector<4xf32>', '%k', '%j'],
  ['vector.insert %x, %v[INDEX] : f32 into vector<4xf32>', '%c3', '%j'],
  ['vector.extractelement %v[INDEX : index] : vector<4xf32>', '%k', '%j'],
  ['vector.insertelement %x, %v[INDEX : index] : vector<4xf32>', '%k', '%j'],
  ['vector.transfer_read %t[INDEX], %x {in_bounds = [true]} : tensor<4xf32>, vector<2xf32>', '%k', '%j'],
  ['vector.transfer_read %t[INDEX], %x : tensor<4xf32>, vector<2xf32>', '%j', ''],
  ['vector.transfer_read %p[INDEX, %c0], %x : tensor<2x2xf32>, vector<2xf32>', '%c1', '%k'],
  ['vector.transfer_write %v, %t[INDEX] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>', '%c0', '%k'],
  ['affine.apply affine_map<(a)[s] -> (a mod s)>(%j)[INDEX]', '%c3', '%n'],
  ['affine.min affine_map<(a)[s] -> (a floordiv s, 8)>(%j)[INDEX]', '%c3', '%k'],
  ['scf.for %a = %c0 to %c3 step INDEX {\n}', '%c3', '%n'],
  ['scf.parallel (%a) = (%c0) to (%c3) step (INDEX) {\nscf.reduce\n}', '%c3', '%n'],
  ['scf.forall (%a) = (0) to (3) step (INDEX) {\n}', '%c3', '%n'],
])(
  'what may be undefined leaves a loop that may be empty only if it is not: %s',
  (line, defined, unknown) => {
    const withIndex = (index: string): string =>
      (line.startsWith('scf') ? '' : '%r = ') + line.replace('INDEX', index);
    if (defined !== '') expect(leaves(withIndex(defined), '%n')).toBe(true);
    if (unknown === '') return;
    expect(leaves(withIndex(unknown), '%n')).toBe(false);
    expect(leaves(withIndex(unknown), '%c3')).toBe(true);
    expect(leaves(withIndex(unknown), '%c3', 'func.call @other() : () -> ()')).toBe(false);
  },
);
