import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AffineMap } from '@sconv/affine';
import { printMap } from '@sconv/affine';
import { arbitraryMap } from '@sconv/affine/arbitraries';
import { operandOver } from '@sconv/interpreter/testing';
import { delinearizeExamples } from './examples.ts';
import { apply, delinearize, matchOps, printed, replaced } from './payloads.ts';

const steps = `${matchOps()}\n${delinearize}`;

/** Six elements, read at `%i` from `%s`, which `lines` derive from 7 rows of 8; `index` computes `%i` from `%w`. */
const gathering = (lines: string, index: string, type = 'tensor<10xf32>') => `func.func private @f() -> index
func.func @gather(%in: tensor<7x8xf32>, %out: tensor<6xf32>, %n: index) -> tensor<6xf32> {
  %linear = tensor.collapse_shape %in [[0, 1]] : tensor<7x8xf32> into tensor<56xf32>
  ${lines}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%out : tensor<6xf32>) {
  ^bb0(%old: f32):
    %w = linalg.index 0 : index
    ${index}
    %x = tensor.extract %s[%i] : ${type}
    linalg.yield %x : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}`;

const asItIs = '%i = affine.apply affine_map<(d0) -> (d0)>(%w)';
const slice = (offset: string, source = '%linear', length = 56) =>
  `%s = tensor.extract_slice ${source}[${offset}] [10] [1] : tensor<${length}xf32> to tensor<10xf32>`;

/** Gathers rows of `width` through `map` in a loop of four iterations; its dimensions are two of the op and the loop's. */
const looped = (map: AffineMap, width: number): string => {
  const { map: results, type } = operandOver(map, [3, 4, 4]);
  const length = Number(/<(\d+)x/.exec(type)![1]);
  const rows = Math.ceil(length / width);
  const tensor = `tensor<${rows}x${width}xf32>`;
  return `func.func @f(%in: ${tensor}, %out: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %linear = tensor.collapse_shape %in [[0, 1]] : ${tensor} into tensor<${rows * width}xf32>
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%o = %out) -> (tensor<3x4xf32>) {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<3x4xf32>) {
    ^bb0(%old: f32):
      %a = linalg.index 0 : index
      %b = linalg.index 1 : index
      %i = affine.apply affine_map<(d0, d1, d2) -> (${results})>(%a, %b, %k)
      %x = tensor.extract %linear[%i] : tensor<${rows * width}xf32>
      %s = arith.addf %x, %old : f32
      linalg.yield %s : f32
    } -> tensor<3x4xf32>
    scf.yield %0 : tensor<3x4xf32>
  }
  return %r : tensor<3x4xf32>
}`;
};

