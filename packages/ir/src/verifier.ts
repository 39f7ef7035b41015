/**
 * Whether a module keeps the rules of the IR and of its operations' declarations.
 */
import type { Diagnostic } from '@sconv/diagnostics';
import type { Module } from './operation.ts';
import type { Registry } from './registry.ts';

export interface VerifyOptions {
  readonly allowUnregisteredDialects?: boolean;
}

export const verify = (_module: Module, _registry: Registry, _options: VerifyOptions = {}): readonly Diagnostic[] => [];
