/** Chains of elementwise ops become one op that computes the same. */
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { firstDifference } from '@sconv/interpreter/testing';
import { createRegistry, parseModule, printModule, walk } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { fuseElementwisePass } from '../src/index.ts';

const registry = createRegistry(payloadDialects);
const type = 'tensor<3x4xf32>';
const binary = (name: string, a: string, b: string, out = '%e'): string =>
  `linalg.${name} ins(%${a}, %${b} : ${type}, ${type}) outs(${out} : ${type}) -> ${type}`;

/** The structured ops after the pass, and the text. */
const fused = (body: string, result = type) => {
  const text = `func.func @f(%a: ${type}, %b: ${type}, %v: tensor<4xf32>, %s: f32) -> ${result} {
  %e = tensor.empty() : ${type}
${body}
  return %r : ${result}
}`;
  const before = unwrap(parseModule(text, { registry }));
  const after = unwrap(fuseElementwisePass().run(before, { registry }));
  expect(firstDifference(before, after)).toBeUndefined();
  const names = [...walk(after.root)].map(({ name }) => name);
  return {
    ops: names.filter((name) => name.startsWith('linalg.') && name !== 'linalg.yield'),
    text: printModule(after, { registry, debugInfo: true, localScope: true }),
  };
};

describe('fuse-elementwise', () => {
  it.each([
    ['a chain', `%x = ${binary('add', 'a', 'b')}\n%r = ${binary('mul', 'x', 'a')}`],
    [
      'two ways from one tensor',
      `%x = ${binary('add', 'a', 'b')}\n%y = ${binary('max', 'x', 'a')}\n%r = ${binary('mul', 'y', 'a')}`,
    ],
    ['a tensor read twice', `%x = ${binary('add', 'a', 'b')}\n%r = ${binary('mul', 'x', 'x')}`],
    [
      'a broadcast and a fill',
      `%x = linalg.broadcast ins(%v : tensor<4xf32>) outs(%e : ${type}) dimensions = [0]
       %y = linalg.fill ins(%s : f32) outs(%e : ${type}) -> ${type}
       %z = ${binary('add', 'x', 'a')}
       %r = ${binary('max', 'z', 'y')}`,
    ],
    [
      'a destination that is read',
      `%x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : ${type}) outs(%b : ${type}) {
       ^bb0(%p: f32, %q: f32):
         %t = arith.subf %q, %p : f32
         linalg.yield %t : f32
       } -> ${type}
       %r = ${binary('mul', 'x', 'b')}`,
    ],
  ])('%s', (_, body) => {
    expect(fused(body).ops).toEqual(['linalg.generic']);
  });

  it.each([
    [
      'an op with another reader',
      `%x = ${binary('add', 'a', 'b')}\n%y = ${binary('mul', 'x', 'a')}
       %r = tensor.concat dim(0) %x, %y : (${type}, ${type}) -> tensor<6x4xf32>`,
      'tensor<6x4xf32>',
    ],
    [
      'a transposed operand',
      `%t = tensor.empty() : tensor<4x3xf32>
       %x = linalg.transpose ins(%a : ${type}) outs(%t : tensor<4x3xf32>) permutation = [1, 0]
       %r = linalg.exp ins(%x : tensor<4x3xf32>) outs(%t : tensor<4x3xf32>) -> tensor<4x3xf32>`,
      'tensor<4x3xf32>',
    ],
    [
      'what would be computed once for each row',
      `%o = tensor.empty() : tensor<4xf32>
       %x = linalg.exp ins(%v : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
       %y = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : ${type}) dimensions = [0]
       %r = ${binary('add', 'y', 'a')}`,
      type,
    ],
  ])('%s stays apart', (_, body, result) => {
    expect(fused(body, result).ops).toHaveLength(2);
  });

  it('keeps the locations of both', () => {
    const text = fused(
      `%x = ${binary('add', 'a', 'b')} loc("first")\n%r = ${binary('mul', 'x', 'a')} loc("second")`,
    ).text;
    expect(text).toContain('loc(fused["first", "second"])');
  });
});
