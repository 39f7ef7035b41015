import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { edit } from '@sconv/ir';
import { mixedSlice, sameIndex, sameSlice } from '../src/index.ts';
import { parse, registry } from './support.ts';

/** Whether two slices of a tensor are the same, and whether their first offsets are. */
const compare = (definitions: string, first: string, second: string): readonly boolean[] => {
  const module = unwrap(
    parse(`func.func @f(%t: tensor<8xf32>, %i: index, %j: index) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : index
  ${definitions}
  %a = tensor.extract_slice %t${first} : tensor<8xf32> to tensor<2xf32>
  %b = tensor.extract_slice %t${second} : tensor<8xf32> to tensor<2xf32>
  return
}`),
  );
  return edit(module, { registry }, (rewriter) => {
    const operations = rewriter.walk(rewriter.root).filter(({ name }) => name === 'tensor.extract_slice');
    const [a, b] = operations.map((each) => mixedSlice(each));
    return [sameSlice(rewriter, a!, b!), sameIndex(rewriter, a!.offsets[0]!, b!.offsets[0]!)];
  }).results;
};

const half = (name: string, of: string, by = 2): string =>
  `%${name} = affine.apply affine_map<(d0) -> (d0 floordiv ${by})>(%${of})\n`;

it.each([
  ['a number', '', '[1] [2] [1]', '[1] [2] [1]', true, true],
  ['a number and a constant', '', '[1] [2] [1]', '[%c1] [2] [1]', true, true],
  ['two constants', '', '[%c1] [2] [1]', '[%one] [2] [1]', true, true],
  ['one value', '', '[%i] [2] [1]', '[%i] [2] [1]', true, true],
  ['one map of one value', half('x', 'i') + half('y', 'i'), '[%x] [2] [1]', '[%y] [2] [1]', true, true],
  ['two numbers', '', '[1] [2] [1]', '[2] [2] [1]', false, false],
  ['two values', '', '[%i] [2] [1]', '[%j] [2] [1]', false, false],
  ['two maps', half('x', 'i') + half('y', 'i', 3), '[%x] [2] [1]', '[%y] [2] [1]', false, false],
  ['one map of two values', half('x', 'i') + half('y', 'j'), '[%x] [2] [1]', '[%y] [2] [1]', false, false],
  ['one offset, two strides', '', '[%i] [2] [1]', '[%i] [2] [2]', false, true],
])('%s', (_, definitions, first, second, slices, offsets) => {
  expect(compare(definitions, first, second)).toEqual([slices, offsets]);
});
