import { parseShape, planForTarget } from '@sconv/csa';
import { error, fileLocation } from '@sconv/diagnostics';
import type { Operation } from '@sconv/ir';
import { wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { jsonReport, textReport } from '../src/run/report.ts';
import type { RunOutcome } from '../src/run/run-payload.ts';

const plan = {
  ...planForTarget(parseShape('2x6x9x11,5x6x3x2,s1x2,d2x1'), wasm),
  schedule: 'ws',
  nc: 3,
  k2: 4,
  k3: 5,
  remainders: { nc: 1, k2: 2, k3: 0 },
  microkernel: { windows: 8, filters: 4 },
  edges: { windows: 1, filters: 2 },
  edgeKind: 'composed',
} as const;

const planned = (changes: object = {}) => ({
  operation: {} as Operation,
  plan: { ...plan, ...changes },
});

const outcome: RunOutcome = {
  functionName: 'f',
  plans: [planned()],
  emulator: undefined,
  threads: 1,
  multiplyAdds: 6_000_000,
  microkernelMacShare: 0.98765,
  loadSeconds: 1.2345,
  firstCallSeconds: 0.0123456,
  time: { seconds: 0.004, least: 0.0035, greatest: 0.01234, runs: 7 },
  elements: 70,
  isChecked: true,
  comparison: { oracle: 'interpreter', mismatches: 0, maxAbsError: 0, isExact: true },
};

const shape = {
  text: '2x6x9x11,5x6x3x2,s1x2,d2x1',
  input: [2, 6, 9, 11],
  filters: [5, 6, 3, 2],
  output: [2, 5, 5, 5],
  strides: [1, 2],
  dilations: [2, 1],
};

const planOf = (schedule: string) => ({
  schedule,
  nc: 3,
  k2: 4,
  k3: 5,
  remainders: { nc: 1, k2: 2, k3: 0 },
  microkernel: { windows: 8, filters: 4 },
  edges: 'composed',
});

describe('the report for a person', () => {
  const lines = (changes: Partial<RunOutcome> = {}): readonly string[] =>
    textReport({ ...outcome, ...changes }, 'wasm').split('\n');

  it('has all that is known', () => {
    expect(textReport(outcome, 'wasm')).toMatchInlineSnapshot(`
      "function      @f on wasm
      convolution   2x6x9x11,5x6x3x2,s1x2,d2x1
      plan          WS (weight stationary), Nc 3, K2 4, K3 5, microkernel 8x4
      remainders    1 channel, 2 tiles of K2, 0 tiles of K3
      edges         composed: 1 window, 2 filters beyond full tiles
      microkernels  98.77 % of the multiply-adds
      load          1235 ms
      first call    12.3 ms
      time          4.00 ms, median of 7 (3.50 to 12.3)
      speed         3.00 GFLOP/s
      check         all 70 elements equal the interpreter
      "
    `);
  });
  it('has a part for each convolution', () => {
    const filters = { schedule: 'is', edges: { windows: 0, filters: 1 } };
    const none = { edges: { windows: 0, filters: 0 } };
    expect(lines({ plans: [planned(filters), planned(none)] }).slice(1, -7)).toEqual([
      'convolution   2x6x9x11,5x6x3x2,s1x2,d2x1',
      'plan          IS (input stationary), Nc 3, K2 4, K3 5, microkernel 8x4',
      'remainders    1 channel, 2 tiles of K2, 0 tiles of K3',
      'edges         composed: 0 windows, 1 filter beyond full tiles',
      'convolution   2x6x9x11,5x6x3x2,s1x2,d2x1',
      'plan          WS (weight stationary), Nc 3, K2 4, K3 5, microkernel 8x4',
      'remainders    1 channel, 2 tiles of K2, 0 tiles of K3',
    ]);
  });
  it('names the threads', () => {
    expect(lines({ threads: 2 })[0]).toBe('function      @f on wasm, 2 threads');
  });
  it.each([
    [
      { arenaBytes: 2 ** 20, liveBytes: 1_000_000, bufferBytes: 3 * 2 ** 20 },
      ['memory        0.954 MiB at once, of 3 MiB of buffers, in an arena of 1 MiB'],
    ],
    [
      { arenaBytes: 0, liveBytes: 2 ** 19, bufferBytes: 2 ** 19 },
      ['memory        0.5 MiB at once, of 0.5 MiB of buffers, allocated one by one'],
    ],
    [{ arenaBytes: 0, liveBytes: 0, bufferBytes: 0 }, []],
  ])('says what the buffers take: %j', (memory, expected) => {
    expect(lines({ memory }).filter((line) => line.startsWith('memory'))).toEqual(expected);
    expect(JSON.parse(jsonReport({ ...outcome, memory }, 'wasm'))).toMatchObject({ memory });
  });
  it('names an emulator, whose speed says nothing', () => {
    const emulated = lines({ emulator: 'qemu-ppc64le -cpu power10' });
    expect(emulated[0]).toBe('function      @f on wasm, run by qemu-ppc64le -cpu power10');
    expect(emulated.filter((line) => line.startsWith('speed'))).toEqual([]);
  });
  it('leaves out what is not known', () => {
    expect(lines({ plans: [], multiplyAdds: undefined, microkernelMacShare: undefined })).toEqual([
      'function      @f on wasm',
      'load          1235 ms',
      'first call    12.3 ms',
      'time          4.00 ms, median of 7 (3.50 to 12.3)',
      'check         all 70 elements equal the interpreter',
      '',
    ]);
  });
  it.each<[Partial<RunOutcome>, string]>([
    [{ comparison: undefined, isChecked: false }, 'not asked for (--check)'],
    [{ comparison: undefined }, 'not possible, see the warning'],
    [
      { comparison: { oracle: 'interpreter', mismatches: 3, maxAbsError: 0.5, isExact: true } },
      'FAILED: 3 of 70 elements differ from the interpreter, by up to 0.5; --tolerance allows for rounding',
    ],
    [
      { comparison: { oracle: 'interpreter', mismatches: 3, maxAbsError: 0.5, isExact: false } },
      'FAILED: 3 of 70 elements differ from the interpreter, by up to 0.5',
    ],
    [
      { comparison: { oracle: 'linear probe', mismatches: 1, maxAbsError: 2, isExact: true } },
      'FAILED: 1 windows differ from the linear probe, by up to 2',
    ],
    [
      { comparison: { oracle: 'linear probe', mismatches: 0, maxAbsError: 0, isExact: true } },
      'all 70 elements pass the linear probe (a random combination of filters) exactly',
    ],
    [
      { comparison: { oracle: 'linear probe', mismatches: 0, maxAbsError: 0.0123, isExact: false } },
      'all 70 elements pass the linear probe (a random combination of filters) within rounding (up to 0.012)',
    ],
    [
      {
        comparison: { oracle: 'reference convolution', mismatches: 0, maxAbsError: 1.234e-6, isExact: false },
      },
      'all 70 elements agree within rounding (up to 0.0000012) with the reference convolution',
    ],
  ])('says how the check went: %#', (changes, said) => {
    expect(lines(changes).at(-2)).toBe(`check         ${said}`);
  });
});

const profile = [
  {
    nodes: ['a', 'b'],
    operations: ['matmul', 'generic'],
    seconds: 0.003,
    multiplyAdds: 3e6,
    bytes: 6e6,
    weightBytes: 3e6,
    bound: { seconds: 0.0027, by: 'arithmetic' },
  },
  {
    nodes: ['c'],
    operations: ['pooling_nchw_max'],
    seconds: 0.001,
    multiplyAdds: 0,
    bytes: 1e6,
    weightBytes: 0,
    bound: { seconds: 0.0003, by: 'memory' },
  },
] as const;

it('has a table of the parts, and those that are below half of their bound', () => {
  const text = textReport({ ...outcome, profile }, 'wasm');
  expect(text.slice(text.indexOf('\n\n'))).toBe(`

       ms   share  GFLOP/s    GB/s  of bound  part
     3.00  75.0 %      2.0     3.0  90 % ops  a, b (matmul, generic)
     1.00  25.0 %              1.0  30 % mem  c (pooling_nchw_max)
     4.00                           75 %      all of them, one after the other

bound: the longer of its operations at the peak (ops), and of its inputs, weights and outputs, moved once (mem)
below half of it: 1 of 2 parts, 25.0 % of the time
     1.00  25.0 %              1.0  30 % mem  c (pooling_nchw_max)
`);
  const [{ bound: _, ...first }] = profile;
  expect(JSON.parse(jsonReport({ ...outcome, profile }, 'wasm'))).toMatchObject({
    profile: [{ ...first, boundSeconds: 0.0027, boundBy: 'arithmetic' }, { boundBy: 'memory' }],
    belowHalf: { parts: [1], share: 0.25 },
  });
});

it('counts plans where there are many', () => {
  const text = textReport({ ...outcome, plans: Array.from({ length: 9 }, () => planned()) }, 'wasm');
  expect(text).toContain('plans         of 9 convolutions and products (--json lists them)');
  expect(text).not.toContain('remainders');
});

describe('the report as JSON', () => {
  const document = (changes: Partial<RunOutcome>): unknown =>
    JSON.parse(jsonReport({ ...outcome, ...changes }, 'wasm'));

  it('has all that is known', () => {
    const warned = error('test/odd', 'it is odd', fileLocation('a.mlir', 3, 4));
    expect(JSON.parse(jsonReport(outcome, 'wasm', [warned]))).toEqual({
      version: 1,
      function: 'f',
      shape,
      plan: planOf('ws'),
      convolutions: [{ shape, product: null, plan: planOf('ws') }],
      mismatches: 0,
      maxAbsError: 0,
      elements: 70,
      oracle: 'interpreter',
      microkernelMacShare: 0.98765,
      loadSeconds: 1.2345,
      firstCallSeconds: 0.0123456,
      seconds: 0.004,
      peer: null,
      memory: null,
      profile: null,
      belowHalf: null,
      gflops: 3,
      threads: 1,
      emulator: null,
      target: 'wasm',
      diagnostics: [
        {
          severity: 'error',
          code: 'test/odd',
          message: 'it is odd',
          location: { file: 'a.mlir', line: 3, column: 4 },
          notes: [],
        },
      ],
    });
  });
  it.each([
    [
      [planned({ schedule: 'is' }), planned()],
      [
        { shape, plan: planOf('is') },
        { shape, plan: planOf('ws') },
      ],
    ],
    [[], []],
  ])('has no shape and plan of its own where there are several, or none: %#', (plans, convolutions) => {
    expect(document({ plans })).toMatchObject({ shape: null, plan: null, convolutions, diagnostics: [] });
  });
  it('has null for what is not known', () => {
    const unknown = { multiplyAdds: undefined, microkernelMacShare: undefined, comparison: undefined };
    expect(document(unknown)).toMatchObject({
      mismatches: null,
      maxAbsError: null,
      oracle: null,
      microkernelMacShare: null,
      gflops: null,
      seconds: 0.004,
    });
  });
});
