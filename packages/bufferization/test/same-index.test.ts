import { describe, expect, it } from 'vitest';
import { bufferized } from './support.ts';

/** A slice of %t that is extracted, changed, and inserted into %t at another slice. */
const putBack = (definitions: string, taken: string, given: string, part: string) =>
  bufferized(`func.func @f(%t: tensor<8x8xf32>, %i: index, %j: index, %x: f32) -> tensor<8x8xf32> {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  ${definitions}
  %s = tensor.extract_slice %t${taken} : tensor<8x8xf32> to ${part}
  %w = linalg.fill ins(%x : f32) outs(%s : ${part}) -> ${part}
  %r = tensor.insert_slice %w into %t${given} : ${part} into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}`);

const half = (result: string, of: string, by = 2) =>
  `${result} = affine.apply affine_map<(d0) -> (d0 floordiv ${by})>(${of})`;
const sum = (result: string, a: string, b: string) =>
  `${result} = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 2)>(${a}, ${b})`;

describe('two slices are the same', () => {
  it.each([
    ['of the same numbers', '', '[1, 2] [2, 4] [1, 2]', '[1, 2] [2, 4] [1, 2]'],
    ['at the same value', '', '[%i, %j] [2, 4] [1, 1]', '[%i, %j] [2, 4] [1, 1]'],
    ['at a number and a constant', '', '[1, 0] [2, 4] [1, 1]', '[%c1, 0] [2, 4] [1, 1]'],
    ['at a constant and a number', '', '[%c2, 0] [2, 4] [1, 1]', '[2, 0] [2, 4] [1, 1]'],
    ['at equal constants', '', '[%c1, 0] [2, 4] [1, 1]', '[%one, 0] [2, 4] [1, 1]'],
    ['at the same map', `${half('%a', '%i')}\n${half('%b', '%i')}`, '[%a, 0] [2, 4] [1, 1]', '[%b, 0] [2, 4] [1, 1]'],
    ['at the same map of two', `${sum('%a', '%i', '%j')}\n${sum('%b', '%i', '%j')}`, '[%a, 0] [2, 4] [1, 1]', '[%b, 0] [2, 4] [1, 1]'],
    [
      'at the same map of the same map',
      `${half('%a', '%i')}\n${half('%b', '%i')}\n${sum('%c', '%a', '%c1')}\n${sum('%d', '%b', '%one')}`,
      '[%c, 0] [2, 4] [1, 1]',
      '[%d, 0] [2, 4] [1, 1]',
    ],
  ])('%s', (_, definitions, taken, given) => {
    const { allocations, copies, diagnostics } = putBack(definitions, taken, given, 'tensor<2x4xf32>');
    expect(diagnostics).toBe('');
    expect({ allocations, copies }).toEqual({ allocations: 0, copies: 0 });
  }); // prettier-ignore
});

describe('two slices may differ', () => {
  it.each([
    ['at other numbers', '', '[1, 2] [2, 4] [1, 1]', '[1, 3] [2, 4] [1, 1]'],
    ['at other values', '', '[%i, 0] [2, 4] [1, 1]', '[%j, 0] [2, 4] [1, 1]'],
    ['at a number and another constant', '', '[1, 0] [2, 4] [1, 1]', '[%c2, 0] [2, 4] [1, 1]'],
    ['at a number and a value', '', '[1, 0] [2, 4] [1, 1]', '[%i, 0] [2, 4] [1, 1]'],
    ['at a value and a number', '', '[%i, 0] [2, 4] [1, 1]', '[1, 0] [2, 4] [1, 1]'],
    ['at other constants', '', '[%c1, 0] [2, 4] [1, 1]', '[%c2, 0] [2, 4] [1, 1]'],
    ['of other strides', '', '[0, 0] [2, 4] [1, 2]', '[0, 0] [2, 4] [1, 1]'],
    ['at a map and its argument', half('%a', '%i'), '[%a, 0] [2, 4] [1, 1]', '[%i, 0] [2, 4] [1, 1]'],
    ['at an argument and a map of it', half('%a', '%i'), '[%i, 0] [2, 4] [1, 1]', '[%a, 0] [2, 4] [1, 1]'],
    ['at another map', `${half('%a', '%i')}\n${half('%b', '%i', 3)}`, '[%a, 0] [2, 4] [1, 1]', '[%b, 0] [2, 4] [1, 1]'],
    ['at the map of another value', `${half('%a', '%i')}\n${half('%b', '%j')}`, '[%a, 0] [2, 4] [1, 1]', '[%b, 0] [2, 4] [1, 1]'],
    ['at a map of two exchanged', `${sum('%a', '%i', '%j')}\n${sum('%b', '%j', '%i')}`, '[%a, 0] [2, 4] [1, 1]', '[%b, 0] [2, 4] [1, 1]'],
    ['at a map of two of which one is another', `${sum('%a', '%i', '%j')}\n${sum('%b', '%i', '%i')}`, '[%a, 0] [2, 4] [1, 1]', '[%b, 0] [2, 4] [1, 1]'],
    [
      'computed otherwise',
      '%a = arith.addi %i, %j : index\n%b = arith.addi %i, %j : index',
      '[%a, 0] [2, 4] [1, 1]',
      '[%b, 0] [2, 4] [1, 1]',
    ],
  ])('%s', (_, definitions, taken, given) => {
    const { allocations, diagnostics } = putBack(definitions, taken, given, 'tensor<2x4xf32>');
    expect(diagnostics).toBe('');
    expect(allocations).toBe(1);
  }); // prettier-ignore
});
