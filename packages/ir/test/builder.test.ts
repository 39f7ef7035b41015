import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import type { Builder, Value } from '../src/index.ts';
import {
  anyType,
  buildModule,
  defineOp,
  extendRegistry,
  i32,
  i64Attribute,
  indexType,
  one,
  printModule,
  unitAttribute,
  variadic,
} from '../src/index.ts';
import { registry as testRegistry } from './test-dialect.ts';

const values = defineOp({
  name: 'b.values',
  summary: 'values',
  results: { low: one(anyType), rest: variadic(anyType) },
});
const value = defineOp({ name: 'b.value', summary: 'a value', results: { result: one(anyType) } });
const many = defineOp({
  name: 'b.many',
  summary: 'any number of values',
  results: { results: variadic(anyType) },
});
const use = defineOp({
  name: 'b.use',
  summary: 'operands and attributes, and defaults of these and of a body',
  operands: { first: one(anyType), rest: variadic(anyType) },
  attributes: { someDepth: i64Attribute },
  regions: ['body'],
  traits: ['no-terminator'],
  defaults: (operands, attributes) => ({
    attributes: { count: attributes['some_depth']!, some_depth: unitAttribute },
    bodies: [{ argumentTypes: operands.map(({ type }) => type), build: () => undefined }],
  }),
});
const end = defineOp({ name: 'b.end', summary: 'an end', traits: ['terminator'] });
const loop = defineOp({ name: 'b.loop', summary: 'a loop', regions: ['body'], implicitTerminator: 'b.end' });
const registry = extendRegistry(testRegistry, [
  { name: 'b', operations: [values, value, many, use, end, loop] },
]);

const textOf = (build: (b: Builder) => void): string =>
  printModule(unwrap(buildModule(registry, build)), { registry, generic: true })
    .split('\n')
    .slice(1, -2)
    .map((line) => line.slice(2))
    .join('\n');

describe('builder', () => {
  it('gives one result, a list or groups by name, as the op declares', () => {
    const given: unknown[] = [];
    textOf((b) => {
      given.push(
        b(value, {}, { resultTypes: [i32] }),
        b(many, {}, { resultTypes: [i32, indexType] }),
        b(values, {}, { resultTypes: [i32, indexType] }),
      );
    });
    const [x, y, z] = [i32, i32, i32].map((type) => ({ id: expect.any(Number) as number, type }));
    const position = { id: expect.any(Number) as number, type: indexType };
    expect(given).toEqual([x, [y, position], { low: z, rest: [position] }]);
  });

  it.each<[string, (b: Builder, x: Value) => void, string]>([
    [
      'adds what the op has by default, where nothing else is given',
      (b, x) => b(use, { first: x, rest: [x], someDepth: 3 }),
      `"b.use"(%0, %0) <{some_depth = 3 : i64}> ({
^bb0(%arg0: i32, %arg1: i32):
}) {count = 3 : i64} : (i32, i32) -> ()`,
    ],
    [
      'takes bodies and more attributes',
      (b, x) => b(use, { first: x, someDepth: 1 }, { bodies: [undefined], extra: { tag: unitAttribute } }),
      `"b.use"(%0) <{some_depth = 1 : i64}> ({
}) {count = 1 : i64, tag} : (i32) -> ()`,
    ],
    [
      'gives a body its arguments',
      (b, x) =>
        b(
          use,
          { first: x, someDepth: 1 },
          {
            bodies: [
              {
                argumentTypes: [indexType],
                build: (inner, i) => inner(many, {}, { resultTypes: [i.type] }),
              },
            ],
          },
        ),
      `"b.use"(%0) <{some_depth = 1 : i64}> ({
^bb0(%arg0: index):
  %1 = "b.many"() : () -> index
}) {count = 1 : i64} : (i32) -> ()`,
    ],
    [
      'ends a body that has no end',
      (b) => b(loop, {}, { bodies: [{ build: (inner) => inner(value, {}, { resultTypes: [i32] }) }] }),
      `"b.loop"() ({
  %1 = "b.value"() : () -> i32
  "b.end"() : () -> ()
}) : () -> ()`,
    ],
    [
      'leaves the end that a body has',
      (b) =>
        b(loop, {}, { bodies: [{ build: (inner) => inner(end, {}, { extra: { mine: unitAttribute } }) }] }),
      `"b.loop"() ({
  "b.end"() {mine} : () -> ()
}) : () -> ()`,
    ],
  ])('%s', (_, build, text) => {
    const built = textOf((b) => build(b, b(value, {}, { resultTypes: [i32] })));
    expect(built).toBe(`%0 = "b.value"() : () -> i32\n${text}`);
  });
});
