/**
 * Packings without padding as loops over vectors.
 *
 * The last dimension is the lanes of a panel. If `floordiv` and `mod` depend on it, it is a range of windows that may
 * cross image rows: panels within one row are copied as vectors, others lane by lane.
 */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, dim, isFunctionOfDim, substitute } from '@sconv/affine';
import { andi, cmpi } from '@sconv/dialects/arith';
import { load as loadElement, store as storeElement, stridedLayoutOf } from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import { load } from '@sconv/dialects/vector';
import type { Builder, Rewriter, Value } from '@sconv/ir';
import { builder, vectorType } from '@sconv/ir';
import type { StraightLanes } from '@sconv/kernels';
import { distinctRows, straightLanes } from '@sconv/kernels';
import { convertElements } from './convert-elements.ts';
import { copyLinear } from './copy-linear.ts';
import { indexConstant } from './index-constant.ts';
import { createNest } from './loop-nest.ts';
import { halvesOf, packedLanes, storeLanes } from './packed-pairs.ts';
import type { CopyPanel, Packing } from './packing.ts';
import { indexAt } from './packing.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { vectorWidths } from './vector-unit.ts';

/** Creates the loops of a packing without padding, at the insertion point. */
export const createPackingCopy = (rewriter: Rewriter, packing: Packing, unit: VectorRegisters): void => {
  const { extents, indices } = packing;
  const lane = extents.length - 1;
  const sizes = extents.slice(0, lane);
  const apart = copyApart(rewriter, packing);
  const known = indices.flatMap((expr) => straightLanes(expr, dim(lane)) ?? []);
  const rows = distinctRows(known.flatMap((each) => each.rows));
  const lanes = extents[lane]!;
  const b = builder(rewriter);
  if (known.length === indices.length && copyLinear(rewriter, packing, known, unit, apart)) return;
  if (known.length < indices.length || rows.some(({ length }) => length < lanes)) {
    createNest(b, sizes, apart);
    return;
  }
  const straight = copyStraight(rewriter, packing, known, unit);
  if (rows.length === 0) {
    createNest(b, sizes, straight);
    return;
  }
  // The row test is hoisted out of the loops that it does not depend on.
  const inner =
    sizes.findLastIndex((_, position) => rows.some(({ first }) => isFunctionOfDim(first, position))) + 1;
  createNest(b, sizes.slice(0, inner), (outerBody, outer) => {
    const [test, ...tests] = rows.map(({ first, length }): Value => {
      const [lhs, rhs] = [indexAt(rewriter, packing, first, outer), indexConstant(outerBody, length - lanes)];
      return outerBody(cmpi, { predicate: 'sle', lhs, rhs });
    });
    const condition = tests.reduce((all, each): Value => outerBody(andi, { lhs: all, rhs: each }), test!);
    const branch = (copy: CopyPanel) => ({
      build: (body: Builder): void => {
        createNest(body, sizes.slice(inner), copy, outer);
        body(yieldOp, {});
      },
    });
    outerBody(ifOp, { condition }, { resultTypes: [], bodies: [branch(straight), branch(apart)] });
  });
};

/** Element by element; `at` computes the index of a lane in a dimension of the source. */
const copyElements =
  (rewriter: Rewriter, packing: Packing, at: (position: number, lane: number) => AffineExpr): CopyPanel =>
  (b, variables) => {
    const { source, target, indices, extents, conversion, apart } = packing;
    const halves = halvesOf(packing);
    for (let lane = 0; lane < extents.at(-1)!; lane++)
      for (const half of halves) {
        const from = indices.map((_, position) =>
          indexAt(rewriter, packing, add(at(position, lane), half * (apart?.[position] ?? 0)), variables),
        );
        const read: Value = b(loadElement, { memref: source, indices: from });
        const value = convertElements(rewriter, conversion, read);
        const to = indexConstant(b, lane * halves.length + half);
        b(storeElement, { value, memref: target, indices: [...variables, to] });
      }
  };

/** Lanes at arbitrary positions: each has its own index. */
const copyApart = (rewriter: Rewriter, packing: Packing): CopyPanel => {
  const { extents, outer, indices } = packing;
  const last = extents.length - 1;
  const all = Array.from({ length: extents.length + outer.length }, (_, position) => dim(position));
  return copyElements(rewriter, packing, (position, lane) =>
    substitute(indices[position]!, { dims: all.with(last, constant(lane)) }),
  );
};

/** Lanes with a constant stride: as vectors, if that is 1 in the last dimension. */
export const copyStraight = (
  rewriter: Rewriter,
  packing: Packing,
  straight: readonly StraightLanes[],
  unit: VectorRegisters,
): CopyPanel => {
  const { source, extents, apart } = packing;
  const { elementType } = source.type;
  const last = straight.length - 1;
  const isContiguous =
    straight.every(({ stride }, position) => stride === (position === last ? 1 : 0)) &&
    stridedLayoutOf(source.type)?.strides[last] === 1;
  if (!isContiguous) {
    return copyElements(rewriter, packing, (position, lane) => {
      const { first, stride } = straight[position]!;
      return add(first, stride * lane);
    });
  }
  const widths = vectorWidths(extents.at(-1)!, packedLanes(unit, packing));
  return (b, variables) => {
    let lane = 0;
    for (const width of widths) {
      const at = lane;
      const read = halvesOf(packing).map((half): Value => {
        const indices = straight.map(({ first, stride }, position) => {
          const shift = stride * at + half * (apart?.[position] ?? 0);
          return indexAt(rewriter, packing, add(first, shift), variables);
        });
        return b(load, { base: source, indices }, { resultTypes: [vectorType([width], elementType)] });
      });
      storeLanes(rewriter, b, packing, variables, lane, read);
      lane += width;
    }
  };
};
