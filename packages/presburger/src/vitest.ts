/**
 * Matchers for vitest:
 *
 *     import { expect } from 'vitest';
 *     import { presburgerMatchers } from '@sconv/presburger/vitest';
 *     expect.extend(presburgerMatchers);
 */
import type {} from 'vitest';
import type { PresburgerMatchers } from './matchers/matchers.ts';

export { presburgerMatchers } from './matchers/matchers.ts';
export type { PresburgerMatchers } from './matchers/matchers.ts';
export type { OverOption } from './matchers/maps.ts';
export type { Over } from './matchers/over.ts';
export type { Likeness, RelationLike, SetLike } from './text/like.ts';

declare module 'vitest' {
  /* eslint-disable @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- merged with vitest's own */
  interface Matchers<T> extends PresburgerMatchers {}
  // Before vitest 3.2, which has no `Matchers`.
  interface Assertion<T> extends PresburgerMatchers {}
  interface AsymmetricMatchersContaining extends PresburgerMatchers {}
  /* eslint-enable @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars */
}
