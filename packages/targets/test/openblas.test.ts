import { describe, expect, it } from 'vitest';
import {
  microkernels,
  openblasKernel,
  openblasPanels,
  openblasProcessor,
  panelWidth,
  targets,
} from '../src/index.ts';

describe('kernels of OpenBLAS', () => {
  it.each([
    ['sgemm_kernel_HASWELL', { elementType: 'f32', windows: 8, filters: 4 }],
    ['sgemm_kernel_ZEN', { elementType: 'f32', windows: 8, filters: 4 }],
    ['sgemm_kernel_SANDYBRIDGE', { elementType: 'f32', windows: 16, filters: 4 }],
    ['sgemm_kernel_SKYLAKEX', { elementType: 'f32', windows: 16, filters: 4 }],
    ['sgemm_kernel_COOPERLAKE', { elementType: 'f32', windows: 16, filters: 4 }],
    ['sgemm_kernel_NEOVERSEN1', { elementType: 'f32', windows: 16, filters: 4 }],
    ['sgemm_kernel_POWER10', { elementType: 'f32', windows: 16, filters: 8 }],
    ['dgemm_kernel_HASWELL', { elementType: 'f64', windows: 4, filters: 8 }],
    ['dgemm_kernel_ZEN', { elementType: 'f64', windows: 4, filters: 8 }],
    ['dgemm_kernel_SKYLAKEX', { elementType: 'f64', windows: 16, filters: 2 }],
    ['dgemm_kernel_COOPERLAKE', { elementType: 'f64', windows: 16, filters: 2 }],
    ['dgemm_kernel_POWER10', undefined],
    ['sgemm_kernel_constructor', undefined],
    ['sgemm_blas_kernel', undefined],
    ['my_sgemm_kernel_ZEN', undefined],
  ])('%s takes panels', (symbol, panels) => {
    expect(openblasPanels(symbol)).toEqual(panels);
  });

  it('have the panels of their symbols in every target', () => {
    const kernels = targets.flatMap(microkernels).filter(({ generation }) => generation === 'openblas');
    expect(kernels.length).toBeGreaterThan(5);
    for (const { symbol, elementType, panels } of kernels)
      expect(openblasPanels(symbol!)).toEqual({ elementType, ...panels });
  });

  it.each([
    ['sgemm_kernel_HASWELL', 'x86-64', 'fma'],
    ['dgemm_kernel_SKYLAKEX', 'x86-64', 'avx512vl'],
    ['sgemm_kernel_NEOVERSEN1', 'aarch64', 'asimd'],
    ['sgemm_kernel_POWER10', 'ppc64le', 'mma'],
  ])('%s needs %s with %s', (symbol, isa, feature) => {
    expect(openblasProcessor(symbol)).toMatchObject({ isa });
    expect(openblasProcessor(symbol)?.features).toContain(feature);
  });

  it('that are not known need nothing that is', () => {
    for (const symbol of ['sgemm_blas_kernel', 'dgemm_kernel_POWER10'])
      expect(openblasProcessor(symbol)).toBeUndefined();
  });

  it('are refused where their panels are not known', () => {
    const tile = { windows: 8, filters: 4, source: 'a test' };
    expect(() => openblasKernel({ core: 'PRESCOTT', ...tile })).toThrow(
      'core: the panels of sgemm_kernel_PRESCOTT are not known',
    );
  });
});

it.each([
  [16, 16, 16],
  [48, 16, 16],
  [8, 16, 8],
  [1, 4, 1],
  [24, 16, undefined],
  [6, 8, undefined],
  [6, 4, undefined],
])('%i rows in panels of %i', (size, unroll, width) => {
  expect(panelWidth(size, unroll)).toBe(width);
});
