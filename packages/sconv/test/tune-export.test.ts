import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractionOf, convolutionOf, planForTarget, planWithTiling } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { wasm } from '@sconv/targets';
import type { TuningRecord } from '@sconv/tuning';
import { printRecord, tunedPlans, workloadText } from '@sconv/tuning';
import { describe, expect, it } from 'vitest';
import { compileModuleSync, parseModule, parseShape } from '../src/index.ts';
import { defaultRegistry } from '../src/default-registry.ts';
import { main } from '../src/sconv.ts';
import type { TunedPlans } from '../src/tuned-plan.ts';
import { exportSchedule } from '../src/tune/export-schedule.ts';
import { fingerprintFor, generatorHash } from '../src/tune/fingerprint.ts';
import { capture, fileWith, temporaryFolder } from './support/capture.ts';

/** A function of one op on three tensors. */
const payloadOf = (op: string, ...types: readonly string[]) => {
  const [a, b, c] = types.map((type) => `tensor<${type}>`);
  return `func.func @f(%a: ${a!}, %b: ${b!}, %c: ${c!}) -> ${c!} {
  %0 = ${op} ins(%a, %b : ${a!}, ${b!}) outs(%c : ${c!}) -> ${c!}
  return %0 : ${c!}
}
`;
};

const moduleOf = (text: string) => unwrap(parseModule(text, { registry: defaultRegistry }));

const window = (strides: string, dilations = '1, 1') =>
  `{dilations = dense<[${dilations}]> : tensor<2xi64>, strides = dense<[${strides}]> : tensor<2xi64>}`;

const nchw = payloadOf('linalg.conv_2d_nchw_fchw', '1x4x10x10xf32', '8x4x3x3xf32', '1x8x8x8xf32');

const record = (
  workload: string,
  plan: TuningRecord['configuration']['plan'],
  ratio = 0.5,
): TuningRecord => ({
  schema_version: '1.0.0',
  timestamp: '2026-01-01T00:00:00.000Z',
  workload,
  fingerprint: 'f',
  generator: 'g',
  protocol: '1 cold',
  stage: 'final',
  configuration: { name: 'p', plan },
  objectives: ['seconds'],
  times: { compilation_time: 1, runtimes: [2], framework: 0, search_algorithm: 0, validation: 0 },
  invalidity: 'correct',
  correctness: 1,
  measurements: [
    { name: 'ratio', value: ratio, unit: '' },
    { name: 'won', value: 1, unit: '' },
  ],
});

const known = new Map<string, readonly TuningRecord[]>();

/** A record for each contraction of a payload, with a plan that the analysis does not choose. */
const recordsOf = (text: string): readonly TuningRecord[] => {
  const made = known.get(text);
  if (made !== undefined) return made;
  const records: TuningRecord[] = [];
  const tuned: TunedPlans = {
    kind: 'tuned-plans',
    target: 'wasm',
    planOf: (problem, kernels) => {
      const tiling = { schedule: 'ws', nc: 1, k2: 1, k3: 1 } as const;
      const { tree } = planWithTiling(convolutionOf(problem)!, kernels.microkernel, tiling, 'scalar');
      records.push(record(workloadText(problem), tree));
      return { status: 'success', value: undefined, diagnostics: [] };
    },
  };
  unwrap(compileModuleSync(moduleOf(text), { tuned }));
  known.set(text, records);
  return records;
};

/** What a payload's plans are with these options. */
const plansOf = (text: string, options: Parameters<typeof compileModuleSync>[1]) => {
  const compiled = compileModuleSync(moduleOf(text), options);
  expect(compiled.diagnostics).toEqual([]);
  return unwrap(compiled).plans.map(({ plan }) => plan.tree);
};

