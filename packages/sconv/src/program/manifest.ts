/** The file of a saved program that says what the others are: JSON, of a version, and with a sum that tells damage. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, describeValue, error, fileLocation, success } from '@sconv/diagnostics';
import type { ModelTensor } from '../model/runnable-model.ts';
import { contentSum } from './content-sum.ts';

/** The name of the file. */
export const manifestName = 'program.json';

const format = 'sconv program';

/** Raised with every change of what loaders read. */
const version = 1;

/** A file of a program. */
export interface ProgramFile {
  readonly name: string;
  readonly bytes: number;
}

/** What a saved program is. */
export interface Program {
  /** The name of the target that it was compiled for. */
  readonly target: string;
  /** The name of the backend that has emitted the code. */
  readonly backend: string;
  readonly inputs: readonly ModelTensor[];
  readonly outputs: readonly ModelTensor[];
  readonly code: ProgramFile;
  readonly weights: ProgramFile;
  /** What the backend's loader needs: functions, memory, where in the file of the weights each constant is. */
  readonly description: object;
}

/** The text of a manifest. */
export const printManifest = (program: Program): string =>
  `${JSON.stringify({ format, version, sum: sumOf(program), program }, undefined, 1)}\n`;

/**
 * Reads a manifest. Fails with `program/foreign` for anything else, with `program/version` for one of another version,
 * and with `program/damaged` if it is not as it was written.
 */
export const readManifest = (text: string, path: string): Diagnosed<Program> => {
  const refused = (code: string, why: string): Diagnosed<never> =>
    definite(error(code, why, fileLocation(path, 1, 1)));
  const found = parsed(text);
  if (found?.['format'] !== format)
    return refused('program/foreign', 'this is no manifest of a program that sconv build has saved');
  if (found['version'] !== version) {
    const theirs = describeValue(found['version']);
    return refused(
      'program/version',
      `the program is of version ${theirs}, and this sconv loads version ${version}: build it again`,
    );
  }
  if (found['sum'] !== sumOf(found['program']))
    return refused('program/damaged', 'the manifest is not as it was written: build the program again');
  // It is as printed.
  return success(found['program'] as Program);
};

const parsed = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** A sum of a value as text. */
const sumOf = (value: unknown): string => contentSum(new TextEncoder().encode(JSON.stringify(value)));
