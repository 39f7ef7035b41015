import { sconvDefaults } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { costCurves, parseShape, planConvolution } from '../src/index.ts';

const listing1 = parseShape('1x32x152x152,256x32x3x3,s2');

describe('costCurves', () => {
  it('pass through the candidates', () => {
    const plan = planConvolution(listing1, sconvDefaults, { costModel: 'traffic' });
    const curves = costCurves(plan, sconvDefaults.machine);
    for (const parameter of ['nc', 'k2', 'k3'] as const) {
      for (const { schedule, points, chosen } of curves[parameter]) {
        expect(chosen).toBe(plan.candidates[schedule][parameter]);
        expect(points.find(({ value }) => value === chosen)?.cycles).toBe(plan.cost[schedule]);
        expect(points.map(({ value }) => value)).toEqual(
          points.map(({ value }) => value).sort((a, b) => a - b),
        );
      }
    }
  });
});
