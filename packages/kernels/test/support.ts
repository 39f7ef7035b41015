import type { Diagnostic } from '@sconv/diagnostics';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import type { Module } from '@sconv/ir';
import { createRegistry, edit, operationsIn, parseModule, printModule, verify } from '@sconv/ir';
import { expect } from 'vitest';
import type { FormKernelsOptions } from '../src/index.ts';
import { formKernels } from '../src/index.ts';

export const registry = createRegistry(payloadDialects);

export const parse = (text: string): Module => unwrap(parseModule(text, { registry }));

/** The module with its kernels, and the warnings; checks that it verifies, and can be read again. */
export const formed = (
  module: Module,
  options?: FormKernelsOptions,
): { readonly module: Module; readonly warnings: readonly Diagnostic[] } => {
  const { module: after, results: warnings } = edit(module, { registry }, (rewriter) =>
    formKernels(rewriter, rewriter.root, options),
  );
  expect(verify(after, registry)).toEqual([]);
  const text = printModule(after, { registry });
  expect(printModule(parse(text), { registry })).toBe(text);
  return { module: after, warnings };
};

/** The names of all operations. */
export const names = (module: Module): ReadonlySet<string> =>
  new Set(operationsIn(module.root).map(({ name }) => name));
