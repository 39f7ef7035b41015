/**
 * Packing of a padded input without a padded copy: `kernel.pack` with tests.
 *
 * Whether an element is in the margin depends on the tile, the filter's row and column, and the lane, but not on the
 * channel. So the channel loop is innermost, and all tests are hoisted out of it. If a tile is within one row of
 * windows and entirely inside, its lanes are copied as vectors; otherwise lane by lane.
 */
import type { AffineExpr } from '@sconv/affine';
import type { Operation, Value } from '@sconv/ir';
import type { IndexTerm } from './index-expressions.ts';
import { sumOfTerms, termsOf } from './index-expressions.ts';
import type { Expr } from './instructions.ts';
import { i32, select } from './instructions.ts';
import type { NestLoop } from './loops.ts';
import { emitNest } from './loops.ts';
import type { Lowering } from './lowering.ts';
import { constantOf, scalarOf } from './lowering.ts';
import type { PackedBuffers, PackedSpace } from './packing-op.ts';
import { atLane, dependsOn, inOneRow, packedLanes } from './packing-op.ts';
import { emitPanelCopy, stridedRow } from './panel-copy.ts';

/** A packing with padding; its space is restricted to the first halves of pairs. */
export interface PaddedGather extends PackedBuffers {
  readonly space: PackedSpace;
  /** Bytes from the source's base, over the dimensions of the target. */
  readonly offset: AffineExpr;
  /** An element is inside the source if each of these indices is in `[0, size)`. */
  readonly tests: readonly { readonly index: AffineExpr; readonly size: number }[];
  /** Bytes from the target's base to lane 0, over the other dimensions. */
  readonly to: AffineExpr;
  readonly padding: Value;
  readonly operation: Operation;
  readonly lane: AffineExpr;
  readonly lanes: number;
}

/** An expression at a given lane. */
type AtLane = (expr: AffineExpr, lane: number) => AffineExpr;

/** Emits a packing with padding. */
export const emitPadded = (state: Lowering, gather: PaddedGather): void => {
  const { f, indices } = state;
  const { space, lane, lanes, offset, tests } = gather;
  const exprs = [offset, ...tests.map(({ index }) => index)];
  const terms = exprs.flatMap((expr) => termsOf(expr).terms);
  const nonLinear = terms.filter(({ expr }) => expr.kind !== 'symbol');
  const isIn =
    (parts: readonly AffineExpr[]) =>
    ({ variable }: NestLoop): boolean =>
      parts.some((expr) => dependsOn(expr, variable.expr));
  const loops = space.loops.filter(({ variable }) => !dependsOn(lane, variable.expr));
  // Loops around a tile; inside, loops over points with the same margin; then the rest.
  const ofTiles = loops.filter(isIn(nonLinear.map(({ expr }) => expr)));
  const ofTests = loops.filter(
    (loop) => !ofTiles.includes(loop) && isIn(tests.map(({ index }) => index))(loop),
  );
  const inner = loops.filter((loop) => !ofTiles.includes(loop) && !ofTests.includes(loop));
  const laneTerms = terms.filter(({ expr }) => dependsOn(expr, lane));
  const straight = packedLanes({ lane, laneTerms });
  const nest = (around: readonly NestLoop[], body: () => void): void => {
    emitNest(f, indices, { loops: around, accesses: [], body });
  };
  nest(ofTiles, () => {
    const test = straight === undefined ? false : inOneRow(state, lanes, straight);
    const inRow = (): void => {
      const at = laneValues(state, nonLinear, lane, 1);
      const first = (expr: AffineExpr): AffineExpr => at(expr, 0);
      const withMargin = (): void => {
        nest(ofTests, () => {
          emitRow(state, gather, inner, first);
        });
      };
      const whole = wholeTile(state, gather, ofTiles, first);
      if (whole === undefined) withMargin();
      else f.if(whole.isInside, whole.copy, withMargin);
    };
    const broken = (): void => {
      const at = laneValues(state, nonLinear, lane, lanes);
      nest(ofTests, () => {
        emitLanes(state, gather, inner, at);
      });
    };
    if (test === true) inRow();
    else if (test === false) broken();
    else f.if(test, inRow, broken);
  });
};

/**
 * The copy of a tile within one row of windows and without margin, for the whole filter, and the test for that;
 * undefined if its panels are not contiguous.
 */
