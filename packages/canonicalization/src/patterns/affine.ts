/** The affine dialect: normalizes maps and sets, simplifies decided loops and conditions. */
import type { AffineExpr, AffineMap, LinearForm } from '@sconv/affine';
import {
  constantMap,
  equals,
  evaluate,
  ifAffine,
  linearForm,
  makeMap,
  shiftDims,
  shiftSymbols,
} from '@sconv/affine';
import { applied, indexValue, normalApplication, sameApplication } from '@sconv/dialects';
import {
  apply,
  forOp,
  ifOp,
  load,
  max,
  min,
  prefetch,
  store,
  vectorLoad,
  vectorStore,
} from '@sconv/dialects/affine';
import type { DraftOperation, RewritePattern, Value } from '@sconv/ir';
import {
  affineMapAttribute,
  bodyOf,
  denseArrayAttribute,
  i32,
  integerSetAttribute,
  terminatorOf,
} from '@sconv/ir';
import { blockOf, inlineInPlace } from '../bodies.ts';
import { onOp } from '../match.ts';

/** Ops that apply the attribute `map` to their operands from a position on. */
const applications = [
  [apply, 0],
  [min, 0],
  [max, 0],
  [load, 1],
  [store, 2],
  [prefetch, 1],
  [vectorLoad, 1],
  [vectorStore, 2],
] as const;

const mapOf = (operation: DraftOperation): AffineMap | undefined => {
  const { map } = operation.attributes;
  return map?.kind === 'affine-map' ? map.map : undefined;
};

const normalMaps = applications.map(([definition, first]) =>
  onOp(definition, 'normal-affine-map', (rewriter, operation) => {
    const map = mapOf(operation);
    if (map === undefined) return;
    const before = { subject: map, operands: operation.operands.slice(first) };
    const after = normalApplication(rewriter, map, before.operands);
    if (after === undefined || sameApplication(before, after)) return;
    if (apply.is(operation)) {
      const value = indexValue(rewriter, applied(rewriter, after));
      rewriter.replaceOperation(operation, [value]);
      return;
    }
    rewriter.setOperands(operation, [...operation.operands.slice(0, first), ...after.operands]);
    rewriter.setAttribute(operation, 'map', affineMapAttribute(after.subject));
  }),
);

/** A minimum or maximum of a single value folds; duplicates are dropped. */
const extremes = [min, max].map((definition) =>
  onOp(definition, 'affine-extreme', (rewriter, operation) => {
    const map = mapOf(operation);
    if (map === undefined) return;
    const results = map.results.filter(
      (result, i) => map.results.findIndex((other) => equals(other, result)) === i,
    );
    if (results.length === 1) {
      const single = makeMap(map.numDims, map.numSymbols, results);
      rewriter.replaceOperation(operation, [
        indexValue(rewriter, applied(rewriter, { subject: single, operands: operation.operands })),
      ]);
    } else if (results.length < map.results.length) {
      rewriter.setAttribute(
        operation,
        'map',
        affineMapAttribute(makeMap(map.numDims, map.numSymbols, results)),
      );
    }
  }),
);

/**
 * Sorts results by their coefficients (dimensions, then symbols, then the constant), so that equal sets have equal
 * text. As upstream, sorts nothing if one is not linear.
 */
const sortedExtremes = [min, max].map((definition) =>
  onOp(definition, 'sorted-affine-extreme', (rewriter, operation) => {
    const map = mapOf(operation);
    if (map === undefined) return;
    const keys = map.results.map((result) => coefficientsIn(map, result));
    if (!keys.every((key) => key !== undefined)) return;
    const order = [...keys.keys()].sort((a, b) => compareLists(keys[a]!, keys[b]!));
    if (order.every((position, i) => position === i)) return;
    const results = order.map((position) => map.results[position]!);
    rewriter.setAttribute(
      operation,
      'map',
      affineMapAttribute(makeMap(map.numDims, map.numSymbols, results)),
    );
  }),
);

