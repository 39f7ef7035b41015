import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '../src/sconv.ts';
import { capture, fileWith, temporaryFolder } from './support/capture.ts';

const scheme = (...words: readonly string[]) => capture(main, 'scheme', ...words);
const convolution = '[T(h,4), T(w,8), T(c,64), U(h,7), U(k,2), V(k,4)]';

it('shows the loops of a scheme, its code and its volumes', async () => {
  const { code, out } = await scheme(convolution);
  expect(code).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "[T(h,4), T(w,8), T(c,64), U(h,7), U(k,2), V(k,4)]
    114,688 multiply-adds, on wasm
    loops:
      loop rows 4 x 7
        loop columns 8 x 1
          kernel along filters, in tiles 0+7x0+8: batch 1, channels 64, columns 1, filters 8, group 1, rows 7, tapColumns 1, tapRows 1
    innermost code, in vector instructions:
      7 windows x 8 filters: 14 multiply-adds, 2 loads, 7 broadcasts; 17 of 15 registers
    accesses, predicted: 16,855 served by L1; lines: 3,609 by L2, 0 by L3, 1,040 by memory
    "
  `);
});

it('takes vectors of the target, in the notation of the authors too', async () => {
  const file = fileWith(
    '[V f; U (2, f); ULambda y; R c; Lambda_apply y [((Iter 2), (Arg 3)); ((Iter 1), (Arg 1))]]',
    'own.scheme',
  );
  const { out } = await scheme(file, '--shape', '1x8x7x1,32x8x1x1', '--target', 'avx512');
  expect(out).toContain(
    '[lambda(h; b; [(2,3),(1,1)]), R(c), U(h,b), U(k,2), V(k,16)]\n1,792 multiply-adds, on avx512\n',
  );
  expect(out).toContain('3 windows x 32 filters: 6 multiply-adds, 2 loads, 3 broadcasts; 9 of 32 registers');
});

it.each([
  [
    'NCHW, for vectors of columns',
    ['[R(k), R(h), R(c), R(r), R(s), T(w,7), V(w,1)]', '--shape', '1x3x9x9,8x3x3x3'],
    'lanes',
    'columns',
  ],
  [
    'a product',
    ['[R(j), lambda(i; x; [(12,6),(8,7)]), T(k,64), U(i,x), U(j,2), V(j,4)]', '--product', '128x128x64'],
    'dimension',
    'windows',
  ],
  ['a batch of products', ['[R(b), R(i), R(j), R(k)]', '--product', '3x4x5x6'], 'dimension', 'group'],
  ['what the scheme covers', ['[T(b,3), T(i,4), T(j,5), T(k,6)]'], 'dimension', 'group'],
  [
    'a convolution as a product',
    ['[R(k), P(input), T(j,2), R(i), V(j,2)]', '--shape', '1x3x4x4,2x3x3x3'],
    'kind',
    'pack',
  ],
])('plans %s', async (_, words, key, value) => {
  const { code, out } = await scheme(...words, '--json');
  expect(code).toBe(0);
  expect(out).toContain(`"${key}": "${value}"`);
  expect(JSON.parse(out)).toMatchObject({
    version: 1,
    scheme: words[0],
    volumes: { l1: expect.any(Number) as number },
  });
});

it('draws the loops', async () => {
  const file = join(temporaryFolder(), 'loops.svg');
  expect((await scheme(convolution, '--svg', file)).code).toBe(0);
  expect(existsSync(file) && readFileSync(file, 'utf8')).toContain('</svg>');
});

it.each([
  [
    'a mistake in the text',
    ['[R(k), Q(h)]'],
    "scheme:1:8: error: no specifier 'Q'; there are R, T, U, V, lambda, Seq, P [scheme/syntax]\n[R(k), Q(h)]\n       ^\n",
  ],
  [
    'a specifier that does not fit',
    ['[T(k,3), V(k,4)]', '--shape', '1x1x1x1,16x1x1x1'],
    'scheme:1:2: error: the scheme covers 12 of k, of which there are 16 [scheme/size]\n[T(k,3), V(k,4)]\n ^\n',
  ],
  ['long vectors', ['[T(k,2), V(k,8)]'], 'elements: U(k,2), V(k,4) [scheme/vector]\n'],
  [
    'an unknown extent',
    ['[R(k), V(k,4)]'],
    'what R takes is not known: give --shape or --product, which are checked, too [scheme/shape]',
  ],
  [
    'another convolution',
    ['[R(h), R(c)]', '--product', '1x8x8'],
    'a matrix product has the dimensions i and j of its result, and k, which is summed over [scheme/shape]',
  ],
  [
    'groups in NHWC',
    ['[R(k), V(k,4)]', '--shape', '1x8x3x3,8x4x1x1,g2'],
    'give --layout nchw [scheme/layout]',
  ],
  ['a shape that is none', ['[V(k,4)]', '--shape', 'x'], '[csa/syntax]'],
  ['a file that is not there', ['none.scheme'], '[sconv/cannot-read]'],
])('reports %s', async (_, words, message) => {
  const { code, err } = await scheme(...words);
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});

it.each([
  [['--product', '1x2']],
  [['--product', '1x2x0']],
  [['--product', '999999999x999999999x999999999']],
  [['--product', '1x2x3', '--layout', 'nhwc']],
  [['--layout', 'chwn']],
])('refuses %j', async (words) => {
  expect((await scheme('[V(k,4)]', ...words)).code).toBe(2);
});

it('counts the schemes of a convolution, and draws some', async () => {
  const { code, out, err } = await scheme('--space', '1x8x10x10,16x8x3x3', '--sample', '2', '--seed', '7');
  expect([code, err]).toEqual([0, '']);
  const [first, ...others] = out.trimEnd().split('\n');
  expect(first).toMatch(/^[\d,]+ schemes of 1x8x10x10,16x8x3x3 on wasm$/);
  expect(others).toHaveLength(4);
  for (const text of [others[0]!, others[2]!])
    expect((await scheme(text, '--shape', '1x8x10x10,16x8x3x3', '--layout', 'nhwc')).code).toBe(0);
  expect(others[1]).toMatch(/^ {2}sums up \d+ times, [\d,]+ cycles beyond L1, [\d.]+ operations a byte$/);
});

it.each([
  ['64x64x32', '', /^\[(?=.*T\(k,)(?=.*U\(i,).*V\(j,4\)\]$/m],
  ['3x20x16x8', '', /^\[T\(b,3\), .*V\(j,4\)\]$/m],
  ['1x8x9x9,17x8x3x3', '', /P\(filters\)/],
  ['1x1x2x2,8x1x1x1', ', of windows through all rows, which kernels cover', /V\(i,4\)/],
  ['1x1x1x2,8x1x1x1', ', whose last tile is cut: no kernels cover it', /U\(w,2\)/],
])('counts the schemes of %s on wasm%s', async (shape, covering, scheme_) => {
  const { code, out } = await scheme('--space', shape, '--sample', '3', '--strategy', 'volume');
  expect(code).toBe(0);
  expect(out.split('\n')[0]).toMatch(new RegExp(`^[\\d,]+ schemes of ${shape} on wasm${covering}$`));
  expect(out).toMatch(scheme_);
  const sizes = shape.includes(',') ? ['--shape', shape, '--layout', 'nhwc'] : ['--product', shape];
  for (const text of out.match(/^\[.*$/gm) ?? []) expect((await scheme(text, ...sizes)).err).toBe('');
});

it('ranks schemes by what they move', async () => {
  const words = ['--space', '1x8x10x10,16x8x3x3', '--json', '--sample', '3'];
  const of = async (strategy: string) =>
    JSON.parse((await scheme(...words, '--strategy', strategy)).out) as {
      readonly count: string;
      readonly schemes: readonly { readonly cycles: number; readonly index: string }[];
    };
  const [ranked, drawn] = [await of('volume'), await of('random')];
  expect(ranked.count).toBe(drawn.count);
  const cycles = ranked.schemes.map((each) => each.cycles);
  expect(cycles).toEqual(cycles.toSorted((a, b) => a - b));
  expect(cycles[2]).toBeLessThanOrEqual(Math.min(...drawn.schemes.map((each) => each.cycles)));
});

it.each([
  [
    ['--space', '1x1x3x3,1x1x1x1', '--layout', 'nchw'],
    'vectors of 4 do not divide the columns, nor all windows',
  ],
  [['--space', '8x9x10'], 'vectors of 4 do not divide the columns, nor all windows'],
  [['--space', 'none'], 'expected'],
  [['--space', '1x8x10x10,16x8x3x3', '--target', 'default'], 'default has no vectors'],
])('refuses %j', async (words, message) => {
  const { code, err } = await scheme(...words);
  expect(code).toBe(1);
  expect(err).toContain(message);
});

it.each([
  [[]],
  [['[V(k,4)]', '--space', '1x8x10x10,16x8x3x3']],
  [['--space', '1x8x10x10,16x8x3x3', '--svg', 'x']],
])('needs one of a scheme and a space: %j', async (words) => {
  expect((await scheme(...words)).code).toBe(2);
});
