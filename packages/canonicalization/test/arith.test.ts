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
  {
    name: 'the upper half of a product of twice the width',
    arguments: '%x: i32, %y: i32',
    results: '(i32, i32, i16)',
    before: `
      %c = arith.constant 32 : i64
      %0 = arith.extsi %x : i32 to i64
      %1 = arith.extsi %y : i32 to i64
      %2 = arith.muli %0, %1 : i64
      %3 = arith.shrsi %2, %c : i64
      %4 = arith.trunci %3 : i64 to i32
      %5 = arith.extui %x : i32 to i64
      %6 = arith.extui %y : i32 to i64
      %7 = arith.muli %5, %6 : i64
      %8 = arith.shrui %7, %c : i64
      %9 = arith.trunci %8 : i64 to i32
      %c16 = arith.constant 16 : i32
      %10 = arith.shrsi %x, %c16 : i32
      %11 = arith.trunci %10 : i32 to i16
      return %4, %9, %11 : i32, i32, i16`,
    after: `
      %c16_i32 = arith.constant 16 : i32
      %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
      %low_0, %high_1 = arith.mului_extended %arg0, %arg1 : i32
      %0 = arith.shrui %arg0, %c16_i32 : i32
      %1 = arith.trunci %0 : i32 to i16
      return %high, %high_1, %1 : i32, i32, i16`,
  },
  {
    name: 'combined operations keep the overflow flags of both',
    arguments: '%x: index',
    results: '(index, index, index, index, index)',
    before: `
      %c17 = arith.constant 17 : index
      %c42 = arith.constant 42 : index
      %0 = arith.addi %x, %c17 overflow<nsw, nuw> : index
      %1 = arith.addi %0, %c42 overflow<nsw, nuw> : index
      %2 = arith.subi %0, %c42 overflow<nsw, nuw> : index
      %3 = arith.subi %c17, %x overflow<nsw, nuw> : index
      %4 = arith.subi %3, %c42 overflow<nsw, nuw> : index
      %5 = arith.subi %x, %c17 overflow<nsw> : index
      %6 = arith.subi %5, %c42 overflow<nsw, nuw> : index
      %7 = arith.muli %x, %c17 overflow<nuw> : index
      %8 = arith.muli %7, %c42 overflow<nsw, nuw> : index
      return %1, %2, %4, %6, %8 : index, index, index, index, index`,
    after: `
      %c714 = arith.constant 714 : index
      %c-25 = arith.constant -25 : index
      %c59 = arith.constant 59 : index
      %0 = arith.addi %arg0, %c59 overflow<nsw, nuw> : index
      %1 = arith.addi %arg0, %c-25 overflow<nsw> : index
      %2 = arith.subi %c-25, %arg0 overflow<nsw, nuw> : index
      %3 = arith.subi %arg0, %c59 overflow<nsw> : index
      %4 = arith.muli %arg0, %c714 overflow<nuw> : index
      return %0, %1, %2, %3, %4 : index, index, index, index, index`,
    isNotExecuted: true,
  },
  {
    name: 'a combined constant that overflows: so may its operation',
    arguments: '%x: i8',
    results: '(i8, i8)',
    before: `
      %c100 = arith.constant 100 : i8
      %0 = arith.addi %x, %c100 overflow<nsw, nuw> : i8
      %1 = arith.addi %0, %c100 overflow<nsw, nuw> : i8
      %2 = arith.subi %c100, %x overflow<nsw> : i8
      %3 = arith.addi %2, %c100 overflow<nsw> : i8
      return %1, %3 : i8, i8`,
    after: `
      %c-56_i8 = arith.constant -56 : i8
      %0 = arith.addi %arg0, %c-56_i8 overflow<nuw> : i8
      %1 = arith.subi %c-56_i8, %arg0 : i8
      return %0, %1 : i8, i8`,
    isNotExecuted: true,
  },
  {
    name: 'constants of 16 bits, and of more than 64',
    arguments: '',
    results: '(bf16, f16, f16, bf16, f128, i8)',
    before: `
      %0 = arith.constant 1.5 : f32
      %1 = arith.truncf %0 upward : f32 to bf16
      %2 = arith.bitcast %1 : bf16 to f16
      %3 = arith.constant 1.1 : f16
      %4 = arith.mulf %3, %3 : f16
      %5 = arith.constant 1.1 : f32
      %6 = arith.truncf %5 : f32 to bf16
      %7 = arith.constant 2.0 : f80
      %8 = arith.extf %7 : f80 to f128
      %9 = arith.constant 3.5 : f8E4M3FN
      %10 = arith.bitcast %9 : f8E4M3FN to i8
      return %1, %2, %4, %6, %8, %10 : bf16, f16, f16, bf16, f128, i8`,
    after: `
      %c70_i8 = arith.constant 70 : i8
      %cst = arith.constant 2.000000e+00 : f128
      %cst_0 = arith.constant 1.100000e+00 : f32
      %cst_1 = arith.constant 1.500000e+00 : bf16
      %cst_2 = arith.constant 1.937500e+00 : f16
      %cst_3 = arith.constant 1.208980e+00 : f16
      %0 = arith.truncf %cst_0 : f32 to bf16
      return %cst_1, %cst_2, %cst_3, %0, %cst, %c70_i8 : bf16, f16, f16, bf16, f128, i8`,
    isNotExecuted: true,
  },
  {
    name: 'an integer that is rounded, compared with a small number',
    arguments: '%x: i32',
    results: '(i1, i1)',
    before: `
      %c = arith.constant 2.5 : f32
      %d = arith.constant 1.0e8 : f32
      %0 = arith.sitofp %x : i32 to f32
      %1 = arith.cmpf olt, %0, %c : f32
      %2 = arith.cmpf olt, %0, %d : f32
      return %1, %2 : i1, i1`,
    after: `
      %c2_i32 = arith.constant 2 : i32
      %cst = arith.constant 1.000000e+08 : f32
      %0 = arith.sitofp %arg0 : i32 to f32
      %1 = arith.cmpi sle, %arg0, %c2_i32 : i32
      %2 = arith.cmpf olt, %0, %cst : f32
      return %1, %2 : i1, i1`,
  },
  {
    name: 'a rounding that contracts, maxima with infinity, a selection of elements, indices through i64',
    arguments: '%x: bf16, %y: f32, %i: index',
    results: '(f32, f32, bf16, f32, f32, vector<2xi8>, index)',
    before: `
      %0 = arith.truncf %y fastmath<contract> : f32 to bf16
      %1 = arith.extf %0 fastmath<contract> : bf16 to f32
      %2 = arith.extf %0 : bf16 to f32
      %inf = arith.constant 0x7F800000 : f32
      %3 = arith.minimumf %y, %inf : f32
      %4 = arith.minnumf %y, %inf : f32
      %c = arith.constant dense<[true, false]> : vector<2xi1>
      %a = arith.constant dense<[1, 2]> : vector<2xi8>
      %b = arith.constant dense<[3, 4]> : vector<2xi8>
      %5 = arith.select %c, %a, %b : vector<2xi1>, vector<2xi8>
      %6 = arith.index_cast %i : index to i64
      %7 = arith.index_cast %6 : i64 to index
      return %1, %2, %0, %3, %4, %5, %7 : f32, f32, bf16, f32, f32, vector<2xi8>, index`,
    after: `
      %cst = arith.constant dense<[1, 4]> : vector<2xi8>
      %cst_0 = arith.constant 0x7F800000 : f32
      %0 = arith.truncf %arg1 fastmath<contract> : f32 to bf16
      %1 = arith.extf %0 : bf16 to f32
      %2 = arith.minnumf %arg1, %cst_0 : f32
      return %arg1, %1, %0, %arg1, %2, %cst, %arg2 : f32, f32, bf16, f32, f32, vector<2xi8>, index`,
    isNotExecuted: true,
  },
  {
    name: 'constants of a resource stay',
    arguments: '',
    results: 'tensor<4xi64>',
    before: `
      %0 = arith.constant dense_resource<numbers> : tensor<4xi32>
      %1 = arith.extsi %0 : tensor<4xi32> to tensor<4xi64>
      return %1 : tensor<4xi64>`,
    after: `
      %cst = arith.constant dense_resource<numbers> : tensor<4xi32>
      %0 = arith.extsi %cst : tensor<4xi32> to tensor<4xi64>
      return %0 : tensor<4xi64>`,
    isNotExecuted: true,
  },
];

testRows('arith', canonicalize(), rows);
