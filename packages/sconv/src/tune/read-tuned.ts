/** `readTuned`: the plans of records, for this machine. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess } from '@sconv/diagnostics';
import type { Target } from '@sconv/targets';
import { wasm } from '@sconv/targets';
import type { TuningRecord } from '@sconv/tuning';
import { readRecords, tunedPlans } from '@sconv/tuning';
import type { TunedPlans } from '../tuned-plan.ts';
import { fingerprintFor, generatorHash } from './fingerprint.ts';

/**
 * Reads the records of `tune` for the option `tuned` of `compileModule` and `compileConvolution`. Records of another
 * machine, target, compiler or code generator are skipped, with one warning a file and reason. Fails with
 * `tuning/cannot-read`.
 */
export const readTuned = async (
  paths: string | readonly string[],
  { target = wasm }: { readonly target?: Target } = {},
): Promise<Diagnosed<TunedPlans>> =>
  mapSuccess(await readCurrent(typeof paths === 'string' ? [paths] : paths, target), (records) =>
    tunedPlans(records.values(), target.name),
  );

/** The records for a target that are of this machine and this program; fails, and warns, as `readTuned`. */
export const readCurrent = async (
  paths: readonly string[],
  target: Target,
): Promise<Diagnosed<ReadonlyMap<string, TuningRecord>>> =>
  readRecords(paths, { fingerprint: await fingerprintFor(target, 1), generator: generatorHash() });
