/**
 * The pass `lower-affine`: lowers loops, conditions and accesses of the affine dialect to scf and memref, maps and
 * sets to arithmetic.
 */
import type { AffineExpr, AffineMap, IntegerSet } from '@sconv/affine';
import { affineMap } from '@sconv/affine';
import { silenceableError, success } from '@sconv/diagnostics';
import type { Diagnosed } from '@sconv/diagnostics';
import { createIndex } from '@sconv/dialects';
import * as affine from '@sconv/dialects/affine';
import {
  addi,
  andi,
  cmpi,
  constant,
  divsi,
  maxsi,
  minsi,
  muli,
  remsi,
  select,
  subi,
} from '@sconv/dialects/arith';
import { load, prefetch, store } from '@sconv/dialects/memref';
import { forOp, ifOp, yieldOp } from '@sconv/dialects/scf';
import type { DraftOperation, OperationState, Rewriter, Value } from '@sconv/ir';
import { booleanAttribute, defineOperationPass, i1 } from '@sconv/ir';
import { expandDelinearize } from './affine-expand-index-ops.ts';

export const lowerAffine = defineOperationPass({
  name: 'lower-affine',
  title: 'LowerAffinePass',
  summary: 'lower affine operations to scf, memref and arith',
  runOn: (rewriter, operation) => {
    for (const each of rewriter.walk(operation)) {
      if (affine.delinearizeIndex.is(each))
        rewriter.scoped(() => {
          rewriter.setInsertionPointBefore(each);
          expandDelinearize.rewrite(rewriter, each);
        });
    }
    for (const each of rewriter.walk(operation)) {
      if (!each.name.startsWith('affine.') || each === operation) continue;
      const lowered = rewriter.scoped(() => {
        rewriter.setInsertionPointBefore(each);
        return lowerOperation(rewriter, each);
      });
      if (lowered.status !== 'success') return lowered;
    }
    return success(undefined);
  },
});

const lowerOperation = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<unknown> => {
  const lower = lowerings.find(([definition]) => definition.is(operation))?.[1];
  if (lower === undefined) {
    return silenceableError(
      'lower-affine/unsupported',
      `'${operation.name}' has no form without the affine dialect`,
      operation,
    );
  }
  lower(rewriter, operation);
  return success(undefined);
};

type Lowering = (rewriter: Rewriter, operation: DraftOperation) => void;

// --- Arithmetic --------------------------------------------------------------------------------------------------

type Binary = typeof addi | typeof divsi;

const compute = (rewriter: Rewriter, definition: Binary, lhs: Value, rhs: Value): Value =>
  rewriter.createValue(definition.state<Rewriter>({ operands: { lhs, rhs }, resultTypes: [lhs.type] }));

const compare = (
  rewriter: Rewriter,
  predicate: 'slt' | 'sle' | 'sge' | 'eq',
  lhs: Value,
  rhs: Value,
): Value =>
  rewriter.createValue(
    cmpi.state<Rewriter>({ operands: { lhs, rhs }, attributes: { predicate }, resultTypes: [i1] }),
  );

const choose = (rewriter: Rewriter, condition: Value, trueValue: Value, falseValue: Value): Value =>
  rewriter.createValue(
    select.state<Rewriter>({
      operands: { condition, trueValue, falseValue },
      resultTypes: [trueValue.type],
    }),
  );

/**
 * The value of an expression, with the rounding and signs of affine maps: `mod` is non-negative, `floordiv` rounds
 * down.
 */
const expand = (
  rewriter: Rewriter,
  expr: AffineExpr,
  dims: readonly Value[],
  symbols: readonly Value[],
): Value => {
  switch (expr.kind) {
    case 'constant':
      return createIndex(rewriter, expr.value);
    case 'dim':
      return dims[expr.position]!;
    case 'symbol':
      return symbols[expr.position]!;
    default: {
      const lhs = expand(rewriter, expr.lhs, dims, symbols);
      const rhs = expand(rewriter, expr.rhs, dims, symbols);
      return operator(rewriter, expr.kind, lhs, rhs);
    }
  }
};

