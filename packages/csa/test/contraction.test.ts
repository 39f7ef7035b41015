import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '@sconv/affine';
import type { Contraction } from '@sconv/plans';
import { contractionOf, convolution, convolutionOf, paddedInput, parseShape } from '../src/index.ts';
import { arbitraryShape } from './arbitrary.ts';

describe('contractionOf', () => {
  it('says which elements a multiply-add uses', () => {
    const { dimensions, operands } = contractionOf(parseShape('2x8x11x12,6x4x3x2,s2x1,g2'));
    expect(dimensions.map(({ name, extent }) => `${name} ${extent}`)).toEqual([
      'batch 2',
      'group 2',
      'filters 3',
      'rows 5',
      'columns 11',
      'channels 4',
      'tapRows 3',
      'tapColumns 2',
    ]);
    const point = [1, 0, 2, 4, 10, 3, 2, 1];
    expect(operands.map(({ name, map }) => [name, evaluate(map, point)])).toEqual([
      ['input', [1, 0, 3, 10, 11]],
      ['filters', [0, 2, 3, 2, 1]],
      ['output', [1, 0, 2, 4, 10]],
    ]);
  });
});

describe('convolutionOf', () => {
  it('finds the convolution again, with its padding in the input', () => {
    fc.assert(
      fc.property(arbitraryShape(9), (shape) => {
        const { h, w } = paddedInput(shape);
        const padding = { top: 0, bottom: 0, left: 0, right: 0 };
        const found = convolutionOf(contractionOf(shape));
        expect(found).toEqual({ ...shape, inputHeight: h, inputWidth: w, padding });
      }),
    );
  });

  it('keeps what operands are in memory', () => {
    const sizes = {
      inputChannels: 2,
      inputHeight: 3,
      inputWidth: 3,
      filters: 2,
      filterHeight: 1,
      filterWidth: 1,
    };
    const shape = convolution({ ...sizes, elementType: 'i32', unpackedBytes: { input: 1, filters: 2 } });
    expect(convolutionOf(contractionOf(shape))).toEqual(shape);
  });

  it('takes no more of an input than the windows reach', () => {
    const contraction = contractionOf(parseShape('1x2x9x9,2x2x3x3'));
    const [input, filters, output] = contraction.operands;
    const larger: Contraction = {
      ...contraction,
      operands: [{ ...input, sizes: [1, 1, 2, 12, 11] }, filters, output],
    };
    expect(convolutionOf(larger)).toEqual(parseShape('1x2x9x9,2x2x3x3'));
  });

  it('finds none in a matrix product, or in one of another type', () => {
    const contraction = contractionOf(parseShape('1x2x3x3,2x2x1x1'));
    const without = (fields: Partial<Contraction>) => convolutionOf({ ...contraction, ...fields });
    expect(without({ dimensions: contraction.dimensions.slice(5) })).toBeUndefined();
    expect(without({ elementType: 'f80' })).toBeUndefined();
  });
});
