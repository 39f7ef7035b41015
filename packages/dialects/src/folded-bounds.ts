/**
 * The minimum or maximum of several affine functions of values, as upstream's `makeComposedFoldedAffineMin` and
 * `…Max`.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { constant, dim, makeMap, substitute, symbol } from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { indexType } from '@sconv/ir';
import { normalApplication } from './affine-application.ts';
import { max, min } from './affine.ts';
import type { MixedIndex } from './mixed-indices.ts';

/** The minimum of `map` on `operands`, dimensions first, at the insertion point: a number if all are constant. */
export const minFolded = (rewriter: Rewriter, map: AffineMap, operands: readonly MixedIndex[]): MixedIndex =>
  boundFolded(rewriter, min, Math.min, map, operands);

/** The maximum, likewise. */
export const maxFolded = (rewriter: Rewriter, map: AffineMap, operands: readonly MixedIndex[]): MixedIndex =>
  boundFolded(rewriter, max, Math.max, map, operands);

const boundFolded = (
  rewriter: Rewriter,
  bound: typeof min,
  choose: (...values: readonly number[]) => number,
  map: AffineMap,
  operands: readonly MixedIndex[],
): MixedIndex => {
  const known = withNumbers(map, operands);
  // Each result is composed separately; its operands follow those of the results before it.
  const dims: Value[] = [];
  const symbols: Value[] = [];
  const results = known.map.results.map((result) => {
    const alone = makeMap(known.map.numDims, known.map.numSymbols, [result]);
    const { subject, operands: values } = normalApplication(rewriter, alone, known.operands) ?? {
      subject: alone,
      operands: known.operands,
    };
    return substitute(subject.results[0]!, {
      dims: values.slice(0, subject.numDims).map((value) => dim(positionIn(dims, value))),
      symbols: values.slice(subject.numDims).map((value) => symbol(positionIn(symbols, value))),
    });
  });
  const numbers = results.flatMap((result) => (result.kind === 'constant' ? [result.value] : []));
  if (numbers.length === results.length) return choose(...numbers);
  return rewriter.createValue(
    bound.state({
      operands: { mapOperands: [...dims, ...symbols] },
      attributes: { map: makeMap(dims.length, symbols.length, results) },
      resultTypes: [indexType],
    }),
  );
};

const positionIn = (values: Value[], value: Value): number => {
  const known = values.findIndex(({ id }) => id === value.id);
  return known >= 0 ? known : values.push(value) - 1;
};

/** `map` with constant operands substituted, and the remaining operands. */
const withNumbers = (
  map: AffineMap,
  operands: readonly MixedIndex[],
): { readonly map: AffineMap; readonly operands: readonly Value[] } => {
  const dims: Value[] = [];
  const symbols: Value[] = [];
  const expressions = operands.map((operand, i): AffineExpr => {
    if (typeof operand === 'number') return constant(operand);
    return i < map.numDims ? dim(dims.push(operand) - 1) : symbol(symbols.push(operand) - 1);
  });
  return {
    map: substitute(map, {
      dims: expressions.slice(0, map.numDims),
      symbols: expressions.slice(map.numDims),
      numDims: dims.length,
      numSymbols: symbols.length,
    }),
    operands: [...dims, ...symbols],
  };
};
