export { emulatedBackend, nativeBackend } from './backend.ts';
export type { NativeModule } from './native-module.ts';
export { findToolchain } from './toolchain.ts';
export type { ToolName, Toolchain } from './toolchain.ts';
