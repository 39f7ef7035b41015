/** What the indices of a contraction's operands depend on, and so which of them its dimensions belong to. */
import type { LinearForm } from '@sconv/affine';
import { linearForm } from '@sconv/affine';
import type { Contraction } from '@sconv/plans';

/** What an index of an operand depends on: a dimension, or a window and a tap of it. */
export type OperandIndex =
  | { readonly kind: 'dimension'; readonly dimension: number }
  | {
      readonly kind: 'window';
      readonly window: number | undefined;
      readonly tap: number | undefined;
      readonly stride: number;
      readonly dilation: number;
    };

/** A dimension that both factors and the output have, one factor and the output, or both factors. */
export type DimensionRole = 'group' | 'left' | 'right' | 'sum';

/** The position of the output among the operands. */
export const outputAt = 2;

/** A contraction whose indices are sums of multiples of its dimensions. */
export interface LinearContraction extends Contraction {
  /** Of each operand, its indices. */
  readonly forms: readonly (readonly LinearForm[])[];
}

/** The linear form of a contraction; undefined if an index has none, or there are no iterations. */
export const linearContraction = (contraction: Contraction): LinearContraction | undefined => {
  if (contraction.dimensions.some(({ extent }) => extent < 1)) return undefined;
  const forms = contraction.operands.map(({ map }) => map.results.map((result) => linearForm(result)));
  const known = forms.map((each) => each.filter((form) => form !== undefined));
  return known.every(({ length }, i) => length === forms[i]!.length)
    ? { ...contraction, forms: known }
    : undefined;
};

/** Whether an index of an operand depends on a dimension. */
export const dependsOn = ({ forms }: LinearContraction, operand: number, dimension: number): boolean =>
  forms[operand]!.some(({ dims }) => (dims[dimension] ?? 0) !== 0);

/** The indices of a contraction, without its dimensions of one index. */
export interface ContractionIndices {
  readonly extents: readonly number[];
  /** Of each operand; undefined where the index is always 0. */
  readonly indices: readonly (readonly (OperandIndex | undefined)[])[];
  readonly roles: ReadonlyMap<number, DimensionRole>;
}

/**
 * The indices of a contraction of these extents; undefined if one is neither a dimension nor the sum of a window and a
 * tap, both factors have windows, or a dimension is of one operand only.
 */
export const contractionIndices = (
  contraction: LinearContraction,
  extents: readonly number[],
): ContractionIndices | undefined => {
  const { dimensions, forms } = contraction;
  const isTap = (dimension: number): boolean => dimensions[dimension]!.iterator === 'reduction';
  const all = forms.map((each) => each.map((form) => indexOf(form, extents, isTap)));
  if (all.some((each) => each.includes('other'))) return undefined;
  const indices = all as ContractionIndices['indices'];
  const hasWindows = indices.map((each) => each.some((index) => index?.kind === 'window'));
  if (hasWindows[outputAt] === true || (hasWindows[0] === true && hasWindows[1] === true)) return undefined;
  const roles = new Map<number, DimensionRole>();
  for (const [dimension, extent] of extents.entries()) {
    if (extent === 1) continue;
    const times = indices.map(
      (each) => each.flatMap(dimensionsIn).filter((used) => used === dimension).length,
    );
    const role = roleOfUses[times.join()];
    if (role === undefined || (role === 'sum') !== isTap(dimension)) return undefined;
    roles.set(dimension, role);
  }
  return { extents, indices, roles };
};

/** By how often the left factor, the right one and the output are indexed by a dimension. */
const roleOfUses: Readonly<Record<string, DimensionRole>> = {
  '1,1,1': 'group',
  '1,0,1': 'left',
  '0,1,1': 'right',
  '1,1,0': 'sum',
};

/** The dimensions that an index depends on. */
export const dimensionsIn = (index: OperandIndex | undefined): readonly number[] => {
  if (index === undefined) return [];
  if (index.kind === 'dimension') return [index.dimension];
  return [index.window, index.tap].filter((each) => each !== undefined);
};

const indexOf = (
  { dims, symbols, constant }: LinearForm,
  extents: readonly number[],
  isTap: (dimension: number) => boolean,
): OperandIndex | undefined | 'other' => {
  if (constant !== 0 || symbols.some((factor) => factor !== 0)) return 'other';
  const used = dims.flatMap((factor, dimension) =>
    factor === 0 || extents[dimension] === 1 ? [] : [{ dimension, factor }],
  );
  const [only] = used;
  if (only === undefined) return undefined;
  if (used.length === 1 && only.factor === 1) return { kind: 'dimension', dimension: only.dimension };
  const taps = used.filter(({ dimension }) => isTap(dimension));
  const windows = used.filter(({ dimension }) => !isTap(dimension));
  if (taps.length > 1 || windows.length > 1 || used.some(({ factor }) => factor < 0)) return 'other';
  const [[window], [tap]] = [windows, taps];
  return {
    kind: 'window',
    window: window?.dimension,
    tap: tap?.dimension,
    stride: window?.factor ?? 1,
    dilation: tap?.factor ?? 1,
  };
};
