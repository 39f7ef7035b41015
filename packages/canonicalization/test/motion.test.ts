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
