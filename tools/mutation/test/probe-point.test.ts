import { expect, it } from 'vitest';
import { parseSource } from '../mutants.mjs';
import { probePoint } from '../probe-point.mjs';

/** The source with a probe, written `P`, for the code `here`. */
function probed(text: string): string {
  const start = text.indexOf('here');
  const { at, close } = probePoint(parseSource('a.ts', text), start, start + 4);
  return close === undefined
    ? `${text.slice(0, at)}P;${text.slice(at)}`
    : `${text.slice(0, at)}(P, ${text.slice(at, close)})${text.slice(close)}`;
}

it.each([
  ['a;here;', 'a;P;here;'],
  ['if (a) f(here);', 'P;if (a) f(here);'],
  ['if (a) { f(here); }', 'if (a) { P;f(here); }'],
  ['switch (a) { case 1: b = here; }', 'switch (a) { case 1: P;b = here; }'],
  ['const f = (a) => a + here;', 'const f = (a) => (P, a + here);'],
  ['const f = (a) => { return here; };', 'const f = (a) => { P;return here; };'],
  ['export function f(a = here) { return a; }', 'export function f(a = here) {P; return a; }'],
  ['const f = (a = here) => a;', 'P;const f = (a = here) => a;'],
  ['class A { b = here; }', 'P;class A { b = here; }'],
])('%s', (text, expected) => {
  expect(probed(text)).toBe(expected);
});
