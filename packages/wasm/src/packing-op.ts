/**
 * Packing: a generic that gathers from a buffer into a contiguous one (ST Listing 8, lines 10-20 and 25-36), emitted
 * as panel copies, that convert elements on their way.
 *
 * The address of an element is a sum over the output's dimensions. The last one is the lanes of a panel. Where
 * `floordiv` or `mod` depend on it, it is a range of windows that may break rows: if all of them stand in one row the
 * lanes are a constant stride apart, otherwise each lane's offset is computed, once per panel.
 */
import type { AffineExpr } from '@sconv/affine';
import { constant, isIdentity, mod, substitute } from '@sconv/affine';
import type { ElementConversion } from '@sconv/dialects';
import { conversionTo } from '@sconv/dialects';
import type { Expr } from './instructions.ts';
import { i32 } from './instructions.ts';
import type { IndexTerm } from './index-expressions.ts';
import { positionsOf, sumOfTerms, termsOf } from './index-expressions.ts';
import type { NestLoop } from './loops.ts';
import { emitNest } from './loops.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { constantOf, elementOffset, isContiguous, mayAlias } from './lowering.ts';
import type { PackedElement } from './packed-element.ts';
import { packedElement } from './packed-element.ts';
import type { PanelDimension } from './panel-copy.ts';
import { emitPanelCopy } from './panel-copy.ts';
import type { StructuredOp } from './structured-op.ts';

/** More lanes than this are no panel: each one is code, and a local where rows break. */
export const maximumLanes = 64;

interface Gather {
  readonly conversion: ElementConversion;
  readonly source: Buffer;
  readonly target: Buffer;
  /** Bytes from the source's base, over the dimensions of the output. */
  readonly offset: AffineExpr;
}

/** The gather that the operation is; undefined for any other operation. */
const matchGather = (state: Lowering, op: StructuredOp): Gather | undefined => {
  const [output] = op.outputs;
  const target = output?.value;
  if (op.inputs.length > 0 || op.outputs.length !== 1 || target?.kind !== 'buffer') return undefined;
  if (!isIdentity(output!.map) || !isContiguous(target)) return undefined;
  const loads = op.body.operations.filter(({ name }) => name === 'memref.load');
  const [load] = loads;
  const conversion = conversionTo(op.body, op.yielded[0]!);
  if (load === undefined || loads.length > 1 || conversion.element.id !== load.results[0]?.id)
    return undefined;
  const [source, ...indices] = load.operands.map((operand) => state.values.get(operand.id));
  const exprs = indices.flatMap((index) => (index?.kind === 'index' ? [index.expr] : []));
  if (source?.kind !== 'buffer' || exprs.length !== indices.length) return undefined;
  // What else the body holds has to be the arithmetic of these indices, which has no effect.
  const pure = op.body.operations.every(
    ({ name }) =>
      name === 'memref.load' || name === 'linalg.yield' || name === 'linalg.index' || isArithmetic(name),
  );
  if (!pure || mayAlias(source, target)) return undefined;
  return { source, target, conversion, offset: elementOffset(source, exprs) };
};

export const isArithmetic = (name: string): boolean =>
  name.startsWith('arith.') || name.startsWith('affine.');

/** Whether a loop variable (or a dimension of one point, on which nothing depends) occurs in an expression. */
export const dependsOn = (expr: AffineExpr, variable: AffineExpr): boolean =>
  variable.kind === 'symbol' && positionsOf(expr).includes(variable.position);

const isVariable = (expr: AffineExpr, variable: AffineExpr): boolean =>
  expr.kind === 'symbol' && variable.kind === 'symbol' && expr.position === variable.position;

/** The factor of a variable in a sum. */
const factorOf = (terms: readonly IndexTerm[], variable: AffineExpr): number =>
  terms.find(({ expr }) => isVariable(expr, variable))?.factor ?? 0;

interface PackingPlan {
  /** Loops around the panels. */
  readonly outer: readonly NestLoop[];
  /** The loops of k. */
  readonly panel: readonly PanelDimension[];
  readonly lane: AffineExpr;
  readonly lanes: number;
  /** The part of the offset that neither the lane nor k changes. */
  readonly base: AffineExpr;
  /** The part that the lane changes. */
  readonly laneTerms: readonly IndexTerm[];
}

