import { children } from '@sconv/ir';
import { runSchedule } from '@sconv/transform';
import { exampleConvolution } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import type { RunInput } from '../src/index.ts';
import { reduceRun } from '../src/index.ts';
import { parse, registry, script, tiled } from './support/runs.ts';

const problemOf = ({ script: schedule, payload }: RunInput) => {
  const result = runSchedule(schedule, payload, { registry });
  return result.status === 'success' ? undefined : result.diagnostics[0];
};

const payload = parse(
  `${exampleConvolution}
func.func @other(%x: f32) -> f32 {
  return %x : f32
}`,
  'payload.mlir',
);
const failing = `${tiled}
%functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
transform.test.spoil %root : !transform.any_op
%t, %l = transform.structured.tile_using_for %functions tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
transform.test.spoil %root : !transform.any_op`;

/** The names of the steps of a schedule, and of the functions of a payload. */
const namesIn = ({ script: schedule, payload: { root } }: RunInput): readonly (readonly string[])[] => {
  const [sequence] = children(schedule.root);
  const functions = children(root).map(({ attributes: { sym_name: name } }) =>
    name?.kind === 'string' ? name.value : '',
  );
  return [children(sequence!).map(({ name }) => name), functions];
};

describe('a failing run', () => {
  it('is left with the steps and functions that it takes to fail', () => {
    const reduced = reduceRun({ script: script(failing), payload }, { registry, problemOf })!;
    expect(reduced.problem.code).toBe('tile/not-tileable');
    const [steps, functions] = namesIn(reduced);
    expect(steps).toEqual([
      'transform.structured.match',
      'transform.structured.tile_using_for',
      'transform.yield',
    ]);
    expect(functions).toHaveLength(1);
    expect(problemOf(reduced)).toEqual(reduced.problem);
  });

  it('is left as small as some runs can make it', () => {
    const input = { script: script(failing), payload };
    const [steps] = namesIn(reduceRun(input, { registry, problemOf, mostRuns: 4 })!);
    expect(steps!.length).toBeLessThan(namesIn(input)[0]!.length);
    expect(steps!.length).toBeGreaterThan(3);
    expect(namesIn(reduceRun(input, { registry, problemOf, mostRuns: 0 })!)).toEqual(namesIn(input));
  });
});

it('a run that does not fail is not made smaller', () => {
  expect(reduceRun({ script: script(tiled), payload }, { registry, problemOf })).toBeUndefined();
});
