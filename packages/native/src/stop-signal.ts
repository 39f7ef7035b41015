import type { LoadSignal } from '@sconv/backend';

/** An `AbortSignal` where the program's `lib` or Node's types declare that, otherwise the part that is used. */
export type StopSignal = typeof globalThis extends { AbortSignal: { readonly prototype: infer Signal } }
  ? Signal
  : LoadSignal;
