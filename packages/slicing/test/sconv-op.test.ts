import { describe, expect, it } from 'vitest';
import { diagnosedPlan, planConvolution } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule, walk } from '@sconv/ir';
import { sconvDefaults } from '@sconv/targets';
import { exampleConvolution } from '@sconv/transform/testing';
import { planOperation, targetOf } from '../src/index.ts';
import { apply, convolutionText, loopsOf, microkernelsOf, printed, sconv } from './payloads.ts';
import type { Convolution } from './payloads.ts';

describe('transform.structured.sconv', () => {
  it('makes six loops and one microkernel a tiled fragment', () => {
    const { status, text } = apply(exampleConvolution, sconv('{mk_info = [8, 2]}'));
    expect(status).toBe('success');
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([6, 1]);
  });

  it('tiles the edge too with edges = "small"', () => {
    const { text } = apply(exampleConvolution, sconv('{mk_info = [8, 2], edges = "small"}'));
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([12, 2]);
    expect(text).toContain('tensor<1x18x6xf32>');
  });

  it('takes the edges that cost least with edges = "best"', () => {
    const { text } = apply(exampleConvolution, sconv('{mk_info = [8, 2], edges = "best"}'));
    expect(microkernelsOf(text)).toBeGreaterThan(0);
  });

  it('tiles by the sizes that it is given: 24 windows in blocks of two tiles, then of one', () => {
    const sizes = 'mk_info = [8, 2], schedule = "ws", nc = 1, k2 = 2, k3 = 2';
    const { text } = apply(exampleConvolution, sconv(`{${sizes}}`));
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([12, 2]);
    expect(text).toContain('tensor<2x1x1x3x3x8xf32>');
    const none = apply(exampleConvolution, sconv(`{${sizes}, edges = "small"}`));
    expect([loopsOf(none.text), microkernelsOf(none.text)]).toEqual([18, 3]);
  });

  it('gives handles to the microkernels and to the loops', () => {
    const script = `${sconv('{mk_info = [8, 2], edges = "small"}')}
%k0, %k1 = transform.split_handle %kernels : (!transform.op<"linalg.generic">) -> (!transform.any_op, !transform.any_op)
%l:12 = transform.split_handle %loops : (!transform.any_op) -> (${Array(12).fill('!transform.any_op').join(', ')})`;
    expect(apply(exampleConvolution, script).diagnostics).toBe('');
  });

  it('takes the windows from the output, which may be smaller than the input allows', () => {
    const smaller = exampleConvolution.replaceAll('4x5x6xf32', '4x4x6xf32');
    const { status, text } = apply(smaller, sconv('{mk_info = [8, 2], edges = "small"}'));
    expect(status).toBe('success');
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([6, 1]);
  });

  it('slices each group of a grouped convolution, filters first or groups first', () => {
    const shape = { groups: 3, channels: 2, filters: 4, filter: [2, 3], output: [5, 6] } as const;
    for (const op of ['linalg.conv_2d_ngchw_fgchw', 'linalg.conv_2d_ngchw_gfchw'] as const) {
      const { status, text } = apply(
        convolutionText({ ...shape, op }),
        `${sconv('{mk_info = [8, 2], edges = "small"}', op)}
%l:13 = transform.split_handle %loops : (!transform.any_op) -> (${Array(13).fill('!transform.any_op').join(', ')})`,
      );
      expect(status).toBe('success');
      expect([loopsOf(text), microkernelsOf(text)]).toEqual([13, 2]);
      expect(text).toMatch(/scf\.for %\w+ = %c0 to %c3 step %c1/);
    }
  });

  it('slices each group of a grouped convolution that is a generic', () => {
    const shape = { groups: 3, channels: 2, filters: 4, filter: [2, 3], output: [5, 6] } as const;
    for (const op of ['linalg.conv_2d_ngchw_fgchw', 'linalg.conv_2d_ngchw_gfchw'] as const) {
      const { status, text } = apply(
        convolutionText({ ...shape, op }),
        `%named = transform.structured.match ops{["${op}"]} in %root : (!transform.any_op) -> !transform.any_op
%conv = transform.structured.generalize %named : (!transform.any_op) -> !transform.any_op
%kernels, %loops = transform.structured.sconv %conv {mk_info = [8, 2], edges = "small"} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`,
      );
      expect(status).toBe('success');
      expect([loopsOf(text), microkernelsOf(text)]).toEqual([13, 2]);
    }
  });

  it('reads channels that are last in place, with the filters as lanes', () => {
    const shape = { channels: 3, filters: 8, filter: [2, 3], output: [3, 4] } as const;
    for (const op of ['linalg.conv_2d_nhwc_hwcf', 'linalg.conv_2d_nhwc_fhwc'] as const) {
      const { status, text } = apply(convolutionText({ ...shape, op }), sconv('{mk_info = [4, 8]}', op));
      expect(status).toBe('success');
      expect([loopsOf(text), microkernelsOf(text)]).toEqual([6, 1]);
      expect(text).toMatch(
        /ins\(%\w+, %\w+ : tensor<1x18x8xf32>, tensor<18x4xf32>\) outs\(%\w+ : tensor<1x4x8xf32>\)/,
      );
    }
  });

  it.each([
    ['windows', '{panel = 2}', '', 'pack-windows/panel'],
    ['filters', '', '{panel = 2}', 'pack-filters/panel'],
  ])('has no panels of %s where the lanes are filters', (_, ofWindows, ofFilters, code) => {
    const op = 'linalg.conv_2d_nhwc_hwcf';
    const shape = { op, channels: 3, filters: 8, filter: [2, 3], output: [3, 4] } as const;
    const any = '!transform.any_op';
    const generic = '!transform.op<"linalg.generic">';
    const script = `%conv = transform.structured.match ops{["${op}"]} in %root : (${any}) -> ${any}
%g = transform.structured.generalize %conv : (${any}) -> ${any}
%l = transform.structured.linearize %g : (${any}) -> ${any}
%t = transform.structured.gather_operand %l {operand = 0} : (${any}) -> ${any}
%w, %t1 = transform.structured.pack_windows %t ${ofWindows} : (${any}) -> (${any}, ${any})
%f, %t2 = transform.structured.pack_filters %t1 ${ofFilters} : (${any}) -> (${any}, ${any})
%k = transform.structured.form_microkernel %t2 : (${any}) -> ${generic}`;
    expect(apply(convolutionText(shape), script).diagnostics).toContain(
      `panels are of microkernels whose lanes are windows, as those of NCHW are [${code}]`,
    );
  });

  it('leaves a convolution smaller than the microkernel as scalar code, and says so', () => {
    const { text, diagnostics } = apply(exampleConvolution, sconv('{mk_info = [64, 8]}'));
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([0, 0]);
    expect(diagnostics).toContain('30 windows, fewer than the 64 of the microkernel');
    expect(diagnostics).toMatch(/^script\.mlir:\d+:\d+: warning/);
  });

  it('slices every target, and none if there are none', () => {
    const two = `${exampleConvolution}${exampleConvolution.replace('@conv', '@other')}`;
    const { text } = apply(two, sconv('{mk_info = [8, 2]}'));
    expect([loopsOf(text), microkernelsOf(text)]).toEqual([12, 2]);
    expect(apply(two, sconv('', 'linalg.matmul')).status).toBe('success');
  });

  it.each([
    ['mK_info, as the reference implementation writes it', '{mK_info = [8, 2]}'],
    ['an array without brackets', '{mk_info = array<i64: 8, 2>}'],
    ['is', '{mk_info = [8, 2], schedule = "is"}'],
    ['ws', '{mk_info = [8, 2], schedule = "ws"}'],
    ['a machine without L3', '{mk_info = [8, 2], arch_info = [32768, 1048576, 0, 64]}'],
    ['how sizes are found', '{mk_info = [8, 2], heuristic = "divisors", cost_model = "traffic"}'],
    ['sizes', '{mk_info = [8, 2], schedule = "ws", nc = 2, k2 = 1, k3 = 2}'],
    ['other latencies', '{mk_info = [8, 2], latency = [1, 2, 3, 4]}'],
  ])('accepts %s', (_, attributes) => {
    const { status, text } = apply(exampleConvolution, sconv(attributes));
    expect(status).toBe('success');
    expect(text).toContain('tensor<1x18x8xf32>');
  });

  it.each(['is', 'ws'])('does what its attributes say: schedule = "%s"', (schedule) => {
    const { text } = apply(exampleConvolution, sconv(`{mk_info = [6, 2], schedule = "${schedule}"}`));
    // The operand that moves in the inner loops is multipacked: five tiles of windows, or two of filters.
    expect(text.includes('tensor<5x1x2x3x3x6xf32>')).toBe(schedule === 'ws');
    expect(text.includes('tensor<2x2x3x3x2xf32>')).toBe(schedule === 'is');
  });

  it('packs in panels, of which smaller tiles are one', () => {
    const script = sconv('{mk_info = [6, 2], panels = [3, 1], edges = "small", schedule = "is"}');
    const { text, diagnostics } = apply(exampleConvolution, script);
    expect(diagnostics).toBe('');
    expect(text).toContain('tensor<1x2x2x3x3x3xf32>');
    expect(text).toContain('(d0, d2 floordiv 3, d3, d2 mod 3)');
    expect(text).toContain('(d1, d3, 0)');
  });

  it('says which panels do not divide a tile', () => {
    const { diagnostics } = apply(exampleConvolution, sconv('{mk_info = [6, 2], panels = [4, 2]}'));
    expect(diagnostics).toContain("panels of 4 do not divide the tile's 6 windows [pack-windows/panel]");
  });

  it.each([
    [
      'an unknown attribute',
      '{mk_inf = [8, 2]}',
      "has no attribute 'mk_inf'; there are mk_info, arch_info, latency, schedule, nc, k2, k3, cost_model, heuristic, edges, panels, pairs; did you mean 'mk_info'?",
    ],
    ['a wrong schedule', '{schedule = "os"}', 'failed to satisfy constraint: "is" or "ws"'],
    ['a schedule that is no text', '{schedule = 1 : i64}', 'failed to satisfy constraint: "is" or "ws"'],
    [
      'wrong edges',
      '{edges = "round"}',
      'failed to satisfy constraint: "scalar" or "small" or "composed" or "transposed" or "best"',
    ],
    ['a tile of three numbers', '{mk_info = [16, 8, 4]}', 'array of two integers'],
    ['a tile of one number', '{mk_info = [16]}', 'array of two integers'],
    ['a tile of fractions', '{mk_info = [16.5, 8.5]}', 'array of two integers'],
    ['a tile in words', '{mk_info = "16x8"}', 'array of two integers'],
    ['a tile that no double holds', '{mk_info = [99999999999999999, 8]}', 'array of two integers'],
    ['the tile given twice', '{mk_info = [8, 2], mK_info = [8, 2]}', "has both 'mk_info' and 'mK_info'"],
    ['three levels without a fourth number', '{latency = [1, 2, 3]}', 'array of four integers'],
    ['five levels', '{arch_info = [1, 2, 3, 4, 5]}', 'array of four integers'],
    [
      'edges that there is no code for',
      '{edges = "padded"}',
      'failed to satisfy constraint: "scalar" or "small"',
    ],
    ['panels of one number', '{panels = [8]}', 'array of two integers [windows, filters]'],
    ['panels without elements', '{panels = [8, 0]}', 'expected panels of at least one element'],
    ['one size alone', '{nc = 1, schedule = "is"}', 'has nc alone: nc, k2 and k3 go together'],
    ['two sizes', '{k2 = 1, k3 = 1, schedule = "is"}', 'has k2 and k3 alone: nc, k2 and k3 go together'],
    [
      'sizes without a schedule',
      '{nc = 1, k2 = 1, k3 = 1}',
      'has sizes without a schedule, whose tiles they count',
    ],
    [
      'sizes, and how to find them',
      '{nc = 1, k2 = 1, k3 = 1, schedule = "is", heuristic = "halving", cost_model = "sc"}',
      'has sizes, and cost_model and heuristic to find them',
    ],
    [
      'sizes, and edges to be found',
      '{nc = 1, k2 = 1, k3 = 1, schedule = "is", edges = "best"}',
      'has sizes, and edges = "best" to be found',
    ],
    [
      'a size that the convolution does not have',
      '{mk_info = [8, 2], nc = 3, k2 = 1, k3 = 1, schedule = "is"}',
      'nc: must be an integer from 1 to 2, not 3',
    ],
    ['a tile of no windows', '{mk_info = [0, 8]}', 'must be a positive integer'],
    ['a tile of no filters', '{mk_info = [8, 0]}', 'must be a positive integer'],
  ])('refuses %s', (_, attributes, message) => {
    const { status, diagnostics } = apply(exampleConvolution, sconv(attributes));
    expect(status).toBe('definite');
    expect(diagnostics).toMatch(/^(script|payload)\.mlir:\d+:\d+: error/);
    expect(diagnostics).toContain(message);
  });

  const sized = (input: string, filters: string, output: string) =>
    exampleConvolution
      .replaceAll('1x2x7x8xf32', `${input}xf32`)
      .replaceAll('4x2x3x3xf32', `${filters}xf32`)
      .replaceAll('1x4x5x6xf32', `${output}xf32`);
  const named = 'linalg.conv_2d_nchw_fchw';
  const onBuffers = `func.func @f(%a: memref<1x2x7x8xf32>, %b: memref<4x2x3x3xf32>, %c: memref<1x4x5x6xf32>) {
  linalg.conv_2d_nchw_fchw ins(%a, %b : memref<1x2x7x8xf32>, memref<4x2x3x3xf32>) outs(%c : memref<1x4x5x6xf32>)
  return
}`;

  it.each([
    [
      'sconv/element-type',
      'sums of f16',
      exampleConvolution.replaceAll('f32', 'f16'),
      named,
      'expected sums of f32, f64 or i32, and operands that are extended to that, got f16, f16, f16',
    ],
    [
      'sconv/element-type',
      'sums of i16',
      exampleConvolution.replaceAll('4x5x6xf32', '4x5x6xi16').replaceAll('f32', 'i8'),
      named,
      'got i8, i8, i16',
    ],
    [
      'sconv/element-type',
      'filters of f64',
      exampleConvolution.replaceAll('4x2x3x3xf32', '4x2x3x3xf64'),
      named,
      'got f32, f64, f32',
    ],
    ['csa/not-positive', 'no filters', sized('1x2x7x8', '0x2x3x3', '1x0x5x6'), named, 'not 0'],
    ['csa/not-positive', 'no input channels', sized('1x0x7x8', '4x0x3x3', '1x4x5x6'), named, 'not 0'],
    [
      'csa/no-output',
      'no rows of windows',
      sized('1x2x7x8', '4x2x3x3', '1x4x0x6'),
      named,
      'does not fit an input of 2',
    ],
    [
      'csa/no-output',
      'a filter larger than the input',
      sized('1x2x2x8', '4x2x3x3', '1x4x0x6'),
      named,
      'a dilated filter of 3',
    ],
    [
      'csa/too-large',
      'a side of 2^31',
      sized('1x2x3x2147483648', '4x2x3x3', '1x4x1x6'),
      named,
      'not 2147483648',
    ],
    [
      'csa/too-large',
      'a filter side of 2^31',
      sized('1x2x3x2147483653', '4x2x3x2147483648', '1x4x1x6'),
      named,
      '2^31',
    ],
    [
      'csa/too-large',
      'too many elements',
      sized('1x2x2097154x2097154', '4x2x3x3', '1x4x2097152x2097152'),
      named,
      'more than 2^',
    ],
    [
      'sconv/dynamic-shape',
      'a dynamic image',
      sized('1x2x?x8', '4x2x3x3', '1x4x?x6'),
      named,
      'got tensor<1x2x?x8xf32>',
    ],
    [
      'sconv/dynamic-shape',
      'a dynamic output',
      sized('1x2x7x8', '4x2x3x3', '1x4x?x6'),
      named,
      'got tensor<1x4x?x6xf32>',
    ],
    ['sconv/not-a-convolution', 'a function', exampleConvolution, 'func.func', "got 'func.func'"],
    ['sconv/not-a-convolution', 'buffers', onBuffers, named, "got 'linalg.conv_2d_nchw_fchw'"],
  ])('refuses a payload with %s: %s', (code, _, payload, op, message) => {
    const { status, diagnostics } = apply(payload, sconv('', op));
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`[${code}]`);
    expect(diagnostics).toContain(message);
    expect(diagnostics).toContain('note: payload op');
  });

  it('refuses a latency of 0', () => {
    expect(apply(exampleConvolution, sconv('{latency = [0, 1, 2, 3]}')).diagnostics).toContain(
      '[csa/not-positive]',
    );
  });

  it('refuses panels of windows where lanes are filters', () => {
    const channelsLast = `func.func @f(%x: tensor<1x4x4x1xf32>, %w: tensor<1x1x1x2xf32>, %y: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x4x4x1xf32>, tensor<1x1x1x2xf32>) outs(%y : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}`;
    const script = sconv('{mk_info = [4, 2], panels = [2, 2]}').replace('nchw_fchw', 'nhwc_hwcf');
    expect(apply(channelsLast, script).diagnostics).toContain('[pack-windows/panel]');
  });

  it.each([
    '',
    ' {mk_info = [8, 2]}',
    ' {mK_info = array<i64: 8, 2>}',
    ' {arch_info = [1, 2, 3, 4], edges = "small", latency = [1, 2, 3, 4], mk_info = [8, 2], schedule = "ws"}',
  ])('is printed as it is read:%s', (attributes) => {
    const line = `%microkernels, %loops = transform.structured.sconv %root${attributes} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`;
    expect(printed(line)).toEqual([line]);
  });
});

