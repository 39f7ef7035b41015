import { unwrap } from '@sconv/diagnostics';
import type { DenseElementsAttribute, DenseResourceAttribute, Type } from '@sconv/ir';
import {
  bf16,
  bodyOf,
  createRegistry,
  denseResource,
  f16,
  f32,
  f64,
  indexType,
  integerType,
  memrefType,
  parseAttribute,
  tensorType,
  vectorType,
} from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { denseElements } from '../src/dense-elements.ts';
import { createMachine } from '../src/machine.ts';
import { Trap } from '../src/trap.ts';
import { parse } from './run.ts';

const operation = bodyOf(parse('func.func private @f()').root).operations[0]!;
const elementsOf = (attribute: Partial<DenseElementsAttribute>) =>
  denseElements(operation, createMachine({}), {
    kind: 'dense-elements',
    type: tensorType([3], f32),
    values: [1, 2, 3],
    ...attribute,
  });

describe('dense elements', () => {
  it.each<[string, Type, readonly (number | bigint)[], readonly (number | bigint)[]]>([
    ['a tensor', tensorType([3], f32), [1, 2, 3], [1, 2, 3]],
    ['a vector', vectorType([3], f32), [1, 2, 3], [1, 2, 3]],
    ['a splat', tensorType([2, 2], f32), [0.1], Array<number>(4).fill(Math.fround(0.1))],
    ['nothing', tensorType([0], f32), [], []],
    ['wrapped integers', tensorType([2], integerType(8)), [255n, 128n], [-1, -128]],
    ['unsigned integers', tensorType([2], integerType(8, 'unsigned')), [255n, 128n], [255, 128]],
    ['booleans', tensorType([2], integerType(1)), [-1n, 0n], [1, 0]],
    ['wide integers', tensorType([1], integerType(64)), [2n ** 63n], [-(2n ** 63n)]],
    ['wide unsigned integers', tensorType([1], integerType(64, 'unsigned')), [-1n], [2n ** 64n - 1n]],
  ])('%s', (_, type, values, expected) => {
    const { data, shape } = elementsOf({ type: type, values });
    expect([...data]).toEqual(expected);
    expect(shape).toEqual((type as { shape: readonly number[] }).shape);
  });

  it.each<[string, object, string]>([
    ['a memref', { type: memrefType([3], f32) }, 'has dense elements that are no tensor'],
    ['fewer values', { values: [1, 2] }, 'has 2 values for 3 elements'],
    ['more values', { values: [1, 2, 3, 4] }, 'has 4 values for 3 elements'],
    ['text', { text: '"0xZZ"' }, 'has dense elements that are not written as numbers'],
    ['strings', { values: ['a', 'b', 'c'] }, 'has a constant of an unsupported type'],
  ])('%s are refused', (_, attribute, message) => {
    expect(() => elementsOf(attribute)).toThrow(Trap);
    expect(() => elementsOf(attribute)).toThrow(message);
  });
});

describe('elements of bytes', () => {
  it.each<[string, Type, readonly number[], readonly (number | bigint)[]]>([
    ['floats', tensorType([2], f32), [0, 0, 128, 63, 0, 0, 0, 192], [1, -2]],
    ['doubles', tensorType([1], f64), [0, 0, 0, 0, 0, 0, 248, 63], [1.5]],
    ['halves', tensorType([2], f16), [0, 60, 1, 0], [1, 2 ** -24]],
    ['bfloat halves', tensorType([1], bf16), [128, 191], [-1]],
    ['booleans', tensorType([3], integerType(1)), [1, 0, 1], [1, 0, 1]],
    ['narrow integers', tensorType([2], integerType(4)), [15, 7], [-1, 7]],
    ['bytes', tensorType([2], integerType(8)), [255, 1], [-1, 1]],
    ['unsigned bytes', tensorType([1], integerType(8, 'unsigned')), [255], [255]],
    ['integers', tensorType([1], integerType(32)), [254, 255, 255, 255], [-2]],
    ['indices', tensorType([1], indexType), [254, 255, 255, 255, 255, 255, 255, 255], [-2]],
    ['wide integers', tensorType([1], integerType(64)), [1, 0, 0, 0, 0, 0, 0, 128], [1n - 2n ** 63n]],
  ])('%s', (_, type, bytes, expected) => {
    // Where no array of the elements can begin.
    const memory = Uint8Array.from([9, ...bytes]).subarray(1);
    const { data } = denseElements(operation, createMachine({}), denseResource(type, memory));
    expect([...data]).toEqual(expected);
  });

  it('that are missing are refused', () => {
    const attribute = unwrap(
      parseAttribute('dense_resource<w> : tensor<2xf32>', { registry: createRegistry([]) }),
    );
    const read = () => denseElements(operation, createMachine({}), attribute as DenseResourceAttribute);
    expect(read).toThrow(Trap);
    expect(read).toThrow("cannot be run: the bytes of the resource 'w' are missing");
  });
});
