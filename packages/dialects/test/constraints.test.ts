import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import type { TypeConstraint } from '@sconv/ir';
import { parseType } from '@sconv/ir';
import * as constraints from '../src/constraints.ts';
import { stridedMemref } from '../src/strided-layout.ts';
import { registry } from './support.ts';

const typeOf = (text: string) => unwrap(parseType(text, { registry }));

const samples = [
  'i1',
  'i8',
  'si8',
  'ui8',
  'index',
  'f32',
  'bf16',
  'none',
  'tuple<f32>',
  'complex<f32>',
  '() -> ()',
  'tensor<f32>',
  'tensor<4xi1>',
  'tensor<4xi8>',
  'tensor<?xindex>',
  'tensor<2x2xsi8>',
  'tensor<?xf32>',
  'tensor<2x3xi32>',
  'tensor<*xf32>',
  'tensor<*xi1>',
  'vector<4xf32>',
  'vector<4xi1>',
  'vector<2xindex>',
  'memref<f32>',
  'memref<4xi8>',
  'memref<4xui8>',
  'memref<?xindex>',
  'memref<2x3xi32>',
  'memref<2x3xf32>',
  'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>',
  'memref<*xi8>',
  'memref<*xf32>',
];

// Each matches its description.
describe('of the samples', () => {
  it.each<[TypeConstraint, readonly string[]]>([
    // integer
    [constraints.anyInteger, ['i1', 'i8', 'si8', 'ui8']],
    // ranked or unranked memref of any type values
    [
      constraints.anyMemref,
      [
        'memref<f32>',
        'memref<4xi8>',
        'memref<4xui8>',
        'memref<?xindex>',
        'memref<2x3xi32>',
        'memref<2x3xf32>',
        'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>',
        'memref<*xi8>',
        'memref<*xf32>',
      ],
    ],
    // shaped of any type values
    [
      constraints.anyShaped,
      [
        'tensor<f32>',
        'tensor<4xi1>',
        'tensor<4xi8>',
        'tensor<?xindex>',
        'tensor<2x2xsi8>',
        'tensor<?xf32>',
        'tensor<2x3xi32>',
        'tensor<*xf32>',
        'tensor<*xi1>',
        'vector<4xf32>',
        'vector<4xi1>',
        'vector<2xindex>',
        'memref<f32>',
        'memref<4xi8>',
        'memref<4xui8>',
        'memref<?xindex>',
        'memref<2x3xi32>',
        'memref<2x3xf32>',
        'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>',
        'memref<*xi8>',
        'memref<*xf32>',
      ],
    ],
    // vector of any type values
    [constraints.anyVector, ['vector<4xf32>', 'vector<4xi1>', 'vector<2xindex>']],
    // signless-integer-or-float-like or memref of signless-integer or float
    [
      constraints.bitcastable,
      [
        'i1',
        'i8',
        'f32',
        'bf16',
        'tensor<f32>',
        'tensor<4xi1>',
        'tensor<4xi8>',
        'tensor<?xf32>',
        'tensor<2x3xi32>',
        'tensor<*xf32>',
        'tensor<*xi1>',
        'vector<4xf32>',
        'vector<4xi1>',
        'memref<f32>',
        'memref<4xi8>',
        'memref<2x3xi32>',
        'memref<2x3xf32>',
        'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>',
      ],
    ],
    // bool-like
    [constraints.boolLike, ['i1', 'tensor<4xi1>', 'tensor<*xi1>', 'vector<4xi1>']],
    // 1D memref of 8-bit signless integer values
    [constraints.byteMemref, ['memref<4xi8>']],
    // signless-fixed-width-integer-like
    [
      constraints.fixedWidthIntegerLike,
      ['i1', 'i8', 'tensor<4xi1>', 'tensor<4xi8>', 'tensor<2x3xi32>', 'tensor<*xi1>', 'vector<4xi1>'],
    ],
    // floating-point-like
    [
      constraints.floatLike,
      ['f32', 'bf16', 'tensor<f32>', 'tensor<?xf32>', 'tensor<*xf32>', 'vector<4xf32>'],
    ],
    // function type
    [constraints.functionValue, ['() -> ()']],
    // signless-integer-like or memref of signless-integer
    [
      constraints.indexCastable,
      [
        'i1',
        'i8',
        'index',
        'tensor<4xi1>',
        'tensor<4xi8>',
        'tensor<?xindex>',
        'tensor<2x3xi32>',
        'tensor<*xi1>',
        'vector<4xi1>',
        'vector<2xindex>',
        'memref<4xi8>',
        'memref<?xindex>',
        'memref<2x3xi32>',
      ],
    ],
    // ranked tensor of signless integer or index values
    [constraints.indexTensor, ['tensor<4xi1>', 'tensor<4xi8>', 'tensor<?xindex>', 'tensor<2x3xi32>']],
    // memref of any type values
    [
      constraints.memref,
      [
        'memref<f32>',
        'memref<4xi8>',
        'memref<4xui8>',
        'memref<?xindex>',
        'memref<2x3xi32>',
        'memref<2x3xf32>',
        'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>',
      ],
    ],
    // unranked.memref of any type values or non-0-ranked.memref of any type values
    [
      constraints.memrefWithDims,
      [
        'memref<4xi8>',
        'memref<4xui8>',
        'memref<?xindex>',
        'memref<2x3xi32>',
        'memref<2x3xf32>',
        'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>',
        'memref<*xi8>',
        'memref<*xf32>',
      ],
    ],
    // ranked tensor of any type values
    [
      constraints.rankedTensor,
      [
        'tensor<f32>',
        'tensor<4xi1>',
        'tensor<4xi8>',
        'tensor<?xindex>',
        'tensor<2x2xsi8>',
        'tensor<?xf32>',
        'tensor<2x3xi32>',
      ],
    ],
    // integer/index/float type
    [constraints.scalar, ['i1', 'i8', 'si8', 'ui8', 'index', 'f32', 'bf16']],
    // 1D memref of signless integer or index values
    [constraints.shapeMemref, ['memref<4xi8>', 'memref<?xindex>']],
    // 1D tensor of signless integer or index values
    [constraints.shapeTensor, ['tensor<4xi1>', 'tensor<4xi8>', 'tensor<?xindex>']],
    // signless-integer-like
    [
      constraints.signlessIntegerLike,
      [
        'i1',
        'i8',
        'index',
        'tensor<4xi1>',
        'tensor<4xi8>',
        'tensor<?xindex>',
        'tensor<2x3xi32>',
        'tensor<*xi1>',
        'vector<4xi1>',
        'vector<2xindex>',
      ],
    ],
    // signless integer or floating-point
    [constraints.signlessIntegerOrFloat, ['i1', 'i8', 'f32', 'bf16']],
    // signless integer or index
    [constraints.signlessIntegerOrIndex, ['i1', 'i8', 'index']],
    // statically shaped memref of any type values
    [
      constraints.staticMemref,
      [
        'memref<f32>',
        'memref<4xi8>',
        'memref<4xui8>',
        'memref<2x3xi32>',
        'memref<2x3xf32>',
        'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>',
      ],
    ],
    // statically shaped tensor of any type values
    [
      constraints.staticTensor,
      ['tensor<f32>', 'tensor<4xi1>', 'tensor<4xi8>', 'tensor<2x2xsi8>', 'tensor<2x3xi32>'],
    ],
    // tensor of any type values
    [
      constraints.tensor,
      [
        'tensor<f32>',
        'tensor<4xi1>',
        'tensor<4xi8>',
        'tensor<?xindex>',
        'tensor<2x2xsi8>',
        'tensor<?xf32>',
        'tensor<2x3xi32>',
        'tensor<*xf32>',
        'tensor<*xi1>',
      ],
    ],
    // memref of any type values or ranked tensor of any type values
    [
      constraints.tensorOrMemref,
      [
        'tensor<f32>',
        'tensor<4xi1>',
        'tensor<4xi8>',
        'tensor<?xindex>',
        'tensor<2x2xsi8>',
        'tensor<?xf32>',
        'tensor<2x3xi32>',
        'memref<f32>',
        'memref<4xi8>',
        'memref<4xui8>',
        'memref<?xindex>',
        'memref<2x3xi32>',
        'memref<2x3xf32>',
        'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>',
      ],
    ],
    // non-0-ranked or unranked tensor
    [
      constraints.tensorWithDims,
      [
        'tensor<4xi1>',
        'tensor<4xi8>',
        'tensor<?xindex>',
        'tensor<2x2xsi8>',
        'tensor<?xf32>',
        'tensor<2x3xi32>',
        'tensor<*xf32>',
        'tensor<*xi1>',
      ],
    ],
    // strided memref of any type values
    [
      stridedMemref,
      [
        'memref<f32>',
        'memref<4xi8>',
        'memref<4xui8>',
        'memref<?xindex>',
        'memref<2x3xi32>',
        'memref<2x3xf32>',
      ],
    ],
  ])('$0.description', (constraint, accepted) => {
    expect(samples.filter((text) => constraint.test(typeOf(text)))).toEqual(accepted);
  });
});

