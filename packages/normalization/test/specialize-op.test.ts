import { describe, expect, it } from 'vitest';
import { apply, around, elementwise, identity, rewrite, transposed } from './payloads.ts';

const moved = 'linalg.yield %x : f32';

describe('transform.structured.specialize', () => {
  it.each([
    ['a transposition', elementwise(transposed, moved)],
    ['what is kept', elementwise(identity, 'linalg.yield %o : f32')],
    ['a square', elementwise(identity, '%1 = arith.mulf %x, %x : f32\nlinalg.yield %1 : f32')],
    ['a sum with the output', elementwise(identity, '%1 = arith.addf %x, %o : f32\nlinalg.yield %1 : f32')],
    [
      'what stores a scalar in a diagonal',
      `func.func @f(%a: f32, %b: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} ins(%a : f32) outs(%b : tensor<3x3xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}`,
    ],
    ['a root', elementwise(identity, '%1 = math.sqrt %x : f32\nlinalg.yield %1 : f32')],
  ])('has no name for %s', (_, payload) => {
    expect(apply(payload, rewrite('specialize', 'linalg.generic')).diagnostics).toContain(
      'there is no equivalent named operation [specialize/no-name]',
    );
  });

  it.each([
    ['i1', 'i1', '%p = arith.muli %x, %y : i1\n%s = arith.addi %z, %p : i1', 'no-name'],
    ['i8', 'i8', '%p = arith.muli %x, %y : i8\n%s = arith.addi %z, %p : i8', 'linalg.matmul'],
    [
      'i1',
      'i8',
      '%u = arith.extsi %x : i1 to i8\n%v = arith.extsi %y : i1 to i8\n%p = arith.muli %u, %v : i8\n%s = arith.addi %z, %p : i8',
      'linalg.matmul',
    ],
    [
      'i1',
      'i8',
      '%u = arith.extui %x : i1 to i8\n%v = arith.extui %y : i1 to i8\n%p = arith.muli %u, %v : i8\n%s = arith.addi %z, %p : i8',
      'no-name',
    ],
  ])('of products of %s in %s, %s, gives %s', (element, sum, body, expected) => {
    const payload = `func.func @f(%a: tensor<3x4x${element}>, %b: tensor<4x5x${element}>, %c: tensor<3x5x${sum}>) -> tensor<3x5x${sum}> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x4x${element}>, tensor<4x5x${element}>) outs(%c : tensor<3x5x${sum}>) {
  ^bb0(%x: ${element}, %y: ${element}, %z: ${sum}):
    ${body}
    linalg.yield %s : ${sum}
  } -> tensor<3x5x${sum}>
  return %0 : tensor<3x5x${sum}>
}`;
    const { text, diagnostics } = apply(payload, rewrite('specialize', 'linalg.generic'));
    expect(text + diagnostics).toContain(expected);
  });

  it.each([
    ['matmul', '', 'i, k', 'k, j'],
    ['matmul_transpose_a', '', 'k, i', 'k, j'],
    ['matmul_transpose_b', '', 'i, k', 'j, k'],
    ['batch_matmul', 'b, ', 'i, k', 'k, j'],
    ['batch_matmul_transpose_a', 'b, ', 'k, i', 'k, j'],
    ['batch_matmul_transpose_b', 'b, ', 'i, k', 'j, k'],
    // One of both is transposed.
    ['no-name', '', 'k, i', 'j, k'],
    // One batch dimension, at the front.
    ['no-name', 'b, a, ', 'i, k', 'k, j'],
  ])('gives %s for factors of %s(%s) and (%s)', (expected, batch, left, right) => {
    const sizes: Readonly<Record<string, number>> = { a: 2, b: 2, i: 3, j: 5, k: 4 };
    const all = `${batch}i, j, k`.split(', ');
    const maps = [left, right, 'i, j'].map((own) => `${batch}${own}`);
    const types = maps.map(
      (own) =>
        `tensor<${own
          .split(', ')
          .map((name) => `${sizes[name]!}x`)
          .join('')}f32>`,
    );
    const [a, b, c] = types as [string, string, string];
    const payload = `func.func @f(%a: ${a}, %b: ${b}, %c: ${c}) -> ${c} {
  %0 = linalg.generic {indexing_maps = [${maps.map((own) => `affine_map<(${all.join(', ')}) -> (${own})>`).join(', ')}], iterator_types = [${all.map((name) => (name === 'k' ? '"reduction"' : '"parallel"')).join(', ')}]} ins(%a, %b : ${a}, ${b}) outs(%c : ${c}) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> ${c}
  return %0 : ${c}
}`;
    const { text, diagnostics } = apply(payload, rewrite('specialize', 'linalg.generic'));
    expect(/linalg\.(\w+) /.exec(text)?.[1] ?? /\/([\w-]+)\]/.exec(diagnostics)?.[1]).toBe(expected);
  });

  it('leaves what has a name', () => {
    const payload = around('linalg.exp', '', 'tensor<1x3xf32>', 'tensor<1x3xf32>');
    const { text, diagnostics } = apply(payload, rewrite('specialize', 'linalg.exp'));
    expect(diagnostics).toBe('');
    expect(text).toContain('linalg.exp');
  });
});
