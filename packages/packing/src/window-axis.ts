/** The windows of a plane along one of its dimensions. */
import type { AffineExpr } from '@sconv/affine';
import { linearForm } from '@sconv/affine';

/** Windows, and taps of each, that are so many elements apart. */
export interface WindowAxis {
  /** The loops over windows and over taps. */
  readonly window: number;
  readonly tap: number;
  readonly windows: number;
  readonly taps: number;
  readonly stride: number;
  readonly dilation: number;
}

/** The axis of windows that an index counts along, given the loops that are reductions; undefined if it is none. */
export const windowAxis = (
  expr: AffineExpr,
  window: number,
  reduced: readonly number[],
  loopRanges: readonly number[],
): WindowAxis | undefined => {
  const form = linearForm(expr);
  if (form?.constant !== 0 || form.symbols.some((factor) => factor !== 0)) return undefined;
  const used = form.dims.flatMap((factor, i) => (factor === 0 ? [] : [i]));
  const tap = used.find((loop) => reduced.includes(loop));
  const [stride, dilation] = [form.dims[window] ?? 0, tap === undefined ? 0 : form.dims[tap]!];
  if (tap === undefined || used.length !== 2 || stride < 1 || dilation < 1) return undefined;
  return { window, tap, windows: loopRanges[window]!, taps: loopRanges[tap]!, stride, dilation };
};

/** The elements of an axis, dealt out: one to each phase in turn. */
export interface Phases {
  /** The phases that taps read. */
  readonly used: readonly number[];
  readonly count: number;
  /** Elements of a phase that are read. */
  readonly size: number;
}

/** As many phases as the stride: the windows of a tap are next to each other in one. */
export const phasesOf = ({ stride, dilation, taps, windows }: WindowAxis): Phases => {
  const used = [...new Set(Array.from({ length: taps }, (_, tap) => (tap * dilation) % stride))];
  const size = windows + Math.floor(((taps - 1) * dilation) / stride);
  return { used, count: Math.max(...used) + 1, size };
};

/** Where in its phase a tap reads: so many elements behind the window. */
export const tapIn = (
  { stride, dilation }: WindowAxis,
  tap: AffineExpr,
): { readonly phase: AffineExpr; readonly behind: AffineExpr } => ({
  phase: tap.mul(dilation).mod(stride),
  behind: tap.mul(dilation).floorDiv(stride),
});

/** Elements of a phase that lie within a source of `extent` elements behind `low` others. */
export const insideSource = (
  { stride }: WindowAxis,
  phase: number,
  size: number,
  low: number,
  extent: number,
): { readonly to: number; readonly from: number; readonly count: number } => {
  const to = Math.max(0, Math.ceil((low - phase) / stride));
  const last = Math.min(size - 1, Math.floor((low - phase + extent - 1) / stride));
  return { to, from: stride * to + phase - low, count: Math.max(0, last - to + 1) };
};