/** The coefficients and constant of a result; undefined if it is not linear. */
const coefficientsIn = (map: AffineMap, result: AffineExpr): readonly number[] | undefined => {
  const form = formOf(result);
  if (form === undefined) return undefined;
  const padded = (list: readonly number[], length: number) => Array.from({ length }, (_, i) => list[i] ?? 0);
  return [...padded(form.dims, map.numDims), ...padded(form.symbols, map.numSymbols), form.constant];
};

const formOf = (result: AffineExpr): LinearForm | undefined => ifAffine(() => linearForm(result));

const compareLists = (a: readonly number[], b: readonly number[]): number => {
  const first = a.findIndex((each, i) => each !== b[i]);
  return first < 0 ? 0 : a[first]! - b[first]!;
};

/** Merges a result that is itself a minimum (or maximum) into the op. */
const mergedExtremes = [min, max].map((definition) =>
  onOp(definition, 'merged-affine-extremes', (rewriter, operation) => {
    const map = mapOf(operation);
    if (map === undefined) return;
    const sourceOf = (expr: AffineExpr): DraftOperation | undefined => {
      if (expr.kind !== 'symbol' && expr.kind !== 'dim') return undefined;
      const value = operation.operands[expr.kind === 'dim' ? expr.position : map.numDims + expr.position];
      const source = value === undefined ? undefined : rewriter.definingOperation(value);
      return source !== undefined && definition.is(source) ? source : undefined;
    };
    const found = map.results.findIndex((result) => sourceOf(result) !== undefined);
    const source = found < 0 ? undefined : sourceOf(map.results[found]!);
    const inner = source && mapOf(source);
    if (source === undefined || inner === undefined) return;
    const [dims, symbols] = [map.numDims, map.numSymbols];
    const shifted = shiftSymbols(shiftDims(inner, dims), symbols).results;
    const results = [...map.results.filter((_, i) => i !== found), ...shifted];
    const operands = [
      ...operation.operands.slice(0, dims),
      ...source.operands.slice(0, inner.numDims),
      ...operation.operands.slice(dims),
      ...source.operands.slice(inner.numDims),
    ];
    const joined = makeMap(dims + inner.numDims, symbols + inner.numSymbols, results);
    rewriter.setOperands(operation, operands);
    rewriter.setAttribute(operation, 'map', affineMapAttribute(joined));
  }),
);

/** The bounds of a loop. */
interface Bounds {
  readonly lower: { readonly subject: AffineMap; readonly operands: readonly Value[] };
  readonly upper: { readonly subject: AffineMap; readonly operands: readonly Value[] };
}

const boundsOf = (operation: DraftOperation): Bounds => {
  const { lowerBoundOperands, upperBoundOperands } = forOp.operands(operation);
  const { lowerBoundMap, upperBoundMap } = forOp.attributes(operation);
  return {
    lower: { subject: lowerBoundMap, operands: lowerBoundOperands },
    upper: { subject: upperBoundMap, operands: upperBoundOperands },
  };
};

const normalBounds = onOp(forOp, 'normal-affine-bounds', (rewriter, operation) => {
  const { lower, upper } = boundsOf(operation);
  const normal = ({ subject, operands }: Bounds['lower'], pick: (...values: number[]) => number) => {
    const found = normalApplication(rewriter, subject, operands);
    if (found === undefined) return { subject, operands };
    const { results } = found.subject;
    // A single number if all are constant.
    if (results.length > 1 && results.every(({ kind }) => kind === 'constant')) {
      const value = pick(...evaluate(found.subject, [], []));
      return { subject: constantMap(value), operands: [] };
    }
    return found;
  };
  const after = { lower: normal(lower, Math.max), upper: normal(upper, Math.min) };
  if (sameApplication(lower, after.lower) && sameApplication(upper, after.upper)) return;
  const { inits } = forOp.operands(operation);
  rewriter.setOperands(operation, [...after.lower.operands, ...after.upper.operands, ...inits]);
  rewriter.setAttributes(operation, {
    ...operation.attributes,
    lowerBoundMap: affineMapAttribute(after.lower.subject),
    upperBoundMap: affineMapAttribute(after.upper.subject),
    operandSegmentSizes: denseArrayAttribute(
      [after.lower.operands.length, after.upper.operands.length, inits.length],
      i32,
    ),
  });
});