/** Divides the dimensions into loops around panels, k, and lanes; undefined where the panels are not that regular. */
const planPacking = (op: StructuredOp, { offset }: Gather): PackingPlan | undefined => {
  const last = op.dims.length - 1;
  const extents = op.extents.map(constantOf);
  const [lane, lanes] = [op.dims[last], extents[last]];
  if (lane === undefined || lanes === undefined || lanes > maximumLanes) return undefined;
  const { constant: start, terms } = termsOf(offset);
  // A dimension in a term that is not linear is a loop around the panels, and so are those before it.
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

/** The lanes as a constant stride, on the condition that none of the `rows` breaks among them. */
export interface StraightLanes {
  readonly stride: number;
  /** Window of lane 0 in its row, and the length of the row. */
  readonly rows: readonly { readonly first: AffineExpr; readonly length: number }[];
}

/**
 * The stride of the lanes between two row breaks: `floordiv` stands still, `mod` counts. Undefined where the lane
 * occurs in another form.
 */
export const straightLanes = ({
  lane,
  laneTerms,
}: Pick<PackingPlan, 'lane' | 'laneTerms'>): StraightLanes | undefined => {
  const rows = new Map<string, StraightLanes['rows'][number]>();
  let stride = 0;
  for (const { expr, factor } of laneTerms) {
    if (expr.kind === 'symbol') {
      stride += factor;
      continue;
    }
    if ((expr.kind !== 'floordiv' && expr.kind !== 'mod') || expr.rhs.kind !== 'constant') return undefined;
    const { terms } = termsOf(expr.lhs);
    const others = terms.filter((term) => !isVariable(term.expr, lane));
    const length = expr.rhs.value;
    if (length <= 0 || factorOf(terms, lane) !== 1) return undefined;
    if (others.some((term) => dependsOn(term.expr, lane))) return undefined;
    if (expr.kind === 'mod') stride += factor;
    const first = mod(atLane(expr.lhs, lane, 0), length);
    rows.set(`${String(first)}:${length}`, { first, length });
  }
  return stride < 0 ? undefined : { stride, rows: [...rows.values()] };
};

export const atLane = (expr: AffineExpr, lane: AffineExpr, value: number): AffineExpr => {
  const symbols: AffineExpr[] = [];
  if (lane.kind === 'symbol') symbols[lane.position] = constant(value);
  return substitute(expr, { symbols });
};

/** Whether all lanes stand in one row: known, or code that tells. */
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

/** A packing of pairs as one of their first halves; any other one as it is. */
interface Unpaired {
  readonly op: StructuredOp;
  /** The number of the half, where there are pairs. */
  readonly half?: AffineExpr;
}

/** Whether the elements of a packing are halves of pairs, side by side as 16 bits each, is seen by its last dimension. */
export const unpaired = (op: StructuredOp, target: Buffer): Unpaired => {
  const half = op.dims.at(-1);
  const isPaired = op.dims.length > 1 && target.storage.name === 'i16' && constantOf(op.extents.at(-1)) === 2;
  if (!isPaired || half === undefined) return { op };
  return {
    half,
    op: {
      ...op,
      dims: op.dims.slice(0, -1),
      extents: op.extents.slice(0, -1),
      loops: op.loops.filter(({ variable }) => !isVariable(variable.expr, half)),
    },
  };
};

/** How many bytes the halves of a pair are apart in the source; undefined where that is no constant. */
export const pairStride = (offset: AffineExpr, half: AffineExpr | undefined): number | undefined => {
  if (half === undefined) return undefined;
  const moving = termsOf(offset).terms.filter(({ expr }) => dependsOn(expr, half));
  const [only] = moving;
  return moving.length === 1 && isVariable(only!.expr, half) && only!.factor >= 0 ? only!.factor : undefined;
};

/** Emits the operation as panel copies; false if it is no packing. */
export const lowerPacking = (state: Lowering, op: StructuredOp): boolean => {
  const gather = matchGather(state, op);
  if (gather === undefined) return false;
  const { source, target, conversion } = gather;
  const { op: lanesOnly, half } = unpaired(op, target);
  const offset = half === undefined ? gather.offset : atLane(gather.offset, half, 0);
  const plan = planPacking(lanesOnly, { ...gather, offset });
  if (plan === undefined) return false;
  const apart = pairStride(gather.offset, half);
  const element = packedElement(state, op.operation, source, target, conversion, apart);
  if (element === undefined) return false;
  const write = (): void => {
    emitPacking(state, gather, plan, element);
  };
  if (state.keeper === undefined) write();
  else state.keeper.pack(op.operation.id, write);
  return true;
};

const emitPacking = (state: Lowering, gather: Gather, plan: PackingPlan, element: PackedElement): void => {
  const { f, indices } = state;
  const { lane, lanes, laneTerms, panel } = plan;
  const laneOffset = sumOfTerms(laneTerms);
  const origin = gather.target.sizes.map(() => constant(0));
  const start = indices.emit(elementOffset(gather.target, origin));
  // Panels follow each other in the order of the loops, so one pointer runs through all of them.
  const destination = f.let(i32.add(gather.target.base, start));
  const straight = straightLanes(plan);

  emitNest(f, indices, {
    loops: plan.outer,
    accesses: [{ base: gather.source.base, offset: plan.base }],
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
