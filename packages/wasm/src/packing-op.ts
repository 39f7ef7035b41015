/**
 * Packing: a generic that gathers from a buffer into a contiguous one (ST Listing 8, lines 10-20 and 25-36), emitted as
 * panel copies that may convert elements.
 *
 * The address of an element is a sum over the output's dimensions. The last one is the lanes of a panel. If a
 * `floordiv` or `mod` depends on it, it is a range of windows that may cross row ends: within one row the lanes have a
 * constant stride, otherwise each lane's offset is computed, once per panel.
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

/** Maximum lanes of a panel: each one costs code, and a local if it crosses row ends. */
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
  // The rest of the body has to be pure arithmetic on these indices.
  const pure = op.body.operations.every(
    ({ name }) =>
      name === 'memref.load' || name === 'linalg.yield' || name === 'linalg.index' || isArithmetic(name),
  );
  if (!pure || mayAlias(source, target)) return undefined;
  return { source, target, conversion, offset: elementOffset(source, exprs) };
};

export const isArithmetic = (name: string): boolean =>
  name.startsWith('arith.') || name.startsWith('affine.');

/** Whether a loop variable occurs in an expression; false for unit dimensions, which are constants. */
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
const planPacking = (op: StructuredOp, { offset }: Gather): PackingPlan | undefined => {
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

/** Lanes with a constant stride, provided that none of the `rows` ends among them. */
export interface StraightLanes {
  readonly stride: number;
  /** Position of lane 0 within its row of windows, and the row's length. */
  readonly rows: readonly { readonly first: AffineExpr; readonly length: number }[];
}

/**
 * The stride of the lanes between row ends, where `floordiv` is constant and `mod` linear. Undefined if the lane occurs
 * in another form.
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

/** A packing of pairs restricted to their first halves; any other packing unchanged. */
interface Unpaired {
  readonly op: StructuredOp;
  /** The index of the half in packings of pairs. */
  readonly half?: AffineExpr;
}

/** Whether the packed elements are halves of pairs, 16 bits each and adjacent, judging by the last dimension. */
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

/** Distance in bytes between the halves of a pair in the source; undefined if not constant. */
export const pairStride = (offset: AffineExpr, half: AffineExpr | undefined): number | undefined => {
  if (half === undefined) return undefined;
  const moving = termsOf(offset).terms.filter(({ expr }) => dependsOn(expr, half));
  const [only] = moving;
  return moving.length === 1 && isVariable(only!.expr, half) && only!.factor >= 0 ? only!.factor : undefined;
};

/** Emits the operation as panel copies; false if it is not a packing. */
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
  // Panels are contiguous in loop order, so one pointer runs through all of them.
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
