import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affineMap } from '@sconv/affine';
import { arbitraryMap } from '@sconv/affine/arbitraries';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, verify } from '@sconv/ir';
import { firstDifference, genericPayload, operandOver } from '../src/testing.ts';
import { parse, run } from './run.ts';
import { tensor } from '../src/index.ts';

const registry = createRegistry(payloadDialects);
const vector = (...values: readonly number[]) => tensor([values.length], Float32Array.from(values));

describe('genericPayload', () => {
  it('adds all inputs to each output', () => {
    const text = genericPayload({
      iterators: ['parallel'],
      inputs: [
        { map: 'd0', type: 'tensor<3xf32>' },
        { map: '', type: 'f32' },
      ],
      outputs: [
        { map: 'd0', type: 'tensor<3xf32>' },
        { map: '-d0 + 2', type: 'tensor<3xf32>' },
      ],
    });
    const args = [vector(1, 2, 3), 10, vector(100, 200, 300), vector(0, 0, 0)];
    expect(run(text, args)).toEqual([
      [[3], [111, 212, 313]],
      [[3], [13, 12, 11]],
    ]);
  });

  it('has the body and the attributes that it is given', () => {
    const text = genericPayload({
      iterators: ['reduction'],
      inputs: [{ map: 'd0', type: 'tensor<3xi8>' }],
      outputs: [{ map: '', type: 'tensor<i8>' }],
      body: '%m = arith.maxsi %x0, %y0 : i8\nlinalg.yield %m : i8',
      attributes: '{tag = "keep"}',
    });
    const operation =
      parse(text).root.regions[0]!.blocks[0]!.operations[0]!.regions[0]!.blocks[0]!.operations[0];
    expect(operation!.attributes['tag']).toMatchObject({ kind: 'string', value: 'keep' });
    expect(run(text, [tensor([3], Int8Array.of(4, 7, 5)), tensor([], Int8Array.of(1))])).toEqual([[[], [7]]]);
  });

  it('does nothing without inputs', () => {
    const text = genericPayload({
      iterators: ['parallel'],
      inputs: [],
      outputs: [{ map: 'd0', type: 'tensor<2xf32>' }],
    });
    expect(run(text, [vector(5, 6)])).toEqual([[[2], [5, 6]]]);
  });
});

describe('operandOver', () => {
  it.each([
    ['(d0, d1) -> (d0 + d1)', [3, 4], 'd0 + d1', 'tensor<6xf32>'],
    ['(d0, d1) -> (d0 * 2 + 5, -d1)', [3, 4], 'd0 * 2, -d1 + 3', 'tensor<5x4xf32>'],
    ['(d0) -> (7)', [3], '0', 'tensor<1xf32>'],
    ['(d0) -> (d0)', [0], 'd0', 'tensor<0xf32>'],
  ])('shifts %s over %j to start at 0', (map, extents, shifted, type) => {
    expect(operandOver(affineMap(map), extents)).toEqual({ map: shifted, type });
  });

  it('is large enough for what is read', () => {
    const maps = arbitraryMap({ numDims: 2, numSymbols: 0, maxDepth: 3, maxConstant: 5 });
    fc.assert(
      fc.property(maps, fc.nat(4), fc.nat(4), (map, height, width) => {
        const text = genericPayload({
          iterators: ['parallel', 'parallel'],
          inputs: [operandOver(map, [height, width])],
          outputs: [{ map: 'd0, d1', type: `tensor<${height}x${width}xf32>` }],
        });
        const module = parse(text);
        expect(verify(module, registry)).toEqual([]);
        expect(firstDifference(module, module)).toBe(undefined);
      }),
    );
  });
});
