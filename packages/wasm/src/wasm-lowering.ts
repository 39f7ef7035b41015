/** What an operation implements, or has attached, to become WebAssembly. */
import type { Operation } from '@sconv/ir';
import { opInterface } from '@sconv/ir';
import type { Lowering } from './lowering.ts';

/**
 * Writes the code of one operation on numbers and buffers, and binds its results (`bindScalar`, `bindIndex`,
 * `lowering.values`). Its operands have been bound by the operations before it. What it cannot emit it ends with `fail`
 * or `unsupported`.
 */
export type WasmLowering = (lowering: Lowering, operation: Operation) => void;

/** Terminators need none: what they pass on is the business of the operation around them. */
export const wasmLowering = opInterface<WasmLowering>('wasm-lowering');

/** The lowerings of operations that differ by the entry which a table has for their names. */
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
