/** From text to a running instance, with the dialects that the backend knows. */
import type { Diagnostic } from '@sconv/diagnostics';
import { unwrap } from '@sconv/diagnostics';
import { affineDialect } from '@sconv/dialects/affine';
import { arithDialect } from '@sconv/dialects/arith';
import { builtinDialect } from '@sconv/dialects/builtin';
import { cfDialect } from '@sconv/dialects/cf';
import { funcDialect } from '@sconv/dialects/func';
import { kernelDialect } from '@sconv/dialects/kernel';
import { linalgDialect } from '@sconv/dialects/linalg';
import { mathDialect } from '@sconv/dialects/math';
import { memrefDialect } from '@sconv/dialects/memref';
import { scfDialect } from '@sconv/dialects/scf';
import { tensorDialect } from '@sconv/dialects/tensor';
import { vectorDialect } from '@sconv/dialects/vector';
import type { Module } from '@sconv/ir';
import { createRegistry, parseModule } from '@sconv/ir';
import { emitModule, instantiate, vectorLowerings, wasmLowerings } from '../src/index.ts';
import type { EmitModuleOptions, WasmInstance, WasmModule } from '../src/index.ts';

/** The dialects that the backend knows, with their lowerings. */
export const registry = createRegistry(
  [
    builtinDialect,
    funcDialect,
    cfDialect,
    arithDialect,
    affineDialect,
    scfDialect,
    memrefDialect,
    tensorDialect,
    linalgDialect,
    kernelDialect,
    mathDialect,
    vectorDialect,
  ],
  [...wasmLowerings, ...vectorLowerings],
);

export const moduleOf = (text: string): Module =>
  unwrap(parseModule(text, { registry, fileName: 'test.mlir' }));

export const emitted = (text: string, options: Omit<EmitModuleOptions, 'registry'> = {}): WasmModule =>
  unwrap(emitModule(moduleOf(text), { registry, ...options }));

export const instanceOf = (text: string, options: Omit<EmitModuleOptions, 'registry'> = {}): WasmInstance =>
  instantiate(emitted(text, options));

/** The diagnostic of a failing emission; the module need not be valid. */
export const failureOf = (text: string): Diagnostic => {
  const result = emitModule(unwrap(parseModule(text, { registry, fileName: 'test.mlir', verify: false })), {
    registry,
  });
  const [diagnostic] = result.diagnostics;
  if (result.status === 'success' || diagnostic === undefined) throw new Error('emission did not fail');
  return diagnostic;
};
