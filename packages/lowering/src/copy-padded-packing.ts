/**
 * Packings of a padded input without a padded copy, as loops over vectors.
 *
 * The loops that determine whether an element is padding are outermost, then the tests, then the other loops: lanes
 * in one row, all in bounds, are copied as vectors, others with a mask for each row, or else one by one.
 */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, dim, isFunctionOfDim, substitute } from '@sconv/affine';
import { andi, cmpi, constant as constantOp, select } from '@sconv/dialects/arith';
import { load as loadElement, store as storeElement } from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import type { Builder, Rewriter, Value } from '@sconv/ir';
import { builder, constantValueOf } from '@sconv/ir';
import type { Row, StraightLanes } from '@sconv/kernels';
import { distinctRows, straightLanes } from '@sconv/kernels';
import { inBlocks } from './block-channels.ts';
import { convertElements } from './convert-elements.ts';
import type { Margin } from './copy-linear.ts';
import { copyBroken, copyStraight as copyLanes, linearCopyOf, mayBreak } from './copy-linear.ts';
import { copyStraight } from './copy-packing.ts';
import { indexConstant } from './index-constant.ts';
import type { LoopSize } from './loop-nest.ts';
import { createNest } from './loop-nest.ts';
import { halvesOf, withPairs } from './packed-pairs.ts';
import type { CopyPanel, PaddedPacking } from './packing.ts';
import { indexAt } from './packing.ts';
import type { VectorRegisters } from './vector-unit.ts';

/** Creates the loops of a packing with padding, at the insertion point. */
export const createPaddedCopy = (rewriter: Rewriter, packing: PaddedPacking, unit: VectorRegisters): void => {
  const b = builder(rewriter);
  const last = packing.extents.length - 1;
  const isOfHalf = packing.margin.tests.some(({ index }) => isFunctionOfDim(index, last));
  const copied = isOfHalf ? packing : withPairs(rewriter, packing);
  const padding = paddingValue(rewriter, b, packing.margin.padding);
  inBlocks(b, copied, (body, loops) => {
    createPaddedLoops(rewriter, body, copied, loops, padding, unit);
  });
};

/** The copy in loops of these sizes. */
const createPaddedLoops = (
  rewriter: Rewriter,
  b: Builder,
  packing: PaddedPacking,
  loops: readonly LoopSize[],
  padding: Value,
  unit: VectorRegisters,
): void => {
  const order = loopOrder(packing, loops);
  const apart = copyOrPad(rewriter, packing, padding);
  const straight = straightPacking(packing);
  if (straight === undefined) {
    createNest(b, [...order.tested, ...order.free], order.inLoops(apart));
    return;
  }
  const { indices, tests, rows } = straight;
  const lanes = packing.extents.at(-1)!;
  // Without row breaks, all lanes are one row.
  const [row = { first: constant(0), length: lanes }, ...others] = rows;
  const linear = linearCopyOf(rewriter, packing, indices, unit);
  const withMasks = linear !== undefined && others.length === 0 && mayBreak(linear, row) ? linear : undefined;
  const inParts = (body: Builder, variables: readonly Value[]): CopyPanel =>
    withMasks === undefined
      ? apart
      : copyBroken(rewriter, withMasks, row, body, order.placed(variables), { tests, padding });
  if (rows.some(({ length }) => length < lanes)) {
    createNest(b, order.tested, (body, variables) => {
      createNest(body, order.free, order.inLoops(inParts(body, variables)), variables);
    });
    return;
  }
  const whole =
    linear === undefined ? copyStraight(rewriter, packing, indices, unit) : copyLanes(rewriter, linear);
  const copy: TestedCopy = { rewriter, packing, straight, order, whole, inParts };
  const tile = testedTile(copy);
  if (tile === undefined) createTestedPanels(copy, b, []);
  else createTestedTiles(copy, b, tile, loops);
};

/** The loops of a copy in the order of their nest. */
interface LoopOrder {
  /** The dimensions of the loops: first those that a test or a row break depends on. */
  readonly positions: readonly number[];
  /** The sizes of these first loops, and of the others. */
  readonly tested: readonly LoopSize[];
  readonly free: readonly LoopSize[];
  /** The variables of the outermost loops, by dimension. */
  readonly placed: (variables: readonly Value[]) => Value[];
  /** A copy as the body of the nest: its variables come in the order of the loops. */
  readonly inLoops: (copy: CopyPanel) => CopyPanel;
}

