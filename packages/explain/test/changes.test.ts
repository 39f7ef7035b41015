import { printModule } from '@sconv/ir';
import { runSchedule } from '@sconv/transform';
import { describe, expect, it } from 'vitest';
import type { LineChange } from '../src/index.ts';
import { signOf } from '../src/changes.ts';
import { changesBetween, runStates, textOf } from '../src/index.ts';
import { convolution, recorded, registry, script, tiled } from './support/runs.ts';

const marked = (changes: readonly LineChange[]) =>
  changes.filter(({ kind, moved }) => kind !== 'same' || moved).map(({ kind, text }) => `${kind} ${text}`);

describe('changes', () => {
  it('are aligned by operation: an op that renumbers all others is the only change', () => {
    const run = recorded(`${tiled}\ntransform.test.prepend %root : !transform.any_op`);
    const { before, after } = runStates(run).at(-1)!;
    expect(marked(changesBetween(run, before, after))).toEqual(['added %0 = "test.first"() : () -> f32']);
    const [old, renumbered] = [before, after].map((state) => textOf(run, state).split('\n'));
    // The text itself differs in many lines.
    expect(renumbered!.filter((line) => !old!.includes(line)).length).toBeGreaterThan(8);
  });

  it('are words within changed ops', () => {
    const run = recorded(
      `${tiled}\ntransform.test.rename %root "arith.addf" "arith.subf" : !transform.any_op`,
    );
    const { before, after } = runStates(run).at(-1)!;
    const changes = changesBetween(run, before, after);
    expect(marked(changes)).toMatchInlineSnapshot(`
      [
        "removed %4 = arith.addf %out, %3 : f32",
        "added %4 = arith.subf %out, %3 : f32",
        "changed linalg.yield %4 : f32",
      ]
    `);
    expect(changes.find(({ kind }) => kind === 'changed')?.words).toMatchInlineSnapshot(`
      [
        {
          "kind": "same",
          "text": "linalg.yield ",
        },
        {
          "kind": "removed",
          "text": "%4",
        },
        {
          "kind": "added",
          "text": "%4",
        },
        {
          "kind": "same",
          "text": " : f32",
        },
      ]
    `);
  });

  it('are none between a state and itself', () => {
    const run = recorded(tiled);
    for (const { before, after } of runStates(run))
      for (const state of [before, after]) expect(marked(changesBetween(run, state, state))).toEqual([]);
  });
});

describe('the text of a state', () => {
  it('is what is printed', () => {
    const run = recorded(tiled);
    const result = runSchedule(script(tiled), convolution, { registry });
    expect(result.status === 'success' && printModule(result.value.module, { registry })).toBe(
      textOf(run, runStates(run).at(-1)!.after),
    );
  });
});

it.each([
  ['same', false, ' '],
  ['same', true, '>'],
  ['added', true, '+'],
  ['removed', false, '-'],
  ['changed', true, '~'],
] as const)('a line that is %s, and whether it moved: %s', (kind, moved, sign) => {
  expect(signOf({ kind, moved })).toBe(sign);
});
