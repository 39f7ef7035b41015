/** Static placement of a function's allocations. */
import type { Id } from '@sconv/ir';
import type { Arena } from './lowering.ts';

/** Alignment of allocations, so that vectors do not cross cache lines. */
const alignment = 64;

export const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

/** An arena that starts at offset `start`; `peak` is the end of the largest set of simultaneously live allocations. */
export const createArena = (start: number): Arena & { peak(): number } => {
  let top = aligned(start);
  let peak = top;
  let innermost = new Set<Id>();
  return {
    allocate: (root, bytes) => {
      const at = top;
      top += aligned(bytes);
      peak = Math.max(peak, top);
      if (root !== undefined) innermost.add(root);
      return at;
    },
    scope: (body) => {
      const [outerTop, outerPeak, outer] = [top, peak, innermost];
      innermost = new Set();
      peak = top;
      body();
      const own = peak;
      [top, peak, innermost] = [outerTop, Math.max(outerPeak, own), outer];
      return own;
    },
    reserve: (end) => {
      top = Math.max(top, aligned(end));
      peak = Math.max(peak, top);
    },
    freesAtEnd: (root) => innermost.has(root),
    peak: () => peak,
  };
};
