/**
 * Payloads as data: a function of a few structured ops. Shapes are not stored but derived from extents and maps, so
 * that a payload stays valid when an op is dropped or an extent is reduced.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { range } from '@sconv/affine';
import type { BodySpec } from './body-spec.ts';

/** Element types that payloads are made of. */
export type Element = 'f32' | 'f64' | 'i32' | 'i64' | 'i1' | 'index';

/** The source of an operand. Sources of another type are replaced by an argument of the function. */
export type Source =
  | { readonly kind: 'argument' }
  /** An argument of static shape, cast to the dynamic type. */
  | { readonly kind: 'cast' }
  /** A result of an earlier op. */
  | { readonly kind: 'result'; readonly op: number; readonly result: number }
  /** The same value as another operand, of this op or an earlier one. */
  | { readonly kind: 'operand'; readonly op: number; readonly operand: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'fill'; readonly value: number }
  | { readonly kind: 'constant'; readonly value: number };

/** An operand of a structured op. */
export interface OperandSpec {
  /** From iterations to indices. */
  readonly map: AffineMap;
  readonly element: Element;
  /** A number instead of a tensor; its map has no results. */
  readonly scalar?: boolean;
  /** Per dimension, the excess over the required size; only if the map is not a plain dimension. */
  readonly slack: readonly number[];
  /** Per dimension, whether the type hides the size. */
  readonly dynamic: readonly boolean[];
  readonly source: Source;
}

/** The form of an op; all have extents and operands. */
export type Form =
  | { readonly kind: 'generic'; readonly body: BodySpec }
  /** A named op, with the attributes before its operands. */
  | { readonly kind: 'named'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'map'; readonly body: BodySpec }
  | { readonly kind: 'reduce'; readonly body: BodySpec; readonly dimensions: readonly number[] }
  | { readonly kind: 'transpose'; readonly permutation: readonly number[] }
  | { readonly kind: 'broadcast'; readonly dimensions: readonly number[] };

export interface OpSpec {
  readonly form: Form;
  /** Of the iteration dimensions. */
  readonly extents: readonly number[];
  readonly iterators: readonly ('parallel' | 'reduction')[];
  readonly inputs: readonly OperandSpec[];
  readonly outputs: readonly OperandSpec[];
  /** For each result, an upper bound on its elements' magnitude. */
  readonly magnitudes: readonly number[];
}

/** A function; it returns these, and each result that no op uses. */
export interface PayloadSpec {
  readonly ops: readonly OpSpec[];
  readonly returned: readonly { readonly op: number; readonly result: number }[];
  /** Whether results of dynamic size are returned without a cast to their static types. */
  readonly returnsDynamic?: boolean;
}

/** The half-open range of an expression over iterations; empty at 0 without iterations. */
export const rangeOver = (
  expr: AffineExpr,
  extents: readonly number[],
): { readonly lo: number; readonly hi: number } =>
  range(expr, { dims: extents.map((extent): readonly [number, number] => [0, Math.max(1, extent)]) });

/** The shape of an operand. */
export const shapeOf = (
  { map, slack }: Pick<OperandSpec, 'map' | 'slack'>,
  extents: readonly number[],
): readonly number[] =>
  map.results.map((result, i) =>
    result.kind === 'dim' ? extents[result.position]! : rangeOver(result, extents).hi + (slack[i] ?? 0),
  );

/** The type of an operand as text. */
export const typeText = (operand: OperandSpec, extents: readonly number[]): string => {
  if (operand.scalar === true) return operand.element;
  const sizes = shapeOf(operand, extents).map((size, i) =>
    operand.dynamic[i] === true ? '?' : String(size),
  );
  return `tensor<${[...sizes, operand.element].join('x')}>`;
};

/** All operands of an op, inputs first. */
export const operandsOf = ({ inputs, outputs }: OpSpec): readonly OperandSpec[] => [...inputs, ...outputs];
