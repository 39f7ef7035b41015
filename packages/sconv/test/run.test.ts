import { findToolchain } from '@sconv/native';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { main } from '../src/sconv.ts';
import type { Captured } from './support/capture.ts';
import { engine } from './support/engine.ts';
import { capture, example, fileWith, payload, slicing, failsLater } from './support/capture.ts';

const hasLlvm = process.arch === 'x64' && 'paths' in (await findToolchain());

const run = (...words: readonly string[]): Promise<Captured> => capture(main, 'run', ...words);

interface Document {
  readonly plan: { readonly schedule: string; readonly microkernel: { readonly windows: number } } | null;
  readonly convolutions: readonly unknown[];
  readonly oracle: string | null;
  readonly mismatches: number | null;
  readonly elements: number;
  readonly diagnostics: readonly unknown[];
}

const document = ({ out }: Captured): Document => JSON.parse(out) as Document;

it.each(['wasm', 'wasm-relaxed'])('runs a matrix product in vectors on %s', async (target) => {
  const files = [example('matmul.mlir'), '--schedule', example('matmul-vectors.mlir')];
  const result = await run(...files, '--target', target, '--check');
  expect(result.out).toContain('all 16384 elements equal the interpreter');
});

describe('the convolution of the SConvTransform paper', () => {
  const listing1 = example('listing-1.mlir');

  it('is planned for WebAssembly, and right', async () => {
    const { code, out, err } = await run(listing1, '--check');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^convolution +1x32x152x152,256x32x3x3,s2$/m);
    expect(out).toMatch(/^plan +(IS|WS) .*, Nc \d+, K2 \d+, K3 \d+, microkernel \d+x\d+$/m);
    expect(out).toMatch(/^time +[\d.]+ ms/m);
    expect(out).toMatch(/^speed +[\d.]+ GFLOP\/s$/m);
    expect(out).toMatch(/^check +all 1440000 elements pass the linear probe \(.*\) exactly$/m);
  });

  it("has the paper's plan with its schedule", async () => {
    const result = await run(listing1, '--schedule', example('listing-9.mlir'), '--check', '--json');
    expect(result).toMatchObject({ code: 0, err: '' });
    const report = document(result);
    expect(report).toMatchObject({
      plan: {
        schedule: 'is',
        nc: 32,
        k2: 32,
        k3: 87,
        remainders: { nc: 0, k2: 0, k3: 3 },
        microkernel: { windows: 16, filters: 8 },
      },
      mismatches: 0,
      maxAbsError: 0,
      elements: 1440000,
      target: 'wasm',
      // 5616 of 5625 windows are in full tiles; the rest is scalar in ST.
      microkernelMacShare: 5616 / 5625,
    });
    expect(Object.keys(report)).toEqual(expect.arrayContaining(['shape', 'seconds', 'gflops']));
  });
});

describe('plans', () => {
  it('names the schedule of a script that forces one', async () => {
    const script = fileWith(slicing('mk_info = [4, 2], schedule = "ws"'));
    expect(document(await run(fileWith(payload()), '--schedule', script, '--json')).plan).toMatchObject({
      schedule: 'ws',
      microkernel: { windows: 4, filters: 2 },
    });
  });
  it('takes a smaller microkernel for few windows', async () => {
    const path = fileWith(payload('1x3x4x4', '4x3x3x3', '1x4x2x2'));
    const report = document(await run(path, '--check', '--json'));
    expect(report).toMatchObject({ mismatches: 0, plan: { microkernel: { windows: 4 } } });
  });
  it.each(['small', 'scalar'])('leaves remainders %s', async (edges) => {
    const path = fileWith(payload('1x3x9x9', '5x3x3x3', '1x5x7x7'));
    const result = await run(path, '--edges', edges, '--check', '--json');
    const { microkernelMacShare: share, mismatches } = JSON.parse(result.out) as Record<string, number>;
    expect({ mismatches, isAll: share === 1 }).toEqual({ mismatches: 0, isAll: edges === 'small' });
  });
});

/** A convolution with padding, of 231 million multiply-adds. */
const padded = `func.func @f(%a: tensor<1x128x56x56xf32>, %f: tensor<64x128x3x3xf32>) -> tensor<1x64x56x56xf32> {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %c : f32
  } : tensor<1x128x56x56xf32> to tensor<1x128x58x58xf32>
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%p, %f : tensor<1x128x58x58xf32>, tensor<64x128x3x3xf32>) outs(%z : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}`;

