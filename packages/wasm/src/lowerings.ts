/** The lowerings of the dialects' operations, for a registry. */
import { structuredViews } from '@sconv/dialects/linalg';
import type { Attachment } from '@sconv/ir';
import { attach } from '@sconv/ir';
import { lowerCall } from './call-op.ts';
import { lowerContract } from './contract-op.ts';
import { controlLowerings } from './control-ops.ts';
import { lowerPack } from './lower-pack.ts';
import { memrefLowerings } from './memref-ops.ts';
import { lowerMicrokernel } from './microkernel-op.ts';
import { scalarLowerings } from './scalar-ops.ts';
import { structuredLowering } from './structured-ops.ts';
import type { WasmLowering } from './wasm-lowering.ts';
import { wasmLowering } from './wasm-lowering.ts';

const lowerings: Readonly<Record<string, WasmLowering>> = {
  ...scalarLowerings,
  ...memrefLowerings,
  ...controlLowerings,
  ...Object.fromEntries([...structuredViews].map(([name, view]) => [name, structuredLowering(view)])),
  'kernel.microkernel': lowerMicrokernel,
  'kernel.contract': lowerContract,
  'kernel.pack': lowerPack,
  'func.call': lowerCall,
  // Already bound by the loop nest.
  'linalg.index': () => undefined,
};

/** The WebAssembly lowerings of arith, affine, scf, memref, linalg, kernels, and calls: for `createRegistry`. */
export const wasmLowerings: readonly Attachment[] = Object.entries(lowerings).map(([name, lowering]) =>
  attach(wasmLowering, name, lowering),
);
