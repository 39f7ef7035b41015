import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule, tryEdit } from '@sconv/ir';
import { fuseSiblingOp } from '../src/index.ts';
import { any, apply } from './payloads.ts';

const vector = 'memref<24xi32>';
const read = (index: string, from = '%m'): string => `%0 = memref.load ${from}[${index}] : ${vector}`;
const write = (value: string, index: string, to = '%m'): string =>
  `memref.store ${value}, ${to}[${index}] : ${vector}`;
const by = (factor: number, offset = 0): string =>
  `%p = affine.apply affine_map<(d0) -> (d0 * ${factor} + ${offset})>(%i)`;
const lines = (...operations: readonly string[]): string => operations.join('\n');
const constants = [0, 1, 2, 6].map((i) => `%c${i} = arith.constant ${i} : index`).join('\n');

/** What makes `%e` another name of `%m`, or maybe one. */
const aliases = {
  'a view': `%e = memref.reinterpret_cast %m to offset: [0], sizes: [24], strides: [1] : ${vector} to ${vector}`,
  'a choice': `%e = arith.select %c, %m, %own : ${vector}`,
  'a branch': `%e = scf.if %c -> ${vector} { scf.yield %m : ${vector} } else { scf.yield %own : ${vector} }`,
  'a case': `%e = scf.index_switch %c1 -> ${vector}
  case 1 { scf.yield %m : ${vector} }
  default { scf.yield %own : ${vector} }`,
  'a region': `%e = scf.execute_region -> ${vector} { scf.yield %m : ${vector} }`,
  'a loop': `%e = scf.for %z = %c0 to %c2 step %c1 iter_args(%g = %own) -> ${vector} { scf.yield %m : ${vector} }`,
  'another loop': `%e = scf.while (%g = %m) : (${vector}) -> ${vector} {
    %no = arith.constant false
    scf.condition(%no) %g : ${vector}
  } do {
  ^bb0(%g: ${vector}):
    scf.yield %own : ${vector}
  }`,
  'a reallocation': `%e = memref.realloc %m : ${vector} to ${vector}`,
} as const;

/** Defines `%e` before the loops of a payload. */
const withAlias = (payload: string, alias: string): string =>
  payload.replace(
    '  scf.for',
    `%own = memref.alloc() : ${vector}
  linalg.fill ins(%x : i32) outs(%own : ${vector})
  %c = arith.cmpi eq, %x, %x : i32
  ${alias}
  scf.for`,
  );

const table = 'memref<4x4xi32, strided<[?, ?]>>';
/** `%e` with two indices, of a buffer with these strides that are not written in its type. */
const strided = (strides: string): string => {
  const type = `memref<4x4xi32, strided<[${strides}]>>`;
  return `%s = memref.reinterpret_cast %m to offset: [0], sizes: [4, 4], strides: [${strides}] : ${vector} to ${type}
  %d = memref.cast %s : ${type} to ${table}
  %e = memref.subview %d[0, 0] [4, 4] [1, 1] : ${table} to ${table}`;
};

const otherBuffer = `%e = arith.select %c, %own, %own : ${vector}`;

