import { add, dim, makeMap, mul } from '@sconv/affine';
import type { Contraction } from '@sconv/plans';
import { describe, expect, it } from 'vitest';
import { contractionLayout, convolutionForms, formMaps } from '../src/index.ts';

/** Of `a b, b 2c+d -> a c`: dimensions are letters, in the order in which they come up; `sizes` are theirs. */
const contraction = (text: string, sizes: Readonly<Record<string, number>>): Contraction => {
  const [factors, result] = text.split('->');
  const operands = [...factors!.split(','), result!].map((operand) =>
    operand.trim().split(/ +/).filter(Boolean),
  );
  const names = Object.keys(sizes);
  const termsOf = (index: string) =>
    index
      .split('+')
      .map((term) => ({ position: names.indexOf(term.at(-1)!), factor: Number(term.slice(0, -1) || 1) }));
  const sums = names.filter((name) => !operands[2]!.some((index) => index.includes(name)));
  return {
    dimensions: names.map((name) => ({
      name,
      extent: sizes[name]!,
      iterator: sums.includes(name) ? 'reduction' : 'parallel',
    })),
    operands: operands.map((indices, i) => ({
      name: `operand ${i}`,
      map: makeMap(
        names.length,
        0,
        indices.map((index) =>
          termsOf(index)
            .map(({ position, factor }) => mul(dim(position), factor))
            .reduce((sum, term) => add(sum, term)),
        ),
      ),
      sizes: indices.map((index) =>
        termsOf(index).reduce(
          (size, { position, factor }) => size + factor * (sizes[names[position]!]! - 1),
          1,
        ),
      ),
      bytes: 4,
    })) as unknown as Contraction['operands'],
    elementType: 'f32',
  };
};

/** The layout in short: loops around, operands with transposed ones in brackets, sizes other than 1. */
const described = (text: string, sizes: Readonly<Record<string, number>>): string => {
  const layout = contractionLayout(contraction(text, sizes));
  if (layout === undefined) return 'none';
  const { outer, form, geometry, operands } = layout;
  const letters = [form.input, form.filters, form.output].map((each, i) => {
    const own =
      Array.from(each)
        .filter((_, at) => operands[i]!.fused[at]! > 0)
        .join('') || '1';
    return operands[i]!.isTransposed ? `(${own})` : own;
  });
  const { batch, inputChannels, filters, filterHeight, filterWidth, outputHeight, outputWidth } = geometry;
  const extents = {
    n: batch,
    f: filters,
    h: outputHeight,
    w: outputWidth,
    c: inputChannels,
    y: filterHeight,
    x: filterWidth,
  };
  const names = Object.keys(sizes);
  return [
    ...outer.map((dimension) => `for ${names[dimension]!}:`),
    `${letters[0]!},${letters[1]!}->${letters[2]!}`,
    ...Object.entries(extents).flatMap(([letter, extent]) => (extent === 1 ? [] : [`${letter}=${extent}`])),
  ].join(' ');
};

