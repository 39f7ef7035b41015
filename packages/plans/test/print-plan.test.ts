import { expect, it } from 'vitest';
import type { Plan } from '../src/index.ts';
import { printPlan } from '../src/index.ts';

it('prints each node on a line, under what it stands in', () => {
  const plan: Plan<'rows' | 'columns'> = {
    kind: 'pack',
    operand: 'input',
    tiles: 2,
    body: {
      kind: 'split',
      dimension: 'rows',
      parts: [
        {
          size: 6,
          body: {
            kind: 'loop',
            dimension: 'rows',
            step: 2,
            count: 3,
            body: {
              kind: 'pack',
              operand: 'filters',
              tiles: 1,
              padded: 16,
              body: {
                kind: 'kernel',
                lanes: 'columns',
                extents: { rows: 2, columns: 7 },
                unroll: { rows: 2 },
                tiles: [{ firstWindow: 0, windows: 14, firstFilter: 2, filters: 3 }],
              },
            },
          },
        },
        { size: 1, body: { kind: 'scalar', extents: { rows: 1, columns: 7 } } },
      ],
    },
  };
  expect(printPlan(plan)).toMatchInlineSnapshot(`
    "pack input 2
    part rows 6
      loop rows 3 x 2
        pack filters 1, padded to 16
        kernel along columns, unrolled rows 2, in tiles 0+14x2+3: columns 7, rows 2
    part rows 1
      scalar: columns 7, rows 1
    "
  `);
});
