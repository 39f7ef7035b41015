import { describe, expect, it } from 'vitest';
import { any, apply, counting, here } from './payloads.ts';

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe('transform.loop.coalesce', () => {
  const coalesce = `${here}%one = transform.loop.coalesce %loop : (${any}) -> ${any}
transform.annotate %one "one" : ${any}`;
  const nest = (outer: string, inner: string, type = 'index'): string => {
    const cast = (name: string): string =>
      type === 'index' ? '' : `%${name}x = arith.index_cast %${name} : ${type} to index\n      `;
    const suffix = type === 'index' ? '' : 'x';
    const annotation = type === 'index' ? '' : `: ${type} `;
    return `func.func @f(%m: memref<16x16xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : ${type}
  %c1 = arith.constant 1 : ${type}
  %c2 = arith.constant 2 : ${type}
  %c3 = arith.constant 3 : ${type}
  %c9 = arith.constant 9 : ${type}
  %c12 = arith.constant 12 : ${type}
  %c14 = arith.constant 14 : ${type}
  %below = arith.constant -1 : ${type}
  %sum = scf.for %i = ${outer} iter_args(%s = %x) -> f32 ${annotation}{
    %row = scf.for %j = ${inner} iter_args(%t = %s) -> f32 ${annotation}{
      ${cast('i')}${cast('j')}%0 = memref.load %m[%i${suffix}, %j${suffix}] : memref<16x16xf32>
      memref.store %t, %m[%i${suffix}, %j${suffix}] : memref<16x16xf32>
      %1 = arith.subf %0, %t : f32
      scf.yield %1 : f32
    }
    scf.yield %row : f32
  } {here}
  return %sum : f32
}`;
  };

  /** The outer loop counts in i32, the others in `index`. */
  const mixed = nest('%c0 to %c3 step %c1', '%a to %c step %b', 'i32')
    .replace(
      '%sum =',
      '%a = arith.constant 0 : index\n%b = arith.constant 1 : index\n%c = arith.constant 3 : index\n%sum =',
    )
    .replace('-> f32 : i32 {\n      %ix', '-> f32 {\n      %ix')
    .replace('%jx = arith.index_cast %j : i32 to index', '%jx = arith.addi %j, %ix : index');

  it('makes one loop of those that count in one type', () => {
    const three = mixed
      .replace(
        'iter_args(%t = %s) -> f32 {',
        'iter_args(%u = %s) -> f32 {\n%e = scf.for %k = %a to %c step %b iter_args(%t = %u) -> f32 {',
      )
      .replace('scf.yield %1 : f32', 'scf.yield %1 : f32\n}\nscf.yield %e : f32');
    const { diagnostics, text } = apply(three, coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(2);
  });

  it.each([
    ['%c0 to %c3 step %c1', '%c0 to %c9 step %c1', 'index'],
    ['%c1 to %c9 step %c3', '%c2 to %c9 step %c2', 'index'],
    ['%c1 to %c9 step %c3', '%c2 to %c9 step %c2', 'i32'],
    // One iteration, and none.
    ['%c0 to %c1 step %c1', '%c3 to %c9 step %c1', 'index'],
    ['%c3 to %c9 step %c1', '%c0 to %c1 step %c1', 'index'],
    ['%c0 to %c1 step %c1', '%c0 to %c2 step %c2', 'index'],
    ['%c9 to %c0 step %c2', '%c9 to %c0 step %c2', 'index'],
    ['%c0 to %below step %c1', '%c0 to %below step %c1', 'index'],
    ['%c0 to %below step %c2', '%c0 to %below step %c1', 'i32'],
    ['%c0 to %below step %c2', '%below to %c0 step %c1', 'i32'],
    // The most iterations that i8 counts, 126 of 127.
    ['%c3 to %c12 step %c1', '%c0 to %c14 step %c1', 'i8'],
    ['%c0 to %c12 step %c1', '%c0 to %c12 step %c1', 'i16'],
    // Ranges of -14 iterations each, which are none.
    ['%c14 to %c0 step %c1', '%c14 to %c0 step %c1', 'i8'],
  ])('makes one loop of those over %s and %s', (outer, inner, type) => {
    const { diagnostics, text } = apply(nest(outer, inner, type), coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(1);
    expect(text).toContain('one');
  });

  it.each([
    ['a loop alone', counting(0, 7, 2)],
    ['bounds that the outer loop computes', nest('%c0 to %c9 step %c1', '%i to %c9 step %c1')],
    ['loops that count in different types', mixed],
    ['what is no loop', 'func.func @f() {\n  %x = arith.constant {here} 1.0 : f32\n  return\n}'],
  ])('refuses %s', (_, payload) => {
    expect(apply(payload, coalesce).diagnostics).toContain('failed to coalesce [coalesce/failed]');
  });

  it.each([
    ['i8', '%c0 to %c12 step %c1', '%c0 to %c12 step %c1'],
    // A range that is longer than any number of its type.
    ['i8', '%least to %most step %c1', '%c0 to %c1 step %c1'],
    // Bounds that are not known, and a product that is 2 ** 15 at most.
    ['i8', '%c0 to %n step %c1', '%c0 to %c2 step %c1'],
    ['i16', '%c0 to %n step %c2', '%c0 to %c2 step %c1'],
    ['i16', '%n to %c3 step %c14', '%c0 to %c1 step %c1'],
    ['i32', '%c0 to %n step %c1', '%c0 to %n step %c1'],
    // From the least index to 100.
    ['index', '%first to %most step %c1', '%c0 to %c1 step %c1'],
  ])('refuses more iterations than may fit %s: %s and %s', (type, outer, inner) => {
    const payload = nest(outer, inner, type)
      .replace('%x: f32)', `%x: f32, %n: ${type})`)
      .replace(
        '%sum =',
        (type === 'index' ? '%first = arith.constant -9223372036854775808 : index\n  ' : '') +
          `%least = arith.constant -100 : ${type}\n  %most = arith.constant 100 : ${type}\n  %sum =`,
      );
    const { diagnostics } = apply(payload, coalesce);
    expect(diagnostics).toContain(`the iterations may be more than ${type} counts [coalesce/overflow]`);
  });

  it.each([
    ['i8', '%c0 to %n step %c1', '%c2 to %c3 step %c1'],
    ['i8', '%c3 to %n step %c2', '%c0 to %c2 step %c1'],
    ['i16', '%c0 to %n step %c9', '%c0 to %c3 step %c1'],
    // From -128 to -1: the longest range that i8 counts.
    ['i8', '%n to %below step %c14', '%c0 to %c3 step %c1'],
    ['index', '%c0 to %n step %c1', '%c0 to %n step %c1'],
  ])('multiplies counts that are not known where they fit %s: %s and %s', (type, outer, inner) => {
    const payload = nest(outer, inner, type).replace('%x: f32)', `%x: f32, %n: ${type})`);
    const { diagnostics, text } = apply(payload, coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(1);
  });

  it('takes an upper bound for the count of a loop from 0 in steps of 1', () => {
    const payload = nest('%c0 to %n step %c1', '%c0 to %n step %c1').replace(
      '%x: f32)',
      '%x: f32, %n: index)',
    );
    const { text } = apply(payload, coalesce);
    expect(text).toMatch(/scf.for .* = %c0 to %\d+ step %c1 /);
    expect(text).not.toContain('arith.subi');
  });

  it.each([
    // The buffer has 16 rows, which the analysis of bounds does not see through the subtraction.
    ['%c0 to %down step %c1', '%c0 to %down step %c1', 1],
    ['%c9 to %down step %c2', '%c12 to %down step %c3', 1],
    ['%down to %c3 step %c1', '%c9 to %down step %c2', 1],
    ['%c0 to %up step %c1', '%c0 to %up step %c1', 1],
    ['%c0 to %down step %c1', '%c0 to %c3 step %c1', 0],
    ['%c0 to %rows step %c1', '%c0 to %rows step %c2', 0],
  ])('runs no iteration of empty loops over %s and %s', (outer, inner, clamped) => {
    const payload = nest(outer, inner)
      .replace('16x16xf32>, %x', '?x16xf32>, %x')
      .replaceAll('memref<16x16xf32>\n', 'memref<?x16xf32>\n')
      .replace(
        '%sum =',
        `%rows = memref.dim %m, %c0 : memref<?x16xf32>
  %down = arith.subi %c2, %rows : index
  %up = arith.subi %rows, %c1 : index
  %sum =`,
      );
    const { diagnostics, text } = apply(payload, coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(1);
    expect(occurrences(text, 'maxsi')).toBe(clamped);
  });

  it.each(['%1 = arith.subf %s, %t : f32', '%1 = arith.addf %0, %s : f32'])(
    'refuses an outer iter arg that the inner loop uses: %s',
    (sum) => {
      const payload = nest('%c0 to %c3 step %c1', '%c0 to %c9 step %c1').replace(
        '%1 = arith.subf %0, %t : f32',
        sum,
      );
      expect(apply(payload, coalesce).diagnostics).toContain('failed to coalesce [coalesce/failed]');
    },
  );

  it.each([
    ['%s, %v = %t', '%q#0, %q#1', 1],
    ['%t, %v = %s', '%q#0, %q#1', 2],
    ['%s, %v = %t', '%q#1, %q#0', 2],
  ])('hands two iter args on in their order: %s, then %s', (taken, yielded, loops) => {
    const payload = `func.func @f(%x: f32, %y: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %x, %t = %y) -> (f32, f32) {
    %q:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%u = ${taken}) -> (f32, f32) {
      %a = arith.subf %u, %v : f32
      %b = arith.addf %a, %u : f32
      scf.yield %a, %b : f32, f32
    }
    scf.yield ${yielded} : f32, f32
  } {here}
  return %r#0, %r#1 : f32, f32
}`;
    const { diagnostics, text } = apply(payload, coalesce);
    expect(diagnostics.includes('[coalesce/failed]')).toBe(loops === 2);
    if (loops === 1) expect(occurrences(text, 'scf.for')).toBe(1);
  });

  it('makes one loop of the inner ones where all three have too many iterations', () => {
    const payload = `func.func @f(%m: memref<8xi8>) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c8 = arith.constant 8 : i8
  scf.for %i = %c0 to %c8 step %c1 : i8 {
    scf.for %j = %c0 to %c8 step %c1 : i8 {
      scf.for %k = %c0 to %c8 step %c1 : i8 {
        %x = arith.index_cast %k : i8 to index
        %0 = memref.load %m[%x] : memref<8xi8>
        %1 = arith.muli %0, %i : i8
        %2 = arith.addi %1, %j : i8
        memref.store %2, %m[%x] : memref<8xi8>
      }
    }
  } {here}
  return
}`;
    const { diagnostics, text } = apply(payload, coalesce);
    expect(diagnostics).toBe('');
    expect(occurrences(text, 'scf.for')).toBe(2);
  });
});
