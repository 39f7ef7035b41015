import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SoundOptions } from '../src/index.ts';
import { linearProgram, linearSteps } from './linear-program.ts';
import { computed } from './semantics.ts';
import { bufferized } from './support.ts';

const layouts = ['identity-layout-map', 'fully-dynamic-layout-map', 'infer-layout-map'] as const;

it('what is not read after it has been overwritten is changed where it is', () => {
  fc.assert(
    fc.property(
      linearSteps,
      fc.nat(3),
      fc.nat(3),
      fc.nat(2),
      fc.constantFrom(...layouts),
      (steps, i, j, n, layout) => {
        const { text, made, copied, collapses } = linearProgram(steps);
        const options: SoundOptions = collapses ? {} : { functionBoundaryTypeConversion: layout };
        const { onTensors, onBuffers } = computed(text, [i, j, 7, n], options);
        expect(onBuffers).toEqual(onTensors);
        const { text: after, ...outcome } = bufferized(text, options);
        expect(outcome).toMatchObject({ allocations: made, copies: copied, diagnostics: '' });
        // No function, loop or branch returns or yields buffers.
        expect(after).not.toMatch(/ -> .*memref.*\{$/m);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);
