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
  script,
  tiled,
  tiledConvolution,
} from './payloads.ts';

const steps = script(packWindows, packFilters, formMicrokernel);

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

  it.each(['', ' {tag = "kept"}'])('is printed as it is read:%s', (attributes) => {
    const line = `%0 = transform.structured.form_microkernel %root${attributes} : (!transform.any_op) -> !transform.op<"linalg.generic">`;
    expect(printed(line)).toEqual([line]);
  });
});
