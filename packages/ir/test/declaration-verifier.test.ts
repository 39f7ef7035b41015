import { unknownLocation } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import {
  anyType,
  defineOp,
  denseArrayAttribute,
  f32,
  i32,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  indexType,
  memrefType,
  one,
  tensorType,
  variadic,
  vectorType,
} from '../src/index.ts';
import type { Attributes, OpDefinition, Operation, Region, Type } from '../src/index.ts';
import { declarationErrors } from '../src/declaration-verifier.ts';

const operation = (
  { name }: OpDefinition,
  operands: readonly Type[],
  results: readonly Type[] = [],
  attributes: Attributes = {},
): Operation => ({
  ...{ id: 0, name, attributes, regions: [], successors: [], location: unknownLocation },
  operands: operands.map((type, i) => ({ id: i + 1, type })),
  results: results.map((type, i) => ({ id: i + 101, type })),
});

const errorsOf = (definition: OpDefinition, op: Operation, parent?: Operation): readonly string[] =>
  [...declarationErrors(definition, op, parent)].map(({ code, message }) => `${code}: ${message}`);

describe('destinations', () => {
  const [tensor, other, buffer] = [tensorType([4], f32), tensorType([8], f32), memrefType([4], f32)];
  const write = defineOp({
    name: 'test.write',
    summary: 'writes',
    operands: { inputs: variadic(anyType), index: one(anyType), outputs: variadic(anyType) },
    results: { results: variadic(anyType) },
    destinations: 'outputs',
  });
  const sized = (inputs: number, outputs: number): Attributes => ({
    operandSegmentSizes: denseArrayAttribute([inputs, 1, outputs], i32),
  });
  const unranked: Type = { kind: 'unranked-tensor', elementType: f32 };

  it.each<[string, readonly Type[], readonly Type[], readonly Type[], readonly string[]]>([
    ['a result for each tensor', [other], [tensor, other], [tensor, other], []],
    ['none for a buffer', [], [buffer, tensor, buffer], [tensor], []],
    ['unranked ones', [], [unranked, { kind: 'unranked-memref', elementType: f32 }], [unranked], []],
    [
      'another type',
      [tensor, tensor],
      [tensor, buffer, tensor],
      [tensor, other],
      [
        "verify/destinations: expected type of operand #5 ('tensor<4xf32>') to match type of corresponding result ('tensor<8xf32>')",
      ],
    ],
    [
      'too few results',
      [],
      [tensor, tensor],
      [tensor],
      [
        'verify/destinations: expected the number of tensor results (1) to be equal to the number of output tensors (2)',
      ],
    ],
    [
      'no destination',
      [tensor],
      [tensor, vectorType([4], f32)],
      [tensor],
      ['verify/destinations: expected that operand #3 is a tensor or a memref'],
    ],
  ])('of %s', (_, inputs, outputs, results, errors) => {
    const op = operation(
      write,
      [...inputs, indexType, ...outputs],
      results,
      sized(inputs.length, outputs.length),
    );
    expect(errorsOf(write, op).slice(0, 1)).toEqual(errors);
  });
});

describe('parents', () => {
  const inOne = defineOp({ name: 'test.in', summary: 'in one', parents: ['test.a'] });
  const inTwo = defineOp({ name: 'test.in', summary: 'in two', parents: ['test.a', 'test.b'] });
  const anywhere = defineOp({ name: 'test.in', summary: 'anywhere' });
  const parent = (name: string): Operation => ({ ...operation(anywhere, []), name });

  it.each<[OpDefinition, string | undefined, readonly string[]]>([
    [inOne, 'test.a', []],
    [inOne, 'test.b', ["verify/parent: expects parent op 'test.a'"]],
    [inOne, undefined, ["verify/parent: expects parent op 'test.a'"]],
    [inTwo, 'test.b', []],
    [inTwo, 'test.c', ["verify/parent: expects parent op to be one of 'test.a, test.b'"]],
    [anywhere, 'test.c', []],
    [anywhere, undefined, []],
  ])('%# in %s', (definition, name, errors) => {
    const outer = name === undefined ? undefined : parent(name);
    expect(errorsOf(definition, operation(definition, []), outer)).toEqual(errors);
  });
});

it('an integer that a number does not hold exactly is named', () => {
  const numbered = defineOp({ name: 'test.n', summary: 'n', attributes: { n: i64Attribute } });
  const op = operation(numbered, [], [], { n: { kind: 'integer', value: 2n ** 53n, type: i64 } });
  expect(errorsOf(numbered, op)).toEqual([
    "verify/attribute: attribute 'n' failed to satisfy constraint: 64-bit signless integer attribute; 9007199254740992 is outside the integers that a number holds exactly (2^53)",
  ]);
});

it('of several the first is named', () => {
  const numbered = defineOp({ name: 'test.n', summary: 'n', attributes: { n: i64ArrayAttribute } });
  const n = denseArrayAttribute([1, 2n ** 53n + 1n, 2n ** 53n + 3n]);
  expect(errorsOf(numbered, operation(numbered, [], [], { n }))[0]).toContain(
    '; 9007199254740993 is outside',
  );
});

describe('regions', () => {
  const loop = defineOp({
    name: 'test.loop',
    summary: 'a loop',
    regions: ['body', 'rest', 'cases...'],
    bodies: ['body', 'cases...'],
  });
  const empty: Region = { blocks: [] };
  const full: Region = { blocks: [{ id: 200, arguments: [], operations: [] }] };
  const failed = (name: string) =>
    `verify/regions: region ${name} failed to verify constraint: region with 1 blocks`;

  it.each<[string, readonly Region[], readonly string[]]>([
    ['where each has its block', [full, empty], []],
    ['where none is wanted', [full, empty, full, full], []],
    ['too few', [full], ['verify/regions: expected 2 or more regions']],
    ['without the first', [empty, empty], [failed("#0 ('body')")]],
    ['without one of several', [full, full, full, empty], [failed("#3 ('cases')")]],
  ])('%s', (_, regions, messages) => {
    expect(errorsOf(loop, { ...operation(loop, []), regions })).toEqual(messages);
  });
});
