/** Weights are packed when a model is loaded: its first call is as fast as later ones. */
import { uniformValues } from '@sconv/backend/runtime';
import type { CompiledModule } from '../compile-module.ts';

/**
 * Packs the weights of a function, by a call with zeros or, if that fails, as where it divides by them, with ones.
 * Where both fail, and in emulators, whose calls are processes of their own, the first call that succeeds packs them.
 */
export const packWeights = async (
  {
    emitted,
    emulator,
    functions,
    callAsync,
  }: Pick<CompiledModule, 'emitted' | 'emulator' | 'functions' | 'callAsync'>,
  functionName: string,
): Promise<void> => {
  const { constants = [] } = emitted;
  if (constants.length === 0 || emulator !== undefined) return;
  const { parameters } = functions.find(({ name }) => name === functionName)!;
  for (const number of [0, 1] as const) {
    const called = await callAsync(functionName, ...uniformValues(parameters, number));
    if (called.status === 'success') return;
  }
};
