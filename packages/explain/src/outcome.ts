/** How steps and groups ended, in the words of all ways of showing them. */
import type { NodeDocument } from './trace-document.ts';

/** How a node ended, in words; empty where there is nothing to say. */
export const outcome = ({ status, undone }: NodeDocument): string =>
  [
    ...(status === 'silenceable' ? ['did not apply'] : status === 'definite' ? ['failed'] : []),
    ...(undone === true ? ['taken back'] : []),
  ].join(', ');
