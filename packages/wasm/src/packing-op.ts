/**
 * `kernel.pack` as panel copies that may convert elements.
 *
 * The address of an element is a sum over the target's dimensions. The last one is the lanes of a panel. If a
 * `floordiv` or `mod` depends on it, it is a range of windows that may cross row ends: within one row the lanes have a
 * constant stride, otherwise each lane's offset is computed, once per panel.
 */
import type { AffineExpr } from '@sconv/affine';
import { constant, substitute } from '@sconv/affine';
import type { StraightLanes } from '@sconv/kernels';
import { distinctRows, maximumLanes, straightLanes } from '@sconv/kernels';
import type { Expr } from './instructions.ts';
import { i32 } from './instructions.ts';
import type { IndexTerm } from './index-expressions.ts';
import { positionsOf, sumOfTerms, termsOf } from './index-expressions.ts';
import type { NestLoop } from './loops.ts';
import { emitNest } from './loops.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { constantOf, elementOffset } from './lowering.ts';
import type { PackedElement } from './packed-element.ts';
import type { PanelDimension } from './panel-copy.ts';
import { emitPanelCopy } from './panel-copy.ts';
import type { PanelTable } from './panel-table.ts';
import type { StructuredOp } from './structured-op.ts';

/** The dimensions of a packing's target, and their loops. */
export type PackedSpace = Pick<StructuredOp, 'dims' | 'extents' | 'loops'>;

/** Whether a loop variable occurs in an expression; false for unit dimensions, which are constants. */
export const dependsOn = (expr: AffineExpr, variable: AffineExpr): boolean =>
  variable.kind === 'symbol' && positionsOf(expr).includes(variable.position);

const isVariable = (expr: AffineExpr, variable: AffineExpr): boolean =>
  expr.kind === 'symbol' && variable.kind === 'symbol' && expr.position === variable.position;

/** The factor of a variable in a sum. */
const factorOf = (terms: readonly IndexTerm[], variable: AffineExpr): number =>
  terms.find(({ expr }) => isVariable(expr, variable))?.factor ?? 0;

export interface PackingPlan {
  /** Loops around the panels. */
  readonly outer: readonly NestLoop[];
  /** The k loops. */
  readonly panel: readonly PanelDimension[];
  readonly lane: AffineExpr;
  readonly lanes: number;
  /** The part of the offset that is invariant in lane and k. */
  readonly base: AffineExpr;
  /** The part that depends on the lane. */
  readonly laneTerms: readonly IndexTerm[];
}

/** Divides the dimensions into loops around panels, k, and lanes; undefined if the panels are not regular enough. */
export const planPacking = (op: PackedSpace, offset: AffineExpr): PackingPlan | undefined => {
  const last = op.dims.length - 1;
  const extents = op.extents.map(constantOf);
  const [lane, lanes] = [op.dims[last], extents[last]];
  if (lane === undefined || lanes === undefined || lanes > maximumLanes) return undefined;
  const { constant: start, terms } = termsOf(offset);
  // A dimension in a non-linear term is a loop around the panels, and so are those before it.
  const nonLinear = terms.filter(({ expr }) => expr.kind !== 'symbol');
  const isNonLinear = (dim: AffineExpr): boolean => nonLinear.some(({ expr }) => dependsOn(expr, dim));
  const firstOfPanel = op.dims.slice(0, last).findLastIndex(isNonLinear) + 1;
  const panelDims = op.dims.slice(firstOfPanel, last);
  const panel = panelDims.map((dim, i) => ({
    extent: extents[firstOfPanel + i] ?? -1,
    stride: factorOf(terms, dim),
  }));
  if (panel.some(({ extent, stride }) => extent < 0 || stride < 0)) return undefined;
  const inPanel = ({ expr }: IndexTerm): boolean => panelDims.some((dim) => dependsOn(expr, dim));
  const inLanes = ({ expr }: IndexTerm): boolean => dependsOn(expr, lane);
  return {
    outer: op.loops.filter(({ variable }) =>
      op.dims.slice(0, firstOfPanel).some((dim) => isVariable(dim, variable.expr)),
    ),
    panel,
    lane,
    lanes,
    base: sumOfTerms(
      terms.filter((term) => !inPanel(term) && !inLanes(term)),
      start,
    ),
    laneTerms: terms.filter(inLanes),
  };
};

/** The lanes of a packing between row ends, with each row once; undefined if they have no constant stride there. */
export const packedLanes = ({
  lane,
  laneTerms,
}: Pick<PackingPlan, 'lane' | 'laneTerms'>): Pick<StraightLanes, 'stride' | 'rows'> | undefined => {
  const straight = straightLanes(sumOfTerms(laneTerms), lane);
  if (straight === undefined || straight.stride < 0) return undefined;
  return { stride: straight.stride, rows: distinctRows(straight.rows) };
};

