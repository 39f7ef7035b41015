import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bufferized } from './support.ts';

const count = 5;
/** Call graphs: `calls[i][j]` says whether the i-th function calls the j-th. */
const graphs = fc.array(fc.array(fc.boolean(), { minLength: count, maxLength: count }), {
  minLength: count,
  maxLength: count,
});

const orders = fc.option(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: count }), { freq: 2 });

/** Functions that write an element of their argument and pass it on to their callees. */
const program = (calls: readonly (readonly boolean[])[]): string =>
  calls
    .map((row, i) => {
      const lines = row.flatMap((does, j) =>
        does ? [`%t${j + 1} = call @f${j}(%t_, %x) : (tensor<4xf32>, f32) -> tensor<4xf32>`] : [],
      );
      const names = ['%0', ...row.flatMap((does, j) => (does ? [`%t${j + 1}`] : []))];
      return `func.func @f${i}(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<4xf32>
  ${lines.map((line, k) => line.replace('%t_', names[k]!)).join('\n  ')}
  return ${names.at(-1)!} : tensor<4xf32>
}`;
    })
    .join('\n');

/** The functions from which a cycle of calls is reachable. */
const endless = (calls: readonly (readonly boolean[])[]): readonly number[] => {
  let left = calls.map((_, i) => i);
  for (let before = -1; before !== left.length;) {
    before = left.length;
    const still: readonly number[] = left;
    left = still.filter((i) => still.some((j) => calls[i]![j]));
  }
  return left;
};

it('functions are bufferized after those that they call, wherever they stand; circles are refused', () => {
  fc.assert(
    fc.property(graphs, orders, (graph, rank) => {
      // Half of the graphs are acyclic: only functions of a higher rank are called.
      const calls = graph.map((row, i) =>
        row.map((does, j) => does && (rank === null || rank[i]! < rank[j]!)),
      );
      const { status, diagnostics, copies, text } = bufferized(program(calls));
      const stuck = endless(calls);
      if (stuck.length > 0) {
        expect(status).toBe('definite');
        expect(diagnostics).toContain(`error: @f${stuck[0]!} passes tensors to recursive functions`);
        return;
      }
      expect(diagnostics).toBe('');
      expect(copies).toBe(0);
      expect(text).not.toContain('-> memref');
    }),
  );
});
