import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { printPlan } from '@sconv/plans';
import { avx2, wasm } from '@sconv/targets';
import { parseScheme, schemePlanner } from '../src/index.ts';
import { productOf } from './contractions.ts';

it('plans by a scheme, for targets whose vectors are long enough', () => {
  const planner = schemePlanner(unwrap(parseScheme('[R(i), R(j), R(k), U(i,6), V(j,8)]')));
  const product = productOf(12, 8, 10);
  expect(printPlan(unwrap(planner(product, avx2)).tree)).toContain('loop filters 2 x 6');
  expect(planner(product, {}).status).toBe('success');
  const [problem] = planner(product, wasm).diagnostics;
  expect(problem?.code).toBe('scheme/vector');
  expect(problem?.message).toMatch(/^scheme\[4\] of \[R\(i\), .*U\(j,2\), V\(j,4\)$/);
});
