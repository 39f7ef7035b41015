export { emulatedBackend, nativeBackend } from './backend.ts';
export { nativePipeline } from './build.ts';
export type { BuiltKind } from './build.ts';
export { buildNative } from './build-native.ts';
export type { NativeModule } from './native-module.ts';
export { nativeOps } from './native-ops.ts';
export type { LoweredBy } from './native-ops.ts';
export { findToolchain } from './toolchain.ts';
export type { ToolName, Toolchain } from './toolchain.ts';
