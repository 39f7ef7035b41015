import { expect, it } from 'vitest';
import { apply } from '../list.mjs';
import { guardsOf, mutantsOf, parseSource } from '../mutants.mjs';

/** A source with each of its mutants. */
function mutations(text: string): string[] {
  return mutantsOf(parseSource('a.ts', text)).map((mutant) => apply(text, mutant));
}

it.each<[string, string[]]>([
  ['a + b;', ['a - b;']],
  ['a < b;', ['a <= b;', 'a >= b;']],
  ['a === b;', ['a !== b;']],
  ['a ?? b;', ['a && b;']],
  ['a += b;', ['a -= b;']],
  ['x = !a;', ['x = a;']],
  ['a++;', ['a--;']],
  ['x = true;', ['x = false;']],
  ['x = 1;', ['x = 0;']],
  ['x = 7n;', ['x = 8n;']],
  ["x = 'name';", ["x = '';"]],
  ["x = '';", ["x = 'mutated';"]],
  ['x = `${a}x`;', ['x = ``;']],
  ['if (a) b = c;', ['if (true) b = c;', 'if (false) b = c;']],
  ['x = a ? b : c;', ['x = true ? b : c;', 'x = false ? b : c;']],
  ['while (a) b = c;', ['while (false) b = c;']],
  ['for (; a; ) b = c;', ['for (; false; ) b = c;']],
  ['{ a = b; }', ['{}']],
  ['f(a);', [';']],
  ['switch (a) { case b: c = d; }', ['switch (a) { case b: }']],
  ['x = [a];', ['x = [];']],
  ['x = { a: b };', ['x = {};']],
  ['x = () => a;', ['x = () => undefined;']],
  ['x = () => undefined;', []],
  ['x = () => false;', ['x = () => true;']],
  ['x = a?.b;', ['x = a.b;']],
  ['x = a?.[b];', ['x = a[b];']],
  ['x = a?.(b);', ['x = a(b);']],
  ['x = a.some(b);', ['x = a.every(b);']],
  ['x = Math.max(a, b);', ['x = Math.min(a, b);']],
  ['x = a.filter(b);', ['x = a;']],
])('%s', (text, mutants) => {
  expect(mutations(text)).toEqual(mutants);
});

it.each([
  ['types', "type A = 'a' | 1; interface B { c: true }"],
  ['imports and exports', "import { a } from 'a'; export { b } from 'b';"],
  ['messages', 'x = `tile ${a} is too large`;'],
  ['lists of messages', "x = ['said to a person'];"],
  ['what is assigned to', '[a, b] = c;'],
  ['texts that are put together', "x = a + ' and that';"],
])('leaves %s alone', (_, text) => {
  expect(mutations(text)).toEqual([]);
});

it.each<[string, string[]]>([
  ["if (a) return fail('a');", ["if (false) return fail('a');"]],
  [
    "if (a) { b = c; return silenceable(error('a')); }",
    ["if (false) { b = c; return silenceable(error('a')); }"],
  ],
  ["if (a) return this.invalid('a');", ["if (false) return this.invalid('a');"]],
  ["if (a) return wrap(definite('a'));", ["if (false) return wrap(definite('a'));"]],
  ["if (a) throw new RangeError('a');", ["if (false) throw new RangeError('a');"]],
  ["if (a) { trap('a'); }", ["if (false) { trap('a'); }"]],
  ['if (a) return undefined;', []],
  ["if (a) return fail('a'); else b = c;", []],
])('guards of %s', (text, guards) => {
  expect(guardsOf(parseSource('a.ts', text)).map((guard) => apply(text, guard))).toEqual(guards);
});
