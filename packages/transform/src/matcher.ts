/** The ops that matchers may hold. */
import { opInterface } from '@sconv/ir';

/** Answered by ops that change no payload. */
export const matcher = opInterface<true>('matcher');
