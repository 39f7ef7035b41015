/**
 * Matchers for jest, with the types of `@types/jest`:
 *
 *     import { affineMatchers } from '@sconv/affine/jest';
 *     expect.extend(affineMatchers);
 */
import type { AffineMatchers } from './matchers.ts';

export { affineMatchers } from './matchers.ts';
export type { AffineMatchers, MapLike, OverOption } from './matchers.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- jest declares its matchers in this namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merged with jest's own
    interface Matchers<R> extends AffineMatchers<R> {}
  }
}
