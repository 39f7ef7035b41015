export { nativeBackend } from './backend.ts';
export type { NativeModule } from './native-module.ts';
export { hostTarget } from './host.ts';
