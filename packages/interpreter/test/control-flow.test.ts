/** `func`, `cf` and `scf`. */
import { expect, it } from 'vitest';
import { memref, tensor } from '../src/index.ts';
import { failure, run, trapOf } from './run.ts';

it.each<[string, string, unknown[], unknown[]]>([
  [
    'scf.for carries values',
    `func.func @f(%n: index) -> (index, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0, %y = %c1) -> (index, index) {
        %s = arith.addi %x, %y : index
        scf.yield %y, %s : index, index
      }
      return %a, %b : index, index
    }`,
    [10],
    [55, 89],
  ],
  [
    'scf.for swaps carried values',
    `func.func @f(%n: index, %p: i64, %q: i64) -> (i64, i64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q) -> (i64, i64) {
        scf.yield %y, %x : i64, i64
      }
      return %a, %b : i64, i64
    }`,
    [3, 1n, 2n],
    [2n, 1n],
  ],
  [
    'scf.for swaps numbers, too, and both at once',
    `func.func @f(%n: index, %p: i64, %q: i64, %a: f32, %b: f32) -> (i64, i64, f32, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%w = %p, %x = %q, %y = %a, %z = %b) -> (i64, i64, f32, f32) {
        scf.yield %x, %w, %z, %y : i64, i64, f32, f32
      }
      return %r#0, %r#1, %r#2, %r#3 : i64, i64, f32, f32
    }`,
    [3, 1n, 2n, 3, 4],
    [2n, 1n, 4, 3],
  ],
  [
    'scf.for passes values on that are not next to each other',
    `func.func @f(%n: index, %p: f32, %q: f32, %r: f32) -> (f32, f32, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %o:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q, %z = %r) -> (f32, f32, f32) {
        scf.yield %z, %q, %x : f32, f32, f32
      }
      return %o#0, %o#1, %o#2 : f32, f32, f32
    }`,
    [3, 1, 2, 3],
    [3, 2, 1],
  ],
  [
    'scf.for without an iteration',
    `func.func @f(%x: f32) -> f32 {
      %c5 = arith.constant 5 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c5 to %c5 step %c1 iter_args(%a = %x) -> (f32) {
        %s = arith.addf %a, %a : f32
        scf.yield %s : f32
      }
      return %0 : f32
    }`,
    [3],
    [3],
  ],
  [
    'scf.if takes the branch of its condition',
    `func.func @f(%a: i32, %b: i32) -> i32 {
      %c = arith.cmpi slt, %a, %b : i32
      %0 = scf.if %c -> (i32) {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      return %0 : i32
    }`,
    [7, 3],
    [3],
  ],
  [
    'scf.if without another branch',
    `func.func @f(%c: i1, %d: i1, %m: memref<2xf32>, %x: f32) -> (f32, f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.if %c {
        memref.store %x, %m[%c0] : memref<2xf32>
      }
      scf.if %d {
        memref.store %x, %m[%c1] : memref<2xf32>
      }
      %0 = memref.load %m[%c0] : memref<2xf32>
      %1 = memref.load %m[%c1] : memref<2xf32>
      return %0, %1 : f32, f32
    }`,
    [1, 0, memref([2], new Float32Array(2)), 5],
    [5, 0],
  ],
  [
    'scf.while tests before its body',
    `func.func @f(%n: i32) -> (i32, i32) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %r:2 = scf.while (%x = %n, %steps = %c0) : (i32, i32) -> (i32, i32) {
        %goes = arith.cmpi sgt, %x, %c1 : i32
        scf.condition(%goes) %x, %steps : i32, i32
      } do {
      ^bb0(%x: i32, %steps: i32):
        %half = arith.shrsi %x, %c1 : i32
        %more = arith.addi %steps, %c1 : i32
        scf.yield %half, %more : i32, i32
      }
      return %r#0, %r#1 : i32, i32
    }`,
    [40],
    [1, 5],
  ],
  [
    'scf.forall inserts every tile',
    `func.func @f(%t: tensor<6xf32>) -> tensor<6xf32> {
      %e = tensor.empty() : tensor<6xf32>
      %0 = scf.forall (%i) = (0) to (6) step (2) shared_outs(%o = %e) -> (tensor<6xf32>) {
        %s = tensor.extract_slice %t[%i] [2] [1] : tensor<6xf32> to tensor<2xf32>
        %d = arith.addf %s, %s : tensor<2xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %d into %o[%i] [2] [1] : tensor<2xf32> into tensor<6xf32>
        }
      }
      return %0 : tensor<6xf32>
    }`,
    [tensor([6], new Float32Array([1, 2, 3, 4, 5, 6]))],
    [[[6], [2, 4, 6, 8, 10, 12]]],
  ],
  [
    'scf.forall counts between bounds that are partly operands',
    `func.func @f(%a: index, %b: index, %c: index, %s: index) -> tensor<3x5xindex> {
      %z = arith.constant dense<0> : tensor<3x5xindex>
      %0 = scf.forall (%i, %j) = (%a, 0) to (%b, %c) step (1, %s) shared_outs(%o = %z) -> (tensor<3x5xindex>) {
        %t = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<3x5xindex> to tensor<1x1xindex>
        %v = arith.addi %i, %j : index
        %d = linalg.fill ins(%v : index) outs(%t : tensor<1x1xindex>) -> tensor<1x1xindex>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %d into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xindex> into tensor<3x5xindex>
        }
      }
      return %0 : tensor<3x5xindex>
    }`,
    [1, 3, 5, 2],
    [
      [
        [3, 5],
        [0, 0, 0, 0, 0, 1, 0, 3, 0, 5, 2, 0, 4, 0, 6],
      ],
    ],
  ],
  [
    'scf.parallel reduces',
    `func.func @f(%n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant 0 : i32
      %0 = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%z) -> i32 {
        %p = arith.muli %i, %j : index
        %v = arith.index_cast %p : index to i32
        scf.reduce(%v : i32) {
        ^bb0(%a: i32, %b: i32):
          %s = arith.addi %a, %b : i32
          scf.reduce.return %s : i32
        }
      }
      return %0 : i32
    }`,
    [4],
    [36],
  ],
  [
    'scf.execute_region',
    `func.func @f(%x: i32) -> i32 {
      %0 = scf.execute_region -> i32 {
        %1 = arith.addi %x, %x : i32
        scf.yield %1 : i32
      }
      return %0 : i32
    }`,
    [4],
    [8],
  ],
  [
    'scf.index_switch',
    `func.func @f(%a: index, %b: index) -> (index, index) {
      %x = arith.constant 10 : index
      %y = arith.constant 20 : index
      %0 = scf.index_switch %a -> index
      case 2 {
        scf.yield %x : index
      }
      default {
        scf.yield %y : index
      }
      %1 = scf.index_switch %b -> index
      case 2 {
        scf.yield %x : index
      }
      default {
        scf.yield %y : index
      }
      return %0, %1 : index, index
    }`,
    [2, 3],
    [10, 20],
  ],
  [
    'func.call, also of itself',
    `func.func @f(%n: i64) -> i64 {
      %one = arith.constant 1 : i64
      %last = arith.cmpi sle, %n, %one : i64
      %0 = scf.if %last -> (i64) {
        scf.yield %one : i64
      } else {
        %m = arith.subi %n, %one : i64
        %r = func.call @f(%m) : (i64) -> i64
        %p = arith.muli %n, %r : i64
        scf.yield %p : i64
      }
      return %0 : i64
    }`,
    [20n],
    [2432902008176640000n],
  ],
])('%s', (_, text, values, expected) => {
  expect(run(text, values as never)).toEqual(expected);
});

