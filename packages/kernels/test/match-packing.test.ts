import { firstDifference } from '@sconv/interpreter/testing';
import { operationsIn, printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { formed, names, parse, registry } from './support.ts';

interface Parts {
  readonly source: string;
  /** Where in the source an element is, over %i, %j, %k; `%n` and `%n1`, which is `%n + 1`, are from around. */
  readonly indices: readonly string[];
  /** What comes after the element `%e`, and the result's name. */
  readonly steps: string;
  readonly result: string;
  readonly elements: readonly [string, string];
  /** Before the packing. */
  readonly before: string;
  /** Instead of the load. */
  readonly body: string;
  readonly target: string;
}

/** A function that packs `%s` into an allocated buffer of 2 x 3 x 4. */
const packing = (changes: Partial<Parts> = {}): string => {
  const elements = changes.elements ?? ['f32', 'f32'];
  const parts: Parts = {
    source: `memref<9x9x${elements[0]}>`,
    indices: ['d0 + d1', 'd1 + d2 + n'],
    steps: '',
    result: '%e',
    elements,
    before: '',
    body: '',
    target: `memref<2x3x4x${elements[1]}>`,
    ...changes,
  };
  const applied = parts.indices.map(
    (index, i) => `%a${i} = affine.apply affine_map<(d0, d1, d2, n) -> (${index})>(%i, %j, %k, %n)\n`,
  );
  const body =
    parts.body ||
    `%e = memref.load %s[${parts.indices.map((_, i) => `%a${i}`).join(', ')}] : ${parts.source}`;
  const out = parts.elements[1];
  return `func.func @f(%s: ${parts.source}, %q: memref<2x3x4x${out}>) -> ${parts.target} {
    %n = arith.constant 2 : index
    ${parts.before}
    %o = memref.alloc() : ${parts.target}
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]} outs(%o : ${parts.target}) {
      ^bb0(%old: ${out}):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %k = linalg.index 2 : index
        ${applied.join('')}${body}
        ${parts.steps}
        linalg.yield ${parts.result} : ${out}
    }
    return %o : ${parts.target}
  }`;
};

/** An element or, beyond the last row, a padding. */
const padded = (padding: string, size = 9): string => `%c0 = arith.constant 0 : index
  %size = arith.constant ${size} : index
  %inside = arith.cmpi ult, %a0, %size : index
  %in = arith.select %inside, %a0, %c0 : index
  %read = memref.load %s[%in, %a1] : memref<9x9xf32>
  ${padding.startsWith('%') ? '' : `%p = arith.constant ${padding} : f32`}
  %e = arith.select %inside, %read, ${padding.startsWith('%') ? padding : '%p'} : f32`;
const beyond = ['d0 * 5 + d1 * 2', 'd2'];

/** The op that a packing has become, without its types. */
const kernelIn = (text: string): string => {
  const module = parse(text);
  const after = formed(module).module;
  expect(names(after)).not.toContain('linalg.generic');
  expect(firstDifference(module, after)).toBeUndefined();
  const printed = printModule(after, { registry, localScope: true });
  return /"kernel.pack".*/.exec(printed)?.[0].replace(/ : \(.*/, '') ?? printed;
};

describe('a packing', () => {
  it.each<[string, Partial<Parts>, RegExp]>([
    ['of indices', {}, /map = affine_map<\(d0, d1, d2\) -> \(d0 \+ d1, d1 \+ d2 \+ 2\)>/],
    [
      'of indices from around it',
      {
        before: '%m = affine.max affine_map<() -> (1)>()',
        indices: ['d0 + d1', 'd2 + d1'],
        body: '%w = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%k)[%m]\n%e = memref.load %s[%a0, %w] : memref<9x9xf32>',
      },
      /\(%arg0, %alloc, %\d+\).*map = affine_map<\(d0, d1, d2, d3\) -> \(d0 \+ d1, d2 \+ d3\)>/,
    ],
    [
      'of arithmetic on indices',
      {
        indices: ['d0', 'd1'],
        body: `%c3 = arith.constant 3 : index
          %u = arith.muli %i, %c3 : index
          %v = arith.addi %u, %j : index
          %x = arith.floordivsi %v, %c3 : index
          %y = arith.ceildivsi %v, %c3 : index
          %z = arith.subi %y, %x : index
          %e = memref.load %s[%z, %x] : memref<9x9xf32>`,
      },
      /ceildiv 3/,
    ],
    [
      'that extends',
      { elements: ['f16', 'f32'], steps: '%r = arith.extf %e : f16 to f32', result: '%r' },
      /conversion = \["arith.extf"\].*types = \[f32\]/,
    ],
    [
      'that subtracts a zero point',
      {
        elements: ['i8', 'i32'],
        before: '%z8 = arith.constant 7 : i8',
        steps:
          '%w = arith.extsi %e : i8 to i32\n%z = arith.extui %z8 : i8 to i32\n%r = arith.subi %w, %z : i32',
        result: '%r',
      },
      /\(%arg0, %alloc, %\d\) .*conversion = \["arith.extsi", "arith.subi"\].*types = \[i32, i32\]/,
    ],
    [
      'with padding',
      { indices: beyond, body: padded('5.0') },
      /\(%arg0, %alloc, %cst\) .*bounds = array<i64: 9>.*tests = affine_map<\(d0, d1, d2\) -> \(d0 \* 5 \+ d1 \* 2\)>/,
    ],
    [
      'with padding from around it that is extended',
      {
        indices: beyond,
        elements: ['f32', 'f64'],
        before: '%p0 = memref.load %s[%n, %n] : memref<9x9xf32>',
        source: 'memref<9x9xf32>',
        body: padded('%p0'),
        steps: '%r = arith.extf %e : f32 to f64',
        result: '%r',
      },
      /conversion = \["arith.extf"\]/,
    ],
  ])('%s is one op that computes the same', (_, changes, expected) => {
    expect(kernelIn(packing(changes))).toMatch(expected);
  });

  it.each<[string, Partial<Parts>]>([
    [
      'stores the element elsewhere, too',
      {
        before: '%g = memref.alloc() : memref<4xf32>',
        steps: 'memref.store %e, %g[%k] : memref<4xf32>',
      },
    ],
    ['does more', { steps: '%r = arith.addf %e, %old : f32', result: '%r' }],
    [
      'has other indices',
      { body: '%m = arith.muli %i, %j : index\n%e = memref.load %s[%m, %j] : memref<9x9xf32>' },
    ],
    [
      'has indices that are loaded',
      {
        elements: ['f32', 'f32'],
        before: '%g = memref.alloc() : memref<9xindex>',
        body: '%m = memref.load %g[%i] : memref<9xindex>\n%e = memref.load %s[%m, %j] : memref<9x9xf32>',
      },
    ],
    [
      'reads a view that it makes',
      {
        body: '%v = memref.cast %s : memref<9x9xf32> to memref<?x9xf32>\n%e = memref.load %v[%a0, %a1] : memref<?x9xf32>',
      },
    ],
    ['has a size beside the source as a bound', { indices: beyond, body: padded('5.0', 10) }],
    [
      'computes the padding',
      {
        indices: beyond,
        body: padded('5.0')
          .replace('%read, %p', '%read, %t')
          .replace('%e = ', '%t = arith.addf %p, %p : f32\n%e = '),
      },
    ],
    ['has lanes apart', { target: 'memref<2x3x4xf32, strided<[24, 8, 2]>>' }],
  ])('is none where it %s', (_, changes) => {
    const text = packing(changes);
    expect(text).not.toBe(packing());
    expect(names(formed(parse(text)).module)).not.toContain('kernel.pack');
  });

  it.each([
    [
      'may read what it stores',
      (text: string) =>
        text
          .replaceAll('%o = memref.alloc()', '%o = memref.cast %q')
          .replace(/(%o = memref.cast %q : )(.*)/, '$1memref<2x3x4xf32> to $2')
          .replace(
            '@f(%s: memref<9x9xf32>, %q: memref<2x3x4xf32>)',
            '@f(%s: memref<9x9xf32>, %q: memref<2x3x4xf32>)',
          ),
    ],
    ['has more lanes than a panel', (text: string) => text.replaceAll('2x3x4x', '2x3x65x')],
    [
      'has an input',
      (text: string) =>
        text
          .replace(
            '[affine_map<(d0, d1, d2) -> (d0, d1, d2)>]',
            '[affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]',
          )
          .replace('outs(', 'ins(%q : memref<2x3x4xf32>) outs(')
          .replace('^bb0(', '^bb0(%new: f32, '),
    ],
    ['stores elsewhere', (text: string) => text.replace('-> (d0, d1, d2)>]', '-> (d1, d0, d2)>]')],
  ])('is none where it %s', (_, change) => {
    const text = change(packing());
    expect(text).not.toBe(packing());
    expect(names(formed(parse(text)).module)).not.toContain('kernel.pack');
  });

  it('is none where the unit has no code for it', () => {
    const refusesPacking = (): string => 'of no unit';
    expect(names(formed(parse(packing()), { unit: { refusesPacking } }).module)).not.toContain('kernel.pack');
  });

  it('leaves nothing of its body', () => {
    const { module } = formed(parse(packing()));
    expect(operationsIn(module.root).map(({ name }) => name)).not.toContain('affine.apply');
  });
});
