/** Canonicalization of arithmetic. */
import { canonicalize } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'constants of sums and differences are one',
    arguments: '%a: i32',
    results: '(i32, i32, i32)',
    before: `
      %c3 = arith.constant 3 : i32
      %c5 = arith.constant 5 : i32
      %0 = arith.addi %a, %c3 : i32
      %1 = arith.subi %c5, %0 : i32
      %2 = arith.subi %a, %c3 : i32
      %3 = arith.addi %2, %c5 : i32
      %4 = arith.subi %2, %c5 : i32
      return %1, %3, %4 : i32, i32, i32`,
    after: `
      %c8_i32 = arith.constant 8 : i32
      %c2_i32 = arith.constant 2 : i32
      %0 = arith.subi %c2_i32, %arg0 : i32
      %1 = arith.addi %arg0, %c2_i32 : i32
      %2 = arith.subi %arg0, %c8_i32 : i32
      return %0, %1, %2 : i32, i32, i32`,
  },
  {
    name: 'what is added and subtracted again',
    arguments: '%a: i32, %b: i32',
    results: '(i32, i32, i32)',
    before: `
      %0 = arith.addi %a, %b : i32
      %1 = arith.subi %0, %b : i32
      %2 = arith.subi %0, %a : i32
      %3 = arith.subi %a, %b : i32
      %4 = arith.addi %b, %3 : i32
      return %1, %2, %4 : i32, i32, i32`,
    after: `
      return %arg0, %arg1, %arg0 : i32, i32, i32`,
  },
  {
    name: 'bits that undo each other',
    arguments: '%a: i8, %b: i8',
    results: '(i8, i8, i8)',
    before: `
      %m = arith.constant -1 : i8
      %0 = arith.xori %a, %b : i8
      %1 = arith.xori %0, %a : i8
      %2 = arith.xori %a, %m : i8
      %3 = arith.andi %2, %a : i8
      %4 = arith.ori %a, %2 : i8
      return %1, %3, %4 : i8, i8, i8`,
    after: `
      %c0_i8 = arith.constant 0 : i8
      %c-1_i8 = arith.constant -1 : i8
      return %arg1, %c0_i8, %c-1_i8 : i8, i8, i8`,
  },
  {
    name: 'widened twice, and narrowed',
    arguments: '%a: i8',
    results: '(i64, i16, i4)',
    before: `
      %0 = arith.extui %a : i8 to i16
      %1 = arith.extsi %0 : i16 to i64
      %2 = arith.extsi %a : i8 to i64
      %3 = arith.trunci %2 : i64 to i16
      %4 = arith.trunci %2 : i64 to i4
      return %1, %3, %4 : i64, i16, i4`,
    after: `
      %0 = arith.extui %arg0 : i8 to i64
      %1 = arith.extsi %arg0 : i8 to i16
      %2 = arith.trunci %arg0 : i8 to i4
      return %0, %1, %2 : i64, i16, i4`,
  },
  {
    name: 'an index that is cut and widened is another one',
    arguments: '%a: index, %b: i32',
    results: '(index, i32)',
    before: `
      %0 = arith.index_cast %a : index to i32
      %1 = arith.index_cast %0 : i32 to index
      %2 = arith.index_cast %b : i32 to index
      %3 = arith.index_cast %2 : index to i32
      return %1, %3 : index, i32`,
    after: `
      %0 = arith.index_cast %arg0 : index to i32
      %1 = arith.index_cast %0 : i32 to index
      return %1, %arg1 : index, i32`,
  },
  {
    name: 'comparisons of what was widened',
    arguments: '%a: i8, %b: i8, %c: i1',
    results: '(i1, i1)',
    before: `
      %z = arith.constant 0 : i32
      %0 = arith.extsi %a : i8 to i32
      %1 = arith.extsi %b : i8 to i32
      %2 = arith.cmpi eq, %0, %1 : i32
      %3 = arith.extui %c : i1 to i32
      %4 = arith.cmpi ne, %3, %z : i32
      return %2, %4 : i1, i1`,
    after: `
      %0 = arith.cmpi eq, %arg0, %arg1 : i8
      return %0, %arg2 : i1, i1`,
  },
  {
    name: 'negated comparisons',
    arguments: '%a: i8, %b: i8',
    results: 'i1',
    before: `
      %t = arith.constant true
      %0 = arith.cmpi ult, %a, %b : i8
      %1 = arith.xori %0, %t : i1
      return %1 : i1`,
    after: `
      %0 = arith.cmpi uge, %arg0, %arg1 : i8
      return %0 : i1`,
  },
  {
    name: 'selected bits',
    arguments: '%c: i1',
    results: '(i1, i1, i32)',
    before: `
      %t = arith.constant true
      %f = arith.constant false
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %0 = arith.select %c, %t, %f : i1
      %1 = arith.select %c, %f, %t : i1
      %2 = arith.select %c, %one, %zero : i32
      return %0, %1, %2 : i1, i1, i32`,
    after: `
      %true = arith.constant true
      %0 = arith.xori %arg0, %true : i1
      %1 = arith.extui %arg0 : i1 to i32
      return %arg0, %0, %1 : i1, i1, i32`,
  },
  {
    name: 'selected by what they were compared by',
    arguments: '%a: i32, %b: i32',
    results: '(i32, i32)',
    before: `
      %0 = arith.cmpi eq, %a, %b : i32
      %1 = arith.select %0, %a, %b : i32
      %2 = arith.cmpi ne, %a, %b : i32
      %3 = arith.select %2, %b, %a : i32
      return %1, %3 : i32, i32`,
    after: `
      return %arg1, %arg1 : i32, i32`,
  },
  {
    name: 'signs that cancel',
    arguments: '%x: f32, %y: f32',
    results: '(f32, f32)',
    before: `
      %0 = arith.negf %x : f32
      %1 = arith.negf %y : f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.negf %0 : f32
      return %2, %3 : f32, f32`,
    after: `
      %0 = arith.mulf %arg0, %arg1 : f32
      return %0, %arg0 : f32, f32`,
  },
  {
    name: 'integers as floats, compared with constants',
    arguments: '%a: i16, %b: i8',
    results: '(i1, i1, i1, i1)',
    before: `
      %x = arith.constant 3.5 : f32
      %y = arith.constant -1.0 : f32
      %z = arith.constant 1000.0 : f32
      %0 = arith.sitofp %a : i16 to f32
      %1 = arith.cmpf olt, %0, %x : f32
      %2 = arith.cmpf oeq, %0, %x : f32
      %3 = arith.uitofp %b : i8 to f32
      %4 = arith.cmpf ugt, %3, %y : f32
      %5 = arith.cmpf oge, %3, %z : f32
      return %1, %2, %4, %5 : i1, i1, i1, i1`,
    after: `
      %true = arith.constant true
      %false = arith.constant false
      %c3_i16 = arith.constant 3 : i16
      %0 = arith.cmpi sle, %arg0, %c3_i16 : i16
      return %0, %false, %true, %false : i1, i1, i1, i1`,
  },
  {
    name: 'an integer that a float cannot hold is not compared as one',
    arguments: '%a: i32',
    results: 'i1',
    before: `
      %x = arith.constant 16777216.0 : f32
      %0 = arith.sitofp %a : i32 to f32
      %1 = arith.cmpf oeq, %0, %x : f32
      return %1 : i1`,
    after: `
      %cst = arith.constant 0x4B800000 : f32
      %0 = arith.sitofp %arg0 : i32 to f32
      %1 = arith.cmpf oeq, %0, %cst : f32
      return %1 : i1`,
  },
  {
    name: 'no number compares',
    arguments: '%x: f32',
    results: '(i1, i1, i1)',
    before: `
      %nan = arith.constant 0x7FC00000 : f32
      %0 = arith.cmpf olt, %x, %nan : f32
      %1 = arith.cmpf une, %x, %nan : f32
      %2 = arith.cmpf ord, %x, %nan : f32
      return %0, %1, %2 : i1, i1, i1`,
    after: `
      %false = arith.constant false
      %true = arith.constant true
      return %false, %true, %false : i1, i1, i1`,
  },
  {
    name: 'products and sums in two halves, of constants',
    arguments: '',
    results: '(i8, i8, i8, i8, i8, i1, vector<2xi8>, vector<2xi1>)',
    before: `
      %a = arith.constant 57 : i8
      %b = arith.constant -123 : i8
      %v = arith.constant dense<[1, -1]> : vector<2xi8>
      %low, %high = arith.mului_extended %a, %b : i8
      %slow, %shigh = arith.mulsi_extended %a, %b : i8
      %sum, %carry = arith.addui_extended %b, %b : i8, i1
      %sums, %carries = arith.addui_extended %v, %v : vector<2xi8>, vector<2xi1>
      return %low, %high, %slow, %shigh, %sum, %carry, %sums, %carries
        : i8, i8, i8, i8, i8, i1, vector<2xi8>, vector<2xi1>`,
    after: `
      %c-99_i8 = arith.constant -99 : i8
      %c29_i8 = arith.constant 29 : i8
      %c-28_i8 = arith.constant -28 : i8
      %c10_i8 = arith.constant 10 : i8
      %true = arith.constant true
      %cst = arith.constant dense<[2, -2]> : vector<2xi8>
      %cst_0 = arith.constant dense<[false, true]> : vector<2xi1>
      return %c-99_i8, %c29_i8, %c-99_i8, %c-28_i8, %c10_i8, %true, %cst, %cst_0 : i8, i8, i8, i8, i8, i1, vector<2xi8>, vector<2xi1>`,
    isNotExecuted: true,
  },
  {
    name: 'products and sums in two halves, with 0 and 1',
    arguments: '%x: i8',
    results: '(i8, i8, i8, i8, i8, i1, i8, i8)',
    before: `
      %c0 = arith.constant 0 : i8
      %c1 = arith.constant 1 : i8
      %0:2 = arith.mului_extended %c0, %x : i8
      %1:2 = arith.mului_extended %x, %c1 : i8
      %2:2 = arith.addui_extended %x, %c0 : i8, i1
      %3:2 = arith.mulsi_extended %x, %c1 : i8
      return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1 : i8, i8, i8, i8, i8, i1, i8, i8`,
    after: `
      %c0_i8 = arith.constant 0 : i8
      %false = arith.constant false
      %0 = arith.cmpi slt, %arg0, %c0_i8 : i8
      %1 = arith.extsi %0 : i1 to i8
      return %c0_i8, %c0_i8, %arg0, %c0_i8, %arg0, %false, %arg0, %1 : i8, i8, i8, i8, i8, i1, i8, i8`,
    isNotExecuted: true,
  },
  {
    name: 'the upper half is not used',
    arguments: '%x: i8, %y: vector<2xi8>',
    results: '(i8, i8, vector<2xi8>)',
    before: `
      %0:2 = arith.mulsi_extended %x, %x : i8
      %1:2 = arith.mului_extended %0#0, %x : i8
      %2:2 = arith.addui_extended %y, %y : vector<2xi8>, vector<2xi1>
      return %0#0, %1#0, %2#0 : i8, i8, vector<2xi8>`,
    after: `
      %0 = arith.muli %arg0, %arg0 : i8
      %1 = arith.muli %0, %arg0 : i8
      %2 = arith.addi %arg1, %arg1 : vector<2xi8>
      return %0, %1, %2 : i8, i8, vector<2xi8>`,
    isNotExecuted: true,
  },
  {
    name: 'a vector of one constant',
    arguments: '',
    results: '(vector<4xi16>, vector<4xf32>)',
    before: `
      %c = arith.constant -2 : i8
      %0 = vector.splat %c : vector<4xi8>
      %1 = arith.extsi %0 : vector<4xi8> to vector<4xi16>
      %x = arith.constant 2.5 : f32
      %2 = vector.splat %x : vector<4xf32>
      return %1, %2 : vector<4xi16>, vector<4xf32>`,
    after: `
      %cst = arith.constant dense<-2> : vector<4xi16>
      %cst_0 = arith.constant dense<2.500000e+00> : vector<4xf32>
      return %cst, %cst_0 : vector<4xi16>, vector<4xf32>`,
  },
];

testRows('arith', canonicalize(), rows);
