import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import type { Attribute } from '../src/index.ts';
import {
  arrayAttribute,
  attributeEquals,
  denseElementsAttribute,
  dictionaryAttribute,
  f32,
  f64,
  floatAttribute,
  integerAttribute,
  integerType,
  parseAttribute,
  printAttribute,
  stringAttribute,
  symbolRefAttribute,
  tensorType,
  unitAttribute,
} from '../src/index.ts';
import { registry } from './test-dialect.ts';

const options = { registry, allowUnregisteredDialects: true };
const reprint = (text: string): string => printAttribute(unwrap(parseAttribute(text, options)));

const messageOf = (text: string): string => {
  const result = parseAttribute(text, options);
  return result.status === 'success' ? 'accepted' : (result.diagnostics[0]?.message ?? '');
};

describe('attributes', () => {
  it.each([
    'unit',
    'true',
    'false',
    '1 : i64',
    '-1 : index',
    '255 : ui8',
    '-128 : si8',
    '1.000000e+00 : f32',
    '0x7FC00000 : f32',
    '0x7F800001 : f32',
    '0x7C01 : f16',
    '0xFFC1 : bf16',
    '0x7FF0000000000001 : f64',
    'dense<0xFFC00000> : tensor<2xf32>',
    'dense<[0x7F800001, 0x7FC00000, 1.000000e+00]> : tensor<3xf32>',
    'dense<[0x7E01, 0x7C01]> : tensor<2xf16>',
    'dense<[0x7FC1, 0xFFC0]> : vector<2xbf16>',
    'dense<[0x7FF8000000000001, 0xFFF0000000000001]> : tensor<2xf64>',
    'dense<(0x7F800001,0x7FC00000)> : tensor<3xcomplex<f32>>',
    '"x"',
    '"x\\00\\22\\\\" : i32',
    '[]',
    '[1, 2.000000e+00, 3 : i8, "a", [unit]]',
    '{}',
    '{a, "b c" = 1 : i64}',
    '@f',
    '@f::@"g h"',
    'i32',
    '(i32) -> f32',
    'affine_map<(d0)[s0] -> (d0 + s0, 0)>',
    'affine_set<(d0) : (d0 >= 0, d0 - 3 == 0)>',
    'strided<[1, ?], offset: ?>',
    'strided<[]>',
    'strided<[-1, 2], offset: -3>',
    'array<i64>',
    'array<i1: true, false>',
    'array<f32: 1.000000e+00>',
    'array<i64: -9223372036854775808, 9223372036854775807>',
    'dense<1> : tensor<4xi32>',
    'dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>',
    'dense<> : tensor<0xf32>',
    'dense<[true, false]> : vector<2xi1>',
    'dense<["a", "b"]> : tensor<2x!a.string>',
    'dense<(1.000000e+00,2.000000e+00)> : tensor<3xcomplex<f32>>',
    'dense<[(1,2), (3,4)]> : tensor<2xcomplex<i8>>',
    'sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>',
    'dense_resource<blob> : tensor<2xi32>',
    'distinct[0]<42 : i32>',
    'loc("f":1:2)',
    'loc(callsite("a" at unknown))',
    'loc(fused["a"("f":1:2), "g":3:4])',
    '#a.b',
    '#a.b<c> : i32',
    '#a<"b">',
  ])('%s is printed as it is read', (text) => {
    expect(reprint(text)).toBe(text);
  });

  it.each([
    ['1', '1 : i64'],
    ['255 : i8', '-1 : i8'],
    ['0xFF : i32', '255 : i32'],
    ['1.0', '1.000000e+00 : f64'],
    ['1.0e40 : f32', '0x7F800000 : f32'],
    ['0x3F800000 : f32', '1.000000e+00 : f32'],
    ['0xFFFFFFFF : tf32', '0x7FFFF : tf32'],
    ['{b = 1 : i8, a}', '{a, b = 1 : i8}'],
    ['dense<[1, 1]> : tensor<2xi32>', 'dense<1> : tensor<2xi32>'],
    ['dense<[5]> : tensor<1xi32>', 'dense<5> : tensor<1xi32>'],
    ['dense<"0x01000200"> : tensor<2xi16>', 'dense<[1, 2]> : tensor<2xi16>'],
    ['dense<"0x0000803F"> : tensor<7xf32>', 'dense<1.000000e+00> : tensor<7xf32>'],
    ['dense<"0x0100C07F"> : tensor<7xf32>', 'dense<0x7FC00001> : tensor<7xf32>'],
    ['dense<"0x0100C07F0000C07F"> : tensor<2xf32>', 'dense<[0x7FC00001, 0x7FC00000]> : tensor<2xf32>'],
    ['dense<[0x7FC00001, 0x7FC00001]> : tensor<2xf32>', 'dense<0x7FC00001> : tensor<2xf32>'],
    [
      'dense<"0x000000000000F03F000000000000F8FF"> : tensor<2xf64>',
      'dense<[1.000000e+00, 0xFFF8000000000000]> : tensor<2xf64>',
    ],
    ['dense<"0x05"> : tensor<3xi1>', 'dense<[true, false, true]> : tensor<3xi1>'],
    ['distinct[0]<unit>', 'distinct[0]<>'],
    ['loc(fused["a", "b", "a"])', 'loc(fused["a", "b"])'],
    ['loc(fused["a", unknown])', 'loc("a")'],
    ['loc(fused[unknown])', 'loc(unknown)'],
    ['loc(fused<"m">[])', 'loc(fused<"m">[unknown])'],
    ['loc(fused<"m">[fused<"m">["a", "b"], "c"])', 'loc(fused<"m">["a", "b", "c"])'],
    ['loc(fused[fused["a", "b"], fused<"k">["c"]])', 'loc(fused["a", "b", fused<"k">["c"]])'],
    ['"\\C3\\A9é"', '"\\C3\\A9\\C3\\A9"'],
  ])('%s is printed as %s', (text, printed) => {
    expect(reprint(text)).toBe(printed);
  });

  it('prints more than 100 elements as a blob, and reads it back', () => {
    const list = Array.from({ length: 101 }, (_, i) => i - 50);
    const text = reprint(`dense<[${list.join(', ')}]> : tensor<101xi8>`);
    expect(text).toMatch(/^dense<"0xCECFD0[0-9A-F]*32"> : tensor<101xi8>$/);
    expect(reprint(text)).toBe(text);
  });

  it('prints the bits of NaNs in a blob', () => {
    const list = Array.from({ length: 101 }, (_, i) => (i === 1 ? '0x7F800001' : '0x7FC00000'));
    const text = reprint(`dense<[${list.join(', ')}]> : tensor<101xf32>`);
    expect(text).toMatch(/^dense<"0x0000C07F0100807F(0000C07F){99}"> : tensor<101xf32>$/);
    expect(reprint(text)).toBe(text);
  });

  it.each([
    ['256 : i8', 'integer constant out of range for attribute'],
    ['-129 : i8', 'integer constant out of range for attribute'],
    ['128 : si8', 'integer constant out of range for attribute'],
    ['-1 : ui8', 'negative integer literal not valid for unsigned integer type'],
    ['1 : f32', 'unexpected decimal integer literal for a floating point value'],
    ['1.0 : i32', 'floating point value not valid for specified type'],
    ['1 : tensor<i32>', 'integer literal not valid for specified type'],
    ['0x100000000 : f32', 'hexadecimal float constant out of range for type'],
    ['-0x1 : f32', 'hexadecimal float literal should not have a leading minus'],
    ['array<index: 1>', "expected integer or float type, got: 'index'"],
    ['array<i3: 1>', 'element type bitwidth must be a multiple of 8'],
    ['dense<[1, 2]> : tensor<3xi32>', 'inferred shape of elements literal ([2]) does not match type ([3])'],
    [
      'dense<[[1], [2, 3]]> : tensor<2x2xi32>',
      'tensor literal is invalid; ranks are not consistent between elements',
    ],
    ['dense<1.0> : tensor<2xi32>', 'expected integer elements, but parsed floating-point'],
    ['dense<1> : tensor<2xf32>', 'expected floating-point elements, but parsed integer'],
    ['dense<1> : i32', 'elements literal must be a shaped type'],
    ['dense<1> : tensor<?xi32>', 'elements literal type must have static shape'],
    ['dense<true> : tensor<2xi8>', "expected i1 type for 'true' or 'false' values"],
    ['dense<"0x0"> : tensor<2xi8>', 'elements hex data size is invalid for provided type: tensor<2xi8>'],
    ['affine_map<(d0) -> (d1)>', "use of undeclared identifier 'd1'"],
    ['{= 1}', 'expected attribute name'],
    ['"x', `expected '"' in string literal`],
    ['"\\x"', 'unknown escape in string literal'],
    ['', 'expected attribute value'],
  ])('%s is refused', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it('prints and parses any attribute to an equal one', () => {
    const leaf: fc.Arbitrary<Attribute> = fc.oneof(
      fc.constant(unitAttribute),
      fc
        .bigInt({ min: -(2n ** 31n), max: 2n ** 31n - 1n })
        .map((value) => integerAttribute(value, integerType(32))),
      fc.double({ noNaN: true }).map((value) => floatAttribute(value, f64)),
      fc.float({ noNaN: true }).map((value) => floatAttribute(value, f32)),
      fc.string({ unit: 'binary' }).map(stringAttribute),
      fc
        .tuple(fc.string({ minLength: 1 }), fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }))
        .map(([root, nested]) => symbolRefAttribute(root, nested)),
      fc
        .uniqueArray(fc.bigInt({ min: -128n, max: 127n }), { minLength: 2, maxLength: 200 })
        .map((values) => denseElementsAttribute(values, tensorType([values.length], integerType(8)))),
      fc
        .uniqueArray(fc.float({ noNaN: true }), { minLength: 2, maxLength: 130 })
        .map((values) => denseElementsAttribute(values, tensorType([values.length], f32))),
    );
    const attribute = fc.letrec<{ attribute: Attribute }>((tie) => ({
      attribute: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('attribute'), { maxLength: 4 }).map(arrayAttribute),
        fc.dictionary(fc.string({ minLength: 1 }), tie('attribute'), { maxKeys: 4 }).map(dictionaryAttribute),
      ),
    })).attribute;
    fc.assert(
      fc.property(attribute, (value) => {
        expect(attributeEquals(unwrap(parseAttribute(printAttribute(value), options)), value)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('elements as indices and values', () => {
  it.each([
    'sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>',
    'sparse<[[2]], 5> : tensor<3xi32>',
    'sparse<1, 5> : tensor<3xi32>',
    'sparse<0, 5> : tensor<3x2xi32>',
    'sparse<[1, 2], [3, 4]> : tensor<3xi32>',
  ])('%s', (text) => {
    expect(parseAttribute(text, { registry }).status).toBe('success');
  });
  it.each([
    [
      'sparse<[], []> : tensor<2x3xi32>',
      'expected shape ([2, 3]); inferred shape of indices literal ([0]); inferred shape of values literal ([0])',
    ],
    ['sparse<[[0, 0]], [1, 2]> : tensor<2x3xi32>', 'inferred shape of values literal ([2])'],
    ['sparse<[[0]], [1]> : tensor<2x3xi32>', 'inferred shape of indices literal ([1, 1])'],
    ['sparse<[[0, 0]], [[1]]> : tensor<2x3xi32>', 'expected 1-d tensor for sparse element values'],
    ['sparse<[[0, 0], [3, 0]], [1, 2]> : tensor<2x3xi32>', 'sparse index #1 is not contained'],
    ['sparse<2, 1> : tensor<2x3xi32>', 'sparse index #0 is not contained'],
    ['sparse<[[0, -1]], 1> : tensor<2x3xi32>', "index=[0, -1], and type='tensor<2x3xi32>'"],
    ['dense_resource<"a b"> : tensor<2xi8>', "expected identifier key for 'resource' entry"],
  ])('refuses %s', (text, message) => {
    const { status, diagnostics } = parseAttribute(text, { registry });
    expect(status).toBe('definite');
    expect(diagnostics[0]?.message).toContain(message);
  });
});
