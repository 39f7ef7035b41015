import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import type { Attribute, DenseResourceAttribute, Module } from '../src/index.ts';
import {
  attributeEquals,
  bytesOfElements,
  denseElementsAttribute,
  denseResource,
  edit,
  f32,
  i32,
  memrefType,
  parseAttribute,
  printModule,
  resourceProblem,
  tensorType,
  tryPrintModule,
} from '../src/index.ts';
import { parse, registry, reprint } from './test-dialect.ts';

const bytes = Uint8Array.of(0, 0, 128, 63, 0, 0, 0, 64);
const pair = tensorType([2], f32);

/** A module with these attributes. */
const moduleWith = (attributes: Readonly<Record<string, Attribute>>): Module =>
  edit(parse('module {}'), { registry }, (rewriter) => {
    rewriter.setAttributes(rewriter.root, attributes);
  }).module;

describe('elements as bytes', () => {
  it('keep the array that they are made of', () => {
    const attribute = denseResource(pair, bytes, 'weights');
    expect(attribute.resource).toEqual({ key: 'weights', bytes, alignment: 4 });
    expect(attribute.resource.bytes).toBe(bytes);
  });

  it.each([
    ['tensor<2x3xf32>', 24],
    ['tensor<9xi1>', 9],
    ['tensor<3xi4>', 3],
    ['tensor<2xindex>', 16],
    ['tensor<2xbf16>', 4],
    ['tensor<2xcomplex<f64>>', 32],
    ['tensor<0x4xf64>', 0],
    ['memref<f8E4M3FN>', 1],
    ['tensor<?xf32>', undefined],
    ['tensor<2x!test.type>', undefined],
    ['f32', undefined],
  ])('of %s are %s', (text, count) => {
    const type = unwrap(parseAttribute(text, { registry, allowUnregisteredDialects: true }));
    expect(type.kind === 'type' && bytesOfElements(type.type)).toBe(count);
  });

  it('are refused where they do not fit', () => {
    expect(() => denseResource(tensorType([3], f32), bytes)).toThrow(
      new RangeError("the resource 'resource' has 8 bytes, but tensor<3xf32> takes 12"),
    );
    expect(() => denseResource(f32, bytes)).toThrow('the elements of f32 have no size in bytes');
    expect(() => denseResource(pair, [1] as never)).toThrow('expected bytes, not');
  });

  it.each([
    ['tensor<2xf32>', 'k', undefined],
    ['tensor<2xi8>', 'k', "the resource 'k' has 8 bytes, but tensor<2xi8> takes 2"],
    ['tensor<*xf32>', 'k', 'the elements of tensor<*xf32> have no size in bytes'],
    ['tensor<2xf32>', 'other', "the bytes of the resource 'other' are missing"],
  ])('are read from a text as %s of %s: %s', (type, key, problem) => {
    const text = `module attributes {x.a = dense_resource<${key}> : ${type}} {}
      {-# dialect_resources: { builtin: { k: "0x040000000000803f00000040" } } #-}`;
    const attribute = parse(text).root.attributes['x.a'] as DenseResourceAttribute;
    expect(resourceProblem(attribute)).toBe(problem);
    expect(Object.isFrozen(attribute.resource)).toBe(true);
  });

  it('are equal where the array and the type are', () => {
    const attribute = denseResource(pair, bytes, 'a');
    expect(attributeEquals(attribute, denseResource(pair, bytes, 'b'))).toBe(true);
    expect(attributeEquals(attribute, denseResource(tensorType([2], i32), bytes, 'a'))).toBe(false);
    expect(attributeEquals(attribute, denseResource(pair, bytes.slice(), 'a'))).toBe(false);
    const [k, same, other] = ['k', 'k', 'l'].map((key) =>
      unwrap(parseAttribute(`dense_resource<${key}> : tensor<2xf32>`, { registry })),
    );
    expect(attributeEquals(k!, same!)).toBe(true);
    expect(attributeEquals(k!, other!)).toBe(false);
  });
});

describe('the text of resources', () => {
  it('is read as bytes that share no memory with others, aligned for any element', () => {
    const text = `module attributes {a.x = dense_resource<x> : tensor<2xf32>, a.y = dense_resource<x> : tensor<2xi32>} {}
      {-# dialect_resources: { builtin: { unused: "0x00000000", x: "0x200000000000803f00000040" } } #-}`;
    const [first, second] = Object.values(parse(text).root.attributes) as DenseResourceAttribute[];
    expect(first!.resource).toEqual({ key: 'x', bytes, alignment: 32 });
    expect(first!.resource.bytes!.byteOffset).toBe(0);
    expect(second!.resource).toBe(first!.resource);
  });

  it('has bare keys, each once', () => {
    const [a, b, c] = [bytes, bytes.slice(), bytes.slice()];
    const module = moduleWith({
      'x.a': denseResource(pair, a, 'conv1/w:0'),
      'x.b': denseResource(pair, b, 'conv1/w:0'),
      'x.c': denseResource(memrefType([2], f32), a, 'other'),
      'x.d': denseResource(pair, c, '1'),
    });
    for (const localScope of [false, true]) {
      const text = printModule(module, { registry, localScope, resources: 'hexadecimal' });
      expect(text).toBe(`module attributes {\
x.a = dense_resource<conv1_w_0> : tensor<2xf32>, x.b = dense_resource<conv1_w_0_1> : tensor<2xf32>, \
x.c = dense_resource<conv1_w_0> : memref<2xf32>, x.d = dense_resource<_1> : tensor<2xf32>} {
}

{-#
  dialect_resources: {
    builtin: {
      conv1_w_0: "0x040000000000803F00000040",
      conv1_w_0_1: "0x040000000000803F00000040",
      _1: "0x040000000000803F00000040"
    }
  }
#-}
`);
      expect(reprint(text, { resources: 'hexadecimal' })).toBe(text);
    }
  });

  it('fails where no string is long enough', () => {
    const many = new Uint8Array(2 ** 28);
    const module = moduleWith({ 'x.a': denseResource(tensorType([2 ** 26], f32), many) });
    expect(tryPrintModule(module, { registry, resources: 'hexadecimal' }).diagnostics).toMatchObject([
      {
        code: 'print/too-long',
        message:
          'the constants alone would take 536870924 characters, but a text has at most 536870888: ' +
          'print it without its resources',
      },
    ]);
    expect(printModule(module, { registry })).toContain('dense_resource<resource> : tensor<67108864xf32>');
    const dense = denseElementsAttribute(Array<number>(101).fill(1), tensorType([101], f32));
    const often = { kind: 'array', elements: Array<Attribute>(2 ** 20).fill(dense) } as const;
    expect(() => printModule(moduleWith({ 'x.a': often }), { registry })).toThrow('keep them as resources');
  });
});
