/** What functions refuse at their entry. */
import { planPaths } from '@sconv/plans';
import { wasm } from '@sconv/targets';
import { expect, it } from 'vitest';
import * as csa from '../src/index.ts';

const shape = csa.parseShape('1x8x10x10,16x8x3x3');
const plan = csa.planForTarget(shape, wasm);
const sliced = csa.slice(shape, wasm.microkernel);
const caches = csa.hierarchy(wasm.machine, plan.fractions);
const [path] = planPaths(plan.tree);
const record = 'csa/not-a-record';
const list = 'csa/not-a-list';
const numbers = 'csa/not-positive';

type Row = [name: keyof typeof csa, code: string, field: string, ...args: unknown[]];

it.each<Row>([
  ['slice', record, 'shape', undefined, wasm.microkernel],
  ['slice', record, 'microkernel', shape, null],
  ['tileBytes', record, 'sliced.microkernel', shape, 1],
  ['hierarchy', record, 'machine.cache', { memoryLatency: 300 }, plan.fractions],
  ['hierarchy', record, 'machine.cache.l1', { cache: { l1: null }, memoryLatency: 300 }, plan.fractions],
  ['hierarchy', record, 'fractions', wasm.machine],
  ['constraints', record, 'sliced.tiles', shape, plan, caches],
  ['constraints', record, 'tiling', sliced, 'is', caches],
  ['constraints', record, 'caches', sliced, plan],
  ['paddedInput', record, 'shape.padding', {}],
  ['multiplyAdds', record, 'shape', null],
  ['convolution', numbers, 'batch', { batch: Symbol('1') }],
  ['convolution', numbers, 'batch', { batch: 2n ** 40n }],
  ['parseCsv', 'csa/syntax', 'csv', null],
  ['shapeFromConvbench', record, 'row', undefined],
  ['candidateSizes', numbers, 'size', 1n, 4],
  ['candidateSizes', numbers, 'size', 2 ** 41, 4],
  ['candidateSizes', numbers, 'limit', 4, 1n],
  ['candidateSizes', numbers, 'limit', 4, 0],
  ['tileBytes', numbers, 'nc', sliced, 1n],
  ['extentsOf', record, 'sliced.shape', shape],
  ['planLimits', record, 'sliced', undefined],
  ['planOfTiling', record, 'tiling', sliced],
  ['planOfExtents', record, 'space.extents', sliced, plan, 'scalar'],
  ['planWithTiling', record, 'microkernel', shape, undefined, plan],
  ['planWithTiling', record, 'tiling', shape, wasm.microkernel, 'is'],
  ['belowSplits', record, 'path.leaf', { steps: [] }],
  ['spansOf', list, 'path.steps', { leaf: path!.leaf }],
  ['slicingNest', record, 'path', undefined],
  ['tilingSpace', record, 'sliced', null, caches],
  ['tilingSpace', record, 'caches.room', sliced, {}],
  ['trafficOfPlan', record, 'sliced', null, plan.tree, caches],
  ['trafficOfPlan', record, 'caches.geometry', sliced, plan.tree, wasm.machine],
  ['streamAccesses', record, 'sliced', 5, plan.tree, { lineBytes: 64 }],
  ['streamAccesses', record, 'options', sliced, plan.tree],
  ['cacheSimulator', record, 'machine.cache', shape],
  ['partsForThreads', record, 'shape', null, 2],
  ['partsForThreads', numbers, 'threads', shape, Symbol('2')],
  ['partsForThreads', record, 'machine', shape, 2, null],
  ['explain', record, 'plan.shape', wasm],
  ['costCurves', record, 'plan', null, wasm.machine],
  ['drawPlan', record, 'machine', plan],
  ['printExplanation', record, 'explanation', undefined],
  ['printExplanation', list, 'explanation.caches', { tiles: {}, parameters: [] }],
])('%s refuses with %s: %s', (name, code, field, ...args) => {
  const call = () => (csa[name] as (...given: readonly unknown[]) => unknown)(...args);
  expect(call).toThrow(expect.objectContaining({ name: 'CsaError', code, field }));
});
