/** Casts of buffers, and their users. */
import * as affine from '@sconv/dialects/affine';
import {
  atomicRmw,
  cast,
  castCompatible,
  collapseShape,
  copy,
  dealloc,
  dim,
  genericAtomicRmw,
  load,
  memorySpaceCast,
  prefetch,
  rank,
  store,
} from '@sconv/dialects/memref';
import type { OperationState, RewritePattern, Rewriter, Type, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import { castTo, inferCollapsedType } from '@sconv/dialects';
import { definedBy, keepsStaticSizes, onOp } from '../match.ts';

export const memrefCastState = (source: Value, type: Type): OperationState<Rewriter> =>
  cast.state<Rewriter>({ operands: { source: source }, resultTypes: [type] });

/**
 * Casts of casts, and casts without effect.
 *
 * @deviation Upstream joins any two; for outer types that contradict each other, the result does not verify.
 */
const chainedCast = onOp(cast, 'chained-memref-cast', (rewriter, operation) => {
  const [source] = operation.operands;
  const { type } = operation.results[0]!;
  if (source === undefined) return;
  if (typeEquals(source.type, type)) {
    rewriter.replaceOperation(operation, [source]);
    return;
  }
  const [inner] = definedBy(rewriter, source, cast)?.operands ?? [];
  if (inner?.type.kind !== 'memref' || (type.kind !== 'memref' && type.kind !== 'unranked-memref')) return;
  if (castCompatible(inner.type, type)) rewriter.setOperand(operation, 0, inner);
});

const chainedSpaceCast = onOp(memorySpaceCast, 'chained-memory-space-cast', (rewriter, operation) => {
  const [source] = operation.operands;
  if (source !== undefined && typeEquals(source.type, operation.results[0]!.type)) {
    rewriter.replaceOperation(operation, [source]);
    return;
  }
  const [inner] = definedBy(rewriter, source, memorySpaceCast)?.operands ?? [];
  if (inner !== undefined) rewriter.setOperand(operation, 0, inner);
});

/** Accesses use the source of a buffer cast. */
const accessOfCast = [
  dealloc,
  dim,
  rank,
  load,
  store,
  prefetch,
  atomicRmw,
  genericAtomicRmw,
  affine.load,
  affine.store,
  affine.prefetch,
].map((definition) =>
  onOp(definition, 'access-of-memref-cast', (rewriter, operation) => {
    const operands = operation.operands.map((operand) => {
      const [source] = definedBy(rewriter, operand, cast)?.operands ?? [];
      // A stored value must keep its type.
      return source?.type.kind === 'memref' ? source : operand;
    });
    if (store.is(operation) || affine.store.is(operation)) operands[0] = operation.operands[0]!;
    if (operands.some((operand, i) => operand.id !== operation.operands[i]!.id))
      rewriter.setOperands(operation, operands);
  }),
);

/** A copy uses the sources of casts that keep the shape, or forget sizes. */
const copyOfCast = onOp(copy, 'copy-of-memref-cast', (rewriter, operation) => {
  operation.operands.forEach((operand, i) => {
    const [source] = definedBy(rewriter, operand, cast)?.operands ?? [];
    if (source?.type.kind !== 'memref' || operand.type.kind !== 'memref') return;
    if (keepsStaticSizes(operand.type.shape, source.type.shape)) rewriter.setOperand(operation, i, source);
  });
});

const collapseOfCast = onOp(collapseShape, 'collapse-of-memref-cast', (rewriter, operation) => {
  const [source] = definedBy(rewriter, operation.operands[0], cast)?.operands ?? [];
  const { type } = operation.results[0]!;
  if (source?.type.kind !== 'memref') return;
  const { reassociation } = collapseShape.attributes(operation);
  const inferred = inferCollapsedType(source.type, reassociation);
  if (inferred === undefined) return;
  if (typeEquals(inferred, type)) {
    rewriter.setOperand(operation, 0, source);
    return;
  }
  const made = rewriter.createValue(
    collapseShape.state({
      operands: { src: source },
      attributes: { reassociation },
      resultTypes: [inferred],
    }),
  );
  rewriter.replaceOperation(operation, [castTo(rewriter, made, type, memrefCastState)]);
});

export const memrefCastPatterns: readonly RewritePattern[] = [
  chainedCast,
  chainedSpaceCast,
  ...accessOfCast,
  copyOfCast,
  collapseOfCast,
];
