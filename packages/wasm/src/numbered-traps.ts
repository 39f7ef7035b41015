/** Traps that say why. */
import type { Diagnostic } from '@sconv/diagnostics';
import type { GlobalVariable, ModuleBuilder } from './encoder.ts';
import { i32, unreachable } from './instructions.ts';
import type { Lowering } from './lowering.ts';
import { trapGlobal } from './wasm-module.ts';

/**
 * Traps with a reason: a diagnostic's number, stored in an exported global that exists only in modules with such traps.
 */
export const numberedTraps = (
  builder: ModuleBuilder,
): { readonly traps: readonly Diagnostic[]; readonly trap: Lowering['trap'] } => {
  const traps: Diagnostic[] = [];
  let reason: GlobalVariable | undefined;
  return {
    traps,
    trap: (diagnostic) => {
      reason ??= builder.global(trapGlobal);
      return [reason.set(i32.const(traps.push(diagnostic))), unreachable];
    },
  };
};
