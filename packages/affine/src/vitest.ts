/**
 * Matchers for vitest:
 *
 *     import { expect } from 'vitest';
 *     import { affineMatchers } from '@sconv/affine/vitest';
 *     expect.extend(affineMatchers);
 */
import type {} from 'vitest';
import type { AffineMatchers } from './matchers.ts';

export { affineMatchers } from './matchers.ts';
export type { AffineMatchers, MapLike, OverOption } from './matchers.ts';

declare module 'vitest' {
  /* eslint-disable @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- merged with vitest's own */
  interface Matchers<T> extends AffineMatchers {}
  // Before vitest 3.2, which has no `Matchers`.
  interface Assertion<T> extends AffineMatchers {}
  interface AsymmetricMatchersContaining extends AffineMatchers {}
  /* eslint-enable @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars */
}
