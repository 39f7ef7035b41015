/**
 * The orders of loops between two levels of memory that the movement model keeps (TT §5.2).
 *
 * A band is the loops between the tile that a level of memory holds and the tile that the next one holds. An operand is
 * moved anew in each iteration of the band, but for the loops inside of the innermost one that it depends on: over
 * these it stays where it is. So
 *
 * 1. only the innermost loops matter, up to the first that the operand depends on: the order of the others is free;
 * 2. a loop that one operand stays over moves the other two, for a dimension of a contraction is one of two operands:
 *    so one operand at most stays, and its volume is least if all loops that it does not depend on are innermost;
 * 3. among these, the innermost one decides whether neighbouring tiles of another operand overlap, as windows do along
 *    rows or columns: one that makes them overlap moves no more than one that does not.
 *
 * That leaves the choice of the innermost dimension: of a convolution `k`; `h` or `w`; `r` or `s`. Of a matrix product
 * `i`, `j`, `k`. Loops of a single iteration are left out, so an order stands for all its parts.
 *
 * @deviation TT prunes likewise and keeps 6 of the 7! orders a level; which, it does not say. `c` innermost falls under
 * 3 here, unless there is no loop over `r` or `s` in the band.
 */
import { evaluate } from '@sconv/affine';
import type { Contraction, ContractionOperand } from '@sconv/plans';
import { expectList, expectRecord } from './errors.ts';

/** A dimension, as the loops over it see it. */
export interface NestDimension {
  readonly name: string;
  readonly extent: number;
  readonly isReduction: boolean;
  /** Whether the input, the filters and the output depend on it. */
  readonly uses: readonly [boolean, boolean, boolean];
}

/** The dimensions of more than one point, outermost first where their order is free: as in TT `s`, `r`, `c`, …, `k`. */
export const nestDimensions = (contraction: Contraction): readonly NestDimension[] => {
  expectRecord('contraction', contraction);
  expectList('contraction.dimensions', contraction.dimensions);
  expectList('contraction.operands', contraction.operands);
  const { dimensions, operands } = contraction;
  const [input, filters, output] = operands;
  return dimensions
    .map(({ name, extent, iterator }, at) => {
      const isUsedBy = (operand: ContractionOperand) =>
        indicesAlong(operand, at, dimensions.length).length > 0;
      const uses = [isUsedBy(input), isUsedBy(filters), isUsedBy(output)] as const;
      return { name, extent, isReduction: iterator === 'reduction', uses };
    })
    .filter(({ extent }) => extent > 1)
    .reverse();
};

/** The indices of an operand that change along a dimension. */
const indicesAlong = ({ map }: ContractionOperand, at: number, rank: number): readonly number[] => {
  const origin = evaluate(map, Array<number>(rank).fill(0));
  const next = evaluate(
    map,
    Array.from({ length: rank }, (_, i) => (i === at ? 1 : 0)),
  );
  return next.flatMap((value, i) => (value === origin[i] ? [] : [i]));
};

/** The dimensions that share an index of an operand with another one, as rows do with the rows of the filters. */
const overlapping = ({ dimensions, operands }: Contraction): ReadonlySet<string> => {
  const shared = new Set<string>();
  for (const operand of operands) {
    const along = dimensions.map(({ extent }, at) =>
      extent === 1 ? [] : indicesAlong(operand, at, dimensions.length),
    );
    dimensions.forEach(({ name }, at) => {
      const isShared = along.some(
        (other, i) => i !== at && other.some((index) => along[at]!.includes(index)),
      );
      if (isShared) shared.add(name);
    });
  }
  return shared;
};

/**
 * The orders of a band, outermost first, each of all dimensions that are not the same in all operands. Those that are,
 * such as groups, are outside of all bands: nothing is reused over them.
 */
export const loopOrders = (contraction: Contraction): readonly (readonly string[])[] => {
  const dimensions = nestDimensions(contraction).filter(({ uses }) => !uses.every(Boolean));
  const shared = overlapping(contraction);
  const names = dimensions.map(({ name }) => name);
  const orders = [0, 1, 2].flatMap((operand) => {
    const free = dimensions.filter(({ uses }) => !uses[operand]!).map(({ name }) => name);
    const moving = free.filter((name) => shared.has(name));
    return (moving.length > 0 ? moving : free.slice(-1)).map((innermost) => [
      ...names.filter((name) => !free.includes(name)),
      ...free.filter((name) => name !== innermost),
      innermost,
    ]);
  });
  // Where an operand depends on all of them, and so has no order of its own, any other does as well.
  return orders.length > 0 || names.length === 0 ? orders : [names];
};
