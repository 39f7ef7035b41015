/** The microkernel on packed tiles: its maps, and its contraction body (ST §5.4; Listing 8, line 43). */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { dim, equals, makeMap } from '@sconv/affine';
import type { Block, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';
import { conversionTo } from './element-conversion.ts';

const overFour = (...results: readonly AffineExpr[]): AffineMap => makeMap(4, 0, results);
const [image, filter, window, k] = [dim(0), dim(1), dim(2), dim(3)];

/**
 * The panel widths of a microkernel whose windows or filters are in several panels: the panel index is a dimension
 * before k, the position within the panel the last one. Kernel libraries fix such widths (`Microkernel.panels` of
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

/** Maps of a microkernel's windows, filters and output with panels, over image, filter, window and k. */
export const panelledMaps = ({ windows, filters }: PanelWidths): readonly AffineMap[] => [
  windowsMap(windows),
  filtersMap(filters),
  overFour(image, filter, window),
];

/** Maps of a microkernel's windows, filters and output without panels, over image, filter, window and k. */
export const microkernelMaps: readonly AffineMap[] = panelledMaps({});

const sameMaps = (maps: readonly AffineMap[], wanted: readonly AffineMap[]): boolean =>
  maps.length === wanted.length && maps.every((map, i) => equals(map, wanted[i]!));

/**
 * The panel width of an operand with this map, whose last dimension is the position in a panel; undefined for one
 * panel.
 */
export const panelWidthOf = (map: AffineMap | undefined): number | undefined => {
  const last = map?.results.at(-1);
  // The remainder modulo 1 is the constant 0.
  if (last?.kind === 'constant') return last.value === 0 ? 1 : undefined;
  return last?.kind === 'mod' && last.rhs.kind === 'constant' && last.rhs.value > 0
    ? last.rhs.value
    : undefined;
};

/** The panel widths of a microkernel, from its indexing maps; undefined if these are not a microkernel's. */
export const panelWidths = (maps: readonly AffineMap[]): PanelWidths | undefined => {
  const widths = { windows: panelWidthOf(maps[0]), filters: panelWidthOf(maps[1]) };
  return sameMaps(maps, panelledMaps(widths)) ? widths : undefined;
};

const overFive = (...results: readonly AffineExpr[]): AffineMap => makeMap(5, 0, results);
const half = dim(4);

/**
 * Maps of a microkernel with paired steps: the halves of a pair are adjacent. Over image, filter, window, k and half.
 */
export const pairedMicrokernelMaps: readonly AffineMap[] = [
  overFive(image, k, window, half),
  overFive(k, filter, half),
  overFive(image, filter, window),
];

/** Whether these are the indexing maps of a microkernel with paired steps. */
export const arePairedMicrokernelMaps = (maps: readonly AffineMap[]): boolean =>
  sameMaps(maps, pairedMicrokernelMaps);

/** Multiplications with the matching addition. */
const pairs: readonly (readonly [string, string])[] = [
  ['arith.mulf', 'arith.addf'],
  ['arith.muli', 'arith.addi'],
];

/** Whether a body is exactly `yield a * b + out`, with the operands of either op in any order. */
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

/**
 * Whether a body is exactly `yield f(a) * g(b) + out`, where `f` and `g` each convert an element to the type of the
 * sum. Arguments between `b` and `out` are zero points that they may use: the body of a convolution.
 */
export const isConvertedMultiplyAdd = (body: Block): boolean => {
  const [a, b, ...rest] = body.arguments;
  const zeroPoints = rest.slice(0, -1);
  const out = rest.at(-1);
  const definitionOf = ({ id }: Value) =>
    body.operations.find(({ results }) => results.some((result) => result.id === id));
  const [yielded, ...more] = terminatorOf(body).operands;
  const accumulate = yielded && definitionOf(yielded);
  const multiply = accumulate?.operands.map(definitionOf).find((each) => each !== undefined);
  if (a === undefined || b === undefined || out === undefined || more.length > 0) return false;
  if (accumulate === undefined || multiply === undefined) return false;
  if (!pairs.some(([times, plus]) => times === multiply.name && plus === accumulate.name)) return false;
  if (!accumulate.operands.some(({ id }) => id === out.id)) return false;
  const isZeroPoint = ({ id }: Value): boolean =>
    zeroPoints.some((each) => each.id === id) || body.arguments.every((argument) => argument.id !== id);
  const factors = multiply.operands.map((factor) => conversionTo(body, factor, isZeroPoint));
  const isOf = (element: Value): boolean => factors.some((factor) => factor.element.id === element.id);
  const known = new Set(factors.flatMap(({ steps }) => steps));
  return isOf(a) && isOf(b) && body.operations.length === known.size + 3;
};

/** Whether a body is `yield a * b + out` in i32, with `a` and `b` sign-extended from i16. */
export const isWideningMultiplyAdd = (body: Block): boolean => {
  const [a, b, out] = body.arguments.map(({ type }) => (type.kind === 'integer' ? type.width : 0));
  const casts = body.operations.filter(({ name }) => name === 'arith.extsi');
  // Two casts, the product, the sum and the terminator.
  const isAll = casts.length === 2 && body.operations.length === 5;
  return a === 16 && b === 16 && out === 32 && isAll && isConvertedMultiplyAdd(body);
};
