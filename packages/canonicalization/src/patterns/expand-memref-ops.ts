/** The patterns `memref.expand_ops`: atomic updates and reshapes by simpler ops. */
import type { MixedIndex } from '@sconv/dialects';
import { createIndex, sliceArguments } from '@sconv/dialects';
import { indexCast, muli } from '@sconv/dialects/arith';
import type { AtomicKind } from '@sconv/dialects/memref';
import {
  atomicCombiner,
  atomicRmw,
  atomicYield,
  genericAtomicRmw,
  load,
  reinterpretCast,
  reshape,
} from '@sconv/dialects/memref';
import type { RewritePattern, Rewriter, Value } from '@sconv/ir';
import { DYNAMIC, indexType, isStaticShape } from '@sconv/ir';
import { onOp } from '../match.ts';

/** `old` combined with `given`, at the insertion point. */
const combine = (rewriter: Rewriter, kind: AtomicKind, old: Value, given: Value): Value => {
  const combiner = atomicCombiner(kind);
  if (combiner === undefined) return given;
  return rewriter.createValue({
    name: combiner.name,
    operands: [old, given],
    resultTypes: [old.type],
  });
};

/** @deviation Upstream crashes on `assign`; the body yields the new value here. */
const atomicUpdate = onOp(atomicRmw, 'expand-atomic-update', (rewriter, operation) => {
  const { value, memref, indices } = atomicRmw.operands(operation);
  const { kind } = atomicRmw.attributes(operation);
  const build = (inner: Rewriter, old: Value): void => {
    inner.create(atomicYield.state({ operands: { result: combine(inner, kind, old, value) } }));
  };
  rewriter.replaceWith(
    operation,
    genericAtomicRmw.state({
      operands: { memref, indices },
      resultTypes: [value.type],
      bodies: [{ argumentTypes: [value.type], build }],
    }),
  );
});

/** Sizes come from the type, or are loaded from the shape; strides are computed from the last dimension on. */
const reshapeByCast = onOp(reshape, 'expand-reshape', (rewriter, operation) => {
  const { source, shape } = reshape.operands(operation);
  const { type } = reshape.results(operation).result;
  if (type.kind !== 'memref' || !isStaticShape(shape.type)) return;
  const sizes: MixedIndex[] = [];
  const strides: MixedIndex[] = [];
  let stride = createIndex(rewriter, 1);
  for (const [position, extent] of [...type.shape.entries()].reverse()) {
    const size = extent === DYNAMIC ? loadSize(rewriter, shape, position) : createIndex(rewriter, extent);
    sizes.unshift(extent === DYNAMIC ? size : extent);
    strides.unshift(stride);
    if (position > 0) {
      stride = rewriter.createValue(
        muli.state({ operands: { lhs: stride, rhs: size }, resultTypes: [indexType] }),
      );
    }
  }
  const { operands, attributes } = sliceArguments({ offsets: [0], sizes, strides });
  rewriter.replaceWith(
    operation,
    reinterpretCast.state({ operands: { source, ...operands }, attributes, resultTypes: [type] }),
  );
});

const loadSize = (rewriter: Rewriter, shape: Value, position: number): Value => {
  const indices = [createIndex(rewriter, position)];
  const size = rewriter.createValue(load.state({ operands: { memref: shape, indices } }));
  if (size.type.kind === 'index') return size;
  return rewriter.createValue(indexCast.state({ operands: { in: size }, resultTypes: [indexType] }));
};

export const expandMemrefPatterns: readonly RewritePattern[] = [atomicUpdate, reshapeByCast];
