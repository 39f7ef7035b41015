import { wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../src/index.ts';
import type { RunRequest } from '../src/run/run-payload.ts';
import { runPayload } from '../src/run/run-payload.ts';
import { payload, slicing } from './support/capture.ts';
import { workers } from './support/workers.ts';

const request = (text: string, changes: Partial<RunRequest> = {}): RunRequest => ({
  payload: { name: 'in.mlir', text },
  schedule: undefined,
  target: wasm,
  edges: 'best',
  functionName: undefined,
  inputs: [],
  check: true,
  repeat: 1,
  threads: 1,
  workers,
  ...changes,
});

const run = async (text: string, changes: Partial<RunRequest> = {}) =>
  unwrap(await runPayload(request(text, changes)));

/** The code and the message of a failure. */
const failure = async (text: string, changes: Partial<RunRequest> = {}): Promise<string> => {
  const { status, diagnostics } = await runPayload(request(text, changes));
  expect(status).toBe('definite');
  return diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n');
};

const small = payload('1x2x4x5', '4x2x1x1', '1x4x4x5');
const named = (name: string, text = small): string => text.replace('@conv', `@${name}`);
describe('what is done', () => {
  const compiling = ['compiling', 'compiling', 'compiling'];
  it.each([
    [true, ['parsing', 'scheduling', ...compiling, 'running', 'checking']],
    [false, ['parsing', 'scheduling', ...compiling, 'running']],
  ])('is said step by step, with a check: %s', async (check, expected) => {
    const steps: string[] = [];
    await run(small, { check, onProgress: (what) => steps.push(what) });
    expect(steps).toEqual(expected);
  });
});

describe('the outcome', () => {
  it('has the work of a run, and the part of it that microkernels do', async () => {
    const schedule = { name: 's.mlir', text: slicing('mk_info = [8, 4]') };
    // 20 windows, of which 16 are in full tiles, times 4 filters times 2 channels.
    expect(await run(small, { schedule, repeat: 3 })).toMatchObject({
      functionName: 'conv',
      multiplyAdds: 160,
      microkernelMacShare: 0.8,
      elements: 80,
      isChecked: true,
      comparison: { oracle: 'reference convolution', mismatches: 0 },
      time: { runs: 3 },
      plans: [{ plan: { microkernel: { windows: 8, filters: 4 } } }],
    });
  });
  it.each(['small', 'scalar'] as const)('is planned with the edges that are asked for: %s', async (edges) => {
    const [{ plan } = { plan: undefined }] = (await run(payload(), { edges })).plans;
    expect(plan).toMatchObject({ edgeKind: edges });
  });
  it('has nothing of a check that is not asked for', async () => {
    expect(await run(small, { check: false })).toMatchObject({
      isChecked: false,
      comparison: undefined,
      elements: 80,
    });
  });
  it('has no share of work where there is none', async () => {
    const outcome = await run('func.func @f(%a: f32) -> (f32, f32) { return %a, %a : f32, f32 }');
    expect(outcome).toMatchObject({
      multiplyAdds: 0,
      microkernelMacShare: undefined,
      elements: 2,
      plans: [],
    });
  });
  it('has no work where its amount is not known', async () => {
    const loop = `func.func @f(%n: index, %m: memref<1xindex>, %a: memref<2x2xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %to = memref.load %m[%c0] : memref<1xindex>
      scf.for %i = %c0 to %to step %c1 {
        linalg.matmul ins(%a, %a : memref<2x2xf32>, memref<2x2xf32>) outs(%a : memref<2x2xf32>)
      }
      return
    }`;
    expect(await run(loop, { check: false })).toMatchObject({
      multiplyAdds: undefined,
      microkernelMacShare: undefined,
      elements: 4,
    });
  });
  it('counts the elements of buffers that are written, where there are no results', async () => {
    const fill = `func.func @f(%x: f32, %a: memref<3xf32>, %b: memref<5xf32>, %c: memref<7xf32>) {
      linalg.fill ins(%x : f32) outs(%a : memref<3xf32>)
      linalg.fill ins(%x : f32) outs(%c : memref<7xf32>)
      return
    }`;
    expect(await run(fill)).toMatchObject({
      elements: 10,
      comparison: { oracle: 'interpreter', mismatches: 0 },
    });
  });
  it('is that of the first run, whatever the later ones make of its buffers', async () => {
    const add = `func.func @f(%a: memref<3xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : memref<3xf32>) {
      ^bb0(%x: f32):
        %one = arith.constant 1.0 : f32
        %y = arith.addf %x, %one : f32
        linalg.yield %y : f32
      }
      return
    }`;
    expect(await run(add, { repeat: 4 })).toMatchObject({ comparison: { mismatches: 0, isExact: true } });
    const data = new Uint8Array(Float32Array.of(0.5, 0.25, 1e9).buffer);
    const inputs = [{ name: 'a.f32', bytes: data }];
    expect(await run(add, { inputs })).toMatchObject({ comparison: { mismatches: 0, isExact: false } });
  });
});

describe('the function', () => {
  it('is the only one that has a body', async () => {
    const declaration = 'func.func private @elsewhere(f32) -> f32\n';
    expect(await run(`${declaration}${small}`)).toMatchObject({ functionName: 'conv' });
    expect(await failure(declaration)).toBe('run/no-function: the payload has no function to run');
    expect(await failure('')).toBe('run/no-function: the payload has no function to run');
  });
  it('is named where there are several', async () => {
    const two = `${named('a')}${named('b')}`;
    expect(await failure(two)).toBe('run/which-function: which function? there are @a, @b');
    expect(await run(two, { functionName: 'b' })).toMatchObject({ functionName: 'b', plans: [{}] });
    expect(await failure(two, { functionName: 'c' })).toBe(
      "run/no-function: no function 'c'; there are a, b",
    );
    expect(await failure(small, { functionName: 'c' })).toContain(
      "run/no-function: no function 'c'; there are conv",
    );
  });
  it('has its own plans alone', async () => {
    const wide = payload('1x3x9x9', '5x3x3x3', '1x5x7x7');
    const { plans } = await run(`${named('a')}${named('b', wide)}`, { functionName: 'b' });
    expect(plans).toMatchObject([{ plan: { shape: { inputChannels: 3 } } }]);
  });

  const buffers = ['1x1x2x2', '1x1x1x1', '1x1x2x2'].map((size) => `memref<${size}xf32>`);
  const [a, f, b] = buffers;
  const parameters = `%a: ${a}, %f: ${f}, %b: ${b}`;
  const convolving = (name: string, more = ''): string => `func.func @${name}(${parameters}) {
    linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%a, %f : ${a}, ${f}) outs(%b : ${b})
    ${more}
    return
  }`;
  const calling = (name: string, ...callees: readonly string[]): string => {
    const calls = callees.map((callee) => `call @${callee}(%a, %f, %b) : (${buffers.join(', ')}) -> ()`);
    return `func.func @${name}(${parameters}) {\n${calls.join('\n')}\nreturn\n}`;
  };
  it.each([
    ['f', 1],
    ['g', 1],
    ['h', 2],
    ['i', 0],
  ])(
    'is warned of for each convolution that it runs as it is written, or calls for: @%s',
    async (functionName, count) => {
      const functions = [
        convolving('f'),
        calling('g', 'f', 'f'),
        calling('h', 'g', 'h2'),
        convolving('h2'),
        'func.func @i() { return }',
      ];
      const { diagnostics } = await runPayload(request(functions.join('\n'), { functionName }));
      expect(diagnostics.filter(({ code }) => code === 'sconv/unscheduled')).toHaveLength(count);
    },
  );
  it('is shared out over threads, and is right', async () => {
    const large = payload('1x32x20x20', '64x32x3x3', '1x64x18x18');
    const outcome = await run(large, { threads: 2, repeat: 3 });
    expect(outcome).toMatchObject({
      threads: 2,
      multiplyAdds: 64 * 32 * 9 * 18 * 18,
      plans: [{ plan: { shape: { outputHeight: 3, filters: 64 } } }],
      time: { runs: 3 },
      comparison: { mismatches: 0, oracle: 'reference convolution' },
    });
    const zero = '%z = arith.constant 0 : i32\nmemref.store %z, %o[%i] : memref<2xi32>';
    const ending = `func.func @f(%o: memref<2xi32>) {
  scf.forall (%i) in (2) { ${zero} }
  %zero = arith.constant 0 : index
  %old = memref.load %o[%zero] : memref<2xi32>
  %q = arith.divsi %old, %old : i32
  return
}`;
    expect(await failure(ending, { threads: 2, check: false })).toContain('wasm/division-by-zero');
  });
  it('ends where one of its runs does', async () => {
    const zero = '%z = arith.constant 0 : i32\n%q = arith.divsi %z, %z : i32';
    const divides = `func.func @f() -> i32 {\n${zero}\nreturn %q : i32\n}`;
    expect(await failure(divides)).toContain('wasm/division-by-zero');
    const inputs = [{ name: 'x', bytes: new Uint8Array(1) }];
    expect(await failure(divides, { inputs })).toContain('run/inputs');
  });
  it('fails as the schedule does that is given', async () => {
    const schedule = { name: 's.mlir', text: '' };
    expect(await failure(small, { schedule })).toBe('sconv/empty-schedule: the schedule is empty');
    expect(await failure('func')).toContain('parse/');
  });
});
