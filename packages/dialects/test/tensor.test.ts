import { describe, expect, it } from 'vitest';
import { dialectAttribute, DYNAMIC, f32, indexType, integerAttribute, tensorType } from '@sconv/ir';
import {
  collapseShape,
  dim,
  expandShape,
  extractSlice,
  inferCollapsedType,
  inferExtractSliceType,
  inferPackedType,
  insertSlice,
  mixedSlice,
  sliceArguments,
  sliceOperands,
} from '../src/tensor.ts';
import { errorsOf, findOperation, inFunction, reprint } from './support.ts';

const values =
  '%arg0: tensor<4x8xf32>, %arg1: tensor<?x8xf32>, %arg2: index, %arg3: f32, %arg4: tensor<1x4x2x4xf32>, %arg5: tensor<2x3xf32>, %arg6: tensor<2x4x2x2xf32>';

describe('text', () => {
  it.each([
    '%0 = tensor.empty() : tensor<4x8xf32>',
    '%0 = tensor.empty(%arg2) : tensor<?x8xf32>',
    '%extracted = tensor.extract %arg0[%arg2, %arg2] : tensor<4x8xf32>',
    '%inserted = tensor.insert %arg3 into %arg0[%arg2, %arg2] : tensor<4x8xf32>',
    '%extracted_slice = tensor.extract_slice %arg0[0, %arg2] [2, 3] [1, 1] : tensor<4x8xf32> to tensor<2x3xf32>',
    '%extracted_slice = tensor.extract_slice %arg0[%arg2, 0] [1, %arg2] [1, 2] : tensor<4x8xf32> to tensor<?xf32>',
    '%inserted_slice = tensor.insert_slice %arg5 into %arg0[%arg2, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x8xf32>',
    '%collapsed = tensor.collapse_shape %arg4 [[0, 1], [2, 3]] : tensor<1x4x2x4xf32> into tensor<4x8xf32>',
    '%expanded = tensor.expand_shape %arg0 [[0, 1], [2, 3]] output_shape [1, 4, 2, 4] : tensor<4x8xf32> into tensor<1x4x2x4xf32>',
    '%expanded = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [%arg2, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>',
    '%dim = tensor.dim %arg1, %arg2 : tensor<?x8xf32>',
    '%rank = tensor.rank %arg1 : tensor<?x8xf32>',
    '%cast = tensor.cast %arg0 : tensor<4x8xf32> to tensor<?x8xf32>',
    '%splat = tensor.splat %arg3 : tensor<4xf32>',
    '%from_elements = tensor.from_elements %arg3, %arg3 : tensor<2xf32>',
    '%concat = tensor.concat dim(0) %arg0, %arg1 : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>',
    '%pack = tensor.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg6 : tensor<4x8xf32> -> tensor<2x4x2x2xf32>',
    '%unpack = tensor.unpack %arg6 outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg0 : tensor<2x4x2x2xf32> -> tensor<4x8xf32>',
    `%padded = tensor.pad %arg0 nofold low[0, %arg2] high[1, 0] {
^bb0(%arg7: index, %arg8: index):
  tensor.yield %arg3 : f32
} : tensor<4x8xf32> to tensor<5x?xf32>`,
    `%generated = tensor.generate %arg2 {
^bb0(%arg7: index):
  tensor.yield %arg3 : f32
} : tensor<?xf32>`,
  ])('%s', (line) => {
    const text = inFunction(values, line);
    expect(reprint(text)).toBe(text);
  });
});

describe('verifier', () => {
  it.each([
    [
      'tensor.extract_slice %arg0[0, 0] [2, 3] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>',
      "expected type to be 'tensor<2x3xf32>' or a rank-reduced version. (size mismatch)",
    ],
    [
      'tensor.extract_slice %arg0[0] [2] [1] : tensor<4x8xf32> to tensor<2xf32>',
      'expected 2 offset values, got 1',
    ],
    [
      'tensor.extract_slice %arg0[0, 0] [2, 3] [1, 1] : tensor<4x8xf32> to tensor<2x3xi32>',
      "expected element type to be 'f32'",
    ],
    [
      'tensor.insert_slice %arg5 into %arg0[0, 0] [2, 4] [1, 1] : tensor<2x3xf32> into tensor<4x8xf32>',
      "expected type to be 'tensor<2x4xf32>' or a rank-reduced version. (size mismatch)",
    ],
    [
      'tensor.collapse_shape %arg0 [[0, 1]] : tensor<4x8xf32> into tensor<31xf32>',
      'expected dimension 0 of collapsed type to be static value of 32',
    ],
    [
      'tensor.collapse_shape %arg4 [[0, 2], [1, 3]] : tensor<1x4x2x4xf32> into tensor<2x16xf32>',
      'expected reassociation map #0 to be valid and contiguous',
    ],
    ['tensor.extract %arg0[%arg2] : tensor<4x8xf32>', 'incorrect number of indices for extract_element'],
    ['tensor.empty() : tensor<?xf32>', 'incorrect number of dynamic sizes, has 0, expected 1'],
    ['tensor.cast %arg0 : tensor<4x8xf32> to tensor<4x9xf32>', 'are cast incompatible'],
  ])('%s', (line, message) => {
    expect(errorsOf(inFunction(values, `%0 = ${line}`)).join('\n')).toContain(message);
  });

  it.each([
    [
      'tensor.pad %t low[1] high[1] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<4xf32> to tensor<6xf32>',
      '%t: tensor<4xf32>, %x: f32',
      'expected the block to have 1 arguments',
    ],
    [
      'tensor.pad %t low[1] high[1] { ^bb0(%i: i32): tensor.yield %x : f32 } : tensor<4xf32> to tensor<6xf32>',
      '%t: tensor<4xf32>, %x: f32',
      'expected block argument 1 to be an index',
    ],
    ['tensor.from_elements %x, %x : tensor<3xf32>', '%x: f32', '2 operands present, but expected 3'],
    [
      'tensor.generate { ^bb0(%k: index, %l: index): tensor.yield %x : f32 } : tensor<4xf32>',
      '%x: f32',
      'must have one body argument per input dimension',
    ],
    [
      'tensor.generate { ^bb0(%k: i32): tensor.yield %x : f32 } : tensor<4xf32>',
      '%x: f32',
      'all body arguments must be index',
    ],
  ])('%s', (line, parameters, message) => {
    expect(errorsOf(inFunction(parameters, `%0 = ${line}`)).join('\n')).toContain(message);
  });
});

