/** Propagation of unpackings through insertions into an empty tensor, along whole tiles, and what stays. */
import { stays, testPatterns } from './support/rows.ts';

const tiles = 'tensor<4x6x2xf32>';
const rows = (count: number): string => `tensor<${count}x6xf32>`;

const unpacked = (name: string, source: string): string => `
    %e${name} = tensor.empty() : ${rows(8)}
    %${name} = tensor.unpack ${source} inner_dims_pos = [0] inner_tiles = [2] into %e${name}
      : ${tiles} -> ${rows(8)}`;

/** Insertions of these values at these rows into an empty tensor of so many rows. */
const inserted = (count: number, parts: readonly (readonly [value: string, at: number])[]): string => {
  const insertions = parts.map(([value, at], i) => {
    const result = i === parts.length - 1 ? '%r' : `%w${i + 1}`;
    return `
    ${result} = tensor.insert_slice ${value} into %w${i}[${at}, 0] [8, 6] [1, 1]
      : ${rows(8)} into ${rows(count)}`;
  });
  return `
    %w0 = tensor.empty() : ${rows(count)}${insertions.join('')}`;
};

testPatterns('linalg.further_data_layout_propagation', [
  [
    'insertions of whole tiles',
    `(%a: ${tiles}, %b: ${tiles}) -> ${rows(16)}`,
    `${unpacked('0', '%a')}${unpacked('1', '%b')}${inserted(16, [
      ['%0', 0],
      ['%1', 8],
    ])}`,
    '2 tensor.empty, 2 tensor.insert_slice, tensor.unpack',
    '[4, 0, 0] [4, 6, 2] [1, 1, 1]',
  ],
  [
    'insertions across tiles',
    `(%a: ${tiles}) -> ${rows(10)}`,
    `${unpacked('0', '%a')}${inserted(10, [
      ['%0', 0],
      ['%0', 1],
      ['%0', 2],
    ])}`,
    stays,
  ],
  [
    'an insertion beside one that is not unpacked',
    `(%a: ${tiles}, %b: ${rows(8)}) -> ${rows(16)}`,
    `${unpacked('0', '%a')}${inserted(16, [
      ['%0', 0],
      ['%b', 8],
    ])}`,
    stays,
  ],
  [
    'an insertion into what is there',
    `(%a: ${tiles}, %d: ${rows(16)}) -> ${rows(16)}`,
    `${unpacked('0', '%a')}
    %r = tensor.insert_slice %0 into %d[0, 0] [8, 6] [1, 1] : ${rows(8)} into ${rows(16)}`,
    stays,
  ],
]);