describe('transform.structured.delinearize', () => {
  it('reads row and column, and the collapsed tensor is gone', () => {
    expect(apply(delinearizeExamples[0]!.payload, steps).text).toMatchInlineSnapshot(`
      "module {
        func.func @gather(%arg0: tensor<1x2x7x8xf32>, %arg1: tensor<2x6xf32>) -> tensor<2x6xf32> {
          %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%arg1 : tensor<2x6xf32>) {
          ^bb0(%out: f32):
            %1 = linalg.index 0 : index
            %2 = linalg.index 1 : index
            %c0 = arith.constant 0 : index
            %3 = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%2)
            %4 = affine.apply affine_map<(d0) -> (d0 mod 3)>(%2)
            %extracted = tensor.extract %arg0[%c0, %1, %3, %4] : tensor<1x2x7x8xf32>
            linalg.yield %extracted : f32
          } -> tensor<2x6xf32>
          return %0 : tensor<2x6xf32>
        }
      }
      "
    `);
  });

  it('reads the same elements, whatever the index', () => {
    const maps = arbitraryMap({ numDims: 3, numSymbols: 0, maxDepth: 4, maxConstant: 5, numResults: 1 });
    fc.assert(
      fc.property(maps, fc.integer({ min: 1, max: 6 }), (map, width) => {
        const { text, diagnostics } = apply(looped(map, width), steps);
        expect(diagnostics).toBe('');
        expect(text, printMap(map)).not.toContain('collapse_shape');
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['a slice', slice('3')],
    ['a slice at a value', slice('%n')],
    [
      'a slice of a slice',
      `%s1 = tensor.extract_slice %linear[4] [40] [1] : tensor<56xf32> to tensor<40xf32>\n${slice('%n', '%s1', 40)}`,
    ],
  ])('reads through %s', (_, lines) => {
    const { text, diagnostics } = apply(gathering(lines, asItIs), steps);
    expect(diagnostics).toBe('');
    expect(text).not.toMatch(/collapse_shape|extract_slice/);
  });

  it.each([
    [
      'a slice with a stride',
      '%s = tensor.extract_slice %linear[3] [10] [2] : tensor<56xf32> to tensor<10xf32>',
    ],
    [
      'a slice of reduced rank',
      `%u = tensor.expand_shape %linear [[0, 1]] output_shape [4, 14] : tensor<56xf32> into tensor<4x14xf32>
%s = tensor.extract_slice %u[2, 1] [1, 10] [1, 1] : tensor<4x14xf32> to tensor<10xf32>`,
    ],
    ['what is not collapsed', '%s = tensor.splat %e : tensor<10xf32>'],
  ])('reads %s as it is', (_, lines) => {
    const payload = replaced(gathering(lines, asItIs), [
      '%linear = ',
      '%e = arith.constant 3.0 : f32\n%linear = ',
    ]);
    const { text, diagnostics } = apply(payload, steps);
    expect(diagnostics).toBe('');
    expect(text).toMatch(/tensor\.extract .* : tensor<10xf32>\n *linalg\.yield/);
  });

  it.each([
    [
      'dynamic sizes',
      '%d = tensor.cast %in : tensor<7x8xf32> to tensor<?x8xf32>\n%s = tensor.collapse_shape %d [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>',
      'tensor<?xf32>',
    ],
  ])('leaves collapsed tensors of %s', (_, lines, type) => {
    const { text, diagnostics } = apply(gathering(lines, asItIs, type), steps);
    expect(diagnostics).toBe('');
    expect(text).toMatch(/tensor\.extract %collapsed\w*\[/);
  });

  it('leaves a collapsed tensor without elements, which is never read', () => {
    const nothing = replaced(
      gathering(
        '%s = tensor.collapse_shape %empty [[0, 1]] : tensor<0x8xf32> into tensor<0xf32>',
        asItIs,
        'tensor<0xf32>',
      ),
      ['%out: tensor<6xf32>', '%empty: tensor<0x8xf32>, %out: tensor<6xf32>'],
      ['tensor<6xf32>', 'tensor<0xf32>'],
    );
    const { text, diagnostics } = apply(nothing, steps);
    expect(diagnostics).toBe('');
    expect(text).toMatch(/tensor\.extract %collapsed\w*\[/);
  });

  it('reads the only element of what was collapsed to a scalar', () => {
    const scalar = replaced(
      gathering(
        '%s = tensor.collapse_shape %one [] : tensor<1x1xf32> into tensor<f32>',
        asItIs,
        'tensor<f32>',
      ),
      ['%out: tensor<6xf32>', '%one: tensor<1x1xf32>, %out: tensor<6xf32>'],
      ['%s[%i]', '%s[]'],
    );
    const { text, diagnostics } = apply(scalar, steps);
    expect(diagnostics).toBe('');
    expect(text).toContain('tensor.extract %arg1[%c0');
  });

  it('splits groups of several dimensions, and leaves dimensions alone', () => {
    const payload = `func.func @f(%in: tensor<2x3x4x5xf32>, %out: tensor<2x60xf32>) -> tensor<2x60xf32> {
  %linear = tensor.collapse_shape %in [[0], [1, 2, 3]] : tensor<2x3x4x5xf32> into tensor<2x60xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<2x60xf32>) {
  ^bb0(%old: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %x = tensor.extract %linear[%a, %b] : tensor<2x60xf32>
    linalg.yield %x : f32
  } -> tensor<2x60xf32>
  return %0 : tensor<2x60xf32>
}`;
    const maps = [...apply(payload, steps).text.matchAll(/affine\.apply affine_map<\(d0\) -> \((.*)\)>/g)];
    expect(maps.map(([, map]) => map)).toEqual(['d0 floordiv 20', '(d0 mod 20) floordiv 5', 'd0 mod 5']);
  });

  it('redirects each of several elements, and those of nested regions', () => {
    const several = gathering(
      '%s = tensor.collapse_shape %in [[0, 1]] : tensor<7x8xf32> into tensor<56xf32>',
      `%i = affine.apply affine_map<(d0) -> (d0 * 3)>(%w)
%first = tensor.extract %linear[%w] : tensor<56xf32>
%zero = arith.constant 0.0 : f32
%c = arith.cmpf olt, %first, %zero : f32
%inner = scf.if %c -> (f32) {
  %y = tensor.extract %linear[%i] : tensor<56xf32>
  scf.yield %y : f32
} else {
  scf.yield %first : f32
}`,
      'tensor<56xf32>',
    ).replace('linalg.yield %x', 'linalg.yield %inner');
    const { text, diagnostics } = apply(several, steps);
    expect(diagnostics).toBe('');
    expect(text.match(/tensor\.extract %arg0\[/g)).toHaveLength(3);
    expect(text).not.toContain('collapse_shape');
  });

  it('splits an index that is no affine map', () => {
    const product = gathering(slice('3'), '%i = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%w)[%n]');
    const { text, diagnostics } = apply(
      product.replace('[10] [1]', '[50] [1]').replaceAll('tensor<10xf32>', 'tensor<50xf32>'),
      steps,
    );
    expect(diagnostics).toBe('');
    expect(text).not.toMatch(/collapse_shape|extract_slice/);
  });

  it('leaves calls, whatever became of their results', () => {
    const { text } = apply(
      gathering(
        slice('3'),
        `%call = func.call @f() : () -> index
    %i = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 0)>(%w)[%call]`,
      ),
      steps,
    );
    expect(text).toContain('call @f()');
    expect(text).not.toContain('collapse_shape');
  });

  /** Reads `%k` and a second, small index from 7x8x4x2 elements, in a loop over `%k`. */
  const bounded = (
    lines: string,
    bounds: string,
  ) => `func.func @f(%in: tensor<7x8x4x2xf32>, %out: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  ${lines}
  %linear = tensor.collapse_shape %in [[0, 1], [2, 3]] : tensor<7x8x4x2xf32> into tensor<56x8xf32>
  %r = scf.for %k = ${bounds} step %c1 iter_args(%o = %out) -> (tensor<2xf32>) {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<2xf32>) {
    ^bb0(%old: f32):
      %a = linalg.index 0 : index
      %i = affine.apply affine_map<(d0) -> (d0 + 9)>(%k)
      %x = tensor.extract %linear[%i, %a] : tensor<56x8xf32>
      %s = arith.addf %x, %old : f32
      linalg.yield %s : f32
    } -> tensor<2xf32>
    scf.yield %0 : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}`;

  it.each([
    ['constants', '', '%c0 to %c9', ['(d0 + 9) floordiv 8', '(d0 + 9) mod 8']],
    [
      'a lower bound that is no constant',
      '%low = arith.subi %c0, %c9 : index',
      '%low to %c1',
      ['(d0 + 9) floordiv 8', '(d0 + 9) mod 8'],
    ],
    [
      'an upper bound that is no constant',
      '%high = arith.addi %c9, %c9 : index',
      '%c0 to %high',
      ['(d0 + 9) floordiv 8', '(d0 + 9) mod 8'],
    ],
    ['one iteration', '', '%c0 to %c1', []],
    [
      'no iteration',
      '',
      '%c0 to %c0',
      ['(d0 + 9) floordiv 8', '(d0 + 9) mod 8', 'd0 floordiv 2', 'd0 mod 2'],
    ],
  ])('simplifies under the bounds of a loop: %s', (_, lines, bounds, expected) => {
    const { text, diagnostics } = apply(bounded(lines, bounds), steps);
    expect(diagnostics).toBe('');
    const maps = [...text.matchAll(/affine\.apply affine_map<\(d0\) -> \((.*)\)>/g)].map(([, map]) => map);
    expect(maps).toEqual(expected);
  });

  it('simplifies under the bounds of other dimensions than a dynamic one', () => {
    const payload = `func.func @f(%in: tensor<7x8x4x2xf32>, %out: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %linear = tensor.collapse_shape %in [[0, 1], [2, 3]] : tensor<7x8x4x2xf32> into tensor<56x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<?x2xf32>) {
  ^bb0(%old: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %x = tensor.extract %linear[%a, %b] : tensor<56x8xf32>
    linalg.yield %x : f32
  } -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}`;
    const { text, diagnostics } = apply(payload, steps);
    expect(diagnostics).toBe('');
    const maps = [...text.matchAll(/affine\.apply affine_map<\(d0\) -> \((.*)\)>/g)].map(([, map]) => map);
    expect(maps).toEqual(['d0 floordiv 8', 'd0 mod 8']);
  });

  it('takes no other value of a loop for its induction variable', () => {
    const counted = replaced(
      bounded('', '%c0 to %c9'),
      ['iter_args(%o = %out) -> (tensor<2xf32>)', 'iter_args(%o = %out, %m = %c9) -> (tensor<2xf32>, index)'],
      ['%r = ', '%r:2 = '],
      ['return %r :', 'return %r#0 :'],
      [
        'scf.yield %0 : tensor<2xf32>',
        '%m2 = arith.addi %m, %c1 : index\nscf.yield %0, %m2 : tensor<2xf32>, index',
      ],
      ['(d0 + 9)>(%k)', '(d0 + 9)>(%m)'],
    );
    expect(apply(counted, steps).diagnostics).toBe('');
  });

  it('refuses what is not generic', () => {
    const { status, diagnostics } = apply(
      delinearizeExamples[0]!.payload,
      `${matchOps('func.func')}\n${delinearize}`,
    );
    expect(status).toBe('definite');
    expect(diagnostics).toContain(
      "expected a linalg.generic, got 'func.func': generalize it first [delinearize/not-generic]",
    );
  });

  it('refuses indices beyond 2^53', () => {
    const far = gathering(slice('9007199254740991'), '%i = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)');
    const { status, diagnostics } = apply(far, steps);
    expect(status).toBe('definite');
    expect(diagnostics).toContain('[delinearize/arithmetic]');
  });

  it.each(['', ' {tag = "kept"}'])('is printed as it is read:%s', (attributes) => {
    const line = `transform.structured.delinearize %root${attributes} : !transform.any_op`;
    expect(printed(line)).toEqual([line]);
  });
});
