/**
 * Tables of small functions that a script rewrites: what they compute stays the same, as executed, and which operations
 * they consist of is compared with what is expected.
 */
import { transforms as cleanups } from '@sconv/canonicalization/transforms';
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
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

/** Types of constants, by the first letter of the names that bodies may use without defining them: `%c3`, `%i7`, `%f2`. */
const constants = { c: 'index', i: 'i32', f: 'f32' } as const;

const defined = (body: string): string =>
  [...new Set(body.match(/%[cif]\d+\b/g))]
    .map((name) => {
      const kind = name[1] as keyof typeof constants;
      return `  ${name} = arith.constant ${name.slice(2)}${kind === 'f' ? '.0' : ''} : ${constants[kind]}\n`;
    })
    .join('');

/**
 * A function `@f` of a signature and a body. Its result is `%r`, unless the body has a `return`; constants are defined where
 * the body uses them.
 */
export const functionOf = (signature: string, body: string): string => {
  const [, result] = signature.split(/\) -> /);
  const end = body.includes('return')
    ? ''
    : result === undefined
      ? '\n  return'
      : `\n  return %r : ${result}`;
  return `func.func @f${signature} {\n${defined(body)}  ${body.trim()}${end}\n}`;
};

/** How often each operation stands in a text, but for constants and terminators: `2 extract, insert`. */
export const operationsIn = (text: string): string => {
  const counts = new Map<string, number>();
  for (const [, name] of text.matchAll(
    /(?<![#\w."])((?:affine|arith|bufferization|linalg|memref|scf|tensor|vector)\.[\w.]+)/g,
  )) {
    const short = name!.replace('vector.', '');
    if (!/constant$|yield$/.test(short)) counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`)).join(', ');
};

/** What is tested, a signature and a body, the operations afterwards, and texts that are then found. */
export type Row = readonly [
  title: string,
  signature: string,
  body: string,
  operations: string,
  ...texts: readonly string[],
];

/** In place of operations: the same as before. */
export const stays = 'stays';

/** One test a row. */
export const testRows = (what: string, script: string, rows: readonly Row[]): void => {
  describe(what, () => {
    it.each(rows)('%s', (_, signature, body, operations, ...texts) => {
      const payload = functionOf(signature, body);
      const { text, diagnostics } = apply(payload, script);
      expect(diagnostics).toBe('');
      expect(operationsIn(text)).toBe(operations === stays ? operationsIn(payload) : operations);
      for (const each of texts) expect(text).toContain(each);
    });
  });
};
