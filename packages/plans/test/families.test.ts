import { expect, it } from 'vitest';
import { familyOf } from '../src/families.ts';

const leaf = (extents: Readonly<Record<string, number>>) => ({ kind: 'leaf', extents });
const split = (body: unknown) => ({ kind: 'split', dimension: 'filters', parts: [{ count: 8, body }] });

it.each([
  ['a leaf', leaf({ rows: 1, columns: 8, filters: 8 })],
  ['a loop', { kind: 'loop', body: leaf({ rows: 1, columns: 8, filters: 8 }) }],
  ['parts', split(leaf({ rows: 1, columns: 8, filters: 8 }))],
])('a plan of %s has rows and columns apart if its first leaf does', (_, plan) => {
  expect(familyOf(plan).windows).toEqual(['rows', 'columns']);
});

it.each([
  ['a leaf', leaf({ windows: 8, filters: 8 })],
  ['parts', split(leaf({ windows: 8, filters: 8 }))],
  ['no record', 'plan'],
])('a plan of %s has windows otherwise', (_, plan) => {
  expect(familyOf(plan).windows).toEqual(['windows']);
});
