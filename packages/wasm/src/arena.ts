/** The scratch memory of a function during its lowering: buffers where they are planned, and frames behind them. */
import { alignedBytes } from '@sconv/backend';
import type { Id } from '@sconv/ir';
import type { FunctionPlaces } from './function-places.ts';
import type { Arena } from './lowering.ts';

export { alignedBytes as aligned } from '@sconv/backend';

/** An arena whose places begin at offset `start`; `peak` is the end of the places and of the frames so far. */
export const createArena = (start: number, places: FunctionPlaces): Arena & { peak(): number } => {
  let top = start + places.use.arenaBytes;
  let peak = top;
  let innermost = new Set<Id>();
  return {
    place: (buffer) => {
      innermost.add(buffer);
      const offset = places.buffers.get(buffer);
      if (offset === undefined) throw new Error('a buffer without a place');
      return start + offset;
    },
    placeOfCall: (call) => start + (places.calls.get(call) ?? 0),
    scope: (body) => {
      const [outerTop, outer] = [top, innermost];
      innermost = new Set();
      body();
      [top, innermost] = [outerTop, outer];
    },
    frame: (bytes) => {
      const at = top;
      top += alignedBytes(bytes);
      peak = Math.max(peak, top);
      return at;
    },
    freesAtEnd: (buffer) => innermost.has(buffer),
    peak: () => peak,
  };
};
