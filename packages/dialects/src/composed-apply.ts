/**
 * Index arithmetic for passes: an affine map over SSA values, composed with the `affine.apply` ops that define them,
 * so that the IR holds one map instead of a chain.
 */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { constant as constantExpr, dim, isAffineError, makeMap, substitute, usedDims } from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { constantValueOf, indexType, integerAttribute, integerOf } from '@sconv/ir';
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
  return definition === undefined ? undefined : integerOf(constantValueOf(rewriter.registry, definition));
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
  const expressionOf = (value: Value): AffineExpr => {
    const fixed = constantIndexOf(rewriter, value);
    if (fixed !== undefined) return constantExpr(fixed);
    const definition = rewriter.definingOperation(value);
    const folded =
      definition !== undefined && apply.is(definition)
        ? foldedInto(apply.attributes(definition).map, definition.operands.map(expressionOf))
        : undefined;
    if (folded !== undefined) return folded;
    const known = inputs.findIndex((input) => input.id === value.id);
    return dim(known >= 0 ? known : inputs.push(value) - 1);
  };
  const used = new Set(usedDims(map));
  const values = operands.map((value, i) =>
    i >= map.numDims || used.has(i) ? expressionOf(value!) : undefined,
  );
  // Constructors simplify enough: flattening would dissolve `row * width + column`, which later passes match.
  const results = map.results.map((result) =>
    substitute(result, { dims: values.slice(0, map.numDims), symbols: values.slice(map.numDims) }),
  );
  return withoutUnused(results, inputs);
};

/**
 * The result of an `affine.apply` on these expressions. Undefined if it is not affine: a symbol may be replaced by an
 * expression with dimensions, so a symbol times a dimension need not stay affine; or numbers may exceed 2^53.
 */
const foldedInto = (map: AffineMap, values: readonly AffineExpr[]): AffineExpr | undefined => {
  try {
    return substitute(map.results[0]!, {
      dims: values.slice(0, map.numDims),
      symbols: values.slice(map.numDims),
    });
  } catch (problem) {
    if (!isAffineError(problem)) throw problem;
    return undefined;
  }
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
export const composeValue = (rewriter: Rewriter, value: Value): MapApplication =>
  composeApplication(rewriter, identity, [value]);

const identity = makeMap(1, 0, [dim(0)]);

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