const loopOrder = (
  { extents, indices, margin: { tests } }: PaddedPacking,
  loops: readonly LoopSize[],
): LoopOrder => {
  const lane = extents.length - 1;
  const tested = [
    ...tests.map(({ index }) => index),
    ...indices.filter((expr) => isFunctionOfDim(expr, lane)),
  ];
  const isTested = (position: number): boolean => tested.some((expr) => isFunctionOfDim(expr, position));
  const all = loops.map((_, position) => position);
  const first = all.filter(isTested);
  const others = all.filter((position) => !isTested(position));
  const positions = [...first, ...others];
  const placed = (variables: readonly Value[]): Value[] => {
    const result: Value[] = [];
    variables.forEach((value, i) => (result[positions[i]!] = value));
    return result;
  };
  return {
    positions,
    tested: first.map((position) => loops[position]!),
    free: others.map((position) => loops[position]!),
    placed,
    inLoops: (copy) => (body, variables) => {
      copy(body, placed(variables));
    },
  };
};

/** The indices and tests of a packing as functions of the lane, and the rows that its lanes are in. */
interface StraightPacking {
  readonly indices: readonly StraightLanes[];
  readonly tests: Margin['tests'];
  readonly rows: readonly Row[];
}

/** Undefined if an index or a test is not straight. */
const straightPacking = ({
  extents,
  indices,
  margin: { tests },
}: PaddedPacking): StraightPacking | undefined => {
  const lane = extents.length - 1;
  const all = [...indices, ...tests.map(({ index }) => index)].map((expr) => straightLanes(expr, dim(lane)));
  const known = all.filter((each) => each !== undefined);
  if (known.length < all.length) return undefined;
  return {
    indices: known.slice(0, indices.length),
    tests: tests.map(({ size }, i) => ({ lanes: known[indices.length + i]!, size })),
    rows: distinctRows(known.flatMap((each) => each.rows)),
  };
};

/** A copy of straight lanes that tests whether they are in one row, inside the source. */
interface TestedCopy {
  readonly rewriter: Rewriter;
  readonly packing: PaddedPacking;
  readonly straight: StraightPacking;
  readonly order: LoopOrder;
  /** The copy of lanes in one row, all inside. */
  readonly whole: CopyPanel;
  /**
   * The copy of lanes in several rows, or in part beside the source; `variables` are those of the loops around
   * `body`.
   */
  readonly inParts: (body: Builder, variables: readonly Value[]) => CopyPanel;
}

/** A lane of an element of the panel: evaluates an expression over the packing's dimensions there. */
interface Corner {
  readonly lane: number;
  readonly at: (expr: AffineExpr) => AffineExpr;
}

/** Whether no row breaks among the lanes, and all of them are in bounds, between two elements of the panel. */
const createInsideTest = (
  { rewriter, packing, straight: { rows, tests } }: TestedCopy,
  body: Builder,
  variables: readonly Value[],
  corners: readonly Corner[],
): Value => {
  const lanes = packing.extents.at(-1)!;
  const compare = (predicate: 'sle' | 'ult', expr: AffineExpr, limit: number): Value =>
    body(cmpi, {
      predicate,
      lhs: indexAt(rewriter, packing, expr, variables),
      rhs: indexConstant(body, limit),
    });
  const conditions = [
    ...rows.map(({ first, length }) => compare('sle', first, length - lanes)),
    ...tests.flatMap(({ lanes: test, size }) =>
      corners.map(({ at, lane }) => compare('ult', at(add(test.first, test.stride * lane)), size)),
    ),
  ];
  return conditions.reduce((lhs, rhs): Value => body(andi, { lhs, rhs }));
};

/** The dimensions that number tiles, and those of one tile. */
interface TestedTile {
  readonly tile: readonly number[];
  readonly ofPanel: readonly number[];
}

/**
 * The tiles that one test each suffices for, of their first and last element; undefined if their loops are not the
 * outermost, or an index may not grow from one to the other.
 */
const testedTile = ({ packing, straight: { rows }, order }: TestedCopy): TestedTile | undefined => {
  const lane = packing.extents.length - 1;
  const ofTile = (position: number): boolean => rows.some(({ first }) => isFunctionOfDim(first, position));
  const tile = order.positions.slice(0, order.tested.length).filter(ofTile);
  const ofPanel = packing.extents
    .slice(0, lane)
    .flatMap((_, position) => (tile.includes(position) ? [] : [position]));
  const isOuter =
    tile.every((position, i) => order.positions[i] === position) &&
    tile.every((position) => position < (ofPanel[0] ?? lane));
  const grows = packing.margin.tests.every(({ index }) =>
    ofPanel.every((position) => growsWith(index, position)),
  );
  return isOuter && grows ? { tile, ofPanel } : undefined;
};