describe('packing', () => {
  const packed = '%p: tensor<2x2x8x4xf32>, %t: tensor<16x8xf32>, %u: tensor<15x8xf32>, %x: f32';
  it.each([
    [
      'tensor.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %p : tensor<16x8xf32> -> tensor<2x2x8x4xf32>',
      undefined,
    ],
    [
      'tensor.pack %u padding_value(%x : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %p : tensor<15x8xf32> -> tensor<2x2x8x4xf32>',
      undefined,
    ],
    [
      'tensor.pack %u inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %p : tensor<15x8xf32> -> tensor<2x2x8x4xf32>',
      'Only full tiles are supported when padding_value is not set',
    ],
    [
      'tensor.pack %t inner_dims_pos = [0, 0] inner_tiles = [8, 4] into %p : tensor<16x8xf32> -> tensor<2x2x8x4xf32>',
      'invalid inner_dims_pos vector',
    ],
    [
      'tensor.pack %t inner_dims_pos = [0] inner_tiles = [8, 4] into %p : tensor<16x8xf32> -> tensor<2x2x8x4xf32>',
      'tiling factors must equal the number of dimensions to tile',
    ],
    [
      'tensor.pack %t inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %p : tensor<16x8xf32> -> tensor<2x2x8x4xf32>',
      "Expected at least 'tensor<4x1x8x4xf32>', got 'tensor<2x2x8x4xf32>'",
    ],
    [
      'tensor.unpack %p outer_dims_perm = [1, 1] inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %t : tensor<2x2x8x4xf32> -> tensor<16x8xf32>',
      'invalid outer_dims_perm vector',
    ],
  ])('%s', (line, message) => {
    const errors = errorsOf(inFunction(packed, `%0 = ${line}`));
    if (message === undefined) expect(errors).toEqual([]);
    else expect(errors.join('\n')).toContain(message);
  });

  it('infers the packed type', () => {
    const source = tensorType([17, 8, DYNAMIC], f32);
    expect(inferPackedType(source, [8, 4], [0, 1])).toEqual(tensorType([3, 2, DYNAMIC, 8, 4], f32));
    expect(inferPackedType(source, [8], [0], [2, 0, 1])).toEqual(tensorType([DYNAMIC, 3, 8, 8], f32));
  });
});

describe('slices', () => {
  const text = inFunction(
    values,
    '%0 = tensor.extract_slice %arg0[%arg2, 1] [2, %arg2] [1, 3] : tensor<4x8xf32> to tensor<2x?xf32>',
  );

  it('are read as numbers and values', () => {
    const slice = mixedSlice(findOperation(text, 'tensor.extract_slice'));
    expect(slice.offsets[1]).toBe(1);
    expect(slice.sizes[0]).toBe(2);
    expect(slice.strides).toEqual([1, 3]);
    expect(slice.offsets[0]).toEqual(slice.sizes[1]);
    expect(slice.offsets[0]).toMatchObject({ type: indexType });
  });

  it('are taken apart and put together again', () => {
    const operation = findOperation(text, 'tensor.extract_slice');
    const slice = mixedSlice(operation);
    expect(sliceOperands(slice.offsets)).toEqual({ dynamic: [slice.offsets[0]], static: [DYNAMIC, 1] });
    const { operands, attributes } = sliceArguments(slice);
    const state = extractSlice.state({
      operands: { source: operation.operands[0]!, ...operands },
      attributes,
    });
    expect(state.resultTypes).toEqual([tensorType([2, DYNAMIC], f32)]);
    expect(state.attributes).toEqual(operation.attributes);
    expect(state.operands).toEqual(operation.operands);
  });

  it('drop leading unit dimensions', () => {
    const source = tensorType([4, 8, 2], f32);
    expect(inferExtractSliceType(source, [1, 8, 1])).toEqual(tensorType([1, 8, 1], f32));
    expect(inferExtractSliceType(source, [1, 8, 1], 2)).toEqual(tensorType([8, 1], f32));
    expect(() => inferExtractSliceType(source, [2, 8, 1], 1)).toThrow(/cannot drop 2 unit dimensions/);
  });
});

