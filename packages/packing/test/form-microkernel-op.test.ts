import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { andThen } from '@sconv/diagnostics';
import { replacementsOf } from '@sconv/transform/testing';
import {
  formMicrokernelOp as formMicrokernelOf,
  packFiltersOp as packFiltersOf,
  packWindowsOp as packWindowsOf,
} from '../src/index.ts';
import {
  apply,
  changed,
  formMicrokernel,
  multipack,
  packFilters,
  packFiltersIn,
  packWindows,
  packWindowsIn,
  printed,
  replaced,
  script,
  tiled,
  tiledConvolution,
} from './payloads.ts';

const steps = script(packWindows, packFilters, formMicrokernel);

/** `tiled` in NHWC, with filters of these sizes, slice and map. */
const channelsLast = (sizes: string, slice: string, map: string): string => {
  const isFirst = sizes.startsWith('2x3');
  const [whole, tile] = isFirst ? ['4x3x3x2', '2x3x3x2'] : [`${sizes}x4`, `${sizes}x2`];
  return changed(
    ['tensor<1x2x56xf32>', 'tensor<1x56x2xf32>'],
    ['%in[%n, %c, %i]', '%in[%n, %i, %c]'],
    ['tensor<4x2x3x3xf32>', `tensor<${whole}xf32>`],
    ['tensor<2x2x3x3xf32>', `tensor<${tile}xf32>`],
    ['[%f, 0, 0, 0] [2, 2, 3, 3]', slice],
    ['(d1, d3, d4, d5)', `(${map})`],
    ['tensor<1x4x30xf32>', 'tensor<1x30x4xf32>'],
    ['tensor<1x2x6xf32>', 'tensor<1x6x2xf32>'],
    ['[0, %f, %w] [1, 2, 6]', '[0, %w, %f] [1, 6, 2]'],
    ['-> (d0, d1, d2)>', '-> (d0, d2, d1)>'],
  );
};

/** `tiled` with this number of channels. */
const withChannels = (count: number): string =>
  changed(
    ['tensor<1x2x56xf32>', `tensor<1x${count}x56xf32>`],
    ['tensor<4x2x3x3xf32>', `tensor<4x${count}x3x3xf32>`],
    ['tensor<2x2x3x3xf32>', `tensor<2x${count}x3x3xf32>`],
    ['[2, 2, 3, 3]', `[2, ${count}, 3, 3]`],
  );

