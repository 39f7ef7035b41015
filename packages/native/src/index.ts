export { nativeBackend } from './backend.ts';
export type { NativeModule } from './native-module.ts';
