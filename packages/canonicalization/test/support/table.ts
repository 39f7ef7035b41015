/** Tables of functions before and after a pass: compares text, and computed values where the function can run. */
import { payloadDialects } from '@sconv/dialects';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import type { Pass } from '@sconv/ir';
import { createRegistry, parseModule, printModule, verify } from '@sconv/ir';
import { describe, expect, it } from 'vitest';

export const registry = createRegistry(payloadDialects);

/** A function before and after; value names are the printer's. */
export interface Row {
  readonly name: string;
  readonly arguments: string;
  readonly results?: string;
  readonly before: string;
  readonly after: string;
  /** Set if the function accesses elements out of bounds, or takes arguments that tests cannot fill in. */
  readonly isNotExecuted?: true;
}

/** The lines of a body without their common indentation. */
const unindented = (text: string): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(margin).trimEnd()).join('\n');
};

const parse = (text: string) => unwrap(parseModule(text, { registry }));

const functionText = ({ arguments: given, results }: Row, body: string): string =>
  `func.func @f(${given})${results === undefined ? '' : ` -> ${results}`} {\n${body}\n}`;

/** One test per row. */
export const testRows = (what: string, pass: Pass, rows: readonly Row[]): void => {
  describe(what, () => {
    it.each(rows)('$name', (row) => {
      const before = parse(functionText(row, row.before));
      const after = unwrap(pass.run(before, { registry }));
      expect(verify(after, registry)).toEqual([]);
      const lines = printModule(after, { registry, localScope: true }).split('\n');
      const start = lines.findIndex((line) => line.includes('func.func @f('));
      expect(unindented(lines.slice(start + 1, lines.lastIndexOf('  }')).join('\n'))).toBe(
        unindented(row.after),
      );
      if (row.isNotExecuted !== true) expect(firstDifference(before, after)).toBeUndefined();
    });
  });
};
