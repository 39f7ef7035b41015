/** Relaxed SIMD in Node, whose older releases have it behind a flag. */
import { setFlagsFromString } from 'node:v8';
import { supportsRelaxedSimd } from '@sconv/wasm';

/** Whether the engine has it, now that it was asked to. */
export const enableRelaxedSimd = (): boolean => {
  if (supportsRelaxedSimd()) return true;
  setFlagsFromString('--experimental-wasm-relaxed-simd');
  return supportsRelaxedSimd();
};
