/**
 * Packing: a generic that gathers from one buffer into another (ST Listing 8, lines 10-20 and 25-36), as loops over
 * vectors.
 *
 * Its last dimension is the lanes of a panel. If `floordiv` and `mod` depend on it, it is a range of windows that may
 * cross image rows: panels within one row are copied as vectors, others lane by lane.
 */
import type { AffineExpr } from '@sconv/affine';
import { add, constant, dim, isFunctionOfDim, isIdentity, substitute } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { conversionTo, indicesInBody, mayShareMemory } from '@sconv/dialects';
import { andi, cmpi } from '@sconv/dialects/arith';
import { generic, genericView } from '@sconv/dialects/linalg';
import { load as loadElement, store as storeElement, stridedLayoutOf } from '@sconv/dialects/memref';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import { load } from '@sconv/dialects/vector';
import type { Builder, DraftOperation, MemRefType, Rewriter, Value } from '@sconv/ir';
import { bodyOf, builder, DYNAMIC, hasTrait, terminatorOf, vectorType } from '@sconv/ir';
import { convertElements } from './convert-elements.ts';
import { copyLinear } from './copy-linear.ts';
import { indexConstant } from './index-constant.ts';
import { createNest } from './loop-nest.ts';
import { halvesOf, packedLanes, storeLanes, withPairs } from './packed-pairs.ts';
import type { CopyPanel, Packing } from './packing.ts';
import { indexAt } from './packing.ts';
import type { StraightLanes } from './straight-lanes.ts';
import { distinctRows, straightLanes } from './straight-lanes.ts';
import type { VectorRegisters } from './vector-unit.ts';
import { vectorWidths } from './vector-unit.ts';

/** More lanes than this are not a panel: each lane is unrolled. */
export const maximumLanes = 64;

/**
 * Replaces a packing of buffers by loops. Fails with `lowering/no-packing` for an op that does more than store, at
 * each index of a buffer, a converted element of another, or that has dynamic sizes.
 */
export const lowerPackingOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
  unit: VectorRegisters,
): Diagnosed<undefined> => {
  const packing = matchPacking(rewriter, operation);
  if (typeof packing === 'string') {
    return silenceableError('lowering/no-packing', `expected a packing: ${packing}`, operation);
  }
  rewriter.setInsertionPointBefore(operation);
  createCopy(rewriter, withPairs(rewriter, packing, maximumLanes, mapIndices), unit);
  rewriter.eraseOperation(operation);
  return success(undefined);
};

/** The packing that an operation is, or why it is not one. */
export const matchPacking = (rewriter: Rewriter, operation: DraftOperation): Packing | string => {
  if (!generic.is(operation)) return `'${operation.name}' is not a linalg.generic`;
  const { inputs, outputs, indexingMaps, iteratorTypes, loopRanges } = genericView(operation);
  const [target, ...others] = outputs;
  if (inputs.length > 0 || others.length > 0 || target?.type.kind !== 'memref')
    return 'it has other operands than one output buffer';
  if (!isIdentity(indexingMaps[0]!) || iteratorTypes.some((type) => type !== 'parallel'))
    return 'its indexing map is not the identity';
  if (loopRanges.includes(DYNAMIC)) return 'its sizes are not known';
  const lanes = loopRanges.at(-1);
  if (lanes === undefined || lanes > maximumLanes) return `it has no panels of up to ${maximumLanes} lanes`;
  if (stridedLayoutOf(target.type)?.strides.at(-1) !== 1) return 'the lanes of its panels are not contiguous';
  const body = bodyOf(operation);
  const [element, ...more] = body.operations.filter((inner) => loadElement.is(inner));
  const conversion = conversionTo(body, terminatorOf(body).operands[0]!);
  if (element === undefined || more.length > 0 || conversion.element.id !== element.results[0]?.id)
    return 'its body does more than to read an element, and to convert it';
  if (body.operations.some((inner) => inner !== element && !isIndexArithmetic(rewriter, inner)))
    return 'its body does more than to read an element, and to convert it';
  const { memref: source, indices } = loadElement.operands(element);
  const read = indicesInBody(rewriter, operation, indices);
  // A value that the body computes with ops other than affine.apply is not an outer value.
  if (read.outer.some((value) => rewriter.definingOperation(value)?.parent === operation))
    return 'its indices are not affine';
  if (!rewriter.isDefinedOutside(source, operation)) return 'it reads a view that its body makes';
  if (mayShareMemory(rewriter, source, target)) return 'it may read what it stores';
  return { source, target, extents: loopRanges, conversion, ...read };
};

const mapIndices = (packing: Packing, change: (expr: AffineExpr) => AffineExpr): Packing => ({
  ...packing,
  indices: packing.indices.map(change),
});

const isIndexArithmetic = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  operation.name === 'linalg.index' ||
  operation.name === 'linalg.yield' ||
  hasTrait(rewriter.registry, operation, 'pure');

const createCopy = (rewriter: Rewriter, packing: Packing, unit: VectorRegisters): void => {
  const { extents, indices } = packing;
  const lane = extents.length - 1;
  const sizes = extents.slice(0, lane);
  const apart = copyApart(rewriter, packing);
  const known = indices.flatMap((expr) => straightLanes(expr, lane) ?? []);
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
  const { elementType } = source.type as MemRefType;
  const last = straight.length - 1;
  const isContiguous =
    straight.every(({ stride }, position) => stride === (position === last ? 1 : 0)) &&
    stridedLayoutOf(source.type as MemRefType)?.strides[last] === 1;
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