/** For each tile one test: all of it is copied as vectors, or with a test for each panel. */
const createTestedTiles = (
  copy: TestedCopy,
  b: Builder,
  { tile, ofPanel }: TestedTile,
  loops: readonly LoopSize[],
): void => {
  const { packing, order } = copy;
  const { extents, outer } = packing;
  const dims = Array.from({ length: extents.length + outer.length }, (_, position) => dim(position));
  const corner = (last: boolean): Corner => ({
    lane: last ? extents.at(-1)! - 1 : 0,
    at: (expr) =>
      substitute(expr, {
        dims: dims.map((each, position) =>
          ofPanel.includes(position) ? constant(last ? extents[position]! - 1 : 0) : each,
        ),
      }),
  });
  createNest(b, order.tested.slice(0, tile.length), (body, variables) => {
    const condition = createInsideTest(copy, body, order.placed(variables), [corner(false), corner(true)]);
    const sizes = ofPanel.map((position) => loops[position]!);
    const bodies = [
      branch((inside) => {
        createNest(inside, sizes, copy.whole, variables);
      }),
      branch((margin) => {
        createTestedPanels(copy, margin, variables);
      }),
    ];
    body(ifOp, { condition }, { resultTypes: [], bodies });
  });
};

/** The loops within those of `outer`, with a test in each iteration of those that it depends on. */
const createTestedPanels = (copy: TestedCopy, b: Builder, outer: readonly Value[]): void => {
  const { packing, order } = copy;
  const corners = [0, packing.extents.at(-1)! - 1].map((lane) => ({ lane, at: (expr: AffineExpr) => expr }));
  createNest(
    b,
    order.tested.slice(outer.length),
    (body, variables) => {
      const condition = createInsideTest(copy, body, order.placed(variables), corners);
      const nest = (copyIn: (body: Builder) => CopyPanel) =>
        branch((inner) => {
          createNest(inner, order.free, order.inLoops(copyIn(inner)), variables);
        });
      const bodies = [nest(() => copy.whole), nest((inner) => copy.inParts(inner, variables))];
      body(ifOp, { condition }, { resultTypes: [], bodies });
    },
    outer,
  );
};

/** A branch of an `scf.if`. */
const branch = (build: (body: Builder) => void) => ({
  build: (body: Builder): void => {
    build(body);
    body(yieldOp, {});
  },
});

/** Whether an expression is monotone in a dimension: a non-negative multiple of it plus an independent term. */
const growsWith = (expr: AffineExpr, position: number): boolean => {
  if (!isFunctionOfDim(expr, position) || expr.kind === 'dim') return true;
  if (expr.kind === 'add') return growsWith(expr.lhs, position) && growsWith(expr.rhs, position);
  if (expr.kind !== 'mul' || expr.rhs.kind !== 'constant') return false;
  return expr.rhs.value >= 0 && growsWith(expr.lhs, position);
};

/** The padding, available before the loops: a constant of the body is recreated. */
const paddingValue = (rewriter: Rewriter, b: Builder, padding: Value): Value => {
  const definition = rewriter.definingOperation(padding);
  const value = definition && constantValueOf(rewriter.registry, definition);
  return value === undefined ? padding : b(constantOp, { value });
};

/** Lane by lane: the element, or the padding. */
const copyOrPad = (rewriter: Rewriter, packing: PaddedPacking, padding: Value): CopyPanel => {
  const { source, target, extents, indices, outer, conversion, apart } = packing;
  const { tests } = packing.margin;
  const halves = halvesOf(packing);
  const last = extents.length - 1;
  const dims = Array.from({ length: extents.length + outer.length }, (_, position) => dim(position));
  return (b, variables) => {
    for (let lane = 0; lane < extents[last]!; lane++) {
      const at = (expr: AffineExpr): Value =>
        indexAt(rewriter, packing, substitute(expr, { dims: dims.with(last, constant(lane)) }), variables);
      const [first, ...more] = tests.map(({ index, size }): Value =>
        b(cmpi, { predicate: 'ult', lhs: at(index), rhs: indexConstant(b, size) }),
      );
      const inside = more.reduce((lhs, rhs): Value => b(andi, { lhs, rhs }), first!);
      for (const half of halves) {
        const from = indices.map((expr, position): Value =>
          tests.some(({ index }) => String(index) === String(expr))
            ? b(select, { condition: inside, trueValue: at(expr), falseValue: indexConstant(b, 0) })
            : at(add(expr, half * (apart?.[position] ?? 0))),
        );
        const read: Value = b(loadElement, { memref: source, indices: from });
        const chosen: Value = b(select, { condition: inside, trueValue: read, falseValue: padding });
        const value = convertElements(rewriter, conversion, chosen);
        const to = indexConstant(b, lane * halves.length + half);
        b(storeElement, { value, memref: target, indices: [...variables, to] });
      }
    }
  };
};
