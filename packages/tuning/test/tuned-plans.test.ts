import { dim, identityMap, makeMap } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import type { Contraction } from '@sconv/plans';
import { describe, expect, it } from 'vitest';
import type { TuningRecord } from '../src/index.ts';
import { tunedPlans, workloadText } from '../src/index.ts';
import { key, planOf } from './support/planted.ts';

/** A sum of products over windows. */
const problemOf = (windows: number, elementType = 'f32'): Contraction => ({
  dimensions: [{ name: 'rows', extent: windows, iterator: 'parallel' }],
  operands: [
    { name: 'input', map: identityMap(1), sizes: [windows], bytes: 4 },
    { name: 'filters', map: makeMap(1, 0, []), sizes: [], bytes: 4 },
    { name: 'output', map: makeMap(1, 0, [dim(0)]), sizes: [windows], bytes: 4 },
  ],
  elementType,
});

const record = (windows: number, ratio: number, others: Partial<TuningRecord> = {}): TuningRecord => ({
  schema_version: '1.0.0',
  timestamp: '',
  ...key,
  workload: workloadText(problemOf(windows)),
  stage: 'final',
  configuration: { name: `p${windows}`, plan: planOf(windows) },
  objectives: [],
  times: { compilation_time: 0, runtimes: [], framework: 0, search_algorithm: 0, validation: 0 },
  invalidity: 'correct',
  correctness: 1,
  measurements: [
    { name: 'ratio', value: ratio, unit: '' },
    { name: 'won', value: 1, unit: '' },
  ],
  ...others,
});

describe('a plan of records', () => {
  const better = { configuration: { name: 'better', plan: { ...planOf(5), count: 1, step: 5 } as never } };
  it.each([
    ['is the one of the contraction', [record(5, 0.9), record(6, 0.8)], 5],
    ['is none of another contraction', [record(6, 0.8)], undefined],
    ['is none that is a tie', [record(5, 0.995)], undefined],
    ['is none of a stage before the last', [record(5, 0.9, { stage: 'confirm' })], undefined],
    ['is none that failed', [record(5, 0.9, { invalidity: 'timeout' })], undefined],
    [
      'is not the untuned one',
      [record(5, 0.9, { configuration: { name: 'untuned', plan: null } })],
      undefined,
    ],
    ['is the one that gained most', [record(5, 0.8), record(5, 0.9, better)], 5],
  ])('%s', (_, records, count) => {
    const plan = unwrap(tunedPlans(records, 'wasm').planOf(problemOf(5)));
    expect(plan).toEqual(count === undefined ? undefined : planOf(count));
  });

  it('is not used where it does not suit the contraction, with one warning', () => {
    const wrong = record(5, 0.9, { configuration: { name: 'wrong', plan: planOf(4) } });
    const tuned = tunedPlans([wrong], 'wasm');
    expect(tuned.planOf(problemOf(5))).toMatchObject({
      value: undefined,
      diagnostics: [{ code: 'tuning/unfit', severity: 'warning' }],
    });
    expect(tuned.planOf(problemOf(5))).toMatchObject({ value: undefined, diagnostics: [] });
  });
});

it('names a workload by extents, types and places', () => {
  expect(workloadText(problemOf(5))).toBe(
    'f32 | rows 5 | 4 bytes [5] (d0) -> (d0) | 4 bytes [] (d0) -> () | 4 bytes [5] (d0) -> (d0)',
  );
  expect(workloadText(problemOf(5, 'i32'))).not.toBe(workloadText(problemOf(5)));
});
