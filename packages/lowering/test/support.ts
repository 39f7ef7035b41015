import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import type { Module } from '@sconv/ir';
import { createRegistry, edit, operationsIn, parseModule, verify } from '@sconv/ir';
import { formKernels } from '@sconv/kernels';
import { modelledSpeeds } from '@sconv/targets';
import { expect } from 'vitest';
import type { VectorRegisters } from '../src/index.ts';
import { lowerTiles } from '../src/index.ts';

export const registry = createRegistry(payloadDialects);

export const parse = (text: string): Module => unwrap(parseModule(text, { registry }));

/** A small vector unit. */
export const unit = { bits: 128, registers: 16, prefetch: true };

/** The module with its tiles lowered for a vector unit; checks that it verifies. */
export const lowered = (
  module: Module,
  bits = unit.bits,
  registers = unit.registers,
  others: Partial<VectorRegisters> = {},
): Module => {
  const tiles = { bits, speeds: modelledSpeeds({ registers, units: 2 }) };
  const after = edit(module, { registry }, (rewriter) => {
    formKernels(rewriter, rewriter.root, { unit: { tiles } });
    lowerTiles(rewriter, rewriter.root, { ...unit, bits, registers, ...others });
  }).module;
  expect(verify(after, registry)).toEqual([]);
  return after;
};

/** The names of all operations. */
export const names = (module: Module): ReadonlySet<string> =>
  new Set(operationsIn(module.root).map(({ name }) => name));
