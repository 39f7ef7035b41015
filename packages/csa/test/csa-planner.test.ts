import { describe, expect, it } from 'vitest';
import { wasm } from '@sconv/targets';
import { contractionOf, csaPlanner, diagnosed, parseShape, planForTarget } from '../src/index.ts';

const shape = parseShape('1x8x10x10,16x8x3x3');

describe('csaPlanner', () => {
  it('plans a convolution as planForTarget does', () => {
    const planned = csaPlanner({ edges: 'best' })(contractionOf(shape), wasm);
    expect(planned).toMatchObject({
      status: 'success',
      value: planForTarget(shape, wasm, { edges: 'best' }),
    });
  });

  it('warns of what users should know', () => {
    const small = parseShape('1x2x3x3,2x2x1x1');
    expect(
      csaPlanner()(contractionOf(small), wasm).diagnostics.map(({ severity, code }) => [severity, code]),
    ).toEqual(planForTarget(small, wasm).warnings.map(({ code }) => ['warning', code]));
  });

  it.each([
    ['csa/not-a-convolution', csaPlanner(), { ...contractionOf(shape), dimensions: [] }],
    ['csa/unknown-name', csaPlanner({ edges: 'none' as 'best' }), contractionOf(shape)],
  ])('fails with %s', (code, planner, problem) => {
    expect(planner(problem, wasm)).toMatchObject({ status: 'silenceable', diagnostics: [{ code }] });
  });
});

it('diagnosed throws what is no error of this package', () => {
  expect(() =>
    diagnosed(() => {
      throw new RangeError('another');
    }),
  ).toThrow(RangeError);
});
