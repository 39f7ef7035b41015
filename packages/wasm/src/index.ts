export { emitModule } from './emit-module.ts';
export type { EmitOptions } from './emit-module.ts';
export { instantiate, instantiateAsync, ownedBytes, supportsRelaxedSimd } from './instantiate.ts';
export type { Elements } from './elements.ts';
export type { InstantiateOptions, RunValue, WasmInstance } from './instantiate.ts';
export { addMicrokernel, emitMicrokernel } from './microkernel.ts';
export type { MicrokernelOptions } from './microkernel.ts';
export { planRegisterTiles } from './register-tiles.ts';
export type { RegisterTile } from './register-tiles.ts';
export type { ElementName } from './storage.ts';
export type {
  BufferDescription,
  FunctionDescription,
  ParameterDescription,
  ScalarDescription,
  WasmModule,
} from './wasm-module.ts';
export { createModuleBuilder, FunctionTooLargeError } from './encoder.ts';
export type { FunctionBuilder, FunctionRef, Label, Local, Locals, ModuleBuilder } from './encoder.ts';
export { f32, f32x4, f64, i32, i64, memoryCopy, select, v128 } from './instructions.ts';
export type { Code, Expr, ValueType } from './instructions.ts';
export { emitPanelCopy } from './panel-copy.ts';
export type { PanelCopy, PanelDimension } from './panel-copy.ts';
