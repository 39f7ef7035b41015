import { expect, it } from 'vitest';
import { modelFile, run } from './models.ts';
import { inputOf } from './op-case.ts';
import { opCases } from './op-cases.ts';
import { opResults } from './op-results.ts';

it('has a result for each case', () => {
  expect(opCases.map(({ name }) => name)).toEqual(Object.keys(opResults));
});

it.each(opCases)('$name', ({ name, shape, model }) => {
  const [result] = run(modelFile(model), [inputOf(shape)]);
  const [sizes, values] = opResults[name]!;
  expect(result!.shape).toEqual(sizes);
  values.forEach((value, i) => {
    expect(Math.abs(result!.values[i]! - value)).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(value)));
  });
  expect(result!.values).toHaveLength(values.length);
});
