/** `tune` of a schedule that leaves choices open, and `sconv tune --schedule`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import type { TuningRecord } from '@sconv/tuning';
import { afterAll, expect, it } from 'vitest';
import { convolutionPayload, parseModule, parseShape, specOfShape } from '../src/index.ts';
import { defaultRegistry } from '../src/default-registry.ts';
import { tune } from '../src/node.ts';
import { main } from '../src/sconv.ts';
import { scheduleSubject } from '../src/tune/schedule-subject.ts';
import { capture, fileWith } from './support/capture.ts';
import { isThorough } from './support/thorough.ts';

const folder = mkdtempSync(join(tmpdir(), 'tune-schedule-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const any = '!transform.any_op';

const script = (body: string): string => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: ${any} {transform.consumed}) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (${any}) -> ${any}
    ${body}
    transform.yield
  }
}`;

/** Tiles filters by a knob that 8 filters are divisible by, or not, and rows or not. */
const open = script(`%t = transform.tune.knob<"tile"> options = [2, 3, 16] -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %conv tile_sizes [0, %t] : (${any}, !transform.param<i64>) -> (${any}, ${any})
    transform.tune.alternatives<"rows"> {
      %inner, %rows = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 3] : (${any}) -> (${any}, ${any})
    }, { }`);

const shape = '1x4x8x8,8x4x3x3';
const payload = convolutionPayload({ ...specOfShape(parseShape(shape)), accumulate: false });
const parsed = (text: string) => unwrap(parseModule(text, { registry: defaultRegistry }));

it('proposes each selection once', () => {
  const [definition] = payload.root.regions[0]!.blocks[0]!.operations;
  const subject = unwrap(scheduleSubject(parsed(open), definition!, 3));
  const candidates = [...subject.propose([], 4), ...subject.propose([], 9)];
  expect(candidates.map(({ name }) => name).sort()).toEqual(
    ['2', '3', '16'].flatMap((size) => [0, 1].map((rows) => `tile = ${size} : i64, rows = ${rows}`)).sort(),
  );
  expect(subject.propose([], 1)).toEqual([]);
});

it.runIf(isThorough)('measures selections, and keeps records of them', { timeout: 240_000 }, async () => {
  const path = join(folder, 'records.jsonl');
  const words = ['--schedule', fileWith(open), '--warm', '--budget', '2s', '--output', path, '--json'];
  const { out, err, code } = await capture(main, 'tune', shape, ...words);
  expect([code, err]).toEqual([0, '']);
  const report = JSON.parse(out) as { workloads: { workload: string; finals: { name: string }[] }[] };
  const [only, ...others] = report.workloads;
  expect(others).toEqual([]);
  expect(only!.workload).toMatch(/^schedule [0-9a-f]{16} of tile, rows$/);
  expect(only!.finals[0]!.name).toBe('untuned');
  const records = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TuningRecord);
  const chosen = records.filter(({ configuration }) => configuration.selection !== undefined);
  expect(chosen.length).toBeGreaterThan(0);
  for (const { configuration } of chosen) {
    const { plan, selection, name } = configuration;
    expect(plan).toBeNull();
    expect(Object.keys(selection!)).toEqual(['tile', 'rows']);
    expect(name).toContain(`rows = ${selection!['rows']!}`);
  }
});

it.each([
  [script(''), 'tune/no-choices'],
  [script('%t = transform.tune.knob<"t"> options = "any" -> !transform.any_param'), 'transform/tune-options'],
])('refuses a schedule without choices for a tuner: %#', async (text, code) => {
  const { diagnostics } = await tune(payload, { schedule: parsed(text) });
  expect(diagnostics.map((each) => each.code)).toEqual([code]);
});

it.each([[['--jobs', '2']], [['--strategy', 'paper']], [['--work', 'x']]])(
  'goes without %j',
  async (words) => {
    const { code, err } = await capture(main, 'tune', shape, '--schedule', 'none.mlir', ...words);
    expect(code).toBe(2);
    expect(err).toContain(`${words[0]!} is of plans`);
  },
);

it('says that a file is not there', async () => {
  const { code, err } = await capture(main, 'tune', shape, '--schedule', 'none.mlir');
  expect([code, err.includes('[sconv/cannot-read]')]).toEqual([1, true]);
});
