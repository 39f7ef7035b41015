/** Relaxed SIMD in Node, whose older releases have it behind a flag. */
import { setFlagsFromString } from 'node:v8';
import { supportsRelaxedSimd } from '@sconv/wasm';

/** Lets the engine run relaxed SIMD where it can; says whether it can. */
export const enableRelaxedSimd = (): boolean => {
  if (supportsRelaxedSimd()) return true;
  setFlagsFromString('--experimental-wasm-relaxed-simd');
  return supportsRelaxedSimd();
};
