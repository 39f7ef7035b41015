/** The API for writing lowerings of other dialects' operations: `@sconv/wasm/lowering`. */
export { wasmLowering } from './wasm-lowering.ts';
export type { WasmLowering } from './wasm-lowering.ts';
export type { Buffer, IndexValue, LoweredValue, Lowering, ScalarValue } from './lowering.ts';
export {
  bindIndex,
  bindScalar,
  bufferOf,
  elementAddress,
  fail,
  indexCode,
  indexOf,
  operandOf,
  resultOf,
  scalarOf,
  trapIf,
  unsupported,
} from './lowering.ts';
export { structuredLowering } from './structured-ops.ts';
export { countedLoop, lowerScope } from './counted-loop.ts';
export type { CountedBounds } from './counted-loop.ts';
export { typed } from './instructions.ts';
