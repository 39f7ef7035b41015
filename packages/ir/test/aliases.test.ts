import { describe, expect, it } from 'vitest';
import { parse, registry, reprint } from './test-dialect.ts';
import { printModule } from '../src/index.ts';

const map = 'affine_map<(d0, d1) -> (d1, d0)>';
const buffer = `memref<2x2xf32, ${map}>`;

/** Types that contain a map. */
const types = [
  buffer,
  `memref<2xf32, strided<[1]>, {m = ${map}}>`,
  `memref<*xf32, {m = ${map}}>`,
  `tensor<2xf32, ${map}>`,
  `memref<2x${buffer}>`,
  `tuple<i32, ${buffer}>`,
  `(${buffer}) -> i32`,
  `(i32) -> ${buffer}`,
];

/** Attributes that contain one. */
const attributes = [
  map,
  `[1, ${map}]`,
  `{a, b = ${map}}`,
  buffer,
  `dense<1.0> : tensor<2xf32, ${map}>`,
  `"x" : ${buffer}`,
  `#a.b<c> : ${buffer}`,
  `[{a = [${buffer}]}]`,
];

/** Places for a type. */
const places = types.flatMap((type) => [
  `%0 = "a.b"() : () -> (${type})`,
  `%0 = "a.b"() : () -> (${type})\n"a.c"(%0) : (${type}) -> ()`,
  `"a.b"() ({\n^bb0(%arg0: ${type}):\n  "a.c"() : () -> ()\n}) : () -> ()`,
  `"a.b"() ({\n  "a.br"()[^bb1] : () -> ()\n^bb1(%0: ${type}):\n  "a.c"() : () -> ()\n}) : () -> ()`,
  `test.func @f(%arg0: ${type}) {\n  return\n}`,
  `%0 = "a.b"() : () -> index\n%1 = test.flags flat %0 -> index with {\n  %2 = "a.c"() : () -> (${type})\n}`,
  `%0 = "a.b"() : () -> (${type})\n%1 = test.call @f(%0) : (${type}) -> i8\ntest.func @f() {\n  return\n}`,
]);

describe('a map is defined once, and named wherever it stands', () => {
  it.each([...places, ...attributes.map((attribute) => `"a.b"() {k = ${attribute}} : () -> ()`)])(
    '%s',
    (text) => {
      const printed = reprint(text);
      expect(printed.split('affine_map')).toHaveLength(2);
      expect(printed).toMatch(/^#map = affine_map<\(d0, d1\) -> \(d1, d0\)>\n/);
      expect(printed.split('#map')).toHaveLength(text.split('affine_map').length + 1);
      const again = printModule(parse(printed), { registry, localScope: true });
      expect(again).toBe(reprint(text, { localScope: true }));
      const generic = reprint(text, { generic: true });
      expect(generic.split('affine_map')).toHaveLength(2);
    },
  );
});

it.each([
  ['distinct[0]<42 : i32>', '#distinct = distinct[0]<42 : i32>'],
  ['affine_set<(d0) : (d0 >= 0)>', '#set = affine_set<(d0) : (d0 >= 0)>'],
])('%s has a name of its own', (text, line) => {
  expect(reprint(`"a.b"() {k = ${text}, l = ${text}} : () -> ()`).split('\n')[0]).toBe(line);
});
