import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { afterAll, describe, expect, it } from 'vitest';
import type { TuningRecord } from '../src/index.ts';
import { openRecords, printRecord, readRecords, untuned } from '../src/index.ts';
import { key, planOf } from './support/planted.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let files = 0;
const newPath = (): string => join(folder, `${(files += 1)}.jsonl`);

const record = (count: number, others: Partial<TuningRecord> = {}): TuningRecord => ({
  schema_version: '1.0.0',
  timestamp: '2026-01-01T00:00:00.000Z',
  ...key,
  stage: 'screen',
  configuration: count === 0 ? untuned : { name: `p${count}`, plan: planOf(count) },
  objectives: ['seconds'],
  times: { compilation_time: 1, runtimes: [2], framework: 0, search_algorithm: 0, validation: 0 },
  invalidity: 'correct',
  correctness: 1,
  measurements: [{ name: 'seconds', value: 2, unit: 's' }],
  ...others,
});

const codes = (path: string): readonly string[] =>
  readRecords([path], { fingerprint: 'f', generator: 'g' }).diagnostics.map(({ code }) => code);

describe('reading', () => {
  it('gives what was written, merged by key: the last one of a key counts', () => {
    const path = newPath();
    const writer = unwrap(openRecords(path, false));
    const renamed = { ...record(1), configuration: { name: 'again', plan: planOf(1) } };
    unwrap(writer.add([record(0), record(1)]));
    unwrap(writer.add([record(2), renamed, record(1, { stage: 'final' })]));
    writer.close();
    const other = newPath();
    writeFileSync(other, printRecord(record(3)));
    const records = unwrap(readRecords([path, other]));
    expect([...records.values()].map(({ configuration: { name }, stage }) => `${name} ${stage}`)).toEqual([
      'untuned screen',
      'again screen',
      'p2 screen',
      'p1 final',
      'p3 screen',
    ]);
  });

  it.each([
    ['a line that was cut off', printRecord(record(1)).slice(0, 90), ['tuning/cut-line']],
    ['what is no record', '{"a": 1}\n[]\n', ['tuning/cut-line']],
    [
      'a field of another type',
      printRecord({ ...record(1), correctness: 'yes' as never }),
      ['tuning/cut-line'],
    ],
    [
      'times of which some are no numbers',
      printRecord(record(1, { times: { ...record(1).times, runtimes: ['long' as never, 2] } })),
      ['tuning/cut-line'],
    ],
    [
      'a selection of which some choices are no numbers',
      printRecord({
        ...record(1),
        configuration: { name: 'p1', plan: planOf(1), selection: { order: 1, size: 'large' } as never },
      }),
      ['tuning/cut-line'],
    ],
    ['another machine', printRecord(record(1, { fingerprint: 'other' })), ['tuning/foreign']],
    ['an old generator', printRecord(record(1, { generator: 'old' })).repeat(3), ['tuning/old']],
    ['nothing', '\n\n', []],
  ])('skips %s, with one line of reason', (_, text, expected) => {
    const path = newPath();
    writeFileSync(path, `${printRecord(record(2))}${text}`);
    expect(codes(path)).toEqual(expected);
    expect(readRecords([path], { fingerprint: 'f', generator: 'g' })).toMatchObject({
      value: { size: 1 },
    });
  });

  it('says where it cannot', () => {
    expect(codes(join(folder, 'none'))).toEqual(['tuning/cannot-read']);
  });
});

describe('writing', () => {
  it('adds to a file only if it is resumed, and ends a line that was cut off', () => {
    const path = newPath();
    writeFileSync(path, printRecord(record(1)));
    appendFileSync(path, '{"schema');
    expect(openRecords(path, false).diagnostics).toMatchObject([{ code: 'tuning/exists' }]);
    const writer = unwrap(openRecords(path, true));
    unwrap(writer.add([record(2)]));
    writer.close();
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
    expect(readRecords([path])).toMatchObject({
      value: { size: 2 },
      diagnostics: [{ code: 'tuning/cut-line', location: { line: 2 } }],
    });
  });

  it('says where it cannot', () => {
    expect(openRecords(join(folder, 'none', 'a'), false).diagnostics).toMatchObject([
      { code: 'tuning/cannot-write' },
    ]);
  });
});