const operator = (rewriter: Rewriter, kind: string, lhs: Value, rhs: Value): Value => {
  switch (kind) {
    case 'add':
      return compute(rewriter, addi, lhs, rhs);
    case 'mul':
      return compute(rewriter, muli, lhs, rhs);
    case 'mod': {
      const rest = compute(rewriter, remsi, lhs, rhs);
      const isNegative = compare(rewriter, 'slt', rest, createIndex(rewriter, 0));
      return choose(rewriter, isNegative, compute(rewriter, addi, rest, rhs), rest);
    }
    case 'floordiv': {
      const [zero, one] = [createIndex(rewriter, 0), createIndex(rewriter, -1)];
      const isNegative = compare(rewriter, 'slt', lhs, zero);
      const dividend = choose(rewriter, isNegative, compute(rewriter, subi, one, lhs), lhs);
      const quotient = compute(rewriter, divsi, dividend, rhs);
      return choose(rewriter, isNegative, compute(rewriter, subi, one, quotient), quotient);
    }
    default: {
      const [zero, one] = [createIndex(rewriter, 0), createIndex(rewriter, 1)];
      const isNegative = compare(rewriter, 'sle', lhs, zero);
      const dividend = choose(
        rewriter,
        isNegative,
        compute(rewriter, subi, zero, lhs),
        compute(rewriter, subi, lhs, one),
      );
      const quotient = compute(rewriter, divsi, dividend, rhs);
      return choose(
        rewriter,
        isNegative,
        compute(rewriter, subi, zero, quotient),
        compute(rewriter, addi, quotient, one),
      );
    }
  }
};

/** The results of a map. */
export const expandMap = (
  rewriter: Rewriter,
  map: AffineMap,
  operands: readonly Value[],
): readonly Value[] => {
  const [dims, symbols] = [operands.slice(0, map.numDims), operands.slice(map.numDims)];
  return map.results.map((result) => expand(rewriter, result, dims, symbols));
};

const extreme = (
  rewriter: Rewriter,
  definition: typeof minsi,
  map: AffineMap,
  operands: readonly Value[],
): Value => expandMap(rewriter, map, operands).reduce((a, b) => compute(rewriter, definition, a, b));

/** Whether a point is in a set. */
const expandSet = (rewriter: Rewriter, set: IntegerSet, operands: readonly Value[]): Value => {
  const [dims, symbols] = [operands.slice(0, set.numDims), operands.slice(set.numDims)];
  const zero = createIndex(rewriter, 0);
  const conditions = set.constraints.map(({ expr, kind }) =>
    compare(rewriter, kind === 'eq' ? 'eq' : 'sge', expand(rewriter, expr, dims, symbols), zero),
  );
  const [first, ...more] = conditions;
  if (first === undefined) {
    return rewriter.createValue(
      constant.state<Rewriter>({ attributes: { value: booleanAttribute(true) }, resultTypes: [i1] }),
    );
  }
  return more.reduce((all, condition) => compute(rewriter, andi, all, condition), first);
};

// --- Operations --------------------------------------------------------------------------------------------------

const mapOf = (operation: DraftOperation): AffineMap => {
  const { map } = operation.attributes;
  if (map?.kind !== 'affine-map') throw new Error(`${operation.name} has no map`);
  return map.map;
};

const lowerApplication =
  (value: (rewriter: Rewriter, operation: DraftOperation) => Value): Lowering =>
  (rewriter, operation) => {
    rewriter.replaceOperation(operation, [value(rewriter, operation)]);
  };

/** A loop or condition that takes over the regions of `operation`. */
const withRegions = (
  rewriter: Rewriter,
  operation: DraftOperation,
  state: OperationState<Rewriter>,
): void => {
  const made = rewriter.create({ ...state, bodies: [] }, operation.location);
  for (const region of operation.regions) rewriter.moveRegion(region, rewriter.createRegion(made));
  rewriter.replaceOperation(operation, made.results, [made]);
};

