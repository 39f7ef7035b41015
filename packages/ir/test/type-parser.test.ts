import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import {
  bf16,
  DYNAMIC,
  f16,
  f32,
  f64,
  i1,
  i32,
  i64,
  indexType,
  noneType,
  integerType,
  memrefType,
  parseType,
  printType,
  tensorType,
  typeEquals,
  vectorType,
} from '../src/index.ts';
import type { Type } from '../src/index.ts';
import { registry } from './test-dialect.ts';

const options = { registry, allowUnregisteredDialects: true };
const reprint = (text: string): string => printType(unwrap(parseType(text, options)));

const messageOf = (text: string): string => {
  const result = parseType(text, options);
  return result.status === 'success' ? 'accepted' : (result.diagnostics[0]?.message ?? '');
};

describe('types', () => {
  it.each([
    'index',
    'none',
    'i1',
    'si8',
    'ui16',
    'i16777215',
    'f16',
    'bf16',
    'tf32',
    'f80',
    'f8E4M3FN',
    'complex<f32>',
    'tuple<>',
    'tuple<i32, tuple<f32>>',
    '() -> ()',
    '(i32) -> f32',
    '(i32, f32) -> (i1, index)',
    '() -> (() -> ())',
    'tensor<f32>',
    'tensor<4x?x8xf32>',
    'tensor<*xi8>',
    'tensor<0x1xf32>',
    'tensor<2xf32, #a.b<c>>',
    'tensor<2xf32, "x">',
    'tensor<4xcomplex<f64>>',
    'tensor<?x!a.b>',
    'memref<4xf32>',
    'memref<4x?xf32, strided<[?, 1], offset: ?>>',
    'memref<2x2xi8, affine_map<(d0, d1) -> (d1, d0)>, 3>',
    'memref<4xf32, #a.space>',
    'memref<*xf32, 2>',
    'memref<4xmemref<*xf32>>',
    'vector<4xf32>',
    'vector<[4]x2xindex>',
    'vector<f32>',
    '!a.b',
    '!a.b<c, <d> -> "e>">',
    '!a<"b c">',
  ])('%s is printed as it is read', (text) => {
    expect(reprint(text)).toBe(text);
  });

  it.each([
    ['tensor< 4 x ? x f32 >', 'tensor<4x?xf32>'],
    ['tensor<0x4xf32>', 'tensor<0x4xf32>'],
    ['memref<4xf32, affine_map<(d0) -> (d0)>>', 'memref<4xf32>'],
    ['memref<4xf32, 0>', 'memref<4xf32>'],
    ['!a<b<c>>', '!a.b<c>'],
    ['!test.b<c,\n  d>', '!test.b<c, d>'],
    ['() -> (i32)', '() -> i32'],
  ])('%j is printed as %s', (text, printed) => {
    expect(reprint(text)).toBe(printed);
  });

  it.each([
    ['tensor<4xtensor<f32>>', 'invalid tensor element type'],
    ['memref<4xtensor<f32>>', 'invalid memref element type'],
    ['tensor<*xf32, "x">', 'cannot apply encoding to unranked tensor'],
    ['memref<*xf32, affine_map<() -> ()>>', 'cannot have affine map for unranked memref type'],
    ['memref<4xf32, 1, 2>', 'multiple memory spaces specified in memref type'],
    [
      'memref<4xf32, affine_map<(d0, d1) -> (d0)>>',
      'memref layout mismatch between rank and affine map: 1 != 2',
    ],
    ['vector<0xf32>', 'vector types must have positive constant sizes but got 0'],
    ['vector<?xf32>', 'expected non-function type'],
    ['complex<index>', 'invalid element type for complex'],
    ['tensor<4f32>', "expected 'x' in dimension list"],
    [
      'tensor<9007199254740992xf32>',
      '9007199254740992 is outside the integers that a number holds exactly (2^53)',
    ],
    [
      'vector<[9007199254740993]xf32>',
      '9007199254740993 is outside the integers that a number holds exactly (2^53)',
    ],
    ['memref<4xf32, strided<[0]>>', 'strides must not be zero'],
    ['memref<4x4xf32, strided<[1]>>', 'expected the number of strides to match the rank'],
    [
      'memref<4xf32, strided<[1], offset: -9007199254740992>>',
      '9007199254740992 is outside the integers that a number holds exactly (2^53)',
    ],
    ['i16777216', 'integer bitwidth is limited to 16777215 bits'],
    ['f33', 'expected non-function type'],
    ['!a.b<(>', "unbalanced '>' character in pretty dialect name"],
    ['!a.b<', 'unexpected nul or EOF in pretty dialect name'],
    ['i32 i32', 'expected the end of the text'],
  ])('%s is refused', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it('prints and parses any type to an equal one', () => {
    const scalar = fc.oneof(
      fc.constant(f32 as Type),
      fc.integer({ min: 1, max: 128 }).map((width): Type => integerType(width)),
      fc.integer({ min: 1, max: 64 }).map((width): Type => integerType(width, 'unsigned')),
    );
    const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 2 ** 40 }), fc.constant(DYNAMIC)), {
      maxLength: 5,
    });
    const type = fc.letrec<{ type: Type }>((tie) => ({
      type: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.tuple(sizes, scalar).map(([shape, element]): Type => tensorType(shape, element)),
        fc.tuple(sizes, scalar).map(([shape, element]): Type => memrefType(shape, element)),
        fc
          .tuple(fc.array(fc.tuple(fc.integer({ min: 1, max: 64 }), fc.boolean()), { maxLength: 3 }), scalar)
          .map(([dims, element]): Type =>
            vectorType(
              dims.map(([n]) => n),
              element,
              dims.map(([, s]) => s),
            ),
          ),
        fc.array(tie('type'), { maxLength: 3 }).map((elements): Type => ({ kind: 'tuple', elements })),
        fc
          .tuple(fc.array(tie('type'), { maxLength: 3 }), fc.array(tie('type'), { maxLength: 3 }))
          .map(([inputs, results]): Type => ({ kind: 'function', inputs, results })),
      ),
    })).type;
    fc.assert(
      fc.property(type, (value) => {
        expect(typeEquals(unwrap(parseType(printType(value), options)), value)).toBe(true);
      }),
    );
  });
});

it('the commonest types are one object each, so that they are equal at once', () => {
  for (const type of [bf16, f16, f32, f64, i1, i32, i64, indexType, noneType]) {
    expect(unwrap(parseType(printType(type), options))).toBe(type);
  }
  for (const type of [f16, f32, i1, i64, indexType, noneType]) {
    for (const other of [f16, f32, i1, i64, indexType, noneType])
      expect(typeEquals(type, { ...other })).toBe(type === other);
  }
  for (const name of ['tf32', 'f80', 'f8E4M3FN']) {
    expect(unwrap(parseType(name, options))).toBe(unwrap(parseType(name, options)));
  }
});
