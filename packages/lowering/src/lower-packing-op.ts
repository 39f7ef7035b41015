/**
 * Packing: a generic that gathers from a buffer into another (ST Listing 8, lines 10-20 and 25-36), as loops over vectors.
 *
 * Its last dimension is the lanes of a panel. Where `floordiv` and `mod` depend on it, it is a range of windows, which may
 * break rows of the image: panels whose windows stand in one row are copied as vectors, others lane by lane.
 */
import type { AffineExpr } from '@sconv/affine';
import {
  add,
  ceilDiv,
  constant,
  dim,
  floorDiv,
  fold,
  isFunctionOfDim,
  isIdentity,
  makeMap,
  mod,
  mul,
  substitute,
  symbol,
} from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { applyComposed, indicesInBody } from '@sconv/dialects';
import { andi, cmpi } from '@sconv/dialects/arith';
import { generic, genericView } from '@sconv/dialects/linalg';
import { load as loadElement, store as storeElement, stridedLayoutOf } from '@sconv/dialects/memref';
import { forOp, ifOp, yieldOp } from '@sconv/dialects/scf';
import { load, store } from '@sconv/dialects/vector';
import type { Builder, DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { bodyOf, builder, DYNAMIC, hasTrait, indexType, terminatorOf, vectorType } from '@sconv/ir';
import { indexConstant } from './index-constant.ts';
import type { VectorUnit } from './vector-unit.ts';
import { bitsOf, vectorWidths } from './vector-unit.ts';

/** More lanes than this are no panel: each is code of its own. */
const maximumLanes = 64;

interface Packing {
  readonly source: Value;
  readonly target: Value;
  /** Sizes of the target. */
  readonly extents: readonly number[];
  /** For each dimension of the source an expression of the target's dimensions, and then of `outer`. */
  readonly indices: readonly AffineExpr[];
  readonly outer: readonly Value[];
}

/**
 * Replaces a packing of buffers by loops. Fails with `lowering/no-packing` for an op that is none: one that does more than to
 * store at each index of a buffer an element of another, or whose sizes are not known.
 */
export const lowerPackingOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorUnit,
): Diagnosed<undefined> => {
  const packing = matchPacking(rewriter, operation);
  if (typeof packing === 'string') {
    return silenceableError('lowering/no-packing', `expected a packing: ${packing}`, operation);
  }
  rewriter.setInsertionPointBefore(operation);
  createCopy(rewriter, packing, unit);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** What is packed, or why the operation is no packing. */
const matchPacking = (rewriter: Rewriter, operation: DraftOperation): Packing | string => {
  if (!generic.is(operation)) return `'${operation.name}' is no linalg.generic`;
  const { inputs, outputs, indexingMaps, iteratorTypes, loopRanges } = genericView(operation);
  const [target, ...others] = outputs;
  if (inputs.length > 0 || others.length > 0 || target?.type.kind !== 'memref')
    return 'it has other operands than one output buffer';
  if (!isIdentity(indexingMaps[0]!) || iteratorTypes.some((type) => type !== 'parallel'))
    return 'its indexing map is no identity';
  if (loopRanges.includes(DYNAMIC)) return 'its sizes are not known';
  const lanes = loopRanges.at(-1);
  if (lanes === undefined || lanes > maximumLanes) return `it has no panels of up to ${maximumLanes} lanes`;
  if (stridedLayoutOf(target.type)?.strides.at(-1) !== 1)
    return 'the lanes of its panels do not lie side by side';
  const body = bodyOf(operation);
  const [element, ...more] = body.operations.filter((inner) => loadElement.is(inner));
  if (
    element === undefined ||
    more.length > 0 ||
    terminatorOf(body).operands[0]?.id !== element.results[0]?.id
  )
    return 'its body does more than to read an element';
  if (body.operations.some((inner) => inner !== element && !isIndexArithmetic(rewriter, inner)))
    return 'its body does more than to read an element';
  const { memref: source, indices } = loadElement.operands(element);
  const read = indicesInBody(rewriter, operation, indices);
  // What the body computes by other operations than affine.apply is no value from around it.
  if (read.outer.some((value) => rewriter.definingOperation(value)?.parent === operation))
    return 'its indices are not affine';
  return { source, target, extents: loopRanges, ...read };
};

const isIndexArithmetic = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  operation.name === 'linalg.index' ||
  operation.name === 'linalg.yield' ||
  hasTrait(rewriter.registry, operation, 'pure');

/** What of a lane an expression is: `first + lane * stride`, while no row of these breaks among the lanes. */
interface StraightLanes {
  readonly first: AffineExpr;
  readonly stride: number;
  readonly rows: readonly Row[];
}

/** The window of lane 0 in its row, and the length of the row. */
interface Row {
  readonly first: AffineExpr;
  readonly length: number;
}

/** Between two breaks of rows `floordiv` stands still and `mod` counts. Undefined where lanes occur in another form. */
const straightLanes = (expr: AffineExpr, lane: number): StraightLanes | undefined =>
  fold<StraightLanes | undefined>(expr, {
    dim: (position) =>
      position === lane ? { first: constant(0), stride: 1, rows: [] } : still(dim(position)),
    symbol: (position) => still(symbol(position)),
    constant: (value) => still(constant(value)),
    add: (lhs, rhs) =>
      lhs &&
      rhs && {
        first: add(lhs.first, rhs.first),
        stride: lhs.stride + rhs.stride,
        rows: [...lhs.rows, ...rhs.rows],
      },
    mul: (lhs, rhs) => {
      if (lhs === undefined || rhs === undefined) return undefined;
      const factor = rhs.first.kind === 'constant' && rhs.stride === 0 ? rhs.first.value : undefined;
      if (factor === undefined && lhs.stride + rhs.stride !== 0) return undefined;
      return {
        first: mul(lhs.first, rhs.first),
        stride: factor === undefined ? 0 : lhs.stride * factor,
        rows: [...lhs.rows, ...rhs.rows],
      };
    },
    mod: (lhs, rhs) => inRows(lhs, rhs, mod, 1),
    floordiv: (lhs, rhs) => inRows(lhs, rhs, floorDiv, 0),
    ceildiv: (lhs, rhs) => (lhs?.stride === 0 ? inRows(lhs, rhs, ceilDiv, 0) : undefined),
  });

const still = (first: AffineExpr): StraightLanes => ({ first, stride: 0, rows: [] });

/** A remainder or quotient of lanes that count by one. */
const inRows = (
  lhs: StraightLanes | undefined,
  rhs: StraightLanes | undefined,
  divide: (lhs: AffineExpr, rhs: AffineExpr) => AffineExpr,
  stride: number,
): StraightLanes | undefined => {
  if (lhs === undefined || rhs === undefined || rhs.stride !== 0) return undefined;
  const first = divide(lhs.first, rhs.first);
  const rows = [...lhs.rows, ...rhs.rows];
  if (lhs.stride === 0) return { first, stride: 0, rows };
  if (lhs.stride !== 1 || rhs.first.kind !== 'constant' || rhs.first.value <= 0) return undefined;
  const length = rhs.first.value;
  return { first, stride, rows: [...rows, { first: mod(lhs.first, length), length }] };
};

const createCopy = (rewriter: Rewriter, packing: Packing, unit: VectorUnit): void => {
  const { extents, indices, outer, target, source } = packing;
  const lane = extents.length - 1;
  const lanes = extents[lane]!;
  const b = builder(rewriter);
  const straight = indices.map((expr) => straightLanes(expr, lane));
  const isStraight = straight.every((each) => each !== undefined);
  const rows = distinct(straight.flatMap((each) => each?.rows ?? []));
  // A row that depends on a dimension is looked at in its loop, the others around it.
  const inRow = ({ first }: Row, position: number): boolean => isFunctionOfDim(first, position);
  const dimensions = Array.from({ length: lane }, (_, i) => i);
  const firstOfPanel = isStraight
    ? dimensions.findLastIndex((position) => rows.some((row) => inRow(row, position))) + 1
    : 0;

  const at = (expr: AffineExpr, variables: readonly (Value | undefined)[]): Value =>
    applyComposed(rewriter, makeMap(extents.length + outer.length, 0, [expr]), [
      ...extents.map((_, i) => variables[i]),
      ...outer,
    ]);
  const atLane = (expr: AffineExpr, value: number): AffineExpr =>
    substitute(expr, {
      dims: extents
        .map((_, i) => (i === lane ? constant(value) : dim(i)))
        .concat(outer.map((_, i) => dim(extents.length + i))),
    });
  /** A nest over these dimensions. */
  const loops = (
    from: number,
    to: number,
    variables: readonly Value[],
    build: (variables: readonly Value[]) => void,
  ): void => {
    if (from === to) {
      build(variables);
      return;
    }
    if (extents[from] === 1) {
      loops(from + 1, to, [...variables, indexConstant(b, 0)], build);
      return;
    }
    b(
      forOp,
      {
        lowerBound: indexConstant(b, 0),
        upperBound: indexConstant(b, extents[from]!),
        step: indexConstant(b, 1),
      },
      {
        resultTypes: [],
        bodies: [
          {
            argumentTypes: [indexType],
            build: (body, variable) => {
              loops(from + 1, to, [...variables, variable], build);
              body(yieldOp, {});
            },
          },
        ],
      },
    );
  };
  const { elementType } = target.type as MemRefType;
  const copyLanes =
    (lanesAt: (position: number, i: number) => AffineExpr) => (variables: readonly Value[]) => {
      for (let i = 0; i < lanes; i++) {
        const element: Value = b(loadElement, {
          memref: source,
          indices: indices.map((_, position) => at(lanesAt(position, i), variables)),
        });
        b(storeElement, { value: element, memref: target, indices: [...variables, indexConstant(b, i)] });
      }
    };
  const copyApart = copyLanes((position, i) => atLane(indices[position]!, i));
  const last = straight.length - 1;
  const isContiguous =
    isStraight &&
    straight.every((each, position) => each?.stride === (position === last ? 1 : 0)) &&
    stridedLayoutOf(source.type as MemRefType)?.strides[last] === 1;
  const copyStraight = isContiguous
    ? (variables: readonly Value[]): void => {
        const firsts = straight.map((each) => each!.first);
        let from = 0;
        for (const width of vectorWidths(lanes, Math.max(1, Math.floor(unit.bits / bitsOf(elementType))))) {
          const type = vectorType([width], elementType);
          const places = firsts.map((first, position) =>
            at(position === last ? add(first, from) : first, variables),
          );
          const vector: Value = b(load, { base: source, indices: places }, { resultTypes: [type] });
          b(store, { valueToStore: vector, base: target, indices: [...variables, indexConstant(b, from)] });
          from += width;
        }
      }
    : copyLanes((position, i) => {
        const { first, stride } = straight[position]!;
        return add(first, stride * i);
      });

  loops(0, firstOfPanel, [], (variables) => {
    const copy = (build: (variables: readonly Value[]) => void): void => {
      loops(firstOfPanel, lane, variables, build);
    };
    if (!isStraight || rows.some(({ length }) => length < lanes)) {
      copy(copyApart);
      return;
    }
    const [test, ...tests] = rows.map(({ first, length }): Value =>
      b(cmpi, { predicate: 'sle', lhs: at(first, variables), rhs: indexConstant(b, length - lanes) }),
    );
    if (test === undefined) {
      copy(copyStraight);
      return;
    }
    const condition = tests.reduce((all, each): Value => b(andi, { lhs: all, rhs: each }), test);
    const branch = (build: (variables: readonly Value[]) => void) => ({
      build: (body: Builder): void => {
        copy(build);
        body(yieldOp, {});
      },
    });
    b(ifOp, { condition }, { resultTypes: [], bodies: [branch(copyStraight), branch(copyApart)] });
  });
};

/** Each row once. */
const distinct = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(
    ({ first, length }, i) =>
      !rows.slice(0, i).some((other) => other.length === length && String(other.first) === String(first)),
  );
