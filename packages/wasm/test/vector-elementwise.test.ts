import { describe, expect, it } from 'vitest';
import { instanceOf } from './emit.ts';
import { expectSame, vectorProgram } from './vector-program.ts';

const integerOps = 'addi subi muli andi ori xori shli shrsi shrui minsi maxsi minui maxui'
  .split(' ')
  .map((name) => `arith.${name}`);
const divisions = 'divsi divui remsi remui floordivsi ceildivsi ceildivui'
  .split(' ')
  .map((name) => `arith.${name}`);
const predicates = ['eq', 'ne', 'slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'];

describe.each(['i1', 'i8', 'i16', 'i32', 'i64', 'index'])('of %s', (e) => {
  it('arithmetic', () => {
    const used = integerOps.filter((name) => !(e === 'i1' && name.includes('sh')));
    expectSame(
      vectorProgram(
        [`5x${e}`, `5x${e}`],
        // Shifts by few bits, of indices too.
        `%three = arith.constant dense<${e === 'i1' ? 'true' : 3}> : vector<5x${e}>
         ${used.map((name, i) => `%r${i} = ${name} ${name.includes('.sh') ? '%v0, %three' : '%v0, %v1'} : vector<5x${e}>`).join('\n')}`,
        used.map(() => `5x${e}`),
      ).replaceAll(e === 'index' ? /arith.(shrui|shli)/g : /$^/g, 'arith.shrsi'),
    );
  });

  it('comparisons and choices', () => {
    expectSame(
      vectorProgram(
        [`2x3x${e}`, `2x3x${e}`],
        predicates
          .map(
            (name, i) => `%r${2 * i} = arith.cmpi ${name}, %v0, %v1 : vector<2x3x${e}>
              %r${2 * i + 1} = arith.select %r${2 * i}, %v0, %v1 : vector<2x3xi1>, vector<2x3x${e}>`,
          )
          .join('\n'),
        predicates.flatMap(() => ['2x3xi1', `2x3x${e}`]),
      ),
    );
  });
});

it.each(['i8', 'i16', 'i32', 'i64', 'index'])('divisions of %s', (e) => {
  expectSame(
    vectorProgram(
      [`5x${e}`],
      `%three = arith.constant dense<3> : vector<5x${e}>
         %v1 = arith.maxui %three, %three : vector<5x${e}>
         %even = arith.muli %v0, %v0 : vector<5x${e}>
         ${divisions.map((name, i) => `%r${i} = ${name} %even, %v1 : vector<5x${e}>`).join('\n')}`,
      divisions.map(() => `5x${e}`),
    ),
  );
});

describe.each(['f32', 'f64'])('of %s', (e) => {
  const names = ['addf', 'subf', 'mulf', 'divf', 'maximumf', 'minimumf', 'maxnumf', 'minnumf'];
  it('arithmetic, comparisons and choices', () => {
    expectSame(
      vectorProgram(
        [`7x${e}`, `7x${e}`],
        `${names.map((name, i) => `%r${i} = arith.${name} %v0, %v1 : vector<7x${e}>`).join('\n')}
         %r8 = arith.negf %v0 : vector<7x${e}>
         %r9 = arith.cmpf ult, %v0, %v1 : vector<7x${e}>
         %r10 = arith.select %r9, %v0, %v1 : vector<7xi1>, vector<7x${e}>
         %both = arith.xori %r9, %r9 : vector<7xi1>
         %r11 = arith.select %both, %v0, %v1 : vector<7xi1>, vector<7x${e}>`,
        [...names.map(() => `7x${e}`), `7x${e}`, '7xi1', `7x${e}`, `7x${e}`],
      ),
    );
  });
});

it.each([
  ['extsi', 'i1', 'i8'],
  ['extui', 'i1', 'i64'],
  ['extsi', 'i8', 'i16'],
  ['extsi', 'i8', 'i64'],
  ['extui', 'i8', 'i32'],
  ['extui', 'i16', 'i64'],
  ['extsi', 'i32', 'i64'],
  ['trunci', 'i64', 'i8'],
  ['trunci', 'i32', 'i16'],
  ['trunci', 'i16', 'i1'],
  ['sitofp', 'i32', 'f32'],
  ['uitofp', 'i32', 'f32'],
  ['sitofp', 'i8', 'f64'],
  ['sitofp', 'i1', 'f32'],
  ['fptosi', 'f32', 'i32'],
  ['fptosi', 'f64', 'i8'],
  ['extf', 'f32', 'f64'],
  ['truncf', 'f64', 'f32'],
  ['index_cast', 'i8', 'index'],
  ['index_cast', 'index', 'i64'],
])('arith.%s of %s to %s', (name, from, to) => {
  const body = `%r0 = arith.${name} %v0 : vector<19x${from}> to vector<19x${to}>`;
  expectSame(vectorProgram([`19x${from}`], body, [`19x${to}`]));
});