const loop = (step: string): string => `func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %s = arith.constant ${step} : index
  scf.for %i = %c0 to %n step %s {
  }
  return
}`;

it('a step that is not positive is an error', () => {
  expect(failure(loop('0'), [5])).toMatchObject({
    code: 'interpreter/zero-step',
    location: { file: 'test.mlir', line: 4 },
  });
});

it('branches', () => {
  const text = `func.func @f(%n: index) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    "cf.br"(%c0, %c0)[^head] : (index, index) -> ()
  ^head(%i: index, %sum: index):
    %goes = arith.cmpi slt, %i, %n : index
    "cf.cond_br"(%goes, %i, %sum, %sum)[^body, ^exit] {operandSegmentSizes = array<i32: 1, 2, 1>} : (i1, index, index, index) -> ()
  ^body(%j: index, %s: index):
    %next = arith.addi %j, %c1 : index
    %more = arith.addi %s, %j : index
    "cf.br"(%next, %more)[^head] : (index, index) -> ()
  ^exit(%r: index):
    return %r : index
  }`;
  expect(run(text, [5])).toEqual([10]);
});

it('an operation of control flow without regions does nothing', () => {
  const text = `func.func @f(%c: i1) {
    "scf.if"(%c) : (i1) -> ()
    "affine.if"() {condition = affine_set<() : (0 == 0)>} : () -> ()
    return
  }`;
  for (const condition of [0, 1]) expect(trapOf(text, [condition])[0]).toBe('success');
});

