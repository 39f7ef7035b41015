import { cascadeLake, sconvDefaults, wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { drawPlan, parseShape, planConvolution } from '../src/index.ts';

describe('drawPlan', () => {
  it.each([
    ['IS', '1x32x152x152,256x32x3x3,s2', sconvDefaults, 'pack 32 filter tiles'],
    ['WS', '1x512x7x7,512x512x3x3,p1', cascadeLake, 'pack 3 input tiles'],
    ['an edge alone', '1x16x1x1,2x16x1x1', wasm, 'smaller than one tile'],
    ['groups and a batch', '2x64x28x28,64x16x3x3,p1,g4', wasm, 'group 0'],
  ] as const)('draws %s', (_, shape, target, content) => {
    const svg = drawPlan(planConvolution(parseShape(shape), target), target.machine);
    expect(svg).toContain(content);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    // Every element is closed: a well-formed document as far as these pictures go.
    const opened = svg.match(/<[a-z]+/g) ?? [];
    const closed = svg.match(/<\/[a-z]+>|\/>/g) ?? [];
    expect(opened).toHaveLength(closed.length);
  });

  it.each([
    ['the convolution of the paper', '1x32x152x152,256x32x3x3,s2'],
    ['remainders in every dimension', '2x60x29x29,60x30x3x3,p1,g2'],
  ])('labels %s with its numbers', (_, shape) => {
    const svg = drawPlan(planConvolution(parseShape(shape), sconvDefaults), sconvDefaults.machine);
    expect([...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, label]) => label)).toMatchSnapshot();
  });
});