describe('reshapes', () => {
  it('infer the collapsed type', () => {
    expect(inferCollapsedType(tensorType([1, 4, 8], f32), [[0], [1, 2]])).toEqual(tensorType([1, 32], f32));
    expect(inferCollapsedType(tensorType([DYNAMIC, 0], f32), [[0, 1]])).toEqual(tensorType([DYNAMIC], f32));
  });
});

describe('fold', () => {
  it('a slice of the whole is the whole', () => {
    const operation = findOperation(
      inFunction(
        values,
        '%0 = tensor.extract_slice %arg0[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> to tensor<4x8xf32>',
      ),
      'tensor.extract_slice',
    );
    expect(extractSlice.fold?.(operation, [], () => undefined)).toEqual([operation.operands[0]]);
  });

  it('a slice of another place is not', () => {
    const text =
      '%0 = tensor.extract_slice %arg1[%arg2, 0] [4, 8] [1, 1] : tensor<?x8xf32> to tensor<4x8xf32>';
    const operation = findOperation(inFunction(values, text), 'tensor.extract_slice');
    expect(extractSlice.fold?.(operation, [], () => undefined)).toBeUndefined();
  });

  it('overwriting the whole gives what is written', () => {
    const text =
      '%0 = tensor.insert_slice %arg0 into %arg0[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x8xf32>';
    const operation = findOperation(inFunction(values, text), 'tensor.insert_slice');
    expect(insertSlice.fold?.(operation, [], () => undefined)).toEqual([operation.operands[0]]);
  });

  it('a static size is a constant, a dynamic one is not', () => {
    const operation = findOperation(
      inFunction(values, '%0 = tensor.dim %arg1, %arg2 : tensor<?x8xf32>'),
      'tensor.dim',
    );
    const at = (i: number) =>
      dim.fold?.(operation, [undefined, integerAttribute(i, indexType)], () => undefined);
    expect(at(0)).toBeUndefined();
    expect(at(1)).toEqual([integerAttribute(8, indexType)]);
    expect(at(2)).toBeUndefined();
  });

  it('a reshape to the same type is none', () => {
    const collapse = findOperation(
      inFunction(
        values,
        '%0 = tensor.collapse_shape %arg0 [[0], [1]] : tensor<4x8xf32> into tensor<4x8xf32>',
      ),
      'tensor.collapse_shape',
    );
    expect(collapseShape.fold?.(collapse, [], () => undefined)).toEqual([collapse.operands[0]]);
    const expand = findOperation(
      inFunction(
        values,
        '%0 = tensor.expand_shape %arg0 [[0, 1], [2, 3]] output_shape [1, 4, 2, 4] : tensor<4x8xf32> into tensor<1x4x2x4xf32>',
      ),
      'tensor.expand_shape',
    );
    expect(expandShape.fold?.(expand, [], () => undefined)).toBeUndefined();
  });
});

it('keeps the encoding of a tensor', () => {
  const encoding = dialectAttribute('test', 'layout');
  expect(inferExtractSliceType(tensorType([4], f32, encoding), [2]).encoding).toBe(encoding);
});

describe('integers that a number does not hold exactly', () => {
  const inexact = '9007199254740993 is outside the integers that a number holds exactly (2^53)';

  it.each([
    [
      'tensor.extract_slice %arg0[9007199254740993, 0] [1, 1] [1, 1] : tensor<4x8xf32> to tensor<1x1xf32>',
      inexact,
    ],
    [
      'tensor.extract_slice %arg0[0, 0] [1, -9223372036854775807] [1, 1] : tensor<4x8xf32> to tensor<1x1xf32>',
      '9223372036854775807 is outside the integers that a number holds exactly (2^53)',
    ],
    [
      '"tensor.extract_slice"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 9007199254740993>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<1x1xf32>',
      `'tensor.extract_slice' op attribute 'static_offsets' failed to satisfy constraint: i64 dense array attribute; ${inexact}`,
    ],
    [
      'tensor.concat dim(9007199254740993) %arg0 : (tensor<4x8xf32>) -> tensor<4x8xf32>',
      `'tensor.concat' op attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute; ${inexact}`,
    ],
  ])('%s is refused', (line, message) => {
    expect(errorsOf(inFunction('%arg0: tensor<4x8xf32>', `%0 = ${line}`))).toEqual([message]);
  });

  it('are carried where nothing computes with them', () => {
    const text = `module {
  func.func @f() attributes {a = array<i64: 9007199254740993, -9223372036854775808, 9223372036854775807>, b = 9007199254740993 : i64, c = dense<9223372036854775807> : tensor<2xi64>} {
    return
  }
}
`;
    expect(reprint(text)).toBe(text);
  });
});
