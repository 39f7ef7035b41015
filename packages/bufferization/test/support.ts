/** Bufferization from text to text. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, render, success, unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import type { Module } from '@sconv/ir';
import { createRegistry, parseModule, printModule, verify } from '@sconv/ir';
import type { BufferizeOptions } from '../src/index.ts';
import { bufferizationInterfaces, bufferizeModule } from '../src/index.ts';

export const registry = createRegistry(payloadDialects, bufferizationInterfaces);

export const parse = (text: string): Module => unwrap(parseModule(text, { registry, fileName: 'test.mlir' }));

export interface Outcome {
  readonly status: 'success' | 'silenceable' | 'definite';
  /** Without the module around it and without constants; empty after a failure. */
  readonly text: string;
  readonly diagnostics: string;
  /** `memref.alloc` in the text. */
  readonly allocations: number;
  /** `memref.copy` in the text. */
  readonly copies: number;
}

const count = (text: string, word: string): number => text.split(word).length - 1;

const verified = (module: Module): Diagnosed<Module> => {
  const found = verify(module, registry);
  return found.length > 0 ? definite(...found) : success(module);
};

/** The bufferized module; throws if it is not valid. */
export const bufferized = (text: string, options: BufferizeOptions = {}): Outcome => {
  const result = bufferizeModule(parse(text), { registry, ...options });
  if (result.status === 'success') unwrap(verified(result.value));
  const printed =
    result.status === 'success' ? printModule(result.value, { registry, localScope: true }) : '';
  return {
    status: result.status,
    text: bodyOf(printed),
    diagnostics: result.diagnostics.map((diagnostic) => render(diagnostic)).join('\n'),
    allocations: count(printed, 'memref.alloc('),
    copies: count(printed, 'memref.copy'),
  };
};

const bodyOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^(module \{|\}|)$/.test(line) && !line.includes('= arith.constant'))
    .map((line) => line.slice(2))
    .join('\n');
