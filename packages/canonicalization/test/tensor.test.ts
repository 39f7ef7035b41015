/** Canonicalization of tensors. */
import { unwrap } from '@sconv/diagnostics';
import { parseModule, printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { canonicalize } from '../src/index.ts';
import type { Row } from './support/table.ts';
import { registry, testRows } from './support/table.ts';

const rows: readonly Row[] = [
  {
    name: 'a cast of a cast that checks nothing else',
    arguments: '%t: tensor<4x?xf32>',
    results: 'tensor<4x4xf32>',
    before: `
      %0 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
      %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x4xf32>
      return %1 : tensor<4x4xf32>`,
    after: `
      %cast = tensor.cast %arg0 : tensor<4x?xf32> to tensor<4x4xf32>
      return %cast : tensor<4x4xf32>`,
  },
  {
    name: 'casts that check different sizes stay',
    arguments: '%t: tensor<?x?xf32>',
    results: 'tensor<?x4xf32>',
    before: `
      %0 = tensor.cast %t : tensor<?x?xf32> to tensor<4x?xf32>
      %1 = tensor.cast %0 : tensor<4x?xf32> to tensor<?x4xf32>
      return %1 : tensor<?x4xf32>`,
    after: `
      %cast = tensor.cast %arg0 : tensor<?x?xf32> to tensor<4x?xf32>
      %cast_0 = tensor.cast %cast : tensor<4x?xf32> to tensor<?x4xf32>
      return %cast_0 : tensor<?x4xf32>`,
  },
  {
    name: 'a packing reads what is cast',
    arguments: '%t: tensor<5x?xf32>, %d: tensor<2x2x3x2xf32>, %v: f32',
    results: 'tensor<2x2x3x2xf32>',
    before: `
      %0 = tensor.cast %t : tensor<5x?xf32> to tensor<?x?xf32>
      %1 = tensor.pack %0 padding_value(%v : f32) inner_dims_pos = [0, 1] inner_tiles = [3, 2] into %d : tensor<?x?xf32> -> tensor<2x2x3x2xf32>
      return %1 : tensor<2x2x3x2xf32>`,
    after: `
      %pack = tensor.pack %arg0 padding_value(%arg2 : f32) inner_dims_pos = [0, 1] inner_tiles = [3, 2] into %arg1 : tensor<5x?xf32> -> tensor<2x2x3x2xf32>
      return %pack : tensor<2x2x3x2xf32>`,
  },
  {
    name: 'what is written under a mask keeps its type',
    arguments: '%t: tensor<7xf32>, %v: vector<7xf32>, %k: vector<7xi1>',
    results: 'tensor<?xf32>',
    before: `
      %c0 = arith.constant 0 : index
      %0 = tensor.cast %t : tensor<7xf32> to tensor<?xf32>
      %1 = vector.mask %k { vector.transfer_write %v, %0[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<?xf32> } : vector<7xi1> -> tensor<?xf32>
      return %1 : tensor<?xf32>`,
    after: `
      %c0 = arith.constant 0 : index
      %cast = tensor.cast %arg0 : tensor<7xf32> to tensor<?xf32>
      %0 = vector.mask %arg2 { vector.transfer_write %arg1, %cast[%c0] {in_bounds = [true]} : vector<7xf32>, tensor<?xf32> } : vector<7xi1> -> tensor<?xf32>
      return %0 : tensor<?xf32>`,
  },
  {
    name: 'inner tiles keep the sizes that the op gives for them',
    arguments: '%t: tensor<4xf32>, %d: tensor<1x4xf32>, %n: index',
    results: 'tensor<?x?xf32>',
    before: `
      %0 = tensor.cast %d : tensor<1x4xf32> to tensor<?x?xf32>
      %1 = tensor.unpack %0 inner_dims_pos = [0] inner_tiles = [%n] into %t : tensor<?x?xf32> -> tensor<4xf32>
      %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
      %3 = tensor.cast %2 : tensor<2x2xf32> to tensor<?x?xf32>
      return %3 : tensor<?x?xf32>`,
    after: `
      %cast = tensor.cast %arg1 : tensor<1x4xf32> to tensor<?x?xf32>
      %unpack = tensor.unpack %cast inner_dims_pos = [0] inner_tiles = [%arg2] into %arg0 : tensor<?x?xf32> -> tensor<4xf32>
      %expanded = tensor.expand_shape %unpack [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
      %cast_0 = tensor.cast %expanded : tensor<2x2xf32> to tensor<?x?xf32>
      return %cast_0 : tensor<?x?xf32>`,
  },
  {
    name: 'a slice by constants has a static type',
    arguments: '%t: tensor<?x?xf32>, %n: index',
    results: 'tensor<?x?xf32>',
    before: `
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %0 = tensor.extract_slice %t[%c1, %n] [%c4, %n] [%c1, %c1] : tensor<?x?xf32> to tensor<?x?xf32>
      return %0 : tensor<?x?xf32>`,
    after: `
      %extracted_slice = tensor.extract_slice %arg0[1, %arg1] [4, %arg1] [1, 1] : tensor<?x?xf32> to tensor<4x?xf32>
      %cast = tensor.cast %extracted_slice : tensor<4x?xf32> to tensor<?x?xf32>
      return %cast : tensor<?x?xf32>`,
    isNotExecuted: true,
  },
  {
    name: 'a slice that was just inserted',
    arguments: '%t: tensor<8xf32>, %s: tensor<3xf32>, %i: index',
    results: 'tensor<3xf32>',
    before: `
      %0 = tensor.insert_slice %s into %t[%i] [3] [1] : tensor<3xf32> into tensor<8xf32>
      %1 = tensor.extract_slice %0[%i] [3] [1] : tensor<8xf32> to tensor<3xf32>
      return %1 : tensor<3xf32>`,
    after: `
      return %arg1 : tensor<3xf32>`,
  },
  {
    name: 'an insertion that is overwritten',
    arguments: '%t: tensor<8xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>',
    results: 'tensor<8xf32>',
    before: `
      %0 = tensor.insert_slice %a into %t[2] [3] [1] : tensor<3xf32> into tensor<8xf32>
      %1 = tensor.insert_slice %b into %0[2] [3] [1] : tensor<3xf32> into tensor<8xf32>
      return %1 : tensor<8xf32>`,
    after: `
      %inserted_slice = tensor.insert_slice %arg2 into %arg0[2] [3] [1] : tensor<3xf32> into tensor<8xf32>
      return %inserted_slice : tensor<8xf32>`,
  },
  {
    name: 'elements of what was made from elements',
    arguments: '%a: f32, %b: f32',
    results: 'f32',
    before: `
      %c1 = arith.constant 1 : index
      %0 = tensor.from_elements %a, %b : tensor<2xf32>
      %1 = tensor.extract %0[%c1] : tensor<2xf32>
      return %1 : f32`,
    after: `
      return %arg1 : f32`,
  },
  {
    name: 'no element outside',
    arguments: '%a: f32',
    results: 'f32',
    before: `
      %c7 = arith.constant 7 : index
      %0 = tensor.from_elements %a : tensor<1xf32>
      %1 = tensor.extract %0[%c7] : tensor<1xf32>
      return %1 : f32`,
    after: `
      %c7 = arith.constant 7 : index
      %from_elements = tensor.from_elements %arg0 : tensor<1xf32>
      %extracted = tensor.extract %from_elements[%c7] : tensor<1xf32>
      return %extracted : f32`,
    isNotExecuted: true,
  },
  {
    name: 'an element of a generated tensor',
    arguments: '%i: index, %n: index',
    results: 'index',
    before: `
      %0 = tensor.generate %n {
      ^bb0(%j: index):
        %1 = arith.muli %j, %n : index
        tensor.yield %1 : index
      } : tensor<?xindex>
      %2 = tensor.extract %0[%i] : tensor<?xindex>
      return %2 : index`,
    after: `
      %0 = arith.muli %arg0, %arg1 : index
      return %0 : index`,
  },
  {
    name: 'the size of what an operation writes into',
    arguments: '%x: f32, %t: tensor<?x4xf32>',
    results: 'index',
    before: `
      %c0 = arith.constant 0 : index
      %0 = linalg.fill ins(%x : f32) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
      %1 = tensor.dim %0, %c0 : tensor<?x4xf32>
      return %1 : index`,
    after: `
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %arg1, %c0 : tensor<?x4xf32>
      return %dim : index`,
  },
  {
    name: 'expanded and collapsed again',
    arguments: '%t: tensor<12xf32>',
    results: 'tensor<6x2xf32>',
    before: `
      %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [2, 3, 2] : tensor<12xf32> into tensor<2x3x2xf32>
      %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x2xf32> into tensor<6x2xf32>
      return %1 : tensor<6x2xf32>`,
    after: `
      %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [6, 2] : tensor<12xf32> into tensor<6x2xf32>
      return %expanded : tensor<6x2xf32>`,
  },
  {
    name: 'collapsed and expanded across',
    arguments: '%t: tensor<2x3x4xf32>',
    results: '(tensor<6x4xf32>, tensor<4x6xf32>)',
    before: `
      %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x3x4xf32> into tensor<24xf32>
      %1 = tensor.expand_shape %0 [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
      %2 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
      return %1, %2 : tensor<6x4xf32>, tensor<4x6xf32>`,
    after: `
      %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<2x3x4xf32> into tensor<24xf32>
      %collapsed_0 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
      %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
      return %collapsed_0, %expanded : tensor<6x4xf32>, tensor<4x6xf32>`,
  },
  {
    name: 'a reshape of a constant',
    arguments: '',
    results: 'tensor<2x2xi32>',
    before: `
      %cst = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
      %0 = tensor.expand_shape %cst [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
      return %0 : tensor<2x2xi32>`,
    after: `
      %cst = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
      return %cst : tensor<2x2xi32>`,
  },
  {
    name: 'no margin',
    arguments: '%t: tensor<4xf32>, %x: f32',
    results: 'tensor<?xf32>',
    before: `
      %c0 = arith.constant 0 : index
      %0 = tensor.pad %t low[%c0] high[0] {
      ^bb0(%i: index):
        tensor.yield %x : f32
      } : tensor<4xf32> to tensor<?xf32>
      return %0 : tensor<?xf32>`,
    after: `
      %cast = tensor.cast %arg0 : tensor<4xf32> to tensor<?xf32>
      return %cast : tensor<?xf32>`,
  },
  {
    name: 'a margin of constants',
    arguments: '%t: tensor<4xf32>, %x: f32',
    results: 'tensor<?xf32>',
    before: `
      %c2 = arith.constant 2 : index
      %0 = tensor.pad %t low[%c2] high[1] {
      ^bb0(%i: index):
        tensor.yield %x : f32
      } : tensor<4xf32> to tensor<?xf32>
      return %0 : tensor<?xf32>`,
    after: `
      %padded = tensor.pad %arg0 low[2] high[1] {
      ^bb0(%arg2: index):
        tensor.yield %arg1 : f32
      } : tensor<4xf32> to tensor<7xf32>
      %cast = tensor.cast %padded : tensor<7xf32> to tensor<?xf32>
      return %cast : tensor<?xf32>`,
  },
  {
    name: 'whole tiles of padding keep their value',
    arguments: '%t: tensor<6xf32>, %v: f32',
    results: '(tensor<3x3xf32>, tensor<2x3xf32>)',
    before: `
      %e = tensor.empty() : tensor<3x3xf32>
      %0 = tensor.pack %t padding_value(%v : f32) inner_dims_pos = [0] inner_tiles = [3] into %e : tensor<6xf32> -> tensor<3x3xf32>
      %f = tensor.empty() : tensor<2x3xf32>
      %1 = tensor.pack %t padding_value(%v : f32) inner_dims_pos = [0] inner_tiles = [3] into %f : tensor<6xf32> -> tensor<2x3xf32>
      return %0, %1 : tensor<3x3xf32>, tensor<2x3xf32>`,
    after: `
      %0 = tensor.empty() : tensor<3x3xf32>
      %pack = tensor.pack %arg0 padding_value(%arg1 : f32) inner_dims_pos = [0] inner_tiles = [3] into %0 : tensor<6xf32> -> tensor<3x3xf32>
      %1 = tensor.empty() : tensor<2x3xf32>
      %pack_0 = tensor.pack %arg0 inner_dims_pos = [0] inner_tiles = [3] into %1 : tensor<6xf32> -> tensor<2x3xf32>
      return %pack, %pack_0 : tensor<3x3xf32>, tensor<2x3xf32>`,
  },
  {
    name: 'unpacked and packed again',
    arguments: '%t: tensor<2x4xf32>',
    results: 'tensor<2x4xf32>',
    before: `
      %e = tensor.empty() : tensor<8xf32>
      %0 = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<2x4xf32> -> tensor<8xf32>
      %f = tensor.empty() : tensor<2x4xf32>
      %1 = tensor.pack %0 inner_dims_pos = [0] inner_tiles = [4] into %f : tensor<8xf32> -> tensor<2x4xf32>
      return %1 : tensor<2x4xf32>`,
    after: `
      return %arg0 : tensor<2x4xf32>`,
    isNotExecuted: true,
  },
];

testRows('tensor', canonicalize(), rows);

const canonical = (body: string): string => {
  const after = unwrap(canonicalize().run(unwrap(parseModule(body, { registry })), { registry }));
  const text = printModule(after, { registry, localScope: true });
  // What is printed is read back as it is.
  expect(printModule(unwrap(parseModule(text, { registry })), { registry, localScope: true })).toBe(text);
  return text;
};

describe.each([
  ['f16', '0x7E01', '0x7C01'],
  ['bf16', '0x7FC1', '0xFFC0'],
  ['f32', '0x7F800001', '0xFFC00000'],
  ['f64', '0x7FF0000000000001', '0xFFF8000000000000'],
])('the bits of NaNs in %s, %s and %s, stay', (type, first, second) => {
  it.each([
    ['elements', 'tensor.from_elements %a, %b', 2, `[${first}, ${second}]`],
    ['equal elements', 'tensor.from_elements %a, %a', 2, first],
    ['a splat', 'tensor.splat %a', 3, first],
  ])('in a constant of %s', (_, made, size, elements) => {
    const text = canonical(`func.func @f() -> tensor<${size}x${type}> {
      %a = arith.constant ${first} : ${type}
      %b = arith.constant ${second} : ${type}
      %0 = ${made} : tensor<${size}x${type}>
      return %0 : tensor<${size}x${type}>
    }`);
    expect(text).toContain(`arith.constant dense<${elements}> : tensor<${size}x${type}>`);
    expect(text).not.toContain('tensor.');
  });

  it.each([
    ['tensor', 'tensor.extract %t[%c1]'],
    ['vector', 'vector.extractelement %t[%c1 : index]'],
    ['vector', 'vector.extract %t[1]'],
  ])('in an element of a constant %s: %s', (kind, taken) => {
    const operand = `${kind}<2x${type}>`;
    const typed = taken.includes('extract %t[1]') ? `${type} from ${operand}` : operand;
    const text = canonical(`func.func @f() -> ${type} {
      %c1 = arith.constant 1 : index
      %t = arith.constant dense<[${first}, ${second}]> : ${operand}
      %0 = ${taken} : ${typed}
      return %0 : ${type}
    }`);
    expect(text).toMatch(new RegExp(`arith.constant ${second} : ${type}|dense<.${first}, ${second}.>`));
  });

  it('in a reshaped and a cut constant', () => {
    const text = canonical(`func.func @f() -> (tensor<2x2x${type}>, tensor<3x${type}>) {
      %t = arith.constant dense<[${first}, ${second}, ${first}, ${second}]> : tensor<4x${type}>
      %0 = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4x${type}> into tensor<2x2x${type}>
      %s = arith.constant dense<${second}> : tensor<7x${type}>
      %1 = tensor.extract_slice %s[2] [3] [1] : tensor<7x${type}> to tensor<3x${type}>
      return %0, %1 : tensor<2x2x${type}>, tensor<3x${type}>
    }`);
    expect(text).toContain(`dense<[[${first}, ${second}], [${first}, ${second}]]> : tensor<2x2x${type}>`);
    expect(text).toContain(`dense<${second}> : tensor<3x${type}>`);
  });

  it('where arithmetic is not folded', () => {
    const text = canonical(`func.func @f() -> tensor<2x${type}> {
      %t = arith.constant dense<[${first}, ${second}]> : tensor<2x${type}>
      %0 = arith.negf %t : tensor<2x${type}>
      return %0 : tensor<2x${type}>
    }`);
    expect(text).toContain('arith.negf');
  });
});
