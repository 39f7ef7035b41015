import { multiplyAdds, printShape } from '@sconv/csa';
import { describe, expect, it } from 'vitest';
import { productOf, shapeSet, shapeSetNames } from '../../src/bench/shape-sets.ts';

const set = (name: string) => shapeSet(name) ?? [];

describe('the sets of shapes', () => {
  it.each([
    ['figure-8', 24],
    ['convbench', 60],
  ])('%s has %i', (name, count) => {
    expect(shapeSetNames).toContain(name);
    expect(new Set(set(name).map(({ shape }) => printShape(shape))).size).toBe(count);
    expect(new Set(set(name).map((each) => each.name)).size).toBe(count);
  });
  it.each(shapeSetNames)('%s has convolutions of one group with more than one output pixel', (name) => {
    for (const { shape } of set(name)) {
      expect(shape).toMatchObject({ groups: 1, elementType: 'f32', batch: 1 });
      expect(shape.outputHeight * shape.outputWidth).toBeGreaterThan(1);
    }
  });
  it('has 20 matrix products, of which one has a single row', () => {
    const products = set('products');
    expect(new Set(products.map(({ name }) => name)).size).toBe(20);
    expect(products.every(({ isProduct }) => isProduct)).toBe(true);
    expect(products.map(({ name }) => name)).toContain('ResNet18-11 512x49x256');
    expect(productOf('1x1000x2048')).toEqual(products.at(-1));
    expect(multiplyAdds(products.at(-1)!.shape)).toBe(2_048_000);
    expect(['1x2', '1x2x3x4', '1x3x9x9,5x3x3x3', 'products'].map(productOf)).toEqual(
      Array(4).fill(undefined),
    );
  });
  it('has the layers of the papers', () => {
    const layers = new Map(set('figure-8').map(({ name, shape }) => [name, shape]));
    const text = (name: string) => printShape(layers.get(name)!);
    expect(text('ResNet18-1')).toBe('1x3x224x224,64x3x7x7,s2,p3');
    expect(text('Yolo9000-23')).toBe('1x1024x17x17,28269x1024x1x1');
    expect(text('ST Listing 1')).toBe('1x32x152x152,256x32x3x3,s2');
  });
  it('has convolutions of ConvBench from 0.1 million to 10 billion multiply-adds', () => {
    const work = set('convbench').map(({ shape }) => multiplyAdds(shape));
    expect(Math.min(...work)).toBeLessThan(2e6);
    expect(Math.max(...work)).toBeGreaterThan(1e9);
  });
});
