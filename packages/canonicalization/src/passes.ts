/** The passes of this package, for a registry. */
import { canonicalize } from './passes/canonicalize.ts';
import { cse } from './passes/cse.ts';

export const passes = [canonicalize, cse] as const;
