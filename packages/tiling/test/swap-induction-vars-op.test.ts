import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, bodyWithIndices, loopsOf, matchOps, matrix, printed, tile } from './payloads.ts';

const swap = (loop = '%l#0') => `transform.loop.swap_induction_vars ${loop} : !transform.any_op`;

const tileAnd = (sizes: readonly number[], ...lines: readonly string[]) =>
  [matchOps(), tile(sizes), ...lines].join('\n');

const matchLoops = `%loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
%inner, %outer = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)`;

/** Two loops over a 3x4 tensor whose body adds at one index; `changes` replaces text. */
const nest = (...changes: readonly (readonly [string, string])[]) =>
  changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`no ${from}`);
      return text.replace(from, to);
    },
    `func.func @f(%n: index, %a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %a, %u = %b) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
    %q:2 = scf.for %j = %c1 to %c4 step %c2 iter_args(%t = %s, %v = %u) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
      %x = tensor.extract %t[%i, %j] : tensor<3x4xf32>
      %k = arith.muli %i, %j : index
      %int = arith.index_cast %k : index to i32
      %float = arith.sitofp %int : i32 to f32
      %y = arith.addf %x, %float : f32
      %w = tensor.insert %y into %t[%i, %j] : tensor<3x4xf32>
      %z = tensor.insert %x into %v[%i, %j] : tensor<3x4xf32>
      scf.yield %w, %z : tensor<3x4xf32>, tensor<3x4xf32>
    }
    scf.yield %q#0, %q#1 : tensor<3x4xf32>, tensor<3x4xf32>
  }
  return %r#0, %r#1 : tensor<3x4xf32>, tensor<3x4xf32>
}`,
  );

describe('transform.loop.swap_induction_vars', () => {
  it('gives the loops that an interchange gives', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 4), fc.constantFrom(1, 2, 3, 6), (a, b) => {
        const payload = matrix({ body: bodyWithIndices });
        const swapped = apply(payload, tileAnd([a, b], swap()));
        const interchanged = apply(payload, [matchOps(), tile([a, b], [1, 0])].join('\n'));
        expect(loopsOf(swapped.text)).toEqual(loopsOf(interchanged.text));
        expect(swapped.diagnostics).toBe('');
      }),
      { numRuns: 12 },
    );
  });

  it('is undone by itself', () => {
    const payload = matrix({ body: bodyWithIndices });
    expect(loopsOf(apply(payload, tileAnd([2, 3], swap(), swap())).text)).toEqual(
      loopsOf(apply(payload, tileAnd([2, 3])).text),
    );
  });

  it('exchanges lower bound, upper bound and step, and the variables in the body', () => {
    const { text, diagnostics } = apply(nest(), `${matchLoops}\n${swap('%outer')}`);
    expect(diagnostics).toBe('');
    const loops = [...text.matchAll(/scf\.for (%\w+) = (.*?) iter_args/g)].map(([, , bounds]) => bounds);
    expect(loops).toEqual(['%c1 to %c4 step %c2', '%c0 to %c3 step %c1']);
  });

  it('swaps loops without iter arguments', () => {
    const store = `func.func @f(%m: memref<3x4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %i, %m[%i, %j] : memref<3x4xindex>
    }
  }
  return
}`;
    expect(apply(store, `${matchLoops}\n${swap('%outer')}`).diagnostics).toBe('');
  });

  it.each([
    ['not-a-loop', matrix(), `${matchOps()}\n${swap('%op')}`, "expected an scf.for, got 'linalg.generic'"],
    ['not-perfect', matrix(), tileAnd([2], swap('%l')), 'not one loop'],
    ['not-perfect', matrix(), tileAnd([2, 3], swap('%l#1')), 'not one loop'],
    [
      'not-perfect: more than the loop',
      nest(['scf.yield %q#0', '%unused = arith.constant 1 : index\nscf.yield %q#0']),
      '',
      'not one loop',
    ],
    [
      'not-perfect: something else than a loop',
      nest(['%q:2 = scf.for %j', '%unused = arith.constant 1 : index\n%q:2 = scf.for %j']),
      '',
      'not one loop',
    ],
    [
      'not-perfect: an operation that is no loop',
      `func.func @f() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c3 {
    func.call @f() : () -> ()
  }
  return
}`,
      `%outer = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op\n${swap('%outer')}`,
      'not one loop',
    ],
    [
      'not-perfect: iter arguments exchanged',
      nest(['%t = %s, %v = %u', '%t = %u, %v = %s']),
      '',
      'not one loop',
    ],
    ['not-perfect: an iter argument from outside', nest(['%t = %s', '%t = %a']), '', 'not one loop'],
    [
      'not-perfect: results exchanged',
      nest(['scf.yield %q#0, %q#1', 'scf.yield %q#1, %q#0']),
      '',
      'not one loop',
    ],
    [
      'not-perfect: an iter argument yielded',
      nest(['scf.yield %q#0, %q#1', 'scf.yield %q#0, %u']),
      '',
      'not one loop',
    ],
    [
      'not-perfect: fewer iter arguments',
      nest(
        ['%q:2 = scf.for', '%q = scf.for'],
        ['(%t = %s, %v = %u) -> (tensor<3x4xf32>, tensor<3x4xf32>)', '(%t = %s) -> (tensor<3x4xf32>)'],
        ['into %v[', 'into %u['],
        ['scf.yield %w, %z : tensor<3x4xf32>, tensor<3x4xf32>', 'scf.yield %w : tensor<3x4xf32>'],
        ['scf.yield %q#0, %q#1', 'scf.yield %q, %u'],
      ),
      '',
      'not one loop',
    ],
    ['dependent-bounds', nest(['%j = %c1', '%j = %i']), '', 'bounds of the inner loop'],
    ['dependent-bounds', nest(['%j = %c1 to %c4', '%j = %c1 to %i']), '', 'bounds of the inner loop'],
    [
      'types',
      `func.func @f() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %i0 = arith.constant 0 : i32
  %i3 = arith.constant 3 : i32
  scf.for %i = %c0 to %c3 step %c3 {
    scf.for %j = %i0 to %i3 step %i3 : i32 {
    }
  }
  return
}`,
      '',
      'the loops count in different types, index and i32',
    ],
  ])('refuses %s: %#', (code, payload, script, message) => {
    const { status, diagnostics } = apply(
      payload,
      script === '' ? `${matchLoops}\n${swap('%outer')}` : script,
    );
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`[swap/${code.split(':')[0]!}]`);
    expect(diagnostics).toContain(message);
  });

  it.each(['', ' {tag = "kept"}'])('is printed as it is read:%s', (attributes) => {
    const line = `transform.loop.swap_induction_vars %root${attributes} : !transform.any_op`;
    expect(printed(line)).toEqual([line]);
  });
});
