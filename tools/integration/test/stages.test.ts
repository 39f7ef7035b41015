import { describe, expect, it } from 'vitest';
import { sconvStages } from '@sconv/slicing';
import { cases } from './support/convolutions.ts';
import { dataOf, firstMismatch, interpretConvolution, stagesOfCase } from './support/stages.ts';

describe('every stage computes the convolution', () => {
  it.each(cases)('$name', (each) => {
    const stages = stagesOfCase(each);
    expect(stages.map(({ name }) => name)).toEqual(['payload', ...sconvStages]);
    const data = dataOf(each.shape);
    for (const { name, module } of stages) {
      const actual = interpretConvolution(module, each.shape, data);
      expect({ stage: name, mismatch: firstMismatch(actual, data.expected) }).toEqual({
        stage: name,
        mismatch: undefined,
      });
    }
  });
});
