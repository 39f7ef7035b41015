import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import type { Module } from '@sconv/ir';
import { createRegistry, parseModule } from '@sconv/ir';

export const registry = createRegistry(payloadDialects);

export const parse = (text: string): Module => unwrap(parseModule(text, { registry }));
