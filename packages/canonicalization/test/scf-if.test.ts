/** Canonicalization of branches of scf. */
import { stays, testPatterns } from './support/rows.ts';

testPatterns('canonicalization', [
  [
    'a branch that is taken',
    '(%x: f32, %y: f32) -> f32',
    `%c = arith.constant true
    %r = scf.if %c -> f32 {
      scf.yield %x : f32
    } else {
      %s = arith.addf %x, %y : f32
      scf.yield %s : f32
    }`,
    '',
    'return %arg0',
  ],
  [
    'a branch that is not taken',
    '(%x: f32, %y: f32) -> f32',
    `%c = arith.constant false
    %r = scf.if %c -> f32 {
      scf.yield %x : f32
    } else {
      %s = arith.addf %x, %y : f32
      scf.yield %s : f32
    }`,
    'arith.addf',
  ],
  [
    'a branch that is not taken, of none',
    '(%x: f32, %m: memref<f32>)',
    `%c = arith.constant false
    scf.if %c {
      memref.store %x, %m[] : memref<f32>
    }`,
    '',
  ],
  [
    'a condition within its branches',
    '(%c: i1, %m: memref<2xi1>)',
    `scf.if %c {
      memref.store %c, %m[%c0] : memref<2xi1>
    } else {
      memref.store %c, %m[%c1] : memref<2xi1>
    }`,
    stays,
    'store %true',
    'store %false',
  ],
  [
    'a result that is not used',
    '(%c: i1, %x: f32, %m: memref<f32>) -> f32',
    `%a, %b = scf.if %c -> (f32, f32) {
      %s = arith.addf %x, %x : f32
      memref.store %x, %m[] : memref<f32>
      scf.yield %x, %s : f32, f32
    } else {
      %s = arith.mulf %x, %x : f32
      scf.yield %s, %s : f32, f32
    }
    return %b : f32`,
    stays,
    'scf.if %arg0 -> (f32) {',
  ],
  [
    'one of two values',
    '(%c: i1, %x: f32, %y: f32, %m: memref<f32>) -> f32',
    `%r = scf.if %c -> f32 {
      memref.store %x, %m[] : memref<f32>
      scf.yield %x : f32
    } else {
      scf.yield %y : f32
    }`,
    'arith.select, scf.if, memref.store',
    'select %arg0, %arg1, %arg2',
  ],
  [
    'the same value in both branches',
    '(%c: i1, %m: memref<f32>) -> f32',
    `%r = scf.if %c -> f32 {
      memref.store %f1, %m[] : memref<f32>
      scf.yield %f2 : f32
    } else {
      scf.yield %f2 : f32
    }`,
    stays,
  ],
  [
    'the condition',
    '(%c: i1, %x: f32, %m: memref<f32>) -> i1',
    `%t = arith.constant true
    %f = arith.constant false
    %r = scf.if %c -> i1 {
      memref.store %x, %m[] : memref<f32>
      scf.yield %t : i1
    } else {
      scf.yield %f : i1
    }`,
    stays,
    'return %arg0',
  ],
  [
    'the negated condition',
    '(%c: i1, %x: f32, %m: memref<f32>) -> i1',
    `%t = arith.constant true
    %f = arith.constant false
    %r = scf.if %c -> i1 {
      memref.store %x, %m[] : memref<f32>
      scf.yield %f : i1
    } else {
      scf.yield %t : i1
    }`,
    'arith.xori, scf.if, memref.store',
    'arith.xori %arg0',
  ],
  [
    'a negated condition',
    '(%c: i1, %x: f32, %y: f32, %m: memref<f32>)',
    `%t = arith.constant true
    %n = arith.xori %c, %t : i1
    scf.if %n {
      memref.store %x, %m[] : memref<f32>
    } else {
      memref.store %y, %m[] : memref<f32>
    }`,
    'scf.if, 2 memref.store',
  ],
  [
    'a negated condition of one branch',
    '(%c: i1, %x: f32, %m: memref<f32>)',
    `%t = arith.constant true
    %n = arith.xori %c, %t : i1
    scf.if %n {
      memref.store %x, %m[] : memref<f32>
    }`,
    stays,
  ],
  [
    'a branch in a branch',
    '(%c: i1, %d: i1, %x: f32, %m: memref<f32>)',
    `scf.if %c {
      scf.if %d {
        memref.store %x, %m[] : memref<f32>
      }
    }`,
    'arith.andi, scf.if, memref.store',
    'arith.andi %arg0, %arg1',
  ],
  [
    'a branch in a branch, with results',
    '(%c: i1, %d: i1, %x: f32, %y: f32, %m: memref<f32>) -> (f32, f32)',
    `%a, %b = scf.if %c -> (f32, f32) {
      %e = scf.if %d -> f32 {
        %s = arith.addf %x, %x : f32
        memref.store %s, %m[] : memref<f32>
        scf.yield %s : f32
      } else {
        scf.yield %y : f32
      }
      scf.yield %e, %x : f32, f32
    } else {
      scf.yield %y, %y : f32, f32
    }
    return %a, %b : f32, f32`,
    'arith.andi, arith.select, scf.if, arith.addf, memref.store',
  ],
  [
    'a branch in a branch, with other results',
    '(%c: i1, %d: i1, %x: f32, %y: f32, %m: memref<f32>) -> f32',
    `%r = scf.if %c -> f32 {
      %e = scf.if %d -> f32 {
        %s = arith.addf %x, %x : f32
        memref.store %s, %m[] : memref<f32>
        scf.yield %s : f32
      } else {
        scf.yield %x : f32
      }
      scf.yield %e : f32
    } else {
      scf.yield %y : f32
    }`,
    stays,
  ],
  [
    'a branch in a branch, with another',
    '(%c: i1, %d: i1, %x: f32, %m: memref<f32>)',
    `scf.if %c {
      scf.if %d {
        memref.store %x, %m[] : memref<f32>
      } else {
        memref.store %f1, %m[] : memref<f32>
      }
    }`,
    stays,
  ],
  [
    'a branch in a branch of a computed condition',
    '(%c: i1, %x: f32, %m: memref<f32>)',
    `scf.if %c {
      %e = memref.load %m[] : memref<f32>
      %d = arith.cmpf olt, %e, %x : f32
      scf.if %d {
        memref.store %x, %m[] : memref<f32>
      }
    }`,
    stays,
  ],
  [
    'two branches of one condition',
    '(%c: i1, %x: f32, %m: memref<f32>, %n: memref<f32>) -> f32',
    `%a = scf.if %c -> f32 {
      %s = arith.addf %x, %x : f32
      memref.store %s, %m[] : memref<f32>
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    %r = scf.if %c -> f32 {
      %s = arith.mulf %a, %x : f32
      memref.store %s, %n[] : memref<f32>
      scf.yield %s : f32
    } else {
      %s = arith.subf %a, %x : f32
      scf.yield %s : f32
    }`,
    'scf.if, arith.addf, 2 memref.store, arith.mulf, arith.subf',
  ],
  [
    'two branches of a condition and its negation',
    '(%c: i1, %x: f32, %m: memref<f32>, %n: memref<f32>) -> f32',
    `%t = arith.constant true
    %d = arith.xori %c, %t : i1
    %a = scf.if %c -> f32 {
      %s = arith.addf %x, %x : f32
      memref.store %s, %m[] : memref<f32>
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    %r = scf.if %d -> f32 {
      %s = arith.mulf %a, %x : f32
      memref.store %s, %n[] : memref<f32>
      scf.yield %s : f32
    } else {
      %s = arith.subf %a, %x : f32
      scf.yield %s : f32
    }`,
    'scf.if, arith.addf, 2 memref.store, arith.subf, arith.mulf',
  ],
  [
    'two branches of two conditions',
    '(%c: i1, %d: i1, %x: f32, %m: memref<f32>, %n: memref<f32>)',
    `scf.if %c {
      memref.store %x, %m[] : memref<f32>
    }
    scf.if %d {
      memref.store %x, %n[] : memref<f32>
    }`,
    stays,
  ],
  [
    'an empty branch',
    '(%c: i1, %x: f32, %m: memref<f32>)',
    `scf.if %c {
      memref.store %x, %m[] : memref<f32>
    } else {
    }`,
    stays,
  ],
]);
