import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { edit } from '@sconv/ir';
import { countedLoops, indexNumber, loopOfVariable, runsAtLeastOnce } from '../src/index.ts';
import { forBounds, forOp } from '../src/scf.ts';
import { parse, registry } from './support.ts';

/** What `read` finds of the first operation after the constants. */
const inFunction = <T>(loop: string, read: Parameters<typeof edit<T>>[2]): T =>
  edit(
    unwrap(
      parse(`func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %down = arith.constant -1 : index
  ${loop}
  return
}`),
    ),
    { registry },
    read,
  ).results;

it.each([
  ['scf.for %i = %c0 to %c7 step %c2 {}', [[0, 2, 4]]],
  ['scf.for %i = %c7 to %c0 step %c2 {}', [[7, 2, 0]]],
  ['scf.for %i = %c0 to %n step %c2 {}', undefined],
  ['scf.for %i = %c7 to %c0 step %down {}', undefined],
  ['scf.for %i = %c0 to %c7 step %c0 {}', undefined],
  [
    'scf.forall (%i, %j) = (1, %c0) to (4, %c7) step (3, 1) {}',
    [
      [1, 3, 1],
      [0, 1, 7],
    ],
  ],
  ['scf.forall (%i, %j) in (4, %n) {}', undefined],
  ['scf.execute_region { scf.yield }', undefined],
])('%s', (loop, expected) => {
  const [counted, variables] = inFunction(loop, (rewriter) => {
    const operation = rewriter.walk(rewriter.root).find(({ name }) => name.startsWith('scf.'))!;
    return [
      countedLoops(operation, (bound) => indexNumber(rewriter, bound)),
      operation.regions[0]!.blocks[0]!.arguments.map(({ id }) => id),
    ];
  });
  expect(counted?.map(({ lower, step, trips }) => [lower, step, trips])).toEqual(expected);
  if (counted !== undefined) expect(counted.map(({ variable }) => variable.id)).toEqual(variables);
});

it.each([
  ['%c0', '%c7', true],
  ['%c7', '%c7', false],
  ['%n', '%c7', false],
  ['%c0', '%n', false],
])('from %s to %s runs at least once: %s', (lower, upper, expected) => {
  const runs = inFunction(`scf.for %i = ${lower} to ${upper} step %n {}`, (rewriter) =>
    runsAtLeastOnce(forBounds(rewriter.walk(rewriter.root).find((each) => forOp.is(each))!), (bound) =>
      indexNumber(rewriter, bound),
    ),
  );
  expect(runs).toBe(expected);
});

it('finds the loop of an induction variable, and of no other value', () => {
  const loop = `%sum = scf.for %i = %c0 to %n step %c2 iter_args(%carried = %c0) -> (index) {
    scf.yield %i : index
  }
  scf.forall (%j) in (4) {}`;
  const found = inFunction(loop, (rewriter) => {
    const loops = rewriter
      .walk(rewriter.root)
      .filter(({ name }) => name === 'scf.for' || name === 'scf.forall');
    return loops.flatMap((each) =>
      [...each.regions[0]!.blocks[0]!.arguments, ...each.results].map(
        (value) => loopOfVariable(rewriter, value)?.name,
      ),
    );
  });
  expect(found).toEqual(['scf.for', undefined, undefined, undefined]);
});
