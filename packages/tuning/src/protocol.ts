/** The constants of the protocol by which plans are measured. Other constants are another version. */
import type { Temperature } from './subject.ts';

/** Candidates between two measurements of the untuned plan. */
export const blockSize = 20;

/** Runs of a candidate in each stage. */
export const runsOf = { screen: 3, confirm: 20, final: 20 } as const;

/** The protocol as part of a record's key: its version, and what the caller chooses. */
export const protocolText = (temperature: Temperature, ...choices: readonly string[]): string =>
  ['1', temperature, ...choices].join(' ');