describe('targetOf', () => {
  it('is that of the paper where nothing is said', () => {
    const { machine, microkernel } = targetOf({});
    expect(machine).toBe(sconvDefaults.machine);
    expect(microkernel).toEqual({ windows: 16, filters: 8 });
  });

  const figures = ({ machine: { cache, memoryLatency } }: ReturnType<typeof targetOf>) =>
    [cache.l1, cache.l2, cache.l3]
      .map((level) => level && [level.bytes, level.latency, level.lineBytes])
      .concat([[memoryLatency]]);

  it.each([
    [{ mkInfo: [6, 4] }, [[32768, 2, 128], [1048576, 10, 128], [4194304, 30, 128], [300]]],
    [{ archInfo: [1024, 2048, 4096, 64] }, [[1024, 2, 64], [2048, 10, 64], [4096, 30, 64], [300]]],
    [{ archInfo: [1024, 2048, 0, 64] }, [[1024, 2, 64], [2048, 10, 64], undefined, [300]]],
    [{ latency: [1, 2, 3, 4] }, [[32768, 1, 128], [1048576, 2, 128], [4194304, 3, 128], [4]]],
    [
      { archInfo: [1024, 2048, 4096, 64], latency: [1, 2, 3, 4] },
      [[1024, 1, 64], [2048, 2, 64], [4096, 3, 64], [4]],
    ],
  ] as const)('is described by %j', (options, expected) => {
    expect(figures(targetOf(options))).toEqual(expected);
  });

  it('takes the tile from mkInfo, windows first', () => {
    expect(targetOf({ mkInfo: [6, 4], latency: [1, 2, 3, 4] }).microkernel).toEqual({
      windows: 6,
      filters: 4,
    });
  });
});

