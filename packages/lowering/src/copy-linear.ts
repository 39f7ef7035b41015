/**
 * Lanes of a packing as vectors, by their addresses. Windows that count along the rows of an image stand `stride`
 * elements apart, and each end of a row adds a `jump`. A vector that takes windows of several rows is a masked load
 * for each:
 *
 *     lanes          0 1 2 3 | 4 5 6 7          a row ends behind lane 3
 *     from `base`    x x x x   . . . .          create_mask(4)
 *     + `jump`       . . . .   x x x x          the others
 */
import type { AffineExpr } from '@sconv/affine';
import { add, ceilDiv, constant, floorDiv, isFunctionOfDim, mod, mul, sub } from '@sconv/affine';
import {
  bitcast,
  cmpi,
  constant as constantOp,
  maxsi,
  minsi,
  muli,
  select,
  subi,
  xori,
} from '@sconv/dialects/arith';
import { prefetch, reinterpretCast, stridedLayoutOf } from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import { broadcast, createMask, load, maskedload, shuffle } from '@sconv/dialects/vector';
import type { Builder, MemRefType, Rewriter, Type, Value } from '@sconv/ir';
import {
  builder,
  DYNAMIC,
  floatAttribute,
  i1,
  integerAttribute,
  integerType,
  isStaticShape,
  memrefType,
  vectorType,
} from '@sconv/ir';
import type { Row, StraightLanes } from '@sconv/kernels';
import { linearLanes } from '@sconv/kernels';
import { indexConstant } from './index-constant.ts';
import { inBlocks } from './block-channels.ts';
import type { LoopSize } from './loop-nest.ts';
import { createNest } from './loop-nest.ts';
import { packedLanes, storeLanes } from './packed-pairs.ts';
import type { CopyPanel, Packing } from './packing.ts';
import { indexAt } from './packing.ts';
import type { Vector } from './row-vectors.ts';
import { vectorsOf } from './row-vectors.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { bitsOf } from './vector-unit.ts';

/** With more rows in a vector, masks cost more than lane-by-lane copies. */
const mostRows = 4;

/** Copies elements of a flattened view of a buffer, at an expression over the packing's dimensions and outer values. */
export interface LinearCopy {
  readonly packing: Packing;
  readonly memory: Value;
  readonly lanes: StraightLanes;
  readonly vectors: readonly Vector[];
  /** The distances of what is packed next to each other: 0, and that of the other half of a pair. */
  readonly halves: readonly number[];
  /** Bits of the smallest elements with masked loads. */
  readonly leastMasked: number;
  /** Whether the unit can ask for lines ahead. */
  readonly prefetch: boolean;
}

/**
 * The copy of a packing whose lanes have a stride of one or two elements; undefined if they do not, or if the layout
 * of the source is unknown.
 */
export const linearCopyOf = (
  rewriter: Rewriter,
  packing: Packing,
  known: readonly StraightLanes[],
  unit: VectorRegisters,
): LinearCopy | undefined => {
  const { source, extents, apart } = packing;
  const { type } = source;
  const layout = stridedLayoutOf(type);
  if (layout === undefined || !isStaticShape(type)) return undefined;
  const { offset, strides } = layout;
  if ([offset, ...strides].includes(DYNAMIC) || type.shape.includes(0)) return undefined;
  const lanes = linearLanes(known, strides, offset);
  if (lanes === undefined || (lanes.stride !== 1 && lanes.stride !== 2) || lanes.jump < 0) return undefined;
  const length = type.shape.reduce((sum, size, i) => sum + (size - 1) * strides[i]!, offset) + 1;
  const vectors = vectorsOf(extents.at(-1)!, packedLanes(unit, packing));
  const distance = apart?.reduce((sum, each, i) => sum + each * strides[i]!, 0);
  const memory: Value = builder(rewriter)(
    reinterpretCast,
    { source, staticOffsets: [0], staticSizes: [length], staticStrides: [1] },
    { resultTypes: [memrefType([length], type.elementType)] },
  );
  const halves = distance === undefined ? [0] : [0, distance];
  // LLVM makes branches of masked loads that a unit lacks.
  const { maskedLoads: leastMasked = 32, prefetch = false } = unit;
  return { packing, memory, lanes, vectors, halves, leastMasked, prefetch };
};

