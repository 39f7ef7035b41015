import { describeValue, unknownName } from '@sconv/diagnostics';
import { avx2, zen4 } from './amd.ts';
import { neon, sme } from './arm.ts';
import { mma, power10 } from './ibm.ts';
import { alderLake, avx512, cascadeLake, haswell } from './intel.ts';
import { sconvDefaults } from './sconv-defaults.ts';
import type { Target } from './target.ts';
import { TargetError } from './target-error.ts';
import { wasm, wasmRelaxed } from './wasm.ts';

/** Every shipped target, in the order in which commands list them. */
export const targets: readonly Target[] = Object.freeze([
  wasm,
  wasmRelaxed,
  avx2,
  zen4,
  haswell,
  alderLake,
  avx512,
  cascadeLake,
  neon,
  sme,
  mma,
  power10,
  sconvDefaults,
]);

/** The shipped target with that name, if any. */
export const findTarget = (name: string): Target | undefined =>
  targets.find((candidate) => candidate.name === name);

/** The shipped target with that name. Throws `TargetError`, listing the known names. */
export const target = (name: string): Target => {
  const found = findTarget(name);
  if (found !== undefined) return found;
  const names = targets.map((each) => each.name);
  // Untyped callers may pass anything.
  if (typeof (name as unknown) !== 'string') {
    const message = `expected the name of a target (${names.join(', ')}), not ${describeValue(name)}`;
    throw new TargetError('targets/unknown-target', 'name', message);
  }
  throw new TargetError('targets/unknown-target', 'name', unknownName('target', name, names));
};
