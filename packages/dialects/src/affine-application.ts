/**
 * Affine maps and sets applied to SSA values, composed with the `affine.apply` ops that define them, in upstream's
 * normal form: operands deduplicated, dimensions promoted to symbols where valid, constants folded
 * (`composeAffineMapAndOperands`, `canonicalizeMapAndOperands`).
 */
import type { AffineExpr, AffineMap, IntegerSet } from '@sconv/affine';
import {
  constant,
  dim,
  equals,
  ifAffine,
  makeMap,
  simplify,
  sizeOf,
  substitute,
  symbol,
  usedDims,
  usedSymbols,
} from '@sconv/affine';
import type { Rewriter, Value } from '@sconv/ir';
import { followDefinitions, hasTrait, indexType } from '@sconv/ir';
import { apply } from './affine.ts';
import { composedResult, constantIndexOf, mostComposedNodes } from './composed-apply.ts';
import type { MixedIndex } from './mixed-indices.ts';

/** A map or set with its operands, dimensions first, then symbols. */
export interface Application<S extends AffineMap | IntegerSet = AffineMap> {
  readonly subject: S;
  readonly operands: readonly Value[];
}

/** Whether a value is a valid symbol: upstream's `isValidSymbol`. */
export const isSymbol = (rewriter: Rewriter, value: Value): boolean =>
  followDefinitions<boolean>(
    (at, of) => isSymbolIf(rewriter, at, of),
    () => false,
  )(value);

/** The same, if the operands of an `affine.apply` are symbols. */
const isSymbolIf = (rewriter: Rewriter, value: Value, of: (operand: Value) => boolean): boolean => {
  if (value.type.kind !== 'index') return false;
  const definition = rewriter.definingOperation(value);
  const holder = definition === undefined ? rewriter.owningBlock(value)?.region.operation : definition.parent;
  if (holder !== undefined && hasTrait(rewriter.registry, holder, 'affine-scope')) return true;
  if (definition === undefined) return false;
  if (constantIndexOf(rewriter, value) !== undefined) return true;
  if (apply.is(definition)) return definition.operands.every(of);
  if (definition.name !== 'memref.dim' && definition.name !== 'tensor.dim') return false;
  const source = definition.operands[0]!;
  const made = rewriter.definingOperation(source);
  const around = made === undefined ? rewriter.owningBlock(source)?.region.operation : made.parent;
  return around !== undefined && hasTrait(rewriter.registry, around, 'affine-scope');
};

/** Collects dimension and symbol operands while expressions are composed. */
class Inputs {
  readonly dims: Value[] = [];
  readonly symbols: Value[] = [];

  dim(value: Value): AffineExpr {
    return dim(position(this.dims, value));
  }

  symbol(value: Value): AffineExpr {
    return symbol(position(this.symbols, value));
  }
}

/** The dimension and symbol operands. */
type InputLists = Pick<Inputs, 'dims' | 'symbols'>;

const position = (values: Value[], value: Value): number => {
  const known = values.findIndex(({ id }) => id === value.id);
  return known >= 0 ? known : values.push(value) - 1;
};

/** A value as an expression over the symbols of `inputs`, expanded through the `affine.apply` ops that define it. */
const expanded = (rewriter: Rewriter, inputs: Inputs): ((value: Value) => AffineExpr) =>
  followDefinitions<AffineExpr>(
    (value, of) => {
      const source = rewriter.definingOperation(value);
      if (source === undefined || !apply.is(source)) return inputs.symbol(value);
      return composedResult(apply.attributes(source).map, source.operands.map(of)) ?? inputs.symbol(value);
    },
    (value) => inputs.symbol(value),
  );

const substituted = <S extends AffineMap | IntegerSet>(
  subject: S,
  dims: readonly AffineExpr[],
  symbols: readonly AffineExpr[],
  inputs: InputLists,
): S => {
  const counts = { dims, symbols, numDims: inputs.dims.length, numSymbols: inputs.symbols.length };
  // A map gives a map, a set a set.
  return (subject.kind === 'map' ? substitute(subject, counts) : substitute(subject, counts)) as S;
};

const simplified = <S extends AffineMap | IntegerSet>(subject: S): S =>
  (subject.kind === 'map' ? simplify(subject) : simplify(subject)) as S;

