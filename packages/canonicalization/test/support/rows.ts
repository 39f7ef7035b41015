/**
 * Tables of small functions that patterns rewrite: what they compute stays the same, as executed, and which operations
 * they consist of is compared with what is expected.
 */
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import type { Pass } from '@sconv/ir';
import { parseModule, printModule, verify } from '@sconv/ir';
import { functionOf, operationsIn } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { apply, found, one } from './apply-script.ts';
import { registry } from './table.ts';

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

/** One test a row, of a pass on the module. */
export const testPass = (pass: Pass, rows: readonly PatternRow[]): void => {
  describe(pass.name, () => {
    it.each(rows)('%s', (_, signature, body, operations, ...texts) => {
      const payload = functionOf(signature, body);
      const before = unwrap(parseModule(payload, { registry }));
      const after = unwrap(pass.run(before, { registry }));
      expect(verify(after, registry)).toEqual([]);
      expect(firstDifference(before, after)).toBeUndefined();
      const text = printModule(after, { registry, localScope: true });
      expect(operationsIn(text)).toBe(operations === stays ? operationsIn(payload) : operations);
      for (const each of texts) expect(text).toContain(each);
    });
  });
};