const constantBound = ({ subject }: Bounds['lower']): number | undefined => {
  const [result] = subject.results;
  return subject.results.length === 1 && result?.kind === 'constant' ? result.value : undefined;
};

/** A loop with a trip count of zero, or one that only forwards its iter args. */
const uselessFor = onOp(forOp, 'useless-affine-for', (rewriter, operation) => {
  const { lower, upper } = boundsOf(operation);
  const [from, to] = [constantBound(lower), constantBound(upper)];
  const { inits } = forOp.operands(operation);
  if (from !== undefined && to !== undefined && from >= to) {
    rewriter.replaceOperation(operation, inits);
    return;
  }
  const body = bodyOf(operation);
  const last = terminatorOf(body);
  if (body.first !== last) return;
  if (last.operands.length === 0) {
    rewriter.eraseOperation(operation);
    return;
  }
  const [, ...carried] = body.arguments;
  const isOnce = from !== undefined && to !== undefined;
  const values = last.operands.map((value, i) => {
    if (value.id === carried[i]?.id) return inits[i];
    return isOnce && rewriter.isDefinedOutside(value, operation) ? value : undefined;
  });
  if (values.every((value) => value !== undefined)) rewriter.replaceOperation(operation, values);
});

const normalCondition = onOp(ifOp, 'normal-affine-condition', (rewriter, operation) => {
  const { condition } = operation.attributes;
  if (condition?.kind !== 'integer-set') return;
  const before = { subject: condition.set, operands: operation.operands };
  const after = normalApplication(rewriter, condition.set, operation.operands);
  if (after === undefined || sameApplication(before, after)) return;
  rewriter.setOperands(operation, after.operands);
  rewriter.setAttribute(operation, 'condition', integerSetAttribute(after.subject));
});

const uselessElse = onOp(ifOp, 'empty-affine-else', (rewriter, operation) => {
  const otherwise = blockOf(operation, 1);
  if (operation.results.length > 0 || otherwise === undefined) return;
  if (otherwise.first === otherwise.last) rewriter.eraseBlock(otherwise);
});

/** A condition that is always true or always false. */
const knownCondition = onOp(ifOp, 'affine-if-of-constant', (rewriter, operation) => {
  const { condition } = operation.attributes;
  if (condition?.kind !== 'integer-set') return;
  const holds = condition.set.constraints.map(({ expr, kind }) =>
    expr.kind !== 'constant' ? undefined : kind === 'eq' ? expr.value === 0 : expr.value >= 0,
  );
  const isFalse = holds.includes(false);
  if (!isFalse && !holds.every((each) => each === true)) return;
  const block = blockOf(operation, isFalse ? 1 : 0);
  if (block === undefined) rewriter.eraseOperation(operation);
  else inlineInPlace(rewriter, operation, block, []);
});

/** The patterns for the ops that `affine-simplify-structures` handles. */
export const affineStructurePatterns: readonly RewritePattern[] = [
  ...normalMaps.filter(({ root }) => root === apply.name),
  normalBounds,
  uselessFor,
  normalCondition,
  uselessElse,
  knownCondition,
];

export const affinePatterns: readonly RewritePattern[] = [
  ...normalMaps,
  ...extremes,
  ...mergedExtremes,
  ...sortedExtremes,
  normalBounds,
  uselessFor,
  normalCondition,
  uselessElse,
  knownCondition,
];
