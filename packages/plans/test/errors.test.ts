/** What functions refuse at their entry. */
import { expect, it } from 'vitest';
import * as plans from '../src/index.ts';

const record = 'plan/not-a-record';
const list = 'plan/not-a-list';
const node = 'plan/node';
const extents = { batch: 1, group: 1, channels: 1, windows: 1, filters: 1 };
const scalar: plans.Plan = { kind: 'scalar', extents };

type Row = [
  name:
    'chooseLayouts' | 'planProblems' | 'foldPlan' | 'printPlan' | 'planPaths' | 'planExtents' | 'samePlan',
  ...unknown[],
];

it.each<Row>([
  ['chooseLayouts', list, 'graph.layers', { layers: 3, edges: [] }],
  ['chooseLayouts', list, 'graph.edges', { layers: [] }],
  ['chooseLayouts', record, 'limits', { layers: [], edges: [] }, null],
  ['planProblems', record, 'limits', scalar, null],
  ['foldPlan', record, 'plan', undefined, {}],
  ['printPlan', node, 'plan', { kind: 'map' }],
  ['printPlan', record, 'plan', { kind: 'loop' }],
  ['planPaths', list, 'plan.parts', { kind: 'split', parts: 3 }],
  ['planPaths', record, 'plan.parts.0', { kind: 'split', parts: [null] }],
  ['planExtents', record, 'plan.parts.0', { kind: 'split', parts: [] }],
  ['planExtents', record, 'plan.extents', { kind: 'scalar' }],
  ['samePlan', record, 'plan', scalar, null],
  ['samePlan', record, 'plan.extents', { kind: 'kernel', lanes: 'windows' }, scalar],
])('%s refuses with %s: %s', (name, code, field, ...args) => {
  const call = () => (plans[name] as (...given: readonly unknown[]) => unknown)(...args);
  expect(call).toThrow(expect.objectContaining({ name: 'PlanError', code, field }));
});
