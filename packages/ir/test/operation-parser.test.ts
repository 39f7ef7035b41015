import { expect, it } from 'vitest';
import { anyType, createRegistry, defineOp, one, parseModule } from '../src/index.ts';

/** An op with only the generic form. */
const bare = defineOp({ name: 'demo.bare', summary: 'Nothing.', results: { output: one(anyType) } });
const registry = createRegistry([{ name: 'demo', operations: [bare] }]);

it.each([
  ['an op in a form that it does not have', '%0 = demo.bare : i32', 'parse/no-custom-form', 1, 6],
  [
    'a location that is another attribute',
    '%0 = "demo.bare"() : () -> i32 loc(#x)\n#x = 3 : i8',
    'parse/location',
    1,
    6,
  ],
])('refuses %s', (_, text, code, line, column) => {
  expect(parseModule(text, { registry })).toMatchObject({
    status: 'definite',
    diagnostics: [{ code, location: { line, column } }],
  });
});
