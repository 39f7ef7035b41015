import { describe, expect, it } from 'vitest';
import { apply, excerpt, matchOps, replaced } from './payloads.ts';

const any = '!transform.any_op';

/** A hand-packed product, with its result unpacked. */
const payload = `func.func @f(%a: tensor<6x10xf32>, %b: tensor<10x8xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<3x5x2x2xf32>
  %p = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e {lhs} : tensor<6x10xf32> -> tensor<3x5x2x2xf32>
  %g = tensor.empty() : tensor<3x8x2xf32>
  %q = tensor.pack %c inner_dims_pos = [0] inner_tiles = [2] into %g {out} : tensor<6x8xf32> -> tensor<3x8x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k, mi, ki) -> (m, k, mi, ki)>, affine_map<(m, n, k, mi, ki) -> (k * 2 + ki, n)>, affine_map<(m, n, k, mi, ki) -> (m, n, mi)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "reduction"]} ins(%p, %b : tensor<3x5x2x2xf32>, tensor<10x8xf32>) outs(%q : tensor<3x8x2xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x8x2xf32>
  %1 = tensor.unpack %0 inner_dims_pos = [0] inner_tiles = [2] into %c : tensor<3x8x2xf32> -> tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}`;

const transposed = (target: string, permutations: string): string => `${matchOps()}
%t = transform.structured.match ${target} in %root : (${any}) -> ${any}
%g, %p, %u = transform.structured.pack_transpose %t with_compute_op(%op) ${permutations} : (${any}, ${any}) -> (${any}, ${any}, ${any})`;
const pack = (tag: string): string => `ops{["tensor.pack"]} attributes{${tag}}`;
const unpack = 'ops{["tensor.unpack"]}';

describe('transform.structured.pack_transpose', () => {
  it.each([
    [pack('lhs'), 'outer_perm = [1, 0]', 'tensor<5x3x2x2xf32>', '(d2, d0, d3, d4)'],
    [pack('lhs'), 'inner_perm = [1, 0]', 'tensor<3x5x2x2xf32>', '(d0, d2, d4, d3)'],
    [unpack, 'outer_perm = [1, 0] inner_perm = [0]', 'tensor<8x3x2xf32>', '(d1, d0, d3)'],
  ])('of %s by %s', (target, permutations, type, results) => {
    const { text, diagnostics } = apply(payload, transposed(target, permutations));
    expect(diagnostics).toBe('');
    expect(text).toContain(`-> ${type}`);
    expect(text).toContain(`affine_map<(d0, d1, d2, d3, d4) -> ${results}>`);
  });

  it('permutes what is permuted already', () => {
    const before = `func.func @f(%a: tensor<4x6x8xf32>, %c: tensor<4x6x8xf32>) -> tensor<6x8x4xf32> {
  %e = tensor.empty() : tensor<6x8x4x1xf32>
  %p = tensor.pack %a outer_dims_perm = [1, 2, 0] inner_dims_pos = [0] inner_tiles = [1] into %e : tensor<4x6x8xf32> -> tensor<6x8x4x1xf32>
  %o = tensor.empty() : tensor<6x8x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p : tensor<6x8x4x1xf32>) outs(%o : tensor<6x8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<6x8x4xf32>
  return %0 : tensor<6x8x4xf32>
}`;
    const { text, diagnostics } = apply(before, transposed('ops{["tensor.pack"]}', 'outer_perm = [2, 0, 1]'));
    expect(diagnostics).toBe('');
    expect(excerpt(text, 'tensor.pack')).toEqual([
      '% = tensor.pack % outer_dims_perm = [0, 1, 2] inner_dims_pos = [0] inner_tiles = [1] into % : tensor<4x6x8xf32> -> tensor<4x6x8x1xf32>',
    ]);
  });

  it.each([
    [
      [
        '%1 = tensor.unpack %0',
        '%more = tensor.extract_slice %0[0, 0, 0] [1, 1, 1] [1, 1, 1] : tensor<3x8x2xf32> to tensor<1x1x1xf32>\n%1 = tensor.unpack %0',
      ],
      unpack,
      'outer_perm = [1, 0]',
      'pack-transpose/result',
    ],
    [['%p =', '%p ='], pack('out'), 'outer_perm = [1, 0]', 'pack-transpose/result'],
    [['%p =', '%p ='], pack('lhs'), 'outer_perm = [1, 0, 2]', 'pack-transpose/permutation'],
    [['%p =', '%p ='], unpack, 'inner_perm = [1, 0]', 'pack-transpose/permutation'],
    [['tensor.unpack %0', 'tensor.unpack %q'], unpack, 'outer_perm = [1, 0]', 'pack-transpose/use'],
    [['ins(%p, %b', 'ins(%e, %b'], pack('lhs'), 'outer_perm = [1, 0]', 'pack-transpose/use'],
    [['outs(%q :', 'outs(%g :'], unpack, 'outer_perm = [1, 0]', 'pack-transpose/no-pack'],
    [['%p =', '%p ='], 'ops{["func.return"]}', 'outer_perm = [1, 0]', 'pack-transpose/target'],
    [['%p =', '%p ='], 'ops{["tensor.pack"]}', 'outer_perm = [1, 0]', 'pack-transpose/single'],
  ] as const)('refuses %s of %s by %s', (change, target, permutations, code) => {
    expect(apply(replaced(payload, change), transposed(target, permutations)).diagnostics).toContain(
      `[${code}]`,
    );
  });

  it('refuses what is no structured op', () => {
    const script = `%op = transform.structured.match ops{["func.return"]} in %root : (${any}) -> ${any}
${transposed(unpack, 'outer_perm = [1, 0]').split('\n').slice(1).join('\n')}`;
    expect(apply(payload, script).diagnostics).toContain(
      'requires a LinalgOp target [pack-transpose/structured]',
    );
  });

  it('does nothing for nothing', () => {
    expect(apply('func.func @f() { return }', transposed(unpack, 'outer_perm = [1, 0]')).status).toBe(
      'success',
    );
  });
});
