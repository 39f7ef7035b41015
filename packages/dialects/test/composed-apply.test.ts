import { affineMap, printMap } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import type { Rewriter, Value } from '@sconv/ir';
import { edit } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { applyComposed, composeApplication, composeValue, constantIndexOf } from '../src/composed-apply.ts';
import { elementSource } from '../src/element-source.ts';
import { indexDimensions } from '../src/index-dimensions.ts';
import { throughSlice } from '../src/through-slice.ts';
import { parse, registry } from './support.ts';

const text = `func.func @f(%i: index, %j: index, %t: tensor<8x8xf32>, %o: tensor<4x4xf32>) {
  %c3 = arith.constant 3 : index
  %a = affine.apply affine_map<(d0, d1)[s0] -> (d0 * 2 + d1 + s0)>(%i, %c3)[%j]
  %b = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%a)[%i]
  %s = arith.addi %i, %j : index
  %p = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%i)[%j]
  %slice = tensor.extract_slice %t[%i, 2] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %strided = tensor.extract_slice %t[0, 0] [4, 4] [2, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %row = tensor.extract_slice %t[0, 0] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x4xf32>) {
  ^bb0(%out: f32):
    %k = linalg.index 0 : index
    %l = linalg.index 1 : index
    %m = affine.apply affine_map<(d0, d1, d2) -> (d0 * 2 + d1 + d2)>(%l, %j, %k)
    %x = tensor.extract %slice[%m, %j] : tensor<4x4xf32>
    %y = tensor.extract %strided[%k, %l] : tensor<4x4xf32>
    %z = tensor.extract %row[%k] : tensor<4xf32>
    %w = tensor.extract %t[%s, %i] : tensor<8x8xf32>
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return
}`;

/** Runs a query on the function's values, by name. */
const asked = <T>(ask: (rewriter: Rewriter, values: Readonly<Record<string, Value>>) => T): T =>
  edit(unwrap(parse(text)), { registry }, (rewriter) => {
    const operations = [...rewriter.walk(rewriter.root)];
    const func = operations.find(({ name }) => name === 'func.func')!;
    const [i, j, t] = func.regions[0]!.blocks[0]!.arguments;
    const results = operations.flatMap((operation) => operation.results);
    const [c3, a, b, s, p] = results;
    rewriter.setInsertionPointBefore(operations.find(({ name }) => name === 'func.return')!);
    return ask(rewriter, { i: i!, j: j!, t: t!, c3: c3!, a: a!, b: b!, s: s!, p: p! });
  }).results;

/** A composed map, with its operands by name. */
const described = (
  { map, operands }: ReturnType<typeof composeValue>,
  values: Readonly<Record<string, Value>>,
): string =>
  `${printMap(map)} of ${operands.map(({ id }) => Object.entries(values).find(([, value]) => value.id === id)?.[0]).join(', ')}`;

describe('composition', () => {
  it.each([
    ['i', '(d0) -> (d0) of i'],
    ['c3', '() -> (3) of '],
    ['a', '(d0, d1) -> (d0 * 2 + d1 + 3) of i, j'],
    // A repeated operand is unique in the result.
    ['b', '(d0, d1) -> (d0 * 2 + d1 + d0 + 3) of i, j'],
    ['s', '(d0) -> (d0) of s'],
    // A symbol times a dimension is not affine in dimensions.
    ['p', '(d0) -> (d0) of p'],
  ])('of %s', (name, expected) => {
    expect(asked((rewriter, values) => described(composeValue(rewriter, values[name]!), values))).toBe(
      expected,
    );
  });

  it('takes dimensions and symbols, and leaves out what the map does not use', () => {
    const map = affineMap('(d0, d1)[s0] -> (d1 + s0, s0 * 2)');
    expect(
      asked((rewriter, values) =>
        described(composeApplication(rewriter, map, [values['i']!, values['c3']!, values['j']!]), values),
      ),
    ).toBe('(d0) -> (d0 + 3, d0 * 2) of j');
  });

  it('knows constants', () => {
    expect(asked((rewriter, { c3, i, s }) => [c3, i, s].map((v) => constantIndexOf(rewriter, v!)))).toEqual([
      3,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['an operand', '(d0) -> (d0 - 3)', 'a', 'affine.apply (d0, d1) -> (d0 * 2 + d1)'],
    ['a constant', '(d0) -> (d0 * 2)', 'c3', 'arith.constant 6'],
    ['the operand itself', '(d0) -> (d0)', 's', 'arith.addi'],
  ])('creates %s', (_, map, name, expected) => {
    const created = asked((rewriter, values) => {
      const value = applyComposed(rewriter, affineMap(map), [values[name]!]);
      const operation = rewriter.definingOperation(value)!;
      const attribute = operation.attributes['map'] ?? operation.attributes['value'];
      if (attribute?.kind === 'affine-map') return `${operation.name} ${printMap(attribute.map)}`;
      return attribute?.kind === 'integer' ? `${operation.name} ${attribute.value}` : operation.name;
    });
    expect(created).toBe(expected);
  });

  it('has one result', () => {
    expect(() =>
      asked((rewriter, { i }) => applyComposed(rewriter, affineMap('(d0) -> (d0, 0)'), [i!])),
    ).toThrow('affine.apply has one result');
  });
});

describe('what a body reads', () => {
  const sources = (through: boolean): readonly unknown[] =>
    asked((rewriter, values) => {
      const operations = [...rewriter.walk(rewriter.root)];
      const generic = operations.find(({ name }) => name === 'linalg.generic')!;
      const elements = operations.filter(({ name }) => name === 'tensor.extract');
      return elements.map((element) => {
        const direct = elementSource(rewriter, generic, element);
        const source = through ? throughSlice(rewriter, 2, direct) : direct;
        if (source === undefined) return undefined;
        const outer = source.outer.map(
          ({ id }) => Object.entries(values).find(([, value]) => value.id === id)?.[0],
        );
        const tensor = rewriter.definingOperation(source.tensor)?.name ?? 'an argument';
        return [tensor, source.indices.map(String), outer];
      });
    });

  it('are indices of the loops and values from around', () => {
    expect(sources(false)).toMatchInlineSnapshot(`
      [
        [
          "tensor.extract_slice",
          [
            "d1 * 2 + d2 + d0",
            "d2",
          ],
          [
            "j",
          ],
        ],
        [
          "tensor.extract_slice",
          [
            "d0",
            "d1",
          ],
          [],
        ],
        [
          "tensor.extract_slice",
          [
            "d0",
          ],
          [],
        ],
        [
          "an argument",
          [
            "d2",
            "d3",
          ],
          [
            "s",
            "i",
          ],
        ],
      ]
    `);
  });

  it('is read through slices that only move', () => {
    expect(sources(true)).toMatchInlineSnapshot(`
      [
        [
          "an argument",
          [
            "d1 * 2 + d2 + d0 + d3",
            "d2 + 2",
          ],
          [
            "j",
            "i",
          ],
        ],
        undefined,
        [
          "an argument",
          [
            "0",
            "d0",
          ],
          [],
        ],
        undefined,
      ]
    `);
  });

  it('are these of its loops', () => {
    const dimensions = asked((rewriter) => {
      const generic = [...rewriter.walk(rewriter.root)].find(({ name }) => name === 'linalg.generic')!;
      return indexDimensions(generic);
    });
    expect(dimensions).toEqual([0, 1]);
  });
});