describe('functions of more than one convolution', () => {
  const two = `func.func @f(%a: tensor<1x2x8x8xf32>, %f: tensor<2x2x3x3xf32>, %b: tensor<1x2x6x6xf32>,
                            %c: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
    %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%a, %f : tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) outs(%b : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%0, %f : tensor<1x2x6x6xf32>, tensor<2x2x3x3xf32>) outs(%c : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    return %1 : tensor<1x2x4x4xf32>
  }`;
  it('are checked by the interpreter', async () => {
    const report = document(await run(fileWith(two), '--check', '--json'));
    expect(report).toMatchObject({ plan: null, oracle: 'interpreter', mismatches: 0, elements: 32 });
    expect(report.convolutions).toHaveLength(2);
  });
  it('may work on buffers', async () => {
    const buffers = `func.func @mm(%a: memref<4x8xf32>, %b: memref<8x3xf32>, %c: memref<4x3xf32>) {
      linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x3xf32>) outs(%c : memref<4x3xf32>)
      return
    }`;
    const report = document(await run(fileWith(buffers), '--check', '--json'));
    expect(report).toMatchObject({ oracle: 'interpreter', mismatches: 0, elements: 12, convolutions: [] });
  });
  it('are compared with their plain code where they are too large to interpret', async () => {
    const large = `func.func @mm(%a: tensor<1x600x600xf32>, %b: tensor<1x600x600xf32>, %c: tensor<600x600xf32>) -> tensor<600x600xf32> {
      %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<1x600x600xf32>, tensor<1x600x600xf32>)
        outs(%c : tensor<600x600xf32>) -> tensor<600x600xf32>
      return %0 : tensor<600x600xf32>
    }`;
    const { code, out, err } = await run(fileWith(large), '--check', '--repeat', '1');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^check +all 360000 elements equal the plain code$/m);
  });
  it('run unchecked, which is a failure of the check, where nothing can be compared', async () => {
    const path = fileWith('func.func @f(%m: memref<2xf32, strided<[2]>>) {\nreturn\n}');
    const { code, out, err } = await run(path, '--check', '--repeat', '1');
    expect(code).toBe(1);
    expect(out).toMatch(/^check +not possible, see the warning$/m);
    expect(err).toMatch(
      /:1:1: warning: the result is not checked: it takes buffers that .*\[run\/cannot-check\]$/m,
    );
    const checked = document(await run(path, '--check', '--repeat', '1', '--json'));
    expect(checked).toMatchObject({ oracle: null, mismatches: null, diagnostics: [{ severity: 'warning' }] });
  });
  it('are probed where they are too large to interpret, but pads, fills and convolutions', async () => {
    const report = document(await run(fileWith(padded), '--check', '--repeat', '1', '--json'));
    expect(report).toMatchObject({
      oracle: 'linear probe',
      mismatches: 0,
      elements: 64 * 56 * 56,
      diagnostics: [],
    });
  });
  it('are named where there are several', async () => {
    const path = fileWith(`${payload()}${payload().replace('@conv', '@other')}`);
    expect(await run(path)).toMatchObject({
      code: 1,
      err: expect.stringContaining('which function? there are @conv, @other') as string,
    });
    const { out } = await run(path, '--function', 'other');
    expect(out).toMatch(/^function +@other on wasm$/m);
    expect(out.match(/^convolution /gm)).toHaveLength(1);
    const report = document(await run(path, '--function', 'other', '--json'));
    expect(report).toMatchObject({ function: 'other', shape: { text: '1x3x9x9,5x3x3x3' } });
    expect(report.convolutions).toHaveLength(1);
    expect((await run(path, '--function', 'otter')).err).toContain(
      "no function 'otter'; there are conv, other; did you mean 'other'? [run/no-function]",
    );
  });
});