describe('transform.loop.fuse_sibling', () => {
  const payload = (first: string, second: string, between = '', step = '%c1'): string =>
    `func.func private @next() -> i32
func.func @f(%m: ${vector} {llvm.noalias}, %o: ${vector} {llvm.noalias}, %x: i32) {
  ${constants}
  scf.for %i = %c0 to %c6 step ${step} {
    ${first}
  } {first}
  ${between}
  scf.for %i = %c0 to %c6 step ${step} {
    ${second}
  } {second}
  return
}`;
  const fuse = (target: string, source: string): string =>
    `%first = transform.structured.match attributes {first} in %root : (${any}) -> ${any}
%second = transform.structured.match attributes {second} in %root : (${any}) -> ${any}
%one = transform.loop.fuse_sibling %${target} into %${source} : (${any}, ${any}) -> ${any}`;
  const copied = lines(read('%i'), write('%0', '%i', '%o'));
  const filled = (size: number): string =>
    `%v = memref.subview %m[%i] [${size}] [1] : ${vector} to memref<${size}xi32, strided<[1], offset: ?>>
linalg.fill ins(%x : i32) outs(%v : memref<${size}xi32, strided<[1], offset: ?>>)`;
  const call = '%n = func.call @next() : () -> i32';
  const columns = (strides: string): string =>
    withAlias(
      payload(
        `memref.store %x, %e[%i, %c0] : ${table}`,
        lines(`%0 = memref.load %e[%i, %c1] : ${table}`, write('%0', '%i', '%o')),
      ).replaceAll('%c6 step', '%c2 step'),
      strided(strides),
    );

  it.each([
    ['elements at the counter', payload(write('%x', '%i'), copied), 'first', 'second'],
    [
      'elements at multiples of it',
      payload(lines(by(2), write('%x', '%p')), lines(by(2), read('%p'), write('%0', '%i', '%o'))),
      'first',
      'second',
    ],
    ['views of a step', payload(filled(2), filled(2), '', '%c2'), 'first', 'second'],
    ['columns of a view whose source tells its strides', columns('4, 1'), 'first', 'second'],
    ['columns beside each other', columns('1, 4'), 'first', 'second'],
    ['what is only read', payload(read('%c0'), copied), 'second', 'first'],
    ['other buffers', payload(write('%x', '%c0'), write('%x', '%i', '%o')), 'second', 'first'],
    ['effects in one of them', payload(call, '%n = arith.addi %x, %x : i32'), 'second', 'first'],
    [
      'a choice of others',
      withAlias(payload(write('%x', '%i'), lines(read('%c1', '%e'), write('%0', '%i', '%o'))), otherBuffer),
      'first',
      'second',
    ],
    [
      'a buffer between that neither writes',
      payload(copied, copied, write('%x', '%c0', '%o')).replace(copied, read('%i')),
      'first',
      'second',
    ],
  ])('fuses loops over %s', (_, text, target, source) => {
    const { diagnostics, text: after } = apply(text, fuse(target, source));
    expect(diagnostics).toBe('');
    expect(after.split('scf.for')).toHaveLength(2);
  });

  it.each([
    ['the earlier loop behind the later one', payload(write('%x', '%i'), copied), 'second', 'first'],
    [
      'the next element',
      payload(write('%x', '%i'), lines(by(1, 1), read('%p'), write('%0', '%i', '%o'))),
      'first',
      'second',
    ],
    ['other multiples', payload(lines(by(2), write('%x', '%p')), copied), 'first', 'second'],
    ['views of more than a step', payload(filled(3), filled(3), '', '%c2'), 'first', 'second'],
    ['one element', payload(write('%x', '%c1'), copied), 'first', 'second'],
    ['columns that share elements', columns('1, 1'), 'first', 'second'],
    ['effects in both', payload(call, call), 'first', 'second'],
    [
      'a buffer that is read between them',
      payload(write('%x', '%i'), write('%x', '%i'), lines(read('%c0'), write('%0', '%c0', '%o'))),
      'first',
      'second',
    ],
    ...Object.entries(aliases).map(([name, alias]): [string, string, string, string] => [
      `${name} of a buffer`,
      withAlias(
        payload(write('%x', '%i'), lines(by(1, 1), read('%p', '%e'), write('%0', '%i', '%o'))),
        alias,
      ),
      'first',
      'second',
    ]),
    [
      'arguments',
      payload(write('%x', '%i'), copied.replace('%m', '%o')).replaceAll('{llvm.noalias}', ''),
      'first',
      'second',
    ],
  ])('refuses to reorder %s', (_, text, target, source) => {
    expect(apply(text, fuse(target, source)).diagnostics).toMatch(
      /accesses of one buffer would be reordered .*\[fuse-sibling\/target\]/,
    );
  });
});

describe('transform.loop.fuse_sibling, with many accesses', () => {
  it('asks once whether a buffer escapes', () => {
    const writes = (to: string): string =>
      Array.from({ length: 300 }, () => `memref.store %x, %${to}[%i] : ${vector}`).join('\n');
    const loop = (name: string, to: string): string =>
      `scf.for %i = %c0 to %c6 step %c1 {\n${writes(to)}\n} {${name}}`;
    const payload = `func.func private @made() -> ${vector}
func.func @f(%x: i32) {
  ${constants}
  %a = memref.alloc() : ${vector}
  %b = func.call @made() : () -> ${vector}
  ${loop('first', 'a')}
  ${loop('second', 'b')}
  return
}`;
    const module = unwrap(parseModule(payload, { registry: createRegistry(payloadDialects) }));
    const { status } = tryEdit(module, { registry: createRegistry(payloadDialects) }, (rewriter) => {
      const [first, second] = rewriter.walk(rewriter.root).filter(({ name }) => name === 'scf.for');
      return fuseSiblingOp(rewriter, first!, second!);
    });
    expect(status).toBe('success');
  });
});

