/** The lowerings of `vector` and `math`, and of `arith` on vectors, for a registry. */
import { onlyBlock, operandOf, unsupported, valueOf } from './lowering.ts';
import type { Attachment } from '@sconv/ir';
import { attach } from '@sconv/ir';
import { mathLowerings, mathOnRegisters } from './math-ops.ts';
import { scalarLowerings } from './scalar-ops.ts';
import { elementwise } from './vector-elementwise.ts';
import { vectorMemoryOps } from './vector-memory-ops.ts';
import { lowerVectorConstant, vectorOps } from './vector-ops.ts';
import { maskableSums, vectorSumOps } from './vector-sum-ops.ts';
import { simdOperation } from './vector-simd.ts';
import type { WasmLowering } from './wasm-lowering.ts';
import { wasmLowering } from './wasm-lowering.ts';

/** The operations that a `vector.mask` may be around. */
const maskable: ReadonlySet<string> = new Set([
  ...Object.keys(maskableSums),
  'vector.transfer_read',
  'vector.transfer_write',
  'vector.gather',
  'vector.scatter',
]);

const lowerMask: WasmLowering = (state, operation) => {
  const [inner, last] = onlyBlock(operation).operations;
  const [mask, passthru] = operation.operands;
  if (mask === undefined || inner === undefined) return unsupported(operation, 'a mask around nothing');
  if (last !== undefined) {
    if (!maskable.has(inner.name)) return unsupported(inner, 'this operation under a mask');
    state.maskings.set(inner.id, { mask, passthru });
    state.lowerOperation(inner);
  }
  const { operands } = last ?? inner;
  operation.results.forEach((result, i) => {
    state.values.set(result.id, valueOf(state, operation, operandOf({ ...operation, operands }, i)));
  });
};

const lowerings: Readonly<Record<string, WasmLowering>> = {
  ...Object.fromEntries(
    Object.entries(scalarLowerings)
      .filter(([name]) => /^(arith|math)\./.test(name))
      .map(([name, lower]) => [name, elementwise(lower)]),
  ),
  ...Object.fromEntries(
    Object.entries(mathLowerings).map(([name, lower]) => [
      name,
      elementwise(lower, (state, each) => mathOnRegisters(state, each) ?? simdOperation(state, each)),
    ]),
  ),
  ...vectorOps,
  ...vectorMemoryOps,
  ...vectorSumOps,
  'arith.constant': lowerVectorConstant,
  'vector.mask': lowerMask,
};

/**
 * The WebAssembly lowerings of vector and math, and of arith on vectors: for `createRegistry`, behind `wasmLowerings`,
 * some of which they extend.
 */
export const vectorLowerings: readonly Attachment[] = Object.entries(lowerings).map(([name, lowering]) =>
  attach(wasmLowering, name, lowering),
);
