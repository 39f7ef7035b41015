/** OpenBLAS, whose microkernels a module may call (`@sconv/blas`): their requirements, and the library's location. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { children, symbolNameOf } from '@sconv/ir';
import { openblasProcessor } from '@sconv/targets';

/** OpenBLAS kernels, and the processor features that they need. */
export interface UsedKernels {
  readonly kernels: readonly string[];
  readonly features: readonly string[];
}

/** The kernels that a module calls; fails with `native/kernel` for a kernel of another ISA than `isa`. */
export const usedKernels = (
  module: Module,
  called: ReadonlySet<string>,
  isa: string,
): Diagnosed<UsedKernels> => {
  const kernels: string[] = [];
  const features = new Set<string>();
  for (const operation of children(module.root)) {
    const name = symbolNameOf(operation);
    if (name === undefined || !called.has(name)) continue;
    const processor = operation.regions[0]?.blocks.length === 0 ? openblasProcessor(name) : undefined;
    if (processor === undefined) continue;
    if (processor.isa !== isa) {
      const message = `'${name}' is a kernel for ${processor.isa}, and the code is for ${isa}`;
      return definite(error('native/kernel', message, operation.location));
    }
    kernels.push(name);
    for (const feature of processor.features) features.add(feature);
  }
  return success({ kernels, features: [...features] });
};

const names = ['libopenblas.so.0', 'libopenblas.so'];

/** Debian's and Fedora's. */
const folders = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib/powerpc64le-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
];

const isReadable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

/** The library: the file that `SCONV_OPENBLAS` names, or the first in the usual places. Undefined if there is none. */
export const findOpenblas = (): string | undefined => {
  const own = process.env['SCONV_OPENBLAS'];
  if (own !== undefined) return isReadable(own) ? own : undefined;
  const given = (process.env['LD_LIBRARY_PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...given, ...folders].flatMap((folder) => names.map((name) => join(folder, name))).find(isReadable);
};
