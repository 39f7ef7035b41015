import { sconvDefaults } from '@sconv/targets';
import { expect, it } from 'vitest';
import type { Plan } from '../src/index.ts';
import { parseShape, planConvolution, printPlan } from '../src/index.ts';

it('prints each node on a line, under what it stands in', () => {
  const plan: Plan<'rows' | 'columns'> = {
    kind: 'pack',
    operand: 'input',
    tiles: 2,
    lifetime: 'here',
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
              lifetime: 'artifact',
              body: {
                kind: 'kernel',
                microkernel: { windows: 8, filters: 4 },
                lanes: 'filters',
                fill: 'padded',
                extents: { rows: 2, columns: 7 },
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
        pack filters 1 for the artifact
        padded kernel 8x4 along filters: columns 7, rows 2
    part rows 1
      scalar: columns 7, rows 1
    "
  `);
});

it('prints the plan of a convolution', () => {
  const shape = parseShape('1x32x152x152,256x32x3x3,s2');
  expect(printPlan(planConvolution(shape, sconvDefaults).tree)).toMatchInlineSnapshot(`
    "part windows 5616
      part windows 5568
        loop batch 1 x 1
          loop channels 1 x 32
            loop windows 4 x 1392
              loop filters 1 x 256
                pack filters 32
                loop windows 87 x 16
                  pack input 1
                  loop filters 32 x 8
                    exact kernel 16x8 along windows: batch 1, channels 32, filters 8, group 1, windows 16
      part windows 48
        loop batch 1 x 1
          loop channels 1 x 32
            loop windows 1 x 48
              loop filters 1 x 256
                pack filters 32
                loop windows 3 x 16
                  pack input 1
                  loop filters 32 x 8
                    exact kernel 16x8 along windows: batch 1, channels 32, filters 8, group 1, windows 16
    part windows 9
      scalar: batch 1, channels 32, filters 256, group 1, windows 9
    "
  `);
});