const wholeTile = (
  state: Lowering,
  gather: PaddedGather,
  ofTiles: readonly NestLoop[],
  first: (expr: AffineExpr) => AffineExpr,
): { readonly isInside: Expr<'i32'>; readonly copy: () => void } | undefined => {
  const { f, indices } = state;
  const { lane, lanes, offset, tests, source, target } = gather;
  const { dims, extents } = gather.space;
  const isOfTile = (dim: AffineExpr): boolean =>
    ofTiles.some(({ variable }) => dependsOn(dim, variable.expr));
  const firstOfPanel = dims.findLastIndex(isOfTile) + 1;
  const panel = dims
    .slice(firstOfPanel, -1)
    .map((dim, i) => ({ dim, extent: constantOf(extents[firstOfPanel + i])! }));
  const isOuter = dims.slice(0, firstOfPanel).every((dim) => dim.kind === 'constant' || isOfTile(dim));
  /** An expression at the first element of the panel, and its distance from there to the last. */
  const alongPanel = (expr: AffineExpr) => {
    const { constant: start, terms } = termsOf(first(expr));
    const factors = panel.map(
      ({ dim }) =>
        terms.find((term) => term.expr.kind === 'symbol' && dependsOn(term.expr, dim))?.factor ?? 0,
    );
    const others = terms.filter((term) => !panel.some(({ dim }) => dependsOn(term.expr, dim)));
    const reach = panel.reduce((sum, { extent }, i) => sum + (extent - 1) * factors[i]!, 0);
    return { start: sumOfTerms(others, start), factors, reach };
  };
  const read = alongPanel(offset);
  const bounds = tests.map(({ index, size }) => ({
    ...alongPanel(index),
    size,
    lane: strideOf(index, lane),
  }));
  if (!isOuter || [read, ...bounds].some(({ factors }) => factors.some((factor) => factor < 0)))
    return undefined;
  const isInside = bounds
    .map(({ start, reach, size, lane: stride }) => {
      const room = size - reach - (lanes - 1) * stride;
      return room <= 0 ? i32.const(0) : isBelow(state, start, room);
    })
    .reduce((all, test) => i32.and(all, test));
  const copy = (): void => {
    const { constant: start, terms } = termsOf(gather.to);
    const ofPanels = terms.filter((term) => !panel.some(({ dim }) => dependsOn(term.expr, dim)));
    emitPanelCopy(f, {
      element: gather.element,
      source: f.let(i32.add(source.base, indices.emit(read.start))),
      destination: f.let(i32.add(target.base, indices.emit(sumOfTerms(ofPanels, start)))),
      lanes,
      dimensions: panel.map(({ extent }, i) => ({ extent, stride: read.factors[i]! })),
      laneOffsets: strideOf(offset, lane),
    });
  };
  return { isInside, copy };
};

/** The increment of an expression per lane within a row. */
const strideOf = (expr: AffineExpr, lane: AffineExpr): number => {
  const laneTerms = termsOf(expr).terms.filter((term) => dependsOn(term.expr, lane));
  return packedLanes({ lane, laneTerms })!.stride;
};

/** The non-linear terms at each lane, computed once and substituted in expressions. */
const laneValues = (
  state: Lowering,
  nonLinear: readonly IndexTerm[],
  lane: AffineExpr,
  lanes: number,
): AtLane => {
  const values = new Map<string, readonly AffineExpr[]>();
  for (const { expr } of nonLinear) {
    const name = String(expr);
    if (values.has(name) || !dependsOn(expr, lane)) continue;
    const { indices } = state;
    const each = Array.from({ length: lanes }, (_, i) => indices.materialize(atLane(expr, lane, i)).expr);
    values.set(name, each);
  }
  return (expr, i) => {
    const { constant: start, terms } = termsOf(expr);
    const replaced = terms.map((term) => ({
      ...term,
      expr: values.get(String(term.expr))?.[i] ?? atLane(term.expr, lane, i),
    }));
    return sumOfTerms(replaced, start);
  };
};

/** The lanes of a tile within one row of windows, at one filter element; `first` gives expressions at lane 0. */
const emitRow = (
  state: Lowering,
  gather: PaddedGather,
  inner: readonly NestLoop[],
  first: (expr: AffineExpr) => AffineExpr,
): void => {
  const { f } = state;
  const { element, lane, lanes, offset, tests, source, target } = gather;
  const inside = tests
    .flatMap(({ index, size }) => {
      const last = (lanes - 1) * strideOf(index, lane);
      // The first lane is below the size minus the distance to the last one: both are inside.
      return size - last <= 0 ? [i32.const(0)] : [isBelow(state, first(index), size - last)];
    })
    .reduce((all, test) => i32.and(all, test));
  const stride = strideOf(offset, lane);
  f.if(
    inside,
    () => {
      emitNest(f, state.indices, {
        loops: inner,
        accesses: [
          { base: source.base, offset: first(offset) },
          { base: target.base, offset: gather.to },
        ],
        body: ([from, to]) => {
          stridedRow(f, element, f.get(from!), f.get(to!), lanes, stride, 0, 0);
        },
      });
    },
    () => {
      emitLanes(state, gather, inner, (expr, i) => first(expr).add(strideOf(expr, lane) * i));
    },
  );
};

/** Whether an index is in `[0, size)`, by one unsigned comparison. */
const isBelow = ({ indices }: Lowering, index: AffineExpr, size: number): Expr<'i32'> =>
  i32.ltU(indices.emit(index), i32.const(size));

/** Lane by lane: the padding, or the element. */
const emitLanes = (state: Lowering, gather: PaddedGather, inner: readonly NestLoop[], at: AtLane): void => {
  const { f, indices } = state;
  const { element, lanes, offset, tests, source, target } = gather;
  const padding = f.get(f.let(element.convert(scalarOf(state, gather.operation, gather.padding))));
  const { constant: start, terms } = termsOf(offset);
  const isInner = (term: IndexTerm): boolean =>
    inner.some(({ variable }) => dependsOn(term.expr, variable.expr));
  const still = sumOfTerms(
    terms.filter((term) => !isInner(term)),
    start,
  );
  const known = Array.from({ length: lanes }, (_, i) => {
    const inside = f.let(
      tests
        .map(({ index, size }) => isBelow(state, at(index, i), size))
        .reduce((all, test) => i32.and(all, test)),
    );
    // In the margin, an element of the first row is read and not used.
    const from = f.let(select(indices.emit(at(still, i)), i32.const(0), f.get(inside)));
    return { inside, from };
  });
  emitNest(f, indices, {
    loops: inner,
    accesses: [
      { base: source.base, offset: sumOfTerms(terms.filter(isInner)) },
      { base: target.base, offset: gather.to },
    ],
    body: ([from, to]) => {
      known.forEach((each, i) => {
        const value = element.load(i32.add(f.get(from!), f.get(each.from)));
        const chosen = select(value, padding, f.get(each.inside));
        f.statement(element.store(f.get(to!), chosen, i * element.packedBytes));
      });
    },
  });
};
