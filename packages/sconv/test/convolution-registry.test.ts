import { unwrap } from '@sconv/diagnostics';
import { expect, it } from 'vitest';
import { compileConvolution, compileModuleSync } from '../src/index.ts';
import type { ConvolutionSpec } from '../src/index.ts';
import type { ConvolutionElement } from '../src/convolution-elements.ts';

type Spec = ConvolutionSpec<ConvolutionElement>;

const dense = { input: [1, 16, 21, 20], filters: [33, 16, 3, 3] } as const;
const last = { input: [1, 12, 12, 16], filters: [3, 3, 16, 32], layout: 'nhwc' } as const;

/** A convolution of each kind: with all dialects and transforms it is compiled to the same code. */
it.each<[string, Spec]>([
  ['dense', dense],
  ['with an epilogue', { ...dense, bias: true, residual: true, activation: 'relu' }],
  ['padded, of i8', { ...dense, elementType: 'i8', padding: [1, 1], strides: [2, 2] }],
  ['of f16 and two images', { ...dense, input: [2, 16, 21, 20], elementType: 'f16', dilations: [2, 1] }],
  ['with small edges', { ...dense, edges: 'small', schedule: 'is' }],
  ['with composed edges', { ...dense, edges: 'composed', schedule: 'ws', accumulate: false }],
  ['channels last', { ...last, bias: true, activation: 'relu6' }],
  ['grouped', { ...dense, filters: [32, 4, 3, 3], groups: 4 }],
  ['depthwise', { ...dense, filters: [16, 1, 3, 3], groups: 16, bias: true, activation: 'relu' }],
  ['depthwise, channels last', { ...last, filters: [3, 3, 1, 32], groups: 16 }],
])('takes no transform beyond those of the registry: %s', (_, spec) => {
  const { artifact } = compileConvolution(spec);
  const { edges, schedule } = spec;
  const options = { ...(edges && { edges }), ...(schedule && { schedule }) };
  const whole = unwrap(compileModuleSync(artifact.stages.payload, options));
  expect(artifact.emitted).toEqual(whole.emitted);
});
