/** Relaxed SIMD in Node, whose older releases have it behind a flag. */
import { setFlagsFromString } from 'node:v8';
import { supportsRelaxedSimd } from '@sconv/wasm';

/** Runs the command with these arguments; returns the exit code. */
export const enableRelaxedSimd = (): boolean => {
  if (supportsRelaxedSimd()) return true;
  setFlagsFromString('--experimental-wasm-relaxed-simd');
  return supportsRelaxedSimd();
};
