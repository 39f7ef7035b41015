/** The microkernel on packed tiles: its maps, and the body of a contraction (ST §5.4; Listing 8, line 43). */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, equals, makeMap } from '@sconv/affine';
import type { Block, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';

const overFour = (...results: readonly AffineExpr[]): AffineMap => makeMap(4, 0, results);
const [image, filter, window, k] = [dim(0), dim(1), dim(2), dim(3)];

/**
 * The widths of a microkernel's panels, where its windows or filters are in several: these have the number of the panel as a
 * dimension before k, and the place in it as the last. Libraries of kernels fix such widths (`Microkernel.panels` of
 * `@sconv/targets`).
 */
export interface PanelWidths {
  readonly windows?: number | undefined;
  readonly filters?: number | undefined;
}

const windowsMap = (width: number | undefined): AffineMap =>
  width === undefined
    ? overFour(image, k, window)
    : overFour(image, window.floorDiv(width), k, window.mod(width));

const filtersMap = (width: number | undefined): AffineMap =>
  width === undefined ? overFour(k, filter) : overFour(filter.floorDiv(width), k, filter.mod(width));

/** Maps of a microkernel's windows, filters and output in panels, over image, filter, window and k. */
export const panelledMaps = ({ windows, filters }: PanelWidths): readonly AffineMap[] => [
  windowsMap(windows),
  filtersMap(filters),
  overFour(image, filter, window),
];

/** Maps of a microkernel's windows, filters and output, each in one panel, over image, filter, window and k. */
export const microkernelMaps: readonly AffineMap[] = panelledMaps({});

const sameMaps = (maps: readonly AffineMap[], wanted: readonly AffineMap[]): boolean =>
  maps.length === wanted.length && maps.every((map, i) => equals(map, wanted[i]!));

/** Whether indexing maps are those of a microkernel whose operands are one panel each. */
export const areMicrokernelMaps = (maps: readonly AffineMap[]): boolean => sameMaps(maps, microkernelMaps);

/** The width of the panels of an operand with this map, whose last dimension is the place in one; undefined for one panel. */
export const panelWidthOf = (map: AffineMap | undefined): number | undefined => {
  const last = map?.results.at(-1);
  // A remainder of 1 is 0.
  if (last?.kind === 'constant') return last.value === 0 ? 1 : undefined;
  return last?.kind === 'mod' && last.rhs.kind === 'constant' && last.rhs.value > 0
    ? last.rhs.value
    : undefined;
};

/** The widths of a microkernel's panels, from its indexing maps; undefined where they are those of no microkernel. */
export const panelWidths = (maps: readonly AffineMap[]): PanelWidths | undefined => {
  const widths = { windows: panelWidthOf(maps[0]), filters: panelWidthOf(maps[1]) };
  return sameMaps(maps, panelledMaps(widths)) ? widths : undefined;
};

/** Multiplication and the addition that goes with it. */
const pairs: readonly (readonly [string, string])[] = [
  ['arith.mulf', 'arith.addf'],
  ['arith.muli', 'arith.addi'],
];

/** Whether a body is `yield a * b + out`, and nothing else, in either order of each operand pair. */
export const isMultiplyAdd = (body: Block): boolean => {
  const [multiply, accumulate, , ...more] = body.operations;
  const [a, b, out, ...others] = body.arguments;
  if (multiply === undefined || accumulate === undefined || a === undefined || out === undefined)
    return false;
  if (more.length > 0 || others.length > 0) return false;
  if (!pairs.some(([times, plus]) => times === multiply.name && plus === accumulate.name)) return false;
  const both = (operands: readonly Value[], first: Value | undefined, second: Value | undefined): boolean =>
    operands.length === 2 &&
    [first, second].every((value) => operands.some((operand) => operand.id === value?.id));
  const yielded = terminatorOf(body).operands;
  return (
    both(multiply.operands, a, b) &&
    both(accumulate.operands, multiply.results[0], out) &&
    yielded.length === 1 &&
    yielded[0]?.id === accumulate.results[0]?.id
  );
};
