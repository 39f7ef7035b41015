import { expect, it } from 'vitest';
import { marksOf, runStates } from '../src/index.ts';
import { recorded, tiled } from './support/runs.ts';

it('mark an operation by the handles that may be used, not by those that were consumed', () => {
  const { after } = runStates(recorded(tiled)).at(-1)!;
  const marks = new Set([...marksOf(after).values()].flat());
  const handles = [...after.handles.values()];
  const names = (isValid: boolean) =>
    handles.filter(({ invalid }) => (invalid === undefined) === isValid).map(({ name }) => name);
  expect(names(false)).not.toEqual([]);
  expect(names(false).filter((name) => marks.has(name))).toEqual([]);
  expect(names(true).filter((name) => !marks.has(name))).toEqual([]);
});