/** Creates the copy of a packing that `linearCopyOf` knows; false for others. */
export const copyLinear = (
  rewriter: Rewriter,
  packing: Packing,
  known: readonly StraightLanes[],
  unit: VectorRegisters,
  apart: CopyPanel,
): boolean => {
  const copy = linearCopyOf(rewriter, packing, known, unit);
  if (copy === undefined) return false;
  inBlocks(builder(rewriter), packing, (body, sizes) => {
    createLinearCopy(rewriter, body, copy, sizes, apart);
  });
  return true;
};

/** Creates the loops of these sizes. */
const createLinearCopy = (
  rewriter: Rewriter,
  b: Builder,
  copy: LinearCopy,
  sizes: readonly LoopSize[],
  apart: CopyPanel,
): void => {
  const { packing, lanes } = copy;
  const count = packing.extents.at(-1)!;
  const straight = copyStraight(rewriter, copy);
  const [row] = lanes.rows;
  if (row === undefined) {
    createNest(b, sizes, straight);
    return;
  }
  // The row test is hoisted out of the loops that it does not depend on.
  const inner = sizes.findLastIndex((_, position) => isFunctionOfDim(row.first, position)) + 1;
  const isBroken = mayBreak(copy, row);
  createNest(b, sizes.slice(0, inner), (outerBody, outer) => {
    const [lhs, rhs] = [
      indexAt(rewriter, packing, row.first, outer),
      indexConstant(outerBody, row.length - count),
    ];
    const condition: Value = outerBody(cmpi, { predicate: 'sle', lhs, rhs });
    const branch = (panels: (body: Builder) => CopyPanel) => ({
      build: (body: Builder): void => {
        createNest(body, sizes.slice(inner), panels(body), outer);
        body(yieldOp, {});
      },
    });
    outerBody(
      ifOp,
      { condition },
      {
        resultTypes: [],
        bodies: [
          branch(() => straight),
          branch((body) => (isBroken ? copyBroken(rewriter, copy, row, body, outer) : apart)),
        ],
      },
    );
  });
};

/** Whether lanes of several rows can be copied with masks. */
export const mayBreak = (copy: LinearCopy, row: Row): boolean =>
  rowsOf(copy.vectors, row) <= mostRows && bitsOf(elementTypeOf(copy)) >= copy.leastMasked;

/** The most rows that one vector's windows may be in. */
const rowsOf = (vectors: readonly Vector[], { length }: Row): number =>
  Math.ceil((Math.max(1, ...vectors.map(({ width }) => width)) - 1) / length) + 1;

const elementTypeOf = ({ memory }: LinearCopy): Type => (memory.type as MemRefType).elementType;

/** Bytes of a source that stays in the caches from one panel to the next. */
const cachedBytes = 256 * 1024;
const lineBytes = 64;

/**
 * Prefetches what the next panel takes from the same row, while the microkernels work on this one: rows of different
 * channels are pages apart, beyond the reach of hardware prefetchers.
 */
const prefetchNext = (
  rewriter: Rewriter,
  { packing, memory, lanes, halves, prefetch: isAskedAhead }: LinearCopy,
  b: Builder,
  variables: readonly Value[],
): void => {
  if (!isAskedAhead) return;
  const { elementType, shape } = memory.type as MemRefType;
  const bytes = bitsOf(elementType) / 8;
  if (shape[0]! * bytes < cachedBytes) return;
  const count = packing.extents.at(-1)! * lanes.stride;
  for (const half of halves)
    for (let shift = 0; shift < count; shift += lineBytes / bytes) {
      const at = indexAt(rewriter, packing, add(lanes.first, half + count + shift), variables);
      b(prefetch, {
        memref: memory,
        indices: [at],
        isWrite: false,
        localityHint: 3,
        isDataCache: true,
      });
    }
};

