/** Nodes of plans as plain data, of which tests change some, and what is wrong with them. */
import type { Plan } from '../src/index.ts';
import { planProblems } from '../src/index.ts';

export const extents = { batch: 1, group: 1, channels: 2, windows: 8, filters: 4 };

export const kernel = (fields: object = {}) => ({
  kind: 'kernel',
  lanes: 'windows',
  extents: { ...extents, windows: 4 },
  ...fields,
});

export const pack = (operand: string, body: unknown, fields: object = {}) => ({
  kind: 'pack',
  operand,
  tiles: 1,
  body,
  ...fields,
});

export const openExtents = {
  batch: 1,
  group: 1,
  channels: 2,
  filters: 4,
  rows: 2,
  columns: 3,
  tapRows: 3,
  tapColumns: 1,
};

export const openKernel = (fields: object = {}) => ({
  kind: 'kernel',
  lanes: 'columns',
  extents: openExtents,
  ...fields,
});

export const problemsOf = (plan: unknown, limits: object = { extents }): readonly string[] =>
  planProblems(plan as Plan, limits).map(({ code, path, message }) => `${path}: ${message} [${code}]`);