describe('an exported schedule', () => {
  const cases = [
    ['NCHW', nchw],
    [
      'with strides and dilation',
      payloadOf(
        `linalg.conv_2d_nchw_fchw ${window('2, 1', '1, 2')}`,
        '1x4x11x14xf32',
        '8x4x3x3xf32',
        '1x8x5x10xf32',
      ),
    ],
    ['NHWC', payloadOf('linalg.conv_2d_nhwc_hwcf', '1x10x10x4xf32', '3x3x4x8xf32', '1x8x8x8xf32')],
    ['of bytes', payloadOf('linalg.conv_2d_nchw_fchw', '1x4x10x10xi8', '8x4x3x3xi8', '1x8x8x8xi32')],
    ['of integers', payloadOf('linalg.conv_2d_nchw_fchw', '1x4x10x10xi32', '8x4x3x3xi32', '1x8x8x8xi32')],
  ] as const;

  it.each(cases)('slices a convolution as the records do: %s', (_, text) => {
    const records = recordsOf(text);
    const library = unwrap(exportSchedule(records, wasm));
    const given = plansOf(text, { schedule: moduleOf(library) });
    expect(given).toEqual(plansOf(text, { tuned: tunedPlans(records, 'wasm') }));
    expect(given).not.toEqual(plansOf(text, {}));
  });

  it.each(cases)('leaves what differs: %s', (name, text) => {
    const records = cases.filter(([other]) => other !== name).flatMap(([, other]) => recordsOf(other));
    const library = unwrap(exportSchedule(records, wasm));
    const compiled = compileModuleSync(moduleOf(text), { schedule: moduleOf(library) });
    expect(compiled.diagnostics.map(({ code }) => code)).toEqual(['sconv/unscheduled']);
  });

  const has = spawnSync('mlir-opt-19', ['--version']).status === 0;
  it.skipIf(!has)('matches with what mlir-opt-19 has, too', () => {
    const library = unwrap(
      exportSchedule(
        cases.flatMap(([, text]) => recordsOf(text)),
        wasm,
      ),
    );
    // What slices is not upstream's.
    const noted = library.replace(
      /(@slice_(\d+)\()(%\w+)(: !transform.any_op) \{transform.consumed\}\) \{.*?transform.yield/gs,
      '$1$3$4 {transform.readonly}) {\n transform.annotate $3 "rule_$2" : !transform.any_op\n transform.yield',
    );
    const script = fileWith(noted, 'library.mlir');
    const payload = cases.map(([, text], i) => text.replace('@f', `@f${i}`)).join('');
    const { stdout, stderr } = spawnSync(
      'mlir-opt-19',
      [
        fileWith(payload),
        `--transform-preload-library=transform-library-paths=${script}`,
        '--transform-interpreter',
      ],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(stdout.match(/\brule_\d+/g)).toEqual(cases.map((_, i) => `rule_${i}`));
  });
});

describe('what is not exported', () => {
  const plan = planForTarget(parseShape('1x4x10x10,8x4x3x3'), wasm).tree;

  it('is what no named op computes: a warning', () => {
    const workload = workloadText({ ...contractionOf(parseShape('1x4x10x10,8x4x3x3')), elementType: 'f64' });
    const both = exportSchedule([...recordsOf(nchw), record(workload, plan)], wasm);
    expect(both.status).toBe('success');
    expect(both.diagnostics).toMatchObject([{ code: 'tune/no-op', severity: 'warning' }]);
  });

  it('is a plan without a gain; without any plan it fails', () => {
    const [only] = recordsOf(nchw);
    const { measurements } = record('', plan, 0.999);
    expect(exportSchedule([{ ...only!, measurements }], wasm).diagnostics).toMatchObject([
      { code: 'tune/no-plans' },
    ]);
  });
});

describe('sconv tune export', () => {
  it('writes what sconv run --schedule takes', async () => {
    const current = { fingerprint: await fingerprintFor(wasm, 1), generator: generatorHash() };
    const records = fileWith(
      recordsOf(nchw)
        .map((each) => printRecord({ ...each, ...current }))
        .join(''),
      'tuned.jsonl',
    );
    const library = join(temporaryFolder(), 'library.mlir');
    expect(await capture(main, 'tune', 'export', records, '-o', library)).toMatchObject({ code: 0, err: '' });
    const nowhere = join(temporaryFolder(), 'none', 'library.mlir');
    const refused = await capture(main, 'tune', 'export', records, '-o', nowhere);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(nowhere) as string });
    const run = await capture(main, 'run', fileWith(nchw), '--schedule', library, '--check', '--repeat', '1');
    expect(run.code).toBe(0);
    writeFileSync(records, printRecord(recordsOf(nchw)[0]!));
    const foreign = await capture(main, 'tune', 'export', records);
    expect(foreign.code).toBe(1);
    expect(foreign.err).toMatch(/\[tuning\/foreign\].*\[tune\/no-plans\]/s);
  });
});