/** All lanes have a constant stride. */
export const copyStraight =
  (rewriter: Rewriter, copy: LinearCopy): CopyPanel =>
  (b, variables) => {
    const { packing, memory, lanes, vectors, halves } = copy;
    prefetchNext(rewriter, copy, b, variables);
    for (const { first, width } of vectors) {
      const ofHalf = (half: number): Value => {
        const read = (shift: number): Value => {
          const expr = add(lanes.first, half + lanes.stride * first + shift);
          return b(
            load,
            { base: memory, indices: [indexAt(rewriter, packing, expr, variables)] },
            { resultTypes: [vectorType([width], elementTypeOf(copy))] },
          );
        };
        return lanes.stride === 1 ? read(0) : everySecond(b, width, read);
      };
      storeLanes(rewriter, b, packing, variables, first, halves.map(ofHalf));
    }
  };

/** Every second one of `2 width - 1` elements: never reads past the last of them. */
export const everySecond = (b: Builder, width: number, read: (shift: number) => Value): Value => {
  if (width === 1) return read(0);
  const mask = Array.from({ length: width }, (_, i) => (2 * i < width ? 2 * i : 2 * i + 1));
  const [first, second] = [read(0), read(width - 1)];
  const element = first.type.kind === 'vector' ? first.type.elementType : first.type;
  if (element.kind !== 'float' || element.name !== 'bf16') return b(shuffle, { v1: first, v2: second, mask });
  // LLVM moves elements of bf16 one by one.
  const type = vectorType([width], integerType(bitsOf(element)));
  const [v1, v2] = [first, second].map((vector): Value =>
    b(bitcast, { in: vector }, { resultTypes: [type] }),
  ) as [Value, Value];
  const words: Value = b(shuffle, { v1, v2, mask });
  return b(bitcast, { in: words }, { resultTypes: [first.type] });
};

/** What bounds the lanes of a row besides its ends: indices that must be in `[0, size)`, elsewhere is `padding`. */
export interface Margin {
  readonly tests: readonly { readonly lanes: StraightLanes; readonly size: number }[];
  readonly padding: Value;
}

