/** The README promises all of some dialects. */
import type { Dialect } from '@sconv/ir';
import { linalgDialect } from '@sconv/dialects/linalg';
import { mathDialect } from '@sconv/dialects/math';
import { expect, it } from 'vitest';
import { handlerTable } from '../src/handlers.ts';

it.each<[Dialect, readonly string[]]>([
  [mathDialect, []],
  // Handled by the operation around them.
  [linalgDialect, ['linalg.index', 'linalg.yield']],
])('every operation of a dialect has a handler: $name', ({ operations }, inner) => {
  const { handlers } = handlerTable();
  const names = operations.map(({ name }) => name).filter((name) => !handlers.has(name));
  expect(names.toSorted()).toEqual(inner);
});
