import { expect, it } from 'vitest';
import { fuseElementwisePass, generalizePass, specializePass } from '../src/index.ts';

it('has passes by the names that a pipeline gives', () => {
  expect(
    [fuseElementwisePass, generalizePass, specializePass].map(({ definition }) => definition.name),
  ).toEqual(['fuse-elementwise', 'linalg-generalize-named-ops', 'linalg-specialize-generic-ops']);
});
