/**
 * Matchers for jest, with the types of `@types/jest`:
 *
 *     import { presburgerMatchers } from '@sconv/presburger/jest';
 *     expect.extend(presburgerMatchers);
 */
import type { PresburgerMatchers } from './matchers/matchers.ts';

export { presburgerMatchers } from './matchers/matchers.ts';
export type { PresburgerMatchers } from './matchers/matchers.ts';
export type { OverOption } from './matchers/maps.ts';
export type { Over } from './matchers/over.ts';
export type { Likeness, RelationLike, SetLike } from './text/like.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- jest declares its matchers in this namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merged with jest's own
    interface Matchers<R> extends PresburgerMatchers<R> {}
  }
}