export const atLane = (expr: AffineExpr, lane: AffineExpr, value: number): AffineExpr => {
  const symbols: AffineExpr[] = [];
  if (lane.kind === 'symbol') symbols[lane.position] = constant(value);
  return substitute(expr, { symbols });
};

/** Whether all lanes are in one row: a constant, or code. */
export const inOneRow = (
  state: Lowering,
  lanes: number,
  { rows }: Pick<StraightLanes, 'rows'>,
): boolean | Expr<'i32'> => {
  const ranges = rows.map(({ first, length }) => {
    const { lo, hi } = state.indices.rangeOf(first);
    return { always: hi - 1 + lanes <= length, never: lo + lanes > length };
  });
  if (ranges.some(({ never }) => never)) return false;
  const open = rows.filter((_, i) => ranges[i]?.always !== true);
  const tests = open.map(({ first, length }) =>
    i32.leS(state.indices.emit(first), i32.const(length - lanes)),
  );
  return tests.length === 0 ? true : tests.reduce((all, test) => i32.and(all, test));
};

/** The space of a packing of pairs restricted to their first halves; that of any other packing unchanged. */
export interface Unpaired {
  readonly space: PackedSpace;
  /** The index of the half in packings of pairs. */
  readonly half?: AffineExpr;
}

/** Whether the packed elements are halves of pairs, 16 bits each and adjacent, judging by the last dimension. */
export const unpaired = (space: PackedSpace, element: string | undefined): Unpaired => {
  const half = space.dims.at(-1);
  const isPaired = space.dims.length > 1 && element === 'i16' && constantOf(space.extents.at(-1)) === 2;
  if (!isPaired || half === undefined) return { space };
  return {
    half,
    space: {
      dims: space.dims.slice(0, -1),
      extents: space.extents.slice(0, -1),
      loops: space.loops.filter(({ variable }) => !isVariable(variable.expr, half)),
    },
  };
};

/** Distance in bytes between the halves of a pair in the source; undefined if not constant. */
export const pairStride = (offset: AffineExpr, half: AffineExpr | undefined): number | undefined => {
  if (half === undefined) return undefined;
  const moving = termsOf(offset).terms.filter(({ expr }) => dependsOn(expr, half));
  const [only] = moving;
  return moving.length === 1 && isVariable(only!.expr, half) && only!.factor >= 0 ? only!.factor : undefined;
};

/** The buffers of a packing, and how its elements are stored. */
export interface PackedBuffers {
  readonly source: Buffer;
  readonly target: Buffer;
  readonly element: PackedElement;
  /** For a source that may be a constant outside of the memory. */
  readonly streamed?: PanelTable | undefined;
}

/** Emits a packing without padding. */
export const emitPacking = (
  state: Lowering,
  plan: PackingPlan,
  { source, target, element, streamed }: PackedBuffers,
): void => {
  const { f, indices } = state;
  const { lane, lanes, laneTerms, panel } = plan;
  const laneOffset = sumOfTerms(laneTerms);
  const origin = target.sizes.map(() => constant(0));
  const start = indices.emit(elementOffset(target, origin));
  // Panels are contiguous in loop order, so one pointer runs through all of them.
  const destination = f.let(i32.add(target.base, start));
  const straight = packedLanes(plan);

  emitNest(f, indices, {
    loops: plan.outer,
    accesses: [{ base: source.base, offset: plan.base }],
    body: ([base]) => {
      const copy = { element, destination, lanes, dimensions: panel };
      const copyStraight = (stride: number): void => {
        const first = indices.emit(atLane(laneOffset, lane, 0));
        emitPanelCopy(f, { ...copy, source: f.let(i32.add(f.get(base!), first)), laneOffsets: stride });
      };
      const copyLanes = (): void => {
        const laneOffsets = Array.from({ length: lanes }, (_, i) =>
          f.let(indices.emit(atLane(laneOffset, lane, i))),
        );
        emitPanelCopy(f, { ...copy, source: f.let(f.get(base!)), laneOffsets });
      };
      const test = straight === undefined ? false : inOneRow(state, lanes, straight);
      if (straight !== undefined && test === true && streamed !== undefined) {
        const { stride: laneStride } = straight;
        const first = i32.add(f.get(base!), indices.emit(atLane(laneOffset, lane, 0)));
        streamed.copy(f, { lanes, laneStride, dimensions: panel }, first, destination);
        return;
      }
      streamed?.miss();
      if (straight === undefined || test === false) copyLanes();
      else if (test === true) copyStraight(straight.stride);
      else {
        const { stride } = straight;
        f.if(
          test,
          () => {
            copyStraight(stride);
          },
          copyLanes,
        );
      }
    },
  });
};
