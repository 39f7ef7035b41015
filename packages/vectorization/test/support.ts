/**
 * Tables of small functions that a script rewrites: what they compute stays the same, as executed, and which operations
 * they consist of is compared with what is expected.
 */
import { transforms as cleanups } from '@sconv/canonicalization/transforms';
import { firstDifference } from '@sconv/interpreter/testing';
import { functionOf, operationsIn, scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { patternSets, transforms } from '../src/transforms.ts';

/** Applies a script to a payload; throws if that then computes something else. */
export const apply = scriptTester([...transforms, ...cleanups], {
  difference: firstDifference,
  attachments: patternSets,
});

/** The handle type of the scripts. */
export const any = '!transform.any_op';

/** Applies pattern sets, by the names after `apply_patterns.`, with their attributes. */
export const patterns = (...names: readonly string[]): string => `
%f = transform.structured.match ops{["func.func"]} in %root : (${any}) -> ${any}
transform.apply_patterns to %f {
  ${names.map((name) => `transform.apply_patterns.${name}`).join('\n  ')}
} : ${any}`;

/** What is tested, a signature and a body, the operations afterwards, and texts that are then found. */
export type Row = readonly [
  title: string,
  signature: string,
  body: string,
  operations: string,
  ...texts: readonly string[],
];

/** The warning about ops that are not vectorized, which stand in the rows' operations. */
const leftAsIs =
  /^.*warning: .* not vectorized \[vectorize-children\/left\](\n.*note: '.*': Attempted to vectorize.*)*$/;

/** In place of operations: the same as before. */
export const stays = 'stays';

/** One test a row. */
export const testRows = (what: string, script: string, rows: readonly Row[]): void => {
  describe(what, () => {
    it.each(rows)('%s', (_, signature, body, operations, ...texts) => {
      const payload = functionOf(signature, body);
      const { text, diagnostics } = apply(payload, script);
      expect(diagnostics.replace(leftAsIs, '')).toBe('');
      expect(operationsIn(text)).toBe(operations === stays ? operationsIn(payload) : operations);
      for (const each of texts) expect(text).toContain(each);
    });
  });
};