it('any number of regions may stand beside each other', () => {
  const text = `func.func @f(%c: i1) { ${'scf.if %c { }\n'.repeat(300)} return }`;
  expect(run(text, [1])).toEqual([]);
});

it.each([
  ['i32', [1, 7, 3], [11, 5, 5]],
  ['i64', [1n, 2n ** 53n + 1n, 2n ** 53n], [11, 6, 5]],
  ['i1', [1, 0], [11, 5]],
])('cf.switch goes to the first case with the value of its flag: %s', (type, flags, results) => {
  const cases = { i32: '-4: ^end(%six : i32), ', i64: '9007199254740993: ^end(%six : i32), ', i1: '' }[type]!;
  const text = `func.func @f(%flag: ${type}) -> i32 {
    %five = arith.constant 5 : i32
    %six = arith.constant 6 : i32
    cf.switch %flag : ${type}, [default: ^end(%five : i32), ${cases}${type === 'i1' ? 'true' : '1'}: ^one]
  ^one:
    %eleven = arith.constant 11 : i32
    cf.br ^end(%eleven : i32)
  ^end(%r: i32):
    return %r : i32
  }`;
  expect(flags.map((flag) => run(text, [flag])[0])).toEqual(results);
});

it('cf.switch may list no case, or one value several times', () => {
  const text = (cases: string): string => `func.func @f(%flag: i32, %a: i32, %b: i32, %c: i32) -> i32 {
    cf.switch %flag : i32, [default: ^end(%a : i32)${cases}]
  ^end(%r: i32):
    return %r : i32
  }`;
  expect(run(text(''), [3, 10, 20, 30])).toEqual([10]);
  expect(run(text(', 3: ^end(%b : i32), 3: ^end(%c : i32)'), [3, 10, 20, 30])).toEqual([20]);
});

it('functions are values, which are called, chosen and given to others', () => {
  const text = `func.func private @sum(%x: i32, %y: i64) -> (i64, i32) {
    %0 = arith.addi %x, %x : i32
    return %y, %0 : i64, i32
  }
  func.func private @same(%x: i32, %y: i64) -> (i64, i32) {
    return %y, %x : i64, i32
  }
  func.func private @chosen(%c: i1, %f: (i32, i64) -> (i64, i32), %g: (i32, i64) -> (i64, i32)) -> ((i32, i64) -> (i64, i32)) {
    %0 = arith.select %c, %f, %g : (i32, i64) -> (i64, i32)
    return %0 : (i32, i64) -> (i64, i32)
  }
  func.func @f(%c: i1, %x: i32, %y: i64) -> (i64, i32) {
    %f = func.constant @sum : (i32, i64) -> (i64, i32)
    %g = func.constant @same : (i32, i64) -> (i64, i32)
    %h = call @chosen(%c, %f, %g) : (i1, (i32, i64) -> (i64, i32), (i32, i64) -> (i64, i32)) -> ((i32, i64) -> (i64, i32))
    %0:2 = call_indirect %h(%x, %y) : (i32, i64) -> (i64, i32)
    return %0#0, %0#1 : i64, i32
  }`;
  expect([1, 0].map((choice) => run(text, [choice, 7, 9n]))).toEqual([
    [9n, 14],
    [9n, 7],
  ]);
});

it('a number is no function', () => {
  const text = `func.func @f(%f: () -> ()) {
    call_indirect %f() : () -> ()
    return
  }`;
  for (const address of [-1n, 9n]) {
    expect(failure(text, [address])).toMatchObject({
      code: 'interpreter/invalid-ir',
      message: "'func.call_indirect' calls what is no function",
    });
  }
});