/** A payload of floats whose operands are integers that are extended to i32, less a zero point for the input. */
const ofBytes = (payload: string, { element = 'i8', extended = 'extsi', zeroPoint = '' } = {}): string => {
  const results = new Set(
    [...payload.matchAll(/%out: tensor<([\dx]+)xf32>|outs\(%tile_o : tensor<([\dx]+)xf32>/g)].map(
      ([, whole, tile]) => whole ?? tile,
    ),
  );
  let text = payload.replaceAll('xf32>', `x${element}>`);
  for (const sizes of results) text = text.replaceAll(`tensor<${sizes}x${element}>`, `tensor<${sizes}xi32>`);
  return replaced(
    text,
    ['%filter: f32, %sum: f32', `%filter: ${element}, %sum: i32`],
    [
      '%3 = arith.mulf %x, %filter : f32',
      `%x1 = arith.${extended} %x : ${element} to i32
        %f1 = arith.${extended} %filter : ${element} to i32
        ${zeroPoint === '' ? '' : `%x2 = arith.subi %x1, ${zeroPoint} : i32`}
        %3 = arith.muli ${zeroPoint === '' ? '%x1' : '%x2'}, %f1 : i32`,
    ],
    ['%4 = arith.addf %sum, %3 : f32', '%4 = arith.addi %sum, %3 : i32'],
    ['linalg.yield %4 : f32', 'linalg.yield %4 : i32'],
    [
      '%c0 = arith.constant 0 : index',
      `%seven = arith.constant 7 : i32
  %other = arith.index_cast %start : index to i32
  %c0 = arith.constant 0 : index`,
    ],
    ['func.func @conv(', 'func.func @conv(%start: index, '],
  );
};

const convolutions = fc
  .record({
    batch: fc.integer({ min: 1, max: 2 }),
    channels: fc.integer({ min: 1, max: 3 }),
    filter: fc.constantFrom([1, 1] as const, [2, 3] as const, [3, 1] as const),
    stride: fc.integer({ min: 1, max: 2 }),
    dilation: fc.integer({ min: 1, max: 2 }),
    output: fc.constantFrom([3, 4] as const, [4, 3] as const, [2, 6] as const),
    windows: fc.constantFrom(1, 2, 3, 4, 6, 12),
    filters: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
    outer: fc.constantFrom('windows', 'filters'),
  })
  .map(tiledConvolution);

describe('transform.structured.form_microkernel', () => {
  it('contracts over one dimension K = Nc x Fh x Fw', () => {
    const { text } = apply(tiled, steps);
    expect(text).toContain('[[0], [1, 2, 3], [4]] : tensor<1x2x3x3x6xf32> into tensor<1x18x6xf32>');
    expect(text).toContain('[[0, 1, 2], [3]] : tensor<2x3x3x2xf32> into tensor<18x2xf32>');
    expect(text).toContain(
      'indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]',
    );
    expect(text).toContain('attrs =  {microkernel}');
  });

  it('collapses an operand where it was packed, outside of the loops that it does not depend on', () => {
    const places = [...apply(tiled, steps).text.matchAll(/scf\.for|collapse_shape/g)].map(([found]) => found);
    expect(places).toEqual(['scf.for', 'collapse_shape', 'scf.for', 'collapse_shape']);
  });

  it('keeps, as all packing does, what a convolution computes', () => {
    fc.assert(
      fc.property(convolutions, fc.constantFrom('%windows', '%filters'), (payload, moving) => {
        const { status, diagnostics } = apply(payload, [steps, multipack(moving)].join('\n'));
        expect([status, diagnostics]).toEqual(['success', '']);
      }),
      { numRuns: 30 },
    );
  });

  it('contracts panel by panel', () => {
    const { text, diagnostics } = apply(tiled, script(packWindowsIn(3), packFiltersIn(1), formMicrokernel));
    expect(diagnostics).toBe('');
    expect(text).toContain('[[0], [1], [2, 3, 4], [5]] : tensor<1x2x2x3x3x3xf32> into tensor<1x2x18x3xf32>');
    expect(text).toContain('[[0], [1, 2, 3], [4]] : tensor<2x2x3x3x1xf32> into tensor<2x18x1xf32>');
    expect(text).toContain(
      'indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2 floordiv 3, d3, d2 mod 3)>, affine_map<(d0, d1, d2, d3) -> (d1, d3, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]',
    );
  });

  it('keeps what a convolution computes, whatever the panels', () => {
    const panel = fc.constantFrom(undefined, 1, 2, 3, 4);
    fc.assert(
      fc.property(
        convolutions,
        fc.constantFrom('%windows', '%filters'),
        panel,
        panel,
        (payload, moving, windows, filters) => {
          const panelled = script(packWindowsIn(windows), packFiltersIn(filters), formMicrokernel);
          const { status, diagnostics } = apply(payload, [panelled, multipack(moving)].join('\n'));
          if (/\[pack-(windows|filters)\/panel\]/.test(diagnostics)) return;
          expect([status, diagnostics]).toEqual(['success', '']);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('says that the microkernel stands for the tile', () => {
    const kernels = replacementsOf(tiled, 'linalg.generic', (rewriter, operation) =>
      andThen(packWindowsOf(rewriter, operation), ({ operation: tile }) =>
        andThen(packFiltersOf(rewriter, tile), ({ operation: packed }) =>
          formMicrokernelOf(rewriter, packed),
        ),
      ),
    );
    expect(kernels.map(({ attributes }) => 'microkernel' in attributes)).toEqual([true]);
  });

  it('takes operands that are arguments of the function', () => {
    const packed = `func.func @f(%w: tensor<1x2x1x3x4xf32>, %f: tensor<2x1x3x5xf32>, %out: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5, d2)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5, d1)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%w, %f : tensor<1x2x1x3x4xf32>, tensor<2x1x3x5xf32>) outs(%out : tensor<1x5x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x5x4xf32>
  return %0 : tensor<1x5x4xf32>
}`;
    const { text, diagnostics } = apply(packed, script(formMicrokernel.replace('%t2', '%op')));
    expect(diagnostics).toBe('');
    expect(text).toContain('tensor<6x5xf32>');
  });

  it('keeps attributes', () => {
    const marked = changed([
      'outs(%tile_o : tensor<1x2x6xf32>)',
      'outs(%tile_o : tensor<1x2x6xf32>) attrs = {tag = "keep"}',
    ]);
    const { text, diagnostics } = apply(marked, steps);
    expect(diagnostics).toBe('');
    expect(text.match(/attrs =.*\}/g)).toEqual(['attrs =  {microkernel, tag = "keep"}']);
  });

  it.each([
    ['another function', [['arith.mulf', 'arith.subf']]],
    ['a maximum instead of the sum', [['arith.addf', 'arith.maximumf']]],
    ['an index', [['%3 = arith.mulf', '%own = linalg.index 3 : index\n%3 = arith.mulf']]],
    [
      'an effect',
      [
        ['func.func @conv', 'func.func private @f()\nfunc.func @conv'],
        ['%3 = arith.mulf', 'func.call @f() : () -> ()\n%3 = arith.mulf'],
      ],
    ],
  ] as const)('refuses a body that a microkernel does not compute: %s', (_, changes) => {
    const { status, diagnostics } = apply(changed(...changes), steps);
    expect(status).toBe('definite');
    expect(diagnostics).toContain('the body is not out + windows * filters');
    expect(diagnostics).toContain('[form-microkernel/body]');
  });

  it('takes tiles of integers', () => {
    const integers = changed(
      ['xf32', 'xi32'],
      [': f32', ': i32'],
      ['arith.mulf', 'arith.muli'],
      ['arith.addf', 'arith.addi'],
    );
    expect(apply(integers, steps).diagnostics).toBe('');
  });

  it.each([
    ['filters that are not packed', script(packWindows, formMicrokernel.replace('%t2', '%t1'))],
    ['windows that are not packed', script(formMicrokernel.replace('%t2', '%op'))],
    [
      'a microkernel',
      [steps, formMicrokernel.replace('%kernel', '%again').replace('%t2', '%kernel')].join('\n'),
    ],
  ])('refuses %s', (_, lines) => {
    const { status, diagnostics } = apply(tiled, lines);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(
      'expected a tile with packed windows and filters [form-microkernel/not-packed]',
    );
  });

  describe('of filters as lanes', () => {
    const steps = script(packWindows, packFilters, formMicrokernel);

    it.each([
      ['HWCF', channelsLast('3x3x2', '[0, 0, 0, %f] [3, 3, 2, 2]', 'd4, d5, d3, d1')],
      ['FHWC', channelsLast('2x3x3x2', '[%f, 0, 0, 0] [2, 3, 3, 2]', 'd1, d4, d5, d3')],
    ])('contracts %s by NHWC as windows by filters', (_, payload) => {
      const { text, diagnostics } = apply(payload, steps);
      expect(diagnostics).toBe('');
      expect(text).toContain('[[0, 1, 2, 3], [4]] : tensor<1x3x3x2x6xf32> into tensor<18x6xf32>');
      expect(text).toContain('[[0, 1, 2], [3]] : tensor<3x3x2x2xf32> into tensor<18x2xf32>');
      expect(text).toContain(
        '[[0, 1], [2]] output_shape [1, 18, 2] : tensor<18x2xf32> into tensor<1x18x2xf32>',
      );
      expect(text).toContain(
        'indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]',
      );
    });

    it.each([
      ['windows', script(packWindowsIn(3))],
      ['filters', script(packWindows, packFiltersIn(1))],
    ])('has no panels of %s', (operand, lines) => {
      const payload = channelsLast('3x3x2', '[0, 0, 0, %f] [3, 3, 2, 2]', 'd4, d5, d3, d1');
      expect(apply(payload, lines).diagnostics).toContain(
        `panels are of microkernels whose lanes are windows, as those of NCHW are [pack-${operand}/panel]`,
      );
    });
  });

  describe('of pairs', () => {
    const pairs = script(packWindows, packFilters, formMicrokernel.replace('%t2', '%t2 {pairs}'));
    const last = channelsLast('3x3x2', '[0, 0, 0, %f] [3, 3, 2, 2]', 'd4, d5, d3, d1');

    it.each([
      ['bytes', ofBytes(tiled), '1x2x3x3x6'],
      ['bytes without sign', ofBytes(tiled, { extended: 'extui' }), '1x2x3x3x6'],
      ['bytes from which a number is subtracted', ofBytes(tiled, { zeroPoint: '%seven' }), '1x2x3x3x6'],
      ['words', ofBytes(tiled, { element: 'i16' }), '1x2x3x3x6'],
      ['bytes in NHWC', ofBytes(last), '1x3x3x2x6'],
    ])('takes two channels at once, of %s', (_, payload, whole) => {
      const { text, diagnostics } = apply(payload, pairs);
      expect(diagnostics).toBe('');
      expect(text).toContain('"reduction", "reduction"]} ins(');
      expect(text).toMatch(/tensor<1x9x6x2xi16>|tensor<9x6x2xi16>/);
      expect(text).toMatch(/tensor<(1x)?9x2x2xi16>/);
      // What was packed before is gone.
      expect(text).not.toContain(`tensor<${whole}x`);
    });

    it.each([
      ['words from which a number is subtracted', ofBytes(tiled, { element: 'i16', zeroPoint: '%seven' })],
      ['words without sign', ofBytes(tiled, { element: 'i16', extended: 'extui' })],
      ['bytes from which another value is subtracted', ofBytes(tiled, { zeroPoint: '%other' })],
      ['an odd number of channels', ofBytes(withChannels(3))],
      ['floats', tiled],
      [
        'panels',
        ofBytes(tiled),
        script(packWindowsIn(3), packFilters, formMicrokernel.replace('%t2', '%t2 {pairs}')),
      ],
    ])('takes one channel after the other, of %s', (_, payload, lines = pairs) => {
      const { text, diagnostics } = apply(payload, lines);
      expect(diagnostics).toBe('');
      expect(text).toContain('attrs =  {microkernel}');
      expect(text).not.toContain('"reduction", "reduction"]} ins(%expanded');
      expect(text).not.toContain('x2xi16>) outs');
    });
  });

  it.each(['', ' {tag = "kept"}'])('is printed as it is read:%s', (attributes) => {
    const line = `%0 = transform.structured.form_microkernel %root${attributes} : (!transform.any_op) -> !transform.op<"linalg.generic">`;
    expect(printed(line)).toEqual([line]);
  });
});