describe('a convolution that no schedule touches', () => {
  const [images, filters, sums] = ['1x2x3x4x5', '4x2x2x2x2', '1x4x2x3x4'].map(
    (shape) => `tensor<${shape}xf32>`,
  );
  const cube = `func.func @f(%a: ${images}, %f: ${filters}, %b: ${sums}) -> ${sums} {
    %0 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%a, %f : ${images}, ${filters}) outs(%b : ${sums}) -> ${sums}
    return %0 : ${sums}
  }`;
  const line = `func.func @f(%a: tensor<1x2x9xf32>, %f: tensor<4x2x3xf32>, %b: tensor<1x4x7xf32>) -> tensor<1x4x7xf32> {
    %0 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%a, %f : tensor<1x2x9xf32>, tensor<4x2x3xf32>) outs(%b : tensor<1x4x7xf32>) -> tensor<1x4x7xf32>
    return %0 : tensor<1x4x7xf32>
  }`;
  const halves = `func.func @f(%a: tensor<1x8x8x2xf16>, %f: tensor<3x3x2x4xf16>, %b: tensor<1x6x6x4xf16>) -> tensor<1x6x6x4xf16> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%a, %f : tensor<1x8x8x2xf16>, tensor<3x3x2x4xf16>) outs(%b : tensor<1x6x6x4xf16>) -> tensor<1x6x6x4xf16>
    return %0 : tensor<1x6x6x4xf16>
  }`;
  const buffers = payload()
    .replace('-> tensor<1x5x7x7xf32> {', '{')
    .replaceAll('tensor<1', 'memref<1')
    .replaceAll('tensor<5', 'memref<5')
    .replace(' -> memref<1x5x7x7xf32>\n', '\n')
    .replace('%0 = ', '')
    .replace(/return .*/, 'return');
  const idle = slicing().replace(/%kernels(.*\n){2}/, '');
  it.each([
    [
      'of three dimensions',
      cube,
      undefined,
      'this linalg.conv_3d_ncdhw_fcdhw runs as it is written: what is sliced are matrix products, and convolutions of one or two dimensions whose groups are not innermost',
    ],
    [
      'with sums of f16',
      halves,
      undefined,
      'this linalg.conv_2d_nhwc_hwcf runs as it is written: expected sums of f32, f64 or i32, and operands that are extended to that, got f16, f16, f16',
    ],
    [
      'on buffers',
      buffers,
      undefined,
      'this linalg.conv_2d_nchw_fchw runs as it is written: it works on buffers, and only ops on tensors are sliced',
    ],
    [
      'with a schedule that does nothing to it',
      payload(),
      idle,
      'this linalg.conv_2d_nchw_fchw runs as it is written: no transform of the schedule changed it',
    ],
  ])('is a warning: %s', async (_, text, script, message) => {
    const path = fileWith(text);
    const schedule = script === undefined ? [] : ['--schedule', fileWith(script)];
    const result = await run(path, ...schedule, '--check', '--json');
    const column = text.split('\n')[1]!.indexOf('linalg') + 1;
    expect(result.err).toContain(`${path}:2:${column}: warning: ${message} [sconv/unscheduled]\n`);
    expect(result.code).toBe(0);
    expect(document(result)).toMatchObject({
      mismatches: 0,
      convolutions: [],
      diagnostics: [
        {
          severity: 'warning',
          code: 'sconv/unscheduled',
          message,
          location: { file: path, line: 2 },
          notes: [],
        },
      ],
    });
  });
  it('is none where it is generalized', async () => {
    const script = slicing().replace(
      /%kernels(.*\n){2}/,
      '%t = transform.structured.generalize %convs : (!transform.op<"linalg.conv_2d_nchw_fchw">) -> !transform.any_op\n',
    );
    const result = await run(fileWith(payload()), '--schedule', fileWith(script), '--check');
    expect(result).toMatchObject({ code: 0, err: '' });
  });
  it('is none where it would gain nothing from being sliced', async () => {
    expect(await run(fileWith(line), '--check')).toMatchObject({ code: 0, err: '' });
  });
  it('is none of this run in a function that is not run', async () => {
    const path = fileWith(`${payload()}${cube}`);
    expect(await run(path, '--function', 'conv')).toMatchObject({ code: 0, err: '' });
    expect((await run(path, '--function', 'f')).err).toContain('[sconv/unscheduled]');
  });
  it('is one of this run in a function that is called', async () => {
    const caller = `func.func @g(%a: ${images}, %f: ${filters}, %b: ${sums}) -> ${sums} {
      %0 = call @f(%a, %f, %b) : (${images}, ${filters}, ${sums}) -> ${sums}
      return %0 : ${sums}
    }`;
    expect((await run(fileWith(`${cube}\n${caller}`), '--function', 'g')).err).toContain(
      '[sconv/unscheduled]',
    );
  });
});

it('a payload that there is no memory for is said to be one', async () => {
  const memory = vi.spyOn(engine, 'Memory').mockImplementation(function () {
    throw new RangeError('no room');
  });
  onTestFinished(() => {
    memory.mockRestore();
  });
  const path = fileWith(payload());
  expect(await run(path)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /error: cannot allocate \d+ bytes: no room; .*dispose of some.* \[wasm\/memory\]/,
    ) as string,
  });
});

