/** A structured operation as its lowerings see it: buffers, maps over loop variables, and a body. */
import type { AffineExpr, AffineMap } from '@sconv/affine';
import { constant, equals, substitute } from '@sconv/affine';
import type { StructuredView } from '@sconv/dialects/linalg';
import type { Block, Operation, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';
import type { NestLoop } from './loops.ts';
import type { LoweredValue, Lowering } from './lowering.ts';
import { constantOf, onlyBlock, unsupported } from './lowering.ts';
import { symbolicIndex } from './index-ops.ts';

/** An operand: a buffer and its indices at the current point of the iteration space; a scalar has no indices. */
export interface StructuredOperand {
  readonly value: LoweredValue;
  readonly indices: readonly AffineExpr[];
  readonly map: AffineMap;
}

export interface StructuredOp {
  readonly operation: Operation;
  readonly inputs: readonly StructuredOperand[];
  readonly outputs: readonly StructuredOperand[];
  readonly iteratorTypes: readonly string[];
  /** The expression of each iteration dimension: a loop variable, or 0 for a unit dimension. */
  readonly dims: readonly AffineExpr[];
  readonly extents: readonly AffineExpr[];
  /** The loops of the dimensions with more than one point, in order. */
  readonly loops: readonly NestLoop[];
  readonly body: Block;
  /** The values that the body yields. */
  readonly yielded: readonly Value[];
}

/** The extent of each dimension: the size of an operand dimension indexed by it alone. */
const extentsOf = (
  operation: Operation,
  operands: readonly { readonly map: AffineMap; readonly value: LoweredValue }[],
  rank: number,
): readonly AffineExpr[] =>
  Array.from({ length: rank }, (_, dimension) => {
    for (const { map, value } of operands) {
      const at = map.results.findIndex((result) => result.kind === 'dim' && result.position === dimension);
      const size = value.kind === 'buffer' ? value.sizes[at] : undefined;
      if (size !== undefined) return size;
    }
    return unsupported(operation, `a dimension d${dimension} that no operand bounds`);
  });

/** Reads a structured operation and declares its loop variables; emits no code. */
export const readStructuredOp = (
  state: Lowering,
  operation: Operation,
  view: StructuredView,
): StructuredOp => {
  const { inputs, outputs, indexingMaps, iteratorTypes } = view(operation);
  const values = [...inputs, ...outputs].map(
    (value) => state.values.get(value.id) ?? unsupported(operation, 'an operand that is not known'),
  );
  const operands = values.map((value, i) => ({ value, map: indexingMaps[i]! }));
  const rank = indexingMaps[0]?.numDims ?? 0;
  const extents = extentsOf(operation, operands, rank);
  const loops: NestLoop[] = [];
  const dims = extents.map((extent) => {
    const count = constantOf(extent);
    if (count === 1) return constant(0);
    const variable = state.indices.of(state.f.local('i32'), 0, count ?? 2 ** 31);
    loops.push({ variable, extent });
    return variable.expr;
  });
  const resolved = operands.map(({ value, map }) => ({
    value,
    map,
    indices: value.kind === 'buffer' ? map.results.map((result) => substitute(result, { dims })) : [],
  }));
  const body = onlyBlock(operation);
  return {
    operation,
    inputs: resolved.slice(0, inputs.length),
    outputs: resolved.slice(inputs.length),
    iteratorTypes,
    dims,
    extents,
    loops,
    body,
    yielded: terminatorOf(body).operands,
  };
};

/** Points `first`, `first + step`, … of a dimension. */
export interface DimensionPart {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/**
 * The operation restricted to a part of a dimension that has a loop, and the variable that counts the part's points.
 */
export const restrictDimension = (
  state: Lowering,
  op: StructuredOp,
  dimension: number,
  { first, step, count }: DimensionPart,
): { readonly op: StructuredOp; readonly variable: AffineExpr } => {
  const old = op.dims[dimension]!;
  const variable = state.indices.of(state.f.local('i32'), 0, count);
  const dims = op.dims.with(dimension, variable.expr.mul(step).add(first));
  const extent = constant(count);
  const moved = (operand: StructuredOperand): StructuredOperand => ({
    ...operand,
    indices: operand.value.kind === 'buffer' ? operand.map.results.map((r) => substitute(r, { dims })) : [],
  });
  return {
    variable: variable.expr,
    op: {
      ...op,
      dims,
      extents: op.extents.with(dimension, extent),
      loops: op.loops.map((loop) => (equals(loop.variable.expr, old) ? { variable, extent } : loop)),
      inputs: op.inputs.map(moved),
      outputs: op.outputs.map(moved),
    },
  };
};

/**
 * Binds indices that the body computes from the loop variables as expressions; emits no code. Non-affine ones, and
 * those whose expression or value may get too large, are left to the lowering of the body.
 */
export const bindBodyIndices = (state: Lowering, op: StructuredOp): void => {
  for (const operation of op.body.operations) {
    const expr =
      operation.name === 'linalg.index' ? indexOfDimension(op, operation) : symbolicIndex(state, operation);
    const [result] = operation.results;
    if (expr === undefined || result === undefined || state.indices.isLarge(expr)) continue;
    if (expr.kind === 'constant' || state.indices.fits(expr)) {
      state.values.set(result.id, { kind: 'index', expr });
    }
  }
};

const indexOfDimension = (op: StructuredOp, operation: Operation): AffineExpr | undefined => {
  const { dim } = operation.attributes;
  return dim?.kind === 'integer' ? op.dims[Number(dim.value)] : undefined;
};
