import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseShape, planForTarget } from '@sconv/csa';
import { target } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { convolutionPayload, targetSchedule, unwrap } from '../src/index.ts';
import { csaCommand } from '../src/commands/csa.ts';
import { main } from '../src/sconv.ts';
import { capture } from './support/capture.ts';

const listing1 = '1x32x152x152,256x32x3x3,s2';

/** Runs the command in this process: what it wrote, and how it ended. */
const run = async (
  ...args: readonly string[]
): Promise<{ output: string; error: string; exitCode: number }> => {
  let [output, error, exitCode] = ['', '', 0];
  const command = csaCommand((code) => (exitCode = code), {
    out: (text) => (output += text),
    err: (text) => (error += text),
    isTerminal: false,
  })
    .exitOverride()
    .configureOutput({ writeErr: (text) => (error += text) });
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (thrown) {
    return { output, error, exitCode: (thrown as { exitCode: number }).exitCode };
  }
  return { output, error, exitCode };
};

const folder = mkdtempSync(join(tmpdir(), 'sconv-csa-'));

const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const header = 'ID,NI,CI,HI,WI,NO,DO,HO,WO,HK,WK,HPTOP,HPBOTTOM,WPLEFT,WPRIGHT,HS,WS,HD,WD,GROUP,BIAS';
const rows = file('regular.csv', `${header}\n7,1,32,152,152,1,256,75,75,3,3,0,0,0,0,2,2,1,1,1,0\n`);
const configurations = file(
  'configs.json',
  JSON.stringify({
    small: {
      microkernel: { windows: 16, filters: 8 },
      cacheBytes: [32768, 1048576, 4194304],
      cacheFraction: 0.9,
      lineBytes: 128,
      latencyCycles: [2, 10, 30, 300],
    },
    'no-l3': {
      microkernel: { windows: 16, filters: 8 },
      cacheBytes: [32768, 1048576, 0],
      lineBytes: 64,
      latencyCycles: [2, 10, 30, 300],
    },
  }),
);