describe('--tolerance', () => {
  const convolution = `func.func @f(%i: tensor<1x6x6x2xf32>, %k: tensor<3x3x3x2xf32>, %init: tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32> {
    %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%i, %k : tensor<1x6x6x2xf32>, tensor<3x3x3x2xf32>) outs(%init : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    return %0 : tensor<1x4x4x3xf32>
  }`;
  /** Winograd's transforms divide, so that integers are rounded. */
  const winograd = `module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%root: !transform.any_op) {
      %op = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %root : (!transform.any_op) -> !transform.any_op
      %new = transform.structured.winograd_conv2d %op {m = 4 : i64, r = 3 : i64} : (!transform.any_op) -> !transform.any_op
      %filter = transform.structured.match ops{["linalg.winograd_filter_transform"]} in %root : (!transform.any_op) -> !transform.any_op
      %filter_loops = transform.structured.decompose_winograd_op %filter : (!transform.any_op) -> !transform.any_op
      %input = transform.structured.match ops{["linalg.winograd_input_transform"]} in %root : (!transform.any_op) -> !transform.any_op
      %input_loops = transform.structured.decompose_winograd_op %input : (!transform.any_op) -> !transform.any_op
      %output = transform.structured.match ops{["linalg.winograd_output_transform"]} in %root : (!transform.any_op) -> !transform.any_op
      %output_loops = transform.structured.decompose_winograd_op %output : (!transform.any_op) -> !transform.any_op
      transform.yield
    }
  }`;
  const check = (...words: readonly string[]): Promise<Captured> =>
    run(fileWith(convolution), '--schedule', fileWith(winograd, 'schedule.mlir'), '--check', ...words);

  it('allows for what Winograd rounds', async () => {
    const exact = await check();
    expect(exact.code).toBe(1);
    expect(exact.out).toMatch(
      /^check +FAILED: \d+ of 48 elements differ from the interpreter, by up to \S+; --tolerance allows for rounding$/m,
    );
    expect((await check('--tolerance', '0')).code).toBe(1);
    const rounded = await check('--tolerance', '1e-6');
    expect(rounded).toMatchObject({ code: 0, err: '' });
    expect(rounded.out).toMatch(
      /^check +all 48 elements agree within rounding \(up to \S+\) with the interpreter$/m,
    );
    expect(document(await check('--tolerance', '.000001', '--json'))).toMatchObject({ mismatches: 0 });
  });
  it.each(['', '-1', '1', '1e99', 'NaN', '0x1', '1e-6,', '\u0661'])('is no share: %j', async (text) => {
    const { code, out, err } = await check(`--tolerance=${text}`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('a number from 0 to below 1, as in 1e-6');
  });
  it('needs a check', async () => {
    const { code, err } = await run(fileWith(convolution), '--tolerance', '0.1');
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('error: --tolerance goes with --check or --compare only') as string,
    });
  });
});

describe('data', () => {
  const floats = (length: number): Uint8Array =>
    new Uint8Array(Float32Array.from({ length }, (_, i) => Math.sin(i)).buffer);

  it('come from files, and are compared within rounding', async () => {
    const inputs = [floats(3 * 81), floats(5 * 27), floats(5 * 49)].map((data) => fileWith(data, 'x.f32'));
    const { code, out } = await run(fileWith(payload()), '--check', '--input', ...inputs);
    expect(code).toBe(0);
    expect(out).toMatch(/^check +all 245 elements agree within rounding/m);
  });
  it.each(['f16', 'bf16', 'i8'])('of %s are checked', async (type) => {
    const sums = type === 'i8' ? 'i32' : 'f32';
    const text = payload()
      .replaceAll('xf32>', `x${type}>`)
      .replaceAll(`tensor<1x5x7x7x${type}>`, `tensor<1x5x7x7x${sums}>`);
    const result = await run(fileWith(text), '--check');
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(/^check +all 245 elements equal the (reference convolution|interpreter)$/m);
  });
  it('are refused where they cannot be read', async () => {
    const result = await run(fileWith(payload()), '--input', 'missing.f32');
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toMatch(/^missing\.f32:1:1: error: cannot read: ENOENT.* \[sconv\/cannot-read\]\n$/);
  });
  it('are refused where they do not fit', async () => {
    const path = fileWith(floats(7), 'x.f32');
    expect(await run(fileWith(payload()), '--input', path)).toMatchObject({
      code: 1,
      out: '',
      err: `${path}:1:1: error: argument 0 of @conv has 972 bytes, the file 28 [run/inputs]\n`,
    });
  });
});

