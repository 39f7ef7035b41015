/** `readTuned`: the plans of records, for this machine. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess } from '@sconv/diagnostics';
import type { Target } from '@sconv/targets';
import { wasm } from '@sconv/targets';
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
): Promise<Diagnosed<TunedPlans>> => {
  const files = typeof paths === 'string' ? [paths] : paths;
  const current = { fingerprint: await fingerprintFor(target, 1), generator: generatorHash() };
  return mapSuccess(readRecords(files, current), (records) => tunedPlans(records.values(), target.name));
};