describe('sconv csa SHAPE', () => {
  it('prints the plan of Listing 1 with its reasons', async () => {
    const { output, exitCode } = await run(listing1);
    expect(exitCode).toBe(0);
    expect(output).toContain('IS, input stationary');
    expect(output).toMatch(/K3 +87 +input tiles +halved from 351: 175 would need 6.1 MiB of L3/);
  });

  it('prints one JSON document', async () => {
    const { output } = await run(listing1, '--json', '--target', 'avx2', '--cost-model', 'traffic');
    expect(JSON.parse(output)).toMatchObject({
      version: 1,
      plans: [
        {
          microkernel: { windows: 24, filters: 4 },
          costModel: 'traffic',
          explanation: { shape: listing1 },
          edgeKind: 'transposed',
          tree: { kind: 'split', dimension: 'windows' },
        },
      ],
    });
  });

  it.each([
    [listing1, [], '9x8'],
    ['1x32x5x5,256x32x1x1', ['--edges', 'small'], '9x8'],
    ['1x32x5x5,256x32x1x1', ['--edges', 'composed'], '13x8'],
  ])('plans %s with smaller microkernels at the edges: %j', async (shape, edges, microkernel) => {
    expect((await run(shape, ...edges)).output).toMatch(
      new RegExp(`^ +windows .*: Nc = \\d+, K2 = \\d+, K3 = \\d+, microkernel ${microkernel}$`, 'm'),
    );
  });

  it('leaves the edges scalar where it is told to', async () => {
    expect((await run(listing1, '--edges', 'scalar')).output).toContain('edge, less than a tile, not packed');
  });

  it.each(['is', 'ws'])('draws %s', async (schedule) => {
    const path = join(folder, `${schedule}.svg`);
    expect((await run(listing1, '--schedule', schedule, '--svg', path)).exitCode).toBe(0);
    const svg = readFileSync(path, 'utf8');
    expect(svg).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(svg).toContain(schedule === 'is' ? 'input stationary' : 'weight stationary');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('sconv csa --shapes', () => {
  it('writes a line for each row and configuration', async () => {
    const { output } = await run(
      '--shapes',
      rows,
      '--config',
      configurations,
      '--jsonl',
      '--cost-model',
      'reference',
    );
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toMatchObject([
      {
        version: 1,
        config: 'small',
        dataset: 'regular',
        id: 7,
        schedule: 'is',
        nc: 32,
        k2: 32,
        k3: 87,
        is: { k2: 32, k3: 87 },
      },
      { config: 'no-l3', dataset: 'regular', id: 7, nc: 32, is: { k3: 351 } },
    ]);
  });
});

describe('the lines of sconv csa --shapes', () => {
  const row = (id: string, filters: number): string =>
    `${id},1,8,16,16,1,${filters},16,16,1,1,0,0,0,0,1,1,1,1,1,0`;
  const [first, second] = [
    file('first', `${header}\n${row('a1', 16)}\n${row('2', 64)}\n`),
    file('second.csv', `${header}\n${row('', 32)}\n`),
  ];
  const parsed = async (
    ...args: readonly string[]
  ): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { output, error } = await run(...args);
    expect(error).toBe('');
    return output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  };

  it('come by configuration, file and row', async () => {
    const lines = await parsed('--shapes', first, '--shapes', second, '--config', configurations);
    expect(lines.map(({ config, dataset, id }) => [config, dataset, id])).toEqual([
      ['small', 'first', 'a1'],
      ['small', 'first', 2],
      ['small', 'second', ''],
      ['no-l3', 'first', 'a1'],
      ['no-l3', 'first', 2],
      ['no-l3', 'second', ''],
    ]);
  });
  it('have the plan, and the best of both schedules', async () => {
    const options = {
      costModel: 'reference',
      heuristic: 'exhaustive',
      schedule: 'ws',
      edges: 'small',
    } as const;
    const flags = [
      '--cost-model',
      'reference',
      '--heuristic',
      'exhaustive',
      '--schedule',
      'ws',
      '--edges',
      'small',
    ];
    const plan = planForTarget(parseShape('1x8x16x16,32x8x1x1'), target('avx2'), {
      ...options,
      fractions: { l1: 0.5, l2: 0.5, l3: 0.5 },
    });
    const candidate = (schedule: 'is' | 'ws') => {
      const { k2, k3, cost } = plan.candidates[schedule];
      return { k2, k3, cost: cost.cycles };
    };
    expect(await parsed('--shapes', second, '--target', 'avx2', '--fraction', '0.5', ...flags)).toEqual([
      {
        version: 1,
        config: 'avx2',
        dataset: 'second',
        id: '',
        schedule: 'ws',
        nc: plan.nc,
        k2: plan.k2,
        k3: plan.k3,
        is: candidate('is'),
        ws: candidate('ws'),
      },
    ]);
  });
  it('take the share of caches of the configuration, unless another is given', async () => {
    const fraction = (share: number, ...args: readonly string[]) => {
      const content = {
        a: {
          microkernel: { windows: 16, filters: 8 },
          cacheBytes: [32768, 65536, 131072],
          cacheFraction: share,
          lineBytes: 64,
          latencyCycles: [2, 10, 30, 300],
        },
      };
      return parsed('--shapes', rows, '--config', file('share.json', JSON.stringify(content)), ...args);
    };
    expect(await fraction(0.9)).not.toEqual(await fraction(0.3));
    expect(await fraction(0.9, '--fraction', '0.3')).toEqual(await fraction(0.3));
    expect(await fraction(0.3, '--fraction', '0.9')).toEqual(await fraction(0.9));
  });
});

describe('options of sconv csa', () => {
  const plansOf = async (...args: readonly string[]) => {
    const { output } = await run(...args, '--json');
    return (JSON.parse(output) as { plans: readonly Readonly<Record<string, unknown>>[] }).plans;
  };

  it('are those of the plan', async () => {
    const flags = [
      '--heuristic',
      'divisors',
      '--cost-model',
      'traffic',
      '--schedule',
      'ws',
      '--edges',
      'scalar',
    ];
    expect(await plansOf(listing1, ...flags, '--fraction', '0.5', '--microkernel', '4x2')).toMatchObject([
      {
        heuristic: 'divisors',
        costModel: 'traffic',
        schedule: 'ws',
        forced: true,
        edgeKind: 'scalar',
        fractions: { l1: 0.5, l2: 0.5, l3: 0.5 },
        microkernel: { windows: 4, filters: 2 },
      },
    ]);
    expect(await plansOf(listing1)).toMatchObject([
      { heuristic: 'halving', costModel: 'sc', forced: false, fractions: { l1: 0.9, l2: 0.9, l3: 0.9 } },
    ]);
  });
  it('may be the whole of the caches, and the machine at hand', async () => {
    expect(await plansOf(listing1, '--fraction', '1')).toMatchObject([{ fractions: { l1: 1 } }]);
    expect((await run(listing1, '--target', 'host')).exitCode).toBe(0);
  });
  it('may be several shapes', async () => {
    const other = '1x8x16x16,32x8x1x1';
    expect(await plansOf(listing1, other)).toHaveLength(2);
    expect((await run(listing1, other)).output).toBe(
      `${(await run(listing1)).output}\n${(await run(other)).output}`,
    );
  });
  it.each([
    ['--fraction', '0', 'a number above 0 and up to 1'],
    ['--fraction', '1.1', 'a number above 0 and up to 1'],
    ['--fraction', 'x', 'a number above 0 and up to 1'],
    ['--microkernel', '16', 'write it as WINDOWSxFILTERS, as in 16x8'],
    ['--microkernel', '16x8x4', 'write it as WINDOWSxFILTERS, as in 16x8'],
    ['--microkernel', '0x8', 'must be a positive integer'],
  ])('are refused: %s %s', async (flag, value, message) => {
    const { code, out, err } = await capture(main, 'csa', listing1, flag, value);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

it('sconv csa --shapes without configurations plans for the target', async () => {
  const { output } = await run('--shapes', rows, '--target', 'avx2', '--jsonl');
  const { output: other } = await run('--shapes', rows, '--jsonl');
  expect([output, other].map((line) => (JSON.parse(line) as { config: string }).config)).toEqual([
    'avx2',
    'default',
  ]);
  const plan = planForTarget(parseShape(listing1), target('avx2'), { heuristic: 'halving', edges: 'best' });
  expect(JSON.parse(output)).toMatchObject({
    schedule: plan.schedule,
    nc: plan.nc,
    k2: plan.k2,
    k3: plan.k3,
  });
});

it.each(['avx2', 'avx512', 'wasm', 'mma'])(
  'sconv csa plans the same for %s, given a shape or a row of it',
  async (name) => {
    // 49 windows, which fill few of the larger tiles.
    const row = '7,1,64,7,7,1,64,7,7,1,1,0,0,0,0,1,1,1,1,1,0';
    const small = file('small.csv', `${header}\n${row}\n`);
    const line = (await run('--shapes', small, '--target', name)).output;
    const document = (await run('1x64x7x7,64x64x1x1', '--target', name, '--json')).output;
    const [{ schedule, nc, k2, k3 }] = (JSON.parse(document) as { plans: [Record<string, unknown>] }).plans;
    expect(JSON.parse(line)).toMatchObject({ schedule, nc, k2, k3 });
  },
);

it('sconv csa explains the plan that a program for the target gets', async () => {
  const shape = '1x8x20x20,16x8x3x3';
  const text = convolutionPayload({ input: [1, 8, 20, 20], filters: [16, 8, 3, 3] });
  for (const name of ['zen4', 'avx2', 'wasm']) {
    const document = (await run(shape, '--target', name, '--json')).output;
    const [explained] = (JSON.parse(document) as { plans: [Record<string, unknown>] }).plans;
    const [planned] = unwrap(targetSchedule(text, target(name))).plans;
    const { schedule, nc, k2, k3 } = planned!.plan;
    expect(explained, name).toMatchObject({ schedule, nc, k2, k3 });
  }
});

describe('bad usage', () => {
  it.each([
    [[], /give a SHAPE/],
    [['1x2'], /input: '1x2' is not of the form NxCxHxW/],
    [['1x0x8x8,8x0x1x1'], /inputChannels: must be a positive integer/],
    [[listing1, '--target', 'vax'], /no target 'vax'; there are host, wasm.*, default$/m],
    [[listing1, '--target', 'avx-2'], /; did you mean 'avx2'\?/],
    [[listing1, '--target', 'hots'], /; did you mean 'host'\?/],
    [[listing1, listing1, '--svg', join(folder, 'two.svg')], /--svg draws one shape/],
    [[listing1, '--config', configurations], /--config and --jsonl go with --shapes/],
    [
      ['--shapes', rows, '--config', configurations, '--target', 'avx2'],
      /--target cannot be given with --config, which has machines and microkernels/,
    ],
    [['--shapes', rows, '--config', configurations, '--microkernel', '4x4'], /--microkernel cannot be given/],
    [[listing1, '--jsonl'], /--config and --jsonl go with --shapes/],
    [['--shapes', rows, listing1], /--shapes writes JSON lines: no SHAPE, --svg or --json with it/],
    [['--shapes', rows, '--svg', join(folder, 'no.svg')], /--shapes writes JSON lines/],
    [['--shapes', rows, '--json'], /--shapes writes JSON lines/],
    [['--shapes', file('bad.csv', 'ID,NI\n3,1\n')], /bad.csv, row 3: CI: no such column/],
    [['--shapes', file('none.csv', 'NI\n1\n')], /none.csv, row \?: CI: no such column/],
    [['--shapes', rows, '--shapes', file('empty.csv', '')], /empty.csv has no rows to plan/],
    [['--shapes', file('header.csv', 'ID\n')], /header.csv has no rows to plan/],
    [['--shapes', '-', '--config', '-'], /the standard input, -, can be one file only/],
    [['--shapes', rows, '--config', file('bad.json', '{"a": 1}')], /a: expected an object with microkernel/],
    [['--shapes', rows, '--config', file('worse.json', '{')], /worse.json: /],
  ])('%j exits with 2 and says why', async (args, message) => {
    const { error, exitCode, output } = await run(...args);
    expect(error).toMatch(message);
    expect(exitCode).toBe(2);
    expect(output).toBe('');
  });
});

it.each([
  [[listing1, '--svg', join(folder, 'nowhere', 'a.svg')], /a\.svg:1:1: error: cannot write: ENOENT/],
  [['--shapes', join(folder, 'no.csv')], /no\.csv:1:1: error: cannot read: ENOENT.*\[sconv\/cannot-read\]/],
  [['--shapes', rows, '--config', join(folder, 'none.json')], /none\.json:1:1: error: cannot read: ENOENT/],
])('%j exits with 1, as a file cannot be read or written', async (args, message) => {
  const { error, exitCode, output } = await run(...args);
  expect(error).toMatch(message);
  expect([exitCode, output]).toEqual([1, '']);
});

describe('a configuration that is none', () => {
  const right = {
    microkernel: { windows: 16, filters: 8 },
    cacheBytes: [32768, 1048576, 4194304],
    cacheFraction: 0.9,
    lineBytes: 128,
    latencyCycles: [2, 10, 30, 300],
  };
  it.each<[string, unknown, string]>([
    ['file', [right], 'expected an object of configurations'],
    ['object', { a: 1 }, 'a: expected an object with microkernel, cacheBytes, lineBytes and latencyCycles'],
    ['microkernel', { a: { ...right, microkernel: 8 } }, 'a: expected an object with microkernel'],
    ['windows', { a: { ...right, microkernel: { windows: 'x', filters: 8 } } }, 'a.microkernel.windows: expected a number from 0, found "x"'],
    ['filters', { a: { ...right, microkernel: { windows: 8 } } }, 'a.microkernel.filters: expected a number from 0, found undefined'],
    ['caches', { a: { ...right, cacheBytes: 1 } }, 'a.cacheBytes: expected a list of numbers'],
    ['a cache', { a: { ...right, cacheBytes: [1, -1, 1] } }, 'a.cacheBytes[1]: expected a number from 0, found -1'],
    ['lines', { a: { ...right, lineBytes: null } }, 'a.lineBytes: expected a number from 0, found null'],
    ['latencies', { a: { ...right, latencyCycles: [1, 2, 3] } }, 'a.latencyCycles: expected four numbers: L1, L2, L3, memory'],
    ['a latency', { a: { ...right, latencyCycles: [1, 2, 3, '4'] } }, 'a.latencyCycles[3]: expected a number from 0, found "4"'],
    ['fraction', { a: { ...right, cacheFraction: 'x' } }, 'a.cacheFraction: expected a number from 0, found "x"'],
  ])('%s', async (_, content, message) => {
    const { error, exitCode } = await run('--shapes', rows, '--config', file('config.json', JSON.stringify(content)));
    expect(error).toContain(message);
    expect(exitCode).toBe(2);
  }); // prettier-ignore
});

describe('a name that there is not', () => {
  it.each([
    ['--cost-model', 'trafic', /no cost model 'trafic'; there are .*; did you mean 'traffic'\?/],
    ['--heuristic', 'divisor', /no heuristic 'divisor'; there are .*; did you mean 'divisors'\?/],
    ['--edges', 'padded', /no kind of edges 'padded'; there are scalar, small, composed, transposed, best/],
    ['--schedule', 'IS', /no schedule 'IS'; there are is, ws; did you mean 'is'\?/],
  ])('%s %s gets a suggestion', async (flag, name, message) => {
    const { code, out, err } = await capture(main, 'csa', listing1, flag, name);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });
});

it('plans a matrix product as the convolution of one tap that it is', async () => {
  const product = (await run('128x196x64', '--target', 'avx2', '--json')).output;
  expect(product).toEqual((await run('1x64x196x1,128x64x1x1', '--target', 'avx2', '--json')).output);
  const products = JSON.parse((await run('3x128x196x64', '--target', 'avx2', '--json')).output) as {
    plans: readonly { shape: { groups: number } }[];
  };
  expect(products.plans.map(({ shape }) => shape.groups)).toEqual([3]);
  const { error, exitCode } = await run('128x0x64');
  expect([exitCode, error]).toEqual([2, expect.stringContaining('inputHeight')]);
});
