/** Microkernels by what registers hold, where no family has been measured (TT §5.1). */
import type { KernelClass, KernelFamily } from '@sconv/targets';
import { expectExtent } from './errors.ts';

/** Sums that are computed at once, so that none waits for itself: a few units of a few cycles. */
const fewestSums = 8;

/** More vectors of a microkernel leave room for few heights. */
const mostVectors = 4;

/**
 * The kernels whose sums are in registers, with the vectors of a step and one that is broadcast: of 16 registers 8 to 14
 * rows of one vector, 4 to 6 of two, 3 and 4 of three. Throws a `SpaceError` for impossible numbers.
 */
export const registerFamily = (registers: number, lanes: number): KernelFamily => {
  expectExtent('registers', registers, 1024);
  expectExtent('lanes', lanes);
  const classes = Array.from({ length: mostVectors }, (_, i): KernelClass => {
    const vectors = i + 1;
    const [least, most] = [Math.ceil(fewestSums / vectors), Math.floor((registers - 1) / vectors) - 1];
    return {
      unroll: { channels: 1, tapRows: 1, tapColumns: 1 },
      vectors,
      heights: Array.from(
        { length: Math.min(32, Math.max(0, most - least + 1)) },
        (_height, at) => least + at,
      ),
    };
  });
  return {
    lanes,
    classes: classes.filter(({ heights }) => heights.length > 0),
    source: `${registers} registers; not measured`,
  };
};
