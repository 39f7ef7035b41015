/** Vectorized and lowered, structured ops compute what they did. */
import { expect, it } from 'vitest';
import { loweringText, runLowerings } from '../src/fuzz-lowerings.ts';

it(
  'a few payloads compute the same through every lowering, on WebAssembly',
  { timeout: 60_000 },
  async () => {
    const { faults, statistics } = await runLowerings({ seed: 3, from: 0, to: 15 }, undefined);
    expect(faults).toEqual([]);
    expect(statistics.payloads).toBe(15);
  },
);

it('schedules have every strategy, and vectors before and after bufferization', () => {
  const scripts = Array.from({ length: 100 }, (_, i) => loweringText(1, i).script).join('\n');
  const names = [
    ...['outerproduct', 'dot', 'parallelarith', 'matmulintrinsics'],
    ...['innerparallel', 'innerreduction', 'eltwise', 'flat_transpose', 'shuffle_1d', 'shuffle_16x16'],
    ...[
      'vector_sizes',
      'tile_using_for ',
      'tile_using_forall',
      'packed_sizes',
      'generalize',
      'one_shot_bufferize',
    ],
    ...['vectorize_padding', 'vectorize_nd_extract', 'hoist_loop_invariant_subsets', 'transfer_to_scf'],
  ];
  expect(names.filter((name) => !scripts.includes(name))).toEqual([]);
});

it('payload i of a seed depends on both only', () => {
  expect(loweringText(1, 7)).toEqual(loweringText(1, 7));
  expect(
    new Set([loweringText(1, 7), loweringText(1, 8), loweringText(2, 7)].map(({ payload }) => payload)).size,
  ).toBe(3);
});