describe('planOperation', () => {
  const operationOf = (shape: Convolution) => {
    const { root } = unwrap(
      parseModule(convolutionText(shape), { registry: createRegistry(payloadDialects) }),
    );
    return [...walk(root)].find(({ name }) => name === 'linalg.conv_2d_nchw_fchw')!;
  };
  const planOf = (shape: Convolution, schedule?: 'is' | 'ws') =>
    unwrap(
      planOperation(operationOf(shape), (geometry) =>
        diagnosedPlan(() =>
          planConvolution(geometry, targetOf({ mkInfo: [4, 2] }), schedule === undefined ? {} : { schedule }),
        ),
      ),
    );
  const anisotropic = {
    channels: 3,
    filters: 5,
    filter: [2, 3],
    output: [4, 6],
    strides: [3, 2],
    dilations: [2, 4],
  } as const;

  it.each([
    ['all that the input allows', [0, 0], [12, 19]],
    ['fewer rows', [3, 0], [12, 19]],
    ['fewer columns', [0, 2], [12, 19]],
    ['fewer of both', [7, 9], [12, 19]],
    // Rows and columns beyond the last window, too few for another.
    ['a remainder', [2, 1], [14, 20]],
  ] as const)('plans the windows of the IR: %s', (_, slack, [inputHeight, inputWidth]) => {
    expect(planOf({ ...anisotropic, slack }).shape).toMatchObject({
      outputHeight: 4,
      outputWidth: 6,
      inputHeight,
      inputWidth,
      filters: 5,
      inputChannels: 3,
      strides: { h: 3, w: 2 },
      dilations: { h: 2, w: 4 },
    });
  });

  it.each(['is', 'ws'] as const)('forces the schedule %s', (schedule) => {
    expect(planOf(anisotropic, schedule)).toMatchObject({ schedule, forced: true });
  });

  it('chooses a schedule where none is forced', () => {
    expect(planOf(anisotropic)).toMatchObject({ forced: false, microkernel: { windows: 4, filters: 2 } });
  });

  it('passes on an error that is no fault of its input', () => {
    const broken = () => {
      throw new RangeError('no machine');
    };
    expect(() => planOperation(operationOf(anisotropic), broken)).toThrow(new RangeError('no machine'));
  });
});
