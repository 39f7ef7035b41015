/**
 * Index arithmetic for passes: an affine map over SSA values, composed with the `affine.apply` ops that define them,
 * so that the IR holds one map instead of a chain.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import {
  constant as constantExpr,
  dim,
  ifAffine,
  makeMap,
  sizeOf,
  substitute,
  usedDims,
} from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { followDefinitions, indexType, integerAttribute, integerOf } from '@sconv/ir';
import { apply } from './affine.ts';
import { constant } from './arith.ts';

/** A map with its dimension operands; it has no symbols. */
export interface MapApplication {
  readonly map: AffineMap;
  readonly operands: readonly Value[];
}

/** The value of a constant; undefined for other values. */
export const constantIndexOf = (rewriter: Rewriter, value: Value): number | undefined => {
  const definition = rewriter.definingOperation(value);
  return integerOf(definition?.facts.constant?.value(definition));
};

/**
 * `map` applied to `operands` (dimensions first, then symbols; undefined for an unused dimension), with constants and
 * `affine.apply` producers folded in as far as the result is affine. All operands of the result are dimensions, used,
 * and unique.
 */
export const composeApplication = (
  rewriter: Rewriter,
  map: AffineMap,
  operands: readonly (Value | undefined)[],
): MapApplication => {
  const inputs: Value[] = [];
  const used = usedDims(map);
  const expressionOf = expressionsOver(rewriter, inputs);
  const values = operands.map((value, i) =>
    i >= map.numDims || used.includes(i) ? expressionOf(value!) : undefined,
  );
  // Constructors simplify enough: flattening would dissolve `row * width + column`, which later passes match.
  const results = map.results.map((result) =>
    substitute(result, { dims: values.slice(0, map.numDims), symbols: values.slice(map.numDims) }),
  );
  return withoutUnused(results, inputs);
};

/** A value as an expression over `inputs`, which it may extend. */
const expressionsOver = (rewriter: Rewriter, inputs: Value[]): ((value: Value) => AffineExpr) => {
  const input = (value: Value): AffineExpr => {
    const known = inputs.findIndex(({ id }) => id === value.id);
    return dim(known >= 0 ? known : inputs.push(value) - 1);
  };
  return followDefinitions<AffineExpr>((value, of) => {
    const definition = rewriter.definingOperation(value);
    if (definition === undefined) return input(value);
    if (apply.is(definition))
      return composedResult(apply.attributes(definition).map, definition.operands.map(of)) ?? input(value);
    const fixed = integerOf(definition.facts.constant?.value(definition));
    return fixed === undefined ? input(value) : constantExpr(fixed);
  }, input);
};

/** Compositions with more nodes stay applications of applications: each would repeat all before it. */
export const mostComposedNodes = 128;

/**
 * The result of an `affine.apply` on these expressions. Undefined if it is large, or not affine: a symbol may be
 * replaced by an expression with dimensions, so a symbol times a dimension need not stay affine; or numbers may
 * exceed 2^53.
 */
export const composedResult = (map: AffineMap, values: readonly AffineExpr[]): AffineExpr | undefined => {
  const [given] = map.results;
  const result = ifAffine(() =>
    substitute(given!, { dims: values.slice(0, map.numDims), symbols: values.slice(map.numDims) }),
  );
  const mostNodes = Math.max(mostComposedNodes, sizeOf(given!));
  return result !== undefined && sizeOf(result) <= mostNodes ? result : undefined;
};

const withoutUnused = (results: readonly AffineExpr[], inputs: readonly Value[]): MapApplication => {
  const map = makeMap(inputs.length, 0, results);
  const used = usedDims(map);
  if (used.length === inputs.length) return { map, operands: inputs };
  const dims = inputs.map((_, position) => dim(Math.max(0, used.indexOf(position))));
  return {
    map: substitute(map, { dims, numDims: used.length }),
    operands: used.map((position) => inputs[position]!),
  };
};

/** `composeApplication` for a value: an expression over what it is computed from. */
export const composeValue = (rewriter: Rewriter, value: Value): MapApplication => {
  const inputs: Value[] = [];
  return withoutUnused([expressionsOver(rewriter, inputs)(value)], inputs);
};

/** Creates an `index` constant at the insertion point. */
export const createIndex = (rewriter: Rewriter, value: number): Value =>
  rewriter.createValue(
    constant.state({ attributes: { value: integerAttribute(value, indexType) }, resultTypes: [indexType] }),
  );

/**
 * The single result of a map applied to values: an operand or a constant if the map reduces to one, else a new
 * `affine.apply` at the insertion point.
 */
export const applyComposed = (
  rewriter: Rewriter,
  map: AffineMap,
  operands: readonly (Value | undefined)[],
): Value => createApplication(rewriter, composeApplication(rewriter, map, operands));

/** `applyComposed` for a map that is already composed. */
export const createApplication = (rewriter: Rewriter, application: MapApplication): Value => {
  const { map, operands } = application;
  const [result] = map.results;
  if (result === undefined || map.results.length !== 1) throw new Error('affine.apply has one result');
  if (result.kind === 'dim') return operands[result.position]!;
  if (result.kind === 'constant') return createIndex(rewriter, result.value);
  return rewriter.createValue(
    apply.state({ operands: { mapOperands: operands }, attributes: { map }, resultTypes: [indexType] }),
  );
};
