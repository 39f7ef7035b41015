import { describe, expect, it } from 'vitest';
import { any, apply, counting, here } from './payloads.ts';

const loop = '!transform.op<"scf.for">';
const peel = (attributes: string): string =>
  `%loop = transform.structured.match ops{["scf.for"]} in %root : (${any}) -> ${loop}
%a, %b = transform.loop.peel %loop ${attributes} : (${loop}) -> (${loop}, ${loop})
transform.annotate %b "rest" : ${loop}`;
const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** A loop with a dynamic upper bound. */
const dynamic = (step: string): string => `func.func @f(%m: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %step = arith.constant ${step} : index
  %size = memref.dim %m, %c0 : memref<?xindex>
  %sum = scf.for %i = %c0 to %size step %step iter_args(%s = %c0) -> index {
    %part = affine.min affine_map<(d0)[s0] -> (${step}, -d0 + s0)>(%i)[%size]
    memref.store %s, %m[%i] : memref<?xindex>
    %1 = arith.addi %part, %s : index
    scf.yield %1 : index
  } {here}
  return %sum : index
}`;

describe('transform.loop.peel', () => {
  it.each([
    ['', 0, 7, 2],
    ['', 1, 9, 3],
    ['{peel_front = true}', 0, 7, 2],
    ['{peel_front = true}', 1, 5, 2],
  ])('with %s makes two loops of that from %d to %d by %d', (attributes, lower, upper, step) => {
    const { diagnostics, text } = apply(counting(lower, upper, step), peel(attributes));
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(2);
    expect(text).toContain('rest');
  });

  it('decides what is less than the last iterations that there may be', () => {
    const { diagnostics, text } = apply(dynamic('4').replace('-> (4, -d0', '-> (3, -d0'), peel(''));
    expect(diagnostics).toBe('');
    expect(text).not.toContain('affine.min');
  });

  it('decides what the size of a tile is', () => {
    const { diagnostics, text } = apply(dynamic('4'), peel(''));
    expect(diagnostics).toBe('');
    expect(text).not.toContain('affine.min');
    expect(text).toContain('affine_map<() -> (4)>');
  });

  it.each([
    // The buffer has four elements.
    ['0', '%size', 'affine.apply'],
    ['1', '%size', 'affine.max'],
    ['10', '%size', 'affine.max'],
    ['10', '%twice', 'affine.max'],
    ['0', '%twice', 'affine.apply'],
    ['0', '%less', 'affine.max'],
    ['0', '%sum', 'affine.max'],
  ])('from %s to %s, makes no iterations of those that there are not', (lower, upper, op) => {
    const payload = `func.func @f(%m: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %lower = arith.constant ${lower} : index
  %size = memref.dim %m, %c0 : memref<?xindex>
  %twice = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%size]
  %less = affine.apply affine_map<()[s0] -> (s0 - 6)>()[%size]
  %sum = arith.addi %size, %c3 : index
  %r = scf.for %i = %lower to ${upper} step %c3 iter_args(%s = %c0) -> index {
    %1 = arith.addi %i, %s : index
    scf.yield %1 : index
  }
  return %r : index
}`;
    const { diagnostics, text } = apply(payload, peel(''));
    expect(diagnostics).toBe('');
    expect(text.split('scf.for')[0]!.split('\n').at(-2)).toContain(op);
  });

  it('takes a first iteration only where there is one', () => {
    const { diagnostics, text } = apply(dynamic('4'), peel('{peel_front = true}'));
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(2);
  });

  it.each([
    ['peel/last', '', counting(0, 8, 2)],
    ['peel/last', '{fail_if_already_divisible = true}', counting(0, 8, 2)],
    ['peel/last', '', counting(0, 8, 1)],
    ['peel/last', '', counting(8, 3, 2)],
    ['peel/last', '', dynamic('1')],
    ['peel/first', '{peel_front = true}', counting(0, 2, 2)],
    ['peel/first', '{peel_front = true}', counting(8, 0, 2)],
  ])('refuses with %s: %s', (code, attributes, payload) => {
    expect(apply(payload, peel(attributes)).diagnostics).toContain(`[${code}]`);
  });
});

