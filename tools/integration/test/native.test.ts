import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { findToolchain, nativeBackend } from '@sconv/native';
import { avx2, avx512, neon } from '@sconv/targets';
import { compileModule } from 'sconv';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ConvolutionShape } from './support/convolutions.ts';
import { cases, listing1, outputOf } from './support/convolutions.ts';
import { dataOf, firstMismatch, parse } from './support/stages.ts';

const hasLlvm = 'paths' in (await findToolchain());

/** A function with a convolution, on tensors. */
const convolutionFunction = (name: string, shape: ConvolutionShape): string => {
  const type = (...sizes: readonly number[]): string => `tensor<${sizes.join('x')}xf32>`;
  const { batch, inputChannels, inputHeight, inputWidth, filters, filterHeight, filterWidth } = shape;
  const input = type(batch, inputChannels, inputHeight, inputWidth);
  const weights = type(filters, inputChannels, filterHeight, filterWidth);
  const output = type(batch, filters, ...outputOf(shape));
  const pair = ({ h, w }: { readonly h: number; readonly w: number }): string =>
    `dense<[${h}, ${w}]> : tensor<2xi64>`;
  return `func.func @${name}(%i: ${input}, %f: ${weights}, %o: ${output}) -> ${output} {
    %r = linalg.conv_2d_nchw_fchw {strides = ${pair(shape.strides)}, dilations = ${pair(shape.dilations)}}
      ins(%i, %f : ${input}, ${weights}) outs(%o : ${output}) -> ${output}
    return %r : ${output}
  }`;
};

const shapes = [
  ...new Map([...cases, ...listing1].map(({ shape }) => [JSON.stringify(shape), shape])).values(),
];

const cache = mkdtempSync(join(tmpdir(), 'sconv-native-'));
beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

/** One module, so that LLVM is started once. */
const payload = parse(
  shapes.map((shape, i) => convolutionFunction(`conv${i}`, shape)).join('\n'),
  'convolutions.mlir',
);

/** What LLVM takes long for: vectors of both widths, tiles of several sizes. */
const compilations = [
  ...(['best', 'composed'] as const).map((edges) => ({
    target: process.arch === 'arm64' ? neon : avx2,
    edges,
  })),
  { target: avx512, edges: 'best' as const },
];

describe.skipIf(!hasLlvm)('native code', () => {
  it.each(compilations)(
    'for $target.name computes convolutions with edges that are $edges',
    async ({ target, edges }) => {
      const compiled = await compileModule(payload, { target, edges, backends: [nativeBackend] });
      // A processor that lacks the extension says so.
      if (compiled.diagnostics.some(({ code }) => code === 'native/processor')) return;
      const artifact = unwrap(compiled);
      for (const [i, shape] of shapes.entries()) {
        const data = dataOf(shape);
        const output = data.initial.slice();
        const [result] = artifact.run(`conv${i}`, data.input, data.filters, output);
        expect(result).toBe(output);
        expect(firstMismatch(output, data.expected)).toBeUndefined();
      }
      artifact.dispose();
    },
  );
});