it('masks of elements of different sizes go together', () => {
  expectSame(
    vectorProgram(
      ['9xi8', '9xf32', '9xf64', '9xi16'],
      `%small = arith.cmpi slt, %v0, %v0 : vector<9xi8>
       %words = arith.cmpf olt, %v1, %v1 : vector<9xf32>
       %long = arith.cmpf ole, %v2, %v2 : vector<9xf64>
       %a = arith.ori %small, %long : vector<9xi1>
       %b = arith.andi %long, %words : vector<9xi1>
       %r0 = arith.select %a, %v3, %v3 : vector<9xi1>, vector<9xi16>
       %r1 = arith.select %b, %v2, %v2 : vector<9xi1>, vector<9xf64>
       %r2 = arith.xori %a, %b : vector<9xi1>`,
      ['9xi16', '9xf64', '9xi1'],
    ),
  );
});

it('an index that 32 bits do not hold ends the execution', () => {
  const text = `func.func @f(%m: memref<5xindex>) {
    %c0 = arith.constant 0 : index
    %v = vector.load %m[%c0] : memref<5xindex>, vector<5xindex>
    %w = arith.muli %v, %v : vector<5xindex>
    vector.store %w, %m[%c0] : memref<5xindex>, vector<5xindex>
    return
  }`;
  const result = instanceOf(text).call('f', Int32Array.of(1, 2, 3, 65_536, 5));
  expect(result.diagnostics).toMatchObject([{ code: 'wasm/overflow', location: { line: 4 } }]);
});

describe('vectors in control flow', () => {
  it('are carried by loops, and exchanged', () => {
    expectSame(
      vectorProgram(
        ['5xf32', '5xf32', '5xi1', '5xi1'],
        `%r0, %r1, %r2, %r3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %v0, %b = %v1, %k = %v2, %l = %v3) -> (vector<5xf32>, vector<5xf32>, vector<5xi1>, vector<5xi1>) {
           %s = arith.addf %a, %b : vector<5xf32>
           %c = arith.cmpf olt, %s, %b : vector<5xf32>
           scf.yield %b, %s, %c, %k : vector<5xf32>, vector<5xf32>, vector<5xi1>, vector<5xi1>
         }`,
        ['5xf32', '5xf32', '5xi1', '5xi1'],
      ),
    );
  });

  it.each(['true', 'false'])('are results of a branch: %s', (condition) => {
    expectSame(
      vectorProgram(
        ['5xi16', '5xi16'],
        `%c = arith.constant ${condition}
         %r0 = scf.if %c -> (vector<5xi16>) {
           %s = arith.addi %v0, %v1 : vector<5xi16>
           scf.yield %s : vector<5xi16>
         } else {
           scf.yield %v1 : vector<5xi16>
         }`,
        ['5xi16'],
      ),
    );
  });

  it('are seen by the bodies of parallel loops', () => {
    expectSame(
      vectorProgram(
        ['6xf64', '3xi1', '3x6xf64'],
        `%k = arith.constant dense<[true, false, true]> : vector<3xi1>
         scf.forall (%i) in (3) {
           %z = arith.constant 0.0 : f64
           %row = vector.load %m2[%i, %c0] : memref<3x6xf64>, vector<6xf64>
           %s = arith.addf %row, %v0 : vector<6xf64>
           vector.store %s, %m2[%i, %c0] : memref<3x6xf64>, vector<6xf64>
         }
         %r0 = vector.load %m2[%c1, %c0] : memref<3x6xf64>, vector<6xf64>`,
        ['6xf64'],
      ),
    );
  });

  it.each([
    ['a parameter', 'func.func @f(%v: vector<4xf32>) { return }'],
    [
      'a result',
      'func.func @f() -> vector<4xf32> { %v = arith.constant dense<0.0> : vector<4xf32> return %v : vector<4xf32> }',
    ],
  ])('are refused as %s of a function', (_, text) => {
    expect(() => instanceOf(text)).toThrow('a value of kind vector');
  });
});
