import { derive, wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { parseShape, planConvolution, planForTarget, printShape } from '../src/index.ts';

const shape = parseShape('1x64x56x56,64x64x3x3,p1');

type Arguments = readonly [shape: unknown, target?: unknown, options?: unknown];

/** Mistakes of untyped callers and of names from outside, and how they are refused. */
const refused: readonly (readonly [what: string, given: Arguments, code: string, message: string])[] = [
  [
    'text for a shape',
    ['1x64x56x56,64x64x3x3'],
    'csa/not-a-record',
    "shape: expected a shape, as parseShape and convolution give one, not '1x64x56x56,64x64x3x3'",
  ],
  ['no shape', [undefined], 'csa/not-a-record', 'not undefined'],
  ['sizes for a shape', [[1, 64, 56, 56]], 'csa/not-a-record', 'not [1, 64, 56, 56]'],
  [
    'a shape without its output',
    [{ ...shape, outputWidth: undefined }],
    'csa/not-a-record',
    'with a positive outputWidth, not undefined',
  ],
  ['a shape of no filters', [{ ...shape, filters: 0 }], 'csa/not-a-record', 'with a positive filters, not 0'],
  [
    'a shape of half a batch',
    [{ ...shape, batch: 0.5 }],
    'csa/not-a-record',
    'with a positive batch, not 0.5',
  ],
  [
    'the name of a target',
    [shape, 'wasm'],
    'csa/not-a-record',
    "target: expected a target, as target('wasm') of @sconv/targets gives one, not 'wasm'",
  ],
  ['a machine for a target', [shape, wasm.machine], 'csa/not-a-record', 'target.machine: expected a machine'],
  [
    'a machine without caches',
    [shape, { ...wasm, machine: { memoryLatency: 300 } }],
    'csa/not-a-record',
    'target.machine.cache: expected its caches, not undefined',
  ],
  [
    'a target without microkernel',
    [shape, { machine: wasm.machine }],
    'csa/not-a-record',
    'target.microkernel: expected windows and filters, not undefined',
  ],
  [
    'a microkernel as text',
    [shape, { ...wasm, microkernel: { windows: '16', filters: 4 } }],
    'csa/not-positive',
    'microkernel.windows',
  ],
  [
    'a cache of no bytes',
    [
      shape,
      { ...wasm, machine: { ...wasm.machine, cache: { l1: { bytes: 0, lineBytes: 64, latency: 4 } } } },
    ],
    'csa/not-positive',
    'machine.cache.l1.bytes',
  ],
  [
    'no memory latency',
    [shape, { ...wasm, machine: { cache: {} } }],
    'csa/not-positive',
    'machine.memoryLatency',
  ],
  [
    'options that are a name',
    [shape, wasm, 'is'],
    'csa/not-a-record',
    "options: expected an object of options, not 'is'",
  ],
  [
    'an unknown option',
    [shape, wasm, { costmodel: 'sc' }],
    'csa/unknown-option',
    "costmodel: no option 'costmodel'; there are schedule, heuristic, costModel, fractions, edges; did you mean 'costModel'?",
  ],
  [
    'an unknown cost model',
    [shape, wasm, { costModel: 'trafic' }],
    'csa/unknown-name',
    "costModel: no costModel 'trafic'; there are sc, reference, traffic; did you mean 'traffic'?",
  ],
  [
    'an unknown heuristic',
    [shape, wasm, { heuristic: 'binarysearch' }],
    'csa/unknown-name',
    "heuristic: no heuristic 'binarysearch'; there are halving, binary-search, divisors, exhaustive; did you mean 'binary-search'?",
  ],
  [
    'an unknown schedule',
    [shape, wasm, { schedule: 'os' }],
    'csa/unknown-name',
    "no schedule 'os'; there are is, ws",
  ],
  [
    'edges that there is no code for',
    [shape, wasm, { edges: 'padded' }],
    'csa/unknown-name',
    "edges: no edges 'padded'; there are scalar, small, composed, transposed, best",
  ],
  [
    'fractions that are a number',
    [shape, wasm, { fractions: 0.9 }],
    'csa/not-a-record',
    'expected shares of l1, l2 and l3',
  ],
  [
    'the fraction of an unknown cache',
    [shape, wasm, { fractions: { l4: 0.9 } }],
    'csa/unknown-option',
    'fractions.l4:',
  ],
  ['no room in a cache', [shape, wasm, { fractions: { l2: 0 } }], 'csa/fraction', 'fractions.l2'],
  ['more room than there is', [shape, wasm, { fractions: { l1: 1.1 } }], 'csa/fraction', 'fractions.l1'],
];

describe.each([
  ['planConvolution', planConvolution],
  ['planForTarget', planForTarget],
] as const)('%s refuses', (_, plan) => {
  const call = plan as (...given: Arguments) => unknown;
  it.each(refused)('%s', (_what, [given, target = wasm, options], code, message) => {
    const planning = () => call(given, target, options);
    expect(planning).toThrow(expect.objectContaining({ name: 'CsaError', code }));
    expect(planning).toThrow(message);
  });
});

describe('planning takes', () => {
  it('options that are undefined for their defaults', () => {
    const defaults = {
      schedule: undefined,
      heuristic: undefined,
      costModel: undefined,
      fractions: undefined,
    };
    const call = planConvolution as (...given: Arguments) => unknown;
    expect(call(shape, wasm, { ...defaults, another: undefined })).toEqual(planConvolution(shape, wasm));
  });
  it('caches that are filled wholly', () => {
    const fractions = { l1: 1, l2: 1, l3: 1 };
    expect(planConvolution(shape, wasm, { fractions }).fractions).toEqual(fractions);
  });
  it('a machine without any cache', () => {
    const uncached = derive(wasm.machine, (draft) => {
      draft.cache = {};
      draft.sources = {};
    });
    const { nc, k2, k3 } = planConvolution(shape, { machine: uncached, microkernel: wasm.microkernel });
    expect({ nc, k2, k3 }).toEqual({
      nc: 64,
      k2: expect.any(Number) as number,
      k3: expect.any(Number) as number,
    });
  });
});

it('printShape refuses text', () => {
  expect(() => printShape('1x1x1x1,1x1x1x1' as unknown as typeof shape)).toThrow(
    expect.objectContaining({ code: 'csa/not-a-record' }),
  );
});