describe('transform.loop.outline', () => {
  const outline = `${here}%f, %call = transform.loop.outline %loop {func_name = "f"} : (${any}) -> (${any}, ${any})
transform.annotate %f "outlined" : ${any}
transform.annotate %call "call" : ${any}`;

  it('makes a function under a name that is not taken', () => {
    const { diagnostics, text } = apply(counting(0, 7, 2), outline);
    expect(diagnostics).toBe('');
    expect(text).toContain('func.func @f_0');
    expect(text).toMatch(/func\.call @f_0\(.*\) \{call\}/);
  });

  it('refuses what has no body', () => {
    const payload = 'func.func @f() {\n  %x = arith.constant {here} 1.0 : f32\n  return\n}';
    expect(apply(payload, outline).diagnostics).toContain('failed to outline [outline/failed]');
  });
});

describe('transform.loop.forall_to_for and forall_to_parallel', () => {
  const parallel = (upper: string, mark = '{here}'): string => `func.func @f(%m: memref<8x8xf32>, %x: f32) {
  %c6 = arith.constant 6 : index
  scf.forall (%i, %j) = (0, 1) to (4, ${upper}) step (1, 3) {
    memref.store %x, %m[%i, %j] : memref<8x8xf32>
  } ${mark}
  return
}`;
  const toFor = (results = 2): string =>
    `${here}%loops:${results} = transform.loop.forall_to_for %loop : (${any}) -> (${Array(results).fill(any).join(', ')})`;
  const toParallel = `${here}%parallel = transform.loop.forall_to_parallel %loop : (${any}) -> ${any}`;
  const shared = `func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%o = %a) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  } {here}
  return %0 : tensor<4xf32>
}`;

  it.each(['%c6', '6', '1'])('make the loops up to %s', (upper) => {
    const asFor = apply(parallel(upper), toFor());
    expect(asFor.diagnostics).toBe('');
    expect(occurrences(asFor.text, 'scf.for ')).toBe(2);
    const asParallel = apply(parallel(upper), toParallel);
    expect(asParallel.diagnostics).toBe('');
    expect(asParallel.text).toContain('scf.parallel (%arg2, %arg3)');
  });

  it.each([
    ['forall/single', parallel('6', ''), toFor()],
    ['forall/single', parallel('6', ''), toParallel],
    ['forall/kind', counting(0, 4, 1), toFor()],
    ['forall/kind', counting(0, 4, 1), toParallel],
    ['forall/outputs', shared, toFor(1)],
    ['forall/outputs', shared, toParallel],
    ['forall/results', parallel('6'), toFor(3)],
  ])('refuse with %s', (code, payload, script) => {
    expect(apply(payload, script).diagnostics).toContain(`[${code}]`);
  });
});

describe('transform.structured.convert_to_loops', () => {
  const convert = (name: string): string =>
    `%op = transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}
%loops = transform.structured.convert_to_loops %op : (${any}) -> ${any}`;

  it.each([
    [
      'linalg.exp',
      `func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`,
    ],
    ['scf.for', counting(0, 7, 2)],
  ])('refuses %s', (name, payload) => {
    expect(apply(payload, convert(name)).diagnostics).toContain('[convert-to-loops/target]');
  });
});

describe('transform.scf.take_assumed_branch', () => {
  it.each([
    ['', 'scf.for', '`then`'],
    ['take_else_branch', 'scf.if', '`else`'],
  ])('refuses %s of an %s without a branch %s', (branch, name, which) => {
    const payload = `func.func @f(%p: i1, %m: memref<4xindex>, %x: index, %n: index) {
  scf.if %p {
    memref.store %x, %m[%x] : memref<4xindex>
  }
  scf.for %i = %x to %n step %n {
  }
  return
}`;
    const script = `%op = transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}
transform.scf.take_assumed_branch %op ${branch} : (${any}) -> ()`;
    expect(apply(payload, script).diagnostics).toContain(
      `requires an scf.if op with a single-block ${which} region [take-branch/target]`,
    );
  });
});
