/**
 * Tables of small functions that patterns rewrite: what they compute stays the same, as executed, and which operations
 * they consist of is compared with what is expected.
 */
import { functionOf, operationsIn } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { apply, found, one } from './apply-script.ts';

/** What is tested, a signature and a body, the operations afterwards, and texts that are then found. */
export type PatternRow = readonly [
  title: string,
  signature: string,
  body: string,
  operations: string,
  ...texts: readonly string[],
];

/** In place of operations: the same as before. */
export const stays = 'stays';

/** One test a row, of a pattern set by the name after `apply_patterns.`. */
export const testPatterns = (set: string, rows: readonly PatternRow[]): void => {
  const script = `${found}
transform.apply_patterns to %f {
  transform.apply_patterns.${set}
} : ${one}`;
  describe(set, () => {
    it.each(rows)('%s', (_, signature, body, operations, ...texts) => {
      const payload = functionOf(signature, body);
      const { text, diagnostics } = apply(payload, script);
      expect(diagnostics).toBe('');
      expect(operationsIn(text)).toBe(operations === stays ? operationsIn(payload) : operations);
      for (const each of texts) expect(text).toContain(each);
    });
  });
};
