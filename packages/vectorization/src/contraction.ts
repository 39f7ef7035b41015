/** A contraction of two vectors with named dimensions, and how its elements are combined. */
import type { AffineMap } from '@sconv/affine';
import { createCombination, elementTypeOf } from '@sconv/dialects';
import { addf, addi, mulf, muli, select } from '@sconv/dialects/arith';
import { combinerName, contract, fma, maskAround } from '@sconv/dialects/vector';
import type { DraftOperation, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder } from '@sconv/ir';
import { transposed } from './transposed.ts';

/** The kind of an iteration dimension. */
export type Iterator = 'parallel' | 'reduction';

/** The operands, maps and mask of a `vector.contract`. */
export interface Contraction {
  readonly lhs: Value<VectorType>;
  readonly rhs: Value<VectorType>;
  readonly acc: Value;
  readonly maps: readonly AffineMap[];
  readonly iterators: readonly Iterator[];
  readonly kind: ReturnType<typeof contract.attributes>['kind'];
  readonly mask: Value<VectorType> | undefined;
}

/** Lowers a contraction before the insertion point; undefined, without creating ops, where it does not apply. */
export type Lower = (rewriter: Rewriter, contraction: Contraction) => Value | undefined;

/** The iteration dimension at result `i` of a map; -1 if there is none. */
export const positionOf = (map: AffineMap | undefined, i: number): number => {
  const result = map?.results[i];
  return result?.kind === 'dim' ? result.position : -1;
};

/** The position of an iteration dimension in a map's results; -1 if absent. */
export const placeOf = (map: AffineMap | undefined, position: number): number =>
  map?.results.findIndex((result) => result.kind === 'dim' && result.position === position) ?? -1;

/** The layout in letters: `k` is reduced, `m` and `n` are the rows and columns of the result. */
export const layoutOf = ({
  maps,
  iterators,
}: Contraction): { readonly layout: string; readonly names: string } => {
  const names = letters[iterators.join(' ')] ?? '';
  const layout = maps.map(({ results }) =>
    results.map((each) => (each.kind === 'dim' ? names[each.position] : '?')).join(''),
  );
  return { layout: layout.join(' '), names };
};

const letters: Readonly<Record<string, string>> = {
  'parallel parallel reduction': 'mnk',
  'parallel reduction': 'mk',
  'reduction parallel': 'km',
};

/** How to compute a layout: which factor comes first, and which are transposed. */
export interface FactorOrder {
  readonly first: 'lhs' | 'rhs';
  readonly turned: readonly ('lhs' | 'rhs')[];
}

/** The factors in the order of a plan. */
export const arranged = (rewriter: Rewriter, { lhs, rhs }: Contraction, plan: FactorOrder) => {
  const factors = { lhs, rhs };
  for (const each of plan.turned) factors[each] = transposed(rewriter, factors[each]);
  return plan.first === 'lhs' ? ([factors.lhs, factors.rhs] as const) : ([factors.rhs, factors.lhs] as const);
};

/** Whether elements can be added and multiplied. */
export const isNumber = (type: Type): boolean =>
  ['integer', 'index', 'float'].includes(elementTypeOf(type).kind);

/** `arith.mulf` or `arith.muli`, by the type of the factors. */
export const multiply = (rewriter: Rewriter, lhs: Value, rhs: Value): Value =>
  elementTypeOf(lhs.type).kind === 'float'
    ? builder(rewriter)(mulf, { lhs, rhs })
    : builder(rewriter)(muli, { lhs, rhs });

/** `arith.addf` or `arith.addi`, by the type of the terms. */
export const add = (rewriter: Rewriter, lhs: Value, rhs: Value): Value =>
  elementTypeOf(lhs.type).kind === 'float'
    ? builder(rewriter)(addf, { lhs, rhs })
    : builder(rewriter)(addi, { lhs, rhs });

/** Whether a combining kind applies to an element type. */
export const hasCombination = (kind: Contraction['kind'], type: Type): boolean =>
  combinerName(kind, elementTypeOf(type)) !== undefined;

/**
 * A product combined with an accumulator, as upstream's `createContractArithOp`; undefined if the kind does not
 * apply.
 */
export const combined = (
  rewriter: Rewriter,
  lhs: Value,
  rhs: Value,
  acc: Value | undefined,
  kind: Contraction['kind'],
  mask?: Value,
): Value | undefined => {
  const isFloat = elementTypeOf(lhs.type).kind === 'float';
  if (!hasCombination(kind, lhs.type)) return undefined;
  if (isFloat && kind === 'add' && acc?.type.kind === 'vector') {
    const b = builder(rewriter);
    const sum: Value = b(fma, { lhs, rhs, acc });
    return mask === undefined ? sum : b(select, { condition: mask, trueValue: sum, falseValue: acc });
  }
  const product = multiply(rewriter, lhs, rhs);
  return acc === undefined ? product : createCombination(rewriter, kind, product, acc, { mask });
};

/** The contraction that an operation computes, with the mask around it. */
export const contractionOf = (operation: DraftOperation): Contraction => {
  const { lhs, rhs, acc } = contract.operands(operation);
  const { indexingMaps: maps, iteratorTypes: iterators, kind } = contract.attributes(operation);
  const mask = maskAround(operation)?.operands[0] as Value<VectorType> | undefined;
  return { lhs, rhs, acc, maps, iterators, kind, mask };
};
