/** The interface through which an operation becomes WebAssembly. */
import type { Operation } from '@sconv/ir';
import { opInterface } from '@sconv/ir';
import type { Lowering } from './lowering.ts';

/**
 * Emits the code of one operation on numbers and buffers, and binds its results (`bindScalar`, `bindIndex`,
 * `lowering.values`). Its operands are already bound. Rejects what it cannot emit with `fail` or `unsupported`.
 */
export type WasmLowering = (lowering: Lowering, operation: Operation) => void;

/** Terminators need none: the parent operation handles what they pass on. */
export const wasmLowering = opInterface<WasmLowering>('wasm-lowering');

/** Lowerings of operations that differ only in a table entry by name. */
export const loweringsOf = <Entry>(
  table: Readonly<Record<string, Entry>>,
  lower: (lowering: Lowering, operation: Operation, entry: Entry) => void,
): Readonly<Record<string, WasmLowering>> =>
  Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      (lowering: Lowering, operation: Operation) => {
        lower(lowering, operation, entry);
      },
    ]),
  );