/**
 * The application in normal form; undefined where numbers get too large. Upstream's builders drop unused operands
 * before they simplify, so an operand that only simplification makes unused stays: `keepsSimplified`.
 */
export const normalApplication = <S extends AffineMap | IntegerSet>(
  rewriter: Rewriter,
  subject: S,
  operands: readonly Value[],
  keepsSimplified = false,
): Application<S> | undefined =>
  ifAffine(() => {
    const { subject: composed, ...inputs } = throughApplications(rewriter, subject, operands);
    return promoted(rewriter, simplified(composed), inputs, keepsSimplified);
  });

/**
 * `subject` in normal form, without composing the producers of its operands: upstream's `canonicalizeMapAndOperands`.
 */
export const canonicalApplication = <S extends AffineMap | IntegerSet>(
  rewriter: Rewriter,
  subject: S,
  operands: readonly Value[],
): Application<S> =>
  promoted(rewriter, subject, {
    dims: operands.slice(0, subject.numDims),
    symbols: operands.slice(subject.numDims),
  });

/**
 * `subject` composed with the `affine.apply` ops that define its operands, to a fixed point. As upstream, the
 * operands of a composed op are appended, so that positions stay valid; the replaced operand becomes unused. An operand
 * whose expression would make the result large stays.
 */
const throughApplications = <S extends AffineMap | IntegerSet>(
  rewriter: Rewriter,
  subject: S,
  operands: readonly Value[],
) => {
  let dims = operands.slice(0, subject.numDims);
  let symbols = operands.slice(subject.numDims);
  const done = { dims: new Set<number>(), symbols: new Set<number>() };
  const mostNodes = Math.max(mostComposedNodes, nodesOf(subject));
  const applicationAt = (values: readonly Value[], seen: ReadonlySet<number>) => {
    for (const [at, value] of values.entries()) {
      const source = seen.has(at) ? undefined : rewriter.definingOperation(value);
      if (source !== undefined && apply.is(source)) return { at, source };
    }
    return undefined;
  };
  let composed = subject;
  for (;;) {
    const inDims = applicationAt(dims, done.dims);
    const found = inDims ?? applicationAt(symbols, done.symbols);
    if (found === undefined) return { subject: composed, dims, symbols };
    const { map } = apply.attributes(found.source);
    const inner = promoted(rewriter, map, {
      dims: found.source.operands.slice(0, map.numDims),
      symbols: found.source.operands.slice(map.numDims),
    });
    const { numDims } = inner.subject;
    const value = substitute(inner.subject.results[0]!, {
      dims: Array.from({ length: numDims }, (_, i) => dim(dims.length + i)),
      symbols: Array.from({ length: inner.subject.numSymbols }, (_, i) => symbol(symbols.length + i)),
    });
    const isReplaced = (isDim: boolean, i: number): boolean =>
      isDim === (inDims !== undefined) && i === found.at;
    const dimValues = dims.map((_, i) => (isReplaced(true, i) ? value : dim(i)));
    const symbolValues = symbols.map((_, i) => (isReplaced(false, i) ? value : symbol(i)));
    (inDims === undefined ? done.symbols : done.dims).add(found.at);
    const more = {
      dims: [...dims, ...inner.operands.slice(0, numDims)],
      symbols: [...symbols, ...inner.operands.slice(numDims)],
    };
    const next = substituted(composed, dimValues, symbolValues, more);
    if (nodesOf(next) > mostNodes) continue;
    composed = next;
    ({ dims, symbols } = more);
  }
};

/** Folds constants, promotes dimensions to symbols (appended to the others) where valid, and drops unused operands. */
const promoted = <S extends AffineMap | IntegerSet>(
  rewriter: Rewriter,
  subject: S,
  given: InputLists,
  keepsSimplified = false,
): Application<S> => {
  const used = usedOf(subject);
  const inputs = new Inputs();
  const asNumber = (value: Value): AffineExpr | undefined => {
    const known = constantIndexOf(rewriter, value);
    return known === undefined ? undefined : constant(known);
  };
  const symbols = given.symbols.map((value, i) =>
    used.symbols.has(i) ? (asNumber(value) ?? inputs.symbol(value)) : constant(0),
  );
  const dims = given.dims.map((value, i) => {
    if (!used.dims.has(i)) return constant(0);
    const known = asNumber(value);
    if (known !== undefined) return known;
    return isSymbol(rewriter, value) ? inputs.symbol(value) : inputs.dim(value);
  });
  const result = simplified(substituted(subject, dims, symbols, inputs));
  const rest = usedOf(result);
  if (
    keepsSimplified ||
    (rest.dims.size === inputs.dims.length && rest.symbols.size === inputs.symbols.length)
  )
    return { subject: result, operands: [...inputs.dims, ...inputs.symbols] };
  return promoted(rewriter, result, inputs);
};

