/** What is done to a module before its functions are lowered. */
import { bufferLifetimes } from '@sconv/backend';
import type { Diagnostic } from '@sconv/diagnostics';
import { expandComposed } from '@sconv/dialects';
import type { Edit, Module, Registry } from '@sconv/ir';
import { children, edit } from '@sconv/ir';
import { collapseLoops, formKernels } from '@sconv/kernels';
import type { TileUnit } from '@sconv/targets';
import { refusedContract } from './contract-op.ts';
import type { ModuleLifetimes } from './function-places.ts';
import { moduleLifetimes } from './function-places.ts';
import { refusedPacking } from './lower-pack.ts';
import { refusedMicrokernel } from './microkernel-op.ts';

/**
 * The module with the ops that others are composed of, and the kernels that it has code for; nobody passes a function
 * one buffer twice. And how long its buffers are used.
 */
export const withFormedKernels = (
  module: Module,
  registry: Registry,
  tiles: TileUnit | undefined,
): Edit<{ readonly warnings: readonly Diagnostic[]; readonly lifetimes: ModuleLifetimes }> =>
  edit(module, { registry }, (rewriter) => {
    expandComposed(rewriter, rewriter.root);
    const apart = children(rewriter.root).flatMap(({ regions }) => regions[0]?.blocks[0]?.arguments ?? []);
    const warnings = formKernels(rewriter, rewriter.root, {
      unit: {
        tiles,
        refusesMicrokernel: refusedMicrokernel,
        refusesContract: refusedContract,
        refusesPacking: refusedPacking,
      },
      apart: new Set(apart.map(({ id }) => id)),
    });
    collapseLoops(rewriter, rewriter.root);
    return { warnings, lifetimes: moduleLifetimes(rewriter, bufferLifetimes(rewriter)) };
  });
