import { unwrap } from '@sconv/diagnostics';
import { parseModule, printModule } from '@sconv/ir';
import { runSchedule } from '@sconv/transform';
import { describe, expect, it } from 'vitest';
import { defaultRegistry as registry } from '../src/default-registry.ts';
import { compileModule, convolutionPayload, explicitGemm, implicitGemm, nchwc, wasm } from '../src/index.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith, payload } from './support/capture.ts';

const text = payload('2x8x12x12', '16x8x3x3', '2x16x10x10');
const read = (source: string) => unwrap(parseModule(source, { registry }));
const print = (module: ReturnType<typeof read>) => printModule(module, { registry });

describe.each(['explicit-gemm', 'implicit-gemm', 'nchwc'])('--schedule %s', (name) => {
  it('runs a convolution, and prints the schedule that does', async () => {
    const path = fileWith(text);
    const ran = await capture(main, 'run', path, '--schedule', name, '--check', '--repeat', '1');
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(ran.out).toContain('all 3200 elements');
    const printed = await capture(main, 'schedule', path, '--schedule', name);
    expect([printed.code, printed.err]).toEqual([0, '']);
    const scheduled = unwrap(runSchedule(read(printed.out), read(text), { registry })).module;
    expect(print(scheduled)).not.toContain('conv_2d');
    const schedule = { 'explicit-gemm': explicitGemm, 'implicit-gemm': implicitGemm, nchwc }[name]!;
    const compiled = unwrap(await compileModule(read(text), { schedule }));
    // Its schedule asserts no extents, and is otherwise the same.
    expect(print(compiled.stages.scheduled)).toBe(print(scheduled));
    compiled.dispose();
  });

  it('leaves what is no convolution to the plan for the target', async () => {
    const product = `func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}`;
    const path = fileWith(product);
    const usual = await capture(main, 'schedule', path);
    const { out } = await capture(main, 'schedule', path, '--schedule', name);
    const [own, others] = [usual.out, out].map((script) =>
      print(unwrap(runSchedule(read(script), read(product), { registry })).module),
    );
    expect(others).toBe(own);
  });
});

const spec = { input: [1, 8, 12, 12], filters: [16, 8, 3, 3], accumulate: false } as const;
const scheduledBy = async (schedule: typeof nchwc, options: Partial<typeof spec> & object = {}) => {
  const compiled = unwrap(await compileModule(convolutionPayload({ ...spec, ...options }), { schedule }));
  compiled.dispose();
  return print(compiled.stages.scheduled);
};

describe('implicit GEMM', () => {
  it('makes no column matrix, and explicit GEMM does', async () => {
    expect(await scheduledBy(explicitGemm)).toContain('tensor<1x72x100xf32>');
    const scheduled = await scheduledBy(implicitGemm);
    expect(scheduled).not.toContain('72x100xf32>');
    expect(scheduled).toContain('{microkernel}');
  });

  it('fuses what follows a convolution into the loops of the product', async () => {
    const options = { bias: true, activation: 'relu' } as const;
    for (const schedule of [explicitGemm, implicitGemm]) {
      const scheduled = await scheduledBy(schedule, options);
      // No elementwise op is left behind the loops.
      expect(scheduled.slice(scheduled.lastIndexOf('\n    }'))).not.toContain('arith.maximumf');
    }
  });
});

describe('NCHWc', () => {
  it('has blocks of a vector of channels and filters, read in place', async () => {
    const scheduled = await scheduledBy(nchwc);
    const { bits } = wasm.machine.vector!;
    const lanes = bits / 32;
    expect(scheduled).toContain(`tensor<1x${8 / lanes}x12x12x${lanes}xf32>`);
    expect(scheduled).toContain('sconv.kernel = {lanes = "d7"}');
  });

  it('reads channels that are last where they are', async () => {
    const channelsLast = { layout: 'nhwc', input: [1, 12, 12, 8], filters: [3, 3, 8, 16] } as never;
    const scheduled = await scheduledBy(nchwc, channelsLast);
    expect(scheduled).toContain('sconv.kernel = {lanes = "d3"}');
    expect(scheduled).not.toContain('linalg.transpose');
  });
});

it('a schedule that is neither a file nor a name is refused', async () => {
  const path = fileWith(text);
  const ran = await capture(main, 'run', path, '--schedule', 'implict-gemm');
  expect(ran.code).toBe(1);
  const printed = await capture(main, 'schedule', path, '--schedule', 'implict-gemm');
  expect([printed.code, printed.err]).toEqual([2, expect.stringContaining("did you mean 'implicit-gemm'?")]);
});