describe('transform.loop.unroll_and_jam', () => {
  /** A loop over `%i` around one over `%k`, with a table for products of indices. */
  const payload = (before: string, inside: string, after = ''): string =>
    `func.func private @next() -> i32
func.func @f(%m: ${vector} {llvm.noalias}, %o: ${vector} {llvm.noalias}, %t: memref<6x6xi32>, %x: i32) {
  ${constants}
  scf.for %i = %c0 to %c6 step %c1 {
    ${before}
    scf.for %k = %c0 to %c6 step %c1 {
      ${inside}
    }
    ${after}
  } {here}
  return
}`;
  const jam = `%loop = transform.structured.match attributes {here} in %root : (${any}) -> ${any}
transform.loop.unroll_and_jam %loop {factor = 2} : ${any}`;
  const added = (index: string): string =>
    lines(read(index), '%1 = arith.addi %0, %x : i32', write('%1', index));
  const tabled = `%2 = memref.load %t[%i, %k] : memref<6x6xi32>
memref.store %2, %t[%i, %k] : memref<6x6xi32>`;
  const conditional = `%q = arith.cmpi sgt, %i, %c1 : index
scf.if %q {
  %s = scf.for %k = %c0 to %c6 step %c1 iter_args(%a = %x) -> i32 {
    %3 = arith.addi %a, %x : i32
    scf.yield %3 : i32
  }
  ${write('%s', '%i', '%o')}
}`;

  it.each([
    ['elements of an iteration', payload(write('%x', '%i'), added('%i')), 2],
    ['elements of both loops', payload('', tabled), 2],
    // For each element, the iterations add in order.
    ['elements of the inner loop', payload('', added('%k')), 2],
    ['other buffers', payload(write('%x', '%c0', '%o'), added('%i')), 2],
    [
      'a buffer of the iteration',
      payload(
        `%b = memref.alloc() : ${vector}`,
        lines(write('%x', '%c0', '%b')),
        lines(read('%c0', '%b'), write('%0', '%i')),
      ),
      2,
    ],
    [
      'a choice of others',
      withAlias(payload(write('%x', '%i'), lines(read('%k', '%e'), write('%0', '%i', '%o'))), otherBuffer),
      2,
    ],
    ['effects in order', payload('', 'func.call @next() : () -> i32').replace(/scf.for %k[^}]*}/, ''), 1],
    ['a loop in another op', payload(conditional, added('%i')), 4],
  ])('jams loops over %s', (_, text, loops) => {
    const { diagnostics, text: after } = apply(text, jam);
    expect(diagnostics).toBe('');
    expect(after.split('scf.for')).toHaveLength(loops + 1);
  });

  it.each([
    ['what the inner loop reads', payload(write('%x', '%i'), lines(read('%k'), write('%0', '%i', '%o')))],
    ['what the inner loop writes', payload('', added('%k'), lines(read('%i'), write('%0', '%i', '%o')))],
    ['one element', payload('', added('%c0'))],
    [
      'rows that share elements',
      withAlias(
        payload('', `memref.store %i, %e[%i, %k] : ${table}`).replaceAll('%c6 step', '%c2 step'),
        strided('1, 1'),
      )
        .replaceAll('xi32', 'xindex')
        .replace(/linalg.fill.*/, ''),
    ],
    ['effects', payload('', '%n = func.call @next() : () -> i32')],
    [
      'views of more than a step',
      payload(
        '',
        `%v = memref.subview %m[%i] [2] [1] : ${vector} to memref<2xi32, strided<[1], offset: ?>>
linalg.fill ins(%x : i32) outs(%v : memref<2xi32, strided<[1], offset: ?>>)`,
      ),
    ],
    ...Object.entries(aliases).map(([name, alias]): [string, string] => [
      `${name} of what it writes`,
      withAlias(payload(write('%x', '%i'), lines(read('%k', '%e'), write('%0', '%i', '%o'))), alias),
    ]),
    [
      'arguments',
      payload(write('%x', '%i'), lines(read('%i', '%o'), write('%0', '%i', '%o'))).replaceAll(
        '{llvm.noalias}',
        '',
      ),
    ],
    [
      'a buffer of the iteration that others know',
      payload(
        `%b = memref.alloc() : ${vector}
    memref.store %b, %all[%i] : memref<6x${vector}>`,
        `%d = memref.load %all[%c0] : memref<6x${vector}>
      ${write('%x', '%c0', '%d')}
      ${read('%c0', '%b')}
      ${write('%0', '%i')}`,
      ).replace('%x: i32', `%x: i32, %all: memref<6x${vector}>`),
    ],
  ])('refuses to reorder %s', (_, text) => {
    expect(apply(text, jam).diagnostics).toMatch(
      /accesses of one buffer would be reordered .*\[unroll-and-jam\/failed\]/,
    );
  });
});
