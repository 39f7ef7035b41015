/** Lowers transfers on buffers to loads and stores: upstream's `populateVectorTransferLoweringPatterns`. */
import { onOp } from '@sconv/canonicalization/matching';
import { load as memrefLoad, store as memrefStore, stridedLayoutOf } from '@sconv/dialects/memref';
import {
  broadcast,
  isMasked,
  isMinorIdentity,
  isMinorWithBroadcasts,
  load,
  maskedload,
  maskedstore,
  splat,
  store,
  transferRead,
  transferWrite,
} from '@sconv/dialects/vector';
import type { MemRefType, RewritePattern, Type, Value, VectorType } from '@sconv/ir';
import { builder, typeEquals, vectorType } from '@sconv/ir';
import { partOf } from './vector-parts.ts';

/** The type of a buffer that is contiguous in its last dimension; undefined for others. */
const unitStrided = (type: Type): MemRefType | undefined => {
  if (type.kind !== 'memref') return undefined;
  const { strides } = stridedLayoutOf(type) ?? {};
  return strides !== undefined && (strides.length === 0 || strides.at(-1) === 1) ? type : undefined;
};

/** Whether the element type of a buffer is that of the vector, or the vector type. */
const holds = ({ elementType }: MemRefType, vector: VectorType): boolean =>
  typeEquals(elementType, elementType.kind === 'vector' ? vector : vector.elementType);

const readAsLoad = (maxRank: number | undefined): RewritePattern =>
  onOp(transferRead, 'read-as-load', (rewriter, operation) => {
    const { source: base, indices, padding, mask } = transferRead.operands(operation);
    const { permutationMap: map, inBounds } = transferRead.attributes(operation);
    const type = operation.results[0]!.type as VectorType;
    const buffer = unitStrided(base.type);
    if (maxRank !== undefined && type.shape.length > maxRank) return;
    if (
      isMasked(operation) ||
      !isMinorWithBroadcasts(map) ||
      buffer === undefined ||
      inBounds.includes(false)
    )
      return;
    const isRepeated = map.results.map(({ kind }) => kind === 'constant');
    const own = vectorType(
      type.shape.map((size, i) => (isRepeated[i] === true ? 1 : size)),
      type.elementType,
      type.scalable.map((flag, i) => flag && isRepeated[i] !== true),
    );
    if (!holds(buffer, own) || (mask !== undefined && type.shape.length !== 1)) return;
    const b = builder(rewriter);
    const options = { resultTypes: [own] };
    const made: Value =
      mask === undefined
        ? b(load, { base, indices }, options)
        : b(maskedload, { base, indices, mask, pass_thru: b(splat, { input: padding }, options) }, options);
    const result = isRepeated.includes(true) ? b(broadcast, { source: made }, { resultTypes: [type] }) : made;
    rewriter.replaceOperation(operation, [result]);
  });

const writeAsStore = (maxRank: number | undefined): RewritePattern =>
  onOp(transferWrite, 'write-as-store', (rewriter, operation) => {
    const { source: base, indices, vector: valueToStore, mask } = transferWrite.operands(operation);
    const { permutationMap: map, inBounds } = transferWrite.attributes(operation);
    const { type } = valueToStore;
    const buffer = unitStrided(base.type);
    if (maxRank !== undefined && type.shape.length > maxRank) return;
    if (isMasked(operation) || !isMinorIdentity(map) || buffer === undefined || inBounds.includes(false))
      return;
    if (!holds(buffer, type) || (mask !== undefined && type.shape.length !== 1)) return;
    const b = builder(rewriter);
    if (mask === undefined) b(store, { valueToStore, base, indices });
    else b(maskedstore, { base, indices, mask, valueToStore });
    rewriter.eraseOperation(operation);
  });

const hasOneElement = ({ shape, scalable }: VectorType): boolean =>
  shape.every((size) => size === 1) && !scalable.includes(true);

const loadOfElement = onOp(load, 'load-of-element', (rewriter, operation) => {
  const { base, indices } = load.operands(operation);
  const type = operation.results[0]!.type as VectorType;
  if (!hasOneElement(type) || base.type.elementType.kind === 'vector') return;
  const b = builder(rewriter);
  const source: Value = b(memrefLoad, { memref: base, indices }, { resultTypes: [type.elementType] });
  rewriter.replaceOperation(operation, [b(broadcast, { source }, { resultTypes: [type] })]);
});

const storeOfElement = onOp(store, 'store-of-element', (rewriter, operation) => {
  const { base, indices, valueToStore } = store.operands(operation);
  if (!hasOneElement(valueToStore.type) || base.type.elementType.kind === 'vector') return;
  const value = partOf(
    rewriter,
    valueToStore,
    valueToStore.type.shape.map(() => 0),
  );
  builder(rewriter)(memrefStore, { value, memref: base, indices });
  rewriter.eraseOperation(operation);
});

/** For vectors of rank up to `maxRank`, if given. */
export const transferLoadPatterns = (maxRank?: number): readonly RewritePattern[] => [
  readAsLoad(maxRank),
  writeAsStore(maxRank),
  loadOfElement,
  storeOfElement,
];
