/** The interface of ops that matchers may contain. */
import { opInterface } from '@sconv/ir';

/** Implemented by ops that leave the payload unchanged. */
export const matcher = opInterface<true>('matcher');