/** Lanes of several rows, or in part beside the source: a mask per vector and row, hoisted out of the inner loops. */
export const copyBroken = (
  rewriter: Rewriter,
  copy: LinearCopy,
  row: Row,
  outerBody: Builder,
  outer: readonly Value[],
  margin?: Margin,
): CopyPanel => {
  const { packing, memory, lanes, vectors, halves } = copy;
  const elementType = elementTypeOf(copy);
  const rows = rowsOf(vectors, row);
  const source: Value =
    margin?.padding ??
    outerBody(constantOp, {
      value: elementType.kind === 'float' ? floatAttribute(0, elementType) : integerAttribute(0, elementType),
    });
  const parts = vectors.map(({ first, width }) => {
    const window = add(row.first, first);
    const rowsBefore = floorDiv(window, constant(row.length));
    const type = vectorType([width], elementType);
    const none: Value = outerBody(broadcast, { source }, { resultTypes: [type] });
    const base = add(add(lanes.first, lanes.stride * first), mul(rowsBefore, constant(lanes.jump)));
    /** Lanes of the first `count` rows of the vector. */
    const lanesBefore = (count: number): AffineExpr =>
      sub(constant(count * row.length), mod(window, row.length));
    const ranges = Array.from({ length: rows }, (_, i) =>
      elementsOf(outerBody, (expr) => indexAt(rewriter, packing, expr, outer), lanes.stride, {
        from: i === 0 ? constant(0) : lanesBefore(i),
        to: lanesBefore(i + 1),
        tests: (margin?.tests ?? []).map(({ lanes: test, size }) => ({
          first: add(
            add(test.first, test.stride * first),
            mul(add(rowsBefore, constant(i)), constant(test.jump)),
          ),
          stride: test.stride,
          size,
        })),
      }),
    );
    const masksFrom = (shift: number): readonly Value[] => {
      const below = (element: Value): Value => {
        const bound: Value =
          shift === 0 ? element : outerBody(subi, { lhs: element, rhs: indexConstant(outerBody, shift) });
        return outerBody(createMask, { bounds: [bound] }, { resultTypes: [vectorType([width], i1)] });
      };
      return ranges.map(({ from, to }, i): Value => {
        const lhs = below(to);
        return i === 0 && margin === undefined ? lhs : outerBody(xori, { lhs, rhs: below(from) });
      });
    };
    const shifts = lanes.stride === 1 ? [0] : [0, width];
    return {
      first,
      width,
      type,
      none,
      base,
      shifted: shifts.map((shift) => ({ shift, masks: masksFrom(shift) })),
    };
  });
  return (b, variables) => {
    prefetchNext(rewriter, copy, b, variables);
    for (const { first, width, type, none, base, shifted } of parts) {
      const ofHalf = (half: number): Value => {
        const [v1, v2] = shifted.map(({ shift, masks }) =>
          masks.reduce((before, mask, i): Value => {
            const at = indexAt(rewriter, packing, add(base, half + shift + i * lanes.jump), variables);
            return b(
              maskedload,
              { base: memory, indices: [at], mask, pass_thru: before },
              { resultTypes: [type] },
            );
          }, none),
        );
        const mask = Array.from({ length: width }, (_, i) => 2 * i);
        return v2 === undefined ? v1! : b(shuffle, { v1: v1!, v2, mask });
      };
      storeLanes(rewriter, b, packing, variables, first, halves.map(ofHalf));
    }
  };
};

/** Lanes of a vector that lie in one row, and the indices that bound them: `first + stride * lane` in `[0, size)`. */
interface RowLanes {
  readonly from: AffineExpr;
  readonly to: AffineExpr;
  readonly tests: readonly { readonly first: AffineExpr; readonly stride: number; readonly size: number }[];
}

/** The elements from the first of these lanes to behind the last one; `to` is `from` if there are none. */
const elementsOf = (
  b: Builder,
  valueOf: (expr: AffineExpr) => Value,
  stride: number,
  { from, to, tests }: RowLanes,
): { readonly from: Value; readonly to: Value } => {
  let [first, end] = [valueOf(from), valueOf(to)];
  for (const test of tests) {
    if (test.stride === 0) continue;
    const lanesUpTo = (index: number): Value =>
      valueOf(ceilDiv(sub(constant(index), test.first), constant(test.stride)));
    first = b(maxsi, { lhs: first, rhs: lanesUpTo(0) });
    end = b(minsi, { lhs: end, rhs: lanesUpTo(test.size) });
  }
  const times = (lane: Value): Value =>
    stride === 1 ? lane : b(muli, { lhs: lane, rhs: indexConstant(b, stride) });
  // There may be no element behind the last lane of a row: the next one is in the next row.
  const behind: Value = stride === 1 ? end : b(subi, { lhs: times(end), rhs: indexConstant(b, stride - 1) });
  const start = times(first);
  if (tests.length === 0) return { from: start, to: behind };
  const conditions = tests
    .filter((test) => test.stride === 0)
    .map((test): Value =>
      b(cmpi, { predicate: 'ult', lhs: valueOf(test.first), rhs: indexConstant(b, test.size) }),
    );
  const most: Value = b(maxsi, { lhs: behind, rhs: start });
  return {
    from: start,
    to: conditions.reduce(
      (trueValue, condition): Value => b(select, { condition, trueValue, falseValue: start }),
      most,
    ),
  };
};