const expressionsOf = (subject: AffineMap | IntegerSet): readonly AffineExpr[] =>
  subject.kind === 'map' ? subject.results : subject.constraints.map(({ expr }) => expr);

const nodesOf = (subject: AffineMap | IntegerSet): number =>
  expressionsOf(subject).reduce((sum, expr) => sum + sizeOf(expr), 0);

const usedOf = (subject: AffineMap | IntegerSet) => {
  const expressions = expressionsOf(subject);
  return {
    dims: new Set(expressions.flatMap((expr) => usedDims(expr))),
    symbols: new Set(expressions.flatMap((expr) => usedSymbols(expr))),
  };
};

/** Whether two applications are identical, operand for operand. */
export const sameApplication = <S extends AffineMap | IntegerSet>(
  a: Application<S>,
  b: Application<S>,
): boolean =>
  a.operands.length === b.operands.length &&
  a.operands.every(({ id }, i) => id === b.operands[i]!.id) &&
  equals(a.subject, b.subject);

/** `expr` over these symbol operands: a number, an operand, or a new `affine.apply` at the insertion point. */
export const applyExpression = (
  rewriter: Rewriter,
  expr: AffineExpr,
  operands: readonly MixedIndex[],
): MixedIndex => {
  const inputs = new Inputs();
  const expressionOf = expanded(rewriter, inputs);
  const values = operands.map((operand) => {
    if (typeof operand === 'number') return constant(operand);
    const known = constantIndexOf(rewriter, operand);
    return known === undefined ? expressionOf(operand) : constant(known);
  });
  const result = simplify(substitute(expr, { symbols: values }));
  return applied(rewriter, {
    subject: makeMap(inputs.dims.length, inputs.symbols.length, [result]),
    operands: [...inputs.dims, ...inputs.symbols],
  });
};

/** The single result of an application. */
export const applied = (rewriter: Rewriter, { subject, operands }: Application): MixedIndex => {
  const [result] = subject.results;
  if (result === undefined) throw new Error('affine.apply has one result');
  if (result.kind === 'constant') return result.value;
  if (result.kind === 'dim') return operands[result.position]!;
  if (result.kind === 'symbol') return operands[subject.numDims + result.position]!;
  const used = usedOf(subject);
  const kept = operands.filter((_, i) =>
    i < subject.numDims ? used.dims.has(i) : used.symbols.has(i - subject.numDims),
  );
  const renumbered = (positions: ReadonlySet<number>, count: number, make: (at: number) => AffineExpr) => {
    let next = 0;
    return Array.from({ length: count }, (_, i) => (positions.has(i) ? make(next++) : constant(0)));
  };
  const map = makeMap(used.dims.size, used.symbols.size, [
    substitute(result, {
      dims: renumbered(used.dims, subject.numDims, dim),
      symbols: renumbered(used.symbols, subject.numSymbols, symbol),
    }),
  ]);
  return rewriter.createValue(
    apply.state({ operands: { mapOperands: kept }, attributes: { map }, resultTypes: [indexType] }),
  );
};

/**
 * The single result of `map` applied to these operands, dimensions first, at the insertion point: in normal form,
 * folded to a number or an operand where possible (upstream's `makeComposedFoldedAffineApply`).
 */
export const applyFolded = (
  rewriter: Rewriter,
  map: AffineMap,
  operands: readonly MixedIndex[],
): MixedIndex => {
  const inputs = new Inputs();
  const expressions = operands.map((operand, i) => {
    if (typeof operand === 'number') return constant(operand);
    return i < map.numDims ? inputs.dim(operand) : inputs.symbol(operand);
  });
  const [dims, symbols] = [expressions.slice(0, map.numDims), expressions.slice(map.numDims)];
  const values = [...inputs.dims, ...inputs.symbols];
  const known = substituted(map, dims, symbols, inputs);
  return applied(
    rewriter,
    normalApplication(rewriter, known, values) ?? { subject: known, operands: values },
  );
};
