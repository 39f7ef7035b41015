import { multiplyAdds, printShape } from '@sconv/csa';
import { describe, expect, it } from 'vitest';
import { shapeSet, shapeSetNames } from '../../src/bench/shape-sets.ts';

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
