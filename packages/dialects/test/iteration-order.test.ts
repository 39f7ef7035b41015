import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { terminatorOf, walk } from '@sconv/ir';
import { accumulation, combinerOf, mayRunInBlocks, outputAccumulation } from '../src/iteration-order.ts';
import { parse, registry } from './support.ts';

/** A `linalg.generic` with one input and one output over `loops` dimensions, the last `reductions` of them reductions. */
const genericOf = (body: string, output: string, loops = 3, reductions = 2) => {
  const dims = Array.from({ length: loops }, (_, i) => `d${i}`).join(', ');
  const types = Array.from({ length: loops }, (_, i) =>
    i < loops - reductions ? '"parallel"' : '"reduction"',
  );
  const shape = Array.from({ length: loops }, () => '?x').join('');
  const result = `tensor<${output
    .split(', ')
    .map(() => '?x')
    .join('')}f32>`;
  const text = `func.func @f(%in: tensor<${shape}f32>, %out: ${result}, %m: memref<f32>) {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(${dims}) -> (${dims})>, affine_map<(${dims}) -> (${output})>],
    iterator_types = [${types.join(', ')}]
  } ins(%in : tensor<${shape}f32>) outs(%out : ${result}) {
  ^bb0(%x: f32, %acc: f32):
    ${body}
  } -> ${result}
  return
}`;
  const { root } = unwrap(parse(text));
  return [...walk(root)].find(({ name }) => name === 'linalg.generic')!;
};

const sum = '%s = arith.addf %acc, %x : f32\n linalg.yield %s : f32';
const difference = '%s = arith.subf %acc, %x : f32\n linalg.yield %s : f32';
const all = () => true;

describe('what a structured op combines its output with', () => {
  it.each([
    ['a sum', sum, 'arith.addf'],
    ['a sum, the other way around', '%s = arith.addf %x, %acc : f32\n linalg.yield %s : f32', 'arith.addf'],
    [
      'a sum of three',
      '%s = arith.addf %x, %acc : f32\n%t = arith.addf %s, %x : f32\n linalg.yield %t : f32',
      'arith.addf',
    ],
    ['nothing', 'linalg.yield %acc : f32', 'none'],
    ['another value', 'linalg.yield %x : f32', undefined],
    ['a difference', difference, undefined],
    [
      'a sum and a product',
      '%s = arith.addf %x, %acc : f32\n%t = arith.mulf %s, %x : f32\n linalg.yield %t : f32',
      undefined,
    ],
    ['itself', '%s = arith.addf %acc, %acc : f32\n linalg.yield %s : f32', undefined],
    [
      'a sum that is used again',
      '%s = arith.addf %x, %acc : f32\n%t = arith.addf %s, %s : f32\n linalg.yield %t : f32',
      undefined,
    ],
    [
      'a sum inside of a branch',
      `%c = arith.constant true
    %r = scf.if %c -> f32 {
      %s = arith.addf %x, %acc : f32
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    linalg.yield %r : f32`,
      undefined,
    ],
  ])('%s', (_, body, combiner) => {
    expect(outputAccumulation(registry, genericOf(body, 'd0'), 0)).toBe(combiner);
  });

  it('is known of the outputs that there are', () => {
    expect(outputAccumulation(registry, genericOf(sum, 'd0'), 1)).toBeUndefined();
    const { operations } = genericOf(sum, 'd0').regions[0]!.blocks[0]!;
    expect(outputAccumulation(registry, operations[0]!, 0)).toBeUndefined();
  });

  it('arrives at one place of the terminator', () => {
    const body = genericOf(sum, 'd0').regions[0]!.blocks[0]!;
    expect(accumulation(registry, body, body.arguments[1]!, 0)).toBe('arith.addf');
    expect(accumulation(registry, body, body.arguments[1]!, 1)).toBeUndefined();
    expect(combinerOf(registry, terminatorOf(body))).toBeUndefined();
  });
});

describe('iterations in blocks', () => {
  it.each<[string, string, string, readonly number[], (dimension: number) => boolean, boolean]>([
    ['sums may run in any', sum, 'd0', [2], all, true],
    ['differences keep their order', difference, 'd0', [2], all, false],
    ['which blocks of the outer dimension do', difference, 'd0', [1], all, true],
    ['and those of both, in their order', difference, 'd0', [1, 2], all, false],
    ['and blocks of one iteration of the other dimensions', difference, 'd0', [2], (d) => d === 0, true],
    ['and both in their order, of one iteration each', difference, 'd0', [1, 2], () => false, true],
    ['but not in another one', difference, 'd0', [2, 1], () => false, false],
    ['different elements may be written in any order', difference, 'd0, d1, d2', [2, 1], all, true],
    ['a multiple tells them apart', difference, 'd1 * 2, d2, d0', [2, 1], all, true],
    ['a sum of dimensions does not', difference, 'd0 + d1, d2', [1], all, false],
    ['nor a quotient', difference, 'd0, d1 floordiv 2, d2', [1, 0], all, true],
    ['of several of them', difference, 'd0 floordiv 2, d1 floordiv 2, d2', [1], all, false],
    [
      'nor what is a dimension, and written otherwise',
      difference,
      '(d0 floordiv 4) * 4 + d0 mod 4, (d1 floordiv 4) * 4 + d1 mod 4, d2',
      [1],
      all,
      false,
    ],
    [
      'nor numbers that are too large to add',
      difference,
      `(d1 * ${2 ** 52} + d0) + (d1 * ${2 ** 52} + d2)`,
      [1],
      all,
      false,
    ],
    [
      'what writes elsewhere runs as it did',
      `memref.store %x, %m[] : memref<f32>\n${sum}`,
      'd0, d1, d2',
      [1],
      all,
      false,
    ],
    [
      'in blocks of the outermost dimension',
      `memref.store %x, %m[] : memref<f32>\n${sum}`,
      'd0, d1, d2',
      [0],
      all,
      true,
    ],
    [
      'what reads elsewhere does not matter',
      `%y = memref.load %m[] : memref<f32>\n${sum}`,
      'd0, d1, d2',
      [1],
      all,
      true,
    ],
  ])('%s', (_, body, output, blocked, within, expected) => {
    expect(mayRunInBlocks(registry, genericOf(body, output), blocked, within)).toBe(expected);
  });

  it('are not known of an op that is not structured', () => {
    const { operations } = genericOf(sum, 'd0').regions[0]!.blocks[0]!;
    expect(mayRunInBlocks(registry, operations[0]!, [], all)).toBe(false);
  });
});
