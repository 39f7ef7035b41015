/** Measures one convolution on all sides: compares results first, then times. */
import { reason } from '../reason.ts';
import type { FailedSide, Row } from './figures.ts';
import type { FilterUse, Implementation, Prepared } from './implementation.ts';
import type { ReadySide, SideOptions } from './measure-sides.ts';
import { measureSides } from './measure-sides.ts';
import type { NamedShape } from './shape-sets.ts';
import { dataOf, flopPerByte, mismatches, workOf } from './workload.ts';

/**
 * Measures a convolution, or a matrix product. A side that cannot compute it, or whose result differs from that of the
 * first that can, goes to `failed`. Undefined if the signal came before all samples were taken.
 */
export const measureConvolution = async (
  { name, shape, isProduct = false }: NamedShape,
  filters: FilterUse,
  implementations: readonly Implementation[],
  options: SideOptions,
): Promise<Row | undefined> => {
  const work = workOf(shape);
  const data = dataOf(shape);
  const ready: (ReadySide & { readonly prepared: Prepared })[] = [];
  const failed: FailedSide[] = [];
  let expected: Float32Array | undefined;
  try {
    for (const { name: side, mix, prepare, prepareProduct } of implementations) {
      const preparing = isProduct ? prepareProduct : prepare;
      if (preparing === undefined) continue;
      if (options.signal?.aborted === true) return undefined;
      let prepared: Prepared | undefined;
      try {
        prepared = await preparing(shape, filters, data);
        const result = await prepared.result();
        expected ??= result;
        const wrong = mismatches(expected, result);
        if (wrong > 0)
          throw new Error(`${wrong} of ${result.length} elements are not those of ${ready[0]?.name ?? side}`);
        ready.push({ name: side, mix, prepared });
      } catch (problem) {
        failed.push({ name: side, reason: reason(problem) });
        await prepared?.dispose();
      }
    }
    const [reference] = implementations;
    const sides = await measureSides(ready, reference?.name ?? '', work, options);
    return sides === undefined
      ? undefined
      : {
          name,
          shape: isProduct ? null : shape,
          threads: 1,
          flop: work.flop,
          flopPerByte: flopPerByte(work),
          sides,
          failed,
        };
  } finally {
    for (const { prepared } of ready) await prepared.dispose();
  }
};