describe('relaxed SIMD', () => {
  const words = ['--target', 'wasm-relaxed', '--check', '--json'];
  it('is taken where the engine has it', async () => {
    const path = fileWith(payload());
    for (const times of [1, 2]) {
      const result = await run(path, ...words, '--repeat', String(times));
      expect(result).toMatchObject({ code: 0, err: '' });
      expect(document(result)).toMatchObject({ mismatches: 0, target: 'wasm-relaxed' });
    }
  });
  it('is missed where the engine has not', async () => {
    const validate = vi.spyOn(engine, 'validate').mockReturnValue(false);
    onTestFinished(() => {
      validate.mockRestore();
    });
    const { code, err } = await run(fileWith(payload()), ...words);
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: this engine has no relaxed SIMD$/m)]);
    expect(await run(fileWith(payload()))).toMatchObject({ code: 0 });
  });
});

it('a terminal shows what is being done, on one line that is gone afterwards', async () => {
  const outputs = async (isTerminal: boolean) => {
    let [out, err] = ['', ''];
    await main(['run', fileWith(payload())], {
      out: (text) => (out += text),
      err: (text) => (err += text),
      isTerminal,
    });
    return { out, err };
  };
  const clear = '\r\u001b[K';
  const { out, err } = await outputs(true);
  expect(err).toBe(
    ['parsing …', 'scheduling …', 'compiling …', 'compiling …', 'compiling …', 'running …', '']
      .map((what) => clear + what)
      .join(''),
  );
  expect(out).toMatch(/^function +@conv on wasm\n/);
  expect((await outputs(false)).err).toBe('');
});

describe('layouts', () => {
  /** How many convolutions are sliced: in blocks it is none. */
  const slicedFor = async (layouts: string, target: string): Promise<number> => {
    const file = fileWith(payload('1x16x14x14', '8x16x5x5', '1x8x10x10'));
    const result = await run(file, '--layouts', layouts, '--target', target, '--check', '--json');
    expect(result).toMatchObject({ code: 0, err: '' });
    const { convolutions, mismatches } = document(result);
    expect(mismatches).toBe(0);
    return convolutions.length;
  };

  // On WebAssembly kernels on blocks are not faster.
  it.each(['as-given', 'chosen'])('that are %s on WebAssembly', async (layouts) => {
    expect(await slicedFor(layouts, 'wasm')).toBe(1);
  });

  it.skipIf(!hasLlvm).each([
    ['as-given', 1],
    ['chosen', 0],
  ])('that are %s natively', async (layouts, sliced) => {
    expect(await slicedFor(layouts, 'avx2')).toBe(sliced);
  });
});

describe('a fault of the payload', () => {
  const zero = '%c0 = arith.constant 0 : i32';
  it.each([
    [
      'division',
      `${zero}\n%r = arith.divsi %c0, %c0 : i32`,
      'divides an integer by zero',
      'division-by-zero',
    ],
    [
      'conversion',
      '%c = arith.constant 1.0e+30 : f32\n%r = arith.fptosi %c : f32 to i32',
      'converts a number to an integer type that does not hold it',
      'overflow',
    ],
    [
      'access',
      '%i = arith.constant 100000000 : index\n%r = memref.load %m[%i] : memref<4xi32>',
      'accesses memory out of bounds',
      'out-of-bounds',
    ],
  ])('is reported as such: %s', async (_, body, message, code) => {
    const text = `func.func @f(%m: memref<4xi32>) -> i32 {\n${body}\nreturn %r : i32\n}`;
    const result = await run(fileWith(text), '--check');
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toContain(`:1:1: error: @f ${message} [wasm/${code}]`);
    expect(result.err).not.toMatch(/internal|bug|\n +at /);
  });

  it('is reported where only a later run has it', async () => {
    const result = await run(fileWith(failsLater));
    expect(result.code).toBe(1);
    expect(result.err).toContain('[wasm/division-by-zero]');
  });
});

it('booleans are compared as the signed numbers that they are', async () => {
  const text = `func.func @f(%a: tensor<4xi1>, %o: tensor<4xi1>) -> tensor<4xi1> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : tensor<4xi1>) outs(%o : tensor<4xi1>) {
      ^bb0(%x: i1, %y: i1):
        %t = arith.constant true
        %c = arith.cmpi sle, %x, %t : i1
        linalg.yield %c : i1
    } -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }`;
  const result = await run(fileWith(text), '--check', '--json');
  expect(document(result)).toMatchObject({ oracle: 'interpreter', mismatches: 0, elements: 4 });
});