describe('contractionLayout', () => {
  it.each([
    ['a matrix product', 'a b, b c -> a c', { a: 3, c: 5, b: 4 }, 'ch,fc->fh f=3 h=5 c=4'],
    ['one of transposed matrices', 'b a, c b -> a c', { a: 3, c: 5, b: 4 }, 'hc,cf->fh f=3 h=5 c=4'],
    ['the transpose of one', 'a b, b c -> c a', { a: 3, c: 5, b: 4 }, 'hc,cf->fh f=5 h=3 c=4'],
    ['rows of two dimensions', 'a b c, c d -> a b d', { a: 2, b: 3, c: 4, d: 5 }, 'ch,fc->fh f=6 h=5 c=4'],
    ['a matrix times a vector', 'a b, b -> a', { a: 3, b: 4 }, 'hc,c->h h=3 c=4'],
    ['a vector times a matrix', 'b, b a -> a', { a: 3, b: 4 }, 'ch,c->h h=3 c=4'],
    ['an inner product', 'a, a -> ', { a: 4 }, 'c,c->1 c=4'],
    ['an outer product', 'a, b -> a b', { a: 3, b: 4 }, 'h,f->fh f=3 h=4'],
    ['a batch', 'g a b, g b c -> g a c', { g: 2, a: 3, c: 5, b: 4 }, 'for g: ch,fc->fh f=3 h=5 c=4'],
    [
      'heads between rows and columns',
      'a g b, c g b -> g a c',
      { g: 2, a: 3, c: 5, b: 4 },
      'for g: hc,fc->fh f=3 h=5 c=4',
    ],
    ['a group of one', 'g a b, g b c -> g a c', { g: 1, a: 3, c: 5, b: 4 }, 'ch,fc->fh f=3 h=5 c=4'],
    ['sums that lie apart', 'a b c, b d c -> d a', { a: 9, b: 2, c: 3, d: 9 }, 'hc,(fc)->fh f=9 h=9 c=6'],
    [
      'tiles of tiles',
      'a b c d, e b f d -> a e c f',
      { a: 8, e: 8, b: 8, c: 8, f: 8, d: 2 },
      '(hc),(fc)->(fh) f=64 h=64 c=16',
    ],
    [
      'a row of windows',
      'n w+x c, x c f -> n w f',
      { n: 2, w: 5, f: 4, x: 3, c: 6 },
      'nwc,wcf->nwf n=2 f=4 w=5 c=6 x=3',
    ],
    [
      'channels first',
      'n c w+x, f c x -> n f w',
      { n: 2, f: 4, w: 5, c: 6, x: 3 },
      'ncw,fcw->nfw n=2 f=4 w=5 c=6 x=3',
    ],
    [
      'filters last',
      'c h+y w+x n, y x c f -> n h w f',
      { n: 2, h: 5, w: 6, f: 4, y: 3, x: 2, c: 7 },
      '(nhwc),hwcf->nhwf n=2 f=4 h=5 w=6 c=7 y=3 x=2',
    ],
    [
      'windows of the right factor',
      'f c x, n c 2w+x -> n f w',
      { n: 2, f: 4, w: 5, c: 6, x: 3 },
      'ncw,fcw->nfw n=2 f=4 w=5 c=6 x=3',
    ],
    ['strides alone', 'n 2w c, c f -> n w f', { n: 2, w: 5, f: 4, c: 6 }, 'nwc,cf->nwf n=2 f=4 w=5 c=6'],
    [
      'windows of three dimensions',
      'd+z h+y w+x, z y x f -> d h w f',
      { d: 2, h: 5, w: 6, f: 4, z: 2, y: 3, x: 2 },
      'for w: hwc,hwcf->hwf f=4 h=2 w=5 c=2 y=2 x=3',
    ],
    [
      'sums of which the innermost are of groups',
      'a b g, b c g -> a c g',
      { a: 3, c: 5, g: 2, b: 4 },
      'none',
    ],
    ['a dimension of one factor', 'a b d, b c -> a c', { a: 3, c: 5, b: 4, d: 2 }, 'none'],
    ['the diagonal of a factor', 'a b b, b c -> a c', { a: 3, c: 5, b: 4 }, 'none'],
    ['windows of both factors', 'a+x b, b c+x -> a c', { a: 3, c: 5, b: 4, x: 2 }, 'none'],
    ['no iterations', 'a b, b c -> a c', { a: 3, c: 0, b: 4 }, 'none'],
  ] as const)('of %s', (_, text, sizes, expected) => {
    expect(described(text, sizes)).toBe(expected);
  });

  it('keeps strides and dilations', () => {
    const { geometry } = contractionLayout(contraction('c 2w+3x, f c x -> f w', { f: 4, w: 5, c: 6, x: 3 }))!;
    expect(geometry).toMatchObject({ inputWidth: 15, strides: { h: 1, w: 2 }, dilations: { h: 1, w: 3 } });
  });

  it('prefers loops around to transposing where they move less', () => {
    const sizes = { a: 64, b: 2, c: 64, d: 64 };
    const { moved } = contractionLayout(contraction('a b c, b d c -> d a', sizes))!;
    // The second iteration reads and writes the sums again; transposing a factor would move it three times.
    expect(moved).toBe(2 * 64 * 64);
  });
});

describe('formMaps', () => {
  const unit = { strides: { h: 1, w: 1 }, dilations: { h: 1, w: 1 } };
  const named = convolutionForms.filter(
    ({ kind, definition }) => kind !== 'depthwise' && definition !== undefined,
  );

  it.each(named.map((form) => [form.definition!.name, form] as const))('are those of %s', (_, form) => {
    const maps = form.definition!.structure.indexingMaps([], {});
    const [input, filters, output] = formMaps(form, unit);
    expect([input, filters, output]).toEqual([maps[form.operands[0]], maps[form.operands[1]], maps[2]]);
  });
});
