import { fileURLToPath } from 'node:url';
import { unwrap } from '@sconv/diagnostics';
import { edit, printModule } from '@sconv/ir';
import { formKernels } from '@sconv/kernels';
import { tileUnit, wasm } from '@sconv/targets';
import type { ConvolutionElement, ConvolutionSpec } from 'sconv';
import { compileModuleSync, convolutionPayload } from 'sconv';
import { describe, expect, it } from 'vitest';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';

describe.skipIf(!hasMlirOpt)('mlir-opt-19 reads kernels by the IRDL file, and prints as we do', () => {
  it.each<[string, Partial<ConvolutionSpec<ConvolutionElement>>]>([
    ['with padding', { padding: [1, 1], accumulate: false }],
    ['of i8', { elementType: 'i8' }],
    ['of f16', { elementType: 'f16', padding: [1, 1] }],
  ])('a convolution %s', (_, spec) => {
    const payload = convolutionPayload({ input: [1, 4, 9, 9], filters: [6, 4, 3, 3], ...spec });
    const { bufferized } = unwrap(compileModuleSync(payload)).stages;
    const { module } = edit(bufferized, { registry }, (rewriter) =>
      formKernels(rewriter, rewriter.root, { unit: { tiles: tileUnit(wasm) } }),
    );
    const text = printModule(module, { registry });
    expect(text).toMatch(/"kernel.microkernel".*tiles = \[array<i64: 0, \d+, 0, \d>/);
    const file = fileURLToPath(new URL('../../../packages/kernels/kernel.irdl.mlir', import.meta.url));
    expect(mlirOpt([text], [`--irdl-file=${file}`])).toEqual([`${text}\n`]);
  });
});