const product = affineMap('(d0)[s0] -> (d0 * s0)');
const quotient = affineMap('(d0)[s0] -> (d0 floordiv s0)');
const remainder = affineMap('(d0)[s0] -> (d0 mod s0)');

/**
 * Lowers `affine.delinearize_index` to arithmetic, before the insertion point, with divisors that no affine expression
 * may have.
 */
export const lowerDelinearize = (rewriter: Rewriter, operation: DraftOperation): void => {
  const { linearIndex, basis } = affine.delinearizeIndex.operands(operation);
  const apply = (map: AffineMap, index: Value, size: Value): Value =>
    expandMap(rewriter, map, [index, size])[0]!;
  let rest: Value = linearIndex;
  const digits = basis.slice(1).map((_, i) => {
    const divisor = basis.slice(i + 2).reduce<Value>((all, size) => apply(product, all, size), basis[i + 1]!);
    const digit = apply(quotient, rest, divisor);
    rest = apply(remainder, rest, divisor);
    return digit;
  });
  rewriter.replaceOperation(operation, [...digits, rest]);
};

const lowerFor: Lowering = (rewriter, operation) => {
  const { lowerBoundOperands, upperBoundOperands, inits } = affine.forOp.operands(operation);
  const { lowerBoundMap, upperBoundMap, step } = affine.forOp.attributes(operation);
  const lowerBound = extreme(rewriter, maxsi, lowerBoundMap, lowerBoundOperands);
  const upperBound = extreme(rewriter, minsi, upperBoundMap, upperBoundOperands);
  withRegions(
    rewriter,
    operation,
    forOp.state<Rewriter>({
      operands: { lowerBound, upperBound, step: createIndex(rewriter, step), initArgs: inits },
    }),
  );
};

const lowerIf: Lowering = (rewriter, operation) => {
  const { condition } = operation.attributes;
  if (condition?.kind !== 'integer-set') throw new Error('affine.if has no condition');
  const holds = expandSet(rewriter, condition.set, operation.operands);
  withRegions(
    rewriter,
    operation,
    ifOp.state<Rewriter>({
      operands: { condition: holds },
      resultTypes: operation.results.map(({ type }) => type),
    }),
  );
};

/** An access with the results of its map as indices; they replace its operands from `first` on. */
const lowerAccess =
  (name: string, first: number): Lowering =>
  (rewriter, operation) => {
    const indices = expandMap(rewriter, mapOf(operation), operation.operands.slice(first));
    const { map: _map, ...attributes } = operation.attributes;
    rewriter.replaceWith(operation, {
      name,
      operands: [...operation.operands.slice(0, first), ...indices],
      resultTypes: operation.results.map(({ type }) => type),
      attributes,
      location: operation.location,
    });
  };

const lowerings: readonly (readonly [{ is(operation: DraftOperation): boolean }, Lowering])[] = [
  [
    affine.apply,
    lowerApplication((rewriter, operation) => expandMap(rewriter, mapOf(operation), operation.operands)[0]!),
  ],
  [
    affine.min,
    lowerApplication((rewriter, operation) => extreme(rewriter, minsi, mapOf(operation), operation.operands)),
  ],
  [
    affine.max,
    lowerApplication((rewriter, operation) => extreme(rewriter, maxsi, mapOf(operation), operation.operands)),
  ],
  [affine.delinearizeIndex, lowerDelinearize],
  [affine.forOp, lowerFor],
  [affine.ifOp, lowerIf],
  [affine.load, lowerAccess(load.name, 1)],
  [affine.store, lowerAccess(store.name, 2)],
  [affine.prefetch, lowerAccess(prefetch.name, 1)],
  [
    affine.yieldOp,
    (rewriter, operation) => {
      rewriter.replaceWith(operation, yieldOp.state({ operands: { results: operation.operands } }));
    },
  ],
];
