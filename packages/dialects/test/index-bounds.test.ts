import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { edit } from '@sconv/ir';
import { mayBeReversed, mayBeZero, valueBound } from '../src/index.ts';
import { forBounds, forOp } from '../src/scf.ts';
import { parse, registry } from './support.ts';

/** The upper bound of `%x`, computed in a loop over `%i` up to `end`. */
const boundOf = (definition: string, end = '%c10'): number =>
  edit(
    unwrap(
      parse(`func.func @f(%n: index, %t: tensor<?x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %most = arith.constant 9007199254740991 : index
  scf.for %i = %c0 to ${end} step %c4 {
    %x = ${definition}
    %sized = tensor.empty(%x) : tensor<?xf32>
  }
  return
}`),
    ),
    { registry },
    (rewriter) => {
      const use = rewriter.walk(rewriter.root).find(({ name }) => name === 'tensor.empty')!;
      return valueBound(rewriter, use.operands[0]!);
    },
  ).results;

const apply = (map: string, ...operands: readonly string[]): string =>
  `affine.apply affine_map<${map}>(${operands.join(', ')})`;

it.each([
  ['arith.constant 7 : index', 7],
  [apply('(d0) -> (d0 * 2 + 1)', '%i'), 19],
  [apply('(d0) -> (10 - d0)', '%i'), 10],
  [apply('(d0) -> (d0 mod 16)', '%i'), 9],
  [apply('(d0) -> (d0 mod 8)', '%n'), 7],
  [apply('(d0) -> (d0 floordiv 4)', '%i'), 2],
  [apply('(d0) -> (d0 ceildiv 4)', '%i'), 3],
  ['affine.min affine_map<(d0, d1) -> (4, d1 - d0)>(%i, %n)', 4],
  ['affine.max affine_map<(d0) -> (4, d0 + 2)>(%i)', 11],
  ['tensor.dim %t, %c1 : tensor<?x6xf32>', 6],
  ['tensor.dim %t, %c0 : tensor<?x6xf32>', Infinity],
  [apply('(d0, d1) -> (d0 + d1)', '%i', '%n'), Infinity],
  [apply('(d0) -> (d0 + 1)', '%most'), Infinity],
])('%s is at most %s', (definition, bound) => {
  expect(boundOf(definition)).toBe(bound);
});

it('has no bound for what a loop without iterations computes', () => {
  expect(boundOf(apply('(d0) -> (d0 + 1)', '%i'), '%c0')).toBe(Infinity);
});

it.each([
  ['%c0', '%size', false],
  ['%c0', '%rows', false],
  ['%c0', '%half', false],
  ['%c3', '%most', false],
  ['%n', '%n', true],
  ['%c3', '%size', true],
  ['%c0', '%n', true],
  ['%c0', '%less', true],
  ['%c9', '%most', true],
])('a loop from %s to %s may be reversed: %s', (lower, upper, expected) => {
  const payload = `func.func @f(%n: index, %t: tensor<?xf32>, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %size = tensor.dim %t, %c0 : tensor<?xf32>
  %rows = memref.dim %m, %c0 : memref<?xf32>
  %half = affine.apply affine_map<(d0) -> (d0 ceildiv 2)>(%size)
  %less = affine.apply affine_map<(d0) -> (d0 - 1)>(%size)
  %most = affine.max affine_map<(d0) -> (3, d0)>(%n)
  scf.for %i = ${lower} to ${upper} step %c3 {
  }
  return
}`;
  const { results } = edit(unwrap(parse(payload)), { registry }, (rewriter) =>
    mayBeReversed(rewriter, forBounds(rewriter.walk(rewriter.root).find((each) => forOp.is(each))!)),
  );
  expect(results).toBe(expected);
});

const least = (map: string, ...operands: readonly string[]): string =>
  `affine.min affine_map<${map}>(${operands.join(', ')})`;

it.each([
  ['arith.constant 7 : index', false],
  ['arith.constant 0 : index', true],
  ['tensor.dim %t, %c0 : tensor<?xf32>', true],
  [apply('(d0) -> (d0 + 1)', '%size'), false],
  // What is left in the loops up to %size and 9, in steps of 4.
  [least('(d0, d1) -> (4, d1 - d0)', '%i', '%size'), false],
  [least('(d0) -> (4, 9 - d0)', '%j'), false],
  [least('(d0, d1) -> (4, d1 - d0 - 1)', '%i', '%size'), true],
  [least('(d0, d1) -> (4, d1 - d0)', '%j', '%size'), true],
  [least('(d0) -> (4, 8 - d0)', '%j'), true],
  [apply('(d0, d1) -> (d1 - d0)', '%i', '%size'), false],
  // The parts of a loop over a third of %size, rounded up, each of 3, and of 2.
  [least('(d0, d1) -> (d1 - d0 * 3, 3)', '%k', '%size'), false],
  [least('(d0, d1) -> (d1 - d0 * 4, 3)', '%k', '%size'), true],
])('%s may be zero: %s', (definition, expected) => {
  const payload = `func.func @f(%n: index, %t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %size = tensor.dim %t, %c0 : tensor<?xf32>
  %third = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%size)
  scf.for %i = %c0 to %size step %c4 {
    scf.for %j = %c0 to %c9 step %c4 {
      scf.forall (%k) in (%third) {
        %x = ${definition}
        %sized = tensor.empty(%x) : tensor<?xf32>
      }
    }
  }
  return
}`;
  const { results } = edit(unwrap(parse(payload)), { registry }, (rewriter) => {
    const use = rewriter.walk(rewriter.root).find(({ name }) => name === 'tensor.empty')!;
    return mayBeZero(rewriter, use.operands[0]!);
  });
  expect(results).toBe(expected);
});