it.each<[string, string, string]>([
  ['tensor<4xi8>', 'i8', 'tensor<4xf32>'],
  ['tensor<*xi8>', 'i8', 'tensor<*xf32>'],
  ['vector<[4]xi8>', 'i8', 'vector<[4]xf32>'],
  ['memref<4xi8, strided<[2]>>', 'i8', 'memref<4xf32, strided<[2]>>'],
  ['memref<*xi8, 1>', 'i8', 'memref<*xf32, 1>'],
  ['i8', 'i8', 'f32'],
  ['complex<f32>', 'complex<f32>', 'f32'],
])('%s has elements of %s; with others it is %s', (text, element, other) => {
  const type = typeOf(text);
  expect(constraints.elementTypeOf(type)).toEqual(typeOf(element));
  expect(constraints.withElementType(type, typeOf('f32'))).toEqual(typeOf(other));
});

it.each<[string, readonly number[] | undefined]>([
  ['tensor<2x3xf32>', [2, 3]],
  ['memref<f32>', []],
  ['vector<4xf32>', [4]],
  ['tensor<*xf32>', undefined],
  ['f32', undefined],
])('the shape of %s is %j', (text, shape) => {
  expect(constraints.shapeOf(typeOf(text))).toEqual(shape);
});

it.each<[string, string, boolean]>([
  ['tensor<2x3xf32>', 'tensor<2x3xf32>', true],
  ['tensor<2x?xf32>', 'tensor<?x3xf32>', true],
  ['tensor<2x3xf32>', 'tensor<2x4xf32>', false],
  ['tensor<2xf32>', 'tensor<2x3xf32>', false],
  ['tensor<2x3xf32>', 'tensor<2xf32>', false],
])('%s and %s are compatible: %s', (a, b, expected) => {
  const [x, y] = [a, b].map((text) => constraints.shapeOf(typeOf(text)) ?? []);
  expect(constraints.compatibleShapes(x!, y!)).toBe(expected);
});

it.each([
  ['tensor<2x3xi8>', 'i8', [2, 3]],
  ['memref<4xf32>', 'f32', [4]],
  ['vector<2xi1>', 'i1', [2]],
  ['tensor<*xf64>', 'f64', undefined],
  ['memref<*xf16>', 'f16', undefined],
  ['index', 'index', undefined],
  ['complex<f32>', 'complex<f32>', undefined],
])('%s has elements of %s and the shape %j', (text, element, shape) => {
  expect(constraints.elementTypeOf(typeOf(text))).toEqual(typeOf(element));
  expect(constraints.shapeOf(typeOf(text))).toEqual(shape);
});
