/** The documents of `--json`: objects with a `version`, and with `diagnostics` if the work can fail. */
import type { Diagnostic } from '@sconv/diagnostics';
import { diagnosticDocument } from '@sconv/diagnostics';

/** Incremented when a field changes meaning or is removed; new fields do not count. */
export const documentVersion = 1;

/** The text of a document. Numbers of any size keep their digits: what a double cannot represent becomes a string. */
export const jsonDocument = (fields: object): string =>
  `${JSON.stringify({ version: documentVersion, ...fields }, withoutBigints, 2)}\n`;

const withoutBigints = (_: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

/** The document of work that failed or was never started. */
export const failureDocument = (diagnostics: readonly Diagnostic[]): string =>
  jsonDocument({ diagnostics: diagnostics.map(diagnosticDocument) });
