/** Builds a module in code. */
import { expectRegistry } from './check-module.ts';
import type { Diagnosed, Location } from '@sconv/diagnostics';
import { definite, expectFunction, success, unknownLocation } from '@sconv/diagnostics';
import type { Builder } from './builder.ts';
import { builder } from './builder.ts';
import { edit } from './edit.ts';
import { IrFactory } from './ir-factory.ts';
import type { Module } from './operation.ts';
import type { Registry } from './registry.ts';
import type { Rewriter } from './rewriter.ts';
import { verify } from './verifier.ts';

/** Options of `buildModule` and `buildPayload`. */
export interface BuildModuleOptions {
  /** The default location of operations; unknown if omitted. */
  readonly location?: Location;
}

/** A module with what `build` creates; fails definitely with the verifier's diagnostics. */
export const buildModule = (
  registry: Registry,
  build: (b: Builder, rewriter: Rewriter) => void,
  { location = unknownLocation }: BuildModuleOptions = {},
): Diagnosed<Module> => {
  expectRegistry('buildModule', { registry });
  expectFunction('a function that builds the module', build);
  const { module } = edit(emptyModule(location), { registry }, (rewriter) => {
    rewriter.setInsertionPointToEnd(rewriter.root.regions[0]!.blocks[0]!);
    build(builder(rewriter), rewriter);
  });
  const errors = verify(module, registry);
  return errors.length === 0 ? success(module) : definite(...errors);
};

const emptyModule = (location: Location): Module => {
  const factory = new IrFactory();
  const root = factory.operation({
    name: 'builtin.module',
    regions: [{ blocks: [factory.block(factory.id(), [], [])] }],
    location,
  });
  return Object.freeze({ root, nextId: factory.nextId });
};
