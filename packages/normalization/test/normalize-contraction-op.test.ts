import { describe, expect, it } from 'vitest';
import { any, apply, matchOps } from './payloads.ts';

const normalize = `%n = transform.structured.normalize_contraction %op : (${any}) -> ${any}`;

const generic = (
  maps: readonly [string, string, string],
  iterators: string,
  types: readonly [string, string, string],
  body = 'arith.mulf',
): string => {
  const [a, b, c] = types.map((type) => `tensor<${type}xf32>`);
  const kinds = Array.from(iterators, (each) => (each === 'p' ? '"parallel"' : '"reduction"'));
  return `func.func @f(%a: ${a!}, %b: ${b!}, %c: ${c!}) -> ${c!} {
  %0 = linalg.generic {indexing_maps = [${maps.map((map) => `affine_map<${map}>`).join(', ')}], iterator_types = [${kinds.join(', ')}]} ins(%a, %b : ${a!}, ${b!}) outs(%c : ${c!}) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = ${body} %x, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  } -> ${c!}
  return %0 : ${c!}
}`;
};

const named = (name: string, types: readonly [string, string, string]): string => {
  const [a, b, c] = types.map((type) => `tensor<${type}>`);
  return `func.func @f(%a: ${a!}, %b: ${b!}, %c: ${c!}) -> ${c!} {
  %0 = linalg.${name} ins(%a, %b : ${a!}, ${b!}) outs(%c : ${c!}) -> ${c!}
  return %0 : ${c!}
}`;
};

/** The ops that take part, without those that only return. */
const ops = (text: string): readonly string[] =>
  Array.from(text.matchAll(/= ((?:tensor|linalg)\.\w+)/g), ([, name]) => name!);

describe('transform.structured.normalize_contraction', () => {
  // That each computes the same afterwards is checked by `apply`.
  it.each([
    ['matvec', named('matvec', ['3x4xf32', '4xf32', '3xf32']), ['tensor.expand_shape']],
    ['dot', named('dot', ['4xi32', '4xi32', 'i32']), ['tensor.expand_shape']],
    ['mmt4d', named('mmt4d', ['2x3x4x2xf32', '3x3x2x2xf32', '2x3x4x2xf32']), ['linalg.transpose']],
    [
      'batch_reduce_matmul',
      named('batch_reduce_matmul', ['2x3x4xf32', '2x4x5xf32', '3x5xf32']),
      ['linalg.transpose'],
    ],
    [
      'conv_1d_nwc_wcf',
      named('conv_1d_nwc_wcf', ['2x6x3xf32', '2x3x4xf32', '2x5x4xf32']),
      ['tensor.expand_shape'],
    ],
    [
      'conv_1d_ncw_fcw',
      named('conv_1d_ncw_fcw', ['2x3x6xf32', '4x3x2xf32', '2x4x5xf32']),
      ['tensor.expand_shape'],
    ],
  ])('makes a product or a convolution of %s', (name, payload, by) => {
    const { diagnostics, text } = apply(payload, `${matchOps(`linalg.${name}`)}\n${normalize}`);
    expect(diagnostics).toBe('');
    expect(ops(text)).toEqual(expect.arrayContaining([...by, 'linalg.generic']));
    expect(text).not.toContain(name);
  });

  it('reads only what windows reach, and drops dimensions of one index', () => {
    const maps = [
      '(m, w, n, k, x) -> (k, m, w + x)',
      '(m, w, n, k, x) -> (x, n, k)',
      '(m, w, n, k, x) -> (n, m, w)',
    ] as const;
    const payload = generic(maps, 'ppprr', ['3x1x6', '2x4x3', '4x1x5']);
    const { diagnostics, text } = apply(payload, `${matchOps()}\n${normalize}`);
    expect(diagnostics).toBe('');
    expect(text).toContain('[0, 0, 0] [3, 1, 6] [1, 1, 1] : tensor<3x1x6xf32> to tensor<3x6xf32>');
    expect(text).toContain('tensor.insert_slice');
  });

  it('fills sums in their new order instead of transposing them', () => {
    const payload = `func.func @f(%a: tensor<2x3x4x2xf32>, %b: tensor<3x3x2x2xf32>) -> tensor<2x3x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x4x2xf32>
  %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  %0 = linalg.mmt4d ins(%a, %b : tensor<2x3x4x2xf32>, tensor<3x3x2x2xf32>) outs(%c : tensor<2x3x4x2xf32>) -> tensor<2x3x4x2xf32>
  return %0 : tensor<2x3x4x2xf32>
}`;
    const { text } = apply(payload, `${matchOps('linalg.mmt4d')}\n${normalize}`);
    expect(ops(text).filter((name) => name === 'linalg.transpose')).toHaveLength(3);
    expect(ops(text).filter((name) => name === 'linalg.fill')).toHaveLength(2);
  });

  it.each([
    ['a batch', named('batch_matmul', ['2x3x4xf32', '2x4x5xf32', '2x3x5xf32']), 'linalg.batch_matmul'],
    ['an elementwise op', named('add', ['4xf32', '4xf32', '4xf32']), 'linalg.add'],
    ['dynamic sizes', named('matvec', ['?x4xf32', '4xf32', '?xf32']), 'linalg.matvec'],
    [
      'a sum of sums',
      generic(
        ['(m, n, k) -> (m, k)', '(m, n, k) -> (k, n)', '(m, n, k) -> (m, n)'],
        'ppr',
        ['2x4', '4x3', '2x3'],
        'arith.addf',
      ),
      'linalg.generic',
    ],
    [
      'an index with an offset',
      generic(['(m, n, k) -> (m, k + 1)', '(m, n, k) -> (k, n)', '(m, n, k) -> (m, n)'], 'ppr', [
        '2x5',
        '4x3',
        '2x3',
      ]),
      'linalg.generic',
    ],
  ])('refuses %s', (_, payload, name) => {
    const { diagnostics } = apply(payload, `${matchOps(name)}\n${normalize}`);
    expect(diagnostics).toContain('[normalize-contraction/not-a-contraction]');
  });
});
